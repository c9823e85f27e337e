//! Parallel lines that fill polygons: a scan over sorted edges.
//!
//! **Bounded**: the editor's own loop takes one step a pixel, which for a broken element ten million pixels high is
//! ten million lines. Beyond [`MAX_STEPS`] the step and the gap grow, so that the work stays the same.

use crate::geometry::Point;

/// More scan steps than any real drawing needs: a shape 60,000 pixels high.
const MAX_STEPS: f64 = 60_000.0;
/// Lines of one fill: as many as a shape of 8,000 × 8,000 pixels with the finest stroke takes, and more.
const MAX_LINES: usize = 50_000;

struct Edge {
    y_min: f64,
    y_max: f64,
    x: f64,
    /// How far x moves a unit of y; from when it is crossed on, a step.
    slope: f64,
}

pub(super) fn hachure_lines(
    polygons: &mut [Vec<Point>],
    gap: f64,
    degrees: f64,
    step: f64,
) -> Vec<(Point, Point)> {
    if degrees != 0.0 {
        for polygon in polygons.iter_mut() {
            rotate(polygon.iter_mut(), degrees);
        }
    }
    let mut lines = straight_lines(polygons, gap, step);
    if degrees != 0.0 {
        for polygon in polygons.iter_mut() {
            rotate(polygon.iter_mut(), -degrees);
        }
        rotate(lines.iter_mut().flat_map(|(from, to)| [from, to]), -degrees);
    }
    lines
}

fn rotate<'a>(points: impl Iterator<Item = &'a mut Point>, degrees: f64) {
    let (sin, cos) = (std::f64::consts::PI / 180.0 * degrees).sin_cos();
    for point in points {
        let (x, y) = (point.x, point.y);
        *point = Point::new(x * cos - y * sin, x * sin + y * cos);
    }
}

fn straight_lines(polygons: &[Vec<Point>], gap: f64, step: f64) -> Vec<(Point, Point)> {
    let mut edges = sorted_edges(polygons);
    let Some(first) = edges.first() else {
        return Vec::new();
    };
    let mut y = first.y_min;
    let height = edges.iter().fold(y, |most, edge| most.max(edge.y_max)) - y;
    let strain = (height / step / MAX_STEPS).max(1.0);
    // Only a strained scan leaves the whole numbers that make `iteration % gap` meet zero.
    let (step, gap) = if strain > 1.0 {
        (gap * strain, gap * strain)
    } else {
        (step, gap)
    };
    let mut lines = Vec::with_capacity(((height / gap) as usize).min(MAX_LINES) + 2);
    let mut active: Vec<Edge> = Vec::new();
    let mut waiting = edges.drain(..).peekable();
    // A gap is mostly a small whole number, for which counting says the same as a division and is quick.
    let whole = (gap.fract() == 0.0 && (1.0..=MAX_STEPS).contains(&gap)).then_some(gap as u32);
    let mut to_go = 0;
    let mut iteration: u64 = 0;
    // Up to here the same edges are crossed.
    let mut event = y;
    while (!active.is_empty() || waiting.peek().is_some()) && lines.len() < MAX_LINES {
        if y >= event {
            while let Some(mut edge) = waiting.next_if(|edge| edge.y_min <= y) {
                edge.slope *= step;
                active.push(edge);
            }
            active.retain(|edge| edge.y_max > y);
            let next = waiting.peek().map_or(f64::INFINITY, |edge| edge.y_min);
            event = active
                .iter()
                .fold(next, |event, edge| event.min(edge.y_max));
        }
        let draws = match whole {
            _ if step != 1.0 => true,
            Some(gap) if to_go == 0 => {
                to_go = gap - 1;
                true
            }
            Some(_) => {
                to_go -= 1;
                false
            }
            None => iteration as f64 % gap == 0.0,
        };
        if draws {
            in_order(&mut active);
            for pair in active.chunks_exact(2) {
                lines.push((
                    Point::new((pair[0].x + 0.5).floor(), y),
                    Point::new((pair[1].x + 0.5).floor(), y),
                ));
            }
        }
        // On to the next line, or to where other edges are crossed.
        let mut steps = 0;
        loop {
            y += step;
            steps += 1;
            if to_go == 0 || y >= event {
                break;
            }
            to_go -= 1;
        }
        iteration += u64::from(steps);
        advance(&mut active, steps);
    }
    lines
}

/// By where they are crossed: only where lines are drawn does that matter.
fn in_order(active: &mut [Edge]) {
    // Adding zero turns -0 into 0, which compare as equal in the original.
    let order = |one: &Edge, other: &Edge| (one.x + 0.0).total_cmp(&(other.x + 0.0));
    match active {
        // As most of the time.
        [one, other] => {
            if order(one, other).is_gt() {
                std::mem::swap(one, other);
            }
        }
        _ => active.sort_by(order),
    }
}

/// Step by step: sums are rounded as rough.js has them.
fn advance(active: &mut [Edge], steps: u32) {
    match active {
        // As most of the time, and then both at once.
        [one, other] => {
            for _ in 0..steps {
                one.x += one.slope;
                other.x += other.slope;
            }
        }
        _ => {
            for edge in active {
                for _ in 0..steps {
                    edge.x += edge.slope;
                }
            }
        }
    }
}

fn sorted_edges(polygons: &[Vec<Point>]) -> Vec<Edge> {
    let mut edges = Vec::new();
    for polygon in polygons {
        let (Some(first), Some(last)) = (polygon.first(), polygon.last()) else {
            continue;
        };
        let closing = (first != last).then_some(*first);
        if polygon.len() + usize::from(closing.is_some()) <= 2 {
            continue;
        }
        let around = polygon.iter().copied().chain(closing);
        for (from, to) in around.clone().zip(around.skip(1)) {
            if from.y == to.y {
                continue;
            }
            let y_min = from.y.min(to.y);
            edges.push(Edge {
                y_min,
                y_max: from.y.max(to.y),
                x: if y_min == from.y { from.x } else { to.x },
                slope: (to.x - from.x) / (to.y - from.y),
            });
        }
    }
    edges.sort_by(|one, other| {
        (one.y_min + 0.0)
            .total_cmp(&(other.y_min + 0.0))
            .then((one.x + 0.0).total_cmp(&(other.x + 0.0)))
            .then((one.y_max + 0.0).total_cmp(&(other.y_max + 0.0)))
    });
    edges
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shape_of_ten_million_pixels_takes_bounded_work() {
        let mut square = vec![vec![
            Point::new(0.0, 0.0),
            Point::new(1e7, 0.0),
            Point::new(1e7, 1e7),
            Point::new(0.0, 1e7),
        ]];
        let lines = hachure_lines(&mut square, 4.0, 49.0, 1.0);
        assert!(!lines.is_empty() && lines.len() <= MAX_LINES);
    }
}
