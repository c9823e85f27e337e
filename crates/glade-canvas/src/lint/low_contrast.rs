//! Words that can hardly be told from what they stand on.

use super::{Lint, LintKind};
use crate::bounds::bounds;
use crate::contrast::{Ground, needed};
use crate::element::{Element, ElementKind};
use crate::geometry::Rect;
use crate::scene::{Scene, by_order};

/// A hair below what is needed is no matter.
const SLACK: f64 = 0.05;

pub(super) fn find(scene: &Scene, among: &[&Element]) -> Vec<Lint> {
    among
        .iter()
        .filter(|element| element.kind() == ElementKind::Text)
        .filter(|element| !element.original_text().trim().is_empty())
        .filter_map(|text| pale(scene, text))
        .collect()
}

fn pale(scene: &Scene, text: &Element) -> Option<Lint> {
    let container = scene.container_of(&text.id);
    let ground = ground(scene, text, container)?;
    if ground.contrast(text.stroke_color()) >= needed(text.font_size()) - SLACK {
        return None;
    }
    let (shape, darker) = match container {
        Some(shape) => (
            shape,
            "its label can hardly be read there; give the shape another color or fill",
        ),
        None => (
            text,
            "its words can hardly be read there; give it a color that stands out",
        ),
    };
    Some(Lint::new(LintKind::LowContrast, &[&shape.id], darker))
}

/// What shows below the middle of a text; unknown over a picture.
pub(super) fn ground(scene: &Scene, text: &Element, container: Option<&Element>) -> Option<Ground> {
    let middle = bounds(text).center();
    let spot = Rect::new(middle.x, middle.y, 0.0, 0.0);
    let below = scene.touching(&spot).into_iter().filter(|element| {
        by_order(element, text).is_lt() || container.is_some_and(|own| own.id == element.id)
    });
    // The container is next below its label, whatever their order keys say.
    let own = container.filter(|own| own.kind() != ElementKind::Arrow);
    let below = below.filter(|element| own.is_none_or(|own| own.id != element.id));
    Ground::at(middle, below.chain(own))
}
