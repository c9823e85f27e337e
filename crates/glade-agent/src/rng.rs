//! Made-up numbers from the host's seed: the same seed, the same drawing.

use serde::{Deserialize, Serialize};

/// SplitMix64: tiny, and good enough for ids and stroke seeds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rng(u64);

impl Rng {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// One that is this one's own for something of this name, whatever else was made up.
    pub fn of(self, name: &str) -> Self {
        let mix = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        Self(name.bytes().fold(self.0 ^ 0xcbf2_9ce4_8422_2325, mix))
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A few letters and digits.
    pub fn suffix(&mut self) -> String {
        const DIGITS: &[u8; 36] = b"0123456789abcdefghijklmnopqrstuvwxyz";
        let mut bits = self.next();
        (0..6)
            .map(|_| {
                let digit = DIGITS[(bits % 36) as usize] as char;
                bits /= 36;
                digit
            })
            .collect()
    }

    /// A seed for the roughness of strokes: a positive 31-bit number, as the editor makes them.
    pub fn stroke_seed(&mut self) -> u32 {
        ((self.next() >> 33) as u32).max(1)
    }
}
