//! Some rows of a picture.

use std::ops::Range;

use tiny_skia::{
    FillRule, FilterQuality, LineCap, LineJoin, Mask, Paint, Path, PathBuilder, Pattern, Pixmap,
    PixmapMut, Shader, SpreadMode, Stroke, StrokeDash,
};

use super::{Sheet, points, solid};
use crate::font::{Colored, Glyph};
use crate::geometry::{Point, Rect};
use crate::render::color::Rgba;
use crate::render::glyph::Drawing;
use crate::render::list::{Ends, Ink, Item, PlacedGlyph, Rule, Transform, rect_path};
use crate::render::picture::Gallery;
use crate::render::rough::Segment;
use crate::render::stamp;

/// A stroke with more dashes than this is drawn whole.
const MAX_DASHES: f64 = 20_000.0;

/// A stroke of fewer pixels leaves nothing: it is drawn paler than the palest shade. A fill seen from far away can have
/// a hundred thousand of them.
const FAINT: f64 = 1.0 / 256.0;

pub(super) struct Band<'a> {
    sheet: &'a Sheet<'a>,
    rows: Range<u32>,
    pixels: &'a mut [u8],
    /// The last clip that was needed, in its rows.
    mask: Option<(usize, Mask)>,
    gallery: Gallery,
}

/// Where an item is drawn: all rows of the band, or those that its clip is needed in.
struct Window {
    rows: Range<u32>,
    clip: Option<usize>,
}

impl Window {
    fn height(&self) -> u32 {
        self.rows.end - self.rows.start
    }
}

impl<'a> Band<'a> {
    pub fn new(sheet: &'a Sheet<'a>, rows: Range<u32>, pixels: &'a mut [u8]) -> Self {
        Self {
            sheet,
            rows,
            pixels,
            mask: None,
            gallery: Gallery::default(),
        }
    }

    pub fn draw(mut self) {
        let all = Window {
            rows: self.rows.clone(),
            clip: None,
        };
        if let Some(color) = self.sheet.list.background
            && let Some((mut pixmap, _)) = self.target(&all)
        {
            pixmap.fill(solid(color, 1.0));
        }
        for (item, rows) in self.sheet.list.items.iter().zip(&self.sheet.rows) {
            if rows.start < self.rows.end && rows.end > self.rows.start {
                self.item(item);
            }
        }
    }

    fn item(&mut self, item: &Item) {
        let clip = item.spot.clip.and_then(|at| self.sheet.windows.get(at));
        let rows = match clip {
            Some(needed) => needed.start.max(self.rows.start)..needed.end.min(self.rows.end),
            None => self.rows.clone(),
        };
        if rows.is_empty() {
            return;
        }
        let window = Window {
            rows,
            clip: item.spot.clip,
        };
        self.clip(&window);
        match &item.ink {
            Ink::Fill { path, rule, color } => {
                let path = self.path(path, &item.spot.transform, &window);
                self.fill(path, *rule, *color, item, &window);
            }
            Ink::Stroke {
                path,
                color,
                width,
                dash,
                ends,
            } => {
                let path = self.visible_strokes(path, &item.spot.transform, *width, &window);
                self.stroke(path, *color, (*width, *dash, *ends), item, &window);
            }
            Ink::Text { glyphs, color, .. } => self.text(glyphs, *color, item, &window),
            Ink::Image {
                file,
                rect,
                crop,
                filtered,
            } => self.image(file, *rect, *crop, *filtered, item, &window),
        }
    }

    fn pixel(&self, transform: &Transform, point: Point, window: &Window) -> (f32, f32) {
        self.sheet.view.pixel(transform, point, window.rows.start)
    }

    fn path(&self, path: &[Segment], transform: &Transform, window: &Window) -> Option<Path> {
        let mut builder = PathBuilder::with_capacity(path.len(), path.len() * 3);
        self.extend(&mut builder, path, transform, window);
        builder.finish()
    }

