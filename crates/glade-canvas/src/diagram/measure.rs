//! How large things are, before they are drawn: boxes as large as their words.

use glade_doc::{ElementId, Props};

use super::Form;
use crate::element::Element;
use crate::factory::{self, FONT_SIZE, Style};
use crate::geo::GeoKind;
use crate::geometry::{Point, Rect, Size};
use crate::label;
use crate::palette::Color;
use crate::text::{FontFamily, measure, wrap};

/// The longest line in a box.
const LINE: f64 = 200.0;
/// In shapes that leave their words less room than their box.
const NARROW_LINE: f64 = 130.0;
/// Beside and above the words.
const BESIDE: f64 = 32.0;
const ABOVE: f64 = 24.0;
const LEAST: Size = Size { w: 100.0, h: 60.0 };
const NOTE: f64 = 160.0;
/// The longest line on an arrow: what the editor gives the shortest arrow's label at this size.
const EDGE_LINE: f64 = 160.0;
pub const EDGE_FONT: f64 = 16.0;
pub const TITLE_FONT: f64 = 28.0;
pub const GROUP_FONT: f64 = 20.0;

/// A box of this form for these words, by the rules by which it would grow to hold them.
pub fn node(form: Form, text: &str) -> Size {
    match form {
        Form::Words => {
            let size = measure(
                &wrap(text, FontFamily::Excalifont, FONT_SIZE, LINE),
                FontFamily::Excalifont,
                FONT_SIZE,
            );
            Size::new(size.w.ceil().max(10.0), size.h.ceil().max(20.0))
        }
        Form::Note => {
            let paper = factory::sticky_note(
                Rect::new(0.0, 0.0, NOTE, NOTE * 0.75),
                Color::Yellow,
                1,
                "a0",
            );
            held(paper, text)
        }
        Form::Shape(kind) => {
            let wide = matches!(kind, GeoKind::Rectangle | GeoKind::Pill);
            let line = if wide { LINE } else { NARROW_LINE };
            let words = measure(
                &wrap(text, FontFamily::Excalifont, FONT_SIZE, line),
                FontFamily::Excalifont,
                FONT_SIZE,
            );
            let padded = Size::new(words.w + BESIDE, words.h + ABOVE);
            let start = match kind.native() {
                Some(native) => {
                    let kind = crate::element::ElementKind::parse(native.as_str());
                    let side = |inner: f64| label::outer_side(&kind, inner);
                    match kind {
                        crate::element::ElementKind::Rectangle => padded,
                        _ => Size::new(side(words.w + 8.0), side(words.h + 4.0)),
                    }
                }
                None => {
                    // The share of its box that a shape leaves to its words.
                    let inner = kind.inner_rect(Rect::new(0.0, 0.0, 100.0, 100.0));
                    let share = |side: f64| (side / 100.0).max(0.2);
                    Size::new(padded.w / share(inner.w), padded.h / share(inner.h))
                }
            };
            let even = |n: f64| (n / 10.0).ceil() * 10.0;
            let start = Size::new(even(start.w.max(LEAST.w)), even(start.h.max(LEAST.h)));
            let rect = Rect::new(0.0, 0.0, start.w, start.h);
            held(factory::geo(kind, rect, Style::default(), 1, "a0"), text)
        }
    }
}

/// The size of a container once it holds these words.
fn held(container: Props, text: &str) -> Size {
    let container = Element::new(ElementId::from("box"), container);
    grown(&container, text)
}

/// The size that a box has or grows to, for it to hold these words.
pub fn grown(container: &Element, text: &str) -> Size {
    let words = Element::new(
        ElementId::from("words"),
        factory::label(container, text, 1, "a1"),
    );
    let layout = label::layout(container, &words);
    crate::bounds::local_rect(&container.with(&layout.container)).size()
}

/// The words of an edge as they are written, broken where they are long: the editor breaks them elsewhere on a longer
/// arrow, and a label is as large as was planned.
pub fn edge_words(text: &str) -> String {
    let joined = text.split_whitespace().collect::<Vec<_>>().join(" ");
    wrap(&joined, FontFamily::Excalifont, EDGE_FONT, EDGE_LINE)
}

pub fn edge_label(text: &str) -> Option<Size> {
    let size = measure(&edge_words(text), FontFamily::Excalifont, EDGE_FONT);
    (!text.trim().is_empty()).then(|| Size::new(size.w.ceil() + 4.0, size.h.ceil() + 4.0))
}

/// The title of a group, with the room that its box keeps around it.
pub fn group_title(text: &str) -> Size {
    if text.trim().is_empty() {
        return Size::default();
    }
    let size = measure(text, FontFamily::Excalifont, GROUP_FONT);
    Size::new(
        size.w.ceil() + 2.0 * label::PADDING,
        size.h.ceil() + 2.0 * label::PADDING,
    )
}

/// The title above a diagram of this extent.
pub fn title_rect(text: &str, extent: Rect) -> Rect {
    let size = measure(text, FontFamily::Excalifont, TITLE_FONT);
    let middle = Point::new(extent.center().x, extent.y - 28.0 - size.h / 2.0);
    Rect::centered(middle, size)
}
