//! Free room on the page.

use crate::geometry::{Point, Rect, sane};
use crate::index::Index;

/// How many of the nearest obstacles are considered as things to slide past. More only matter in crowds, where
/// the last resort, beside everything, is as good.
const NEAREST: usize = 24;
/// Shares of a pixel that do not count as overlap.
const SLACK: f64 = 1e-6;

/// The place nearest to `wanted`, of the same size, that keeps `gap` from every obstacle. Of equally near ones
/// the one to the right, then below, then left, then above. Deterministic, whatever the obstacles' order.
pub fn free_rect(obstacles: &[Rect], wanted: Rect, gap: f64) -> Rect {
    let wanted = clean(wanted);
    let gap = sane(gap, 0.0).max(0.0);
    let blocked: Vec<Rect> = obstacles
        .iter()
        .map(|rect| grown(clean(*rect), gap))
        .collect();
    if !blocked.iter().any(|obstacle| overlaps(obstacle, &wanted)) {
        return wanted;
    }
    let mut places: Index<usize> = Index::default();
    for (at, obstacle) in blocked.iter().enumerate() {
        places.put(&at, *obstacle);
    }
    let is_free = |place: &Rect| {
        let near = places.touching(place).into_iter();
        !near
            .map(|at| &blocked[*at])
            .any(|obstacle| overlaps(obstacle, place))
    };
    let mut candidates = candidates(&blocked, &wanted);
    candidates.sort_by(|a, b| {
        nearness(&wanted, a)
            .partial_cmp(&nearness(&wanted, b))
            .unwrap_or(std::cmp::Ordering::Equal)
    });
    candidates
        .into_iter()
        .find(is_free)
        .unwrap_or_else(|| beside_everything(&blocked, &wanted))
}

/// The nearest free place touches an obstacle or the wanted position along each axis, so only those are tried.
fn candidates(blocked: &[Rect], wanted: &Rect) -> Vec<Rect> {
    let mut near: Vec<&Rect> = blocked.iter().collect();
    let distance = |rect: &Rect| {
        let (a, b) = (rect.center(), wanted.center());
        let apart = |gap: f64, sides: f64| (gap.abs() - sides / 2.0).max(0.0);
        let (dx, dy) = (
            apart(a.x - b.x, rect.w + wanted.w),
            apart(a.y - b.y, rect.h + wanted.h),
        );
        (dx.hypot(dy), rect.x, rect.y, rect.w, rect.h)
    };
    near.sort_by(|a, b| {
        distance(a)
            .partial_cmp(&distance(b))
            .unwrap_or(std::cmp::Ordering::Equal)
    });
    near.truncate(NEAREST);
    let mut columns = vec![wanted.x];
    let mut rows = vec![wanted.y];
    for rect in near {
        columns.extend([rect.right(), rect.x - wanted.w]);
        rows.extend([rect.bottom(), rect.y - wanted.h]);
    }
    let at = |x: f64| {
        rows.iter()
            .map(move |y| Rect::new(x, *y, wanted.w, wanted.h))
    };
    columns.into_iter().flat_map(at).collect()
}

/// Sorts by distance, then right, below, left, above, then by place.
fn nearness(wanted: &Rect, place: &Rect) -> (f64, u8, f64, f64) {
    let (dx, dy) = (place.x - wanted.x, place.y - wanted.y);
    let direction = if dx.abs() >= dy.abs() {
        if dx >= 0.0 { 0 } else { 2 }
    } else if dy >= 0.0 {
        1
    } else {
        3
    };
    (
        Point::default().distance(Point::new(dx, dy)),
        direction,
        place.x,
        place.y,
    )
}

fn beside_everything(blocked: &[Rect], wanted: &Rect) -> Rect {
    let right = blocked.iter().map(Rect::right).fold(wanted.x, f64::max);
    Rect::new(right, wanted.y, wanted.w, wanted.h)
}

fn overlaps(a: &Rect, b: &Rect) -> bool {
    a.x + SLACK < b.right()
        && b.x + SLACK < a.right()
        && a.y + SLACK < b.bottom()
        && b.y + SLACK < a.bottom()
}

fn grown(rect: Rect, gap: f64) -> Rect {
    Rect::new(
        rect.x - gap,
        rect.y - gap,
        rect.w + 2.0 * gap,
        rect.h + 2.0 * gap,
    )
}

fn clean(rect: Rect) -> Rect {
    Rect::new(
        sane(rect.x, 0.0),
        sane(rect.y, 0.0),
        sane(rect.w, 0.0),
        sane(rect.h, 0.0),
    )
    .normalized()
}
