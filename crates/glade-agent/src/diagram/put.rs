//! A diagram that is laid out, put on the page: what is new is made, what is there is moved, what is gone is deleted.

use std::collections::{BTreeMap, BTreeSet};

use glade_canvas::binding::binding_owner;
use glade_canvas::diagram::draw::{Arrow, Ends, Fresh, Laid};
use glade_canvas::diagram::{Edge, Group, Hold, Node, draw};
use glade_canvas::{Element, factory, label};
use glade_doc::{ElementId, Props};
use serde_json::json;

use super::merge::Wanted;
use crate::action_context::{ActionContext, Layer, Made};
use crate::shapes::{paint, write_on};

pub fn node_part(name: &str) -> String {
    format!("node {name}")
}

/// Wants all of it on the page; answers its elements.
pub fn put(
    ctx: &mut ActionContext<'_, '_>,
    wanted: &Wanted,
    laid: &Laid<'_>,
    orphans: &[ElementId],
) -> Vec<ElementId> {
    let mut putting = Putting {
        ctx,
        wanted,
        laid,
        used: BTreeSet::new(),
        numbers: BTreeMap::new(),
        elements: BTreeMap::new(),
        all: Vec::new(),
    };
    for group in outer_first(&wanted.diagram.groups) {
        putting.group(group);
    }
    for node in &wanted.diagram.nodes {
        putting.node(node);
    }
    for edge in &wanted.diagram.edges {
        putting.edge(edge);
    }
    putting.guides();
    putting.title();
    putting.sweep(orphans);
    putting.all
}

/// A group's box lies behind those in it.
fn outer_first(groups: &[Group]) -> Vec<&Group> {
    let depth = |group: &Group| {
        let (mut parent, mut depth) = (group.parent.as_ref(), 0);
        while let Some(name) = parent.filter(|_| depth <= groups.len()) {
            depth += 1;
            let around = groups.iter().find(|group| group.name == *name);
            parent = around.and_then(|group| group.parent.as_ref());
        }
        depth
    };
    let mut sorted: Vec<&Group> = groups.iter().collect();
    sorted.sort_by_key(|group| depth(group));
    sorted
}

struct Putting<'c, 'a, 'w, 'l> {
    ctx: &'c mut ActionContext<'a, 'w>,
    wanted: &'l Wanted,
    laid: &'l Laid<'l>,
    /// The parts that are wanted now: others made before are given up.
    used: BTreeSet<String>,
    numbers: BTreeMap<char, usize>,
    /// Nodes and groups as they will be, by their names.
    elements: BTreeMap<String, Element>,
    all: Vec<ElementId>,
}

impl Putting<'_, '_, '_, '_> {
    fn make(&mut self, part: String, name: &str, layer: Layer) -> Made {
        let number = self.numbers.entry(key(layer)).or_default();
        let made = self.ctx.make_part(&part, name, layer, *number);
        *number += 1;
        self.used.insert(part);
        made
    }

    fn group(&mut self, group: &Group) {
        let there = group.there.as_ref();
        let there = there
            .and_then(|there| self.ctx.draft.get(&there.id))
            .cloned();
        if let Some(element) = there {
            let Some(props) = self.laid.moved_group(group, &element) else {
                return;
            };
            let element = self.change(element, props, &group.text);
            self.elements.insert(group.name.clone(), element);
            return;
        }
        let made = self.make(format!("group {}", group.name), &group.name, Layer::Back);
        let fresh = fresh(&made);
        let Some(props) = self.laid.new_group(group, &fresh) else {
            return;
        };
        let element = self.begin(&group.name, fresh.id, props);
        if !group.text.trim().is_empty() {
            self.label(
                &format!("group {}", group.name),
                &element,
                Layer::Back,
                |laid, fresh| laid.group_label(&element, &group.text, fresh),
            );
        }
        self.elements.insert(group.name.clone(), element);
    }

