//! A picture as JPEG, written in strips on as many threads as there are.
//!
//! A JPEG may start anew at places that its head announces: what follows such a place does not depend on what came
//! before it. So each strip of whole blocks is written as a small picture of its own, and the scans of all are joined
//! with the marks for starting anew between them, under the head of the first. Decoded it is, pixel for pixel, what
//! writing it in one go gives.

use std::ops::Range;

use jpeg_encoder::{ColorType, Encoder, EncodingError, SamplingFactor};

use crate::render::{RenderError, parallel};

const QUALITY: u8 = 90;
/// Rows and columns of a block: two by two of eight, since colours are kept at half the size.
const BLOCK: u32 = 16;
/// The marks for starting anew are numbered from 0 to 7.
const RESTART: u8 = 0xd0;
const END: [u8; 2] = [0xff, 0xd9];
const FRAME: u8 = 0xc0;
const SCAN: u8 = 0xda;

/// At least as many rows, in whole blocks.
pub(super) fn whole_blocks(rows: u32) -> u32 {
    rows.max(1).next_multiple_of(BLOCK)
}

/// `strip` gives the pixels of some rows, opaque.
pub(super) fn write(
    width: u32,
    height: u32,
    rows: u32,
    strip: impl Fn(Range<u32>) -> Vec<u8> + Sync,
) -> Result<Vec<u8>, RenderError> {
    let restart = width.div_ceil(BLOCK) * (rows / BLOCK);
    let strips: Vec<Range<u32>> = (0..height.div_ceil(rows))
        .map(|at| at * rows..((at + 1) * rows).min(height))
        .collect();
    let written = parallel::turns(&strips, |rows| {
        let pixels = strip(rows.clone());
        encode(&pixels, width, rows.len() as u32, restart)
    });
    let mut written = written.into_iter();
    let mut out = written.next().unwrap_or_else(|| Err(broken()))?;
    set_height(&mut out, height)?;
    for (at, strip) in (0..8).cycle().zip(written) {
        let strip = strip?;
        let scan = strip.get(scan_start(&strip)?..).ok_or_else(broken)?;
        out.truncate(out.len().saturating_sub(END.len()));
        out.extend([0xff, RESTART + at]);
        out.extend_from_slice(scan);
    }
    Ok(out)
}

fn encode(pixels: &[u8], width: u32, height: u32, restart: u32) -> Result<Vec<u8>, RenderError> {
    let failed = |error: EncodingError| RenderError::Encode(error.to_string());
    let short =
        |number: u32| u16::try_from(number).map_err(|error| RenderError::Encode(error.to_string()));
    // Lines on paper take about a fifteenth of a byte a pixel and rarely more than a quarter.
    let mut out = Vec::with_capacity(pixels.len() / 16 + 1000);
    let mut encoder = Encoder::new(&mut out, QUALITY);
    // As browsers do at this quality: a picture of half the size in half the time.
    encoder.set_sampling_factor(SamplingFactor::F_2_2);
    encoder.set_restart_interval(short(restart)?);
    // The fourth byte is left out by the encoder.
    encoder
        .encode(pixels, short(width)?, short(height)?, ColorType::Rgba)
        .map_err(failed)?;
    Ok(out)
}

/// Premultiplied over white: what is missing to opaque is added as white.
pub(super) fn on_white(pixels: &mut [u8]) {
    for pixel in pixels.chunks_exact_mut(4) {
        let white = 255 - pixel[3];
        for channel in &mut pixel[..3] {
            *channel = channel.saturating_add(white);
        }
    }
}

/// The segments of a file's head: the mark of each and where it starts.
fn segments(file: &[u8]) -> impl Iterator<Item = (u8, usize)> {
    // The first two bytes only say what it is.
    let mut at = 2;
    std::iter::from_fn(move || {
        let [0xff, mark, high, low] = *file.get(at..at + 4)? else {
            return None;
        };
        let found = (mark, at);
        at += 2 + usize::from(u16::from_be_bytes([high, low]));
        Some(found)
    })
}

/// Where the last segment of the head ends and the picture begins.
fn scan_start(file: &[u8]) -> Result<usize, RenderError> {
    let (_, at) = segments(file)
        .find(|(mark, _)| *mark == SCAN)
        .ok_or_else(broken)?;
    let length = file.get(at + 2..at + 4).ok_or_else(broken)?;
    Ok(at + 2 + usize::from(u16::from_be_bytes([length[0], length[1]])))
}

fn set_height(file: &mut [u8], height: u32) -> Result<(), RenderError> {
    let (_, at) = segments(file)
        .find(|(mark, _)| *mark == FRAME)
        .ok_or_else(broken)?;
    let height = u16::try_from(height).map_err(|_| broken())?;
    // After the mark, the segment's length and the bits of a sample.
    let place = file.get_mut(at + 5..at + 7).ok_or_else(broken)?;
    place.copy_from_slice(&height.to_be_bytes());
    Ok(())
}

fn broken() -> RenderError {
    RenderError::Encode("the encoder gave no picture".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(file: &[u8]) -> image::RgbImage {
        let format = image::ImageFormat::Jpeg;
        image::load_from_memory_with_format(file, format)
            .unwrap()
            .into_rgb8()
    }

    #[test]
    fn strips_give_the_picture_that_one_go_gives() {
        // Neither side in whole blocks, and more strips than there are marks.
        let (width, height) = (77, 331);
        let pixel = |x: u32, y: u32| [x * 3, y, x * y, 255].map(|value| (value % 256) as u8);
        let strip = |rows: Range<u32>| -> Vec<u8> {
            rows.flat_map(|y| (0..width).flat_map(move |x| pixel(x, y)))
                .collect()
        };
        let whole = write(width, height, whole_blocks(height), strip).unwrap();
        for rows in [16, 32, 112, 320] {
            let strips = write(width, height, rows, strip).unwrap();
            assert_ne!(strips, whole);
            assert_eq!(decoded(&strips), decoded(&whole), "{rows} rows");
        }
        assert_eq!(decoded(&whole).dimensions(), (width, height));
    }

    #[test]
    fn what_is_transparent_is_white() {
        let mut pixels = [0, 0, 0, 0, 128, 0, 0, 128, 9, 8, 7, 255];
        on_white(&mut pixels);
        let colors = pixels.chunks_exact(4).map(|pixel| &pixel[..3]);
        let expected = [[255, 255, 255], [255, 127, 127], [9, 8, 7]];
        assert!(colors.eq(expected.iter().map(<[u8; 3]>::as_slice)));
    }
}
