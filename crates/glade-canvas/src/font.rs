//! Fonts: decoded when first needed, shaped with kerning, measures in em.
//!
//! A family is a few shipped files, one a script, in the editor's order; behind the default family stands the
//! hand-drawn font for Chinese, Japanese and Korean, as in the editor ([`on_demand`]). A character that the family
//! lacks is looked for in the others, so that it is at least readable; what none has keeps the room a browser's own
//! fonts would take.
//!
//! Helvetica and Liberation Sans cannot be shipped (the first is not free, the second's shipped version is GPL).
//! Their letters are Nunito's, each stretched to the width that Helvetica gives it: lines are as long as in a
//! browser, only the shapes differ.

mod on_demand;

use std::borrow::Cow;
use std::sync::OnceLock;

use rustybuzz::ttf_parser::GlyphId;
use rustybuzz::{Direction, Face, Script, ShapePlan, UnicodeBuffer, script, shape_with_plan};

use crate::text::FontFamily;

pub use on_demand::{Provider, provide_cjk};

enum Source {
    Shipped(&'static [u8]),
    /// Asked for by its name when a character needs it.
    OnDemand(&'static str),
}

/// One file.
struct File {
    source: Source,
    script: Script,
    loaded: OnceLock<Option<Loaded>>,
}

struct Loaded {
    face: Face<'static>,
    plan: ShapePlan,
    units_per_em: f64,
}

macro_rules! file {
    ($path:literal, $script:ident) => {
        File {
            source: Source::Shipped(include_bytes!(concat!("../fonts/", $path, ".woff2"))),
            script: script::$script,
            loaded: OnceLock::new(),
        }
    };
}

static EXCALIFONT: [File; 7] = [
    file!("excalifont/latin", LATIN),
    file!("excalifont/latin-ext", LATIN),
    file!("excalifont/cyrillic", CYRILLIC),
    file!("excalifont/greek", GREEK),
    file!("excalifont/diacritics", LATIN),
    file!("excalifont/cyrillic-ext", CYRILLIC),
    file!("excalifont/combining", LATIN),
];
static NUNITO: [File; 5] = [
    file!("nunito/latin", LATIN),
    file!("nunito/latin-ext", LATIN),
    file!("nunito/vietnamese", LATIN),
    file!("nunito/cyrillic", CYRILLIC),
    file!("nunito/cyrillic-ext", CYRILLIC),
];
static LILITA: [File; 2] = [
    file!("lilita-one/latin", LATIN),
    file!("lilita-one/latin-ext", LATIN),
];
static COMIC_SHANNS: [File; 4] = [
    file!("comic-shanns/latin", LATIN),
    file!("comic-shanns/latin-ext", LATIN),
    file!("comic-shanns/symbols", LATIN),
    file!("comic-shanns/lambda", GREEK),
];
static CASCADIA: [File; 1] = [file!("cascadia/all", LATIN)];
static VIRGIL: [File; 1] = [file!("virgil/all", LATIN)];

/// Where a character is looked for that its own family lacks.
static FALLBACKS: [&[File]; 4] = [&EXCALIFONT, &NUNITO, &CASCADIA, &COMIC_SHANNS];

fn files(family: FontFamily) -> &'static [File] {
    match family {
        FontFamily::Virgil => &VIRGIL,
        FontFamily::Cascadia => &CASCADIA,
        FontFamily::LilitaOne => &LILITA,
        FontFamily::ComicShanns => &COMIC_SHANNS,
        FontFamily::Nunito
        | FontFamily::Helvetica
        | FontFamily::LiberationSans
        | FontFamily::Assistant => &NUNITO,
        FontFamily::Excalifont | FontFamily::Other(_) => &EXCALIFONT,
    }
}

impl File {
    fn loaded(&'static self) -> Option<&'static Loaded> {
        self.loaded
            .get_or_init(|| {
                let packed = match self.source {
                    Source::Shipped(data) => Cow::Borrowed(data),
                    Source::OnDemand(name) => on_demand::fetch(name)?,
                };
                let decoded = wuff::decompress_woff2(&packed).ok()?;
                // Kept for as long as the program runs, as the table that it is for.
                let decoded: &'static [u8] = Box::leak(decoded.into_boxed_slice());
                let face = Face::from_slice(decoded, 0)?;
                let plan =
                    ShapePlan::new(&face, Direction::LeftToRight, Some(self.script), None, &[]);
                let units_per_em = f64::from(face.units_per_em());
                Some(Loaded {
                    face,
                    plan,
                    units_per_em,
                })
            })
            .as_ref()
    }

    fn has(&'static self, character: char) -> bool {
        let glyph = self
            .loaded()
            .and_then(|loaded| loaded.face.glyph_index(character));
        glyph.is_some_and(|glyph| glyph != GlyphId(0))
    }
}

/// A glyph of a file: what to draw, by a name that is the same in every run.
#[derive(Clone, Copy)]
pub(crate) struct Glyph {
    file: &'static File,
    id: GlyphId,
}

impl Glyph {
    /// Where the glyph's file lies in memory and its number in there: enough to tell two glyphs apart.
    pub(crate) fn key(&self) -> (usize, u16) {
        (std::ptr::from_ref(self.file).addr(), self.id.0)
    }

