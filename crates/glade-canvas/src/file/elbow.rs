//! Elbow arrows whose way is not square: a program that writes files names the two ends, and the editor finds the way
//! when it opens them. Arrows that are bound keep the way they have until what they are bound to moves.

use serde_json::{Value, json};

use super::load::Note;
use crate::element::{Element, ElementKind};
use crate::geometry::Point;

/// Points that differ by less along an axis are in line.
const IN_LINE: f64 = 1.0;

pub(super) fn straighten(elements: &mut [Element], notes: &mut Vec<Note>) {
    for element in elements {
        if element.kind() != ElementKind::Arrow || !element.is_elbowed() {
            continue;
        }
        let is_bound = |key: &str| element.props.get(key).is_some_and(Value::is_object);
        let points = element.points();
        let (Some(first), Some(last)) = (points.first(), points.last()) else {
            continue;
        };
        if is_bound("startBinding") || is_bound("endBinding") || is_square(&points) {
            continue;
        }
        let way = way(Point::new(last.x - first.x, last.y - first.y));
        let placed = way.map(|point| json!([first.x + point.x, first.y + point.y]));
        let (width, height) = ((last.x - first.x).abs(), (last.y - first.y).abs());
        let props = &mut element.props;
        props.insert("points".to_owned(), json!(placed));
        props.insert("width".to_owned(), json!(width));
        props.insert("height".to_owned(), json!(height));
        notes.push(Note::Rerouted {
            arrow: element.id.clone(),
        });
    }
}

fn is_square(points: &[Point]) -> bool {
    let in_line = |pair: &[Point]| {
        let (dx, dy) = (pair[1].x - pair[0].x, pair[1].y - pair[0].y);
        dx.abs() < IN_LINE || dy.abs() < IN_LINE
    };
    points.windows(2).all(in_line)
}

/// From (0, 0): half along the longer side, across, and on.
fn way(end: Point) -> [Point; 4] {
    let (first, second) = if end.x.abs() >= end.y.abs() {
        let half = end.x / 2.0;
        (Point::new(half, 0.0), Point::new(half, end.y))
    } else {
        let half = end.y / 2.0;
        (Point::new(0.0, half), Point::new(end.x, half))
    };
    [Point::new(0.0, 0.0), first, second, end]
}
