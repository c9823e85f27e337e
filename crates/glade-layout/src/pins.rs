//! Nodes that must stay where they are: all else makes room.

use crate::draft::Draft;
use crate::geometry::{Point, Rect, at};
use crate::graph::Graph;
use crate::outcome::Problem;
use crate::overlap::{self, Solid};
use crate::separate::FIXED;
use crate::structure::Structure;

/// How far most pinned nodes are from their pins.
pub(crate) fn usual_move(graph: &Graph, draft: &Draft) -> Point {
    let both = graph.nodes.iter().zip(&draft.nodes);
    let moves: Vec<Point> = both
        .filter_map(|(it, rect)| it.pin.map(|pin| pin.minus(rect.corner())))
        .collect();
    middle(&moves)
}

/// The median, by x and by y.
pub(crate) fn middle(moves: &[Point]) -> Point {
    let median = |mut all: Vec<f64>| {
        all.sort_by(f64::total_cmp);
        all.get(all.len() / 2).copied().unwrap_or(0.0)
    };
    at(
        median(moves.iter().map(|it| it.x).collect()),
        median(moves.iter().map(|it| it.y).collect()),
    )
}

/// What moves as one: a node outside of groups, or all that is in an outermost group.
struct Unit {
    nodes: Vec<usize>,
    group: Option<usize>,
}

/// Puts pinned nodes where they must be, and moves what is then in their way.
pub(crate) fn keep(
    structure: &Structure,
    graph: &Graph,
    draft: &mut Draft,
    problems: &mut Vec<Problem>,
) {
    let before = draft.nodes.clone();
    let units = units(graph);
    for unit in &units {
        pin_unit(graph, draft, unit);
    }
    reframe(graph, draft, &units);
    let solids: Vec<Solid> = units
        .iter()
        .map(|unit| {
            let rect = match unit.group {
                Some(group) => draft.groups[group],
                None => draft.nodes[unit.nodes[0]],
            };
            let is_pinned = unit
                .nodes
                .iter()
                .any(|&node| graph.nodes[node].pin.is_some());
            Solid {
                rect,
                weight: if is_pinned { FIXED } else { 1.0 },
            }
        })
        .collect();
    let corners = overlap::weighted(&solids, graph.spacing.node / 2.0);
    for ((unit, solid), corner) in units.iter().zip(&solids).zip(corners) {
        move_unit(graph, draft, unit, corner.minus(solid.rect.corner()));
    }
    forget_guides(graph, draft, &before);
    report(structure, graph, draft, problems);
}

fn units(graph: &Graph) -> Vec<Unit> {
    let mut units: Vec<Unit> = Vec::new();
    for group in 0..graph.groups.len() {
        if graph.groups[group].parent.is_none() {
            units.push(Unit {
                nodes: Vec::new(),
                group: Some(group),
            });
        }
    }
    for node in 0..graph.nodes.len() {
        let outermost = graph.groups_around(graph.nodes[node].group).last();
        let of_group = units
            .iter_mut()
            .find(|unit| outermost.is_some() && unit.group == outermost);
        match of_group {
            Some(unit) => unit.nodes.push(node),
            None => units.push(Unit {
                nodes: vec![node],
                group: None,
            }),
        }
    }
    units
}

fn pin_unit(graph: &Graph, draft: &mut Draft, unit: &Unit) {
    let pins = unit
        .nodes
        .iter()
        .filter_map(|&node| Some((node, graph.nodes[node].pin?)));
    let pins: Vec<(usize, Point)> = pins.collect();
    let Some(&(first, pin)) = pins.first() else {
        return;
    };
    move_unit(graph, draft, unit, pin.minus(draft.nodes[first].corner()));
    if pins.len() < 2 {
        draft.nodes[first] = Rect::of(pin, draft.nodes[first].size());
        return;
    }
    for &(node, pin) in &pins {
        draft.nodes[node] = Rect::of(pin, draft.nodes[node].size());
    }
    let solids: Vec<Solid> = unit
        .nodes
        .iter()
        .map(|&node| Solid {
            rect: draft.nodes[node],
            weight: if graph.nodes[node].pin.is_some() {
                FIXED
            } else {
                1.0
            },
        })
        .collect();
    let corners = overlap::weighted(&solids, graph.spacing.node / 2.0);
    for (&node, corner) in unit.nodes.iter().zip(corners) {
        draft.nodes[node] = Rect::of(corner, draft.nodes[node].size());
    }
}

