//! Numbers as bits: the codes that the JPEG standard's annex K suggests, few bits for what is frequent.

use super::head::ZIGZAG;

/// How many codes there are of each length, and what they stand for, the shortest first.
pub(super) struct Table {
    pub counts: [u8; 16],
    pub values: &'static [u8],
}

/// The mean of a block is told by how many bits its difference to the one before has.
const BITS: &[u8] = &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];

pub(super) const LIGHT_MEAN: Table = Table {
    counts: [0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0],
    values: BITS,
};
pub(super) const COLOR_MEAN: Table = Table {
    counts: [0, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0],
    values: BITS,
};
/// Any other share by how many zeros stand before it, times 16, and how many bits it has.
pub(super) const LIGHT_SHARES: Table = Table {
    counts: [0, 2, 1, 3, 3, 2, 4, 3, 5, 5, 4, 4, 0, 0, 1, 125],
    values: &[
        0x01, 0x02, 0x03, 0x00, 0x04, 0x11, 0x05, 0x12, 0x21, 0x31, 0x41, 0x06, 0x13, 0x51, 0x61,
        0x07, 0x22, 0x71, 0x14, 0x32, 0x81, 0x91, 0xa1, 0x08, 0x23, 0x42, 0xb1, 0xc1, 0x15, 0x52,
        0xd1, 0xf0, 0x24, 0x33, 0x62, 0x72, 0x82, 0x09, 0x0a, 0x16, 0x17, 0x18, 0x19, 0x1a, 0x25,
        0x26, 0x27, 0x28, 0x29, 0x2a, 0x34, 0x35, 0x36, 0x37, 0x38, 0x39, 0x3a, 0x43, 0x44, 0x45,
        0x46, 0x47, 0x48, 0x49, 0x4a, 0x53, 0x54, 0x55, 0x56, 0x57, 0x58, 0x59, 0x5a, 0x63, 0x64,
        0x65, 0x66, 0x67, 0x68, 0x69, 0x6a, 0x73, 0x74, 0x75, 0x76, 0x77, 0x78, 0x79, 0x7a, 0x83,
        0x84, 0x85, 0x86, 0x87, 0x88, 0x89, 0x8a, 0x92, 0x93, 0x94, 0x95, 0x96, 0x97, 0x98, 0x99,
        0x9a, 0xa2, 0xa3, 0xa4, 0xa5, 0xa6, 0xa7, 0xa8, 0xa9, 0xaa, 0xb2, 0xb3, 0xb4, 0xb5, 0xb6,
        0xb7, 0xb8, 0xb9, 0xba, 0xc2, 0xc3, 0xc4, 0xc5, 0xc6, 0xc7, 0xc8, 0xc9, 0xca, 0xd2, 0xd3,
        0xd4, 0xd5, 0xd6, 0xd7, 0xd8, 0xd9, 0xda, 0xe1, 0xe2, 0xe3, 0xe4, 0xe5, 0xe6, 0xe7, 0xe8,
        0xe9, 0xea, 0xf1, 0xf2, 0xf3, 0xf4, 0xf5, 0xf6, 0xf7, 0xf8, 0xf9, 0xfa,
    ],
};
pub(super) const COLOR_SHARES: Table = Table {
    counts: [0, 2, 1, 2, 4, 4, 3, 4, 7, 5, 4, 4, 0, 1, 2, 119],
    values: &[
        0x00, 0x01, 0x02, 0x03, 0x11, 0x04, 0x05, 0x21, 0x31, 0x06, 0x12, 0x41, 0x51, 0x07, 0x61,
        0x71, 0x13, 0x22, 0x32, 0x81, 0x08, 0x14, 0x42, 0x91, 0xa1, 0xb1, 0xc1, 0x09, 0x23, 0x33,
        0x52, 0xf0, 0x15, 0x62, 0x72, 0xd1, 0x0a, 0x16, 0x24, 0x34, 0xe1, 0x25, 0xf1, 0x17, 0x18,
        0x19, 0x1a, 0x26, 0x27, 0x28, 0x29, 0x2a, 0x35, 0x36, 0x37, 0x38, 0x39, 0x3a, 0x43, 0x44,
        0x45, 0x46, 0x47, 0x48, 0x49, 0x4a, 0x53, 0x54, 0x55, 0x56, 0x57, 0x58, 0x59, 0x5a, 0x63,
        0x64, 0x65, 0x66, 0x67, 0x68, 0x69, 0x6a, 0x73, 0x74, 0x75, 0x76, 0x77, 0x78, 0x79, 0x7a,
        0x82, 0x83, 0x84, 0x85, 0x86, 0x87, 0x88, 0x89, 0x8a, 0x92, 0x93, 0x94, 0x95, 0x96, 0x97,
        0x98, 0x99, 0x9a, 0xa2, 0xa3, 0xa4, 0xa5, 0xa6, 0xa7, 0xa8, 0xa9, 0xaa, 0xb2, 0xb3, 0xb4,
        0xb5, 0xb6, 0xb7, 0xb8, 0xb9, 0xba, 0xc2, 0xc3, 0xc4, 0xc5, 0xc6, 0xc7, 0xc8, 0xc9, 0xca,
        0xd2, 0xd3, 0xd4, 0xd5, 0xd6, 0xd7, 0xd8, 0xd9, 0xda, 0xe2, 0xe3, 0xe4, 0xe5, 0xe6, 0xe7,
        0xe8, 0xe9, 0xea, 0xf2, 0xf3, 0xf4, 0xf5, 0xf6, 0xf7, 0xf8, 0xf9, 0xfa,
    ],
};

