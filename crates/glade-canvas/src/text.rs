//! How large text is: the editor's measure, with the real glyph advances.
//!
//! Shipped families are measured exactly as a browser does; what no shipped font has, with the machine's own fonts.

use crate::font;
use crate::geometry::Size;

pub use crate::font::{Provider, provide_cjk};
pub use crate::wrap::wrap;

/// The editor's font families by their stored number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum FontFamily {
    Virgil,
    Helvetica,
    Cascadia,
    #[default]
    Excalifont,
    Nunito,
    LilitaOne,
    ComicShanns,
    LiberationSans,
    Assistant,
    /// A number of a newer or foreign editor; drawn like the default.
    Other(i64),
}

impl FontFamily {
    pub fn from_number(number: i64) -> Self {
        match number {
            1 => Self::Virgil,
            2 => Self::Helvetica,
            3 => Self::Cascadia,
            5 => Self::Excalifont,
            6 => Self::Nunito,
            7 => Self::LilitaOne,
            8 => Self::ComicShanns,
            9 => Self::LiberationSans,
            10 => Self::Assistant,
            other => Self::Other(other),
        }
    }

    pub fn number(self) -> i64 {
        match self {
            Self::Virgil => 1,
            Self::Helvetica => 2,
            Self::Cascadia => 3,
            Self::Excalifont => 5,
            Self::Nunito => 6,
            Self::LilitaOne => 7,
            Self::ComicShanns => 8,
            Self::LiberationSans => 9,
            Self::Assistant => 10,
            Self::Other(number) => number,
        }
    }

    /// The default distance between baselines, in shares of the font size.
    pub fn line_height(self) -> f64 {
        match self {
            Self::Helvetica | Self::LilitaOne | Self::LiberationSans => 1.15,
            Self::Cascadia => 1.2,
            _ => 1.25,
        }
    }
}

/// The size of text with the family's own line height; lines are what newlines make, nothing is wrapped.
pub fn measure(text: &str, family: FontFamily, font_size: f64) -> Size {
    measure_with(text, family, font_size, family.line_height())
}

/// The size of text with a given line height (in shares of the font size).
pub fn measure_with(text: &str, family: FontFamily, font_size: f64, line_height: f64) -> Size {
    let text = normalize(text);
    let mut lines = 0.0;
    let mut width: f64 = 0.0;
    for line in text.split('\n') {
        lines += 1.0;
        // An empty line still has a caret's room.
        width = width.max(line_width(
            if line.is_empty() { " " } else { line },
            family,
            font_size,
        ));
    }
    Size::new(width, lines * font_size * line_height)
}

/// The width of one line.
pub fn line_width(line: &str, family: FontFamily, font_size: f64) -> f64 {
    font::line_width_em(line, family) * font_size
}

/// Line ends as `\n`, tabs as eight spaces: what the editor measures and draws.
pub fn normalize(text: &str) -> String {
    if !text.contains(['\r', '\t']) {
        return text.to_owned();
    }
    text.replace("\r\n", "\n")
        .replace('\r', "\n")
        .replace('\t', "        ")
}
