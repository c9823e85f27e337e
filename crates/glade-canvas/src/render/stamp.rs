//! Glyphs in colours of their own, as pixels to be put down wherever they stand.
//!
//! **Bounded**: a glyph is made ready once for a size, however often it stands on a page, and no more of them are kept
//! than [`MOST`] bytes; with more it starts anew.

mod layers;
#[cfg(test)]
mod on_page;

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use image::ImageFormat;
use tiny_skia::{Pixmap, PremultipliedColorU8};

use super::picture::premultiplied;
use super::{ImageFile, raster};
use crate::font::{Colored, Glyph, Picture};
use crate::geometry::Rect;

pub(super) struct Stamp {
    pub pixels: Pixmap,
    /// Where it lies, in em from the glyph's origin, y down.
    pub place: Rect,
}

/// How finely a stamp is made.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Detail {
    /// A picture halved so many times.
    Halved(u32),
    /// Layers drawn with so many pixels to an em.
    PerEm(u32),
}

/// In bytes.
const MOST: usize = 32 << 20;
/// Pixels to an em that layers are drawn with.
const LEAST_PER_EM: f64 = 16.0;
const MOST_PER_EM: f64 = 512.0;
/// What viewers of an SVG scale from.
const SVG_PER_EM: f64 = 256.0;

type Key = ((usize, u16), Detail);

#[derive(Default)]
struct StampCache {
    stamps: HashMap<Key, Option<Arc<Stamp>>>,
    bytes: usize,
}

static CACHE: LazyLock<Mutex<StampCache>> = LazyLock::new(Mutex::default);

/// For an em of so many pixels.
pub(super) fn of(glyph: &Glyph, colored: &Colored<'static>, em: f64) -> Option<Arc<Stamp>> {
    let detail = match colored {
        Colored::Picture(picture) => Detail::Halved(halvings(em / picture.per_em)),
        Colored::Layers(_) => {
            // Whole and within the two by the clamp.
            let per_em = em.clamp(LEAST_PER_EM, MOST_PER_EM).ceil() as u32;
            Detail::PerEm(per_em.next_power_of_two())
        }
    };
    let key = (glyph.key(), detail);
    let cache = || CACHE.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = cache().stamps.get(&key) {
        return known.clone();
    }
    let stamp = make(colored, detail).map(Arc::new);
    let bytes = stamp.as_ref().map_or(0, |stamp| stamp.pixels.data().len());
    let mut cache = cache();
    if cache.bytes + bytes > MOST {
        *cache = StampCache::default();
    }
    cache.bytes += bytes;
    cache.stamps.insert(key, stamp.clone());
    stamp
}

/// As a file for viewers to scale, and where it lies.
pub(super) fn file(glyph: &Glyph, colored: &Colored<'static>) -> Option<(ImageFile, Rect)> {
    let (data, place) = match colored {
        Colored::Picture(picture) => (picture.png.to_vec(), picture.place),
        Colored::Layers(_) => {
            let stamp = of(glyph, colored, SVG_PER_EM)?;
            (raster::encoded(stamp.pixels.clone()).ok()?, stamp.place)
        }
    };
    let mime = "image/png".to_owned();
    Some((ImageFile { mime, data }, place))
}

fn make(colored: &Colored<'static>, detail: Detail) -> Option<Stamp> {
    match (colored, detail) {
        (Colored::Picture(picture), Detail::Halved(times)) => {
            let mut pixels = decoded(picture)?;
            for _ in 0..times {
                pixels = halved(&pixels)?;
            }
            Some(Stamp {
                pixels,
                place: picture.place,
            })
        }
        (Colored::Layers(layers), Detail::PerEm(per_em)) => layers::draw(*layers, per_em),
        _ => None,
    }
}

fn decoded(picture: &Picture) -> Option<Pixmap> {
    let image = image::load_from_memory_with_format(picture.png, ImageFormat::Png).ok()?;
    premultiplied(image.into_rgba8())
}

/// How often a picture is halved before it is scaled by so much, as browsers do it.
fn halvings(scale: f64) -> u32 {
    const MOST: f64 = 8.0;
    if scale >= 0.5 {
        return 0;
    }
    // Whole and small by the clamp.
    (-scale.log2()).floor().clamp(0.0, MOST) as u32
}

/// Half as large, each pixel the mean of those it stands for.
fn halved(image: &Pixmap) -> Option<Pixmap> {
    let (w, h) = (image.width(), image.height());
    let mut half = Pixmap::new((w / 2).max(1), (h / 2).max(1))?;
    let columns = half.width();
    for (at, out) in half.pixels_mut().iter_mut().enumerate() {
        let (x, y) = (at as u32 % columns, at as u32 / columns);
        let mut sums = [0_u32; 4];
        let mut total = 0;
        for (row, down) in weights(y, h) {
            for (column, across) in weights(x, w) {
                let Some(pixel) = image.pixel(column, row) else {
                    continue;
                };
                let weight = down * across;
                let channels = [pixel.red(), pixel.green(), pixel.blue(), pixel.alpha()];
                for (sum, channel) in sums.iter_mut().zip(channels) {
                    *sum += weight * u32::from(channel);
                }
                total += weight;
            }
        }
        // No mean of bytes is more than one.
        let [r, g, b, a] = sums.map(|sum| ((sum + total / 2) / total.max(1)) as u8);
        *out = PremultipliedColorU8::from_rgba(r.min(a), g.min(a), b.min(a), a)?;
    }
    Some(half)
}

