//! Glyphs that are outlines one above the other, each in its colour or gradient (`COLR`, both versions).

use rustybuzz::Face;
use rustybuzz::ttf_parser::colr::{
    ClipBox, ColorStop, CompositeMode, GradientExtend, Paint as Brush, Painter,
};
use rustybuzz::ttf_parser::{self, GlyphId, OutlineBuilder, RgbaColor};
use tiny_skia::{
    BlendMode, Color, FillRule, GradientStop, LinearGradient, Mask, Paint, Path, PathBuilder,
    Pixmap, PixmapPaint, Point, RadialGradient, Rect as Area, Shader, SpreadMode, SweepGradient,
    Transform,
};

use super::Stamp;
use crate::font::Layers;
use crate::geometry::Rect;

/// Room for a glyph, in em: from so far left of its origin and above it, so wide and high.
const ROOM: Rect = Rect::new(-0.5, -1.5, 2.5, 2.5);
/// A glyph that nests deeper is not drawn whole.
const MOST_LAYERS: usize = 16;

/// With so many pixels to an em.
pub(super) fn draw(layers: Layers, per_em: u32) -> Option<Stamp> {
    let em = f64::from(per_em);
    // Whole: the room is in halves, and sizes are even.
    let side = |room: f64| (room * em) as u32;
    let per_unit = per_em as f32 / layers.units_per_em();
    let start = (-ROOM.x * em, -ROOM.y * em);
    let base = Transform::from_row(
        per_unit,
        0.0,
        0.0,
        -per_unit,
        start.0 as f32,
        start.1 as f32,
    );
    let mut painter = LayerPainter {
        face: layers.face(),
        sheets: vec![(
            BlendMode::SourceOver,
            Pixmap::new(side(ROOM.w), side(ROOM.h))?,
        )],
        transforms: vec![base],
        clips: Vec::new(),
        outline: None,
    };
    layers.paint(&mut painter)?;
    let (_, pixels) = painter.sheets.into_iter().next()?;
    Some(cut(pixels, em))
}

/// Without the empty room around it.
fn cut(pixels: Pixmap, em: f64) -> Stamp {
    let (mut left, mut top, mut right, mut bottom) = (pixels.width(), pixels.height(), 0, 0);
    for y in 0..pixels.height() {
        for x in 0..pixels.width() {
            if pixels.pixel(x, y).is_some_and(|pixel| pixel.alpha() > 0) {
                (left, right) = (left.min(x), right.max(x + 1));
                (top, bottom) = (top.min(y), bottom.max(y + 1));
            }
        }
    }
    // A clear pixel around it, for edges that lie between pixels.
    let (left, top) = (left.saturating_sub(1), top.saturating_sub(1));
    let (right, bottom) = (
        (right + 1).min(pixels.width()),
        (bottom + 1).min(pixels.height()),
    );
    let part = tiny_skia::IntRect::from_ltrb(left as i32, top as i32, right as i32, bottom as i32);
    let pixels = part
        .and_then(|part| pixels.clone_rect(part))
        .unwrap_or(pixels);
    Stamp {
        place: Rect::new(
            ROOM.x + f64::from(left) / em,
            ROOM.y + f64::from(top) / em,
            f64::from(pixels.width()) / em,
            f64::from(pixels.height()) / em,
        ),
        pixels,
    }
}

struct LayerPainter<'a> {
    face: &'a Face<'static>,
    /// What is painted on, the last on top, and how each is laid over the one below.
    sheets: Vec<(BlendMode, Pixmap)>,
    /// From the glyph's units to pixels.
    transforms: Vec<Transform>,
    clips: Vec<Option<Mask>>,
    /// In pixels; none once it has become a clip.
    outline: Option<Path>,
}

