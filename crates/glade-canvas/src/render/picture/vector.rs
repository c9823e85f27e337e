//! SVG images, drawn by resvg.
//!
//! **Bounded**: a file of [`MAX_BYTES`] at most, a drawing of [`MAX_NODES`] parts and [`MAX_FILTERS`] filters, a
//! picture of [`MAX_SIDE`] pixels, words of [`MAX_LETTERS`] letters, and what [`cost`] thinks can be borne; on a thread
//! with a stack of its own, where a panic is an image that is not understood. Nothing outside of the file is read: no
//! other file, no address, no font of the machine's. Words are therefore set in the shipped fonts, and raster images
//! inside of an SVG image are not drawn.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use resvg::usvg::roxmltree::{Document, ParsingOptions};
use resvg::usvg::{FontResolver, Group, ImageHrefResolver, Node, Options, Tree};
use tiny_skia::{Pixmap, Transform};

use super::{Made, cost, weight};
use crate::font;
use crate::geometry::{Rect, Size};

const MAX_BYTES: usize = 4 << 20;
const MAX_NODES: usize = 50_000;
/// Of elements, with all that they refer to.
const MAX_WEIGHT: f64 = 500_000.0;
const MAX_FILTERS: usize = 32;
const MAX_SIDE: f64 = 4096.0;
/// A drawing that is too costly at this size is not drawn.
const FEWEST: u32 = 64;
/// A text that is used again counts again.
const MAX_LETTERS: usize = 100_000;
const STACK: usize = 64 << 20;

/// The drawing's own size.
pub(super) fn size(data: &[u8]) -> Option<Size> {
    apart(|| {
        let size = parsed(data)?.size();
        Some(Size::new(f64::from(size.width()), f64::from(size.height())))
    })
}

/// The part of the drawing that is shown, in about as many pixels as it is shown with; in fewer, where so many would take
/// too long or too much memory. And what it took, in nanoseconds.
pub(super) fn draw(data: &[u8], crop: Option<Rect>, shown: (f64, f64)) -> Option<Made> {
    apart(|| {
        let tree = parsed(data)?;
        let whole = Rect::new(
            0.0,
            0.0,
            f64::from(tree.size().width()),
            f64::from(tree.size().height()),
        );
        let part = crop.unwrap_or(whole);
        // Whole and within 1..=MAX_SIDE.
        let pixels = |side: f64| side.ceil().clamp(1.0, MAX_SIDE) as u32;
        let mut size = (pixels(shown.0), pixels(shown.1));
        let (place, work) = loop {
            let place = placed(part, size);
            if let Some(work) = cost::of(&tree, place, size) {
                break (place, work);
            }
            if size.0.max(size.1) < FEWEST {
                return None;
            }
            size = (size.0.div_ceil(2), size.1.div_ceil(2));
        };
        let mut pixmap = Pixmap::new(size.0, size.1)?;
        resvg::render(&tree, place, &mut pixmap.as_mut());
        Some(Made {
            image: pixmap,
            part,
            work,
        })
    })
}

fn placed(part: Rect, (width, height): (u32, u32)) -> Transform {
    let (kx, ky) = (f64::from(width) / part.w, f64::from(height) / part.h);
    Transform::from_row(
        kx as f32,
        0.0,
        0.0,
        ky as f32,
        (-part.x * kx) as f32,
        (-part.y * ky) as f32,
    )
}

/// A drawing can be nested deeper than the caller's stack goes.
fn apart<T: Send>(work: impl FnOnce() -> Option<T> + Send) -> Option<T> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK);
        let running = thread.spawn_scoped(scope, work).ok()?;
        running.join().ok()?
    })
}

fn parsed(data: &[u8]) -> Option<Tree> {
    if data.len() > MAX_BYTES {
        return None;
    }
    let xml = ParsingOptions {
        allow_dtd: true,
        ..ParsingOptions::default()
    };
    let text = std::str::from_utf8(data).ok()?;
    let document = Document::parse_with_options(text, xml).ok()?;
    if weight::of(&document) > MAX_WEIGHT {
        return None;
    }
    let letters = longest_text(&document);
    let options = Options {
        image_href_resolver: ImageHrefResolver {
            resolve_data: Box::new(|_, _, _| None),
            resolve_string: Box::new(|_, _| None),
        },
        font_family: font::PLAIN.to_owned(),
        font_resolver: fonts_for(MAX_LETTERS / letters.max(1)),
        fontdb: match letters {
            0 => Arc::default(),
            _ => font::database(),
        },
        ..Options::default()
    };
    let tree = Tree::from_xmltree(&document, &options).ok()?;
    let mut left = MAX_NODES;
    let is_small = tree.filters().len() <= MAX_FILTERS && fits(tree.root(), &mut left);
    is_small.then_some(tree)
}

/// How many bytes the letters of the longest text take.
fn longest_text(document: &Document) -> usize {
    let (mut longest, mut here) = (0, 0);
    for node in document.descendants() {
        if node.is_element() && node.tag_name().name() == "text" {
            here = 0;
        }
        let parent = node.parent().map_or("", |parent| parent.tag_name().name());
        if node.is_text() && matches!(parent, "text" | "tspan" | "textPath" | "tref" | "a") {
            here += node.text().map_or(0, str::len);
            longest = longest.max(here);
        }
    }
    longest
}

/// Fonts for so many texts; those after them are not drawn. Each use of a text is one: a file can use one a million
/// times.
fn fonts_for(texts: usize) -> FontResolver<'static> {
    let left = AtomicUsize::new(texts);
    let select = FontResolver::default_font_selector();
    FontResolver {
        select_font: Box::new(move |font, database| {
            let less = |left: usize| left.checked_sub(1);
            let taken = left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less);
            taken.ok().and_then(|_| select(font, database))
        }),
        select_fallback: FontResolver::default_fallback_selector(),
    }
}

/// Whether there are no more parts than are left.
fn fits(group: &Group, left: &mut usize) -> bool {
    group.children().iter().all(|node| {
        let Some(rest) = left.checked_sub(1) else {
            return false;
        };
        *left = rest;
        match node {
            Node::Group(group) => fits(group, left),
            _ => true,
        }
    })
}
