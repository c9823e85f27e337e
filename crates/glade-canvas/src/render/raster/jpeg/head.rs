//! What stands before the scan of a JPEG: its size, and the tables that it is written with.

use super::huffman::{self, Table};

/// How much each share of a block may be off, from the JPEG standard's annex K, for a quality of 50: for brightness, then for
/// colour.
const LIGHT: [u16; 64] = [
    16, 11, 10, 16, 24, 40, 51, 61, 12, 12, 14, 19, 26, 58, 60, 55, 14, 13, 16, 24, 40, 57, 69, 56,
    14, 17, 22, 29, 51, 87, 80, 62, 18, 22, 37, 56, 68, 109, 103, 77, 24, 35, 55, 64, 81, 104, 113,
    92, 49, 64, 78, 87, 103, 121, 120, 101, 72, 92, 95, 98, 112, 100, 103, 99,
];
const COLOR: [u16; 64] = [
    17, 18, 24, 47, 99, 99, 99, 99, 18, 21, 26, 66, 99, 99, 99, 99, 24, 26, 56, 99, 99, 99, 99, 99,
    47, 66, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99,
    99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99,
];
/// In percent, for a quality of 90.
const COARSENESS: u16 = 20;

/// The order in which the shares of a block are written, the coarse ones first: their places in rows of eight.
pub(super) const ZIGZAG: [u8; 64] = [
    0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20,
    13, 6, 7, 14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59,
    52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63,
];

/// The steps that shares are rounded to, in rows of eight.
pub(super) const LIGHT_STEPS: [u8; 64] = steps(&LIGHT);
pub(super) const COLOR_STEPS: [u8; 64] = steps(&COLOR);

const fn steps(base: &[u16; 64]) -> [u8; 64] {
    let mut steps = [0; 64];
    let mut at = 0;
    while at < 64 {
        // At most 121 x 20 % and a half.
        let step = (base[at] * COARSENESS + 50) / 100;
        steps[at] = if step < 1 { 1 } else { step as u8 };
        at += 1;
    }
    steps
}

/// All up to the scan of a picture that starts anew after every `restart` squares.
pub(super) fn written(width: u16, height: u16, restart: u16) -> Vec<u8> {
    let mut out = vec![0xff, 0xd8];
    segment(&mut out, 0xe0, b"JFIF\0\x01\x02\0\0\x01\0\x01\0\0");
    for (number, steps) in [(0, LIGHT_STEPS), (1, COLOR_STEPS)] {
        let mut table = vec![number];
        table.extend(ZIGZAG.map(|place| steps[usize::from(place)]));
        segment(&mut out, 0xdb, &table);
    }
    let ([h1, h0], [w1, w0]) = (height.to_be_bytes(), width.to_be_bytes());
    // Eight bits, the size, three components: each with its number, blocks across and down, and its steps.
    let frame = [8, h1, h0, w1, w0, 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1];
    segment(&mut out, 0xc0, &frame);
    let tables: [(u8, &Table); 4] = [
        (0x00, &huffman::LIGHT_MEAN),
        (0x10, &huffman::LIGHT_SHARES),
        (0x01, &huffman::COLOR_MEAN),
        (0x11, &huffman::COLOR_SHARES),
    ];
    for (number, table) in tables {
        let mut data = vec![number];
        data.extend(table.counts);
        data.extend(table.values);
        segment(&mut out, 0xc4, &data);
    }
    segment(&mut out, 0xdd, &restart.to_be_bytes());
    // Three components, each with its tables; then all shares of a block, none left for later.
    segment(&mut out, 0xda, &[3, 1, 0x00, 2, 0x11, 3, 0x11, 0, 63, 0]);
    out
}

fn segment(out: &mut Vec<u8>, mark: u8, data: &[u8]) {
    out.extend([0xff, mark]);
    // None is longer than a table of two hundred.
    out.extend((data.len() as u16 + 2).to_be_bytes());
    out.extend_from_slice(data);
}
