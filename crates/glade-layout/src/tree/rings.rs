//! Trees in rings around their root.

use std::f64::consts::TAU;

use crate::draft::Draft;
use crate::geometry::{Point, Rect, at};
use crate::graph::Graph;

use super::forest::Forest;
use super::pack_trees;

pub(crate) fn radial(graph: &Graph) -> Draft {
    let forest = Forest::new(graph);
    let mut draft = Draft::new(graph);
    let mut trees = Vec::new();
    for &root in &forest.roots {
        place(graph, &forest, root, &mut draft);
        trees.push(forest.under(root).into_iter().map(|it| it.0).collect());
    }
    pack_trees(graph, &mut draft, &trees);
    draft
}

fn place(graph: &Graph, forest: &Forest, root: usize, draft: &mut Draft) {
    let order = forest.under(root);
    let gap = graph.spacing.node / 2.0;
    let across = |node: usize| {
        let size = graph.nodes[node].size;
        (size.w * size.w + size.h * size.h).sqrt() + gap
    };
    // A subtree needs an angle as its widest ring does.
    let mut need = vec![0.0_f64; graph.nodes.len()];
    for &(node, depth) in order.iter().rev() {
        let own = across(node) / depth.max(1) as f64;
        let children: f64 = forest.children[node].iter().map(|&it| need[it]).sum();
        need[node] = own.max(children);
    }
    let mut sector = vec![(0.0, TAU); graph.nodes.len()];
    for &(node, _) in &order {
        let (from, to) = sector[node];
        let total: f64 = forest.children[node].iter().map(|&it| need[it]).sum();
        let mut start = from;
        for &child in &forest.children[node] {
            let part = (to - from) * need[child] / total;
            sector[child] = (start, start + part);
            start += part;
        }
    }
    let depth = order.last().map_or(0, |it| it.1);
    let mut radius = vec![0.0_f64; depth + 1];
    for ring in 1..=depth {
        let widest = |depth: usize| {
            order
                .iter()
                .filter(|it| it.1 == depth)
                .map(|it| across(it.0))
                .fold(0.0, f64::max)
        };
        radius[ring] = radius[ring - 1] + (widest(ring - 1) + widest(ring)) / 2.0;
        for &(node, _) in order.iter().filter(|it| it.1 == ring) {
            let angle = (sector[node].1 - sector[node].0).min(TAU / 2.0);
            // The chord is shorter than the arc: at half a turn by the factor 2 / π.
            let chord = angle * (1.0 - 0.36 * (angle * 2.0 / TAU) * (angle * 2.0 / TAU));
            radius[ring] = radius[ring].max(across(node) / chord.max(1e-3));
        }
    }
    for &(node, depth) in &order {
        let (from, to) = sector[node];
        let out = unit((from + to) / 2.0 / TAU);
        let middle = at(out.x * radius[depth], out.y * radius[depth]);
        draft.nodes[node] = Rect::around(middle, graph.nodes[node].size);
    }
}

/// A unit vector; 0 is up, a quarter is to the right. By series, so that every machine has the same one.
fn unit(turn: f64) -> Point {
    let turn = turn - turn.floor();
    let eighth = (turn * 8.0).floor();
    let angle = (turn - eighth / 8.0) * TAU;
    let (sine, cosine) = (series(angle, 1), series(angle, 0));
    let half = 0.5_f64.sqrt();
    let (mut sin, mut cos) = (sine, cosine);
    for _ in 0..eighth as usize {
        (sin, cos) = ((sin + cos) * half, (cos - sin) * half);
    }
    at(sin, -cos)
}

fn series(angle: f64, first: usize) -> f64 {
    let mut term = if first == 1 { angle } else { 1.0 };
    let (mut sum, mut next) = (term, first + 1);
    for _ in 0..10 {
        term *= -angle * angle / (next * (next + 1)) as f64;
        sum += term;
        next += 2;
    }
    sum
}
