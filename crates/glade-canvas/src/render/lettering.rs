//! How the words of a text are set, read from its properties once.

use glade_doc::ElementId;
use serde_json::Value;

use crate::element::{Element, TextAlign};
use crate::text::{self, FontFamily};

#[derive(Debug)]
pub(crate) struct Lettering {
    pub family: FontFamily,
    pub size: f64,
    pub line_height: f64,
    pub align: TextAlign,
    /// Whether nothing was ever typed.
    pub is_empty: bool,
    /// What it names as its container.
    pub container: Option<ElementId>,
    /// The text as the editor broke it, where a file holds that. The stored lines count only while they say what the
    /// text says: somebody may have changed one and not the other.
    pub stored: Option<String>,
}

impl Lettering {
    pub fn of(text: &Element) -> Self {
        let stored = text.props.get("text").and_then(Value::as_str);
        Self {
            family: text.font_family(),
            size: text.font_size(),
            line_height: text.line_height(),
            align: text.text_align(),
            is_empty: text.original_text().is_empty(),
            container: text.container_id(),
            stored: stored
                .filter(|stored| says_the_same(stored, text.original_text()))
                .map(text::normalize),
        }
    }
}

/// Whether two texts differ only in where they are broken.
fn says_the_same(one: &str, other: &str) -> bool {
    let is_letter = |letter: &char| !letter.is_whitespace();
    let letters = one.chars().filter(is_letter);
    one == other || letters.eq(other.chars().filter(is_letter))
}
