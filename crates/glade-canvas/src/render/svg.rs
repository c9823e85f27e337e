//! The display list as an SVG document.

use std::collections::HashMap;
use std::fmt::Write;

use rustybuzz::ttf_parser::OutlineBuilder;

use super::color::Rgba;
use super::list::{ClipPath, Ends, Ink, Item, List, PlacedGlyph, Rule, Transform};
use super::picture;
use super::rough::Segment;
use super::{ImageFile, Options};
use crate::font::Glyph;
use crate::geometry::{Point, Rect};

/// Glyphs are written in thousandths of an em.
const EM: f64 = 1000.0;

pub(super) fn write(list: &List, options: &Options) -> String {
    let (w, h) = (list.view.w.max(1.0), list.view.h.max(1.0));
    let scale = options.usable_scale();
    let mut writer = Writer {
        options,
        glyphs: HashMap::new(),
        defs: String::new(),
        body: String::new(),
    };
    for (at, clips) in list.clips.iter().enumerate() {
        writer.clip(at, clips);
    }
    for item in &list.items {
        writer.item(item, list);
    }
    let background = list.background.map_or(String::new(), |color| {
        let paint = paint("fill", color, 1.0);
        format!("<rect width=\"{}\" height=\"{}\"{paint}/>\n", n(w), n(h))
    });
    let defs = if writer.defs.is_empty() {
        String::new()
    } else {
        format!("<defs>\n{}</defs>\n", writer.defs)
    };
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" width=\"{}\" height=\"{}\" viewBox=\"0 0 {} {}\">\n{defs}{background}<g transform=\"translate({} {})\">\n{}</g>\n</svg>\n",
        n(w * scale),
        n(h * scale),
        n(w),
        n(h),
        n(-list.view.x),
        n(-list.view.y),
        writer.body,
    )
}

struct Writer<'a> {
    options: &'a Options,
    /// Numbered as they come up.
    glyphs: HashMap<(usize, u16), usize>,
    defs: String,
    body: String,
}

