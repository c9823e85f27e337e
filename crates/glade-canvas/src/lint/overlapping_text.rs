//! Words on words, which nobody can read.

use super::{Lint, LintKind};
use crate::bounds::bounds;
use crate::element::{Element, ElementKind};
use crate::geometry::Rect;
use crate::scene::Scene;

/// Texts may touch: this much of a line is its leading.
const LEADING: f64 = 3.0;

pub(super) fn find(scene: &Scene) -> Vec<Lint> {
    let mut texts: Vec<(usize, &Element, Rect)> = scene
        .live()
        .filter(|element| element.kind() == ElementKind::Text)
        .filter(|element| !element.original_text().trim().is_empty())
        .enumerate()
        .map(|(at, element)| (at, element, bounds(element).expand(-LEADING)))
        .collect();
    // From left to right, so that only neighbours are compared.
    texts.sort_by(|a, b| a.2.x.total_cmp(&b.2.x).then(a.0.cmp(&b.0)));
    let mut pairs = Vec::new();
    for (place, (at, one, rect)) in texts.iter().enumerate() {
        let near = texts[place + 1..]
            .iter()
            .take_while(|(_, _, other)| other.x < rect.right());
        for (other_at, other, _) in near.filter(|(_, _, other)| other.intersects(rect)) {
            // The upper one is the one to move.
            let (low, high) = if at < other_at {
                (*one, *other)
            } else {
                (*other, *one)
            };
            pairs.push((*at.min(other_at), *at.max(other_at), low, high));
        }
    }
    pairs.sort_by_key(|(low, high, ..)| (*low, *high));
    let mut found: Vec<Lint> = Vec::new();
    for (_, _, low, high) in pairs {
        let shape = |text: &Element| {
            scene
                .container_of(&text.id)
                .map_or(text.id.clone(), |own| own.id.clone())
        };
        let (low, high) = (shape(low), shape(high));
        let apart = "their texts lie on each other; move them apart";
        let lint = Lint::new(LintKind::OverlappingText, &[&high, &low], apart);
        if low != high && !found.contains(&lint) {
            found.push(lint);
        }
    }
    found
}
