//! From a prompt to actions: which rule answers.

use std::collections::{BTreeMap, BTreeSet};

use glade_agent::Prompt;
use glade_agent::format::whole_numbers;
use glade_canvas::{Point, Rect, space};
use serde_json::{Value, json};

use super::flow::{self, Flow, Graph};
use super::names::{fold, slug};
use super::sight::{Sight, bounds};
use super::{
    arrange, board, change, layout, mind_map, notes, one, picture, several, table, team, text,
    timeline, wording, writing,
};

/// What it says of itself when it can do nothing else.
const ABOUT: &str = "I am sketch, a small rule-based model: I follow patterns, I do not understand language. \
I can draw flows (\"Draw a flow: Order -> Pay -> Ship\"), mind maps (\"Mind map of Party: food, music, guests\"), \
timelines (\"Timeline: 2019 Founded, 2021 Sold\"), tables (\"Table: Name, Age; Ann, 31\"), sticky notes (\"Sticky notes: plan, build, test\"), \
boards (\"Kanban board\"), a few pictures (\"Draw a house with a tree\") and single shapes (\"Add a green circle called Start\"), arrange things (\"put the notes in a grid\"), \
and recolour, rename, connect, move or delete shapes that you name or select (\"make Pay red\"). \
Anything else is beyond me.";

/// Between what sketch draws and what is there.
pub fn clearance() -> f64 {
    40.0
}

pub fn say(text: String) -> Value {
    json!({"_type": "message", "text": text})
}

/// The answer to a prompt: `{"actions": [...]}`. Always the same for the same prompt.
pub fn answer(prompt: &Prompt) -> Value {
    let sight = Sight::new(prompt);
    let mut answer = json!({"actions": actions(&sight)});
    whole_numbers(&mut answer);
    answer
}

fn actions(sight: &Sight) -> Vec<Value> {
    if let Some(actions) = team::answer(sight) {
        return actions;
    }
    if sight.going_on {
        // It has done what it can; looking again teaches rules nothing.
        return Vec::new();
    }
    if !sight.from_person {
        // Rules do not learn: saying it is all that is left.
        return vec![say(format!(
            "Some of that did not work: {}.",
            sight.message.trim_end_matches('.')
        ))];
    }
    let message = sight.message.trim();
    if let Some(page) = &sight.text {
        return text::answer(message, page);
    }
    drawn(message, sight).unwrap_or_else(|| vec![say(ABOUT.to_owned())])
}

/// What a message asks for, by the first rule that knows it; none: it is beyond all of them.
pub fn drawn(message: &str, sight: &Sight) -> Option<Vec<Value>> {
    if let Some(rows) = table::parse(message) {
        return Some(table::draw(&rows, sight));
    }
    if let Some(events) = timeline::parse(message) {
        return Some(timeline::draw(&events, sight));
    }
    if let Some(map) = mind_map::parse(message) {
        return Some(mind_map::draw(&map, sight));
    }
    if let Some(flow) = flow::parse(message) {
        return Some(draw_flow(&flow, sight));
    }
    if let Some((how, what)) = arrange::parse(message) {
        return Some(arrange::apply(&how, &what, sight));
    }
    if let Some(change) = wording::parse(message) {
        return Some(change::apply(&change, sight));
    }
    if let Some((items, color)) = notes::parse(message) {
        return Some(notes::draw(&items, color, sight));
    }
    if let Some(heads) = board::parse(message) {
        return Some(board::draw(&heads, sight));
    }
    match several::parse(message) {
        Some(several::Several::Chain(flow)) => return Some(draw_flow(&flow, sight)),
        Some(several::Several::Shapes(shapes)) => return Some(several::draw(&shapes, sight)),
        Some(several::Several::Boxes(boxes)) if picture::parse(message).is_none() => {
            return Some(one::draw(&boxes, sight));
        }
        _ => {}
    }
    if let Some(shapes) = one::parse(message) {
        return Some(one::draw(&shapes, sight));
    }
    if let Some(words) = writing::parse(message) {
        return Some(writing::draw(&words, sight));
    }
    if let Some(things) = picture::parse(message) {
        return Some(picture::draw(&things, sight));
    }
    if let Some(items) = notes::listed(message) {
        return Some(notes::draw(&items, "yellow", sight));
    }
    None
}

/// How far to move a drawing of this extent so that it stands in the middle of what the person sees,
/// or as near to it as there is room.
pub fn put_down(extent: Rect, sight: &Sight) -> (f64, f64) {
    let wanted = Rect::centered(sight.view.center(), extent.size());
    let wanted = Rect::new(wanted.x.round(), wanted.y.round(), wanted.w, wanted.h);
    let free = space::free_rect(&sight.obstacles, wanted, clearance());
    ((free.x - extent.x).round(), (free.y - extent.y).round())
}

