//! The display list as an SVG document.
//!
//! The page is written in parts, on as many threads as there are, and put together in order while they go on. What they
//! share is known before: the clips, the glyphs, numbered in the order in which the page uses them, and the images that
//! are shown more than once. Strokes are
//! made up, written and forgotten element by element, so that they never leave the processor's cache.

mod document;
mod out;
mod text;

pub use text::Svg;

use std::collections::BTreeMap;

use document::Document;
use out::Out;

use super::color::Rgba;
use super::glyph::{Drawing, Glyphs};
use super::list::{ClipPath, Ends, Ink, List, PlacedGlyph, Rule, Spot};
use super::page::{DrawItem, Layout, What};
use super::picture::Sizes;
use super::{ImageFile, Options, parallel, stamp};
use crate::font::Glyph;
use crate::geometry::{Rect, Size};

/// Glyphs are written in thousandths of an em.
const EM: f64 = 1000.0;

pub(super) fn write(layout: &Layout, options: &Options, sizes: &Sizes) -> Svg {
    let list = &layout.list;
    let mut defs = Out::default();
    clips(&list.clips, &mut defs);
    let glyphs = glyphs(&layout.steps, &mut defs);
    let images = images(&layout.steps, options, sizes, &mut defs);
    let document = Document::new(head(list, options, &defs), layout.steps.len());
    parallel::parts(&layout.steps, parallel::STROKES, |at, steps| {
        let mut writer = Writer {
            list,
            options,
            glyphs: &glyphs,
            sizes,
            images: &images,
            out: Document::sheet(),
        };
        for step in steps {
            match &step.what {
                What::Ink(ink) => writer.ink(&step.spot, ink),
                What::Strokes(_) => {
                    for ink in step.strokes() {
                        writer.ink(&step.spot, &ink);
                    }
                }
            }
        }
        document.hand_in(at, writer.out, steps.len());
    });
    document.finish("</g>\n</svg>\n")
}

/// All that stands before what is drawn.
fn head(list: &List, options: &Options, defs: &Out) -> Out {
    let (w, h) = (list.view.w.max(1.0), list.view.h.max(1.0));
    let scale = options.usable_scale();
    let mut out = Out::default();
    out.text("<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\"");
    out.length(" width=\"", w * scale);
    out.length("\" height=\"", h * scale);
    out.length("\" viewBox=\"0 0 ", w);
    out.length(" ", h);
    out.text("\">\n");
    if !defs.is_empty() {
        out.text("<defs>\n");
        out.text(&defs.as_str());
        out.text("</defs>\n");
    }
    if let Some(color) = list.background {
        out.length("<rect width=\"", w);
        out.length("\" height=\"", h);
        out.text("\"");
        out.paint("fill", color, 1.0);
        out.text("/>\n");
    }
    out.length("<g transform=\"translate(", -list.view.x);
    out.length(" ", -list.view.y);
    out.text(")\">\n");
    out
}

fn clips(clips: &[Vec<ClipPath>], out: &mut Out) {
    for (at, areas) in clips.iter().enumerate() {
        for (nth, area) in areas.iter().enumerate() {
            out.text(&format!("<clipPath id=\"c{at}-{nth}\""));
            // Each lies under the one before it, so that the last one holds them all.
            if let Some(before) = nth.checked_sub(1) {
                out.text(&format!(" clip-path=\"url(#c{at}-{before})\""));
            }
            out.text("><path");
            out.data(&area.path, 1.0);
            if area.rule == Rule::EvenOdd {
                out.text(" clip-rule=\"evenodd\"");
            }
            out.transform(&area.transform);
            out.text("/></clipPath>\n");
        }
    }
}

/// What a glyph is referred to by.
enum Known {
    /// It does not show, as a space.
    Blank,
    Outline(usize),
    Colored(usize),
}

/// Every glyph in use, written once.
fn glyphs(steps: &[DrawItem], out: &mut Out) -> Glyphs<Known> {
    let mut numbers = Glyphs::default();
    let mut next = 0;
    for step in steps {
        let What::Ink(Ink::Text { glyphs, .. }) = &step.what else {
            continue;
        };
        for placed in glyphs {
            numbers.know(&placed.glyph, || {
                let known = glyph(&placed.glyph, next, out);
                next += usize::from(!matches!(known, Known::Blank));
                known
            });
        }
    }
    numbers
}

