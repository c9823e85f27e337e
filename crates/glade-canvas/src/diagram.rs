//! Diagrams: drawings whose structure stands on the page beside their looks.
//!
//! Each element of a diagram says in its `customData` what it is of it ([`mark`]), so that the structure is read back from
//! the page ([`read`]) as people left it: what they deleted is gone, what they renamed is called so, what they moved stays.
//! [`measure`] says how large boxes are, [`structure`] asks `glade-layout` where they go, [`draw`] makes elements of that.

pub mod draw;
pub mod mark;
pub mod measure;
pub mod read;
pub mod structure;
mod words;

use glade_doc::ElementId;
use glade_layout::{Direction, Kind, Routing};

use crate::factory::Style;
use crate::geo::GeoKind;
use crate::geometry::{Point, Rect};

pub use words::{
    DIRECTIONS, FORMS, KINDS, LINES, direction_named, form_named, kind_named, line_named,
    name_of_direction, name_of_kind, name_of_line,
};

/// What kind of diagram it is, which way it runs, and how its lines do.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Manner {
    pub kind: Kind,
    pub direction: Direction,
    pub lines: Routing,
}

/// What a node looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    Shape(GeoKind),
    Note,
    /// Words without a border.
    Words,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Diagram {
    pub id: String,
    pub manner: Manner,
    pub title: Option<Title>,
    pub nodes: Vec<Node>,
    pub edges: Vec<Edge>,
    pub groups: Vec<Group>,
    /// Lines that belong to no edge: an axis, lifelines.
    pub guides: Vec<Guide>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Title {
    pub text: String,
    pub there: Option<ElementId>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    pub name: String,
    pub text: String,
    pub form: Form,
    pub style: Style,
    pub group: Option<String>,
    pub there: Option<Standing>,
}

/// How something stands on the page.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    pub id: ElementId,
    pub rect: Rect,
    pub hold: Hold,
}

/// Who decides where something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hold {
    /// The layout: it put it there.
    Laid,
    /// Whoever moved it since.
    ByHand,
    /// It is no part of the diagram; lines of the diagram end at it.
    Guest,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Edge {
    pub name: String,
    pub from: String,
    pub to: String,
    pub text: String,
    pub look: EdgeLook,
    pub there: Option<Way>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EdgeLook {
    pub color: crate::palette::Color,
    pub stroke: Stroke,
    pub heads: Heads,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stroke {
    #[default]
    Solid,
    Dashed,
}

/// Which ends of an edge have a head.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Heads {
    #[default]
    End,
    None,
    Both,
}

/// An arrow that is there, as it runs from border to border.
#[derive(Clone, Debug, PartialEq)]
pub struct Way {
    pub id: ElementId,
    pub points: Vec<Point>,
    pub routing: Routing,
    pub label: Option<Rect>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    pub name: String,
    pub text: String,
    pub parent: Option<String>,
    pub there: Option<Standing>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Guide {
    pub name: String,
    pub there: ElementId,
}

impl Diagram {
    pub fn new(id: impl Into<String>, manner: Manner) -> Self {
        Self {
            id: id.into(),
            manner,
            title: None,
            nodes: Vec::new(),
            edges: Vec::new(),
            groups: Vec::new(),
            guides: Vec::new(),
        }
    }

    pub fn node(&self, name: &str) -> Option<&Node> {
        self.nodes.iter().find(|node| node.name == name)
    }

    pub fn group(&self, name: &str) -> Option<&Group> {
        self.groups.iter().find(|group| group.name == name)
    }

    /// Whether edges may end at something of this name.
    pub fn has_end(&self, name: &str) -> bool {
        self.node(name).is_some() || self.group(name).is_some()
    }

    /// All elements that it has on the page, but labels.
    pub fn elements(&self) -> Vec<ElementId> {
        let own = |standing: &Option<Standing>| {
            let standing = standing.as_ref()?;
            (standing.hold != Hold::Guest).then(|| standing.id.clone())
        };
        let nodes = self.nodes.iter().filter_map(|node| own(&node.there));
        let groups = self.groups.iter().filter_map(|group| own(&group.there));
        let edges = self.edges.iter();
        let edges = edges.filter_map(|edge| edge.there.as_ref().map(|way| way.id.clone()));
        let title = self.title.iter().filter_map(|title| title.there.clone());
        let guides = self.guides.iter().map(|guide| guide.there.clone());
        let all = groups.chain(nodes).chain(edges).chain(title).chain(guides);
        all.collect()
    }
}

impl Manner {
    /// How lines run if nobody says: as is usual for the kind.
    pub fn usual_lines(kind: Kind) -> Routing {
        match kind {
            Kind::Tree | Kind::Lanes => Routing::Elbow,
            Kind::MindMap => Routing::Curved,
            _ => Routing::Straight,
        }
    }

    pub fn usual_direction(kind: Kind) -> Direction {
        match kind {
            Kind::Timeline | Kind::Lanes => Direction::Right,
            _ => Direction::Down,
        }
    }
}
