//! Where an engine puts things, before lines are routed.

use crate::geometry::{self, Point, Rect};
use crate::graph::Graph;

/// By index of the graph, on the page.
#[derive(Clone, Debug, Default)]
pub(crate) struct Draft {
    pub nodes: Vec<Rect>,
    pub groups: Vec<Rect>,
    pub titles: Vec<Rect>,
    /// How a link would best run.
    pub guides: Vec<Option<Vec<Point>>>,
    /// Where its label would best be.
    pub labels: Vec<Option<Rect>>,
    pub axis: Option<(Point, Point)>,
}

/// What was there before, by index of the graph that is there now.
#[derive(Clone, Debug, Default)]
pub(crate) struct Was {
    pub nodes: Vec<Option<Rect>>,
    pub groups: Vec<Option<Rect>>,
    pub titles: Vec<Option<Rect>>,
    pub links: Vec<Option<Vec<Point>>>,
    pub labels: Vec<Option<Rect>>,
    /// Whether a link was there, with a way or without.
    pub knew: Vec<bool>,
}

impl Draft {
    pub fn new(graph: &Graph) -> Self {
        let sizes = graph
            .nodes
            .iter()
            .map(|it| Rect::of(Point::default(), it.size));
        Self {
            nodes: sizes.collect(),
            groups: vec![Rect::default(); graph.groups.len()],
            titles: vec![Rect::default(); graph.groups.len()],
            guides: vec![None; graph.links.len()],
            labels: vec![None; graph.links.len()],
            axis: None,
        }
    }

    pub fn move_all(&mut self, by: Point) {
        let rects = self
            .nodes
            .iter_mut()
            .chain(&mut self.groups)
            .chain(&mut self.titles);
        for rect in rects.chain(self.labels.iter_mut().flatten()) {
            *rect = rect.moved(by);
        }
        for point in self.guides.iter_mut().flatten().flatten() {
            *point = point.moved(by);
        }
        if let Some((from, to)) = &mut self.axis {
            (*from, *to) = (from.moved(by), to.moved(by));
        }
    }

    /// Draws each group around what is in it, its title on top.
    pub fn frame_groups(&mut self, graph: &Graph) {
        let mut order = graph.groups_from_outside();
        order.reverse();
        let padding = graph.spacing.padding;
        for group in order {
            let nodes = graph.nodes.iter().zip(&self.nodes);
            let nodes = nodes
                .filter(|(it, _)| it.group == Some(group))
                .map(|(_, rect)| *rect);
            let children = graph.groups.iter().zip(&self.groups);
            let children = children
                .filter(|(it, _)| it.parent == Some(group))
                .map(|(_, rect)| *rect);
            let inside = geometry::bounds(nodes.chain(children));
            let title = graph.groups[group].title;
            let inside = inside.unwrap_or_else(|| Rect::of(self.groups[group].corner(), title));
            (self.groups[group], self.titles[group]) = framed(inside, title, padding);
        }
    }
}

/// A border around what is inside, with the title over it; and where the title is.
pub(crate) fn framed(inside: Rect, title: crate::Size, padding: f64) -> (Rect, Rect) {
    let above = if title.is_empty() {
        0.0
    } else {
        title.h + padding / 2.0
    };
    let width = inside.w.max(title.w) + padding * 2.0;
    let around = geometry::rect(
        inside.x - padding - (width - padding * 2.0 - inside.w) / 2.0,
        inside.y - padding - above,
        width,
        inside.h + padding * 2.0 + above,
    );
    let corner = geometry::at(around.x + padding, around.y + padding * 0.75);
    (around, Rect::of(corner, title))
}