    fn node(&mut self, node: &Node) {
        let there = node.there.as_ref();
        let is_guest = there.is_some_and(|there| there.hold == Hold::Guest);
        let part = node_part(&node.name);
        let is_own = self.ctx.part(&part).is_some();
        let there = there
            .and_then(|there| self.ctx.draft.get(&there.id))
            .cloned();
        if let Some(element) = there.filter(|_| !is_own) {
            if is_guest {
                self.elements.insert(node.name.clone(), element);
                return;
            }
            let Some(props) = self.laid.moved_node(node, &element) else {
                return;
            };
            let element = self.change(element, props, &node.text);
            if self.wanted.painted.contains(&node.name) {
                let style = node.style;
                paint(self.ctx, &element.id, Some(style.color), Some(style.fill));
            }
            self.elements.insert(node.name.clone(), element);
            return;
        }
        let made = self.make(part.clone(), &node.name, Layer::Front);
        let fresh = fresh(&made);
        let Some(props) = self.laid.new_node(node, &fresh) else {
            return;
        };
        let element = self.begin(&node.name, fresh.id, props);
        if element.holds_label() && !node.text.trim().is_empty() {
            self.label(&part, &element, Layer::Front, |_, fresh| {
                factory::label(&element, &node.text, fresh.seed, &fresh.index)
            });
        }
        self.elements.insert(node.name.clone(), element);
    }

    /// A new element, under the name by which the model knows it.
    fn begin(&mut self, name: &str, id: ElementId, props: Props) -> Element {
        self.ctx.ids.adopt(name, &id);
        self.ctx.put(&id, props.clone());
        self.all.push(id.clone());
        Element::new(id, props)
    }

