//! Images inside of a page: decoded for pixels, with bounds against files that unpack to more than anyone draws.

mod cost;
mod gallery;
mod vector;
mod weight;

pub(super) use gallery::Gallery;

use std::collections::BTreeMap;
use std::io::Cursor;
use std::sync::OnceLock;

use image::{ImageReader, Limits, RgbaImage};
use tiny_skia::{IntSize, Pixmap};

use super::ImageFile;
use super::color::Rgba;
use crate::geometry::{Rect, Size};

/// The longest side that is decoded.
const MAX_SIDE: u32 = 16_384;
/// The most memory that one image may take.
const MAX_BYTES: u64 = 256 * 1024 * 1024;
/// To unpack a pixel and to average it, in nanoseconds.
const PIXEL: f64 = 5.0;

/// An image ready to be drawn.
pub(super) struct Made {
    pub image: Pixmap,
    /// Which part of it that is.
    pub part: Rect,
    /// About how long it took, in nanoseconds.
    work: f64,
}

fn reader(file: &ImageFile) -> Option<ImageReader<Cursor<&[u8]>>> {
    let mut reader = ImageReader::new(Cursor::new(file.data.as_slice()))
        .with_guessed_format()
        .ok()?;
    let mut limits = Limits::default();
    limits.max_image_width = Some(MAX_SIDE);
    limits.max_image_height = Some(MAX_SIDE);
    limits.max_alloc = Some(MAX_BYTES);
    reader.limits(limits);
    Some(reader)
}

/// An image's own size in pixels, read from its head alone.
fn size(file: &ImageFile) -> Option<Size> {
    if is_vector(file) {
        return vector::size(&file.data);
    }
    let (w, h) = reader(file)?.into_dimensions().ok()?;
    Some(Size::new(f64::from(w), f64::from(h)))
}

fn is_vector(file: &ImageFile) -> bool {
    file.mime == "image/svg+xml"
}

/// The sizes of the files that a page may show: each is read once, however many elements show it, and not before one
/// does.
pub(super) struct Sizes<'a>(BTreeMap<&'a str, (&'a ImageFile, OnceLock<Option<Size>>)>);

impl<'a> Sizes<'a> {
    pub fn of(files: &'a BTreeMap<String, ImageFile>) -> Self {
        let unread = files
            .iter()
            .map(|(id, file)| (id.as_str(), (file, OnceLock::new())));
        Self(unread.collect())
    }

    /// An image's own size in pixels.
    pub fn size(&self, id: &str) -> Option<Size> {
        let (file, size) = self.0.get(id)?;
        *size.get_or_init(|| self::size(file))
    }

    /// The file, if anyone can show it.
    pub fn known(&self, id: &str) -> Option<&'a ImageFile> {
        let (file, _) = self.0.get(id)?;
        (is_left_to_others(file) || self.size(id).is_some()).then_some(*file)
    }
}

/// Whether anyone can show it: we, or whoever opens an SVG that holds it.
pub(super) fn is_known(file: &ImageFile) -> bool {
    is_left_to_others(file) || size(file).is_some()
}

fn is_left_to_others(file: &ImageFile) -> bool {
    matches!(file.mime.as_str(), "image/avif" | "image/bmp")
}

/// Its colours as the dark theme has them.
fn darken(image: &mut Pixmap) {
    for pixel in image.pixels_mut() {
        let color = pixel.demultiply();
        let dark = Rgba::new(color.red(), color.green(), color.blue(), 1.0).dark();
        let dark = tiny_skia::ColorU8::from_rgba(dark.r, dark.g, dark.b, color.alpha());
        *pixel = dark.premultiply();
    }
}

/// What is shown of an image, in pixels, and which part of it that is: the crop, out to whole pixels, so that nothing
/// beyond it bleeds in. No larger than about twice what is drawn; none for what is not understood.
fn decode(file: &ImageFile, crop: Option<Rect>, shown: (f64, f64)) -> Option<Made> {
    if is_vector(file) {
        return vector::draw(&file.data, crop, shown);
    }
    let (width, height) = reader(file)?.into_dimensions().ok()?;
    // The decoder's limit is for what it makes: of a grey image a fourth of what becomes of it here.
    if u64::from(width) * u64::from(height) * 4 > MAX_BYTES {
        return None;
    }
    let image = reader(file)?.decode().ok()?.into_rgba8();
    let natural = Rect::new(
        0.0,
        0.0,
        f64::from(image.width()),
        f64::from(image.height()),
    );
    let (image, part) = match crop {
        None => (image, natural),
        Some(crop) => {
            let (left, top) = (
                crop.x.floor().min(natural.w - 1.0),
                crop.y.floor().min(natural.h - 1.0),
            );
            let (right, bottom) = (
                crop.right().ceil().min(natural.w),
                crop.bottom().ceil().min(natural.h),
            );
            let part = Rect::new(left, top, (right - left).max(1.0), (bottom - top).max(1.0));
            // Whole and within the image by the lines above.
            let [x, y, w, h] = [part.x, part.y, part.w, part.h].map(|side| side as u32);
            (
                image::imageops::crop_imm(&image, x, y, w, h).to_image(),
                part,
            )
        }
    };
    Some(Made {
        image: premultiplied(reduced(image, shown))?,
        part,
        work: natural.w * natural.h * PIXEL,
    })
}

/// As what is drawn with holds its pixels.
pub(super) fn premultiplied(image: RgbaImage) -> Option<Pixmap> {
    let size = IntSize::from_wh(image.width(), image.height())?;
    let mut data = image.into_raw();
    for pixel in data.chunks_exact_mut(4) {
        let alpha = u16::from(pixel[3]);
        for channel in &mut pixel[..3] {
            // Never above 255: both factors are at most that.
            *channel = ((u16::from(*channel) * alpha + 127) / 255) as u8;
        }
    }
    Pixmap::from_vec(data, size)
}

/// Averaged down where it is shown much smaller: sampling would leave most of it out.
fn reduced(image: RgbaImage, (w, h): (f64, f64)) -> RgbaImage {
    let side = |shown: f64, own: u32| -> u32 {
        let wanted = shown.ceil().clamp(1.0, f64::from(own));
        // Whole and within the image's own side by the line above.
        wanted as u32
    };
    let (w, h) = (side(w, image.width()), side(h, image.height()));
    if w * 2 > image.width() && h * 2 > image.height() {
        return image;
    }
    image::imageops::resize(&image, w, h, image::imageops::FilterType::Triangle)
}
