//! Shapes that nobody can see, since an opaque one lies over all of them.

use super::{Lint, LintKind, shapes};
use crate::bounds::bounds;
use crate::element::{Element, ElementKind};
use crate::outline::outline;
use crate::palette::{Fill, read_paint};
use crate::render::Rgba;
use crate::scene::{Scene, by_order};

pub(super) fn find(scene: &Scene, among: &[&Element]) -> Vec<Lint> {
    let show = "it lies hidden behind another shape; bring it to the front, or move it away";
    shapes(scene, among)
        .filter(|element| !element.kind().is_frame())
        .filter_map(|element| Some((element, cover_of(scene, element)?)))
        .map(|(element, cover)| Lint::new(LintKind::HiddenShape, &[&element.id, &cover.id], show))
        .collect()
}

/// The lowest opaque shape that lies over all of this one.
fn cover_of<'a>(scene: &'a Scene, element: &Element) -> Option<&'a Element> {
    let rect = bounds(element);
    scene
        .holding(&rect)
        .filter(|cover| {
            bounds(cover).contains_rect(&rect)
                && by_order(element, cover).is_lt()
                && is_opaque(cover)
        })
        .filter(|cover| {
            let edge = outline(cover, 0.0);
            rect.corners().iter().all(|corner| edge.contains(*corner))
        })
        .min_by(|a, b| by_order(a, b))
}

fn is_opaque(element: &Element) -> bool {
    let solid = element.number("opacity").unwrap_or(100.0) >= 100.0;
    let filled = match element.kind() {
        ElementKind::StickyNote | ElementKind::Image => true,
        ElementKind::Rectangle
        | ElementKind::Ellipse
        | ElementKind::Diamond
        | ElementKind::Line => {
            let closed =
                element.kind() != ElementKind::Line || crate::geo::polygon_kind(element).is_some();
            let (_, fill) = read_paint(
                element.stroke_color(),
                element.background_color(),
                element.fill_style(),
            );
            // A colour may let through what lies below it.
            let color = Rgba::parse(element.background_color());
            closed && color.a >= 1.0 && !matches!(fill, Fill::None | Fill::Pattern)
        }
        _ => false,
    };
    solid && filled
}
