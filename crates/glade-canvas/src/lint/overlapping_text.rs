//! Words on words, which nobody can read.
//!
//! The boxes of texts may overlap where nothing is written: at empty lines, beside short ones, in a gap of spaces that
//! was left for other words. So boxes only say where to look.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use super::{Lint, LintKind};
use crate::bounds::drawn;
use crate::element::{Element, ElementKind, TextAlign};
use crate::geometry::{Point, Rect};
use crate::label;
use crate::scene::Scene;
use crate::text;

/// Texts may touch: this much of a line is its leading.
const LEADING: f64 = 3.0;
/// So many spaces are a gap, not a space.
const GAP: &str = "   ";
/// A text that lies on so many others is no clearer for being told of more, and a heap of a thousand texts would be told
/// of a million times.
const FEW: usize = 8;

/// A text and where it is; where its words are is worked out when somebody asks.
struct Placed<'a> {
    /// Its place from the bottom of the page up.
    at: usize,
    element: &'a Element,
    area: Rect,
    words: OnceCell<Vec<[Point; 4]>>,
}

pub(super) fn find(scene: &Scene, among: &[&Element]) -> Vec<Lint> {
    let mut texts: Vec<Placed> = among
        .iter()
        .copied()
        .filter(|element| element.kind() == ElementKind::Text)
        .filter(|element| !element.original_text().trim().is_empty())
        .enumerate()
        .map(|(at, element)| Placed {
            at,
            element,
            area: drawn(scene, element).expand(-LEADING),
            words: OnceCell::new(),
        })
        .collect();
    // From left to right, so that only neighbours are compared.
    texts.sort_by(|a, b| a.area.x.total_cmp(&b.area.x).then(a.at.cmp(&b.at)));
    let mut pairs = Vec::new();
    for (place, one) in texts.iter().enumerate() {
        let near = texts[place + 1..]
            .iter()
            .take_while(|other| other.area.x < one.area.right())
            .filter(|other| other.area.intersects(&one.area) && meet(scene, one, other));
        for other in near.take(FEW) {
            // The upper one is the one to move.
            pairs.push(if one.at < other.at {
                (one, other)
            } else {
                (other, one)
            });
        }
    }
    pairs.sort_by_key(|(low, high)| (low.at, high.at));
    let shape = |text: &Placed| {
        scene
            .container_of(&text.element.id)
            .map_or(text.element.id.clone(), |own| own.id.clone())
    };
    let apart = "their texts lie on each other; move them apart";
    let mut told = BTreeSet::new();
    pairs
        .into_iter()
        .map(|(low, high)| (shape(high), shape(low)))
        .filter(|pair| pair.0 != pair.1 && told.insert(pair.clone()))
        .map(|(high, low)| Lint::new(LintKind::OverlappingText, &[&high, &low], apart))
        .collect()
}

fn meet(scene: &Scene, one: &Placed, other: &Placed) -> bool {
    let words_of = |text: &Placed| words(scene, text.element);
    let others = other.words.get_or_init(|| words_of(other));
    let mut own = one.words.get_or_init(|| words_of(one)).iter();
    own.any(|area| others.iter().any(|other| overlap(area, other)))
}

/// Where something is written, line by line, gap by gap, turned as the text is: the corners of each piece.
fn words(scene: &Scene, element: &Element) -> Vec<[Point; 4]> {
    let area = place(scene, element);
    let size = element.font_size();
    let width = |text: &str| text::line_width(text, element.font_family(), size);
    let height = size * element.line_height();
    let mut written = Vec::new();
    for (at, line) in label::drawn_text(scene, element).split('\n').enumerate() {
        let x = match element.text_align() {
            TextAlign::Left => area.x,
            TextAlign::Center => area.x + (area.w - width(line)) / 2.0,
            TextAlign::Right => area.right() - width(line),
        };
        let mut from = 0;
        for piece in line.split(GAP) {
            let (start, shown) = (from + piece.len() - piece.trim_start().len(), piece.trim());
            from += piece.len() + GAP.len();
            if !shown.is_empty() {
                let place = Rect::new(
                    x + width(&line[..start]),
                    area.y + height * at as f64,
                    width(shown),
                    height,
                );
                let corners = place.expand(-LEADING).corners();
                written.push(corners.map(|at| at.rotate(area.center(), element.angle())));
            }
        }
    }
    written
}

/// The box of a text before it is turned. The place that an arrow's label has in the document can be an old one.
fn place(scene: &Scene, element: &Element) -> Rect {
    match scene.container_of(&element.id) {
        Some(arrow) if arrow.kind() == ElementKind::Arrow => label::rect_on_arrow(arrow, element),
        _ => element.rect(),
    }
}

/// Whether two rectangles, each turned as it may be, lie on each other: no side of either parts them.
fn overlap(one: &[Point; 4], other: &[Point; 4]) -> bool {
    let span = |corners: &[Point; 4], axis: Point| {
        let along = corners.map(|at| at.x * axis.x + at.y * axis.y);
        let low = along.into_iter().fold(f64::INFINITY, f64::min);
        (low, along.into_iter().fold(f64::NEG_INFINITY, f64::max))
    };
    let parted = |from: Point, to: Point| {
        let across = Point::new(from.y - to.y, to.x - from.x);
        let (a, b) = (span(one, across), span(other, across));
        a.1 <= b.0 || b.1 <= a.0
    };
    let sides = |of: &[Point; 4]| [(of[0], of[1]), (of[1], of[2])];
    !(sides(one).into_iter().chain(sides(other))).any(|(from, to)| parted(from, to))
}