/// Boxes as they are needed, each arrow as soon as both of its boxes are there.
fn draw_flow(flow: &Flow, sight: &Sight) -> Vec<Value> {
    let graph = &flow.graph;
    let known = if flow.fresh {
        BTreeMap::new()
    } else {
        there(graph, sight)
    };
    let rects = place(graph, &known, sight);
    let mut taken = BTreeSet::new();
    let mut ids: Vec<String> = Vec::new();
    for (node, box_) in graph.nodes.iter().enumerate() {
        ids.push(match known.get(&node) {
            Some(id) => id.clone(),
            None => slug(&box_.name, "step", &mut taken, sight),
        });
    }
    let arrows: Vec<usize> = (0..graph.edges.len())
        .filter(|edge| {
            let edge = &graph.edges[*edge];
            !sight.shapes.iter().any(|shape| {
                shape.from_id.as_ref() == Some(&ids[edge.from])
                    && shape.to_id.as_ref() == Some(&ids[edge.to])
            })
        })
        .collect();
    let new = graph.nodes.len() - known.len();
    let mut actions = vec![say(opening(new, arrows.len(), graph))];
    let mut there: BTreeSet<usize> = known.keys().copied().collect();
    let mut drawn: BTreeSet<usize> = BTreeSet::new();
    for node in (0..graph.nodes.len()).map(Some).chain([None]) {
        if let Some(node) = node
            && there.insert(node)
        {
            let Rect { x, y, w, h } = rects[node];
            let question = graph.nodes[node].question;
            actions.push(json!({"_type": "create", "intent": "step", "shape": {
                "_type": if question { "diamond" } else { "rectangle" },
                "shapeId": ids[node], "x": x, "y": y, "w": w, "h": h,
                "color": if question { "orange" } else { "blue" }, "fill": "tint", "text": graph.nodes[node].name,
            }}));
        }
        for at in &arrows {
            let edge = &graph.edges[*at];
            if !(there.contains(&edge.from) && there.contains(&edge.to) && drawn.insert(*at)) {
                continue;
            }
            let mut shape = json!({
                "_type": "arrow",
                "shapeId": slug(&format!("{} to {}", ids[edge.from], ids[edge.to]), "arrow", &mut taken, sight),
                "fromId": ids[edge.from], "toId": ids[edge.to], "color": "black",
            });
            if let Some(label) = &edge.label {
                shape["text"] = json!(label);
            }
            actions.push(json!({"_type": "create", "intent": "arrow", "shape": shape}));
        }
    }
    actions
}

fn opening(boxes: usize, arrows: usize, graph: &Graph) -> String {
    match (boxes, arrows) {
        (0, 0) => "These are connected already.".to_owned(),
        (0, 1) => {
            let edge = &graph.edges[0];
            format!(
                "Connecting {} to {}.",
                graph.nodes[edge.from].name, graph.nodes[edge.to].name
            )
        }
        (0, arrows) => format!("Connecting them with {arrows} arrows."),
        (1, _) => "Here comes one box.".to_owned(),
        (boxes, _) => format!("Here comes a flow of {boxes} steps."),
    }
}

/// The boxes of the flow that are on the page already.
fn there(graph: &Graph, sight: &Sight) -> BTreeMap<usize, String> {
    let find = |name: &str| {
        let name = fold(name);
        let says = |text: &Option<String>| text.as_deref().is_some_and(|text| fold(text) == name);
        sight
            .shapes
            .iter()
            .find(|shape| !matches!(shape.kind.as_str(), "arrow" | "line") && says(&shape.text))
    };
    let hits = graph.nodes.iter().enumerate();
    hits.filter_map(|(node, box_)| Some((node, find(&box_.name)?.shape_id.clone())))
        .collect()
}

/// Where the boxes go: together, clear of everything, in the middle of what the person sees, or
/// beside what they are connected to.
fn place(graph: &Graph, known: &BTreeMap<usize, String>, sight: &Sight) -> Vec<Rect> {
    let mut rects: Vec<Rect> = vec![Rect::default(); graph.nodes.len()];
    let new: Vec<usize> = (0..graph.nodes.len())
        .filter(|node| !known.contains_key(node))
        .collect();
    for (node, id) in known {
        rects[*node] = sight.shape(id).map(bounds).unwrap_or_default();
    }
    if new.is_empty() {
        return rects;
    }
    let part = graph.only(&new);
    let local = layout::place(&part, (sight.view.w * 0.85).clamp(500.0, 1400.0));
    let extent = layout::extent(&part, &local);
    let neighbour = graph
        .edges
        .iter()
        .find(|edge| known.contains_key(&edge.from) != known.contains_key(&edge.to))
        .map(|edge| {
            if known.contains_key(&edge.from) {
                (rects[edge.from], 1.0)
            } else {
                (rects[edge.to], -1.0)
            }
        });
    let center = match neighbour {
        Some((rect, side)) => {
            let center = rect.center();
            Point::new(
                center.x + side * ((rect.w + extent.w) / 2.0 + 90.0),
                center.y,
            )
        }
        None => sight.view.center(),
    };
    let wanted = Rect::centered(center, extent.size());
    let wanted = Rect::new(wanted.x.round(), wanted.y.round(), wanted.w, wanted.h);
    let free = space::free_rect(&sight.obstacles, wanted, clearance());
    let (dx, dy) = ((free.x - extent.x).round(), (free.y - extent.y).round());
    for (at, node) in new.iter().enumerate() {
        rects[*node] = local[at].translate(dx, dy);
    }
    rects
}
