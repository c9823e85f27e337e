//! Glyphs with colours of their own, as fonts of emoji have them: a picture (`CBDT` in Noto's font, `sbix` in Apple's),
//! or outlines one above the other (`COLR` in Microsoft's).

use rustybuzz::Face;
use rustybuzz::ttf_parser::colr::Painter;
use rustybuzz::ttf_parser::{GlyphId, RasterGlyphImage, RasterImageFormat, RgbaColor};

use crate::geometry::Rect;

pub(crate) enum Colored<'a> {
    Picture(Picture<'a>),
    Layers(Layers<'a>),
}

pub(crate) struct Picture<'a> {
    pub png: &'a [u8],
    /// Its pixels to an em.
    pub per_em: f64,
    /// Where it lies, in em from the glyph's origin, y down.
    pub place: Rect,
}

#[derive(Clone, Copy)]
pub(crate) struct Layers<'a> {
    face: &'a Face<'static>,
    glyph: GlyphId,
}

/// Of the sizes that a font has its pictures in, the one for this or the next larger.
const PER_EM: u16 = 128;

pub(super) fn of<'a>(face: &'a Face<'static>, glyph: GlyphId) -> Option<Colored<'a>> {
    if face.is_color_glyph(glyph) {
        return Some(Colored::Layers(Layers { face, glyph }));
    }
    let image = image(face, glyph)?;
    let per_em = f64::from(image.pixels_per_em);
    // In Apple's fonts a picture lies in the lower left corner of the outline, where there is one.
    let corner = face
        .tables()
        .sbix
        .and_then(|_| face.glyph_bounding_box(glyph));
    let (left, bottom) = corner.map_or((0.0, 0.0), |corner| {
        let em = |units: i16| f64::from(units) / f64::from(face.units_per_em());
        (em(corner.x_min), em(corner.y_min))
    });
    let [x, y, w, h] = [
        f64::from(image.x),
        f64::from(image.y),
        f64::from(image.width),
        f64::from(image.height),
    ]
    .map(|pixels| pixels / per_em);
    Some(Colored::Picture(Picture {
        png: image.data,
        per_em,
        place: Rect::new(left + x, -(bottom + y + h), w, h),
    }))
}

fn image<'a>(face: &'a Face<'static>, glyph: GlyphId) -> Option<RasterGlyphImage<'a>> {
    let tables = face.tables();
    if tables.cbdt.is_none() && tables.sbix.is_none() {
        return None;
    }
    let image = face.glyph_raster_image(glyph, PER_EM)?;
    (image.format == RasterImageFormat::PNG && image.pixels_per_em > 0).then_some(image)
}

/// How far a glyph moves the next one, in font units. A font of nothing but pictures moves by whole pixels of theirs.
pub(super) fn advance(face: &Face<'static>, glyph: GlyphId, units: i32) -> f32 {
    let units = units as f32;
    let image = face.tables().cbdt.and_then(|_| image(face, glyph));
    image.map_or(units, |image| {
        let per_unit = f32::from(image.pixels_per_em) / face.units_per_em() as f32;
        (units * per_unit).round() / per_unit
    })
}

impl Layers<'_> {
    pub fn units_per_em(&self) -> f32 {
        self.face.units_per_em() as f32
    }

    /// The face's tables, for the outlines that the layers are made of.
    pub fn face(&self) -> &Face<'static> {
        self.face
    }

    /// Has them painted, in font units with y up; what has no colour of its own in black.
    pub fn paint(&self, painter: &mut dyn Painter<'static>) -> Option<()> {
        let black = RgbaColor::new(0, 0, 0, 255);
        self.face.paint_color_glyph(self.glyph, 0, black, painter)
    }
}
