//! Boxes that lie on one another are moved apart, little (Dwyer, Marriott and Stuckey 2005).

use crate::geometry::{Point, Rect, at};
use crate::separate::{self, FIXED, Gap, Goal};

/// A box that may have to move.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Solid {
    pub rect: Rect,
    pub weight: f64,
}

/// New corners; the larger a box, the more it stays.
pub(crate) fn apart(rects: &[Rect], gap: f64) -> Vec<Point> {
    let solids = rects.iter().map(|&rect| Solid {
        rect,
        weight: 1.0 + rect.w * rect.h / 1.0e4,
    });
    weighted(&solids.collect::<Vec<_>>(), gap)
}

/// New corners; what weighs [`FIXED`] stays.
pub(crate) fn weighted(solids: &[Solid], gap: f64) -> Vec<Point> {
    let mut rects: Vec<Rect> = solids.iter().map(|it| it.rect).collect();
    if !any_overlap(&rects, gap) {
        return rects.iter().map(|it| it.corner()).collect();
    }
    // Along the axis on which less is in the way first; what is left, along the other.
    let x = solve(solids, &rects, gap, Axis::X);
    for (rect, x) in rects.iter_mut().zip(x) {
        rect.x = x;
    }
    let y = solve(solids, &rects, gap, Axis::Y);
    for (rect, y) in rects.iter_mut().zip(y) {
        rect.y = y;
    }
    for (rect, solid) in rects.iter_mut().zip(solids) {
        if solid.weight >= FIXED {
            (rect.x, rect.y) = (solid.rect.x, solid.rect.y);
        }
    }
    find_room(solids, &mut rects, gap);
    rects.iter().map(|it| it.corner()).collect()
}

/// What is caught between things that stay goes to the nearest free place beside something.
fn find_room(solids: &[Solid], rects: &mut [Rect], gap: f64) {
    for at in 0..rects.len() {
        let own = rects[at];
        let is_free = |it: Rect, rects: &[Rect]| {
            let others = rects.iter().enumerate().filter(|(other, _)| *other != at);
            others
                .into_iter()
                .all(|(_, other)| !other.grown(-1e-6).overlaps(it))
        };
        if solids[at].weight >= FIXED || is_free(own, rects) {
            continue;
        }
        let beside = rects.iter().flat_map(|it| {
            let (left, right) = (it.x - own.w - gap, it.right() + gap);
            let (above, below) = (it.y - own.h - gap, it.bottom() + gap);
            [
                (left, own.y),
                (right, own.y),
                (own.x, above),
                (own.x, below),
                (left, it.y),
                (right, it.y),
                (it.x, above),
                (it.x, below),
            ]
        });
        let places = beside.map(|(x, y)| Rect { x, y, ..own });
        let free = places.filter(|&it| is_free(it, rects));
        let off = |it: &Rect| it.corner().distance(own.corner());
        if let Some(nearest) = free.min_by(|a, b| off(a).total_cmp(&off(b))) {
            rects[at] = nearest;
        }
    }
}

fn any_overlap(rects: &[Rect], gap: f64) -> bool {
    let mut order: Vec<usize> = (0..rects.len()).collect();
    order.sort_by(|&a, &b| rects[a].x.total_cmp(&rects[b].x));
    (0..order.len()).any(|at| {
        let one = rects[order[at]].grown(gap / 2.0 - 1e-6);
        let rest = order[at + 1..]
            .iter()
            .map(|&it| rects[it].grown(gap / 2.0 - 1e-6));
        rest.take_while(|it| it.x < one.right())
            .any(|it| it.overlaps(one))
    })
}

#[derive(Clone, Copy, PartialEq)]
enum Axis {
    X,
    Y,
}

/// The low corners along an axis. In the first pass, pairs that part easier along the other axis are left to it.
fn solve(solids: &[Solid], rects: &[Rect], gap: f64, axis: Axis) -> Vec<f64> {
    let span = |rect: Rect| match axis {
        Axis::X => (rect.x, rect.w),
        Axis::Y => (rect.y, rect.h),
    };
    let goals: Vec<Goal> = rects
        .iter()
        .zip(solids)
        .map(|(&rect, solid)| Goal {
            place: span(rect).0 + span(rect).1 / 2.0,
            weight: solid.weight,
        })
        .collect();
    let mut gaps = Vec::new();
    for one in 0..rects.len() {
        for other in one + 1..rects.len() {
            if is_concerned(rects[one], rects[other], gap, axis) {
                let (a, b) = if goals[one].place <= goals[other].place {
                    (one, other)
                } else {
                    (other, one)
                };
                let apart = (span(rects[a]).1 + span(rects[b]).1) / 2.0 + gap;
                gaps.push(Gap {
                    left: a,
                    right: b,
                    gap: apart,
                });
            }
        }
    }
    let places = separate::places(&goals, &gaps);
    places
        .iter()
        .zip(rects)
        .map(|(place, &rect)| place - span(rect).1 / 2.0)
        .collect()
}

fn is_concerned(one: Rect, other: Rect, gap: f64, axis: Axis) -> bool {
    let (half, off) = (
        at((one.w + other.w) / 2.0 + gap, (one.h + other.h) / 2.0 + gap),
        one.center().minus(other.center()),
    );
    let (deep_x, deep_y) = (half.x - off.x.abs(), half.y - off.y.abs());
    match axis {
        // Whoever shares rows is kept in order; whoever overlaps less across parts across.
        Axis::X => deep_y > 1e-6 && (deep_x <= 1e-6 || deep_x <= deep_y),
        Axis::Y => deep_x > 1e-6,
    }
}