    fn label(
        &mut self,
        part: &str,
        container: &Element,
        layer: Layer,
        props: impl FnOnce(&Laid<'_>, &Fresh) -> Props,
    ) {
        let made = self.make(format!("words of {part}"), "words", layer);
        let fresh = fresh(&made);
        let mut props = props(self.laid, &fresh);
        let words = Element::new(fresh.id.clone(), props.clone());
        props.extend(label::exact_place(container, &words));
        self.ctx.put(&fresh.id, props);
        self.all.push(fresh.id);
    }

    /// Something that is there, with its words if those are others.
    fn change(&mut self, element: Element, props: Props, text: &str) -> Element {
        let id = element.id.clone();
        let changed = element.with(&props);
        self.ctx.put(&id, props);
        let old = self.ctx.draft.text_of(&id).unwrap_or_default();
        if old.trim() != text.trim() {
            // What cannot be written on has no words of its own.
            let _ = write_on(self.ctx, &id, text);
        } else if let Some(words) = self.ctx.draft.label_of(&id).cloned() {
            self.ctx
                .put(&words.id, label::exact_place(&changed, &words));
        }
        self.all.push(id);
        changed
    }

    fn edge(&mut self, edge: &Edge) {
        let ends = (self.elements.get(&edge.from), self.elements.get(&edge.to));
        let (Some(from), Some(to)) = ends else { return };
        let (from, to) = (from.clone(), to.clone());
        let ends = Ends {
            from: &from,
            to: &to,
        };
        let there = edge.there.as_ref();
        let there = there.and_then(|way| self.ctx.draft.get(&way.id)).cloned();
        if let Some(arrow) = there {
            let Some(mut props) = self.laid.arrow(edge, &ends, Arrow::There(&arrow)) else {
                return;
            };
            if self.wanted.restyled.contains(&edge.name) {
                draw::look(&mut props, edge.look);
            }
            self.all.push(arrow.id.clone());
            self.ctx.put(&arrow.id, props.clone());
            self.edge_words(edge, &arrow.with(&props));
            return;
        }
        let part = format!("edge {}", edge.name);
        let made = self.make(part.clone(), &edge.name, Layer::Middle);
        let fresh = fresh(&made);
        let Some(props) = self.laid.arrow(edge, &ends, Arrow::New(&fresh)) else {
            return;
        };
        self.ctx.put(&fresh.id, props.clone());
        self.all.push(fresh.id.clone());
        let arrow = Element::new(fresh.id, props);
        if !edge.text.trim().is_empty() {
            self.label(&part, &arrow, Layer::Middle, |laid, fresh| {
                laid.arrow_label(edge, &arrow, fresh)
            });
        }
    }

    /// The words of an arrow that is there.
    fn edge_words(&mut self, edge: &Edge, arrow: &Element) {
        let same = |a: &str, b: &str| a.split_whitespace().eq(b.split_whitespace());
        let part = format!("edge {}", edge.name);
        let is_own = self.ctx.part(&format!("words of {part}")).is_some();
        let words = self.ctx.draft.label_of(&arrow.id).cloned();
        match words.filter(|_| !is_own) {
            Some(label) => {
                let mut props = Props::new();
                if !same(label.original_text(), &edge.text) {
                    let words = glade_canvas::diagram::measure::edge_words(&edge.text);
                    props.insert("originalText".to_owned(), json!(words));
                }
                let share = self.laid.label_share(edge);
                props.insert("labelPosition".to_owned(), json!(share));
                props.extend(label::exact_place(arrow, &label.with(&props)));
                self.ctx.put(&label.id, props);
            }
            None if edge.text.trim().is_empty() => {}
            None => {
                self.label(&part, arrow, Layer::Middle, |laid, fresh| {
                    laid.arrow_label(edge, arrow, fresh)
                });
            }
        }
    }

    fn guides(&mut self) {
        let old = &self.wanted.diagram.guides;
        let lines = self.laid.guides();
        for (name, points) in &lines {
            let there = old.iter().find(|guide| guide.name == *name);
            let there = there.map(|guide| &guide.there);
            let part = format!("guide {name}");
            self.plain(there, part, Layer::Back, |laid, fresh| {
                laid.guide(name, points, fresh)
            });
        }
        let is_gone = |name: &String| !lines.iter().any(|(wanted, _)| wanted == name);
        for guide in old.iter().filter(|guide| is_gone(&guide.name)) {
            self.remove(&guide.there);
        }
    }

    fn title(&mut self) {
        let title = self.wanted.diagram.title.as_ref();
        if let Some(title) = title.filter(|title| !title.text.trim().is_empty()) {
            let part = "title".to_owned();
            self.plain(title.there.as_ref(), part, Layer::Front, |laid, fresh| {
                laid.title(&title.text, fresh)
            });
        }
    }

    /// Something without words in it: made, or put where it belongs now.
    fn plain(
        &mut self,
        there: Option<&ElementId>,
        part: String,
        layer: Layer,
        props: impl FnOnce(&Laid<'_>, &Fresh) -> Option<Props>,
    ) {
        const CHANGING: [&str; 6] = ["x", "y", "width", "height", "points", "originalText"];
        let there = there.filter(|id| self.ctx.draft.get(id).is_some());
        let fresh = match there {
            Some(id) => Fresh {
                id: id.clone(),
                seed: 1,
                index: String::new(),
            },
            None => {
                let name = part.clone();
                fresh(&self.make(part, &name, layer))
            }
        };
        let Some(mut props) = props(self.laid, &fresh) else {
            return;
        };
        if there.is_some() {
            props.retain(|key, _| CHANGING.contains(&key.as_str()));
        }
        self.ctx.put(&fresh.id, props);
        self.all.push(fresh.id);
    }

    fn remove(&mut self, id: &ElementId) {
        let Some(element) = self.ctx.draft.get(id).filter(|it| !it.is_locked()) else {
            return;
        };
        let id = element.id.clone();
        if let Some(label) = self.ctx.draft.label_of(&id).map(|label| label.id.clone()) {
            self.ctx.remove(&label);
        }
        self.ctx.remove(&id);
    }

    /// Away with what is no longer wanted.
    fn sweep(&mut self, orphans: &[ElementId]) {
        for id in self.wanted.removed.iter().chain(orphans) {
            self.remove(id);
        }
        for (part, _) in self.ctx.parts() {
            if !self.used.contains(&part) {
                self.ctx.give_up(&part);
            }
        }
    }
}

fn key(layer: Layer) -> char {
    match layer {
        Layer::Back => 'b',
        Layer::Middle => 'm',
        Layer::Front => 'f',
    }
}

fn fresh(made: &Made) -> Fresh {
    Fresh {
        id: made.id.clone(),
        seed: made.seed,
        index: made.index.clone(),
    }
}

/// Whether lines can end at an element.
pub fn can_be_led_to(element: &Element) -> bool {
    binding_owner(element).is_some()
}
