//! One font file, decoded when first needed and kept for as long as the program runs.

use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use rustybuzz::ttf_parser::{GlyphId, OutlineBuilder, Tag};
use rustybuzz::{Direction, Face, GlyphBuffer, Script, ShapePlan, UnicodeBuffer, script};

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
    /// Whether its pairs are in the old table for them.
    kerns_by_table: bool,
    /// What shaping prepares for a script and a direction: dear to make, used for every line.
    plans: RwLock<Vec<(Script, Direction, Arc<ShapePlan>)>>,
}

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
        let kern = Tag::from_bytes(b"kern");
        let features = face.tables().gpos.map(|gpos| gpos.features);
        let is_newer = features.is_some_and(|features| features.find(kern).is_some());
        Some(Loaded {
            kerns_by_table: !is_newer && face.tables().kern.is_some(),
            face,
            units_per_em,
            plans: RwLock::default(),
        })
    }

    pub fn has(&self, character: char) -> bool {
        let glyph = self
            .loaded()
            .and_then(|loaded| loaded.face.glyph_index(character));
        glyph.is_some_and(|glyph| glyph != GlyphId(0))
    }

    pub fn kerns_by_table(&self) -> bool {
        self.loaded().is_some_and(|loaded| loaded.kerns_by_table)
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

    /// The glyphs of a run in the order they stand, and the size of an em in their units.
    pub fn shape(&self, run: &str, direction: Direction) -> Option<(GlyphBuffer, f64)> {
        let loaded = self.loaded()?;
        let mut buffer = UnicodeBuffer::new();
        buffer.push_str(run);
        buffer.guess_segment_properties();
        let script = match buffer.script() {
            script::UNKNOWN | script::COMMON | script::INHERITED => script::LATIN,
            known => known,
        };
        buffer.set_direction(direction);
        buffer.set_script(script);
        let plan = loaded.plan(script, direction);
        let shaped = rustybuzz::shape_with_plan(&loaded.face, &plan, buffer);
        Some((shaped, loaded.units_per_em))
    }
}

impl Loaded {
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

/// For as long as the program runs: the tables of fonts are, and they hold on to their bytes.
pub(super) fn kept(bytes: Vec<u8>) -> &'static [u8] {
    Box::leak(bytes.into_boxed_slice())
}
