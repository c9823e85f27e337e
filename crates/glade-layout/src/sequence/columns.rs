//! How far participants are apart: as little as their boxes, labels and notes allow.

use crate::geometry::Size;
use crate::graph::{Graph, Moment};
use crate::structure::Beside;

use super::participant;

/// `to` is at least `gap` right of `from`, which stands before it.
struct Apart {
    from: usize,
    to: usize,
    gap: f64,
}

/// How far a message to oneself reaches to the right.
pub(crate) fn loop_reach(label: Size, edge: f64) -> f64 {
    edge * 3.0 + label.w
}

/// The middle of every participant, in the order given.
pub(crate) fn places(graph: &Graph, moments: &[Moment]) -> Vec<f64> {
    let count = graph.nodes.len();
    let mut all: Vec<Apart> = Vec::new();
    for to in 1..count {
        let (one, other) = (&graph.nodes[to - 1], &graph.nodes[to]);
        let borders = if one.group == other.group {
            0.0
        } else {
            graph.spacing.padding * 2.0
        };
        let gap = (one.size.w + other.size.w) / 2.0 + graph.spacing.node / 2.0 + borders;
        all.push(Apart {
            from: to - 1,
            to,
            gap,
        });
    }
    // Each open frame needs room for its borders.
    let mut depth = 0_usize;
    for moment in moments {
        match moment {
            Moment::Open(..) => depth += 1,
            Moment::Close => depth = depth.saturating_sub(1),
            Moment::Message(link) => all.extend(message(graph, *link, depth)),
            Moment::Note(_, beside, of, size) => all.extend(note(graph, *beside, of, *size, depth)),
            _ => {}
        }
    }
    let mut x = vec![0.0_f64; count];
    let mut by_end: Vec<Vec<&Apart>> = vec![Vec::new(); count];
    for apart in &all {
        by_end[apart.to].push(apart);
    }
    for to in 0..count {
        let places = by_end[to].iter().map(|it| x[it.from] + it.gap);
        x[to] = places.fold(x[to], f64::max);
    }
    x
}

fn frames_room(graph: &Graph, depth: usize) -> f64 {
    graph.spacing.padding / 2.0 * depth as f64
}

fn message(graph: &Graph, link: usize, depth: usize) -> Option<Apart> {
    let it = &graph.links[link];
    let (from, to) = (participant(graph, it.from)?, participant(graph, it.to)?);
    let label = it.label.unwrap_or_default();
    if from == to {
        let to = (from + 1 < graph.nodes.len()).then_some(from + 1)?;
        let gap =
            loop_reach(label, graph.spacing.edge) + graph.spacing.edge + frames_room(graph, depth);
        return Some(Apart { from, to, gap });
    }
    // The arrow is seen on both sides of its label.
    let gap = label.w + graph.spacing.edge * 4.0;
    Some(Apart {
        from: from.min(to),
        to: from.max(to),
        gap,
    })
}

fn note(graph: &Graph, beside: Beside, of: &[usize], size: Size, depth: usize) -> Vec<Apart> {
    let (Some(&low), Some(&high)) = (of.iter().min(), of.iter().max()) else {
        return Vec::new();
    };
    let last = graph.nodes.len() - 1;
    let room = graph.spacing.edge * 2.0 + frames_room(graph, depth);
    let left = (low > 0).then(|| low.saturating_sub(1));
    let right = (high < last).then_some(high + 1);
    let mut found = Vec::new();
    let mut add = |from: Option<usize>, to: Option<usize>, gap: f64| {
        if let (Some(from), Some(to)) = (from, to) {
            found.push(Apart { from, to, gap });
        }
    };
    match beside {
        Beside::Left => add(left, Some(low), size.w + room),
        Beside::Right => add(Some(high), right, size.w + room),
        Beside::Over if low == high => {
            add(left, Some(low), size.w / 2.0 + room);
            add(Some(high), right, size.w / 2.0 + room);
        }
        Beside::Over => add(Some(low), Some(high), size.w - graph.spacing.edge * 2.0),
    }
    found
}