impl Writer<'_> {
    fn clip(&mut self, at: usize, clips: &[ClipPath]) {
        for (nth, clip) in clips.iter().enumerate() {
            // Each lies under the one before it, so that the last one holds them all.
            let under = match nth.checked_sub(1) {
                Some(before) => format!(" clip-path=\"url(#c{at}-{before})\""),
                None => String::new(),
            };
            let rule = match clip.rule {
                Rule::NonZero => "",
                Rule::EvenOdd => " clip-rule=\"evenodd\"",
            };
            let _ = writeln!(
                self.defs,
                "<clipPath id=\"c{at}-{nth}\"{under}><path d=\"{}\"{rule}{}/></clipPath>",
                data(&clip.path, 1.0),
                transform(&clip.transform),
            );
        }
    }

    fn item(&mut self, item: &Item, list: &List) {
        let clip = item
            .clip
            .and_then(|at| Some((at, list.clips.get(at)?.len().checked_sub(1)?)));
        if let Some((at, last)) = clip {
            let _ = write!(self.body, "<g clip-path=\"url(#c{at}-{last})\">");
        }
        let place = transform(&item.transform);
        match &item.ink {
            Ink::Fill { path, rule, color } => {
                let rule = match rule {
                    Rule::NonZero => "",
                    Rule::EvenOdd => " fill-rule=\"evenodd\"",
                };
                let paint = paint("fill", *color, item.opacity);
                let _ = write!(
                    self.body,
                    "<path d=\"{}\"{paint}{rule}{place}/>",
                    data(path, 1.0)
                );
            }
            Ink::Stroke {
                path,
                color,
                width,
                dash,
                ends,
            } => {
                let paint = paint("stroke", *color, item.opacity);
                let dash = dash.map_or(String::new(), |[on, off]| {
                    format!(" stroke-dasharray=\"{} {}\"", n(on), n(off))
                });
                let ends = match ends {
                    Ends::Round => " stroke-linecap=\"round\" stroke-linejoin=\"round\"",
                    Ends::Plain => "",
                };
                let _ = write!(
                    self.body,
                    "<path d=\"{}\" fill=\"none\"{paint} stroke-width=\"{}\"{ends}{dash}{place}/>",
                    data(path, 1.0),
                    n(*width),
                );
            }
            Ink::Text {
                glyphs,
                color,
                words,
            } => self.text(glyphs, paint("fill", *color, item.opacity), words, &place),
            Ink::Image {
                file,
                rect,
                crop,
                filtered,
            } => self.image(file, *rect, *crop, *filtered, item.opacity, &place),
        }
        self.body
            .push_str(if clip.is_some() { "</g>\n" } else { "\n" });
    }

    fn text(&mut self, glyphs: &[PlacedGlyph], paint: String, words: &str, place: &str) {
        if glyphs.is_empty() {
            return;
        }
        let _ = write!(
            self.body,
            "<g role=\"img\" aria-label=\"{}\"{paint}{place}>",
            escaped(words)
        );
        let size = glyphs.first().map_or(1.0, |glyph| glyph.size);
        let per_unit = size / EM;
        let _ = write!(self.body, "<g transform=\"scale({})\">", fine(per_unit));
        for placed in glyphs {
            let Some(number) = self.glyph(&placed.glyph) else {
                continue;
            };
            let (x, y) = (placed.at.x / per_unit, placed.at.y / per_unit);
            let _ = if (placed.stretch - 1.0).abs() < 1e-9 {
                write!(
                    self.body,
                    "<use href=\"#g{number}\" x=\"{}\" y=\"{}\"/>",
                    n(x),
                    n(y)
                )
            } else {
                write!(
                    self.body,
                    "<use href=\"#g{number}\" transform=\"matrix({} 0 0 1 {} {})\"/>",
                    fine(placed.stretch),
                    n(x),
                    n(y)
                )
            };
        }
        self.body.push_str("</g></g>");
    }

    /// The number of a glyph, written down at its first use; none for one without an outline, such as a space.
    fn glyph(&mut self, glyph: &Glyph) -> Option<usize> {
        if let Some(number) = self.glyphs.get(&glyph.key()) {
            return Some(*number);
        }
        let path = outline(glyph)?;
        let number = self.glyphs.len();
        self.glyphs.insert(glyph.key(), number);
        let _ = writeln!(
            self.defs,
            "<path id=\"g{number}\" d=\"{}\"/>",
            data(&path, EM)
        );
        Some(number)
    }

    fn image(
        &mut self,
        id: &str,
        rect: Rect,
        crop: Option<Rect>,
        filtered: bool,
        opacity: f64,
        place: &str,
    ) {
        let Some(file) = self.options.files.get(id) else {
            return;
        };
        let Some(href) = data_url(file) else {
            let paint = paint("fill", Rgba::new(0xe7, 0xe7, 0xe7, 1.0), opacity);
            let _ = write!(
                self.body,
                "<rect width=\"{}\" height=\"{}\"{paint}{place}/>",
                n(rect.w),
                n(rect.h)
            );
            return;
        };
        let filter = if filtered {
            " style=\"filter: invert(93%) hue-rotate(180deg)\""
        } else {
            ""
        };
        let faded = if opacity < 1.0 {
            format!(" opacity=\"{}\"", n(opacity))
        } else {
            String::new()
        };
        let whole = |w: f64, h: f64| {
            format!(
                "<image href=\"{href}\" width=\"{}\" height=\"{}\" preserveAspectRatio=\"none\"{filter}/>",
                n(w),
                n(h)
            )
        };
        let natural = crop.and_then(|crop| Some((crop, picture::size(file)?)));
        let _ = match natural {
            Some((crop, natural)) => write!(
                self.body,
                "<g{place}{faded}><svg width=\"{}\" height=\"{}\" viewBox=\"{} {} {} {}\" preserveAspectRatio=\"none\">{}</svg></g>",
                n(rect.w),
                n(rect.h),
                n(crop.x),
                n(crop.y),
                n(crop.w),
                n(crop.h),
                whole(natural.w, natural.h)
            ),
            None => write!(self.body, "<g{place}{faded}>{}</g>", whole(rect.w, rect.h)),
        };
    }
}

