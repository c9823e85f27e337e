//! What a careful person would notice on a page and put right: one lint a file.
//!
//! Each finding names the shapes and says in words what to do. Labels are named by their containers, as a model
//! knows them. Findings come in a fixed order: by lint, then from the bottom of the page up.

mod arrow_through;
mod cut_words;
mod edge;
mod hidden;
mod long_label;
mod loose_arrow;
mod low_contrast;
mod off_frame;
mod overlapping_shapes;
mod overlapping_text;
mod reach;
mod text_overflow;

use glade_doc::ElementId;

use crate::element::Element;
use crate::geometry::Rect;
use crate::scene::Scene;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LintKind {
    /// Words stand out of the shape they are in.
    TextOverflow,
    /// Words lie on other words.
    OverlappingText,
    /// An arrow's end is tied to nothing though others are.
    LooseArrowEnd,
    /// A shape lies wholly behind another one.
    HiddenShape,
    /// A shape belongs to a frame and is cut off by it.
    OffFrame,
    /// Shapes with words lie partly on each other.
    OverlappingShapes,
    /// An arrow runs through a shape that it has nothing to do with.
    ArrowThroughShape,
    /// A label covers its arrow.
    LongLabel,
    /// The edge of a shape runs through words.
    CutWords,
    /// Words can hardly be told from what they stand on.
    LowContrast,
}

impl LintKind {
    /// In a word, as a model reads it.
    pub fn name(self) -> &'static str {
        match self {
            Self::TextOverflow => "text-overflow",
            Self::OverlappingText => "overlapping-text",
            Self::LooseArrowEnd => "loose-arrow-end",
            Self::HiddenShape => "hidden-shape",
            Self::OffFrame => "off-frame",
            Self::OverlappingShapes => "overlapping-shapes",
            Self::ArrowThroughShape => "arrow-through-shape",
            Self::LongLabel => "long-label",
            Self::CutWords => "cut-words",
            Self::LowContrast => "low-contrast",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lint {
    pub kind: LintKind,
    /// The shapes it is about, the one to change first.
    pub ids: Vec<ElementId>,
    pub suggestion: String,
}

impl Lint {
    fn new(kind: LintKind, ids: &[&ElementId], suggestion: impl Into<String>) -> Self {
        Self {
            kind,
            ids: ids.iter().map(|id| (*id).clone()).collect(),
            suggestion: suggestion.into(),
        }
    }
}

/// Everything that is noticed on this page.
pub fn lints(scene: &Scene) -> Vec<Lint> {
    among(scene, &scene.live().collect::<Vec<_>>())
}

/// What is noticed on this page about the shapes that reach into `area`. Costs what lies near, not the page.
pub fn lints_in(scene: &Scene, area: &Rect) -> Vec<Lint> {
    let reaches_in = |id: &ElementId| scene.bounds(id).is_some_and(|own| own.touches(area));
    let mut found = among(scene, &reach::of(scene, area));
    found.retain(|lint| lint.ids.iter().any(reaches_in));
    found
}

/// What is noticed about these elements, which come from the bottom of the page up.
fn among(scene: &Scene, elements: &[&Element]) -> Vec<Lint> {
    let mut found = text_overflow::find(scene, elements);
    found.extend(overlapping_text::find(scene, elements));
    found.extend(loose_arrow::find(scene, elements));
    found.extend(hidden::find(scene, elements));
    found.extend(off_frame::find(scene, elements));
    found.extend(overlapping_shapes::find(scene, elements));
    found.extend(arrow_through::find(scene, elements));
    found.extend(long_label::find(scene, elements));
    found.extend(cut_words::find(scene, elements));
    found.extend(low_contrast::find(scene, elements));
    found
}

/// Of these elements those that a model counts as shapes: all but labels.
fn shapes<'a>(
    scene: &'a Scene,
    elements: &'a [&'a Element],
) -> impl Iterator<Item = &'a Element> + 'a {
    let own = |element: &&Element| scene.container_of(&element.id).is_none();
    elements.iter().copied().filter(own)
}
