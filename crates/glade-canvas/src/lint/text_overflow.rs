//! Words that do not fit where they stand.

use super::{Lint, LintKind};
use crate::bounds::{bounds, local_rect};
use crate::element::{Element, ElementKind, TextAlign};
use crate::geometry::{Rect, Size};
use crate::label;
use crate::scene::Scene;
use crate::text;

/// Shares of a line that nobody sees.
const SLACK: f64 = 2.0;

pub(super) fn find(scene: &Scene, among: &[&Element]) -> Vec<Lint> {
    among
        .iter()
        .filter(|element| element.kind() == ElementKind::Text)
        .filter_map(|element| overflow(scene, element))
        .collect()
}

fn overflow(scene: &Scene, element: &Element) -> Option<Lint> {
    match scene.container_of(&element.id) {
        Some(container) if container.kind() == ElementKind::Arrow => None,
        Some(container) => {
            let size = measured(element, &label::layout(container, element).text);
            // Where the words are: a box made by other hands may be wider than they need.
            let stored = element.rect();
            let x = match element.text_align() {
                TextAlign::Left => stored.x,
                TextAlign::Center => stored.center().x - size.w / 2.0,
                TextAlign::Right => stored.right() - size.w,
            };
            let room = local_rect(container).expand(SLACK);
            // Both are turned by the same angle, so their boxes compare as if upright about their middles.
            let (middle, angle) = (stored.center(), container.angle());
            let upright = middle.rotate(room.center(), -angle);
            let words = Rect::new(x, stored.y, size.w, size.h)
                .translate(upright.x - middle.x, upright.y - middle.y);
            (!room.contains_rect(&words)).then(|| {
                let grow = "its text stands out of it; make it larger, or shorten the text";
                Lint::new(LintKind::TextOverflow, &[&container.id], grow)
            })
        }
        None => {
            let size = measured(element, &label::drawn_text(scene, element));
            let cut = !element.auto_resize()
                && (size.h > element.height() + SLACK || size.w > element.width() + SLACK);
            let frame = element.frame_id().and_then(|id| scene.get(&id));
            let clipped = frame.filter(|frame| {
                let (frame, own) = (bounds(frame), bounds(element));
                frame.touches(&own) && !frame.expand(SLACK).contains_rect(&own)
            });
            if let Some(frame) = clipped {
                let fit =
                    "its text is cut off by its frame; move it inside, or make the frame larger";
                return Some(Lint::new(
                    LintKind::TextOverflow,
                    &[&element.id, &frame.id],
                    fit,
                ));
            }
            cut.then(|| {
                let fit = "its text does not fit its box; make the box larger, or let it set its own size";
                Lint::new(LintKind::TextOverflow, &[&element.id], fit)
            })
        }
    }
}

fn measured(element: &Element, drawn: &str) -> Size {
    let (family, size) = (element.font_family(), element.font_size());
    text::measure_with(drawn, family, size, element.line_height())
}
