//! Tiny fonts of emoji, made for tests: one for each way in which a glyph can have colours.
//!
//! Each has two glyphs beside the sign for what it lacks: 1 is 😀 and also the digit 1, 2 is a square that layers are
//! made of. An em is 1000 units, and everything is 1100 wide.

use std::sync::LazyLock;

use rustybuzz::ttf_parser::GlyphId;

use super::Glyph;
use super::file::{FontFile, Source, kept};

/// A picture of 20 × 10 pixels, its left half red and its right half clear, from a tenth of an em left of the origin
/// and 2 pixels below the baseline; 100 pixels are an em.
pub(super) static PICTURES: LazyLock<FontFile> = LazyLock::new(|| {
    let (locations, data) = pictures();
    font(vec![(b"CBDT", data), (b"CBLC", locations)])
});

/// The same picture at the lower left corner of an outline, a tenth of an em right of the origin and two below it.
static CORNERED: LazyLock<FontFile> = LazyLock::new(|| {
    let png = png();
    let mut sbix = Table::default();
    sbix.u16(1).u16(1).u32(1).u32(12);
    // One size; of the glyphs only the first behind the sign for what it lacks has data.
    sbix.u16(100).u16(72);
    let start = 4 + 4 * (u32::from(GLYPHS) + 1);
    let end = start + 8 + png.len() as u32;
    for at in [start, start, end, end, end] {
        sbix.u32(at);
    }
    sbix.u16(0).u16(0).bytes(b"png ").bytes(&png);
    let outline = square(100, 0_u16.wrapping_sub(200), 1000);
    let mut loca = Table::default();
    for end in [0, 0, outline.len(), outline.len(), outline.len()] {
        loca.u32(end as u32);
    }
    font(vec![
        (b"glyf", outline),
        (b"loca", loca.0),
        (b"sbix", sbix.0),
    ])
});

/// A red square of an em, and a half transparent blue one over it, half as large.
static LAYERS: LazyLock<FontFile> = LazyLock::new(|| {
    let mut colr = Table::default();
    // One base glyph of two layers.
    colr.u16(0).u16(1).u32(14).u32(20).u16(2);
    colr.u16(1).u16(0).u16(2);
    colr.u16(2).u16(0).u16(3).u16(1);
    outlined(colr)
});

/// A square that goes from red on its left to blue on its right.
static GRADIENT: LazyLock<FontFile> = LazyLock::new(|| {
    let mut colr = Table::default();
    colr.u16(1).u16(0).u32(0).u32(0).u16(0);
    colr.u32(34).u32(0).u32(0).u32(0).u32(0);
    // One base glyph: the square, filled.
    colr.u32(1).u16(1).u32(10);
    colr.u8(10).u24(6).u16(2);
    // From the left edge to the right; the third point says which way its lines run.
    colr.u8(4).u24(16);
    for at in [0, 0, 1000, 0, 0, 1000] {
        colr.u16(at);
    }
    // Two stops.
    colr.u8(0).u16(2);
    for (place, color) in [(0, 0), (1 << 14, 2)] {
        colr.u16(place).u16(color).u16(1 << 14);
    }
    outlined(colr)
});

/// 😀 in each of them.
pub(crate) fn picture() -> Glyph {
    smile(&PICTURES)
}

pub(crate) fn cornered() -> Glyph {
    smile(&CORNERED)
}

pub(crate) fn layered() -> Glyph {
    smile(&LAYERS)
}

pub(crate) fn gradient() -> Glyph {
    smile(&GRADIENT)
}

fn smile(file: &'static FontFile) -> Glyph {
    let id = GlyphId(1);
    Glyph { file, id }
}

#[derive(Default)]
struct Table(Vec<u8>);

impl Table {
    fn u8(&mut self, value: u8) -> &mut Self {
        self.0.push(value);
        self
    }

    fn u16(&mut self, value: u16) -> &mut Self {
        self.bytes(&value.to_be_bytes())
    }

    fn u24(&mut self, value: u32) -> &mut Self {
        self.bytes(&value.to_be_bytes()[1..])
    }

    fn u32(&mut self, value: u32) -> &mut Self {
        self.bytes(&value.to_be_bytes())
    }

    fn bytes(&mut self, bytes: &[u8]) -> &mut Self {
        self.0.extend_from_slice(bytes);
        self
    }
}

const GLYPHS: u16 = 4;