/// The rest of a block is zero.
const NOTHING_MORE: usize = 0x00;
/// Sixteen zeros, and more to come.
const ZEROS: usize = 0xf0;

/// The code of each value, and how many bits it has.
type Codes = [(u16, u8); 256];

const fn codes(table: &Table) -> Codes {
    let mut codes = [(0, 0); 256];
    let (mut code, mut next, mut length) = (0, 0, 0);
    while length < 16 {
        let mut of_length = 0;
        while of_length < table.counts[length] {
            codes[table.values[next] as usize] = (code, length as u8 + 1);
            code += 1;
            next += 1;
            of_length += 1;
        }
        code <<= 1;
        length += 1;
    }
    codes
}

/// What one of the components is written with.
pub(super) struct HuffmanCodes {
    mean: Codes,
    shares: Codes,
}

pub(super) static LIGHT: HuffmanCodes = HuffmanCodes {
    mean: codes(&LIGHT_MEAN),
    shares: codes(&LIGHT_SHARES),
};
pub(super) static COLOR: HuffmanCodes = HuffmanCodes {
    mean: codes(&COLOR_MEAN),
    shares: codes(&COLOR_SHARES),
};

/// Bits, put together to bytes.
pub(super) struct Bits {
    out: Vec<u8>,
    /// The last bits, those that were put last lowest.
    waiting: u64,
    count: u32,
}

impl Bits {
    pub fn with_room(bytes: usize) -> Self {
        Self {
            out: Vec::with_capacity(bytes),
            waiting: 0,
            count: 0,
        }
    }

    /// At most 32 bits.
    #[inline]
    fn put(&mut self, bits: u32, count: u32) {
        self.waiting = self.waiting << count | u64::from(bits);
        self.count += count;
        if self.count >= 32 {
            self.count -= 32;
            // The upper ones are written already.
            let word = (self.waiting >> self.count) as u32;
            self.bytes(word.to_be_bytes());
        }
    }

    #[inline]
    fn bytes<const N: usize>(&mut self, bytes: [u8; N]) {
        if !bytes.contains(&0xff) {
            return self.out.extend_from_slice(&bytes);
        }
        for byte in bytes {
            self.out.push(byte);
            // So that nobody takes it for a mark.
            if byte == 0xff {
                self.out.push(0);
            }
        }
    }

    /// A value behind the code for what it is.
    #[inline]
    fn coded(&mut self, (code, length): (u16, u8), bits: u32, value: i32) {
        // A negative one is one less, so that its highest bit is not set.
        let value = (value + (value >> 31)) as u32 & ((1 << bits) - 1);
        self.put(u32::from(code) << bits | value, u32::from(length) + bits);
    }

    /// The mean of a block, by how much it differs from the one before.
    #[inline]
    pub fn mean(&mut self, codes: &HuffmanCodes, difference: i32) {
        let bits = length(difference);
        self.coded(codes.mean[bits as usize], bits, difference);
    }

    /// A block that is all mean.
    #[inline]
    pub fn nothing_more(&mut self, codes: &HuffmanCodes) {
        self.coded(codes.shares[NOTHING_MORE], 0, 0);
    }

    /// All but the mean of a block, whose shares stand in columns of eight.
    pub fn shares(&mut self, codes: &HuffmanCodes, block: &[i32; 64]) {
        let mut ordered = [0; 64];
        for (value, place) in ordered.iter_mut().zip(&COLUMNS) {
            *value = block[usize::from(*place) % 64];
        }
        // Without the mean. From one to the next that is not zero: asking each where most are zero is guessing.
        let mut left = not_zero(&ordered) & !1;
        let mut before = 0;
        while left != 0 {
            let at = left.trailing_zeros() as usize % 64;
            left &= left - 1;
            let mut zeros = at - before - 1;
            before = at;
            while zeros > 15 {
                self.coded(codes.shares[ZEROS], 0, 0);
                zeros -= 16;
            }
            let value = ordered[at];
            let bits = length(value);
            self.coded(
                codes.shares[(zeros << 4 | bits as usize) % 256],
                bits,
                value,
            );
        }
        if before < 63 {
            self.nothing_more(codes);
        }
    }

    /// All bytes; what is missing to the last is filled with ones.
    pub fn finish(mut self) -> Vec<u8> {
        let missing = self.count.wrapping_neg() % 8;
        self.put((1 << missing) - 1, missing);
        while self.count > 0 {
            self.count -= 8;
            let byte = (self.waiting >> self.count) as u8;
            self.bytes([byte]);
        }
        self.out
    }
}

/// A bit for each that is not zero, that of the first lowest.
#[inline]
fn not_zero(values: &[i32; 64]) -> u64 {
    // Brings the lowest bit of each of eight bytes to the highest byte, side by side.
    const GATHER: u64 = 0x0102_0408_1020_4080;
    let mut flags = [0; 64];
    for (flag, value) in flags.iter_mut().zip(values) {
        *flag = u8::from(*value != 0);
    }
    let eights = flags.as_chunks::<8>().0.iter().rev();
    eights.fold(0, |all, eight| {
        all << 8 | u64::from_le_bytes(*eight).wrapping_mul(GATHER) >> 56
    })
}

/// How many bits a number has, its sign aside.
#[inline]
fn length(number: i32) -> u32 {
    u32::BITS - number.unsigned_abs().leading_zeros()
}

/// The zigzag through a block that stands in columns.
const COLUMNS: [u8; 64] = {
    let mut columns = [0; 64];
    let mut at = 0;
    while at < 64 {
        columns[at] = ZIGZAG[at] % 8 * 8 + ZIGZAG[at] / 8;
        at += 1;
    }
    columns
};
