//! Keeping straight arrows off boxes that they have nothing to do with.

use glade_canvas::{Point, Rect};

use super::flow::Graph;
use super::layout::label_size;

/// Shifts whole columns up or down while that takes arrows off boxes.
pub fn clear_ways(graph: &Graph, columns: &[Vec<usize>], rects: &mut [Rect]) {
    let mut cost = crossings(graph, rects);
    for _ in 0..2 {
        for column in columns {
            if cost == 0 {
                return;
            }
            let mut best = (cost, 0.0);
            for step in [1.0, -1.0, 2.0, -2.0, 3.0, -3.0] {
                let shift = step * 75.0;
                shift_column(rects, column, shift);
                let now = crossings(graph, rects);
                shift_column(rects, column, -shift);
                if now < best.0 {
                    best = (now, shift);
                }
            }
            cost = best.0;
            shift_column(rects, column, best.1);
        }
    }
}

fn shift_column(rects: &mut [Rect], column: &[usize], shift: f64) {
    for node in column {
        rects[*node].y += shift;
    }
}

/// How often an arrow or its label lies on a box that it has nothing to do with.
pub fn crossings(graph: &Graph, rects: &[Rect]) -> usize {
    let mut hits = 0;
    for edge in graph.edges.iter().filter(|edge| edge.from != edge.to) {
        let (from, to) = (rects[edge.from].center(), rects[edge.to].center());
        let label = edge
            .label
            .as_ref()
            .map(|_| Rect::centered(middle(&rects[edge.from], &rects[edge.to]), label_size(edge)));
        for (node, rect) in rects.iter().enumerate() {
            let own = node == edge.from || node == edge.to;
            let crossed = !own && crosses(from, to, &rect.expand(8.0));
            let covered = label.is_some_and(|label| label.intersects(rect));
            hits += usize::from(crossed) + usize::from(covered);
        }
    }
    hits
}

/// The middle of what is seen of a straight arrow: between the boxes, not between their middles.
pub fn middle(from: &Rect, to: &Rect) -> Point {
    let (a, b) = (from.center(), to.center());
    let (start, end) = (edge(from, b), edge(to, a));
    start.midpoint(end)
}

/// Where the way from the middle of a box leaves it.
fn edge(rect: &Rect, towards: Point) -> Point {
    let middle = rect.center();
    let (dx, dy) = (towards.x - middle.x, towards.y - middle.y);
    let share = |half: f64, delta: f64| {
        if delta == 0.0 {
            f64::INFINITY
        } else {
            half / delta.abs()
        }
    };
    let t = share(rect.w / 2.0, dx)
        .min(share(rect.h / 2.0, dy))
        .min(0.5);
    Point::new(middle.x + dx * t, middle.y + dy * t)
}

/// Whether the straight way passes through the rectangle (Liang and Barsky's clipping).
fn crosses(from: Point, to: Point, rect: &Rect) -> bool {
    let (dx, dy) = (to.x - from.x, to.y - from.y);
    let (mut enter, mut leave) = (0.0f64, 1.0f64);
    for (delta, low, high) in [
        (dx, rect.x - from.x, rect.right() - from.x),
        (dy, rect.y - from.y, rect.bottom() - from.y),
    ] {
        if delta == 0.0 {
            if low > 0.0 || high < 0.0 {
                return false;
            }
            continue;
        }
        let (a, b) = (low / delta, high / delta);
        enter = enter.max(a.min(b));
        leave = leave.min(a.max(b));
    }
    enter < leave
}
