//! The model's 13 colours and 5 fills, and what they are in the editor's properties: one table, read both ways.
//!
//! A colour is told by an element's stroke (a note's by its paper), a fill by its background beside that stroke.
//! Colours that people picked outside the table read as the nearest one; writing happens only through the table,
//! so what a model wrote always reads back as what it wrote.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use crate::contrast::Ground;
use crate::render::Rgba;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Color {
    Red,
    LightRed,
    Green,
    LightGreen,
    Blue,
    LightBlue,
    Orange,
    Yellow,
    #[default]
    Black,
    Violet,
    LightViolet,
    Grey,
    White,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fill {
    #[default]
    None,
    /// A pale wash of the colour.
    Tint,
    /// The page's own background: hides what is behind.
    Background,
    Solid,
    /// Hatched.
    Pattern,
}

/// One colour in the editor's words.
struct Row {
    color: Color,
    name: &'static str,
    stroke: &'static str,
    tint: &'static str,
    solid: &'static str,
    /// The lines of a pattern.
    hatch: &'static str,
    /// The paper of a sticky note.
    note: &'static str,
}

const fn row(
    color: Color,
    name: &'static str,
    stroke: &'static str,
    tint: &'static str,
    solid: &'static str,
    hatch: &'static str,
    note: &'static str,
) -> Row {
    Row {
        color,
        name,
        stroke,
        tint,
        solid,
        hatch,
        note,
    }
}

/// Strokes and tints come from the editor's own palette where it has them. Solids, hatches and papers are such that
/// one ink can be read on each in the light and in the dark theme ([`crate::contrast`]).
#[rustfmt::skip]
const TABLE: [Row; 13] = [
    //  colour               name            stroke     tint       solid      hatch      note
    row(Color::Red,          "red",           "#e03131", "#ffc9c9", "#e03131", "#ffa8a8", "#ffa8a8"),
    row(Color::LightRed,     "light-red",     "#ff8787", "#fff5f5", "#ffc9c9", "#ffc9c9", "#ffc9c9"),
    row(Color::Green,        "green",         "#2f9e44", "#b2f2bb", "#2a853b", "#69db7c", "#69db7c"),
    row(Color::LightGreen,   "light-green",   "#69db7c", "#ebfbee", "#b2f2bb", "#b2f2bb", "#b2f2bb"),
    row(Color::Blue,         "blue",          "#1971c2", "#a5d8ff", "#1971c2", "#74c0fc", "#74c0fc"),
    row(Color::LightBlue,    "light-blue",    "#4dabf7", "#e7f5ff", "#a5d8ff", "#a5d8ff", "#a5d8ff"),
    row(Color::Orange,       "orange",        "#e8590c", "#ffd8a8", "#cf450f", "#ffc078", "#ffd8a8"),
    row(Color::Yellow,       "yellow",        "#f08c00", "#ffec99", "#ffd43b", "#ffd43b", "#ffdf6b"),
    row(Color::Black,        "black",         "#1e1e1e", "#e9ecef", "#343a40", "#adb5bd", "#343a40"),
    row(Color::Violet,       "violet",        "#6741d9", "#d0bfff", "#7950f2", "#bfa9fd", "#bfa9fd"),
    row(Color::LightViolet,  "light-violet",  "#9775fa", "#f3f0ff", "#d0bfff", "#d0bfff", "#d0bfff"),
    row(Color::Grey,         "grey",          "#868e96", "#f1f3f5", "#ced4da", "#ced4da", "#ced4da"),
    row(Color::White,        "white",         "#ffffff", "#f8f9fa", "#fdfdfd", "#dee2e6", "#ffffff"),
];

const PAGE_BACKGROUND: &str = "#ffffff";
const TRANSPARENT: &str = "transparent";
const PAPER_WHITE: &str = "#ffffff";
const INK: &str = "#1e1e1e";

/// The three properties that a colour and a fill become.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Paint {
    pub stroke_color: &'static str,
    pub background_color: &'static str,
    pub fill_style: &'static str,
}

impl Fill {
    pub const ALL: [Fill; 5] = [
        Fill::None,
        Fill::Tint,
        Fill::Background,
        Fill::Solid,
        Fill::Pattern,
    ];
}