fn glyph(glyph: &Glyph, number: usize, out: &mut Out) -> Known {
    match Drawing::of(glyph) {
        Drawing::Blank => Known::Blank,
        Drawing::Outline(path) => {
            out.text("<path id=\"g");
            out.count(number);
            out.text("\"");
            out.data(&path, EM);
            out.text("/>\n");
            Known::Outline(number)
        }
        Drawing::Colored(colored) => {
            let Some((file, place)) = stamp::file(glyph, &colored) else {
                return Known::Blank;
            };
            out.text("<image id=\"g");
            out.count(number);
            for (key, value) in [
                ("x", place.x),
                ("y", place.y),
                ("width", place.w),
                ("height", place.h),
            ] {
                out.text("\" ");
                out.text(key);
                out.length("=\"", value * EM);
            }
            out.text("\" href=\"");
            out.text(&file.data_url());
            out.text("\"/>\n");
            Known::Colored(number)
        }
    }
}

struct Writer<'a> {
    list: &'a List,
    options: &'a Options,
    glyphs: &'a Glyphs<Known>,
    sizes: &'a Sizes<'a>,
    images: &'a Images,
    out: Out,
}

impl Writer<'_> {
    fn ink(&mut self, spot: &Spot, ink: &Ink) {
        let clip = spot
            .clip
            .and_then(|at| Some((at, self.list.clips.get(at)?.len().checked_sub(1)?)));
        let out = &mut self.out;
        if let Some((at, last)) = clip {
            out.text(&format!("<g clip-path=\"url(#c{at}-{last})\">"));
        }
        match ink {
            Ink::Fill { path, rule, color } => {
                out.text("<path");
                out.data(path, 1.0);
                out.paint("fill", *color, spot.opacity);
                if *rule == Rule::EvenOdd {
                    out.text(" fill-rule=\"evenodd\"");
                }
                out.transform(&spot.transform);
                out.text("/>");
            }
            Ink::Stroke {
                path,
                color,
                width,
                dash,
                ends,
            } => {
                out.text("<path");
                out.data(path, 1.0);
                out.text(" fill=\"none\"");
                out.paint("stroke", *color, spot.opacity);
                out.length(" stroke-width=\"", *width);
                out.text("\"");
                if *ends == Ends::Round {
                    out.text(" stroke-linecap=\"round\" stroke-linejoin=\"round\"");
                }
                if let Some([on, off]) = dash {
                    out.length(" stroke-dasharray=\"", *on);
                    out.length(" ", *off);
                    out.text("\"");
                }
                out.transform(&spot.transform);
                out.text("/>");
            }
            Ink::Text {
                glyphs,
                color,
                words,
            } => self.text(glyphs, *color, words, spot),
            Ink::Image {
                file,
                rect,
                crop,
                filtered,
            } => self.image(file, *rect, *crop, *filtered, spot),
        }
        self.out.text(if clip.is_some() { "</g>\n" } else { "\n" });
    }

    fn text(&mut self, glyphs: &[PlacedGlyph], color: Rgba, words: &str, spot: &Spot) {
        let Some(first) = glyphs.first() else {
            return;
        };
        let out = &mut self.out;
        out.text("<g role=\"img\" aria-label=\"");
        out.escaped(words);
        out.text("\"");
        out.paint("fill", color, spot.opacity);
        out.transform(&spot.transform);
        let per_unit = first.size / EM;
        out.text(">");
        out.factor("<g transform=\"scale(", per_unit);
        out.text(")\">");
        for placed in glyphs {
            let (number, alpha) = match self.glyphs.get(&placed.glyph) {
                Some(Known::Outline(number)) => (number, 1.0),
                // A picture takes nothing from the colour around it.
                Some(Known::Colored(number)) => (number, color.a * spot.opacity),
                Some(Known::Blank) | None => continue,
            };
            let (x, y) = (placed.at.x / per_unit, placed.at.y / per_unit);
            out.text("<use href=\"#g");
            out.count(*number);
            if alpha < 1.0 {
                out.length("\" opacity=\"", alpha);
            }
            if (placed.stretch - 1.0).abs() < 1e-9 {
                out.length("\" x=\"", x);
                out.length("\" y=\"", y);
                out.text("\"/>");
            } else {
                out.factor("\" transform=\"matrix(", placed.stretch);
                out.length(" 0 0 1 ", x);
                out.length(" ", y);
                out.text(")\"/>");
            }
        }
        out.text("</g></g>");
    }

    fn image(&mut self, id: &str, rect: Rect, crop: Option<Rect>, filtered: bool, spot: &Spot) {
        let Some(file) = self.options.files.get(id) else {
            return;
        };
        let out = &mut self.out;
        if !is_shown_by_browsers(file) {
            out.length("<rect width=\"", rect.w);
            out.length("\" height=\"", rect.h);
            out.text("\"");
            out.paint("fill", Rgba::new(0xe7, 0xe7, 0xe7, 1.0), spot.opacity);
            out.transform(&spot.transform);
            out.text("/>");
            return;
        }
        out.text("<g");
        out.transform(&spot.transform);
        if spot.opacity < 1.0 {
            out.length(" opacity=\"", spot.opacity);
            out.text("\"");
        }
        out.text(">");
        let natural = crop.and_then(|crop| Some((crop, self.sizes.size(id)?)));
        let (w, h) = match natural {
            Some((crop, natural)) => {
                out.length("<svg width=\"", rect.w);
                out.length("\" height=\"", rect.h);
                out.length("\" viewBox=\"", crop.x);
                out.length(" ", crop.y);
                out.length(" ", crop.w);
                out.length(" ", crop.h);
                out.text("\" preserveAspectRatio=\"none\">");
                (natural.w, natural.h)
            }
            None => (rect.w, rect.h),
        };
        match self.images.get(id) {
            Some(number) => {
                out.text("<use href=\"#i");
                out.count(*number);
                out.length("\" width=\"", w);
                out.length("\" height=\"", h);
                out.text("\"");
            }
            None => {
                out.text("<image");
                source(out, file, Size::new(w, h));
            }
        }
        if filtered {
            out.text(" style=\"filter: invert(93%) hue-rotate(180deg)\"");
        }
        out.text("/>");
        if natural.is_some() {
            out.text("</svg>");
        }
        out.text("</g>");
    }
}

