//! Points, sizes and rectangles of finite numbers. `y` grows downwards, as on a page.

use crate::LayoutError;

/// Nothing is larger or farther away than this.
pub const FARTHEST: f64 = 1.0e6;

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Point {
    pub(crate) x: f64,
    pub(crate) y: f64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Size {
    pub(crate) w: f64,
    pub(crate) h: f64,
}

/// Its top left corner and its size.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rect {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) w: f64,
    pub(crate) h: f64,
}

/// A side of a rectangle on the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    Top,
    Right,
    Bottom,
    Left,
}

impl Side {
    pub const ALL: [Self; 4] = [Self::Top, Self::Right, Self::Bottom, Self::Left];

    /// The unit vector that points out of the rectangle.
    pub(crate) fn outward(self) -> Point {
        match self {
            Self::Top => at(0.0, -1.0),
            Self::Right => at(1.0, 0.0),
            Self::Bottom => at(0.0, 1.0),
            Self::Left => at(-1.0, 0.0),
        }
    }
}

fn checked(value: f64, least: f64) -> Result<f64, LayoutError> {
    if (least..=FARTHEST).contains(&value) {
        Ok(value)
    } else {
        Err(LayoutError::Number(value))
    }
}

pub(crate) const fn at(x: f64, y: f64) -> Point {
    Point { x, y }
}

pub(crate) const fn rect(x: f64, y: f64, w: f64, h: f64) -> Rect {
    Rect { x, y, w, h }
}

impl Point {
    pub fn new(x: f64, y: f64) -> Result<Self, LayoutError> {
        Ok(at(checked(x, -FARTHEST)?, checked(y, -FARTHEST)?))
    }

    pub fn x(self) -> f64 {
        self.x
    }

    pub fn y(self) -> f64 {
        self.y
    }

    pub(crate) fn moved(self, by: Self) -> Self {
        at(self.x + by.x, self.y + by.y)
    }

    pub(crate) fn minus(self, other: Self) -> Self {
        at(self.x - other.x, self.y - other.y)
    }

    pub(crate) fn toward(self, other: Self, part: f64) -> Self {
        at(
            self.x + (other.x - self.x) * part,
            self.y + (other.y - self.y) * part,
        )
    }

    pub(crate) fn distance(self, other: Self) -> f64 {
        let (dx, dy) = (self.x - other.x, self.y - other.y);
        (dx * dx + dy * dy).sqrt()
    }
}

impl Size {
    pub fn new(w: f64, h: f64) -> Result<Self, LayoutError> {
        Ok(Self {
            w: checked(w, 0.0)?,
            h: checked(h, 0.0)?,
        })
    }

    pub fn w(self) -> f64 {
        self.w
    }

    pub fn h(self) -> f64 {
        self.h
    }

    pub(crate) fn is_empty(self) -> bool {
        self.w == 0.0 && self.h == 0.0
    }

    pub(crate) fn swapped(self) -> Self {
        Self {
            w: self.h,
            h: self.w,
        }
    }
}

impl Rect {
    pub fn new(x: f64, y: f64, w: f64, h: f64) -> Result<Self, LayoutError> {
        let (corner, size) = (Point::new(x, y)?, Size::new(w, h)?);
        Ok(Self::of(corner, size))
    }

    pub(crate) fn of(corner: Point, size: Size) -> Self {
        rect(corner.x, corner.y, size.w, size.h)
    }

    pub(crate) fn around(center: Point, size: Size) -> Self {
        rect(
            center.x - size.w / 2.0,
            center.y - size.h / 2.0,
            size.w,
            size.h,
        )
    }

    pub fn x(self) -> f64 {
        self.x
    }

    pub fn y(self) -> f64 {
        self.y
    }

    pub fn w(self) -> f64 {
        self.w
    }

    pub fn h(self) -> f64 {
        self.h
    }

    pub fn right(self) -> f64 {
        self.x + self.w
    }

    pub fn bottom(self) -> f64 {
        self.y + self.h
    }

    pub fn center(self) -> Point {
        at(self.x + self.w / 2.0, self.y + self.h / 2.0)
    }

    pub(crate) fn corner(self) -> Point {
        at(self.x, self.y)
    }

    pub(crate) fn size(self) -> Size {
        Size {
            w: self.w,
            h: self.h,
        }
    }

    pub(crate) fn moved(self, by: Point) -> Self {
        rect(self.x + by.x, self.y + by.y, self.w, self.h)
    }

    pub(crate) fn grown(self, by: f64) -> Self {
        rect(
            self.x - by,
            self.y - by,
            (self.w + 2.0 * by).max(0.0),
            (self.h + 2.0 * by).max(0.0),
        )
    }

    pub(crate) fn union(self, other: Self) -> Self {
        let (x, y) = (self.x.min(other.x), self.y.min(other.y));
        let right = self.right().max(other.right());
        let bottom = self.bottom().max(other.bottom());
        rect(x, y, right - x, bottom - y)
    }

    /// Whether the two share more than a border.
    pub fn overlaps(self, other: Self) -> bool {
        self.x < other.right()
            && other.x < self.right()
            && self.y < other.bottom()
            && other.y < self.bottom()
    }

    pub fn contains(self, other: Self) -> bool {
        self.x <= other.x
            && self.y <= other.y
            && other.right() <= self.right()
            && other.bottom() <= self.bottom()
    }

    pub(crate) fn holds(self, point: Point) -> bool {
        (self.x..=self.right()).contains(&point.x) && (self.y..=self.bottom()).contains(&point.y)
    }

    /// A point of a side; 0 is its left or upper end, 1 the other.
    pub(crate) fn on_side(self, side: Side, part: f64) -> Point {
        match side {
            Side::Top => at(self.x + self.w * part, self.y),
            Side::Right => at(self.right(), self.y + self.h * part),
            Side::Bottom => at(self.x + self.w * part, self.bottom()),
            Side::Left => at(self.x, self.y + self.h * part),
        }
    }

    /// Whether a straight line from `a` to `b` goes through the inside.
    pub fn is_crossed_by(self, a: Point, b: Point) -> bool {
        let outside = (a.x <= self.x && b.x <= self.x)
            || (a.x >= self.right() && b.x >= self.right())
            || (a.y <= self.y && b.y <= self.y)
            || (a.y >= self.bottom() && b.y >= self.bottom());
        if outside || self.w <= 0.0 || self.h <= 0.0 {
            return false;
        }
        let (mut first, mut last) = (0.0_f64, 1.0_f64);
        let spans = [
            (a.x, b.x - a.x, self.x, self.right()),
            (a.y, b.y - a.y, self.y, self.bottom()),
        ];
        for (start, change, low, high) in spans {
            if change == 0.0 {
                if start <= low || start >= high {
                    return false;
                }
                continue;
            }
            let (t, u) = ((low - start) / change, (high - start) / change);
            first = first.max(t.min(u));
            last = last.min(t.max(u));
        }
        first + 1e-9 < last
    }
}

pub(crate) fn bounds(rects: impl IntoIterator<Item = Rect>) -> Option<Rect> {
    rects.into_iter().reduce(Rect::union)
}
