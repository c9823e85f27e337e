//! Structures in one line: `a > b : label; b > c`, `[group title] a b c`.

use glade_layout::{Direction, Edge, Group, Kind, Node, Routing, Size, Structure};

pub fn size(w: f64, h: f64) -> Size {
    Size::new(w, h).unwrap()
}

/// About what these words take at 14 pixels.
pub fn of_words(words: &str) -> Size {
    size(words.chars().count() as f64 * 8.0 + 28.0, 44.0)
}

pub fn label(words: &str) -> Size {
    size(words.chars().count() as f64 * 7.0 + 8.0, 20.0)
}

pub fn read(kind: Kind, direction: Direction, routing: Routing, text: &str) -> Structure {
    let mut structure = Structure::new(kind, direction, routing);
    for part in text.split(';').map(str::trim).filter(|it| !it.is_empty()) {
        if let Some(rest) = part.strip_prefix('[') {
            read_group(&mut structure, rest);
            continue;
        }
        let (ends, said) = part.split_once(" : ").unwrap_or((part, ""));
        let ends: Vec<&str> = ends.split('>').map(str::trim).collect();
        for end in &ends {
            if structure.groups.iter().all(|it| it.id.0 != *end) {
                node(&mut structure, end);
            }
        }
        for pair in ends.windows(2) {
            let count = structure.edges.len();
            let name = if said.is_empty() {
                format!("e{count}")
            } else {
                format!("{said}{}", " ".repeat(count))
            };
            let mut edge = Edge::new(name, pair[0], pair[1]);
            if !said.is_empty() {
                edge = edge.labelled(label(said));
            }
            structure.edges.push(edge);
        }
    }
    structure
}

fn node(structure: &mut Structure, name: &str) {
    if structure.nodes.iter().all(|it| it.id.0 != name) {
        structure.nodes.push(Node::new(name, of_words(name)));
    }
}

/// `name<parent] members`, all but the name left out if there is none.
fn read_group(structure: &mut Structure, text: &str) {
    let (name, members) = text.split_once(']').unwrap();
    let (name, parent) = name
        .split_once('<')
        .map_or((name, None), |(a, b)| (a, Some(b)));
    let mut group = Group::new(name, label(name));
    if let Some(parent) = parent {
        group = group.inside(parent);
    }
    structure.groups.push(group);
    for member in members
        .split(',')
        .map(str::trim)
        .filter(|it| !it.is_empty())
    {
        node(structure, member);
        let node = structure
            .nodes
            .iter_mut()
            .find(|it| it.id.0 == member)
            .unwrap();
        node.group = Some(name.into());
    }
}

/// A seeded graph: `count` boxes, 1.4 edges each, a quarter of them with labels.
pub fn random(
    kind: Kind,
    direction: Direction,
    routing: Routing,
    count: usize,
    seed: u64,
) -> Structure {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = |most: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % most
    };
    let mut all = Structure::new(kind, direction, routing);
    for at in 0..count {
        let words = 3 + next(16);
        all.nodes.push(Node::new(
            format!("n{at}"),
            size(words as f64 * 8.0 + 28.0, 44.0),
        ));
    }
    for at in 0..count * 7 / 5 {
        // Mostly near each other, as in drawings of people; sometimes anywhere.
        let from = next(count);
        let to = if next(4) == 0 {
            next(count)
        } else {
            (from + 1 + next(5)) % count
        };
        let mut edge = Edge::new(format!("e{at}"), format!("n{from}"), format!("n{to}"));
        if next(4) == 0 {
            edge = edge.labelled(label("label"));
        }
        all.edges.push(edge);
    }
    all
}
