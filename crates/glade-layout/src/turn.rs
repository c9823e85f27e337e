//! Engines flow downwards; this turns what they make into the direction asked for, and back.

use crate::Direction;
use crate::geometry::{Point, Rect, Side, Size, at, rect};

impl Direction {
    pub(crate) fn is_sideways(self) -> bool {
        matches!(self, Self::Right | Self::Left)
    }

    pub(crate) fn size(self, size: Size) -> Size {
        if self.is_sideways() {
            size.swapped()
        } else {
            size
        }
    }

    /// From the engine's place to the page's.
    pub(crate) fn point(self, it: Point) -> Point {
        match self {
            Self::Down => it,
            Self::Up => at(it.x, -it.y),
            Self::Right => at(it.y, it.x),
            Self::Left => at(-it.y, it.x),
        }
    }

    /// From the page's place to the engine's.
    pub(crate) fn back(self, it: Point) -> Point {
        match self {
            Self::Down => it,
            Self::Up => at(it.x, -it.y),
            Self::Right => at(it.y, it.x),
            Self::Left => at(it.y, -it.x),
        }
    }

    /// Sizes come through as they are, to the last bit.
    pub(crate) fn rect(self, it: Rect) -> Rect {
        let far = at(it.right(), it.bottom());
        spanned(
            self.point(it.corner()),
            self.point(far),
            self.size(it.size()),
        )
    }

    pub(crate) fn rect_back(self, it: Rect) -> Rect {
        let far = at(it.right(), it.bottom());
        spanned(self.back(it.corner()), self.back(far), self.size(it.size()))
    }

    /// A side of the page's as the engine's.
    pub(crate) fn side_back(self, side: Side) -> Side {
        let out = self.back(side.outward());
        let sides = Side::ALL.into_iter();
        let mut same = sides.filter(|side| side.outward() == out);
        same.next().unwrap_or(side)
    }
}

fn spanned(one: Point, other: Point, size: Size) -> Rect {
    rect(one.x.min(other.x), one.y.min(other.y), size.w, size.h)
}
