//! The scan: squares of sixteen by sixteen pixels, each as four blocks of brightness and two of colour at half the size.

use super::huffman::{self, Bits, HuffmanCodes};
use super::transform::{self, Block, Steps};

/// Pixels of one square: red lowest, then green and blue; nothing above.
type Square = [[u32; 16]; 16];

/// Some rows of opaque pixels, as if nothing stood before them.
pub(super) fn write(pixels: &[u8], width: usize) -> Vec<u8> {
    let rows = pixels.len() / (width * 4).max(1);
    // Lines on paper take about a fifteenth of a byte a pixel and rarely more than a quarter.
    let mut scan = Scan {
        bits: Bits::with_room(pixels.len() / 16 + 1000),
        before: [0; 3],
        flat: (0, averages(0)),
    };
    for top in (0..rows).step_by(16) {
        for left in (0..width).step_by(16) {
            scan.square(&square(pixels, width, rows, left, top));
        }
    }
    scan.bits.finish()
}

/// The square at this place; beyond the picture its last row and column go on.
fn square(pixels: &[u8], width: usize, rows: usize, left: usize, top: usize) -> Square {
    let mut square = [[0; 16]; 16];
    for (y, line) in square.iter_mut().enumerate() {
        let start = ((top + y).min(rows - 1) * width + left) * 4;
        let there = pixels.get(start..).unwrap_or_default();
        let inside = (width - left).min(16);
        match there.first_chunk::<64>() {
            Some(whole) if inside == 16 => {
                for (pixel, bytes) in line.iter_mut().zip(whole.as_chunks::<4>().0) {
                    *pixel = color(*bytes);
                }
            }
            _ => {
                let mut last = 0;
                let mut bytes = there.as_chunks::<4>().0.iter().take(inside);
                for pixel in line {
                    last = bytes.next().map_or(last, |bytes| color(*bytes));
                    *pixel = last;
                }
            }
        }
    }
    square
}

#[inline]
fn color(bytes: [u8; 4]) -> u32 {
    u32::from_le_bytes(bytes) & 0x00ff_ffff
}

/// How bright a colour is, how blue and how red, each around zero.
#[inline]
fn parts(r: f32, g: f32, b: f32) -> [f32; 3] {
    [
        0.299 * r + 0.587 * g + 0.114 * b,
        0.5 * b - 0.168_735_9 * r - 0.331_264_1 * g,
        0.5 * r - 0.418_687_6 * g - 0.081_312_4 * b,
    ]
}

/// A pixel's red, green and blue.
#[inline]
fn channels(pixel: u32) -> [f32; 3] {
    // A byte is no more than a signed number of 32 bits holds, which are quicker to convert.
    [pixel, pixel >> 8, pixel >> 16].map(|value| (value & 255).cast_signed() as f32)
}

/// The averages of blocks of one colour.
fn averages(pixel: u32) -> [i32; 3] {
    let [r, g, b] = channels(pixel);
    let [light, blue, red] = parts(r, g, b);
    [
        transform::LIGHT.flat(light - 128.0),
        transform::COLOR.flat(blue),
        transform::COLOR.flat(red),
    ]
}

struct Scan {
    bits: Bits,
    /// The mean of the last block of each component.
    before: [i32; 3],
    /// The last colour that a whole block had, and its averages.
    flat: (u32, [i32; 3]),
}

impl Scan {
    fn square(&mut self, square: &Square) {
        if let Some(pixel) = one_colour(square.as_flattened()) {
            let averages = self.averages(pixel);
            for component in [0, 0, 0, 0, 1, 2] {
                self.flat(component, averages[component]);
            }
            return;
        }
        for (top, left) in [(0, 0), (0, 8), (8, 0), (8, 8)] {
            self.light(square, top, left);
        }
        let [blue, red] = colors(square);
        self.block(1, &blue);
        self.block(2, &red);
    }

    fn averages(&mut self, pixel: u32) -> [i32; 3] {
        if self.flat.0 != pixel {
            self.flat = (pixel, averages(pixel));
        }
        self.flat.1
    }

    fn light(&mut self, square: &Square, top: usize, left: usize) {
        let mut pixels = [[0; 8]; 8];
        for (line, there) in pixels.iter_mut().zip(&square[top..]) {
            line.copy_from_slice(&there[left..left + 8]);
        }
        if let Some(pixel) = one_colour(pixels.as_flattened()) {
            let [light, ..] = self.averages(pixel);
            return self.flat(0, light);
        }
        let mut block = [[0.0; 8]; 8];
        for (light, pixel) in block
            .as_flattened_mut()
            .iter_mut()
            .zip(pixels.as_flattened())
        {
            let [r, g, b] = channels(*pixel);
            *light = parts(r, g, b)[0] - 128.0;
        }
        self.block(0, &block);
    }

    fn flat(&mut self, component: usize, mean: i32) {
        let (_, codes) = manner(component);
        self.bits.mean(codes, mean - self.before[component]);
        self.bits.nothing_more(codes);
        self.before[component] = mean;
    }

    fn block(&mut self, component: usize, block: &Block) {
        let (steps, codes) = manner(component);
        let shares = steps.shares(block);
        self.bits.mean(codes, shares[0] - self.before[component]);
        self.before[component] = shares[0];
        match shares[1..].iter().fold(0, |any, share| any | share) {
            0 => self.bits.nothing_more(codes),
            _ => self.bits.shares(codes, &shares),
        }
    }
}

/// What a component is rounded by and written with.
fn manner(component: usize) -> (&'static Steps, &'static HuffmanCodes) {
    match component {
        0 => (&transform::LIGHT, &huffman::LIGHT),
        _ => (&transform::COLOR, &huffman::COLOR),
    }
}

/// The colour of all these pixels, if they have one.
#[inline]
fn one_colour(pixels: &[u32]) -> Option<u32> {
    let first = *pixels.first()?;
    let other = pixels.iter().fold(0, |any, pixel| any | (pixel ^ first));
    (other == 0).then_some(first)
}

/// How blue and how red a square is, each four pixels together.
fn colors(square: &Square) -> [Block; 2] {
    let (mut blue, mut red) = ([[0.0; 8]; 8], [[0.0; 8]; 8]);
    let (lines, _) = square.as_chunks::<2>();
    for (y, [upper, lower]) in lines.iter().enumerate() {
        // All channels of two rows, then of two columns.
        let mut sums = [[0.0; 3]; 16];
        for ((sum, one), two) in sums.iter_mut().zip(upper).zip(lower) {
            let (one, two) = (channels(*one), channels(*two));
            *sum = [one[0] + two[0], one[1] + two[1], one[2] + two[2]];
        }
        for (x, [one, two]) in sums.as_chunks::<2>().0.iter().enumerate() {
            let mean = |at: usize| (one[at] + two[at]) * 0.25;
            let [_, b, r] = parts(mean(0), mean(1), mean(2));
            blue[y][x] = b;
            red[y][x] = r;
        }
    }
    [blue, red]
}
