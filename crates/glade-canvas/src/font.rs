//! Fonts: lines of text become glyphs, kerned and in their order, with measures in em.
//!
//! A character is looked for where the editor's font stack has it: in its own family (a few shipped files, one a
//! script), for the default family in the hand-drawn font for Chinese, Japanese and Korean ([`on_demand`]), in the
//! machine's own fonts ([`system`]), and last in the other shipped families, so that it is at least readable. What
//! none has shows as its family shows what it lacks, or as a box.
//!
//! Helvetica and Liberation Sans cannot be shipped (the first is not free, the second's shipped version is GPL): they
//! are what the machine has for Arial. Where it has nothing, their letters are Nunito's, each stretched to the width
//! that Helvetica gives it: lines are as long as in a browser, only the shapes differ.

mod colored;
mod database;
mod emoji;
mod file;
mod on_demand;
#[cfg(test)]
pub(crate) mod sample;
mod shipped;
mod system;

use rustybuzz::Direction;
use rustybuzz::ttf_parser::{GlyphId, OutlineBuilder};
use unicode_bidi::{BidiInfo, Level};

use crate::text::FontFamily;
use emoji::Sequence;
use file::{FontFile, Shaped};
use system::Generic;

pub(crate) use colored::{Colored, Layers, Picture};
pub(crate) use database::{PLAIN, database};
pub use on_demand::{Provider, provide_cjk};

/// A glyph of a font file: what to draw, by a name that is the same in every run.
#[derive(Clone, Copy)]
pub(crate) struct Glyph {
    file: &'static FontFile,
    id: GlyphId,
}

impl Glyph {
    /// Where the glyph's file lies in memory and its number in there: enough to tell two glyphs apart.
    pub(crate) fn key(&self) -> (usize, u16) {
        (std::ptr::from_ref(self.file).addr(), self.id.0)
    }

    /// Hands the outline to `builder`, in font units with y up; answers the size of an em in them.
    pub(crate) fn outline(&self, builder: &mut dyn OutlineBuilder) -> Option<f64> {
        self.file.outline(self.id, builder)
    }

    /// Its colours, if it has its own.
    pub(crate) fn colored(&self) -> Option<Colored<'static>> {
        self.file.colored(self.id)
    }
}

/// A stretch of a line: one glyph, or room for a character that no font has.
pub(crate) struct Placed {
    /// None: no font has it, nor a sign for what it lacks.
    pub glyph: Option<Glyph>,
    /// From the line's start to the glyph's origin, in em.
    pub x: f64,
    /// Above the baseline is negative, in em.
    pub y: f64,
    pub advance: f64,
    /// How much wider than designed.
    pub stretch: f64,
}

/// Which way a text runs when its signs do not say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Base {
    LeftToRight,
    RightToLeft,
}

/// Whose fonts are looked in beside the shipped ones.
#[derive(Clone, Copy)]
enum Machine {
    This,
    /// One whose only font is this one, of emoji.
    #[cfg(test)]
    With(&'static FontFile),
    /// One without any.
    #[cfg(test)]
    Bare,
}

impl Machine {
    fn is_this(self) -> bool {
        matches!(self, Machine::This)
    }

    /// Its font of emoji.
    fn emoji(self) -> Option<&'static FontFile> {
        match self {
            Machine::This => system::emoji(),
            #[cfg(test)]
            Machine::With(file) => Some(file),
            #[cfg(test)]
            Machine::Bare => None,
        }
    }
}

/// As the editor decides it: by the first letter that has a direction.
pub(crate) fn base_of(text: &str) -> Base {
    if !may_turn(text) {
        return Base::LeftToRight;
    }
    match unicode_bidi::get_base_direction(text) {
        unicode_bidi::Direction::Rtl => Base::RightToLeft,
        _ => Base::LeftToRight,
    }
}

/// Nothing below Hebrew runs from right to left.
fn may_turn(text: &str) -> bool {
    text.chars().any(|character| character >= '\u{590}')
}

/// One line of text, its glyphs from left to right.
pub(crate) fn shape(line: &str, family: FontFamily, base: Base) -> Vec<Placed> {
    shape_on(Machine::This, line, family, base)
}

