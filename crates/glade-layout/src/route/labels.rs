//! Labels of links: on their line, and on nothing else.

use crate::draft::Draft;
use crate::geometry::{Point, Rect, Size};
use crate::graph::Graph;
use crate::outcome::{Label, Route};

use super::field::Field;
use super::{Course, Way, seen};

const PARTS: [f64; 15] = [
    0.5, 0.42, 0.58, 0.35, 0.65, 0.28, 0.72, 0.22, 0.78, 0.16, 0.84, 0.1, 0.9, 0.05, 0.95,
];

struct Line {
    points: Vec<Point>,
    around: Rect,
}

pub(crate) fn all(
    graph: &Graph,
    draft: &Draft,
    field: &Field,
    ways: Vec<Option<Course>>,
) -> Vec<Way> {
    let lines: Vec<Option<Line>> = ways
        .iter()
        .map(|way| {
            let way = way.as_ref()?;
            let points = seen(way.routing, &way.points);
            let around = points
                .windows(2)
                .map(|pair| super::field::span(pair[0], pair[1]))
                .reduce(Rect::union)?;
            Some(Line { points, around })
        })
        .collect();
    let mut taken: Vec<Rect> = Vec::new();
    let mut labels = vec![None; ways.len()];
    // What an engine kept room for comes first.
    for reserved in [true, false] {
        for (at, link) in graph.links.iter().enumerate() {
            let (Some(size), Some(line)) = (link.label, &lines[at]) else {
                continue;
            };
            if labels[at].is_some() || draft.labels[at].is_some() != reserved {
                continue;
            }
            let scene = Scene {
                field,
                taken: &taken,
                lines: &lines,
                own: at,
            };
            let found = scene.best(line, size, draft.labels[at]);
            taken.push(found.0.rect);
            labels[at] = Some(found);
        }
    }
    ways.into_iter()
        .zip(labels)
        .map(|(way, label)| Way {
            route: match way {
                Some(Course { routing, points }) => Route::Path { routing, points },
                None => Route::Unroutable,
            },
            label: label.map(|it| it.0),
            label_covers: label.is_some_and(|it| it.1),
        })
        .collect()
}

struct Scene<'a> {
    field: &'a Field,
    taken: &'a [Rect],
    lines: &'a [Option<Line>],
    own: usize,
}

impl Scene<'_> {
    /// A label that covers nothing, and whether it does after all.
    fn best(&self, line: &Line, size: Size, reserved: Option<Rect>) -> (Label, bool) {
        if let Some(along) = reserved.and_then(|it| nearest(&line.points, it.center())) {
            let label = label(&line.points, along, size);
            if self.covers(label.rect) == 0 {
                return (label, false);
            }
        }
        let labels = PARTS
            .into_iter()
            .map(|part| label(&line.points, part, size));
        let mut best: Option<(Label, usize)> = None;
        for it in labels {
            let covers = self.covers(it.rect);
            if best.is_none_or(|(_, least)| covers < least) {
                best = Some((it, covers));
            }
            if covers == 0 {
                break;
            }
        }
        let (label, covers) = best.unwrap_or((label(&line.points, 0.5, size), 0));
        (label, covers > 0)
    }

    /// How much a label would cover: words and boxes count more than lines.
    fn covers(&self, rect: Rect) -> usize {
        let boxes = self
            .field
            .near(rect)
            .into_iter()
            .filter(|&it| self.field.boxes[it].overlaps(rect))
            .count();
        let labels = self.taken.iter().filter(|it| it.overlaps(rect)).count();
        if boxes + labels > 0 {
            return (boxes + labels) * 100;
        }
        let others = self
            .lines
            .iter()
            .enumerate()
            .filter(|(at, _)| *at != self.own);
        let near = others
            .filter_map(|(_, line)| line.as_ref())
            .filter(|line| line.around.grown(1.0).overlaps(rect));
        near.filter(|line| {
            line.points
                .windows(2)
                .any(|pair| rect.is_crossed_by(pair[0], pair[1]))
        })
        .count()
    }
}

fn length(points: &[Point]) -> f64 {
    points
        .windows(2)
        .map(|pair| pair[0].distance(pair[1]))
        .sum()
}

fn label(points: &[Point], along: f64, size: Size) -> Label {
    let mut left = length(points) * along;
    let mut middle = points[0];
    for pair in points.windows(2) {
        let piece = pair[0].distance(pair[1]);
        if left <= piece {
            middle = pair[0].toward(pair[1], if piece > 0.0 { left / piece } else { 0.0 });
            break;
        }
        left -= piece;
        middle = pair[1];
    }
    Label {
        rect: Rect::around(middle, size),
        along,
    }
}

/// Which part of the line lies before its point nearest to `it`, if that is near.
fn nearest(points: &[Point], it: Point) -> Option<f64> {
    let total = length(points);
    let (mut best, mut walked) = (None, 0.0);
    let mut least = 24.0;
    for pair in points.windows(2) {
        let piece = pair[0].distance(pair[1]);
        if piece > 0.0 {
            let (d, off) = (pair[1].minus(pair[0]), it.minus(pair[0]));
            let part = ((d.x * off.x + d.y * off.y) / (piece * piece)).clamp(0.0, 1.0);
            let distance = pair[0].toward(pair[1], part).distance(it);
            if distance < least {
                least = distance;
                best = Some((walked + piece * part) / total);
            }
        }
        walked += piece;
    }
    best
}