/// Images that more than one element shows, by their numbers.
type Images = BTreeMap<String, usize>;

/// Each image that is shown more than once, written once: a page can show a large one a thousand times.
fn images(steps: &[DrawItem], options: &Options, sizes: &Sizes, out: &mut Out) -> Images {
    let mut shown: BTreeMap<&str, usize> = BTreeMap::new();
    for step in steps {
        if let What::Ink(Ink::Image { file, .. }) = &step.what {
            *shown.entry(file).or_default() += 1;
        }
    }
    let mut images = Images::new();
    for (id, _) in shown.into_iter().filter(|(_, times)| *times > 1) {
        let Some(file) = options.files.get(id).filter(|it| is_shown_by_browsers(it)) else {
            continue;
        };
        // It is stretched wherever it is used: any size will do.
        let size = sizes.size(id).unwrap_or_else(|| Size::new(1.0, 1.0));
        out.text("<symbol id=\"i");
        out.count(images.len());
        out.length("\" viewBox=\"0 0 ", size.w);
        out.length(" ", size.h);
        out.text("\" preserveAspectRatio=\"none\"><image");
        source(out, file, size);
        out.text("/></symbol>\n");
        images.insert(id.to_owned(), images.len());
    }
    images
}

fn source(out: &mut Out, file: &ImageFile, size: Size) {
    out.text(" href=\"");
    out.text(&file.data_url());
    out.length("\" width=\"", size.w);
    out.length("\" height=\"", size.h);
    out.text("\" preserveAspectRatio=\"none\"");
}

/// Anything else could be more than an image.
fn is_shown_by_browsers(file: &ImageFile) -> bool {
    let known = [
        "image/png",
        "image/jpeg",
        "image/gif",
        "image/webp",
        "image/svg+xml",
        "image/avif",
        "image/bmp",
    ];
    known.contains(&file.mime.as_str())
}
