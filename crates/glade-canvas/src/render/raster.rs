//! The display list in pixels.
//!
//! Points are brought to pixels in double precision before they are handed over: the rasteriser works in single
//! precision, which far from the origin would tear strokes apart.

use std::collections::HashMap;

use tiny_skia::{
    Color, FillRule, FilterQuality, LineCap, LineJoin, Mask, Paint, Path, PathBuilder, Pattern,
    Pixmap, Shader, SpreadMode, Stroke, StrokeDash,
};

use super::color::Rgba;
use super::list::{Ends, Ink, Item, List, PlacedGlyph, Rule, Transform};
use super::rough::Segment;
use super::{MAX_PIXELS, Options, RenderError, picture, svg};
use crate::geometry::{Point, Rect};

const JPEG_QUALITY: u8 = 90;
/// A stroke with more dashes than this is drawn whole.
const MAX_DASHES: f64 = 20_000.0;
/// No pixel lies further out; what does is brought here, out of sight.
const FAR: f64 = 1e6;

pub(super) fn draw(list: &List, options: &Options) -> Result<Pixmap, RenderError> {
    let (w, h) = (list.view.w.max(1.0), list.view.h.max(1.0));
    let most = f64::from(MAX_PIXELS);
    let scale = options.usable_scale().min(most / w).min(most / h);
    let pixels = |side: f64| -> u32 {
        // Whole and within 1..=MAX_PIXELS.
        (side * scale).floor().clamp(1.0, most) as u32
    };
    let (width, height) = (pixels(w), pixels(h));
    let mut pixmap = Pixmap::new(width, height).ok_or(RenderError::TooLarge { width, height })?;
    if let Some(color) = list.background {
        pixmap.fill(solid(color, 1.0));
    }
    let mut canvas = Canvas {
        pixmap,
        scale,
        offset: Point::new(-list.view.x, -list.view.y),
        options,
        glyphs: HashMap::new(),
        mask: None,
    };
    for item in &list.items {
        canvas.item(item, list);
    }
    Ok(canvas.pixmap)
}

struct Canvas<'a> {
    pixmap: Pixmap,
    scale: f64,
    offset: Point,
    options: &'a Options,
    glyphs: HashMap<(usize, u16), Option<Vec<Segment>>>,
    /// The last clip that was needed, in pixels.
    mask: Option<(usize, Mask)>,
}

