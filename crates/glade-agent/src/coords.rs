//! The model's coordinates. Models do best with small whole numbers, so they see the page relative to
//! where the chat began, rounded; what they send back is put where it belongs to the last digit.

use std::collections::BTreeMap;

use glade_canvas::{Point, Rect};
use glade_doc::ElementId;
use serde::{Deserialize, Serialize};

/// A number that was shown to the model, of one element.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Field {
    /// The left and top edge of what is drawn, as a glance shows them.
    Left,
    Top,
    /// The shape's own place, as its full format has it; another one for turned or centred shapes.
    X,
    Y,
    W,
    H,
    X1,
    Y1,
    X2,
    Y2,
}

impl Field {
    /// The fields of full shapes by their names on the wire.
    pub const NAMES: [(&'static str, Field); 8] = [
        ("x", Field::X),
        ("y", Field::Y),
        ("w", Field::W),
        ("h", Field::H),
        ("x1", Field::X1),
        ("y1", Field::Y1),
        ("x2", Field::X2),
        ("y2", Field::Y2),
    ];

    /// The field that mostly holds the same number: a model that saw one may send it for the other.
    fn twin(self) -> Option<Field> {
        match self {
            Field::Left => Some(Field::X),
            Field::Top => Some(Field::Y),
            Field::X => Some(Field::Left),
            Field::Y => Some(Field::Top),
            _ => None,
        }
    }

    fn axis(self, origin: Point) -> f64 {
        match self {
            Field::Left | Field::X | Field::X1 | Field::X2 => origin.x,
            Field::Top | Field::Y | Field::Y1 | Field::Y2 => origin.y,
            Field::W | Field::H => 0.0,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
struct Rounded {
    shown: f64,
    exact: f64,
}

/// The chat's origin and what rounding took away.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Coords {
    origin: Point,
    rounded: BTreeMap<ElementId, BTreeMap<Field, Rounded>>,
}

impl Coords {
    /// The origin is a whole number, so that whole page numbers stay whole.
    pub fn new(corner: Point) -> Self {
        let whole = |n: f64| if n.is_finite() { n.round() } else { 0.0 };
        Self {
            origin: Point::new(whole(corner.x), whole(corner.y)),
            rounded: BTreeMap::new(),
        }
    }

    pub fn origin(&self) -> Point {
        self.origin
    }

    /// What the model sees of a number of an element.
    pub fn show(&mut self, element: &ElementId, field: Field, exact: f64) -> f64 {
        let relative = exact - field.axis(self.origin);
        let shown = tidy(relative.round());
        if shown == relative {
            if let Some(fields) = self.rounded.get_mut(element) {
                fields.remove(&field);
            }
        } else {
            self.rounded
                .entry(element.clone())
                .or_default()
                .insert(field, Rounded { shown, exact });
        }
        shown
    }

    /// What the model means by a number for an element: the very number it was shown is the exact
    /// one; another keeps a position's share of a unit, so that what moves together stays together.
    pub fn exact(&self, element: &ElementId, field: Field, given: f64) -> f64 {
        let plain = given + field.axis(self.origin);
        let known = self.rounded.get(element).and_then(|fields| {
            fields
                .get(&field)
                .or_else(|| field.twin().and_then(|twin| fields.get(&twin)))
        });
        match known {
            Some(known) if known.shown == given => known.exact,
            Some(known) if !matches!(field, Field::W | Field::H) => {
                plain + (known.exact - field.axis(self.origin) - known.shown)
            }
            _ => plain,
        }
    }

    /// A point on the page for numbers that belong to no element yet.
    pub fn to_page(&self, x: f64, y: f64) -> Point {
        Point::new(x + self.origin.x, y + self.origin.y)
    }

    /// What the model sees of a number that is past: shown, but not to be sent back.
    pub fn glance(&self, field: Field, exact: f64) -> f64 {
        tidy((exact - field.axis(self.origin)).round())
    }

    /// A rectangle as the model sees it.
    pub fn show_rect(&self, rect: Rect) -> Rect {
        let (x, y) = (rect.x - self.origin.x, rect.y - self.origin.y);
        Rect::new(
            tidy(x.round()),
            tidy(y.round()),
            tidy(rect.w.round()),
            tidy(rect.h.round()),
        )
    }

    /// A point as the model sees it.
    pub fn show_point(&self, point: Point) -> Point {
        let (x, y) = (point.x - self.origin.x, point.y - self.origin.y);
        Point::new(tidy(x.round()), tidy(y.round()))
    }

    pub fn retain(&mut self, alive: impl Fn(&ElementId) -> bool) {
        self.rounded.retain(|element, _| alive(element));
    }
}

/// No negative zero in what is printed.
fn tidy(number: f64) -> f64 {
    if number == 0.0 { 0.0 } else { number }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn id() -> ElementId {
        ElementId::from("a")
    }

    #[test]
    fn a_number_that_comes_back_as_shown_is_exact_again() {
        let mut coords = Coords::new(Point::new(0.0, 0.0));
        assert_eq!(coords.show(&id(), Field::X, 10.4), 10.0);
        assert_eq!(coords.exact(&id(), Field::X, 10.0), 10.4);
        assert_eq!(coords.exact(&id(), Field::X, 20.0), 20.4);
        assert_eq!(coords.show(&id(), Field::W, 99.7), 100.0);
        assert_eq!(
            [
                coords.exact(&id(), Field::W, 100.0),
                coords.exact(&id(), Field::W, 50.0)
            ],
            [99.7, 50.0]
        );
    }

    #[test]
    fn a_number_seen_at_a_glance_is_exact_for_the_shape_too() {
        let mut coords = Coords::new(Point::new(0.0, 0.0));
        coords.show(&id(), Field::Left, 10.4);
        assert_eq!(coords.exact(&id(), Field::X, 10.0), 10.4);
    }

    #[test]
    fn both_axes_are_relative_to_the_origin() {
        let mut coords = Coords::new(Point::new(1000.2, -500.0));
        assert_eq!(
            [
                coords.show(&id(), Field::X, 1010.0),
                coords.show(&id(), Field::Y, -480.0)
            ],
            [10.0, 20.0]
        );
        assert_eq!(
            [
                coords.exact(&id(), Field::X1, 10.0),
                coords.exact(&id(), Field::Y2, 20.0)
            ],
            [1010.0, -480.0]
        );
        assert_eq!(coords.to_page(10.0, 20.0), Point::new(1010.0, -480.0));
    }

    proptest! {
        #[test]
        fn showing_then_reading_back_changes_nothing(origin in -1e5..1e5f64, exact in -1e6..1e6f64) {
            let mut coords = Coords::new(Point::new(origin, origin));
            for field in [Field::X, Field::Y, Field::W, Field::H, Field::X1, Field::Y1, Field::X2, Field::Y2] {
                let shown = coords.show(&id(), field, exact);
                prop_assert_eq!(coords.exact(&id(), field, shown), exact);
                prop_assert_eq!(shown, shown.round());
            }
        }
    }
}
