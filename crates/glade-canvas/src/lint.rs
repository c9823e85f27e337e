//! What a careful person would notice on a page and put right: one lint a file.
//!
//! Each finding names the shapes and says in words what to do. Labels are named by their containers, as a model
//! knows them. Findings come in a fixed order: by lint, then from the bottom of the page up.

mod hidden;
mod loose_arrow;
mod off_frame;
mod overlapping_text;
mod text_overflow;

use glade_doc::ElementId;
use serde::{Deserialize, Serialize};

use crate::scene::Scene;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
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
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
    let mut found = text_overflow::find(scene);
    found.extend(overlapping_text::find(scene));
    found.extend(loose_arrow::find(scene));
    found.extend(hidden::find(scene));
    found.extend(off_frame::find(scene));
    found
}
