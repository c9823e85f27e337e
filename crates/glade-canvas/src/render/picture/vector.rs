//! SVG images, drawn by resvg.
//!
//! **Bounded**: a file of [`MAX_BYTES`] at most, a drawing of [`MAX_NODES`] parts and [`MAX_FILTERS`] filters, a
//! picture of [`MAX_SIDE`] pixels; on a thread with a stack of its own, where a panic is an image that is not
//! understood. Nothing outside of the file is read: no other file, no address, no font. Words inside of an SVG image
//! are therefore not drawn, nor raster images inside of it.

use resvg::usvg::{Group, ImageHrefResolver, Node, Options, Tree};
use tiny_skia::{Pixmap, Transform};

use crate::geometry::{Rect, Size};

const MAX_BYTES: usize = 4 << 20;
const MAX_NODES: usize = 50_000;
const MAX_FILTERS: usize = 32;
const MAX_SIDE: f64 = 4096.0;
const STACK: usize = 64 << 20;

/// The drawing's own size.
pub(super) fn size(data: &[u8]) -> Option<Size> {
    apart(|| {
        let size = parsed(data)?.size();
        Some(Size::new(f64::from(size.width()), f64::from(size.height())))
    })
}

/// The part of the drawing that is shown, in about as many pixels as it is shown with.
pub(super) fn draw(data: &[u8], crop: Option<Rect>, shown: (f64, f64)) -> Option<(Pixmap, Rect)> {
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
        let mut pixmap = Pixmap::new(pixels(shown.0), pixels(shown.1))?;
        let (kx, ky) = (
            f64::from(pixmap.width()) / part.w,
            f64::from(pixmap.height()) / part.h,
        );
        let place = Transform::from_row(
            kx as f32,
            0.0,
            0.0,
            ky as f32,
            (-part.x * kx) as f32,
            (-part.y * ky) as f32,
        );
        resvg::render(&tree, place, &mut pixmap.as_mut());
        Some((pixmap, part))
    })
}

/// A drawing can be nested deeper than the caller's stack goes.
fn apart<T: Send>(deed: impl FnOnce() -> Option<T> + Send) -> Option<T> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK);
        let running = thread.spawn_scoped(scope, deed).ok()?;
        running.join().ok()?
    })
}

fn parsed(data: &[u8]) -> Option<Tree> {
    if data.len() > MAX_BYTES {
        return None;
    }
    let options = Options {
        image_href_resolver: ImageHrefResolver {
            resolve_data: Box::new(|_, _, _| None),
            resolve_string: Box::new(|_, _| None),
        },
        ..Options::default()
    };
    let tree = Tree::from_data(data, &options).ok()?;
    let mut left = MAX_NODES;
    let is_small = tree.filters().len() <= MAX_FILTERS && fits(tree.root(), &mut left);
    is_small.then_some(tree)
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
