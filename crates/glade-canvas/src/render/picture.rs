//! Images inside of a page: decoded for pixels, with bounds against files that unpack to more than anyone draws.

mod vector;

use std::io::Cursor;

use image::{ImageReader, Limits, RgbaImage};
use tiny_skia::{IntSize, Pixmap};

use super::ImageFile;
use super::color::Rgba;
use crate::geometry::{Rect, Size};

/// The longest side that is decoded.
const MAX_SIDE: u32 = 16_384;
/// The most memory that one image may take.
const MAX_BYTES: u64 = 256 * 1024 * 1024;

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
pub(super) fn size(file: &ImageFile) -> Option<Size> {
    if is_vector(file) {
        return vector::size(&file.data);
    }
    let (w, h) = reader(file)?.into_dimensions().ok()?;
    Some(Size::new(f64::from(w), f64::from(h)))
}

fn is_vector(file: &ImageFile) -> bool {
    file.mime == "image/svg+xml"
}

/// Whether anyone can show it: we, or whoever opens an SVG that holds it.
pub(super) fn is_known(file: &ImageFile) -> bool {
    matches!(file.mime.as_str(), "image/avif" | "image/bmp") || size(file).is_some()
}

/// Its colours as the dark theme has them.
pub(super) fn darken(image: &mut Pixmap) {
    for pixel in image.pixels_mut() {
        let color = pixel.demultiply();
        let dark = Rgba::new(color.red(), color.green(), color.blue(), 1.0).dark();
        let dark = tiny_skia::ColorU8::from_rgba(dark.r, dark.g, dark.b, color.alpha());
        *pixel = dark.premultiply();
    }
}

/// What is shown of an image, in pixels, and which part of it that is: the crop, out to whole pixels, so that nothing
/// beyond it bleeds in. No larger than about twice what is drawn; none for what is not understood.
pub(super) fn decode(
    file: &ImageFile,
    crop: Option<Rect>,
    shown: (f64, f64),
) -> Option<(Pixmap, Rect)> {
    if is_vector(file) {
        return vector::draw(&file.data, crop, shown);
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
    Some((premultiplied(reduced(image, shown))?, part))
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