fn shape_on(machine: Machine, line: &str, family: FontFamily, base: Base) -> Vec<Placed> {
    let mut setter = Setter {
        machine,
        family,
        x: 0.0,
        placed: Vec::with_capacity(line.len()),
    };
    if !may_turn(line) {
        setter.stretch(line, Direction::LeftToRight);
        return setter.placed;
    }
    let level = match base {
        Base::LeftToRight => Level::ltr(),
        Base::RightToLeft => Level::rtl(),
    };
    let bidi = BidiInfo::new(line, Some(level));
    for paragraph in &bidi.paragraphs {
        let (levels, runs) = bidi.visual_runs(paragraph, paragraph.range.clone());
        for run in runs {
            let turned = levels.get(run.start).is_some_and(Level::is_rtl);
            let direction = if turned {
                Direction::RightToLeft
            } else {
                Direction::LeftToRight
            };
            if let Some(part) = line.get(run) {
                setter.stretch(part, direction);
            }
        }
    }
    setter.placed
}

/// The width of one line of text in em, kerning included.
pub(crate) fn line_width_em(line: &str, family: FontFamily) -> f64 {
    shape(line, family, Base::LeftToRight)
        .iter()
        .map(|placed| placed.advance)
        .sum()
}

struct Setter {
    machine: Machine,
    family: FontFamily,
    x: f64,
    placed: Vec<Placed>,
}

/// What a run of characters is set with.
#[derive(Clone, Copy)]
enum Face {
    Of(&'static FontFile),
    Missing,
}

impl Face {
    fn is(self, other: Face) -> bool {
        match (self, other) {
            (Face::Of(one), Face::Of(two)) => std::ptr::eq(one, two),
            (Face::Missing, Face::Missing) => true,
            _ => false,
        }
    }
}

impl Setter {
    /// A stretch of one direction, cut where the font changes.
    fn stretch(&mut self, text: &str, direction: Direction) {
        let mut runs: Vec<(Face, usize, usize)> = Vec::new();
        let mut at = 0;
        while let Some(character) = text[at..].chars().next() {
            let before = runs.last().map(|(face, _, _)| *face);
            let (face, length) = self
                .emoji(&text[at..], direction)
                .unwrap_or_else(|| (self.face_of(character, before), character.len_utf8()));
            let end = at + length;
            match runs.last_mut() {
                Some((last, _, reach)) if last.is(face) => *reach = end,
                _ => runs.push((face, at, end)),
            }
            at = end;
        }
        if direction == Direction::RightToLeft {
            runs.reverse();
        }
        for (face, start, end) in runs {
            let run = text.get(start..end).unwrap_or_default();
            match face {
                Face::Of(file) => {
                    // As browsers measure: word by word, so that spaces pull at no letter.
                    let mut words: Vec<&str> =
                        run.split_inclusive(' ').flat_map(and_space).collect();
                    if direction == Direction::RightToLeft {
                        words.reverse();
                    }
                    file.shape(words, direction, |word, shaped, units| {
                        self.run(file, word, shaped, units);
                    });
                }
                Face::Missing => {
                    for (at, character) in run.char_indices() {
                        let (before, after) = run.split_at(at);
                        let is_joined = before.ends_with(JOINER)
                            || after[character.len_utf8()..].starts_with(JOINER);
                        self.missing(character, is_joined);
                    }
                }
            }
        }
    }

    /// What the emoji at the start of a text is set with, and its bytes. One font shows all of it, or none does.
    fn emoji(&self, text: &str, direction: Direction) -> Option<(Face, usize)> {
        let Sequence {
            length,
            is_asked_for,
        } = emoji::sequence(text)?;
        let (sign, first) = (&text[..length], text.chars().next()?);
        let shows = |file: &&'static FontFile| file.has_all(sign, direction);
        let is_in_family =
            || named(self.machine, first, self.family).is_some_and(|file| shows(&file));
        let colored = self.machine.emoji().filter(shows);
        if let Some(file) = colored.filter(|_| is_asked_for || !is_in_family()) {
            return Some((Face::Of(file), length));
        }
        let is_one_character = sign.chars().filter(|one| !takes_no_room(*one)).count() == 1;
        if is_one_character {
            return None;
        }
        let whole = file_of(self.machine, first, self.family).filter(shows);
        // Of a keycap at least the letter shows.
        let letter = || own(self.machine, first, self.family).filter(|_| first.is_ascii());
        let file = whole.or_else(letter);
        Some((file.map_or(Face::Missing, Face::Of), length))
    }

