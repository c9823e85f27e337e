//! Shapes that nobody can see, since an opaque one lies over all of them.

use super::{Lint, LintKind};
use crate::bounds::bounds;
use crate::element::{Element, ElementKind};
use crate::geometry::Rect;
use crate::outline::outline;
use crate::palette::{Fill, read_paint};
use crate::scene::Scene;
use crate::view;

pub(super) fn find(scene: &Scene) -> Vec<Lint> {
    let shapes: Vec<(&Element, Rect)> = view::shapes(scene)
        .map(|element| (element, bounds(element)))
        .collect();
    let covers: Vec<(usize, &Element, Rect)> = shapes
        .iter()
        .enumerate()
        .filter(|(_, (element, _))| is_opaque(element))
        .map(|(at, (element, rect))| (at, *element, *rect))
        .collect();
    let mut found = Vec::new();
    for (at, (element, rect)) in shapes.iter().enumerate() {
        let cover = covers.iter().find(|(above, cover, area)| {
            *above > at && area.contains_rect(rect) && {
                let edge = outline(cover, 0.0);
                rect.corners().iter().all(|corner| edge.contains(*corner))
            }
        });
        if let Some((_, cover, _)) = cover.filter(|_| !element.kind().is_frame()) {
            let show =
                "it lies hidden behind another shape; bring it to the front, or move it away";
            found.push(Lint::new(
                LintKind::HiddenShape,
                &[&element.id, &cover.id],
                show,
            ));
        }
    }
    found
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
            closed && !matches!(fill, Fill::None | Fill::Pattern)
        }
        _ => false,
    };
    solid && filled
}
