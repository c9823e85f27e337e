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
    let blocked = blocked(obstacles, gap);
    let nearest = nearest_free(&blocked, &wanted, &[], &|_| true);
    nearest.unwrap_or_else(|| beside_everything(&blocked, &wanted))
}

/// As [`free_rect`], but only inside of an area; nothing if there is no room in it.
pub fn free_rect_within(obstacles: &[Rect], wanted: Rect, gap: f64, area: Rect) -> Option<Rect> {
    let (wanted, area) = (clean(wanted), clean(area));
    let (right, bottom) = (area.right() - wanted.w, area.bottom() - wanted.h);
    if right < area.x || bottom < area.y {
        return None;
    }
    let (x, y) = (
        wanted.x.clamp(area.x, right),
        wanted.y.clamp(area.y, bottom),
    );
    let wanted = Rect::new(x, y, wanted.w, wanted.h);
    let mut blocked = blocked(obstacles, gap);
    blocked.retain(|obstacle| overlaps(obstacle, &area));
    let corners = [Point::new(area.x, area.y), Point::new(right, bottom)];
    let is_in =
        |place: &Rect| (area.x..=right).contains(&place.x) && (area.y..=bottom).contains(&place.y);
    nearest_free(&blocked, &wanted, &corners, &is_in)
}

fn blocked(obstacles: &[Rect], gap: f64) -> Vec<Rect> {
    let gap = sane(gap, 0.0).max(0.0);
    let grown = obstacles.iter().map(|rect| grown(clean(*rect), gap));
    grown.collect()
}

fn nearest_free(
    blocked: &[Rect],
    wanted: &Rect,
    corners: &[Point],
    may: &dyn Fn(&Rect) -> bool,
) -> Option<Rect> {
    if !blocked.iter().any(|obstacle| overlaps(obstacle, wanted)) {
        return Some(*wanted);
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
    let mut candidates = candidates(blocked, wanted, corners);
    candidates.retain(may);
    candidates.sort_by(|a, b| {
        nearness(wanted, a)
            .partial_cmp(&nearness(wanted, b))
            .unwrap_or(std::cmp::Ordering::Equal)
    });
    candidates.into_iter().find(is_free)
}

/// The nearest free place touches an obstacle, the wanted position or a corner along each axis, so only those are tried.
fn candidates(blocked: &[Rect], wanted: &Rect, corners: &[Point]) -> Vec<Rect> {
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
    columns.extend(corners.iter().map(|corner| corner.x));
    rows.extend(corners.iter().map(|corner| corner.y));
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