    fn face_of(&self, character: char, before: Option<Face>) -> Face {
        // What belongs to the character before it stays with that character's font.
        if is_attached(character)
            && let Some(Face::Of(file)) = before
            && file.has(character)
        {
            return Face::Of(file);
        }
        match file_of(self.machine, character, self.family) {
            Some(file) => Face::Of(file),
            None => Face::Missing,
        }
    }

    fn run(&mut self, file: &'static FontFile, run: &str, shaped: &[Shaped], units: f64) {
        let is_stand_in = stands_in(self.family, file);
        for one in shaped {
            let em = |length: i32| f64::from(length) / units;
            let natural = f64::from(one.advance) / units;
            let advance = usize::try_from(one.cluster)
                .ok()
                .filter(|_| is_stand_in)
                .and_then(|at| helvetica_width(run.get(at..)?))
                .unwrap_or(natural);
            let stretch = if natural > 0.0 {
                advance / natural
            } else {
                1.0
            };
            self.placed.push(Placed {
                glyph: u16::try_from(one.glyph).ok().map(|id| Glyph {
                    file,
                    id: GlyphId(id),
                }),
                x: self.x + em(one.x) * stretch,
                y: -em(one.y),
                advance,
                stretch,
            });
            self.x += advance;
        }
    }

    /// No font has it: the sign that the family's font has for that, as a browser shows it, or room for a box.
    fn missing(&mut self, character: char, is_joined: bool) {
        if takes_no_room(character) {
            return;
        }
        let sign = match self.family {
            // The editor has browsers look for joiners in these first, and what hangs together stays where it is.
            FontFamily::Nunito | FontFamily::LilitaOne if is_joined => {
                shipped::files(self.family).first()
            }
            _ => sign_of_missing(self.machine, self.family),
        };
        let own = match self.family {
            FontFamily::LiberationSans => Some(LIBERATION_SIGN),
            _ => sign.and_then(FontFile::missing_advance),
        };
        let advance = own.unwrap_or_else(|| fallback_width_em(character));
        self.placed.push(Placed {
            glyph: sign.map(|file| Glyph {
                file,
                id: GlyphId(0),
            }),
            x: self.x,
            y: 0.0,
            advance,
            stretch: 1.0,
        });
        self.x += advance;
    }
}

/// Makes one sign of those on either side of it.
const JOINER: char = '\u{200d}';

/// How wide the editor's own Liberation Sans sets its sign for what it lacks, in em: a machine's is of another version.
const LIBERATION_SIGN: f64 = 0.75;

/// A word, and the space after it.
fn and_space(word: &str) -> impl Iterator<Item = &str> {
    let (word, space) = word.split_at(word.trim_end_matches(' ').len());
    [word, space].into_iter().filter(|part| !part.is_empty())
}

/// A family of one file shows what it lacks itself; one in parts leaves it to the fonts behind it.
fn sign_of_missing(machine: Machine, family: FontFamily) -> Option<&'static FontFile> {
    if let [whole] = shipped::files(family) {
        return Some(whole);
    }
    if !machine.is_this() {
        return None;
    }
    match generic_of(family) {
        Generic::Monospace => system::file_of('a', Generic::Monospace),
        Generic::SansSerif => system::arial(),
    }
}

fn generic_of(family: FontFamily) -> Generic {
    match family {
        FontFamily::Cascadia | FontFamily::ComicShanns => Generic::Monospace,
        _ => Generic::SansSerif,
    }
}

fn file_of(machine: Machine, character: char, family: FontFamily) -> Option<&'static FontFile> {
    let own = own(machine, character, family);
    if own.is_some() || takes_no_room(character) {
        return own;
    }
    let others = || {
        let others = shipped::OTHERS.iter().flat_map(|files| files.iter());
        others.into_iter().find(|file| file.has(character))
    };
    let machines = || {
        if machine.is_this() {
            system::file_of(character, generic_of(family))
        } else {
            None
        }
    };
    drawn_by_hand(character, family)
        .or_else(machines)
        .or_else(|| on_demand::file_of(character))
        .or_else(others)
}

