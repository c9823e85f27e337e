//! Points, sizes and rectangles in page space: x to the right, y down, the unit one CSS pixel at 100 % zoom.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// No coordinate or size we work with is larger than this: numbers beyond it (and NaN) come from broken
/// writers, and clamping them once, where properties are read, keeps every later sum finite and exact enough.
pub const COORDINATE_LIMIT: f64 = 1e7;

/// `value` if it is a usable coordinate, clamped; `fallback` if it is NaN or infinite.
pub fn sane(value: f64, fallback: f64) -> f64 {
    if value.is_finite() {
        value.clamp(-COORDINATE_LIMIT, COORDINATE_LIMIT)
    } else {
        fallback
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Point {
    pub x: f64,
    pub y: f64,
}

impl Point {
    pub const fn new(x: f64, y: f64) -> Self {
        Self { x, y }
    }

    /// The same point, brought within what can be stored and read back.
    pub fn sane(self) -> Point {
        Point::new(sane(self.x, 0.0), sane(self.y, 0.0))
    }

    pub fn distance(self, other: Point) -> f64 {
        (self.x - other.x).hypot(self.y - other.y)
    }

    pub fn midpoint(self, other: Point) -> Point {
        Point::new((self.x + other.x) / 2.0, (self.y + other.y) / 2.0)
    }

    pub fn translate(self, dx: f64, dy: f64) -> Point {
        Point::new(self.x + dx, self.y + dy)
    }

    /// Turned by `angle` radians (clockwise on screen) about `center`.
    pub fn rotate(self, center: Point, angle: f64) -> Point {
        if angle == 0.0 {
            return self;
        }
        let (sin, cos) = angle.sin_cos();
        let (dx, dy) = (self.x - center.x, self.y - center.y);
        Point::new(
            center.x + dx * cos - dy * sin,
            center.y + dx * sin + dy * cos,
        )
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Size {
    pub w: f64,
    pub h: f64,
}

impl Size {
    pub const fn new(w: f64, h: f64) -> Self {
        Self { w, h }
    }
}

/// An upright rectangle. `w` and `h` are never negative when made by this module.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Rect {
    pub x: f64,
    pub y: f64,
    pub w: f64,
    pub h: f64,
}

impl Rect {
    pub const fn new(x: f64, y: f64, w: f64, h: f64) -> Self {
        Self { x, y, w, h }
    }

    /// The same area with non-negative sizes, whichever way it was dragged open.
    pub fn normalized(self) -> Rect {
        let (x, w) = if self.w < 0.0 {
            (self.x + self.w, -self.w)
        } else {
            (self.x, self.w)
        };
        let (y, h) = if self.h < 0.0 {
            (self.y + self.h, -self.h)
        } else {
            (self.y, self.h)
        };
        Rect { x, y, w, h }
    }

    pub fn centered(center: Point, size: Size) -> Rect {
        Rect::new(
            center.x - size.w / 2.0,
            center.y - size.h / 2.0,
            size.w,
            size.h,
        )
    }

    /// The smallest rectangle that holds all points; none for no points.
    pub fn from_points(points: impl IntoIterator<Item = Point>) -> Option<Rect> {
        let mut points = points.into_iter();
        let first = points.next()?;
        let (mut left, mut top, mut right, mut bottom) = (first.x, first.y, first.x, first.y);
        for point in points {
            left = left.min(point.x);
            right = right.max(point.x);
            top = top.min(point.y);
            bottom = bottom.max(point.y);
        }
        Some(Rect::new(left, top, right - left, bottom - top))
    }

    pub fn right(&self) -> f64 {
        self.x + self.w
    }

    pub fn bottom(&self) -> f64 {
        self.y + self.h
    }

    pub fn center(&self) -> Point {
        Point::new(self.x + self.w / 2.0, self.y + self.h / 2.0)
    }

    pub fn size(&self) -> Size {
        Size::new(self.w, self.h)
    }

    pub fn area(&self) -> f64 {
        self.w * self.h
    }

    /// Top left, top right, bottom right, bottom left.
    pub fn corners(&self) -> [Point; 4] {
        [
            Point::new(self.x, self.y),
            Point::new(self.right(), self.y),
            Point::new(self.right(), self.bottom()),
            Point::new(self.x, self.bottom()),
        ]
    }

    /// Whether the point lies inside or on the edge.
    pub fn contains(&self, point: Point) -> bool {
        point.x >= self.x
            && point.x <= self.right()
            && point.y >= self.y
            && point.y <= self.bottom()
    }

    pub fn contains_rect(&self, other: &Rect) -> bool {
        other.x >= self.x
            && other.y >= self.y
            && other.right() <= self.right()
            && other.bottom() <= self.bottom()
    }

    /// Whether the two share more than an edge.
    pub fn intersects(&self, other: &Rect) -> bool {
        self.x < other.right()
            && other.x < self.right()
            && self.y < other.bottom()
            && other.y < self.bottom()
    }

    /// Whether the two share anything, be it an edge: what a view should show, thin lines included.
    pub fn touches(&self, other: &Rect) -> bool {
        self.x <= other.right()
            && other.x <= self.right()
            && self.y <= other.bottom()
            && other.y <= self.bottom()
    }

    pub fn union(&self, other: &Rect) -> Rect {
        let (x, y) = (self.x.min(other.x), self.y.min(other.y));
        Rect::new(
            x,
            y,
            self.right().max(other.right()) - x,
            self.bottom().max(other.bottom()) - y,
        )
    }

    /// Larger by `margin` on every side; a negative margin shrinks it, down to nothing around its middle.
    pub fn expand(&self, margin: f64) -> Rect {
        let (w, h) = (
            (self.w + 2.0 * margin).max(0.0),
            (self.h + 2.0 * margin).max(0.0),
        );
        Rect::centered(self.center(), Size::new(w, h))
    }

    pub fn translate(&self, dx: f64, dy: f64) -> Rect {
        Rect::new(self.x + dx, self.y + dy, self.w, self.h)
    }

    /// The upright rectangle around this one turned by `angle` radians about its middle.
    pub fn rotated_bounds(&self, angle: f64) -> Rect {
        if angle == 0.0 {
            return *self;
        }
        let center = self.center();
        Rect::from_points(self.corners().map(|corner| corner.rotate(center, angle)))
            .unwrap_or(*self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rects_that_share_only_an_edge_touch_but_do_not_intersect() {
        let (left, right) = (
            Rect::new(0.0, 0.0, 10.0, 10.0),
            Rect::new(10.0, 0.0, 10.0, 10.0),
        );
        assert!(!left.intersects(&right));
        assert!(left.touches(&right));
    }

    #[test]
    fn a_quarter_turn_swaps_width_and_height() {
        let turned = Rect::new(0.0, 0.0, 100.0, 20.0).rotated_bounds(std::f64::consts::FRAC_PI_2);
        assert!((turned.x - 40.0).abs() < 1e-9 && (turned.y + 40.0).abs() < 1e-9);
        assert!((turned.w - 20.0).abs() < 1e-9 && (turned.h - 100.0).abs() < 1e-9);
    }

    #[test]
    fn shrinking_below_nothing_stops_at_the_middle() {
        assert_eq!(
            Rect::new(0.0, 0.0, 10.0, 4.0).expand(-3.0),
            Rect::new(3.0, 2.0, 4.0, 0.0)
        );
    }

    #[test]
    fn numbers_that_are_not_coordinates_are_clamped_or_replaced() {
        assert_eq!(
            [sane(f64::NAN, 7.0), sane(1e300, 0.0), sane(-1e300, 0.0)],
            [7.0, 1e7, -1e7]
        );
    }
}