    /// Hands the outline to `builder`, in font units with y up; answers the size of an em in them.
    pub(crate) fn outline(
        &self,
        builder: &mut dyn rustybuzz::ttf_parser::OutlineBuilder,
    ) -> Option<f64> {
        let loaded = self.file.loaded()?;
        loaded.face.outline_glyph(self.id, builder)?;
        Some(loaded.units_per_em)
    }
}

/// A stretch of a line: one glyph, or a character that no font has.
pub(crate) struct Placed {
    /// None: no font has it.
    pub glyph: Option<Glyph>,
    /// From the line's start to the glyph's origin, in em.
    pub x: f64,
    /// Above the baseline is negative, in em.
    pub y: f64,
    pub advance: f64,
    /// How much wider than designed.
    pub stretch: f64,
}

/// One line of text, laid out from left to right.
pub(crate) fn shape(line: &str, family: FontFamily) -> Vec<Placed> {
    let mut placed = Vec::with_capacity(line.len());
    let mut x = 0.0;
    let mut run = String::new();
    let mut run_file: Option<&'static File> = None;
    for character in line.chars() {
        let file = file_of(character, family);
        if file.map(std::ptr::from_ref) != run_file.map(std::ptr::from_ref) {
            shape_run(run_file, &run, family, &mut x, &mut placed);
            run.clear();
            run_file = file;
        }
        match file {
            Some(_) => run.push(character),
            None => {
                let advance = fallback_width_em(character);
                placed.push(Placed {
                    glyph: None,
                    x,
                    y: 0.0,
                    advance,
                    stretch: 1.0,
                });
                x += advance;
            }
        }
    }
    shape_run(run_file, &run, family, &mut x, &mut placed);
    placed
}

/// The width of one line of text in em, kerning included.
pub(crate) fn line_width_em(line: &str, family: FontFamily) -> f64 {
    shape(line, family)
        .iter()
        .map(|placed| placed.advance)
        .sum()
}

fn file_of(character: char, family: FontFamily) -> Option<&'static File> {
    let own = files(family).iter();
    // What takes no room needs no glyph of another family.
    if fallback_width_em(character) == 0.0 {
        return own.into_iter().find(|file| file.has(character));
    }
    let drawn_by_hand = || match family {
        FontFamily::Excalifont | FontFamily::Other(_) => on_demand::file_of(character),
        _ => None,
    };
    let others = || FALLBACKS.iter().flat_map(|files| files.iter());
    own.into_iter()
        .find(|file| file.has(character))
        .or_else(drawn_by_hand)
        .or_else(|| others().find(|file| file.has(character)))
}

fn shape_run(
    file: Option<&'static File>,
    run: &str,
    family: FontFamily,
    x: &mut f64,
    placed: &mut Vec<Placed>,
) {
    let Some((file, loaded)) = file.and_then(|file| file.loaded().map(|loaded| (file, loaded)))
    else {
        return;
    };
    if run.is_empty() {
        return;
    }
    let mut buffer = UnicodeBuffer::new();
    buffer.push_str(run);
    buffer.set_direction(Direction::LeftToRight);
    buffer.set_script(file.script);
    let shaped = shape_with_plan(&loaded.face, &loaded.plan, buffer);
    for (info, position) in shaped.glyph_infos().iter().zip(shaped.glyph_positions()) {
        let em = |units: i32| f64::from(units) / loaded.units_per_em;
        let natural = em(position.x_advance);
        let advance = match usize::try_from(info.cluster)
            .ok()
            .and_then(|at| run.get(at..))
        {
            Some(rest) => helvetica_width(family, rest).unwrap_or(natural),
            None => natural,
        };
        let stretch = if natural > 0.0 {
            advance / natural
        } else {
            1.0
        };
        placed.push(Placed {
            glyph: u16::try_from(info.glyph_id).ok().map(|id| Glyph {
                file,
                id: GlyphId(id),
            }),
            x: *x + em(position.x_offset) * stretch,
            y: -em(position.y_offset),
            advance,
            stretch,
        });
        *x += advance;
    }
}

/// What Helvetica gives the printable characters of ASCII, space first, in thousandths of an em.
const HELVETICA: [u16; 95] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556,
    556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667,
    611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667,
    667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500,
    222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
];

