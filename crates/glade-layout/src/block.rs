//! What is in a group, placed by itself and then moved as one: for boards, grids and timelines.

use crate::draft::{Draft, framed};
use crate::geometry::{self, Point, Rect, Size, at};
use crate::graph::Graph;

#[derive(Clone, Debug, Default)]
pub(crate) struct Block {
    pub nodes: Vec<(usize, Rect)>,
    /// A group, its border and its title.
    pub groups: Vec<(usize, Rect, Rect)>,
    pub size: Size,
}

impl Block {
    pub fn node(graph: &Graph, node: usize) -> Self {
        let size = graph.nodes[node].size;
        Self {
            nodes: vec![(node, Rect::of(Point::default(), size))],
            groups: Vec::new(),
            size,
        }
    }

    pub fn moved(mut self, by: Point) -> Self {
        for (_, rect) in &mut self.nodes {
            *rect = rect.moved(by);
        }
        for (_, rect, title) in &mut self.groups {
            (*rect, *title) = (rect.moved(by), title.moved(by));
        }
        self
    }

    /// Several blocks with their corners, as one.
    pub fn of(blocks: Vec<Self>, corners: &[Point]) -> Self {
        let sizes = blocks
            .iter()
            .zip(corners)
            .map(|(it, &corner)| Rect::of(corner, it.size));
        let size = geometry::bounds(sizes).unwrap_or_default().size();
        let mut all = Self {
            size,
            ..Self::default()
        };
        for (block, &corner) in blocks.into_iter().zip(corners) {
            let block = block.moved(corner);
            all.nodes.extend(block.nodes);
            all.groups.extend(block.groups);
        }
        all
    }

    /// With a group's border around it and its title above.
    pub fn framed(self, graph: &Graph, group: usize) -> Self {
        let inside = Rect::of(Point::default(), self.size);
        let (around, title) = framed(inside, graph.groups[group].title, graph.spacing.padding);
        let by = at(-around.x, -around.y);
        let mut all = self.moved(by);
        all.groups.push((group, around.moved(by), title.moved(by)));
        all.size = around.size();
        all
    }

    pub fn put(self, corner: Point, draft: &mut Draft) {
        let block = self.moved(corner);
        for (node, rect) in block.nodes {
            draft.nodes[node] = rect;
        }
        for (group, rect, title) in block.groups {
            (draft.groups[group], draft.titles[group]) = (rect, title);
        }
    }
}

/// What a group holds itself, in the order given: groups first among what was given first.
pub(crate) fn members(graph: &Graph, group: Option<usize>) -> Vec<Member> {
    let first_node = |group: usize| {
        (0..graph.nodes.len())
            .find(|&node| graph.is_in(node, group))
            .unwrap_or(usize::MAX)
    };
    let groups = (0..graph.groups.len()).filter(|&it| graph.groups[it].parent == group);
    let mut found: Vec<(usize, Member)> = groups
        .map(|it| (first_node(it), Member::Group(it)))
        .collect();
    let nodes = (0..graph.nodes.len()).filter(|&it| graph.nodes[it].group == group);
    found.extend(nodes.map(|it| (it, Member::Node(it))));
    found.sort_by_key(|it| it.0);
    found.into_iter().map(|it| it.1).collect()
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Member {
    Node(usize),
    Group(usize),
}

/// One under another.
pub(crate) fn stacked(graph: &Graph, group: Option<usize>, gap: f64) -> Block {
    let blocks: Vec<Block> = members(graph, group)
        .into_iter()
        .map(|it| match it {
            Member::Node(node) => Block::node(graph, node),
            Member::Group(group) => stacked(graph, Some(group), gap).framed(graph, group),
        })
        .collect();
    let widest = blocks.iter().map(|it| it.size.w).fold(0.0, f64::max);
    let mut y = 0.0;
    let corners: Vec<Point> = blocks
        .iter()
        .map(|it| {
            let corner = at((widest - it.size.w) / 2.0, y);
            y += it.size.h + gap;
            corner
        })
        .collect();
    Block::of(blocks, &corners)
}
