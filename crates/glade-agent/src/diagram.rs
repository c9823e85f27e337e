//! Diagrams as a model asks for them: what it said ([`ask`]), joined with what is there ([`merge`]), laid out ([`place`])
//! and put on the page ([`put`]).

pub mod ask;
mod branches;
pub mod merge;
pub mod place;
pub mod put;

use glade_canvas::diagram::{Diagram, structure};
use glade_canvas::{Point, Size};
use glade_doc::ElementId;
use glade_layout::{Direction, Layout, Structure};
use serde_json::Value;

use crate::action::Described as _;
use crate::actions::diagram::Draw;
use crate::partial_object::PartialObject;

/// One diagram from partial to partial.
#[derive(Debug, Clone, Default)]
pub struct Work {
    /// It as the action found it; none of a new one.
    pub found: Option<Found>,
    /// Where all was put last.
    pub last: Option<Placed>,
    /// How it was looked for.
    pub meant: Meant,
}

/// What the diagramId of an action may be.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Meant {
    /// The very id of a diagram, as it is shown.
    #[default]
    ByItsId,
    /// Also the name that it was asked for under, or a shape of it.
    ByAnyName,
}

#[derive(Debug, Clone)]
pub struct Found {
    pub diagram: Diagram,
    pub orphans: Vec<ElementId>,
}

#[derive(Debug, Clone)]
pub struct Placed {
    structure: Structure,
    layout: Layout,
    /// Which way it runs: another than was asked for where only that fits.
    direction: Direction,
    is_tight: bool,
    /// How far the layout is moved on the page.
    by: Point,
    /// Of the whole action.
    is_whole: bool,
}

impl Placed {
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    pub fn by(&self) -> Point {
        self.by
    }
}

/// How large the diagram that an action asks for comes out where there is nothing else.
pub fn size_of(action: &Value) -> Option<Size> {
    let name = action.get("_type").and_then(Value::as_str);
    let is_diagram = name == Some(Draw.facts().name);
    let given = PartialObject::new(action, true).filter(|_| is_diagram)?;
    let wanted = merge::merge("", None, &ask::Asked::read(given), &Nothing);
    let structure = structure::of(&wanted.diagram).ok()?;
    let layout = glade_layout::layout(&structure).ok()?;
    Some(place::extent(&wanted, &layout, Point::default())?.size())
}

/// A page on which there is nothing.
struct Nothing;

impl merge::Outside for Nothing {
    fn guest(&self, _: &str) -> Option<glade_canvas::diagram::Node> {
        None
    }

    fn element(&self, _: &str) -> Option<ElementId> {
        None
    }
}