fn helvetica_width(family: FontFamily, text: &str) -> Option<f64> {
    if !matches!(family, FontFamily::Helvetica | FontFamily::LiberationSans) {
        return None;
    }
    let at = u32::from(text.chars().next()?).checked_sub(0x20)?;
    let width = HELVETICA.get(usize::try_from(at).ok()?)?;
    Some(f64::from(*width) / 1000.0)
}

/// What a character without a glyph here takes up, near what a browser's fallback fonts take: it decides how
/// much room is kept, not how it looks.
fn fallback_width_em(character: char) -> f64 {
    match u32::from(character) {
        // Control, joiners, variation selectors, combining marks.
        0..=0x1f
        | 0x7f..=0x9f
        | 0x200b..=0x200f
        | 0x2060
        | 0xfe00..=0xfe0f
        | 0xfeff
        | 0x300..=0x36f => 0.0,
        0x1f3fb..=0x1f3ff | 0xe0000..=0xe01ef => 0.0,
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

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [&[File]; 6] = [
        &EXCALIFONT,
        &NUNITO,
        &LILITA,
        &COMIC_SHANNS,
        &CASCADIA,
        &VIRGIL,
    ];

    #[test]
    fn every_shipped_file_decodes() {
        for file in ALL.iter().flat_map(|files| files.iter()) {
            assert!(file.loaded().is_some());
        }
    }

    #[test]
    fn characters_are_found_in_the_file_of_their_script() {
        let samples = ['a', 'ł', 'ж', 'λ', '˘', 'ѣ', '\u{301}'];
        for (sample, file) in samples.into_iter().zip(&EXCALIFONT) {
            let found = file_of(sample, FontFamily::Excalifont);
            assert!(
                found.is_some_and(|found| std::ptr::eq(found, file)),
                "{sample}"
            );
        }
    }

    #[test]
    fn a_family_without_a_letter_borrows_it() {
        let borrowed = file_of('ж', FontFamily::LilitaOne);
        assert!(borrowed.is_some_and(|file| std::ptr::eq(file, &EXCALIFONT[2])));
    }

    #[test]
    fn helvetica_is_as_wide_as_helvetica() {
        let width = line_width_em("Hello", FontFamily::Helvetica);
        assert!((width - (0.722 + 0.556 + 0.222 * 2.0 + 0.556)).abs() < 1e-9);
    }

    #[test]
    fn characters_without_a_glyph_still_take_room() {
        assert_eq!(line_width_em("漢字", FontFamily::Excalifont), 2.0);
        assert_eq!(line_width_em("\u{200d}", FontFamily::Excalifont), 0.0);
    }
}
