//! Labels that cover their arrows: nobody sees what leads where.

use super::{Lint, LintKind, edge};
use crate::element::{Element, ElementKind};
use crate::label;
use crate::scene::Scene;

/// So much of an arrow must be seen.
const SEEN: f64 = 20.0;

pub(super) fn find(scene: &Scene, among: &[&Element]) -> Vec<Lint> {
    among
        .iter()
        .filter(|element| element.kind() == ElementKind::Arrow)
        .filter_map(|arrow| covered(scene, arrow))
        .collect()
}

fn covered(scene: &Scene, arrow: &Element) -> Option<Lint> {
    let words = scene
        .label_of(&arrow.id)
        .filter(|words| !words.original_text().trim().is_empty())?;
    let area = words.with(&label::layout(arrow, words).label).rect();
    let (way, step) = edge::walk(arrow);
    let seen = way.iter().filter(|at| !area.contains(**at)).count() as f64 * step;
    (seen < SEEN).then(|| {
        let longer =
            "its label covers it; move the shapes at its ends farther apart, or shorten the label";
        Lint::new(LintKind::LongLabel, &[&arrow.id], longer)
    })
}
