//! Several drawings beside each other, in rows.

use crate::geometry::{Point, Size, at};

/// Wider than high, as screens are.
const ASPECT: f64 = 1.6;

/// The top left corner of each, in the order given.
pub(crate) fn rows(sizes: &[Size], gap: f64) -> Vec<Point> {
    let area: f64 = sizes.iter().map(|it| (it.w + gap) * (it.h + gap)).sum();
    let widest = sizes.iter().map(|it| it.w).fold(0.0, f64::max);
    let most = widest.max((area * ASPECT).sqrt());
    let (mut x, mut y, mut height) = (0.0, 0.0, 0.0_f64);
    let mut corners = Vec::with_capacity(sizes.len());
    for size in sizes {
        if x > 0.0 && x + size.w > most {
            (x, y, height) = (0.0, y + height + gap, 0.0);
        }
        corners.push(at(x, y));
        x += size.w + gap;
        height = height.max(size.h);
    }
    corners
}