impl LayerPainter<'_> {
    fn transform(&self) -> Transform {
        self.transforms.last().copied().unwrap_or_default()
    }

    fn clip_to(&mut self, path: Option<Path>) {
        let Some((_, sheet)) = self.sheets.first() else {
            return;
        };
        let identity = Transform::identity();
        let clip = match (self.clips.last(), path) {
            (Some(Some(within)), Some(path)) => {
                let mut clip = within.clone();
                clip.intersect_path(&path, FillRule::Winding, true, identity);
                Some(clip)
            }
            (_, path) => {
                let clip = Mask::new(sheet.width(), sheet.height());
                clip.map(|mut clip| {
                    if let Some(path) = path {
                        clip.fill_path(&path, FillRule::Winding, true, identity);
                    }
                    clip
                })
            }
        };
        self.clips.push(clip);
    }

    fn shader(&self, brush: Brush) -> Option<Shader<'static>> {
        let transform = self.transform();
        let coordinates = self.face.variation_coordinates();
        match brush {
            Brush::Solid(color) => Some(Shader::SolidColor(solid(color))),
            Brush::LinearGradient(line) => {
                let (start, end) = straightened(
                    Point::from_xy(line.x0, line.y0),
                    Point::from_xy(line.x1, line.y1),
                    Point::from_xy(line.x2, line.y2),
                );
                let (from, to, stops) = stops(line.stops(0, coordinates))?;
                LinearGradient::new(
                    between(start, end, from),
                    between(start, end, to),
                    stops,
                    spread(line.extend),
                    transform,
                )
            }
            Brush::RadialGradient(circles) => {
                let start = Point::from_xy(circles.x0, circles.y0);
                let end = Point::from_xy(circles.x1, circles.y1);
                let (from, to, stops) = stops(circles.stops(0, coordinates))?;
                let radius = |share: f32| circles.r0 + (circles.r1 - circles.r0) * share;
                RadialGradient::new(
                    between(start, end, from),
                    radius(from).max(0.0),
                    between(start, end, to),
                    radius(to).max(0.0),
                    stops,
                    spread(circles.extend),
                    transform,
                )
            }
            Brush::SweepGradient(sweep) => {
                let (from, to, stops) = stops(sweep.stops(0, coordinates))?;
                // Stored from -1 to 1 for a whole turn.
                let degrees = |share: f32| {
                    (sweep.start_angle + (sweep.end_angle - sweep.start_angle) * share + 1.0)
                        * 180.0
                };
                SweepGradient::new(
                    Point::from_xy(sweep.center_x, sweep.center_y),
                    degrees(from),
                    degrees(to),
                    stops,
                    spread(sweep.extend),
                    transform,
                )
            }
        }
    }
}

impl<'a> Painter<'a> for LayerPainter<'_> {
    fn outline_glyph(&mut self, glyph: GlyphId) {
        let mut outline = Outline(PathBuilder::new());
        self.face.outline_glyph(glyph, &mut outline);
        let path = outline.0.finish();
        self.outline = path.and_then(|path| path.transform(self.transform()));
    }

    fn paint(&mut self, brush: Brush<'a>) {
        let Some(shader) = self.shader(brush) else {
            return;
        };
        let paint = Paint {
            shader,
            anti_alias: true,
            ..Paint::default()
        };
        let Some((_, sheet)) = self.sheets.last_mut() else {
            return;
        };
        let identity = Transform::identity();
        let clip = self.clips.last().and_then(Option::as_ref);
        match self.outline.take() {
            Some(path) => sheet.fill_path(&path, &paint, FillRule::Winding, identity, clip),
            None => {
                let (w, h) = (sheet.width() as f32, sheet.height() as f32);
                if let Some(all) = Area::from_xywh(0.0, 0.0, w, h) {
                    sheet.fill_rect(all, &paint, identity, clip);
                }
            }
        }
    }

    fn push_clip(&mut self) {
        let path = self.outline.take();
        self.clip_to(path);
    }

    fn push_clip_box(&mut self, area: ClipBox) {
        let area = Area::from_ltrb(area.x_min, area.y_min, area.x_max, area.y_max);
        let path = area.map(PathBuilder::from_rect);
        let path = path.and_then(|path| path.transform(self.transform()));
        self.clip_to(path);
    }

    fn pop_clip(&mut self) {
        self.clips.pop();
    }

    fn push_layer(&mut self, mode: CompositeMode) {
        let Some((_, below)) = self.sheets.first() else {
            return;
        };
        let room = match self.sheets.len() {
            ..MOST_LAYERS => (below.width(), below.height()),
            _ => (1, 1),
        };
        if let Some(sheet) = Pixmap::new(room.0, room.1) {
            self.sheets.push((blend(mode), sheet));
        }
    }

    fn pop_layer(&mut self) {
        let (Some((mode, sheet)), Some((_, below))) = (self.sheets.pop(), self.sheets.last_mut())
        else {
            return;
        };
        let paint = PixmapPaint {
            blend_mode: mode,
            ..PixmapPaint::default()
        };
        let clip = self.clips.last().and_then(Option::as_ref);
        below.draw_pixmap(0, 0, sheet.as_ref(), &paint, Transform::identity(), clip);
    }

    fn push_transform(&mut self, by: ttf_parser::Transform) {
        let by = Transform::from_row(by.a, by.b, by.c, by.d, by.e, by.f);
        self.transforms.push(self.transform().pre_concat(by));
    }

    fn pop_transform(&mut self) {
        self.transforms.pop();
    }
}

