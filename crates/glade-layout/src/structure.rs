//! What is to be laid out.

use crate::{LayoutError, Point, Side, Size};

/// What a node, an edge, a group or a port is called. Names decide nothing: a tie goes to what was given first.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Id(pub String);

impl From<&str> for Id {
    fn from(name: &str) -> Self {
        Self(name.to_owned())
    }
}

impl From<String> for Id {
    fn from(name: String) -> Self {
        Self(name)
    }
}

/// What a drawing is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// Flows: edges point one way as far as they can.
    #[default]
    Layered,
    /// Trees and org charts. Edges that make it no tree are drawn, and place nothing.
    Tree,
    /// A tree to both sides of its root.
    MindMap,
    /// A tree in rings around its root.
    Radial,
    /// Participants beside each other, messages in time ([`Structure::steps`]).
    Sequence,
    /// Periods (groups) along an axis, with what happened under them.
    Timeline,
    /// Rows of equal cells, in the order given.
    Grid,
    /// Columns (groups) of cards.
    Board,
    /// A flow whose groups are lanes beside each other.
    Lanes,
}

impl Kind {
    pub const ALL: [Self; 9] = [
        Self::Layered,
        Self::Tree,
        Self::MindMap,
        Self::Radial,
        Self::Sequence,
        Self::Timeline,
        Self::Grid,
        Self::Board,
        Self::Lanes,
    ];
}

/// Where edges point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Direction {
    #[default]
    Down,
    Up,
    Right,
    Left,
}

impl Direction {
    pub const ALL: [Self; 4] = [Self::Down, Self::Up, Self::Right, Self::Left];
}

/// How edges run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Routing {
    /// Straight, with bends only around boxes.
    #[default]
    Straight,
    /// Smooth through its points ([`crate::curve`]).
    Curved,
    /// At right angles.
    Elbow,
}

impl Routing {
    pub const ALL: [Self; 3] = [Self::Straight, Self::Curved, Self::Elbow];
}

/// How much room there is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spacing {
    /// Between nodes beside each other.
    pub(crate) node: f64,
    /// Between one layer and the next.
    pub(crate) layer: f64,
    /// Between edges that run beside each other, and between an edge and a box.
    pub(crate) edge: f64,
    /// Inside of a group's border.
    pub(crate) padding: f64,
}

impl Default for Spacing {
    fn default() -> Self {
        Self {
            node: 48.0,
            layer: 64.0,
            edge: 16.0,
            padding: 24.0,
        }
    }
}

impl Spacing {
    /// `node` apart beside each other, `layer` apart along the flow; the rest follows.
    pub fn new(node: f64, layer: f64) -> Result<Self, LayoutError> {
        let size = Size::new(node, layer)?;
        Ok(Self {
            node: size.w.max(4.0),
            layer: size.h.max(8.0),
            edge: (size.w / 3.0).clamp(4.0, 24.0),
            padding: (size.w / 2.0).clamp(8.0, 64.0),
        })
    }
}

/// A place on a node's side where edges may be told to end.
#[derive(Clone, Debug, PartialEq)]
pub struct Port {
    pub id: Id,
    pub side: Side,
    /// How far along the side, from its left or upper end: 0 to 1.
    pub part: f64,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    pub id: Id,
    pub size: Size,
    pub group: Option<Id>,
    pub ports: Vec<Port>,
    /// Its top left corner, if it must stay there.
    pub pin: Option<Point>,
}

/// Where an edge ends: at a node, perhaps at a port of it, or at a group.
#[derive(Clone, Debug, PartialEq)]
pub struct End {
    pub at: Id,
    pub port: Option<Id>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Edge {
    pub id: Id,
    pub from: End,
    pub to: End,
    pub label: Option<Size>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    pub id: Id,
    pub parent: Option<Id>,
    /// The title's size; nothing without one.
    pub title: Size,
    /// If its inside flows another way than what is around it.
    pub direction: Option<Direction>,
}

/// What happens in a sequence diagram, in time.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// The message that an edge is.
    Message(Id),
    Activate(Id),
    Deactivate(Id),
    /// Words over participants, or beside one.
    Note {
        id: Id,
        size: Size,
        beside: Beside,
        of: Vec<Id>,
    },
    /// A frame (`loop`, `alt`) begins, with the size of its title.
    Open {
        id: Id,
        title: Size,
    },
    /// Another branch of the frame (`else`).
    Divide {
        title: Size,
    },
    Close,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beside {
    Over,
    Left,
    Right,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Structure {
    pub kind: Kind,
    pub direction: Direction,
    pub routing: Routing,
    pub spacing: Spacing,
    pub nodes: Vec<Node>,
    pub edges: Vec<Edge>,
    pub groups: Vec<Group>,
    /// Of a sequence diagram. Without any, its edges are its messages.
    pub steps: Vec<Step>,
}

impl Node {
    pub fn new(id: impl Into<Id>, size: Size) -> Self {
        Self {
            id: id.into(),
            size,
            group: None,
            ports: Vec::new(),
            pin: None,
        }
    }

    pub fn inside(mut self, group: impl Into<Id>) -> Self {
        self.group = Some(group.into());
        self
    }

    pub fn pinned(mut self, corner: Point) -> Self {
        self.pin = Some(corner);
        self
    }
}

impl From<Id> for End {
    fn from(at: Id) -> Self {
        Self { at, port: None }
    }
}

impl Edge {
    pub fn new(id: impl Into<Id>, from: impl Into<Id>, to: impl Into<Id>) -> Self {
        Self {
            id: id.into(),
            from: from.into().into(),
            to: to.into().into(),
            label: None,
        }
    }

    pub fn labelled(mut self, size: Size) -> Self {
        self.label = Some(size);
        self
    }
}

impl Group {
    pub fn new(id: impl Into<Id>, title: Size) -> Self {
        Self {
            id: id.into(),
            parent: None,
            title,
            direction: None,
        }
    }

    pub fn inside(mut self, parent: impl Into<Id>) -> Self {
        self.parent = Some(parent.into());
        self
    }

    pub fn flowing(mut self, direction: Direction) -> Self {
        self.direction = Some(direction);
        self
    }
}

impl Structure {
    pub fn new(kind: Kind, direction: Direction, routing: Routing) -> Self {
        Self {
            kind,
            direction,
            routing,
            ..Self::default()
        }
    }
}
