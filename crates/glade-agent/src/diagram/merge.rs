//! What is asked for, joined with the diagram that is there.

use std::collections::BTreeMap;

use glade_canvas::diagram::read::{edge_name, free_name};
use glade_canvas::diagram::{self, Diagram, Form, Manner, Title};
use glade_canvas::factory::Style;
use glade_canvas::geo::GeoKind;
use glade_canvas::palette::{Color, Fill};
use glade_doc::ElementId;
use glade_layout::Kind;

use super::ask::{self, Asked, edge_look};
use super::branches;

/// The diagram that is wanted, and what of the page it no longer has.
#[derive(Debug, Clone, PartialEq)]
pub struct Wanted {
    pub diagram: Diagram,
    pub removed: Vec<ElementId>,
    /// Nodes that are painted anew.
    pub painted: Vec<String>,
    /// Edges whose look is changed.
    pub restyled: Vec<String>,
    /// What was asked for that there is not.
    pub unknown: Vec<String>,
}

/// Shapes outside of the diagram, by the words of the model.
pub trait Outside {
    /// A shape that edges of the diagram may lead to.
    fn guest(&self, word: &str) -> Option<diagram::Node>;
    /// The element that a word means.
    fn element(&self, word: &str) -> Option<ElementId>;
}

pub fn merge(id: &str, found: Option<&Diagram>, asked: &Asked, outside: &dyn Outside) -> Wanted {
    let diagram = match found {
        Some(found) => found.clone(),
        None => Diagram::new(id, Manner::default()),
    };
    let mut merging = Merging {
        wanted: Wanted {
            diagram,
            removed: Vec::new(),
            painted: Vec::new(),
            restyled: Vec::new(),
            unknown: Vec::new(),
        },
        outside,
        is_new: found.is_none(),
    };
    merging.manner(asked);
    for word in &asked.remove {
        merging.remove(word);
    }
    for group in &asked.groups {
        merging.group(group);
    }
    for node in &asked.nodes {
        merging.node(node);
    }
    let mut said: BTreeMap<(String, String), usize> = BTreeMap::new();
    for edge in &asked.edges {
        merging.edge(edge, &mut said);
    }
    for node in &asked.nodes {
        if let Some(parent) = &node.parent {
            merging.parent(&node.name, parent);
        }
    }
    merging.nest(asked);
    merging.wanted.diagram.title = merging.title(asked);
    branches::color(&mut merging.wanted.diagram, PLAIN);
    merging.wanted
}

struct Merging<'a> {
    wanted: Wanted,
    outside: &'a dyn Outside,
    is_new: bool,
}