/// Only what browsers show as an image; anything else could be more than one.
fn data_url(file: &ImageFile) -> Option<String> {
    let known = [
        "image/png",
        "image/jpeg",
        "image/gif",
        "image/webp",
        "image/svg+xml",
        "image/avif",
        "image/bmp",
    ];
    known.contains(&file.mime.as_str()).then(|| file.data_url())
}

/// A glyph's outline in em, y down.
pub(super) fn outline(glyph: &Glyph) -> Option<Vec<Segment>> {
    let mut outline = Outline(Vec::new());
    let units = glyph.outline(&mut outline)?;
    let em = |point: Point| Point::new(point.x / units, -point.y / units);
    let mut path = outline.0;
    for segment in &mut path {
        *segment = match *segment {
            Segment::Move(to) => Segment::Move(em(to)),
            Segment::Line(to) => Segment::Line(em(to)),
            Segment::Quadratic(one, to) => Segment::Quadratic(em(one), em(to)),
            Segment::Cubic(one, two, to) => Segment::Cubic(em(one), em(two), em(to)),
            Segment::Close => Segment::Close,
        };
    }
    (!path.is_empty()).then_some(path)
}

struct Outline(Vec<Segment>);

impl OutlineBuilder for Outline {
    fn move_to(&mut self, x: f32, y: f32) {
        self.0.push(Segment::Move(point(x, y)));
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.0.push(Segment::Line(point(x, y)));
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        self.0.push(Segment::Quadratic(point(x1, y1), point(x, y)));
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        self.0
            .push(Segment::Cubic(point(x1, y1), point(x2, y2), point(x, y)));
    }

    fn close(&mut self) {
        self.0.push(Segment::Close);
    }
}

fn point(x: f32, y: f32) -> Point {
    Point::new(f64::from(x), f64::from(y))
}

/// A path's data, its numbers times `by`.
fn data(path: &[Segment], by: f64) -> String {
    let mut out = String::new();
    let pair = |point: &Point| format!("{} {}", n(point.x * by), n(point.y * by));
    for segment in path {
        let _ = match segment {
            Segment::Move(to) => write!(out, "M{}", pair(to)),
            Segment::Line(to) => write!(out, "L{}", pair(to)),
            Segment::Quadratic(one, to) => write!(out, "Q{} {}", pair(one), pair(to)),
            Segment::Cubic(one, two, to) => {
                write!(out, "C{} {} {}", pair(one), pair(two), pair(to))
            }
            Segment::Close => write!(out, "Z"),
        };
    }
    out
}

fn transform(transform: &Transform) -> String {
    if transform.is_identity() {
        return String::new();
    }
    let Transform { a, b, c, d, e, f } = *transform;
    if (a, b, c, d) == (1.0, 0.0, 0.0, 1.0) {
        return format!(" transform=\"translate({} {})\"", n(e), n(f));
    }
    format!(
        " transform=\"matrix({} {} {} {} {} {})\"",
        fine(a),
        fine(b),
        fine(c),
        fine(d),
        n(e),
        n(f)
    )
}

fn paint(key: &str, color: Rgba, opacity: f64) -> String {
    let alpha = color.a * opacity;
    if alpha >= 1.0 {
        return format!(" {key}=\"{}\"", color.hex());
    }
    format!(" {key}=\"{}\" {key}-opacity=\"{}\"", color.hex(), n(alpha))
}

/// A length: a thousandth of a pixel is finer than anything shows.
fn n(value: f64) -> String {
    decimal(value, 1e3)
}

/// A factor: it is multiplied with lengths.
fn fine(value: f64) -> String {
    decimal(value, 1e9)
}

fn decimal(value: f64, precision: f64) -> String {
    let rounded = (value * precision).round() / precision;
    if !rounded.is_finite() || rounded == 0.0 {
        return "0".to_owned();
    }
    format!("{rounded}")
}

/// For an attribute; what XML does not allow is left out.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' => out.push_str("&#10;"),
            '\u{0}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => {}
            other => out.push(other),
        }
    }
    out
}
