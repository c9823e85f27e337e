//! What a layout is.

use crate::geometry::{Point, Rect};
use crate::{Id, Routing};

/// Where everything is, in the order in which it was given.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Layout {
    pub nodes: Vec<Placed>,
    pub groups: Vec<PlacedGroup>,
    pub edges: Vec<PlacedEdge>,
    pub sequence: SequenceMarks,
    /// A timeline's axis, from one end to the other.
    pub axis: Option<(Point, Point)>,
    pub problems: Vec<Problem>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Placed {
    pub id: Id,
    pub rect: Rect,
}

#[derive(Clone, Debug, PartialEq)]
pub struct PlacedGroup {
    pub id: Id,
    pub rect: Rect,
    /// Where its title is; an empty rectangle without one.
    pub title: Rect,
}

#[derive(Clone, Debug, PartialEq)]
pub struct PlacedEdge {
    pub id: Id,
    pub route: Route,
    pub label: Option<Label>,
}

/// The label of an edge, on its line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Label {
    pub rect: Rect,
    /// Which part of the route's length lies before it.
    pub along: f64,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Route {
    /// From the first point to the last.
    Path {
        routing: Routing,
        points: Vec<Point>,
    },
    /// There is no way around the boxes.
    Unroutable,
}

impl Route {
    /// Without any where there is no way.
    pub fn points(&self) -> &[Point] {
        match self {
            Self::Path { points, .. } => points,
            Self::Unroutable => &[],
        }
    }
}

/// What a sequence diagram has besides participants and messages.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SequenceMarks {
    /// One for each participant, from its box down.
    pub lifelines: Vec<(Point, Point)>,
    pub activations: Vec<Rect>,
    pub frames: Vec<Frame>,
    pub notes: Vec<Placed>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    pub id: Id,
    pub rect: Rect,
    pub title: Rect,
    /// Where its branches part, and the title of the branch that begins there.
    pub parts: Vec<(f64, Rect)>,
}

/// What could not be done as it was asked for.
#[derive(Clone, Debug, PartialEq)]
pub enum Problem {
    /// There is no way for this edge.
    Unroutable(Id),
    /// The label of this edge covers something.
    LabelCovers(Id),
    /// Two nodes were pinned onto one another.
    PinsOverlap(Id, Id),
    /// A pin keeps this node outside of its group, or in another.
    PinTearsGroup(Id),
}

impl Layout {
    /// All of it elsewhere.
    pub fn moved(mut self, x: f64, y: f64) -> Result<Self, crate::LayoutError> {
        let by = Point::new(x, y)?;
        for rect in self.nodes.iter_mut().map(|it| &mut it.rect) {
            *rect = rect.moved(by);
        }
        for group in &mut self.groups {
            (group.rect, group.title) = (group.rect.moved(by), group.title.moved(by));
        }
        for edge in &mut self.edges {
            if let Route::Path { points, .. } = &mut edge.route {
                points.iter_mut().for_each(|it| *it = it.moved(by));
            }
            if let Some(label) = &mut edge.label {
                label.rect = label.rect.moved(by);
            }
        }
        crate::sequence::move_marks(&mut self.sequence, by);
        self.axis = self.axis.map(|(from, to)| (from.moved(by), to.moved(by)));
        Ok(self)
    }

    /// The box around all that is placed.
    pub fn bounds(&self) -> Option<Rect> {
        let nodes = self.nodes.iter().map(|it| it.rect);
        let groups = self.groups.iter().map(|it| it.rect);
        let labels = self.edges.iter().filter_map(|it| it.label);
        let points = self.edges.iter().flat_map(|it| it.route.points());
        let points = points.map(|it| crate::geometry::rect(it.x, it.y, 0.0, 0.0));
        let marks = &self.sequence;
        let frames = marks.frames.iter().map(|it| it.rect);
        let notes = marks.notes.iter().map(|it| it.rect);
        let ends = marks.lifelines.iter().chain(&self.axis);
        let ends = ends.flat_map(|&(from, to)| [from, to]);
        let ends = ends.map(|it| crate::geometry::rect(it.x, it.y, 0.0, 0.0));
        crate::geometry::bounds(
            nodes
                .chain(groups)
                .chain(labels.map(|it| it.rect))
                .chain(points)
                .chain(frames)
                .chain(notes)
                .chain(ends),
        )
    }
}