/// One of the family's own files.
fn own(machine: Machine, character: char, family: FontFamily) -> Option<&'static FontFile> {
    let arial = if machine.is_this() && is_arial(family) {
        system::arial()
    } else {
        None
    };
    if let Some(arial) = arial {
        return Some(arial).filter(|file| file.has(character));
    }
    let mut files = shipped::files(family).iter();
    let has = files.clone().find(|file| file.has(character));
    has.or_else(|| files.find(|file| file.composes(character)))
}

fn drawn_by_hand(character: char, family: FontFamily) -> Option<&'static FontFile> {
    match family {
        FontFamily::Excalifont | FontFamily::Other(_) => on_demand::file_of(character),
        _ => None,
    }
}

/// One of the fonts that the editor names for the family, rather than any that has the character.
fn named(machine: Machine, character: char, family: FontFamily) -> Option<&'static FontFile> {
    let generic = || {
        if machine.is_this() {
            system::named(character, generic_of(family))
        } else {
            None
        }
    };
    own(machine, character, family)
        .or_else(|| drawn_by_hand(character, family))
        .or_else(generic)
}

fn is_arial(family: FontFamily) -> bool {
    matches!(family, FontFamily::Helvetica | FontFamily::LiberationSans)
}

/// Whether this file is one of Nunito's, drawn for a Helvetica that is not here.
fn stands_in(family: FontFamily, file: &'static FontFile) -> bool {
    is_arial(family)
        && shipped::files(family)
            .iter()
            .any(|own| std::ptr::eq(own, file))
}

/// What Helvetica gives the printable characters of ASCII, space first, in thousandths of an em.
const HELVETICA: [u16; 95] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556,
    556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667,
    611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667,
    667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500,
    222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
];

fn helvetica_width(text: &str) -> Option<f64> {
    let at = u32::from(text.chars().next()?).checked_sub(0x20)?;
    let width = HELVETICA.get(usize::try_from(at).ok()?)?;
    Some(f64::from(*width) / 1000.0)
}

/// What a character without a glyph here takes up, near what a browser's fallback fonts take: it decides how
/// much room is kept, not how it looks.
fn fallback_width_em(character: char) -> f64 {
    match u32::from(character) {
        // The ideographic and full-width blocks: one em square.
        0x1100..=0x115f | 0x2e80..=0xa4cf | 0xac00..=0xd7a3 | 0xf900..=0xfaff | 0xfe30..=0xfe6f => {
            1.0
        }
        0xff00..=0xff60 | 0xffe0..=0xffe6 | 0x20000..=0x3fffd => 1.0,
        // Emoji and pictographs.
        0x2600..=0x27bf | 0x1f000..=0x1faff => 1.25,
        _ => 0.6,
    }
}

/// Marks that stand on, under or in the character before them.
fn is_attached(character: char) -> bool {
    takes_no_room(character)
        || matches!(u32::from(character),
            0x483..=0x489 | 0x591..=0x5bd | 0x5bf..=0x5c7 | 0x610..=0x61a | 0x64b..=0x65f | 0x670 | 0x6d6..=0x6ed
            | 0x900..=0x903 | 0x93a..=0x94f | 0x951..=0x957 | 0x981..=0x983 | 0x9bc..=0x9cd | 0xe31 | 0xe34..=0xe3a
            | 0xe47..=0xe4e | 0x1ab0..=0x1aff | 0x20d0..=0x20ff | 0x1f3fb..=0x1f3ff)
}