    /// The path without the strokes that lie beside the picture: of a fill far larger than what is shown most do.
    fn visible_strokes(
        &self,
        path: &[Segment],
        transform: &Transform,
        width: f64,
        window: &Window,
    ) -> Option<Path> {
        let margin = (width * self.sheet.view.scale) as f32 + 1.0;
        let (right, bottom) = (
            self.sheet.view.width as f32 + margin,
            window.height() as f32 + margin,
        );
        let mut builder = PathBuilder::with_capacity(path.len(), path.len() * 3);
        let is_move = |segment: &Segment| matches!(segment, Segment::Move(_));
        let mut rest = path;
        while let Some((_, after)) = rest.split_first() {
            let end = after.iter().position(is_move).unwrap_or(after.len()) + 1;
            let (stroke, next) = rest.split_at(end);
            rest = next;
            let (mut x1, mut y1, mut x2, mut y2) = (f32::MAX, f32::MAX, f32::MIN, f32::MIN);
            points(stroke, |point| {
                let (x, y) = self.pixel(transform, *point, window);
                (x1, y1, x2, y2) = (x1.min(x), y1.min(y), x2.max(x), y2.max(y));
            });
            if x2 >= -margin && y2 >= -margin && x1 <= right && y1 <= bottom {
                self.extend(&mut builder, stroke, transform, window);
            }
        }
        builder.finish()
    }

