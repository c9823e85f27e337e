//! What an element says of its place in a diagram, in its `customData`.
//!
//! A copy of an element carries its mark along: `own` tells the two apart, and a copy belongs to no diagram.

use glade_doc::{ElementId, Props};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::{Manner, words};
use crate::element::Element;
use crate::geometry::Rect;

/// Moved by less than this is not moved.
const STILL: f64 = 1.0;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Mark {
    /// The diagram.
    pub of: String,
    /// The element that was marked.
    own: String,
    #[serde(flatten)]
    pub part: Part,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "part", rename_all = "kebab-case")]
pub enum Part {
    Node {
        name: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        group: Option<String>,
        /// Where it was put.
        at: [f64; 4],
        /// What the diagram is: on each node, so that it outlives any of them.
        kind: String,
        direction: String,
        lines: String,
    },
    Edge {
        name: String,
        from: String,
        to: String,
        /// Whether its ends are tied to what it leads from and to.
        bound: bool,
    },
    Group {
        name: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        parent: Option<String>,
    },
    Title,
    Guide {
        name: String,
    },
}

impl Mark {
    pub fn new(of: &str, own: &ElementId, part: Part) -> Self {
        Self {
            of: of.to_owned(),
            own: own.as_str().to_owned(),
            part,
        }
    }

    /// The mark of an element; none of a copy.
    pub fn of(element: &Element) -> Option<Self> {
        let value = element.props.get("customData")?.get("diagram")?;
        let mark = Self::deserialize(value).ok()?;
        (mark.own == element.id.as_str()).then_some(mark)
    }

    /// Writes it into the `customData` of properties that are to be put, over what `old` has there.
    pub fn write(&self, props: &mut Props, old: Option<&Element>) {
        let stored = old.and_then(|old| old.props.get("customData"));
        let base = props.get("customData").or(stored);
        let mut custom: Map<String, Value> =
            base.and_then(Value::as_object).cloned().unwrap_or_default();
        custom.insert("diagram".to_owned(), json!(self));
        props.insert("customData".to_owned(), Value::Object(custom));
    }
}

impl Mark {
    /// Whether it is a line that is bound to nothing on purpose.
    pub fn is_tied_to_nothing(&self) -> bool {
        matches!(
            self.part,
            Part::Guide { .. } | Part::Edge { bound: false, .. }
        )
    }

    /// Says of a node that it was put where it is; whether it is one.
    pub fn put_at(&mut self, element: &Element) -> bool {
        let Part::Node { at, .. } = &mut self.part else {
            return false;
        };
        *at = rounded(super::read::rect_of(element));
        true
    }
}

fn rounded(rect: Rect) -> [f64; 4] {
    [rect.x, rect.y, rect.w, rect.h].map(|n| (n * 100.0).round() / 100.0)
}

impl Part {
    pub fn node(name: &str, group: Option<&str>, rect: Rect, manner: Manner) -> Self {
        Self::Node {
            name: name.to_owned(),
            group: group.map(str::to_owned),
            at: rounded(rect),
            kind: words::name_of_kind(manner.kind).to_owned(),
            direction: words::name_of_direction(manner.direction).to_owned(),
            lines: words::name_of_line(manner.lines).to_owned(),
        }
    }
}

/// How far what was put at `at` is from there.
pub(super) fn moved(at: &[f64; 4], rect: Rect) -> (f64, f64) {
    (rect.x - at[0], rect.y - at[1])
}

pub(super) fn is_same_move(a: (f64, f64), b: (f64, f64)) -> bool {
    (a.0 - b.0).abs() <= STILL && (a.1 - b.1).abs() <= STILL
}