impl Canvas<'_> {
    fn item(&mut self, item: &Item, list: &List) {
        if let Some(clip) = item.clip {
            self.clip(clip, list);
        }
        match &item.ink {
            Ink::Fill { path, rule, color } => {
                let path = self.path(path, &item.transform);
                self.fill(path, *rule, *color, item);
            }
            Ink::Stroke {
                path,
                color,
                width,
                dash,
                ends,
            } => {
                let path = self.visible_strokes(path, &item.transform, *width);
                self.stroke(path, *color, *width, *dash, *ends, item);
            }
            Ink::Text { glyphs, color, .. } => {
                let path = self.text(glyphs, &item.transform);
                self.fill(path, Rule::NonZero, *color, item);
            }
            Ink::Image {
                file, rect, crop, ..
            } => self.image(file, *rect, *crop, item),
        }
    }

    /// A point of an item in pixels.
    fn pixel(&self, transform: &Transform, point: Point) -> (f32, f32) {
        let x = transform.a * point.x + transform.c * point.y + transform.e;
        let y = transform.b * point.x + transform.d * point.y + transform.f;
        let axis =
            |value: f64, offset: f64| ((value + offset) * self.scale).clamp(-FAR, FAR) as f32;
        (axis(x, self.offset.x), axis(y, self.offset.y))
    }

    fn path(&self, path: &[Segment], transform: &Transform) -> Option<Path> {
        let mut builder = PathBuilder::with_capacity(path.len(), path.len() * 3);
        self.extend(&mut builder, path, transform);
        builder.finish()
    }

    /// The path without the strokes that lie beside the picture: of a fill far larger than what is shown most do.
    fn visible_strokes(&self, path: &[Segment], transform: &Transform, width: f64) -> Option<Path> {
        let margin = (width * self.scale) as f32 + 1.0;
        let (right, bottom) = (
            self.pixmap.width() as f32 + margin,
            self.pixmap.height() as f32 + margin,
        );
        let mut builder = PathBuilder::with_capacity(path.len(), path.len() * 3);
        let is_move = |segment: &Segment| matches!(segment, Segment::Move(_));
        let mut rest = path;
        while let Some((first, after)) = rest.split_first() {
            let end = after.iter().position(is_move).unwrap_or(after.len()) + 1;
            let (stroke, next) = rest.split_at(end);
            rest = next;
            let (mut x1, mut y1, mut x2, mut y2) = (f32::MAX, f32::MAX, f32::MIN, f32::MIN);
            let mut reach = |point: &Point| {
                let (x, y) = self.pixel(transform, *point);
                (x1, y1, x2, y2) = (x1.min(x), y1.min(y), x2.max(x), y2.max(y));
            };
            for segment in std::iter::once(first).chain(&stroke[1..]) {
                match segment {
                    Segment::Move(to) | Segment::Line(to) => reach(to),
                    Segment::Quadratic(one, to) => [one, to].into_iter().for_each(&mut reach),
                    Segment::Cubic(one, two, to) => [one, two, to].into_iter().for_each(&mut reach),
                    Segment::Close => {}
                }
            }
            if x2 >= -margin && y2 >= -margin && x1 <= right && y1 <= bottom {
                self.extend(&mut builder, stroke, transform);
            }
        }
        builder.finish()
    }

    fn extend(&self, builder: &mut PathBuilder, path: &[Segment], transform: &Transform) {
        let at = |point: &Point| self.pixel(transform, *point);
        for segment in path {
            match segment {
                Segment::Move(to) => {
                    let (x, y) = at(to);
                    builder.move_to(x, y);
                }
                Segment::Line(to) => {
                    let (x, y) = at(to);
                    builder.line_to(x, y);
                }
                Segment::Quadratic(one, to) => {
                    let ((x1, y1), (x, y)) = (at(one), at(to));
                    builder.quad_to(x1, y1, x, y);
                }
                Segment::Cubic(one, two, to) => {
                    let ((x1, y1), (x2, y2), (x, y)) = (at(one), at(two), at(to));
                    builder.cubic_to(x1, y1, x2, y2, x, y);
                }
                Segment::Close => builder.close(),
            }
        }
    }

    fn fill(&mut self, path: Option<Path>, rule: Rule, color: Rgba, item: &Item) {
        let (Some(path), Some(paint)) = (path, paint(color, item.opacity)) else {
            return;
        };
        let mask = item.clip.and(self.mask.as_ref()).map(|(_, mask)| mask);
        self.pixmap.fill_path(
            &path,
            &paint,
            fill_rule(rule),
            tiny_skia::Transform::identity(),
            mask,
        );
    }

    fn stroke(
        &mut self,
        path: Option<Path>,
        color: Rgba,
        width: f64,
        dash: Option<[f64; 2]>,
        ends: Ends,
        item: &Item,
    ) {
        let (Some(path), Some(paint)) = (path, paint(color, item.opacity)) else {
            return;
        };
        if width <= 0.0 {
            return;
        }
        let bounds = path.bounds();
        let reach = f64::from(bounds.width()) + f64::from(bounds.height());
        let dash = dash
            .map(|lengths| lengths.map(|length| length * self.scale))
            .filter(|[on, off]| reach / (on + off) < MAX_DASHES)
            .and_then(|[on, off]| StrokeDash::new(vec![on as f32, off as f32], 0.0));
        let stroke = Stroke {
            width: (width * self.scale) as f32,
            miter_limit: 10.0,
            line_cap: match ends {
                Ends::Round => LineCap::Round,
                Ends::Plain => LineCap::Butt,
            },
            line_join: match ends {
                Ends::Round => LineJoin::Round,
                Ends::Plain => LineJoin::Miter,
            },
            dash,
        };
        let mask = item.clip.and(self.mask.as_ref()).map(|(_, mask)| mask);
        self.pixmap.stroke_path(
            &path,
            &paint,
            &stroke,
            tiny_skia::Transform::identity(),
            mask,
        );
    }

    fn text(&mut self, glyphs: &[PlacedGlyph], transform: &Transform) -> Option<Path> {
        let mut builder = PathBuilder::new();
        for placed in glyphs {
            let key = placed.glyph.key();
            self.glyphs
                .entry(key)
                .or_insert_with(|| svg::outline(&placed.glyph));
            let Some(Some(outline)) = self.glyphs.get(&key) else {
                continue;
            };
            // From em to the item's coordinates, then on to the page.
            let (sx, sy) = (placed.size * placed.stretch, placed.size);
            let mut glyph = Transform {
                a: transform.a * sx,
                b: transform.b * sx,
                c: transform.c * sy,
                d: transform.d * sy,
                e: transform.a * placed.at.x + transform.c * placed.at.y + transform.e,
                f: transform.b * placed.at.x + transform.d * placed.at.y + transform.f,
            };
            // Browsers set upright lines on whole pixels.
            if glyph.b == 0.0 && glyph.c == 0.0 {
                let y = (glyph.f + self.offset.y) * self.scale;
                glyph.f = (y + 0.5).floor() / self.scale - self.offset.y;
            }
            self.extend(&mut builder, outline, &glyph);
        }
        builder.finish()
    }

    fn image(&mut self, id: &str, rect: Rect, crop: Option<Rect>, item: &Item) {
        let Some(file) = self.options.files.get(id) else {
            return;
        };
        let path = self.path(&super::list::rect_path(rect), &item.transform);
        let shown = (rect.w * self.scale, rect.h * self.scale);
        let decoded = picture::decode(file, crop, shown);
        let (Some((image, part)), Some(path)) = (decoded, path.as_ref()) else {
            // Not understood here: a grey area, as for one that is missing.
            return self.fill(path, Rule::NonZero, Rgba::new(0xe7, 0xe7, 0xe7, 1.0), item);
        };
        let crop = crop.unwrap_or(part);
        // From the decoded part's pixels to the element, to the page, to pixels.
        let (kx, ky) = (
            part.w / f64::from(image.width()) * rect.w / crop.w,
            part.h / f64::from(image.height()) * rect.h / crop.h,
        );
        let start = Point::new(
            rect.x + (part.x - crop.x) * rect.w / crop.w,
            rect.y + (part.y - crop.y) * rect.h / crop.h,
        );
        let t = &item.transform;
        let (e, f) = self.pixel(t, start);
        let k = self.scale;
        let place = tiny_skia::Transform::from_row(
            (t.a * kx * k) as f32,
            (t.b * kx * k) as f32,
            (t.c * ky * k) as f32,
            (t.d * ky * k) as f32,
            e,
            f,
        );
        let paint = Paint {
            shader: Pattern::new(
                image.as_ref(),
                SpreadMode::Pad,
                FilterQuality::Bilinear,
                item.opacity as f32,
                place,
            ),
            anti_alias: true,
            ..Paint::default()
        };
        let mask = item.clip.and(self.mask.as_ref()).map(|(_, mask)| mask);
        self.pixmap.fill_path(
            path,
            &paint,
            FillRule::Winding,
            tiny_skia::Transform::identity(),
            mask,
        );
    }

    fn clip(&mut self, at: usize, list: &List) {
        if self.mask.as_ref().is_some_and(|(drawn, _)| *drawn == at) {
            return;
        }
        let Some(mut mask) = Mask::new(self.pixmap.width(), self.pixmap.height()) else {
            return;
        };
        for (nth, clip) in list.clips.get(at).into_iter().flatten().enumerate() {
            let identity = tiny_skia::Transform::identity();
            let rule = fill_rule(clip.rule);
            match self.path(&clip.path, &clip.transform) {
                Some(path) if nth == 0 => mask.fill_path(&path, rule, true, identity),
                Some(path) => mask.intersect_path(&path, rule, true, identity),
                None => mask.clear(),
            }
        }
        self.mask = Some((at, mask));
    }
}

