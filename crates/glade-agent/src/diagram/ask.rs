//! What a model says of a diagram: as much of it as is settled.

use glade_canvas::diagram::{self, DIRECTIONS, EdgeLook, FORMS, Form, Heads, KINDS, LINES, Stroke};
use glade_canvas::geo::GeoKind;
use glade_canvas::palette::{Color, Fill};
use glade_layout::{Direction, Kind, Routing};
use serde_json::{Value, json};

use crate::partial_object::PartialObject;
use crate::shapes::fill;

/// The longest words of one thing.
const MOST_WORDS: usize = 500;

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Asked {
    pub id: Option<String>,
    pub kind: Option<Kind>,
    pub direction: Option<Direction>,
    pub lines: Option<Routing>,
    pub title: Option<String>,
    pub nodes: Vec<Node>,
    pub edges: Vec<Edge>,
    pub groups: Vec<Group>,
    pub remove: Vec<String>,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Node {
    pub name: String,
    pub text: Option<String>,
    pub form: Option<Form>,
    pub color: Option<Color>,
    pub fill: Option<Fill>,
    /// Which group it is in; empty: in none.
    pub group: Option<String>,
    /// The node that an edge leads to it from.
    pub parent: Option<String>,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Edge {
    pub name: Option<String>,
    pub from: String,
    pub to: String,
    pub text: Option<String>,
    pub color: Option<Color>,
    pub stroke: Option<Stroke>,
    pub heads: Option<Heads>,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Group {
    pub name: String,
    pub text: Option<String>,
    pub parent: Option<String>,
}

/// The fields of the action, in the order in which it can be drawn early.
pub fn fields() -> Vec<(&'static str, Value)> {
    let word = || json!({"type": "string"});
    let names = |table: Vec<&str>| json!({"type": "string", "enum": table});
    let mut forms: Vec<&str> = GeoKind::ALL.iter().map(|kind| kind.name()).collect();
    forms.extend(FORMS.iter().map(|(name, _)| *name));
    let colors: Vec<&str> = Color::ALL.iter().map(|color| color.name()).collect();
    let list = |required: &[&str], properties: Value| {
        let item = json!({"type": "object", "required": required, "properties": properties, "additionalProperties": false});
        json!({"type": "array", "items": item})
    };
    vec![
        ("diagramId", word()),
        ("kind", names(KINDS.iter().map(|it| it.0).collect())),
        (
            "direction",
            names(DIRECTIONS.iter().map(|it| it.0).collect()),
        ),
        ("lines", names(LINES.iter().map(|it| it.0).collect())),
        ("title", word()),
        (
            "groups",
            list(
                &["id", "text"],
                json!({"id": word(), "text": word(), "parent": word()}),
            ),
        ),
        (
            "nodes",
            list(
                &["id", "text"],
                json!({
                    "id": word(), "text": word(), "parent": word(), "group": word(),
                    "shape": names(forms), "color": names(colors.clone()),
                }),
            ),
        ),
        (
            "edges",
            list(
                &["from", "to"],
                json!({
                    "from": word(), "to": word(), "text": word(),
                    "dashed": {"type": "boolean"}, "heads": names(vec!["end", "none", "both"]), "color": names(colors),
                }),
            ),
        ),
        ("remove", json!({"type": "array", "items": word()})),
    ]
}

/// All but what is to be drawn or changed may be left out.
pub const OPTIONAL: &[&str] = &[
    "kind",
    "direction",
    "lines",
    "title",
    "groups",
    "nodes",
    "edges",
    "remove",
];

impl Asked {
    pub fn read(given: PartialObject<'_>) -> Self {
        let title = if given.is_complete() {
            given.word("title").map(str::to_owned)
        } else {
            given.growing("title")
        };
        Self {
            id: given.id("diagramId").map(str::to_owned),
            kind: given.word("kind").and_then(diagram::kind_named),
            direction: given.word("direction").and_then(diagram::direction_named),
            lines: given.word("lines").and_then(diagram::line_named),
            title: title.map(|title| words(&title)),
            nodes: given.items("nodes").iter().filter_map(node).collect(),
            edges: given.items("edges").iter().filter_map(edge).collect(),
            groups: given.items("groups").iter().filter_map(group).collect(),
            remove: given.ids("remove").into_iter().map(str::to_owned).collect(),
        }
    }

    /// Whether there is anything to draw or change.
    pub fn is_empty(&self) -> bool {
        let nothing = self.nodes.is_empty() && self.edges.is_empty() && self.groups.is_empty();
        nothing && self.remove.is_empty() && self.title.is_none()
    }
}

fn words(text: &str) -> String {
    text.trim().chars().take(MOST_WORDS).collect()
}

fn text(given: PartialObject<'_>) -> Option<String> {
    let said = ["text", "label", "title"];
    let said = said.iter().find_map(|key| given.growing(key));
    said.map(|text| words(&text))
}

/// A name, and words only: both are the same.
fn plain(item: &Value) -> Option<String> {
    let text = match item {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        _ => return None,
    };
    Some(words(&text)).filter(|text| !text.is_empty())
}

fn name(given: PartialObject<'_>) -> Option<String> {
    let id = given.id("id").or_else(|| given.id("shapeId"));
    let number = || given.growing("id");
    id.map(str::to_owned)
        .or_else(number)
        .or_else(|| text(given))
        .filter(|name| !name.is_empty())
}

/// A word that may be given as empty: then it says that there is none.
fn maybe(given: PartialObject<'_>, key: &str) -> Option<String> {
    given.growing(key).map(|word| word.trim().to_owned())
}

fn node(item: &Value) -> Option<Node> {
    if let Some(name) = plain(item) {
        let text = Some(name.clone());
        return Some(Node {
            name,
            text,
            ..Node::default()
        });
    }
    let given = PartialObject::new(item, true)?;
    Some(Node {
        name: name(given)?,
        text: text(given),
        form: given.word("shape").and_then(diagram::form_named),
        color: given.word("color").map(Color::from_name),
        fill: given.word("fill").and_then(fill),
        group: maybe(given, "group"),
        parent: maybe(given, "parent").filter(|parent| !parent.is_empty()),
    })
}

fn edge(item: &Value) -> Option<Edge> {
    if let Some(said) = plain(item) {
        let (from, to) = said.split_once("->")?;
        let (to, text) = match to.split_once(':') {
            Some((to, text)) => (to, Some(words(text))),
            None => (to, None),
        };
        let (from, to) = (from.trim().to_owned(), to.trim().to_owned());
        return (!from.is_empty() && !to.is_empty()).then(|| Edge {
            from,
            to,
            text,
            ..Edge::default()
        });
    }
    let given = PartialObject::new(item, true)?;
    let end = |keys: [&str; 3]| {
        let id = keys.iter().find_map(|key| given.id(key))?;
        Some(id.to_owned())
    };
    Some(Edge {
        name: given.id("id").map(str::to_owned),
        from: end(["from", "fromId", "source"])?,
        to: end(["to", "toId", "target"])?,
        text: text(given),
        color: given.word("color").map(Color::from_name),
        stroke: given.flag("dashed").map(|dashed| {
            if dashed {
                Stroke::Dashed
            } else {
                Stroke::Solid
            }
        }),
        heads: match given.word("heads") {
            Some("none") => Some(Heads::None),
            Some("both") => Some(Heads::Both),
            Some("end") => Some(Heads::End),
            _ => None,
        },
    })
}

fn group(item: &Value) -> Option<Group> {
    if let Some(name) = plain(item) {
        let text = Some(name.clone());
        return Some(Group {
            name,
            text,
            parent: None,
        });
    }
    let given = PartialObject::new(item, true)?;
    Some(Group {
        name: name(given)?,
        text: text(given),
        parent: maybe(given, "parent"),
    })
}

/// What stays of the default look where a model says nothing of it.
pub fn edge_look(asked: &Edge, kind: Kind, old: Option<EdgeLook>) -> EdgeLook {
    let usual = EdgeLook {
        color: Color::Black,
        stroke: Stroke::Solid,
        heads: match kind {
            Kind::Tree | Kind::MindMap | Kind::Radial => Heads::None,
            _ => Heads::End,
        },
    };
    let old = old.unwrap_or(usual);
    EdgeLook {
        color: asked.color.unwrap_or(old.color),
        stroke: asked.stroke.unwrap_or(old.stroke),
        heads: asked.heads.unwrap_or(old.heads),
    }
}