impl Color {
    pub const ALL: [Color; 13] = [
        Color::Red,
        Color::LightRed,
        Color::Green,
        Color::LightGreen,
        Color::Blue,
        Color::LightBlue,
        Color::Orange,
        Color::Yellow,
        Color::Black,
        Color::Violet,
        Color::LightViolet,
        Color::Grey,
        Color::White,
    ];

    /// What a model may have meant: pinks and purples are light violet, anything unknown black.
    pub fn from_name(name: &str) -> Self {
        let name = name.trim().to_ascii_lowercase();
        if let Some(row) = TABLE.iter().find(|row| row.name == name) {
            return row.color;
        }
        match name.as_str() {
            "gray" | "light-grey" | "light-gray" | "silver" => Color::Grey,
            "purple" => Color::Violet,
            "brown" => Color::Orange,
            name if ["pink", "magenta", "lavender", "lilac", "light-purple"]
                .iter()
                .any(|pink| name.contains(pink)) =>
            {
                Color::LightViolet
            }
            _ => Color::Black,
        }
    }

    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// `strokeColor` of a shape, line, arrow or text.
    pub fn stroke(self) -> &'static str {
        self.row().stroke
    }

    /// `backgroundColor` of a sticky note.
    pub fn paper(self) -> &'static str {
        self.row().note
    }

    /// `strokeColor` of the text on this note: dark, but white on dark paper.
    pub fn ink_on_paper(self) -> &'static str {
        match self {
            Color::Black => PAPER_WHITE,
            _ => INK,
        }
    }

    /// `strokeColor` of words of this colour on the bare page: the colour, or the shade of it that can be read.
    pub fn ink(self) -> &'static str {
        static INKS: LazyLock<Vec<(Color, String)>> = LazyLock::new(|| {
            let page = Ground::default();
            Color::ALL
                .map(|color| (color, page.ink(color.stroke())))
                .into()
        });
        let own = INKS.iter().find(|(color, _)| *color == self);
        own.map_or(INK, |(_, ink)| ink)
    }

    /// `strokeColor` of a label inside a shape of this colour and fill.
    pub fn label(self, fill: Fill) -> String {
        self.ground(fill).ink(self.stroke())
    }

    /// What a label inside a shape of this colour and fill stands on.
    pub fn ground(self, fill: Fill) -> Ground {
        let row = self.row();
        match fill {
            Fill::None | Fill::Background => Ground::default(),
            Fill::Tint => Ground::of(row.tint),
            Fill::Solid => Ground::of(row.solid),
            Fill::Pattern => Ground::hatched(row.hatch),
        }
    }

    pub fn paint(self, fill: Fill) -> Paint {
        let row = self.row();
        let (background_color, fill_style) = match fill {
            Fill::None => (TRANSPARENT, "solid"),
            Fill::Tint => (row.tint, "solid"),
            Fill::Background => (PAGE_BACKGROUND, "solid"),
            Fill::Solid => (row.solid, "solid"),
            Fill::Pattern => (row.hatch, "hachure"),
        };
        Paint {
            stroke_color: row.stroke,
            background_color,
            fill_style,
        }
    }

    /// The colour of a stroke, exactly or nearest. The shade that words have instead of it is the colour's too.
    pub fn from_stroke(stroke: &str) -> Self {
        let is_stroke = |color: &Self| stroke.eq_ignore_ascii_case(color.stroke());
        let is_ink = |color: &Self| stroke.eq_ignore_ascii_case(color.ink());
        let exact = Self::ALL.into_iter().find(is_stroke);
        exact
            .or_else(|| Self::ALL.into_iter().find(is_ink))
            .unwrap_or_else(|| nearest(stroke, |row| row.stroke))
    }

    /// The colour of a sticky note's paper, exactly or nearest.
    pub fn from_paper(paper: &str) -> Self {
        nearest(paper, |row| row.note)
    }

    fn row(self) -> &'static Row {
        // Every colour has a row (tested); black's is the fallback only to keep this total.
        TABLE
            .iter()
            .find(|row| row.color == self)
            .unwrap_or(&TABLE[8])
    }
}

