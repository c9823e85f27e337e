//! Trees: charts in levels, mind maps to both sides, rings.

mod forest;
mod rings;
mod tidy;

use crate::draft::{Draft, Was};
use crate::geometry::{self, Point, Rect, Size, at, rect};
use crate::graph::Graph;
use crate::{Direction, Routing, pack};

use forest::Forest;
use tidy::Extent;

pub(crate) use rings::radial;

/// Org charts: one level a row, every parent over its children.
pub(crate) fn chart(graph: &Graph) -> Draft {
    let forest = Forest::new(graph);
    let mut draft = Draft::new(graph);
    let mut trees = Vec::new();
    for &root in &forest.roots {
        let order = forest.under(root);
        let bands = levels(graph, &order);
        let tree = Tree {
            graph,
            forest: &forest,
            direction: graph.direction,
            bands: Some(&bands),
        };
        tree.place(&order, &mut draft);
        trees.push(order.iter().map(|it| it.0).collect());
    }
    pack_trees(graph, &mut draft, &trees);
    draft
}

/// Where each level begins, and how high it is.
fn levels(graph: &Graph, order: &[(usize, usize)]) -> Vec<(f64, f64)> {
    let mut heights: Vec<f64> = Vec::new();
    for &(node, depth) in order {
        if heights.len() <= depth {
            heights.push(0.0);
        }
        heights[depth] = heights[depth].max(graph.direction.size(graph.nodes[node].size).h);
    }
    let mut y = 0.0;
    let bands = heights.into_iter().map(|height| {
        let top = y;
        y += height + graph.spacing.layer;
        (top, height)
    });
    bands.collect()
}

struct Tree<'a> {
    graph: &'a Graph,
    forest: &'a Forest,
    direction: Direction,
    /// In levels, or each node right after its parent.
    bands: Option<&'a [(f64, f64)]>,
}

impl Tree<'_> {
    /// The nodes' places, the first at 0, 0 of the engine's space at its start; and the ways to them.
    fn place(&self, order: &[(usize, usize)], draft: &mut Draft) {
        let spacing = self.graph.spacing;
        let mut extents = vec![Extent::default(); self.graph.nodes.len()];
        let mut tops = vec![0.0; self.graph.nodes.len()];
        for &(node, depth) in order {
            let size = self.size(node);
            let (top, height) = match self.bands {
                Some(bands) => bands[depth],
                None => (tops[node], size.h),
            };
            tops[node] = top;
            for &child in &self.forest.children[node] {
                tops[child] = top + size.h + spacing.layer * 1.25;
            }
            extents[node] = Extent {
                across: size.w
                    + if self.bands.is_some() {
                        spacing.node
                    } else {
                        spacing.node / 2.0
                    },
                top,
                bottom: top
                    + height
                    + if self.bands.is_some() {
                        spacing.layer
                    } else {
                        spacing.node / 2.0
                    },
            };
        }
        let nodes: Vec<usize> = order.iter().map(|it| it.0).collect();
        let x = tidy::places(&nodes, &self.forest.children, &extents);
        let root = order
            .first()
            .map_or(0.0, |&(root, _)| x[root] + extents[root].across / 2.0);
        for &node in &nodes {
            let size = self.size(node);
            let middle = x[node] + extents[node].across / 2.0 - root;
            let box_ = rect(middle - size.w / 2.0, extents[node].top, size.w, size.h);
            draft.nodes[node] = self.direction.rect(box_);
        }
        for &(node, depth) in order.iter().skip(1) {
            self.guide(node, depth, draft);
        }
    }

    fn size(&self, node: usize) -> Size {
        self.direction.size(self.graph.nodes[node].size)
    }

    fn guide(&self, node: usize, depth: usize, draft: &mut Draft) {
        let Some(link) = self.forest.link_to[node] else {
            return;
        };
        let it = &self.graph.links[link];
        let crate::graph::Target::Node(parent) = it.from else {
            return;
        };
        if it.from_port.is_some() || it.to_port.is_some() {
            return;
        }
        let (from, to) = (
            self.direction.rect_back(draft.nodes[parent]),
            self.direction.rect_back(draft.nodes[node]),
        );
        let start = at(from.center().x, from.bottom());
        let end = at(to.center().x, to.y);
        let leaves = match self.bands {
            Some(bands) => bands[depth - 1].0 + bands[depth - 1].1,
            None => from.bottom(),
        };
        let points = match self.graph.routing {
            Routing::Elbow => {
                let middle = (leaves + end.y) / 2.0;
                vec![start, at(start.x, middle), at(end.x, middle), end]
            }
            Routing::Straight => vec![start, at(start.x, leaves), end],
            Routing::Curved => vec![start, end],
        };
        draft.guides[link] = Some(
            points
                .into_iter()
                .map(|it| self.direction.point(it))
                .collect(),
        );
    }
}

