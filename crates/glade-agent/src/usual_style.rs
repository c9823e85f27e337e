//! How the drawing around looks, for what nobody says of a new shape: a box beside sharp and smooth ones is sharp and
//! smooth.

use glade_canvas::geo::polygon_kind;
use glade_canvas::{Element, ElementKind, FontFamily, Rect};

/// How far around a place the drawing reaches that a new shape belongs to.
const REACH: f64 = 1_200.0;
/// So many shapes tell enough.
const MOST: usize = 200;
/// So many shapes of one width are a habit. A single bold one stands out on purpose.
const HABIT: usize = 3;

/// What most of the shapes around have; none: as new shapes are.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct UsualStyle {
    pub family: Option<FontFamily>,
    pub roughness: Option<f64>,
    pub stroke_width: Option<f64>,
    /// Boxes have sharp corners.
    pub sharp: bool,
}

impl UsualStyle {
    /// Where to look for it around a place.
    pub fn reach(place: Rect) -> Rect {
        place.expand(REACH)
    }

    pub fn of<'e>(elements: impl IntoIterator<Item = &'e Element>) -> Self {
        let (mut families, mut roughness, mut widths) = (Vec::new(), Vec::new(), Vec::new());
        let (mut sharp, mut boxes) = (0, 0);
        for element in elements.into_iter().take(MOST) {
            match element.kind() {
                ElementKind::Text => families.push(element.font_family()),
                ElementKind::Rectangle | ElementKind::Diamond => {
                    boxes += 1;
                    sharp += usize::from(
                        !element
                            .props
                            .get("roundness")
                            .is_some_and(|own| own.is_object()),
                    );
                    roughness.extend(element.number("roughness"));
                    widths.push(element.stroke_width());
                }
                ElementKind::Ellipse | ElementKind::Arrow => {
                    roughness.extend(element.number("roughness"));
                    widths.push(element.stroke_width());
                }
                ElementKind::Line if polygon_kind(element).is_some() => {
                    roughness.extend(element.number("roughness"));
                    widths.push(element.stroke_width());
                }
                _ => {}
            }
        }
        Self {
            family: most(&families, 1),
            roughness: most(&roughness, 1),
            stroke_width: most(&widths, HABIT),
            sharp: sharp * 2 > boxes,
        }
    }
}

/// What more than half of them are, if they are enough.
fn most<T: PartialEq + Copy>(all: &[T], enough: usize) -> Option<T> {
    let count = |one: &T| all.iter().filter(|other| *other == one).count();
    let middle = all.iter().find(|one| count(one) * 2 > all.len())?;
    (count(middle) >= enough).then_some(*middle)
}
