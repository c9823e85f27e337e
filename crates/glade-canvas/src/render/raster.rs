//! The display list in pixels.
//!
//! Points are brought to pixels in double precision before they are handed over: the rasteriser works in single
//! precision, which far from the origin would tear strokes apart.
//!
//! A large picture is drawn in bands, each by itself and on whatever thread is free. How many there are depends on the
//! page and not on the machine, so that the same page gives the same bytes everywhere.

mod band;

use std::ops::Range;

use image::ExtendedColorType;
use image::codecs::jpeg::JpegEncoder;
use tiny_skia::{Color, Pixmap};

use super::color::Rgba;
use super::glyph::{Drawing, Glyphs};
use super::list::{Ink, Item, List, Transform};
use super::rough::Segment;
use super::{MAX_PIXELS, Options, RenderError, parallel};
use crate::geometry::Point;
use band::Band;

/// No pixel lies further out; what does is brought here, out of sight.
const FAR: f64 = 1e6;
/// A picture is cut into as many bands as hold this many rows, up to [`MAX_BANDS`].
const BAND_ROWS: u32 = 128;
const MAX_BANDS: u32 = 8;
/// What may reach beyond an item's points, in pixels.
const MARGIN: f64 = 2.0;

/// How hard a PNG is packed. More makes it a few hundredths smaller, and hatched areas take five times as long.
const EFFORT: u8 = 2;

/// Of a JPEG, in percent.
const QUALITY: u8 = 90;

pub(super) fn png(list: &List, options: &Options) -> Result<Vec<u8>, RenderError> {
    let sheet = Sheet::new(list, options);
    let pixmap = sheet.draw(bands(list, sheet.view.height))?;
    encoded(pixmap)
}

pub(super) fn encoded(pixmap: Pixmap) -> Result<Vec<u8>, RenderError> {
    let failed = |error: png::EncodingError| RenderError::Encode(error.to_string());
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, pixmap.width(), pixmap.height());
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_deflate_compression(png::DeflateCompression::Level(EFFORT));
    let mut writer = encoder.write_header().map_err(failed)?;
    // In place: the largest picture is a quarter of a gigabyte.
    let pixels = pixmap.take_demultiplied();
    writer.write_image_data(&pixels).map_err(failed)?;
    writer.finish().map_err(failed)?;
    Ok(out)
}

pub(super) fn jpeg(list: &List, options: &Options) -> Result<Vec<u8>, RenderError> {
    let sheet = Sheet::new(list, options);
    let pixmap = sheet.draw(bands(list, sheet.view.height))?;
    let mut out = Vec::new();
    let mut encoder = JpegEncoder::new_with_quality(&mut out, QUALITY);
    encoder
        .encode(
            &on_white(pixmap.data()),
            pixmap.width(),
            pixmap.height(),
            ExtendedColorType::Rgb8,
        )
        .map_err(|error| RenderError::Encode(error.to_string()))?;
    Ok(out)
}

/// Premultiplied pixels over white, without their alpha: what is missing to opaque is added as white.
fn on_white(pixels: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(pixels.len() / 4 * 3);
    for pixel in pixels.chunks_exact(4) {
        let white = 255 - pixel[3];
        out.extend(
            pixel[..3]
                .iter()
                .map(|channel| channel.saturating_add(white)),
        );
    }
    out
}

/// Each band costs what it draws again of items that reach beyond it, and gives a thread something to do.
fn bands(list: &List, height: u32) -> u32 {
    if has_images(list) {
        // Each image is then decoded once, and one at a time.
        1
    } else {
        (height / BAND_ROWS).clamp(1, MAX_BANDS)
    }
}

fn has_images(list: &List) -> bool {
    let is_image = |item: &Item| matches!(item.ink, Ink::Image { .. });
    list.items.iter().any(is_image)
}

/// What all bands share.
struct Sheet<'a> {
    list: &'a List,
    options: &'a Options,
    view: View,
    /// The rows that each item may have ink in.
    rows: Vec<Range<u32>>,
    /// The rows that each clip is needed in.
    windows: Vec<Range<u32>>,
    glyphs: Glyphs<Drawing>,
}

impl<'a> Sheet<'a> {
    fn new(list: &'a List, options: &'a Options) -> Self {
        let (w, h) = (list.view.w.max(1.0), list.view.h.max(1.0));
        let most = f64::from(MAX_PIXELS);
        let scale = options.usable_scale().min(most / w).min(most / h);
        let pixels = |side: f64| -> u32 {
            // Whole and within 1..=MAX_PIXELS.
            (side * scale).floor().clamp(1.0, most) as u32
        };
        let view = View {
            scale,
            offset: Point::new(-list.view.x, -list.view.y),
            width: pixels(w),
            height: pixels(h),
        };
        let rows = parallel::map(&list.items, parallel::STROKES, |item| view.rows(item));
        Self {
            list,
            options,
            windows: windows(list, &rows),
            rows,
            glyphs: glyphs(&list.items),
            view,
        }
    }