fn solid(color: RgbaColor) -> Color {
    Color::from_rgba8(color.red, color.green, color.blue, color.alpha)
}

/// Sorted, with the places of the first and the last, which become 0 and 1.
fn stops(given: impl Iterator<Item = ColorStop>) -> Option<(f32, f32, Vec<GradientStop>)> {
    let mut given: Vec<ColorStop> = given.collect();
    given.sort_by(|one, two| one.stop_offset.total_cmp(&two.stop_offset));
    let (first, last) = (given.first()?.stop_offset, given.last()?.stop_offset);
    let length = last - first;
    let place = |at: f32| {
        if length > 0.0 {
            (at - first) / length
        } else {
            at
        }
    };
    let (from, to) = if length > 0.0 {
        (first, last)
    } else {
        (0.0, 1.0)
    };
    let stops = given
        .iter()
        .map(|stop| GradientStop::new(place(stop.stop_offset), solid(stop.color)))
        .collect();
    Some((from, to, stops))
}

fn between(one: Point, two: Point, share: f32) -> Point {
    Point::from_xy(
        one.x + (two.x - one.x) * share,
        one.y + (two.y - one.y) * share,
    )
}

/// The start and the end of a gradient whose lines of one colour run along a third point.
fn straightened(start: Point, end: Point, along: Point) -> (Point, Point) {
    let across = Point::from_xy(along.y - start.y, start.x - along.x);
    let square = across.x * across.x + across.y * across.y;
    if square == 0.0 {
        return (start, end);
    }
    let share = ((end.x - start.x) * across.x + (end.y - start.y) * across.y) / square;
    let end = Point::from_xy(start.x + across.x * share, start.y + across.y * share);
    (start, end)
}

fn spread(extend: GradientExtend) -> SpreadMode {
    match extend {
        GradientExtend::Pad => SpreadMode::Pad,
        GradientExtend::Repeat => SpreadMode::Repeat,
        GradientExtend::Reflect => SpreadMode::Reflect,
    }
}

fn blend(mode: CompositeMode) -> BlendMode {
    match mode {
        CompositeMode::Clear => BlendMode::Clear,
        CompositeMode::Source => BlendMode::Source,
        CompositeMode::Destination => BlendMode::Destination,
        CompositeMode::SourceOver => BlendMode::SourceOver,
        CompositeMode::DestinationOver => BlendMode::DestinationOver,
        CompositeMode::SourceIn => BlendMode::SourceIn,
        CompositeMode::DestinationIn => BlendMode::DestinationIn,
        CompositeMode::SourceOut => BlendMode::SourceOut,
        CompositeMode::DestinationOut => BlendMode::DestinationOut,
        CompositeMode::SourceAtop => BlendMode::SourceAtop,
        CompositeMode::DestinationAtop => BlendMode::DestinationAtop,
        CompositeMode::Xor => BlendMode::Xor,
        CompositeMode::Plus => BlendMode::Plus,
        CompositeMode::Screen => BlendMode::Screen,
        CompositeMode::Overlay => BlendMode::Overlay,
        CompositeMode::Darken => BlendMode::Darken,
        CompositeMode::Lighten => BlendMode::Lighten,
        CompositeMode::ColorDodge => BlendMode::ColorDodge,
        CompositeMode::ColorBurn => BlendMode::ColorBurn,
        CompositeMode::HardLight => BlendMode::HardLight,
        CompositeMode::SoftLight => BlendMode::SoftLight,
        CompositeMode::Difference => BlendMode::Difference,
        CompositeMode::Exclusion => BlendMode::Exclusion,
        CompositeMode::Multiply => BlendMode::Multiply,
        CompositeMode::Hue => BlendMode::Hue,
        CompositeMode::Saturation => BlendMode::Saturation,
        CompositeMode::Color => BlendMode::Color,
        CompositeMode::Luminosity => BlendMode::Luminosity,
    }
}

struct Outline(PathBuilder);

impl OutlineBuilder for Outline {
    fn move_to(&mut self, x: f32, y: f32) {
        self.0.move_to(x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.0.line_to(x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        self.0.quad_to(x1, y1, x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        self.0.cubic_to(x1, y1, x2, y2, x, y);
    }

    fn close(&mut self) {
        self.0.close();
    }
}
