//! One font file, decoded when first needed and kept for as long as the program runs.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use rustybuzz::ttf_parser::{GlyphId, OutlineBuilder};
use rustybuzz::{Direction, Face, Script, ShapePlan, UnicodeBuffer, script};

use super::colored::{self, Colored};
use super::on_demand;

pub(super) enum Source {
    /// In the program, packed.
    Woff2(&'static [u8]),
    /// Asked for by its name when a character needs it.
    OnDemand(&'static str),
    /// The machine's own, and which of the fonts in the file.
    System(&'static [u8], u32),
}

pub(super) struct FontFile {
    source: Source,
    loaded: OnceLock<Option<Loaded>>,
}

struct Loaded {
    face: Face<'static>,
    units_per_em: f64,
    /// Which of the first characters it has, a bit each: most of what is asked for.
    first: u128,
    /// What shaping prepares for a script and a direction: dear to make, used for every line.
    plans: RwLock<Vec<(Script, Direction, Arc<ShapePlan>)>>,
    /// Words that were set before, from left to right and from right to left: the same few make up most of a page,
    /// and breaking a text into lines measures each of them many times.
    words: [RwLock<Words>; 2],
}

type Words = HashMap<Box<str>, Box<[Shaped]>>;

/// A glyph of a run, in font units.
#[derive(Clone, Copy)]
pub(super) struct Shaped {
    pub glyph: u32,
    /// Where in the run its letters start.
    pub cluster: u32,
    pub advance: f32,
    pub x: i32,
    pub y: i32,
}

/// Words that are remembered; with more of them it starts anew.
const MAX_WORDS: usize = 4_096;
/// What is longer than this is hardly met again.
const MAX_WORD: usize = 40;

impl FontFile {
    pub const fn new(source: Source) -> Self {
        Self {
            source,
            loaded: OnceLock::new(),
        }
    }

    fn loaded(&self) -> Option<&Loaded> {
        self.loaded.get_or_init(|| self.load()).as_ref()
    }

    fn load(&self) -> Option<Loaded> {
        let (data, index) = match self.source {
            Source::System(data, index) => (data, index),
            Source::Woff2(packed) => (kept(wuff::decompress_woff2(packed).ok()?), 0),
            Source::OnDemand(name) => {
                let packed = on_demand::fetch(name)?;
                (kept(wuff::decompress_woff2(&packed).ok()?), 0)
            }
        };
        let face = Face::from_slice(data, index)?;
        let units_per_em = f64::from(face.units_per_em());
        let first = (0..128_u8)
            .filter(|at| has(&face, char::from(*at)))
            .fold(0, |all, at| all | 1 << at);
        Some(Loaded {
            face,
            units_per_em,
            first,
            plans: RwLock::default(),
            words: Default::default(),
        })
    }

    /// The whole file, unpacked.
    pub fn bytes(&self) -> Option<&'static [u8]> {
        Some(self.loaded()?.face.raw_face().data)
    }

    pub fn has(&self, character: char) -> bool {
        self.loaded().is_some_and(|loaded| match character {
            '\0'..='\x7f' => loaded.first >> u32::from(character) & 1 == 1,
            _ => has(&loaded.face, character),
        })
    }

    /// Whether there is something to draw for the character; a blank is meant to be one.
    pub fn shows(&self, character: char) -> bool {
        let Some(loaded) = self.loaded() else {
            return false;
        };
        let is_blank = character.is_whitespace()
            || matches!(
                character,
                '\u{2800}' | '\u{115f}' | '\u{1160}' | '\u{3164}' | '\u{ffa0}'
            );
        loaded.face.glyph_index(character).is_some_and(|glyph| {
            let is_drawn = || {
                loaded.face.glyph_bounding_box(glyph).is_some()
                    || colored::of(&loaded.face, glyph).is_some()
            };
            glyph != GlyphId(0) && (is_blank || is_drawn())
        })
    }

    /// Whether the font has the letter and the marks that the character is made of.
    pub fn composes(&self, character: char) -> bool {
        let may_be_made_of_others = matches!(u32::from(character), 0xc0..=0x1fff);
        may_be_made_of_others
            && self.has_all(character.encode_utf8(&mut [0; 4]), Direction::LeftToRight)
    }

    /// Whether the font has a glyph for all of the run.
    pub fn has_all(&self, run: &str, direction: Direction) -> bool {
        let mut has_all = false;
        self.shape([run], direction, |_, shaped, _| {
            has_all = shaped.iter().all(|one| one.glyph != 0);
        });
        has_all
    }

    /// The width of what the font draws for characters that it lacks, in em.
    pub fn missing_advance(&self) -> Option<f64> {
        let loaded = self.loaded()?;
        let units = loaded.face.glyph_hor_advance(GlyphId(0))?;
        Some(f64::from(units) / loaded.units_per_em)
    }

    /// Hands a glyph's outline to `builder`, in font units with y up; answers the size of an em in them.
    pub fn outline(&self, glyph: GlyphId, builder: &mut dyn OutlineBuilder) -> Option<f64> {
        let loaded = self.loaded()?;
        loaded.face.outline_glyph(glyph, builder)?;
        Some(loaded.units_per_em)
    }

    /// A glyph's own colours.
    pub fn colored(&self, glyph: GlyphId) -> Option<Colored<'_>> {
        colored::of(&self.loaded()?.face, glyph)
    }

    /// Hands on the glyphs of each of the runs, in the order they stand, with the size of an em in their units.
    pub fn shape<'a>(
        &self,
        runs: impl IntoIterator<Item = &'a str>,
        direction: Direction,
        mut each: impl FnMut(&'a str, &[Shaped], f64),
    ) {
        let Some(loaded) = self.loaded() else {
            return;
        };
        let words = &loaded.words[usize::from(direction == Direction::RightToLeft)];
        let read = || words.read().unwrap_or_else(PoisonError::into_inner);
        // For all of them once: threads that set words at the same time do not wait for each other.
        let mut known = read();
        for run in runs {
            if let Some(shaped) = known.get(run) {
                each(run, shaped, loaded.units_per_em);
                continue;
            }
            drop(known);
            let shaped = loaded.shape(run, direction);
            each(run, &shaped, loaded.units_per_em);
            if run.len() <= MAX_WORD {
                let mut words = words.write().unwrap_or_else(PoisonError::into_inner);
                if words.len() >= MAX_WORDS {
                    words.clear();
                }
                words.insert(run.into(), shaped);
            }
            known = read();
        }
    }
}

impl Loaded {
    fn shape(&self, run: &str, direction: Direction) -> Box<[Shaped]> {
        let mut buffer = UnicodeBuffer::new();
        buffer.push_str(run);
        buffer.guess_segment_properties();
        let script = match buffer.script() {
            script::UNKNOWN | script::COMMON | script::INHERITED => script::LATIN,
            known => known,
        };
        buffer.set_direction(direction);
        buffer.set_script(script);
        let plan = self.plan(script, direction);
        let shaped = rustybuzz::shape_with_plan(&self.face, &plan, buffer);
        let glyphs = shaped.glyph_infos().iter().zip(shaped.glyph_positions());
        glyphs
            .map(|(info, position)| Shaped {
                glyph: info.glyph_id,
                cluster: info.cluster,
                advance: self.advance(info.glyph_id, position.x_advance),
                x: position.x_offset,
                y: position.y_offset,
            })
            .collect()
    }

    fn advance(&self, glyph: u32, units: i32) -> f32 {
        let glyph = u16::try_from(glyph).unwrap_or_default();
        colored::advance(&self.face, GlyphId(glyph), units)
    }

    fn plan(&self, script: Script, direction: Direction) -> Arc<ShapePlan> {
        let fits = |(of, way, _): &&(Script, Direction, Arc<ShapePlan>)| {
            *of == script && *way == direction
        };
        let plans = self.plans.read().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, _, plan)) = plans.iter().find(fits) {
            return Arc::clone(plan);
        }
        drop(plans);
        let plan = Arc::new(ShapePlan::new(
            &self.face,
            direction,
            Some(script),
            None,
            &[],
        ));
        let mut plans = self.plans.write().unwrap_or_else(PoisonError::into_inner);
        plans.push((script, direction, Arc::clone(&plan)));
        plan
    }
}

fn has(face: &Face, character: char) -> bool {
    let glyph = face.glyph_index(character);
    glyph.is_some_and(|glyph| glyph != GlyphId(0))
}

/// For as long as the program runs: the tables of fonts are, and they hold on to their bytes.
pub(super) fn kept(bytes: Vec<u8>) -> &'static [u8] {
    Box::leak(bytes.into_boxed_slice())
}