    /// All of it, in so many bands.
    fn draw(&self, bands: u32) -> Result<Pixmap, RenderError> {
        let View { width, height, .. } = self.view;
        let mut pixmap =
            Pixmap::new(width, height).ok_or(RenderError::TooLarge { width, height })?;
        let each = (height.div_ceil(bands) * width * 4) as usize;
        let mut top = 0;
        let mut parts = Vec::new();
        for pixels in pixmap.data_mut().chunks_mut(each) {
            // As many as were cut off, which is no more than the height.
            let bottom = top + pixels.len() as u32 / (width * 4);
            parts.push(Band::new(self, top..bottom, pixels));
            top = bottom;
        }
        parallel::each(parts, |band| band.draw());
        Ok(pixmap)
    }
}

/// Every glyph in use.
fn glyphs(items: &[Item]) -> Glyphs<Drawing> {
    let mut known = Glyphs::default();
    for item in items {
        let Ink::Text { glyphs, .. } = &item.ink else {
            continue;
        };
        for placed in glyphs {
            known.know(&placed.glyph, || Drawing::of(&placed.glyph));
        }
    }
    known
}

/// A mask costs its rows: an arrow's label needs few of them.
fn windows(list: &List, rows: &[Range<u32>]) -> Vec<Range<u32>> {
    let mut windows: Vec<Range<u32>> = vec![0..0; list.clips.len()];
    for (item, rows) in list.items.iter().zip(rows) {
        let window = item.spot.clip.and_then(|clip| windows.get_mut(clip));
        let Some(window) = window.filter(|_| !rows.is_empty()) else {
            continue;
        };
        *window = match window.end {
            0 => rows.clone(),
            end => window.start.min(rows.start)..end.max(rows.end),
        };
    }
    windows
}

/// From the page to pixels.
struct View {
    scale: f64,
    offset: Point,
    width: u32,
    height: u32,
}

impl View {
    /// A point of an item in pixels, below the row `top`.
    fn pixel(&self, transform: &Transform, point: Point, top: u32) -> (f32, f32) {
        let x = transform.a * point.x + transform.c * point.y + transform.e;
        let y = transform.b * point.x + transform.d * point.y + transform.f;
        let axis = |value: f64| value.clamp(-FAR, FAR) as f32;
        (
            axis((x + self.offset.x) * self.scale),
            axis((y + self.offset.y) * self.scale - f64::from(top)),
        )
    }

    fn rows(&self, item: &Item) -> Range<u32> {
        let (mut low, mut high) = (f64::MAX, f64::MIN);
        let mut reach = |point: &Point, around: f64| {
            let Transform { b, d, f, .. } = item.spot.transform;
            let y = (b * point.x + d * point.y + f + self.offset.y) * self.scale;
            let around = around * (b.abs() + d.abs()).max(1.0) * self.scale + MARGIN;
            low = low.min(y - around);
            high = high.max(y + around);
        };
        match &item.ink {
            Ink::Fill { path, .. } => points(path, |point| reach(point, 0.0)),
            // A pointed corner reaches ten times half the width.
            Ink::Stroke { path, width, .. } => points(path, |point| reach(point, width * 5.0)),
            Ink::Text { glyphs, .. } => glyphs
                .iter()
                .for_each(|placed| reach(&placed.at, placed.size * 3.0)),
            Ink::Image { rect, .. } => rect.corners().iter().for_each(|at| reach(at, 0.0)),
        }
        // NaN and what lies beside the picture become empty; the rest is whole and within the height.
        let row = |y: f64| y.clamp(0.0, f64::from(self.height)) as u32;
        if low <= high {
            row(low.floor())..row(high.ceil())
        } else {
            0..0
        }
    }
}

fn points(path: &[Segment], mut reach: impl FnMut(&Point)) {
    for segment in path {
        match segment {
            Segment::Move(to) | Segment::Line(to) => reach(to),
            Segment::Quadratic(one, to) => [one, to].into_iter().for_each(&mut reach),
            Segment::Cubic(one, two, to) => [one, two, to].into_iter().for_each(&mut reach),
            Segment::Close => {}
        }
    }
}

fn solid(color: Rgba, opacity: f64) -> Color {
    let alpha = (color.a * opacity).clamp(0.0, 1.0);
    // Rounded as a canvas rounds its colours.
    Color::from_rgba8(color.r, color.g, color.b, (alpha * 255.0).round() as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_transparent_is_white() {
        let pixels = [0, 0, 0, 0, 128, 0, 0, 128, 9, 8, 7, 255];
        assert_eq!(on_white(&pixels), [255, 255, 255, 255, 127, 127, 9, 8, 7]);
    }
}