impl Merging<'_> {
    fn manner(&mut self, asked: &Asked) {
        let manner = &mut self.wanted.diagram.manner;
        let is_other = asked.kind.is_some_and(|kind| kind != manner.kind);
        if let Some(kind) = asked.kind {
            manner.kind = kind;
        }
        if self.is_new || is_other {
            manner.direction = Manner::usual_direction(manner.kind);
            manner.lines = Manner::usual_lines(manner.kind);
        }
        manner.direction = asked.direction.unwrap_or(manner.direction);
        manner.lines = asked.lines.unwrap_or(manner.lines);
    }

    fn title(&self, asked: &Asked) -> Option<Title> {
        let there = self.wanted.diagram.title.clone();
        match (&asked.title, there) {
            (None, there) => there,
            (Some(text), there) if text.is_empty() => there,
            (Some(text), there) => Some(Title {
                text: text.clone(),
                there: there.and_then(|title| title.there),
            }),
        }
    }

    /// The node that a word means: by its name, however it is spelled, or by the shape that it is.
    fn node_named(&self, word: &str) -> Option<usize> {
        let nodes = &self.wanted.diagram.nodes;
        let by = |is: &dyn Fn(&diagram::Node) -> bool| nodes.iter().position(is);
        let lower = word.to_lowercase();
        by(&|node| node.name == word)
            .or_else(|| by(&|node| node.name.to_lowercase() == lower))
            .or_else(|| {
                let id = self.outside.element(word)?;
                by(&|node| node.there.as_ref().is_some_and(|there| there.id == id))
            })
    }

    fn group_named(&self, word: &str) -> Option<usize> {
        let groups = &self.wanted.diagram.groups;
        let lower = word.to_lowercase();
        let exact = groups.iter().position(|group| group.name == word);
        exact
            .or_else(|| groups.iter().position(|it| it.name.to_lowercase() == lower))
            .or_else(|| {
                let id = self.outside.element(word)?;
                let is = |group: &diagram::Group| {
                    group.there.as_ref().is_some_and(|there| there.id == id)
                };
                groups.iter().position(is)
            })
    }

    /// A node or a group by its words, if no other says the same.
    fn named_by_text(&self, word: &str) -> Option<String> {
        let lower = word.trim().to_lowercase();
        let same = |text: &str| text.trim().to_lowercase() == lower;
        let diagram = &self.wanted.diagram;
        let nodes = diagram.nodes.iter().filter(|node| same(&node.text));
        let groups = diagram.groups.iter().filter(|group| same(&group.text));
        let mut found = nodes
            .map(|node| &node.name)
            .chain(groups.map(|group| &group.name));
        let first = found.next()?;
        found.next().is_none().then(|| first.clone())
    }

    /// What an edge's end means, made where there is nothing of the name.
    fn end(&mut self, word: &str) -> String {
        if let Some(at) = self.node_named(word) {
            return self.wanted.diagram.nodes[at].name.clone();
        }
        if let Some(at) = self.group_named(word) {
            return self.wanted.diagram.groups[at].name.clone();
        }
        if let Some(name) = self.named_by_text(word) {
            return name;
        }
        if let Some(guest) = self.outside.guest(word) {
            let name = guest.name.clone();
            if self.wanted.diagram.node(&name).is_none() {
                self.wanted.diagram.nodes.push(guest);
            }
            return name;
        }
        let node = ask::Node {
            name: word.to_owned(),
            text: Some(word.to_owned()),
            ..ask::Node::default()
        };
        self.node(&node);
        word.to_owned()
    }

    fn group(&mut self, asked: &ask::Group) {
        let at = match self.group_named(&asked.name) {
            Some(at) => at,
            None => {
                self.wanted.diagram.groups.push(diagram::Group {
                    name: asked.name.clone(),
                    text: asked.name.clone(),
                    parent: None,
                    there: None,
                });
                self.wanted.diagram.groups.len() - 1
            }
        };
        if let Some(text) = &asked.text {
            self.wanted.diagram.groups[at].text.clone_from(text);
        }
    }

    /// Which group a word means, made where there is none of the name.
    fn group_for(&mut self, word: &str) -> Option<String> {
        if word.is_empty() {
            return None;
        }
        if self.group_named(word).is_none() {
            self.group(&ask::Group {
                name: word.to_owned(),
                ..ask::Group::default()
            });
        }
        let at = self.group_named(word)?;
        Some(self.wanted.diagram.groups[at].name.clone())
    }

    /// Groups in groups: never one in itself.
    fn nest(&mut self, asked: &Asked) {
        for group in &asked.groups {
            let Some(word) = &group.parent else { continue };
            let Some(own) = self.group_named(&group.name) else {
                continue;
            };
            let parent = self.group_for(word);
            let name = self.wanted.diagram.groups[own].name.clone();
            let mut around = parent.clone();
            let mut depth = 0;
            while let Some(next) = around {
                if next == name || depth > self.wanted.diagram.groups.len() {
                    break;
                }
                depth += 1;
                around = self
                    .wanted
                    .diagram
                    .group(&next)
                    .and_then(|it| it.parent.clone());
                if around.is_none() {
                    self.wanted.diagram.groups[own].parent.clone_from(&parent);
                }
            }
            if parent.is_none() {
                self.wanted.diagram.groups[own].parent = None;
            }
        }
    }

    fn node(&mut self, asked: &ask::Node) {
        let kind = self.wanted.diagram.manner.kind;
        let group = asked.group.as_ref().map(|word| self.group_for(word));
        let Some(at) = self.node_named(&asked.name) else {
            let form = asked.form.unwrap_or_else(|| usual_form(kind));
            self.wanted.diagram.nodes.push(diagram::Node {
                name: asked.name.clone(),
                text: asked.text.clone().unwrap_or_else(|| asked.name.clone()),
                form,
                style: style(asked, form),
                group: group.flatten(),
                there: None,
            });
            return;
        };
        let node = &mut self.wanted.diagram.nodes[at];
        if let Some(group) = group {
            node.group = group;
        }
        if let Some(text) = asked.text.as_ref().filter(|text| !text.is_empty()) {
            node.text.clone_from(text);
        }
        if asked.color.is_some() || asked.fill.is_some() {
            node.style = Style::new(
                asked.color.unwrap_or(node.style.color),
                asked.fill.unwrap_or(node.style.fill),
            );
            self.wanted.painted.push(node.name.clone());
        }
        if let Some(form) = asked.form.filter(|form| *form != node.form) {
            node.form = form;
            // Another shape is another element.
            let guest = node.there.take_if(|it| it.hold != diagram::Hold::Guest);
            self.wanted.removed.extend(guest.map(|there| there.id));
        }
    }

    fn edge(&mut self, asked: &ask::Edge, said: &mut BTreeMap<(String, String), usize>) {
        let (from, to) = (self.end(&asked.from), self.end(&asked.to));
        let kind = self.wanted.diagram.manner.kind;
        let by_name = asked.name.as_ref().and_then(|name| self.edge_named(name));
        // What was said a second time of the same two is a second edge between them.
        let nth = said.entry((from.clone(), to.clone())).or_default();
        let (skip, edges) = (*nth, &self.wanted.diagram.edges);
        *nth += 1;
        let between = |edge: &&diagram::Edge| edge.from == from && edge.to == to;
        let known = if kind == Kind::Sequence {
            None // each message is another one
        } else {
            let name = edges.iter().filter(between).nth(skip);
            name.map(|edge| edge.name.clone())
        };
        let known = by_name.or(known);
        let at = known.and_then(|name| edges.iter().position(|edge| edge.name == name));
        let Some(at) = at else {
            let name = asked.name.clone();
            let name = name.unwrap_or_else(|| edge_name(&from, &to));
            let name = free_name(&self.wanted.diagram, name);
            self.wanted.diagram.edges.push(diagram::Edge {
                name,
                text: asked.text.clone().unwrap_or_default(),
                look: edge_look(asked, kind, None),
                there: None,
                from,
                to,
            });
            return;
        };
        let edge = &mut self.wanted.diagram.edges[at];
        (edge.from, edge.to) = (from, to);
        if let Some(text) = &asked.text {
            edge.text.clone_from(text);
        }
        let look = edge_look(asked, kind, Some(edge.look));
        if look != edge.look {
            edge.look = look;
            self.wanted.restyled.push(edge.name.clone());
        }
    }

    fn edge_named(&self, name: &str) -> Option<String> {
        let edges = &self.wanted.diagram.edges;
        let known = edges.iter().find(|edge| edge.name == name);
        let by_shape = || {
            let id = self.outside.element(name)?;
            let is = |edge: &&diagram::Edge| edge.there.as_ref().is_some_and(|way| way.id == id);
            edges.iter().find(is)
        };
        known.or_else(by_shape).map(|edge| edge.name.clone())
    }

    /// An edge from a node's parent to it; one from another parent gives way.
    fn parent(&mut self, name: &str, parent: &str) {
        let Some(at) = self.node_named(name) else {
            return;
        };
        let name = self.wanted.diagram.nodes[at].name.clone();
        let parent = self.end(parent);
        if parent == name {
            return;
        }
        let is_there = |edge: &diagram::Edge| edge.from == parent && edge.to == name;
        if self.wanted.diagram.edges.iter().any(is_there) {
            return;
        }
        let kind = self.wanted.diagram.manner.kind;
        let is_tree = matches!(kind, Kind::Tree | Kind::MindMap | Kind::Radial);
        let old = self.wanted.diagram.edges.iter_mut();
        let mut old = old.filter(|edge| edge.to == name && edge.there.is_some());
        if let Some(edge) = old.next().filter(|_| is_tree) {
            edge.from = parent;
            return;
        }
        let asked = ask::Edge {
            from: parent.clone(),
            to: name.clone(),
            ..ask::Edge::default()
        };
        let edge = diagram::Edge {
            name: free_name(&self.wanted.diagram, edge_name(&parent, &name)),
            text: String::new(),
            look: edge_look(&asked, kind, None),
            there: None,
            from: parent,
            to: name,
        };
        self.wanted.diagram.edges.push(edge);
    }

    fn remove(&mut self, word: &str) {
        if let Some(at) = self.node_named(word) {
            let node = self.wanted.diagram.nodes.remove(at);
            self.drop_edges(|edge| edge.from == node.name || edge.to == node.name);
            let own = node
                .there
                .filter(|there| there.hold != diagram::Hold::Guest);
            self.wanted.removed.extend(own.map(|there| there.id));
        } else if let Some(at) = self.group_named(word) {
            let group = self.wanted.diagram.groups.remove(at);
            self.drop_edges(|edge| edge.from == group.name || edge.to == group.name);
            // What was in it is in what was around it.
            let inside = |of: &Option<String>| of.as_ref() == Some(&group.name);
            for node in &mut self.wanted.diagram.nodes {
                if inside(&node.group) {
                    node.group.clone_from(&group.parent);
                }
            }
            for other in &mut self.wanted.diagram.groups {
                if inside(&other.parent) {
                    other.parent.clone_from(&group.parent);
                }
            }
            self.wanted
                .removed
                .extend(group.there.map(|there| there.id));
        } else if let Some(name) = self.edge_named(word) {
            self.drop_edges(|edge| edge.name == name);
        } else if let Some((from, to)) = word.split_once("->") {
            let name = |word: &str| {
                let word = word.trim();
                let node = self.node_named(word);
                let node = node.map(|at| self.wanted.diagram.nodes[at].name.clone());
                node.or_else(|| self.named_by_text(word))
            };
            if let (Some(from), Some(to)) = (name(from), name(to)) {
                self.drop_edges(|edge| edge.from == from && edge.to == to);
            } else {
                self.wanted.unknown.push(word.to_owned());
            }
        } else if let Some(name) = self.named_by_text(word) {
            self.remove(&name);
        } else {
            self.wanted.unknown.push(word.to_owned());
        }
    }

    fn drop_edges(&mut self, goes: impl Fn(&diagram::Edge) -> bool) {
        let edges = std::mem::take(&mut self.wanted.diagram.edges);
        let (gone, kept): (Vec<_>, Vec<_>) = edges.into_iter().partition(goes);
        self.wanted.diagram.edges = kept;
        let ways = gone.into_iter().filter_map(|edge| edge.there);
        self.wanted.removed.extend(ways.map(|way| way.id));
    }
}

/// What a node looks like if nobody says.
const PLAIN: Style = Style {
    color: Color::Blue,
    fill: Fill::Tint,
};

fn usual_form(kind: Kind) -> Form {
    match kind {
        Kind::Board | Kind::Grid => Form::Note,
        _ => Form::Shape(GeoKind::Rectangle),
    }
}

fn style(asked: &ask::Node, form: Form) -> Style {
    let color = asked.color.unwrap_or(match form {
        Form::Note => Color::Yellow,
        Form::Words => Color::Black,
        Form::Shape(GeoKind::Diamond) => Color::Yellow,
        Form::Shape(_) => PLAIN.color,
    });
    Style::new(color, asked.fill.unwrap_or(PLAIN.fill))
}