/// Which of a side's pixels the one of this number stands for, and how much each counts: of an odd number the ones
/// in between count for both sides.
fn weights(at: u32, side: u32) -> impl Iterator<Item = (u32, u32)> + Clone {
    let [one, two, three] = match (side, side % 2) {
        (1, _) => [1, 0, 0],
        (_, 0) => [1, 1, 0],
        _ => [1, 2, 1],
    };
    let first = 2 * at;
    [(first, one), (first + 1, two), (first + 2, three)]
        .into_iter()
        .filter(|(_, weight)| *weight > 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::font::sample;

    fn stamp(glyph: Glyph, em: f64) -> Arc<Stamp> {
        of(&glyph, &glyph.colored().unwrap(), em).unwrap()
    }

    fn color(stamp: &Stamp, x: f64, y: f64) -> [u8; 4] {
        let share = |at: f64, from: f64, room: f64, side: u32| {
            ((at - from) / room * f64::from(side)) as u32
        };
        let Rect {
            x: left,
            y: top,
            w,
            h,
        } = stamp.place;
        let column = share(x, left, w, stamp.pixels.width());
        let row = share(y, top, h, stamp.pixels.height());
        let pixel = stamp.pixels.pixel(column, row).unwrap();
        [pixel.red(), pixel.green(), pixel.blue(), pixel.alpha()]
    }

    const RED: [u8; 4] = [255, 0, 0, 255];
    const CLEAR: [u8; 4] = [0; 4];

    #[test]
    fn a_picture_lies_where_its_font_says() {
        let whole = stamp(sample::picture(), 100.0);
        assert_eq!(whole.place, Rect::new(-0.1, -0.08, 0.2, 0.1));
        assert_eq!((whole.pixels.width(), whole.pixels.height()), (20, 10));
        assert_eq!(color(&whole, -0.05, 0.0), RED);
        assert_eq!(color(&whole, 0.05, 0.0), CLEAR);
    }

    #[test]
    fn a_picture_lies_in_the_corner_of_its_outline() {
        let stamp = stamp(sample::cornered(), 100.0);
        let Rect { x, y, w, h } = stamp.place;
        let expected = [0.1, 0.1, 0.2, 0.1];
        let is_near = |(one, two): (f64, f64)| (one - two).abs() < 1e-9;
        assert!([x, y, w, h].into_iter().zip(expected).all(is_near));
        assert_eq!(color(&stamp, 0.15, 0.15), RED);
    }

    #[test]
    fn a_picture_that_is_shown_smaller_is_halved_as_often_as_it_takes() {
        let sizes = [60.0, 45.0, 20.0, 12.0, 1.0].map(|em| {
            let stamp = stamp(sample::picture(), em);
            assert_eq!(stamp.place, Rect::new(-0.1, -0.08, 0.2, 0.1));
            (stamp.pixels.width(), stamp.pixels.height())
        });
        assert_eq!(sizes, [(20, 10), (10, 5), (5, 2), (2, 1), (1, 1)]);
        assert_eq!(color(&stamp(sample::picture(), 20.0), -0.1, 0.0), RED);
    }

    #[test]
    fn layers_lie_over_one_another() {
        let stamp = stamp(sample::layered(), 60.0);
        assert_eq!(color(&stamp, 0.75, -0.75), RED);
        let [r, g, b, a] = color(&stamp, 0.25, -0.25);
        assert!(r.abs_diff(127) < 2 && g == 0 && b.abs_diff(128) < 2 && a == 255);
        assert_eq!(color(&stamp, -0.005, -0.5)[3], 0);
    }

    #[test]
    fn gradients_run_the_way_the_font_says() {
        let stamp = stamp(sample::gradient(), 60.0);
        let [left, middle, right] = [0.02, 0.5, 0.98].map(|x| color(&stamp, x, -0.5));
        assert!(left[0] > 240 && left[2] < 15);
        assert!(middle[0].abs_diff(127) < 8 && middle[2].abs_diff(127) < 8);
        assert!(right[0] < 15 && right[2] > 240);
    }

    #[test]
    fn a_glyph_is_made_ready_once_for_a_size() {
        let first = stamp(sample::gradient(), 200.0);
        for _ in 0..5_000 {
            assert!(Arc::ptr_eq(&first, &stamp(sample::gradient(), 200.0)));
        }
        // A little larger is scaled from the same.
        assert!(Arc::ptr_eq(&first, &stamp(sample::gradient(), 210.0)));
    }
}
