//! The tree in a graph: every node under the first that points at it.

use crate::graph::{Graph, Target};

pub(crate) struct Forest {
    pub roots: Vec<usize>,
    pub children: Vec<Vec<usize>>,
    /// By node: the link to it from its parent.
    pub link_to: Vec<Option<usize>>,
}

impl Forest {
    pub fn new(graph: &Graph) -> Self {
        let count = graph.nodes.len();
        let mut out: Vec<Vec<(usize, usize)>> = vec![Vec::new(); count];
        let mut entered = vec![false; count];
        for (at, link) in graph.links.iter().enumerate() {
            if let (Target::Node(from), Target::Node(to)) = (link.from, link.to)
                && from != to
            {
                out[from].push((to, at));
                entered[to] = true;
            }
        }
        let mut forest = Self {
            roots: Vec::new(),
            children: vec![Vec::new(); count],
            link_to: vec![None; count],
        };
        let mut seen = vec![false; count];
        let first = (0..count).filter(|&node| !entered[node]);
        for root in first.chain(0..count).collect::<Vec<_>>() {
            if std::mem::replace(&mut seen[root], true) {
                continue;
            }
            forest.roots.push(root);
            let mut queue = std::collections::VecDeque::from([root]);
            while let Some(node) = queue.pop_front() {
                for &(child, link) in &out[node] {
                    if !std::mem::replace(&mut seen[child], true) {
                        forest.children[node].push(child);
                        forest.link_to[child] = Some(link);
                        queue.push_back(child);
                    }
                }
            }
        }
        forest
    }

    /// All nodes of a tree, parents first, with their depth.
    pub fn under(&self, root: usize) -> Vec<(usize, usize)> {
        let mut found = vec![(root, 0)];
        let mut next = 0;
        while let Some(&(node, depth)) = found.get(next) {
            found.extend(self.children[node].iter().map(|&it| (it, depth + 1)));
            next += 1;
        }
        found
    }
}