fn pack_trees(graph: &Graph, draft: &mut Draft, trees: &[Vec<usize>]) {
    let boxes: Vec<Rect> = trees
        .iter()
        .map(|tree| geometry::bounds(tree.iter().map(|&it| draft.nodes[it])).unwrap_or_default())
        .collect();
    let sizes: Vec<Size> = boxes.iter().map(|it| it.size()).collect();
    let corners = pack::rows(&sizes, graph.spacing.node * 1.5);
    for ((tree, around), corner) in trees.iter().zip(boxes).zip(corners) {
        shift(graph, draft, tree, corner.minus(around.corner()));
    }
}

fn shift(graph: &Graph, draft: &mut Draft, tree: &[usize], by: Point) {
    let mut moved = vec![false; graph.nodes.len()];
    for &node in tree {
        draft.nodes[node] = draft.nodes[node].moved(by);
        moved[node] = true;
    }
    for (link, it) in graph.links.iter().enumerate() {
        if matches!(it.to, crate::graph::Target::Node(node) if moved[node]) {
            for point in draft.guides[link].iter_mut().flatten() {
                *point = point.moved(by);
            }
        }
    }
}

/// A tree to both sides of its root; further trees beside it.
pub(crate) fn mind_map(graph: &Graph, was: Option<&Was>) -> Draft {
    let mut forest = Forest::new(graph);
    let mut draft = Draft::new(graph);
    let mut trees = Vec::new();
    for root in forest.roots.clone() {
        let all: Vec<usize> = forest.under(root).into_iter().map(|it| it.0).collect();
        let children = forest.children[root].clone();
        let right = right_side(graph, &forest, was, root);
        let mut sides = [Vec::new(), Vec::new()];
        for (child, right) in children.iter().zip(right) {
            sides[usize::from(!right)].push(*child);
        }
        for (side, direction) in sides.into_iter().zip([Direction::Right, Direction::Left]) {
            forest.children[root] = side;
            let order = forest.under(root);
            Tree {
                graph,
                forest: &forest,
                direction,
                bands: None,
            }
            .place(&order, &mut draft);
            center_root(graph, &mut draft, &order);
        }
        forest.children[root] = children;
        trees.push(all);
    }
    pack_trees(graph, &mut draft, &trees);
    draft
}

/// Moves a side so that the root's middle is at 0, 0.
fn center_root(graph: &Graph, draft: &mut Draft, order: &[(usize, usize)]) {
    let Some(&(root, _)) = order.first() else {
        return;
    };
    let middle = draft.nodes[root].center();
    let nodes: Vec<usize> = order.iter().map(|it| it.0).collect();
    shift(graph, draft, &nodes, at(-middle.x, -middle.y));
}

/// For each child of the root whether it is on the right: as before, else so that both sides are about as high.
fn right_side(graph: &Graph, forest: &Forest, was: Option<&Was>, root: usize) -> Vec<bool> {
    let children = &forest.children[root];
    let heights: Vec<f64> = children
        .iter()
        .map(|&child| height(graph, forest, child))
        .collect();
    let before = was.and_then(|was| was.nodes[root].map(|it| (it.center().x, was)));
    if let Some((middle, was)) = before {
        let side = |child: usize| was.nodes[child].map(|it| it.center().x > middle);
        let mut sums = [0.0, 0.0];
        for (&child, height) in children.iter().zip(&heights) {
            if let Some(right) = side(child) {
                sums[usize::from(right)] += height;
            }
        }
        return children
            .iter()
            .zip(&heights)
            .map(|(&child, height)| {
                side(child).unwrap_or_else(|| {
                    let right = sums[1] <= sums[0];
                    sums[usize::from(right)] += height;
                    right
                })
            })
            .collect();
    }
    let total: f64 = heights.iter().sum();
    let (mut best, mut least, mut sum) = (children.len(), f64::INFINITY, 0.0);
    for (at, height) in heights.iter().enumerate() {
        sum += height;
        let off = (total - 2.0 * sum).abs();
        if off < least - 1e-9 {
            (best, least) = (at + 1, off);
        }
    }
    (0..children.len()).map(|at| at < best).collect()
}

/// About how high a subtree is when it grows sideways.
fn height(graph: &Graph, forest: &Forest, root: usize) -> f64 {
    let nodes = forest.under(root);
    let mut heights = vec![0.0_f64; graph.nodes.len()];
    for &(node, _) in nodes.iter().rev() {
        let children: f64 = forest.children[node].iter().map(|&it| heights[it]).sum();
        heights[node] = children.max(graph.nodes[node].size.h + graph.spacing.node / 2.0);
    }
    heights[root]
}
