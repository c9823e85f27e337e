//! Shapes made just large enough for what is written in them.

use glade_doc::{Edit, ElementId, Props};
use serde_json::json;

use super::shift::Changes;
use super::unit::units;
use crate::bounds::local_rect;
use crate::change;
use crate::element::{Element, ElementKind};
use crate::geo::{polygon_kind, reshape};
use crate::geometry::{Rect, Size};
use crate::label::{self, PADDING};
use crate::scene::Scene;

/// Room beside the widest line: two font engines may differ by a hair, and it must not wrap.
const SLACK: f64 = 1.0;

/// A box that is fitted to its words settles in a few rounds.
const SETTLING_ROUNDS: usize = 8;

/// Fits these shapes to their words, about their middles: a labelled shape becomes as narrow and as low as the
/// words allow without breaking a line that was whole, and higher where they did not fit; text takes its natural
/// width. What holds no words, and a sticky note (whose words fit themselves), stays.
pub fn fit_text(scene: &Scene, ids: &[ElementId]) -> Vec<Edit> {
    let mut changes = Changes::new(scene);
    for unit in units(scene, ids) {
        for element in unit.members.iter().filter_map(|id| scene.get(id)) {
            changes.put(&element.id, fitted(scene, element));
        }
    }
    changes.finish()
}

fn fitted(scene: &Scene, element: &Element) -> Props {
    let mut props = Props::new();
    match (element.kind(), scene.label_of(&element.id)) {
        (ElementKind::Text, _) if !element.auto_resize() => {
            props.insert("autoResize".to_owned(), json!(true));
        }
        (ElementKind::Rectangle | ElementKind::Ellipse | ElementKind::Diamond, Some(words)) => {
            let size = needed(element, words);
            let center = element.rect().center();
            change::number(&mut props, element, "x", center.x - size.w / 2.0, 0.0);
            change::number(&mut props, element, "y", center.y - size.h / 2.0, 0.0);
            change::number(&mut props, element, "width", size.w, 0.0);
            change::number(&mut props, element, "height", size.h, 0.0);
        }
        (ElementKind::Line, Some(words)) if polygon_kind(element).is_some() => {
            props = fitted_polygon(element, words);
        }
        _ => {}
    }
    props
}

/// In a polygon the room is a share of the box, which in some depends on how wide it is to its height.
fn fitted_polygon(element: &Element, words: &Element) -> Props {
    let laid_out = label::layout(element, words);
    let mut fitted = element.with(&laid_out.container);
    let room = label::inner_rect(&fitted);
    let (_, text) = label::wrap_and_measure(words, words.font_size(), room.w);
    let center = local_rect(element).center();
    for _ in 0..SETTLING_ROUNDS {
        let (rect, room) = (local_rect(&fitted), label::inner_rect(&fitted));
        let side = |side: f64, room: f64, needed: f64| {
            let wanted = side * (needed + SLACK + 2.0 * PADDING) / (room + 2.0 * PADDING).max(1.0);
            // The last digits of a share are no reason for another pixel.
            (wanted - 1e-6).ceil()
        };
        let size = Size::new(side(rect.w, room.w, text.w), side(rect.h, room.h, text.h));
        if size == rect.size() {
            break;
        }
        fitted = fitted.with(&reshape(&fitted, Rect::centered(center, size)));
    }
    if local_rect(&fitted) == local_rect(element) {
        Props::new()
    } else {
        reshape(element, local_rect(&fitted))
    }
}

/// The box that holds the words, wrapped as in the shape as it is (or as wide as its longest word asks).
fn needed(container: &Element, words: &Element) -> Size {
    let laid_out = label::layout(container, words);
    let room = label::inner_rect(&container.with(&laid_out.container));
    let (_, text) = label::wrap_and_measure(words, words.font_size(), room.w);
    let kind = container.kind();
    let side = |inner: f64| label::outer_side(&kind, inner + SLACK).max(2.0 * PADDING);
    Size::new(side(text.w), side(text.h))
}