fn move_unit(graph: &Graph, draft: &mut Draft, unit: &Unit, by: Point) {
    for &node in &unit.nodes {
        let rect = draft.nodes[node].moved(by);
        draft.nodes[node] = graph.nodes[node]
            .pin
            .filter(|pin| pin.distance(rect.corner()) < 1e-3)
            .map_or(rect, |pin| Rect::of(pin, rect.size()));
    }
    for group in 0..graph.groups.len() {
        if graph.groups_around(Some(group)).last() == unit.group && unit.group.is_some() {
            draft.groups[group] = draft.groups[group].moved(by);
            draft.titles[group] = draft.titles[group].moved(by);
        }
    }
    for (link, it) in graph.links.iter().enumerate() {
        let end = |target: crate::graph::Target| match target {
            crate::graph::Target::Node(node) => unit.nodes.contains(&node),
            crate::graph::Target::Group(group) => {
                graph.groups_around(Some(group)).last() == unit.group
            }
        };
        if end(it.from) && end(it.to) {
            for point in draft.guides[link].iter_mut().flatten() {
                *point = point.moved(by);
            }
            draft.labels[link] = draft.labels[link].map(|it| it.moved(by));
        }
    }
}

/// Groups in which several nodes are pinned are drawn anew around what is in them.
fn reframe(graph: &Graph, draft: &mut Draft, units: &[Unit]) {
    let mut framed = draft.clone();
    framed.frame_groups(graph);
    for unit in units {
        let pins = unit
            .nodes
            .iter()
            .filter(|&&node| graph.nodes[node].pin.is_some())
            .count();
        if pins < 2 {
            continue;
        }
        for group in 0..graph.groups.len() {
            if unit.group.is_some() && graph.groups_around(Some(group)).last() == unit.group {
                draft.groups[group] = framed.groups[group];
                draft.titles[group] = framed.titles[group];
            }
        }
    }
}

/// A way between two boxes is no longer one when one of them has moved alone.
fn forget_guides(graph: &Graph, draft: &mut Draft, before: &[Rect]) {
    for (link, it) in graph.links.iter().enumerate() {
        let moved = |target: crate::graph::Target| match target {
            crate::graph::Target::Node(node) => {
                Some(draft.nodes[node].corner().minus(before[node].corner()))
            }
            crate::graph::Target::Group(_) => None,
        };
        let together = match (moved(it.from), moved(it.to)) {
            (Some(from), Some(to)) => from.distance(to) < 1e-3,
            _ => false,
        };
        let starts = draft.guides[link]
            .as_ref()
            .and_then(|it| it.first().copied());
        let touches = |target: crate::graph::Target| match (target, starts) {
            (crate::graph::Target::Node(node), Some(start)) => {
                draft.nodes[node].grown(1.0).holds(start)
            }
            _ => false,
        };
        if !together || !touches(it.from) {
            draft.guides[link] = None;
            draft.labels[link] = None;
        }
    }
}

fn report(structure: &Structure, graph: &Graph, draft: &Draft, problems: &mut Vec<Problem>) {
    let pinned: Vec<usize> = (0..graph.nodes.len())
        .filter(|&node| graph.nodes[node].pin.is_some())
        .collect();
    for (at, &one) in pinned.iter().enumerate() {
        for &other in &pinned[at + 1..] {
            if draft.nodes[one].overlaps(draft.nodes[other]) {
                let id = |node: usize| structure.nodes[node].id.clone();
                problems.push(Problem::PinsOverlap(id(one), id(other)));
            }
        }
    }
    for &node in &pinned {
        let torn = (0..graph.groups.len()).any(|group| {
            !graph.is_in(node, group) && draft.groups[group].overlaps(draft.nodes[node])
        });
        if torn {
            problems.push(Problem::PinTearsGroup(structure.nodes[node].id.clone()));
        }
    }
}