/// The colour and fill that an element's three properties show.
pub fn read_paint(stroke_color: &str, background_color: &str, fill_style: &str) -> (Color, Fill) {
    let color = Color::from_stroke(stroke_color);
    let row = color.row();
    let background = rgb(background_color);
    let fill = if is_transparent(background_color) {
        Fill::None
    } else if fill_style != "solid" {
        Fill::Pattern
    } else if background == rgb(PAGE_BACKGROUND) {
        Fill::Background
    } else if background == rgb(row.tint) {
        Fill::Tint
    } else if background == rgb(row.solid) {
        Fill::Solid
    } else if background.is_some_and(|rgb| luminance(rgb) > 0.75) {
        Fill::Tint
    } else {
        Fill::Solid
    };
    (color, fill)
}

fn nearest(color: &str, column: impl Fn(&Row) -> &'static str) -> Color {
    let color = color.to_ascii_lowercase();
    if let Some(row) = TABLE.iter().find(|row| column(row) == color) {
        return row.color;
    }
    let Some(own) = rgb(&color) else {
        return Color::Black;
    };
    let distance = |row: &&Row| {
        let other = rgb(column(row)).unwrap_or_default();
        own.iter()
            .zip(other)
            .map(|(a, b)| (i32::from(*a) - i32::from(b)).pow(2))
            .sum::<i32>()
    };
    TABLE
        .iter()
        .min_by_key(distance)
        .map_or(Color::Black, |row| row.color)
}

fn is_transparent(color: &str) -> bool {
    Rgba::try_parse(color).is_some_and(Rgba::is_transparent)
}

/// What CSS takes for a colour, its names and functions too: people type them.
fn rgb(color: &str) -> Option<[u8; 3]> {
    Rgba::try_parse(color).map(|color| [color.r, color.g, color.b])
}

fn luminance([red, green, blue]: [u8; 3]) -> f64 {
    (0.299 * f64::from(red) + 0.587 * f64::from(green) + 0.114 * f64::from(blue)) / 255.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_colour_and_fill_reads_back_as_written() {
        for color in Color::ALL {
            assert_eq!(Color::from_name(color.name()), color);
            assert_eq!(serde_json::to_value(color).unwrap(), color.name());
            assert_eq!(Color::from_paper(color.paper()), color);
            for fill in Fill::ALL {
                let paint = color.paint(fill);
                let read = read_paint(paint.stroke_color, paint.background_color, paint.fill_style);
                assert_eq!(read, (color, fill), "{paint:?}");
            }
        }
    }

    #[test]
    fn colours_people_picked_read_as_the_nearest() {
        assert_eq!(Color::from_stroke("#E03130"), Color::Red);
        assert_eq!(Color::from_stroke("#000"), Color::Black);
        assert_eq!(Color::from_stroke("hotpink"), Color::LightRed);
        assert_eq!(Color::from_stroke("rgb(25, 113, 194)"), Color::Blue);
        assert_eq!(Color::from_stroke("no colour"), Color::Black);
        assert_eq!(
            read_paint("#1e1e1e", "#a5d8ff", "solid"),
            (Color::Black, Fill::Tint)
        );
        for nothing in ["", "#12345600", "#1230", "rgba(1, 2, 3, 0)"] {
            assert_eq!(
                read_paint("#1e1e1e", nothing, "hachure"),
                (Color::Black, Fill::None)
            );
        }
        for page in ["#fff", "white", "#FFFFFF"] {
            assert_eq!(
                read_paint("black", page, "solid"),
                (Color::Black, Fill::Background)
            );
        }
    }

    #[test]
    fn names_outside_the_palette_land_where_the_model_meant() {
        let names = [
            "pink",
            "hot pink",
            "light-pink",
            "gray",
            "PURPLE",
            "chartreuse",
            "",
        ];
        let expected = [
            Color::LightViolet,
            Color::LightViolet,
            Color::LightViolet,
            Color::Grey,
            Color::Violet,
            Color::Black,
            Color::Black,
        ];
        assert_eq!(names.map(Color::from_name), expected);
    }

    #[test]
    fn labels_can_be_read_on_what_they_stand_on() {
        assert_eq!(Color::Black.label(Fill::Solid), PAPER_WHITE);
        assert_eq!(Color::Yellow.label(Fill::Solid), INK);
        assert_eq!(Color::Black.label(Fill::Tint), INK);
        assert_eq!(Color::Black.ink_on_paper(), PAPER_WHITE);
    }
}
