//! A picture as JPEG, written in strips on as many threads as there are.
//!
//! A JPEG may start anew at places that its head announces: what follows such a place does not depend on what came
//! before it. So the scan of each strip of whole squares is written by itself, and all are joined with the marks for
//! starting anew between them. Decoded it is, pixel for pixel, what writing it in one go gives.
//!
//! Most of a page is paper: squares of one colour are known before anything is worked out about them, and written in
//! a few bits ([`scan`]).

mod head;
mod huffman;
mod scan;
mod transform;

use std::ops::Range;

use crate::render::{RenderError, parallel};

/// Rows and columns of a square: two by two blocks of eight, since colours are kept at half the size, as browsers do.
const SQUARE: u32 = 16;
/// The marks for starting anew are numbered from 0 to 7.
const RESTART: u8 = 0xd0;
const END: [u8; 2] = [0xff, 0xd9];

/// At least as many rows, in whole squares.
pub(super) fn whole_blocks(rows: u32) -> u32 {
    rows.max(1).next_multiple_of(SQUARE)
}

/// The scan of a strip, from its opaque pixels.
pub(super) fn scan(pixels: &[u8], width: u32) -> Vec<u8> {
    scan::write(pixels, width as usize)
}

/// `strip` gives the scan of some rows.
pub(super) fn write(
    width: u32,
    height: u32,
    rows: u32,
    strip: impl Fn(Range<u32>) -> Vec<u8> + Sync,
) -> Result<Vec<u8>, RenderError> {
    let strips: Vec<Range<u32>> = (0..height.div_ceil(rows))
        .map(|at| at * rows..((at + 1) * rows).min(height))
        .collect();
    let scans = parallel::turns(&strips, |rows| strip(rows.clone()));
    let short =
        |number: u32| u16::try_from(number).map_err(|error| RenderError::Encode(error.to_string()));
    let restart = width.div_ceil(SQUARE) * (rows / SQUARE);
    let mut out = head::written(short(width)?, short(height)?, short(restart)?);
    for (at, scan) in (0..8).cycle().zip(&scans) {
        out.extend_from_slice(scan);
        out.extend([0xff, RESTART + at]);
    }
    // Nothing starts anew after the last.
    out.truncate(out.len().saturating_sub(END.len()));
    out.extend(END);
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
            let pixels = rows.flat_map(|y| (0..width).flat_map(move |x| pixel(x, y)));
            scan(&pixels.collect::<Vec<u8>>(), width)
        };
        let whole = write(width, height, whole_blocks(height), strip).unwrap();
        for rows in [16, 32, 112, 320] {
            let strips = write(width, height, rows, strip).unwrap();
            assert_ne!(strips, whole);
            assert_eq!(decoded(&strips), decoded(&whole), "{rows} rows");
        }
        assert_eq!(decoded(&whole).dimensions(), (width, height));
    }

    /// The most that any pixel of a picture differs after it was written and read.
    fn most_off(width: u32, height: u32, pixel: impl Fn(u32, u32) -> [u8; 3] + Sync) -> u8 {
        let strip = |rows: Range<u32>| -> Vec<u8> {
            let pixel = &pixel;
            let pixels = rows.flat_map(|y| {
                (0..width).flat_map(move |x| {
                    let [r, g, b] = pixel(x, y);
                    [r, g, b, 255]
                })
            });
            scan(&pixels.collect::<Vec<u8>>(), width)
        };
        let read = decoded(&write(width, height, 32, strip).unwrap());
        let off = read.enumerate_pixels().flat_map(|(x, y, read)| {
            let drawn = pixel(x, y);
            (0..3).map(move |at| read.0[at].abs_diff(drawn[at]))
        });
        off.max().unwrap()
    }

    #[test]
    fn one_colour_is_that_colour() {
        for color in [[255; 3], [0; 3], [0xa5, 0xd8, 0xff], [224, 49, 49]] {
            let off = most_off(70, 50, |_, _| color);
            assert!(off <= 2, "{color:?}: {off}");
        }
        assert_eq!(most_off(64, 64, |_, _| [255; 3]), 0);
    }

    #[test]
    fn a_picture_is_near_to_what_was_drawn() {
        let smooth = |x: u32, y: u32| [x, y, (x + y) / 2].map(|value| (40 + value) as u8);
        assert!(most_off(150, 130, smooth) <= 4);
        // Black on white: nothing of it is colour.
        let ink = |x: u32, y: u32| [if (x * 7 + y * 3) % 31 < 4 { 0 } else { 255 }; 3];
        assert!(most_off(97, 64, ink) <= 40);
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
