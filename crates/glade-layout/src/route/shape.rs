//! A way that is clear, in the shape that was asked for.

use crate::geometry::Point;
use crate::graph::Graph;
use crate::{Kind, Routing, curve};

use super::field::Field;
use super::{Course, without_needless};

/// The points of a route along this way; nothing if even the way itself hits a box.
pub(crate) fn of(
    graph: &Graph,
    field: &Field,
    way: &[Point],
    label: Option<Point>,
) -> Option<Course> {
    if way.len() < 2 || !field.is_path_clear(way) {
        return None;
    }
    let course = |routing, points| Some(Course { routing, points });
    match graph.routing {
        Routing::Elbow => course(Routing::Elbow, way.to_vec()),
        Routing::Straight => course(Routing::Straight, shortened(graph, field, way, label)),
        Routing::Curved => match curved(graph, field, way, label) {
            Some(points) => course(Routing::Curved, points),
            None => course(Routing::Straight, way.to_vec()),
        },
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
            let near = between.iter().chain(
                label
                    .iter()
                    .filter(|it| is_between(way[from], way[to], **it)),
            );
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

/// Smooth; closer to the way where the smooth line would hit a box, and nothing where that does not help.
fn curved(graph: &Graph, field: &Field, way: &[Point], label: Option<Point>) -> Option<Vec<Point>> {
    if way.len() == 2 && is_straight(way) {
        return Some(way.to_vec());
    }
    let short = shortened(graph, field, way, label);
    let (short, long) = (swung(graph, &short), swung(graph, way));
    let tries = [
        even(&short, 48.0),
        even(&short, 24.0),
        even(&long, 48.0),
        even(&long, 20.0),
        even(way, 24.0),
        even(way, 12.0),
    ];
    let mut clear = tries
        .into_iter()
        .filter(|points| field.is_path_clear(&curve::flat(points)));
    clear.next()
}

fn is_straight(way: &[Point]) -> bool {
    (way[0].x - way[1].x).abs() < 1.0 || (way[0].y - way[1].y).abs() < 1.0
}

/// Slanted pieces become an S along the flow, in small straight pieces.
fn swung(graph: &Graph, way: &[Point]) -> Vec<Point> {
    const PIECES: usize = 12;
    let sideways = graph.direction.is_sideways() || graph.kind == Kind::MindMap;
    let mut points = vec![way[0]];
    for pair in way.windows(2) {
        let (a, b) = (pair[0], pair[1]);
        if is_straight(pair) {
            points.push(b);
            continue;
        }
        points
            .extend((1..=PIECES).map(|it| curve::bend(a, b, it as f64 / PIECES as f64, sideways)));
    }
    points
}

/// Points at even distances: where they are uneven, the curve through them swings out.
fn even(way: &[Point], step: f64) -> Vec<Point> {
    let total: f64 = way.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
    let count = (total / step).round().clamp(2.0, 40.0) as usize;
    let step = total / count as f64;
    let mut points = vec![way[0]];
    let (mut walked, mut next) = (0.0, step);
    for pair in way.windows(2) {
        let piece = pair[0].distance(pair[1]);
        while points.len() < count && next <= walked + piece && piece > 0.0 {
            points.push(pair[0].toward(pair[1], (next - walked) / piece));
            next += step;
        }
        walked += piece;
    }
    points.push(way[way.len() - 1]);
    points
}
