//! What has structure is said as a diagram: the layout engine places it.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::flow::Graph;

/// A diagram as the action takes it, built up in the order in which it is written.
pub struct Diagram {
    head: Map<String, Value>,
    groups: Vec<Value>,
    nodes: Vec<Value>,
    edges: Vec<Value>,
}

impl Diagram {
    /// One of this kind, with this id or that of a shape of one that is there.
    pub fn new(id: &str, kind: &str) -> Self {
        let mut diagram = Self::change(id);
        diagram.head.insert("kind".to_owned(), json!(kind));
        diagram
    }

    /// A change of one that is there.
    pub fn change(id: &str) -> Self {
        let head = [
            ("_type", "diagram"),
            ("intent", "diagram"),
            ("diagramId", id),
        ];
        let head = head.map(|(key, value)| (key.to_owned(), json!(value)));
        Self {
            head: Map::from_iter(head),
            groups: Vec::new(),
            nodes: Vec::new(),
            edges: Vec::new(),
        }
    }

    pub fn direction(mut self, direction: &str) -> Self {
        self.head.insert("direction".to_owned(), json!(direction));
        self
    }

    pub fn group(&mut self, id: &str, text: &str) {
        self.groups.push(json!({"id": id, "text": text}));
    }

    pub fn node(&mut self, node: Value) {
        self.nodes.push(node);
    }

    /// The boxes and arrows of a flow but those that are there, by their ids: a box says who leads to it where that is
    /// all there is to say, so that it is drawn with its arrow.
    pub fn graph(&mut self, graph: &Graph, ids: &[String], there: &There) {
        let mut said: BTreeSet<usize> = there.edges.clone();
        for (at, node) in graph.nodes.iter().enumerate() {
            if there.nodes.contains(&at) {
                continue;
            }
            let mut shown = json!({"id": ids[at], "text": node.name});
            let leads =
                |edge: &&super::flow::Edge| edge.to == at && edge.from < at && edge.label.is_none();
            let parent = graph.edges.iter().position(|edge| leads(&edge));
            if let Some(parent) = parent.filter(|parent| said.insert(*parent)) {
                shown["parent"] = json!(ids[graph.edges[parent].from]);
            }
            if node.question {
                shown["shape"] = json!("diamond");
            }
            self.node(shown);
        }
        for (at, edge) in graph.edges.iter().enumerate() {
            if !said.contains(&at) {
                let mut shown = json!({"from": ids[edge.from], "to": ids[edge.to]});
                if let Some(label) = &edge.label {
                    shown["text"] = json!(label);
                }
                self.edges.push(shown);
            }
        }
    }

    pub fn action(mut self) -> Value {
        for (key, list) in [
            ("groups", self.groups),
            ("nodes", self.nodes),
            ("edges", self.edges),
        ] {
            if !list.is_empty() {
                self.head.insert(key.to_owned(), Value::Array(list));
            }
        }
        Value::Object(self.head)
    }
}

/// What of a flow is on the page already.
#[derive(Default)]
pub struct There {
    pub nodes: BTreeSet<usize>,
    pub edges: BTreeSet<usize>,
}
