//! Colours of a mind map: each branch has its own.

use std::collections::BTreeMap;

use glade_canvas::diagram::Diagram;
use glade_canvas::factory::Style;
use glade_canvas::palette::{Color, Fill};
use glade_layout::Kind;

/// In a mind map each branch from the root has a colour of its own.
pub fn color(diagram: &mut Diagram, plain: Style) {
    const COLORS: [Color; 6] = [
        Color::Blue,
        Color::Green,
        Color::Orange,
        Color::Violet,
        Color::Red,
        Color::Yellow,
    ];
    if !matches!(diagram.manner.kind, Kind::MindMap | Kind::Radial) {
        return;
    }
    let parents: BTreeMap<&str, &str> = diagram
        .edges
        .iter()
        .rev()
        .map(|edge| (edge.to.as_str(), edge.from.as_str()))
        .collect();
    let is_root = |name: &str| !parents.contains_key(name);
    let branch = |name: &str| {
        let (mut at, mut depth) = (name.to_owned(), 0);
        while let Some(parent) = parents.get(at.as_str()) {
            if is_root(parent) || depth > parents.len() {
                return Some(at);
            }
            (at, depth) = ((*parent).to_owned(), depth + 1);
        }
        None
    };
    let branches: Vec<Option<String>> = diagram
        .nodes
        .iter()
        .map(|node| branch(&node.name))
        .collect();
    let mut order: Vec<&String> = Vec::new();
    for branch in branches.iter().flatten() {
        if !order.contains(&branch) {
            order.push(branch);
        }
    }
    let colors: Vec<Option<Color>> = branches
        .iter()
        .map(|branch| {
            let at = order
                .iter()
                .position(|known| Some(*known) == branch.as_ref())?;
            Some(COLORS[at % COLORS.len()])
        })
        .collect();
    for (node, color) in diagram.nodes.iter_mut().zip(colors) {
        if let Some(color) = color.filter(|_| node.there.is_none() && node.style == plain) {
            node.style = Style::new(color, Fill::Tint);
        }
    }
}