    fn extend(
        &self,
        builder: &mut PathBuilder,
        path: &[Segment],
        transform: &Transform,
        window: &Window,
    ) {
        let at = |point: &Point| self.pixel(transform, *point, window);
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

    /// The window's pixels, and the mask that lies over them.
    fn target(&mut self, window: &Window) -> Option<(PixmapMut<'_>, Option<&Mask>)> {
        let row = self.sheet.view.width as usize * 4;
        let from = (window.rows.start - self.rows.start) as usize * row;
        let to = (window.rows.end - self.rows.start) as usize * row;
        let pixels = self.pixels.get_mut(from..to)?;
        let pixmap = PixmapMut::from_bytes(pixels, self.sheet.view.width, window.height())?;
        let mask = window.clip.and(self.mask.as_ref()).map(|(_, mask)| mask);
        Some((pixmap, mask))
    }

    fn fill(&mut self, path: Option<Path>, rule: Rule, color: Rgba, item: &Item, window: &Window) {
        let (Some(path), Some(paint)) = (path, paint(color, item.spot.opacity)) else {
            return;
        };
        self.paint(&path, &paint, fill_rule(rule), window);
    }

    fn paint(&mut self, path: &Path, paint: &Paint, rule: FillRule, window: &Window) {
        let identity = tiny_skia::Transform::identity();
        if let Some((mut pixmap, mask)) = self.target(window) {
            pixmap.fill_path(path, paint, rule, identity, mask);
        }
    }

    fn stroke(
        &mut self,
        path: Option<Path>,
        color: Rgba,
        (width, dash, ends): (f64, Option<[f64; 2]>, Ends),
        item: &Item,
        window: &Window,
    ) {
        let (Some(path), Some(paint)) = (path, paint(color, item.spot.opacity)) else {
            return;
        };
        let scale = self.sheet.view.scale;
        if width * scale < FAINT {
            return;
        }
        let bounds = path.bounds();
        let reach = f64::from(bounds.width()) + f64::from(bounds.height());
        let dash = dash
            .map(|lengths| lengths.map(|length| length * scale))
            .filter(|[on, off]| reach / (on + off) < MAX_DASHES)
            .and_then(|[on, off]| StrokeDash::new(vec![on as f32, off as f32], 0.0));
        let stroke = Stroke {
            width: (width * scale) as f32,
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
        let identity = tiny_skia::Transform::identity();
        if let Some((mut pixmap, mask)) = self.target(window) {
            pixmap.stroke_path(&path, &paint, &stroke, identity, mask);
        }
    }

    fn text(&mut self, glyphs: &[PlacedGlyph], color: Rgba, item: &Item, window: &Window) {
        let sheet = self.sheet;
        let mut builder = PathBuilder::new();
        let mut stamps = Vec::new();
        for placed in glyphs {
            match sheet.glyphs.get(&placed.glyph) {
                Some(Drawing::Outline(outline)) => {
                    let place = self.on_page(placed, &item.spot.transform);
                    self.extend(&mut builder, outline, &place, window);
                }
                Some(Drawing::Colored(colored)) => stamps.push((placed, colored)),
                Some(Drawing::Blank) | None => {}
            }
        }
        self.fill(builder.finish(), Rule::NonZero, color, item, window);
        for (placed, colored) in stamps {
            let place = self.on_page(placed, &item.spot.transform);
            let alpha = color.a * item.spot.opacity;
            self.stamp(&placed.glyph, colored, &place, alpha, window);
        }
    }

    /// From em to the item's coordinates, then on to the page.
    fn on_page(&self, placed: &PlacedGlyph, transform: &Transform) -> Transform {
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
            let view = &self.sheet.view;
            let y = (glyph.f + view.offset.y) * view.scale;
            glyph.f = (y + 0.5).floor() / view.scale - view.offset.y;
        }
        glyph
    }

    /// A glyph in its own colours; `place` is where an em lies on the page.
    fn stamp(
        &mut self,
        glyph: &Glyph,
        colored: &Colored<'static>,
        place: &Transform,
        alpha: f64,
        window: &Window,
    ) {
        let view = &self.sheet.view;
        let em = place.c.hypot(place.d) * view.scale;
        let mut place = *place;
        // Browsers set pictures in upright lines on quarters of a pixel.
        if place.b == 0.0 && place.c == 0.0 {
            let x = (place.e + view.offset.x) * view.scale;
            place.e = (x * 4.0 + 0.5).floor() / 4.0 / view.scale - view.offset.x;
        }
        let Some(stamp) = stamp::of(glyph, colored, em) else {
            return;
        };
        if let Some(path) = self.path(&rect_path(stamp.place), &place, window) {
            self.pixels(&stamp.pixels, stamp.place, &path, &place, alpha, window);
        }
    }

    fn image(
        &mut self,
        id: &str,
        rect: Rect,
        crop: Option<Rect>,
        filtered: bool,
        item: &Item,
        window: &Window,
    ) {
        let Some(file) = self.sheet.options.files.get(id) else {
            return;
        };
        let k = self.sheet.view.scale;
        let path = self.path(&rect_path(rect), &item.spot.transform, window);
        let shown = (rect.w * k, rect.h * k);
        let made = self.gallery.image((id, file), crop, shown, filtered);
        let (Some(made), Some(path)) = (made, path.as_ref()) else {
            // Not understood here: a grey area, as for one that is missing.
            let grey = Rgba::new(0xe7, 0xe7, 0xe7, 1.0);
            return self.fill(path, Rule::NonZero, grey, item, window);
        };
        let (image, part) = (&made.image, made.part);
        let crop = crop.unwrap_or(part);
        // Where all of what was decoded lies.
        let (kx, ky) = (rect.w / crop.w, rect.h / crop.h);
        let over = Rect::new(
            rect.x + (part.x - crop.x) * kx,
            rect.y + (part.y - crop.y) * ky,
            part.w * kx,
            part.h * ky,
        );
        let (t, opacity) = (&item.spot.transform, item.spot.opacity);
        self.pixels(image, over, path, t, opacity, window);
    }

    /// Pixels that lie over an area, as far as they are within a path.
    fn pixels(
        &mut self,
        image: &Pixmap,
        over: Rect,
        path: &Path,
        t: &Transform,
        opacity: f64,
        window: &Window,
    ) {
        let k = self.sheet.view.scale;
        let (kx, ky) = (
            over.w / f64::from(image.width()) * k,
            over.h / f64::from(image.height()) * k,
        );
        let (e, f) = self.pixel(t, Point::new(over.x, over.y), window);
        let place = tiny_skia::Transform::from_row(
            (t.a * kx) as f32,
            (t.b * kx) as f32,
            (t.c * ky) as f32,
            (t.d * ky) as f32,
            e,
            f,
        );
        let paint = Paint {
            shader: Pattern::new(
                image.as_ref(),
                SpreadMode::Pad,
                FilterQuality::Bilinear,
                opacity as f32,
                place,
            ),
            anti_alias: true,
            ..Paint::default()
        };
        self.paint(path, &paint, FillRule::Winding, window);
    }

    /// Has the window's mask ready.
    fn clip(&mut self, window: &Window) {
        let Some(at) = window.clip else {
            return;
        };
        if self.mask.as_ref().is_some_and(|(drawn, _)| *drawn == at) {
            return;
        }
        let Some(mut mask) = Mask::new(self.sheet.view.width, window.height()) else {
            return;
        };
        for (nth, clip) in self
            .sheet
            .list
            .clips
            .get(at)
            .into_iter()
            .flatten()
            .enumerate()
        {
            let identity = tiny_skia::Transform::identity();
            let rule = fill_rule(clip.rule);
            match self.path(&clip.path, &clip.transform, window) {
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

fn paint(color: Rgba, opacity: f64) -> Option<Paint<'static>> {
    let color = solid(color, opacity);
    (color.alpha() > 0.0).then(|| Paint {
        shader: Shader::SolidColor(color),
        anti_alias: true,
        ..Paint::default()
    })
}
