//! Shapes that belong to a frame and do not lie in it: the frame cuts them off.

use super::{Lint, LintKind, shapes};
use crate::bounds::bounds;
use crate::element::{Element, ElementKind};
use crate::scene::Scene;

/// A stroke's width outside is no matter.
const SLACK: f64 = 4.0;

pub(super) fn find(scene: &Scene, among: &[&Element]) -> Vec<Lint> {
    let mut found = Vec::new();
    for element in shapes(scene, among) {
        let frame = element.frame_id().and_then(|id| scene.get(&id));
        let Some(frame) = frame.filter(|frame| frame.kind().is_frame()) else {
            continue;
        };
        let (area, own) = (bounds(frame), bounds(element));
        // Text that is half inside is told as text that is cut off.
        if area.expand(SLACK).contains_rect(&own)
            || (element.kind() == ElementKind::Text && area.touches(&own))
        {
            continue;
        }
        let how = if area.touches(&own) {
            "it stands out of its frame and is cut off; move it inside, or make the frame larger"
        } else {
            "it lies outside its frame and cannot be seen; move it inside, or take it out of the frame"
        };
        found.push(Lint::new(
            LintKind::OffFrame,
            &[&element.id, &frame.id],
            how,
        ));
    }
    found
}
