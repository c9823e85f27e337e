//! Words of their own that the edge of a shape runs through.

use super::{Lint, LintKind, edge};
use crate::bounds::bounds;
use crate::element::{Element, ElementKind};
use crate::geo::polygon_kind;
use crate::geometry::Rect;
use crate::outline::Outline;
use crate::scene::Scene;

/// The air around words.
const AIR: f64 = 4.0;

pub(super) fn find(scene: &Scene, among: &[&Element]) -> Vec<Lint> {
    among
        .iter()
        .filter(|element| element.kind() == ElementKind::Text && element.angle() == 0.0)
        .filter(|element| !element.original_text().trim().is_empty())
        .filter(|element| scene.container_of(&element.id).is_none())
        .filter_map(|text| {
            let area = bounds(text).expand(-AIR);
            let shape = crossing(scene, text, &area)?;
            let clear =
                "the edge of a shape runs through its words; move it inside, or clear of it";
            Some(Lint::new(LintKind::CutWords, &[&text.id, &shape.id], clear))
        })
        .collect()
}

fn crossing<'a>(scene: &'a Scene, text: &Element, area: &Rect) -> Option<&'a Element> {
    if area.w <= 0.0 || area.h <= 0.0 {
        return None;
    }
    let words = Outline::Polygon(area.corners().to_vec());
    scene.shapes_touching(area).into_iter().find(|shape| {
        polygon_kind(shape).is_none()
            && !edge::are_grouped(shape, text)
            && edge::of(shape).is_some_and(|edge| edge::cross(&words, &edge))
    })
}
