//! Sticky notes: the text shrinks to fit the paper down to a readable size, then the paper grows.
//!
//! What a person set is kept beside what follows from it: the paper's `baseHeight` and the text's `baseFontSize`
//! are inputs, `height` and `fontSize` are derived. Whoever resizes a note writes `baseHeight` with `height`.

use glade_doc::Props;
use serde_json::json;

use crate::change;
use crate::element::{Element, VerticalAlign};
use crate::geometry::{Point, Rect, Size};
use crate::label::{self, LabelLayout};

/// No note is smaller than this, either way.
pub const MIN_SIZE: f64 = 75.0;
const PADDING: f64 = 16.0;
/// Above and below the text: padding twice, and the line with the date.
const BODY_INSET: f64 = 2.0 * PADDING + 20.0;
const MIN_FONT_SIZE: f64 = 16.0;
const MAX_FONT_SIZE: f64 = 512.0;
const FONT_STEP: f64 = 2.0;

/// The part of the paper that text may use.
pub(crate) fn inner_rect(paper: &Rect) -> Rect {
    Rect::new(
        paper.x + PADDING,
        paper.y + PADDING,
        paper.w - 2.0 * PADDING,
        (paper.h - BODY_INSET).max(0.0),
    )
}

pub(crate) fn layout(container: &Element, text: &Element) -> LabelLayout {
    let paper = container.rect();
    let width = paper.w.max(MIN_SIZE);
    let base_height = container
        .number("baseHeight")
        .filter(|height| *height > 0.0)
        .unwrap_or(paper.h)
        .max(MIN_SIZE);
    let base_font = text
        .number("baseFontSize")
        .unwrap_or_else(|| text.font_size())
        .clamp(1.0, MAX_FONT_SIZE);
    let room = Size::new(
        (width - 2.0 * PADDING).max(1.0),
        (base_height - BODY_INSET).max(0.0),
    );
    let blank = text.original_text().trim().is_empty();
    let (font_size, wrapped, size) = if blank {
        let (_, size) = label::wrap_and_measure(
            &text.with(&Props::from_iter([no_words()])),
            base_font,
            room.w,
        );
        (base_font, String::new(), size)
    } else {
        fit(text, base_font, room)
    };
    let height = if blank {
        base_height
    } else {
        base_height.max(size.h + BODY_INSET)
    };

    // A height that is as good as the stored one is the stored one: moving the corner for it would never end.
    let height = container
        .number("height")
        .filter(|stored| (stored - height).abs() <= change::TEXT_TOLERANCE)
        .unwrap_or(height);

    let mut paper_changes = Props::new();
    let moved = anchored_at_top(container, height);
    change::number(
        &mut paper_changes,
        container,
        "x",
        moved.x,
        change::POSITION_TOLERANCE,
    );
    change::number(
        &mut paper_changes,
        container,
        "y",
        moved.y,
        change::POSITION_TOLERANCE,
    );
    change::number(&mut paper_changes, container, "width", width, 0.0);
    change::number(&mut paper_changes, container, "height", height, 0.0);
    if container
        .number("baseHeight")
        .is_none_or(|stored| stored != base_height)
    {
        paper_changes.insert("baseHeight".to_owned(), json!(base_height));
    }

    let paper = container.with(&paper_changes);
    let size = label::kept_size(text, size);
    let place = position(&paper, text, size);
    let mut text_changes = label::label_changes(text, place, size, container.angle());
    if text.font_size() != font_size {
        text_changes.insert("fontSize".to_owned(), json!(font_size));
    }
    if text
        .number("baseFontSize")
        .is_none_or(|stored| stored != base_font)
    {
        text_changes.insert("baseFontSize".to_owned(), json!(base_font));
    }
    LabelLayout {
        text: wrapped,
        label: text_changes,
        container: paper_changes,
    }
}

fn no_words() -> (String, serde_json::Value) {
    ("originalText".to_owned(), json!(""))
}

/// The largest font, in steps down from the wanted one, at which the text fits; the smallest if none does.
fn fit(text: &Element, wanted: f64, room: Size) -> (f64, String, Size) {
    let least = MIN_FONT_SIZE.min(wanted);
    let steps = ((wanted - least) / FONT_STEP).ceil().max(0.0) as u32;
    let size_at = |step: u32| {
        if step >= steps {
            least
        } else {
            wanted - f64::from(step) * FONT_STEP
        }
    };
    let at = |step: u32| {
        let (wrapped, size) = label::wrap_and_measure(text, size_at(step), room.w);
        (size_at(step), wrapped, size)
    };
    let (mut low, mut high) = (0, steps);
    while low < high {
        let middle = (low + high) / 2;
        let (_, _, size) = at(middle);
        if size.w <= room.w && size.h <= room.h {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    at(low)
}

/// The corner after a change of height that leaves the top edge where it is, also when turned.
fn anchored_at_top(paper: &Element, height: f64) -> Point {
    let rect = paper.rect();
    let delta = (rect.h - height) / 2.0;
    let (sin, cos) = paper.angle().sin_cos();
    Point::new(rect.x + delta * sin, rect.y + delta * (1.0 - cos))
}

fn position(paper: &Element, text: &Element, size: Size) -> Point {
    let rect = paper.rect();
    let inner = inner_rect(&rect);
    let mut upright = paper.clone();
    upright.props.insert("angle".to_owned(), json!(0));
    let mut place = label::position(&upright, text, &inner, size, inner.center());
    if text.vertical_align() == VerticalAlign::Middle {
        // The middle of the paper, not of the room above the date, as long as the date stays free.
        let padded = rect.h - 2.0 * PADDING;
        place.y = inner.y + ((padded - size.h) / 2.0).min(inner.h - size.h);
    }
    let middle = place
        .translate(size.w / 2.0, size.h / 2.0)
        .rotate(rect.center(), paper.angle());
    middle.translate(-size.w / 2.0, -size.h / 2.0)
}