/// Control characters, joiners, variation selectors, combining marks, tags.
fn takes_no_room(character: char) -> bool {
    matches!(u32::from(character),
        0..=0x1f | 0x7f..=0x9f | 0x300..=0x36f | 0x200b..=0x200f | 0x202a..=0x202e | 0x2060..=0x2069
        | 0xfe00..=0xfe0f | 0xfeff | 0xe0000..=0xe01ef)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bare_width(line: &str, family: FontFamily) -> f64 {
        let placed = shape_on(Machine::Bare, line, family, base_of(line));
        placed.iter().map(|one| one.advance).sum()
    }

    #[test]
    fn every_shipped_file_decodes() {
        for file in shipped::ALL.iter().flat_map(|(_, files)| files.iter()) {
            assert!(file.missing_advance().is_some());
        }
    }

    #[test]
    fn characters_are_found_in_the_file_of_their_script() {
        let samples = ['a', 'ł', 'ж', 'λ', '˘', 'ѣ', '\u{301}'];
        for (sample, file) in samples.into_iter().zip(&shipped::EXCALIFONT) {
            let found = file_of(Machine::This, sample, FontFamily::Excalifont);
            assert!(
                found.is_some_and(|found| std::ptr::eq(found, file)),
                "{sample}"
            );
        }
    }

    #[test]
    fn a_family_without_a_letter_borrows_it_on_a_machine_without_fonts() {
        let borrowed = file_of(Machine::Bare, 'ж', FontFamily::LilitaOne);
        assert!(borrowed.is_some_and(|file| std::ptr::eq(file, &shipped::EXCALIFONT[2])));
    }

    #[test]
    fn helvetica_is_as_wide_as_helvetica_on_every_machine() {
        let expected = 0.722 + 0.556 + 0.222 * 2.0 + 0.556;
        assert!((bare_width("Hello", FontFamily::Helvetica) - expected).abs() < 1e-9);
        assert!((line_width_em("Hello", FontFamily::Helvetica) - expected).abs() < 2e-3);
    }

    #[test]
    fn characters_without_a_glyph_still_take_room() {
        assert_eq!(bare_width("漢字", FontFamily::Nunito), 2.0);
        assert_eq!(bare_width("\u{200d}", FontFamily::Excalifont), 0.0);
        // No panic and something to see for whatever comes, on a machine without fonts.
        let scripts = "שלום مرحبا नमस्ते สวัสดี 😀 👩‍👩‍👧 \u{10ffff}";
        for family in [
            FontFamily::Excalifont,
            FontFamily::Cascadia,
            FontFamily::Helvetica,
        ] {
            assert!(bare_width(scripts, family) > 5.0);
        }
    }

    #[test]
    fn emoji_are_set_with_the_machines_font_of_them_and_text_is_not() {
        let line = "1 😀\u{fe0e}x1\u{fe0f}😀";
        let machine = Machine::With(&sample::PICTURES);
        let placed = shape_on(machine, line, FontFamily::Excalifont, base_of(line));
        let emoji = sample::picture().key();
        let is_emoji = |one: &Placed| one.glyph.is_some_and(|glyph| glyph.key() == emoji);
        let emoji: Vec<&Placed> = placed.iter().filter(|one| is_emoji(one)).collect();
        // The last two; what is said to be text is looked for elsewhere, and a plain digit is the family's.
        assert_eq!(emoji.len(), 2);
        // By whole pixels of its pictures, not by the 1.104 em of its table.
        assert!(emoji.iter().all(|one| (one.advance - 1.1).abs() < 1e-6));
        let bare = shape_on(Machine::Bare, line, FontFamily::Excalifont, base_of(line));
        assert!(!bare.iter().any(is_emoji));
    }

    #[test]
    fn an_emoji_that_no_font_shows_whole_is_missing_whole() {
        let glyphs = |line: &str| -> Vec<Option<u16>> {
            let placed = shape_on(Machine::Bare, line, FontFamily::Cascadia, base_of(line));
            let glyphs = placed.iter().map(|one| one.glyph);
            glyphs.map(|glyph| glyph.map(|glyph| glyph.id.0)).collect()
        };
        let missing = Some(0);
        assert_eq!(glyphs("👩‍❤️‍👨"), [missing; 3]);
        assert_eq!(glyphs("✌🏽"), [missing; 2]);
        // The font has this one by itself, and a keycap's letter.
        assert_eq!(glyphs("❤️").len(), 1);
        assert_eq!(glyphs("1️⃣").first(), glyphs("1").first());
    }

    #[test]
    fn what_runs_from_right_to_left_is_set_from_right_to_left() {
        // One glyph a letter and no joining: what stands first in the line is what was typed last.
        let order = |line: &str| -> Vec<u16> {
            let placed = shape(line, FontFamily::Helvetica, base_of(line));
            let glyphs = placed.iter().filter_map(|one| one.glyph);
            glyphs
                .filter(|glyph| glyph.id.0 != 0)
                .map(|glyph| glyph.id.0)
                .collect()
        };
        let mut turned = order("שלום");
        turned.reverse();
        assert_eq!(turned, order("\u{202d}שלום"));
        assert_eq!(base_of("abc שלום"), Base::LeftToRight);
        assert_eq!(base_of("123 שלום abc"), Base::RightToLeft);
    }
}
