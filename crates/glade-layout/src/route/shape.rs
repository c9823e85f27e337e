//! A way that is clear, in the shape that was asked for.

use crate::geometry::Point;
use crate::graph::Graph;
use crate::{Routing, curve};

use super::field::Field;
use super::without_needless;

/// The points of a route along this way; nothing if even the way itself hits a box.
pub(crate) fn of(graph: &Graph, field: &Field, way: &[Point], label: Option<Point>) -> Option<Vec<Point>> {
    if way.len() < 2 || !field.is_path_clear(way) {
        return None;
    }
    match graph.routing {
        Routing::Elbow => Some(way.to_vec()),
        Routing::Straight => Some(shortened(graph, field, way, label)),
        Routing::Curved => Some(curved(graph, field, way, label)),
    }
}

/// Fewer bends where that changes little: not so far that lines cross that did not.
fn shortened(graph: &Graph, field: &Field, way: &[Point], label: Option<Point>) -> Vec<Point> {
    let most = graph.spacing.edge;
    let mut kept = vec![way[0]];
    let mut from = 0;
    while from + 1 < way.len() {
        let mut to = way.len() - 1;
        while to > from + 1 {
            let between = &way[from + 1..to];
            let near = between.iter().chain(label.iter().filter(|it| is_between(way[from], way[to], **it)));
            let mut near = near.map(|&it| distance(way[from], way[to], it));
            if near.all(|off| off <= most) && field.is_clear(way[from], way[to]) {
                break;
            }
            to -= 1;
        }
        kept.push(way[to]);
        from = to;
    }
    without_needless(&kept)
}

fn is_between(a: Point, b: Point, it: Point) -> bool {
    super::field::span(a, b).grown(1.0).holds(it)
}

fn distance(a: Point, b: Point, it: Point) -> f64 {
    let length = a.distance(b);
    if length < 1e-9 {
        return a.distance(it);
    }
    ((b.x - a.x) * (it.y - a.y) - (b.y - a.y) * (it.x - a.x)).abs() / length
}

/// Smooth; straighter where the smooth line would hit a box.
fn curved(graph: &Graph, field: &Field, way: &[Point], label: Option<Point>) -> Vec<Point> {
    let short = shortened(graph, field, way, label);
    let tries = [swung(graph, &short), swung(graph, way), tight(&short, 0.2), tight(&short, 0.05), tight(way, 0.05)];
    let mut clear = tries.into_iter().filter(|points| field.is_path_clear(&curve::flat(points)));
    clear.next().unwrap_or_else(|| tight(way, 0.005))
}

/// Slanted pieces become an S along the flow; upright ones are kept by their middle alone.
fn swung(graph: &Graph, way: &[Point]) -> Vec<Point> {
    let sideways = graph.direction.is_sideways();
    let mut points = vec![way[0]];
    for pair in way.windows(2) {
        let (a, b) = (pair[0], pair[1]);
        if (a.x - b.x).abs() > 1.0 && (a.y - b.y).abs() > 1.0 {
            points.extend(curve::bend(a, b, sideways));
        }
        points.push(b);
    }
    points
}

/// Points close before and after each corner hold the curve to the way.
fn tight(way: &[Point], part: f64) -> Vec<Point> {
    let mut points = vec![way[0]];
    for pair in way.windows(2) {
        let (a, b) = (pair[0], pair[1]);
        points.push(a.toward(b, part));
        points.push(b.toward(a, part));
        points.push(b);
    }
    points
}