fn fill_rule(rule: Rule) -> FillRule {
    match rule {
        Rule::NonZero => FillRule::Winding,
        Rule::EvenOdd => FillRule::EvenOdd,
    }
}

fn solid(color: Rgba, opacity: f64) -> Color {
    let alpha = (color.a * opacity).clamp(0.0, 1.0);
    // Rounded as a canvas rounds its colours.
    Color::from_rgba8(color.r, color.g, color.b, (alpha * 255.0).round() as u8)
}

fn paint(color: Rgba, opacity: f64) -> Option<Paint<'static>> {
    let color = solid(color, opacity);
    (color.alpha() > 0.0).then(|| Paint {
        shader: Shader::SolidColor(color),
        anti_alias: true,
        ..Paint::default()
    })
}

pub(super) fn png(pixmap: Pixmap) -> Result<Vec<u8>, RenderError> {
    let failed = |error: png::EncodingError| RenderError::Encode(error.to_string());
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, pixmap.width(), pixmap.height());
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header().map_err(failed)?;
    // In place: the largest picture is a quarter of a gigabyte.
    let pixels = pixmap.take_demultiplied();
    writer.write_image_data(&pixels).map_err(failed)?;
    writer.finish().map_err(failed)?;
    Ok(out)
}

pub(super) fn jpeg(mut pixmap: Pixmap) -> Result<Vec<u8>, RenderError> {
    let failed = |error: jpeg_encoder::EncodingError| RenderError::Encode(error.to_string());
    let side =
        |side: u32| u16::try_from(side).map_err(|error| RenderError::Encode(error.to_string()));
    let (width, height) = (side(pixmap.width())?, side(pixmap.height())?);
    // Premultiplied over white: what is missing to opaque is added as white. In place: the largest picture is a
    // quarter of a gigabyte.
    for pixel in pixmap.data_mut().chunks_exact_mut(4) {
        let white = 255 - pixel[3];
        for channel in &mut pixel[..3] {
            *channel = channel.saturating_add(white);
        }
    }
    let mut out = Vec::new();
    // The fourth byte is left out by the encoder.
    jpeg_encoder::Encoder::new(&mut out, JPEG_QUALITY)
        .encode(pixmap.data(), width, height, jpeg_encoder::ColorType::Rgba)
        .map_err(failed)?;
    Ok(out)
}