/// A file of these tables and those that every font has.
fn font(mut tables: Vec<(&'static [u8; 4], Vec<u8>)>) -> FontFile {
    let mut head = Table::default();
    head.u32(1 << 16).u32(0).u32(0).u32(0x5f0f_3cf5);
    head.u16(0).u16(1000).bytes(&[0; 24]);
    // Offsets of outlines have four bytes.
    head.u16(0).u16(0).u16(2).u16(1).u16(0);
    let mut hhea = Table::default();
    hhea.u32(1 << 16).bytes(&[0; 30]).u16(GLYPHS);
    let mut maxp = Table::default();
    maxp.u32(0x5000).u16(GLYPHS);
    let mut hmtx = Table::default();
    let mut cmap = Table::default();
    cmap.u16(0).u16(1).u16(3).u16(10).u32(12);
    cmap.u16(12).u16(0).u32(16 + 2 * 12).u32(0).u32(2);
    for code in ['1', '😀'].map(u32::from) {
        cmap.u32(code).u32(code).u32(1);
    }
    for _ in 0..GLYPHS {
        hmtx.u16(1104).u16(0);
    }
    tables.extend([
        (b"cmap", cmap.0),
        (b"head", head.0),
        (b"hhea", hhea.0),
        (b"hmtx", hmtx.0),
        (b"maxp", maxp.0),
    ]);
    tables.sort();
    let mut file = Table::default();
    file.u32(1 << 16).u16(tables.len() as u16).bytes(&[0; 6]);
    let mut at = 12 + 16 * tables.len();
    for (tag, data) in &tables {
        file.bytes(*tag)
            .u32(0)
            .u32(at as u32)
            .u32(data.len() as u32);
        at += data.len();
    }
    for (_, data) in &tables {
        file.bytes(data);
    }
    FontFile::new(Source::System(kept(file.0), 0))
}

fn png() -> Vec<u8> {
    let mut image = image::RgbaImage::new(20, 10);
    for (x, _, pixel) in image.enumerate_pixels_mut() {
        if x < 10 {
            *pixel = image::Rgba([255, 0, 0, 255]);
        }
    }
    let mut png = std::io::Cursor::new(Vec::new());
    image.write_to(&mut png, image::ImageFormat::Png).unwrap();
    png.into_inner()
}

fn pictures() -> (Vec<u8>, Vec<u8>) {
    let png = png();
    let mut data = Table::default();
    data.u32(3 << 16);
    // Ten pixels to the left, eight above the baseline, an advance that nobody reads.
    data.u8(10).u8(20).u8(-10_i8 as u8).u8(8).u8(110);
    data.u32(png.len() as u32).bytes(&png);
    let mut locations = Table::default();
    locations.u32(3 << 16).u32(1);
    locations.u32(56).u32(24).u32(1).u32(0).bytes(&[0; 24]);
    locations.u16(1).u16(1).u8(100).u8(100).u8(32).u8(1);
    // One stretch of one glyph, whose data follow a small head.
    locations.u16(1).u16(1).u32(8);
    locations.u16(1).u16(17).u32(4);
    locations.u32(0).u32(data.0.len() as u32 - 4);
    (locations.0, data.0)
}

/// With squares of an em and of half of one, and the colours red, half a blue, and blue.
fn outlined(colr: Table) -> FontFile {
    let mut cpal = Table::default();
    cpal.u16(0).u16(3).u16(1).u16(3).u32(14).u16(0);
    for [r, g, b, a] in [[255, 0, 0, 255], [0, 0, 255, 128], [0, 0, 255, 255]] {
        cpal.bytes(&[b, g, r, a]);
    }
    let (large, small) = (square(0, 0, 1000), square(0, 0, 500));
    let mut loca = Table::default();
    let ends = [0, 0, large.len(), large.len() + small.len()];
    loca.u32(0);
    for end in ends {
        loca.u32(end as u32);
    }
    let glyf = [large, small].concat();
    font(vec![
        (b"COLR", colr.0),
        (b"CPAL", cpal.0),
        (b"glyf", glyf),
        (b"loca", loca.0),
    ])
}

/// From its lower left corner.
fn square(x: u16, y: u16, side: u16) -> Vec<u8> {
    let mut glyph = Table::default();
    glyph.u16(1).u16(x).u16(y);
    glyph.u16(x.wrapping_add(side)).u16(y.wrapping_add(side));
    glyph.u16(3).u16(0).bytes(&[1; 4]);
    let back = 0_u16.wrapping_sub(side);
    for step in [x, 0, side, 0, y, side, 0, back] {
        glyph.u16(step);
    }
    glyph.0
}
