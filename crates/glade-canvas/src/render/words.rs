//! Text as runs of glyphs.

use super::color::Rgba;
use super::list::{Ends, Ink, PlacedGlyph, rect_path};
use super::rough::Segment;
use crate::element::TextAlign;
use crate::font;
use crate::geometry::{Point, Rect};
use crate::text::FontFamily;

/// Text to set: lines, how, and in what box.
pub(crate) struct Setting<'a> {
    pub text: &'a str,
    pub family: FontFamily,
    pub size: f64,
    /// In shares of the size.
    pub line_height: f64,
    pub align: TextAlign,
    /// The width of the box that lines are aligned in.
    pub width: f64,
    pub color: Rgba,
}

/// A text longer than this is not read on a picture.
const MAX_CHARACTERS: usize = 200_000;

/// The text, its first line's top at (0, 0).
pub(crate) fn set(setting: &Setting) -> Vec<Ink> {
    let line_height = setting.size * setting.line_height;
    let first = baseline(setting.family, setting.size, line_height);
    let mut place = 0.0;
    let mut glyphs = Vec::with_capacity(setting.text.len().min(MAX_CHARACTERS));
    let mut missing: Vec<Segment> = Vec::new();
    let mut left = MAX_CHARACTERS;
    for line in setting.text.split('\n') {
        let y = first + place;
        place += line_height;
        let cut = line
            .char_indices()
            .nth(left)
            .map_or(line, |(at, _)| &line[..at]);
        left = left.saturating_sub(cut.len());
        set_line(setting, cut, y, &mut glyphs, &mut missing);
    }
    finish(setting, glyphs, missing)
}

/// One line that ends at (or, aligned left, starts from) a point on the baseline.
pub(crate) fn set_at(setting: &Setting, y: f64) -> Vec<Ink> {
    let (mut glyphs, mut missing) = (Vec::new(), Vec::new());
    set_line(setting, setting.text, y, &mut glyphs, &mut missing);
    finish(setting, glyphs, missing)
}

fn set_line(
    setting: &Setting,
    line: &str,
    y: f64,
    glyphs: &mut Vec<PlacedGlyph>,
    missing: &mut Vec<Segment>,
) {
    let placed = font::shape(line, setting.family, font::base_of(setting.text));
    let width: f64 = placed.iter().map(|glyph| glyph.advance).sum::<f64>() * setting.size;
    let start = match setting.align {
        TextAlign::Left => 0.0,
        TextAlign::Center => (setting.width - width) / 2.0,
        TextAlign::Right => setting.width - width,
    };
    for one in placed {
        let at = Point::new(start + one.x * setting.size, y + one.y * setting.size);
        match one.glyph {
            Some(glyph) => glyphs.push(PlacedGlyph {
                glyph,
                at,
                size: setting.size,
                stretch: one.stretch,
            }),
            // No font has it: a box shows that something is there.
            None if one.advance > 0.0 => {
                let em = setting.size;
                let inset = 0.1 * one.advance * em;
                let w = one.advance * em - 2.0 * inset;
                missing.extend(rect_path(Rect::new(
                    at.x + inset,
                    at.y - 0.7 * em,
                    w,
                    0.7 * em,
                )));
            }
            None => {}
        }
    }
}

fn finish(setting: &Setting, glyphs: Vec<PlacedGlyph>, missing: Vec<Segment>) -> Vec<Ink> {
    let mut inks = vec![Ink::Text {
        glyphs,
        color: setting.color,
        words: setting.text.to_owned(),
    }];
    if !missing.is_empty() {
        inks.push(Ink::Stroke {
            path: missing,
            color: setting.color,
            width: (setting.size / 20.0).max(0.5),
            dash: None,
            ends: Ends::Plain,
        });
    }
    inks
}

/// From a line's top to its baseline: the family's ascent, centred in the line's height. The numbers are the
/// editor's own, which are not always the font file's.
fn baseline(family: FontFamily, size: f64, line_height: f64) -> f64 {
    let (units, ascender, descender) = match family {
        FontFamily::Nunito => (1000.0, 1011.0, -353.0),
        FontFamily::LilitaOne => (1000.0, 923.0, -220.0),
        FontFamily::ComicShanns => (1000.0, 750.0, -250.0),
        FontFamily::Helvetica => (2048.0, 1577.0, -471.0),
        FontFamily::Cascadia => (2048.0, 1900.0, -480.0),
        FontFamily::LiberationSans => (2048.0, 1854.0, -434.0),
        FontFamily::Assistant => (2048.0, 1021.0, -287.0),
        FontFamily::Excalifont | FontFamily::Virgil | FontFamily::Other(_) => {
            (1000.0, 886.0, -374.0)
        }
    };
    let em = size / units;
    em * ascender + (line_height - em * ascender + em * descender) / 2.0
}
