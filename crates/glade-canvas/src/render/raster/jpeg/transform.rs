//! A block of eight by eight as its mean and the shares of ever finer waves.
//!
//! The cosine transform of Arai, Agui and Nakajima: 29 sums and five products a row, what is left of scaling goes with
//! the rounding. All eight columns at once, and once more after the block was turned.

use super::head::{COLOR_STEPS, LIGHT_STEPS};

pub(super) type Block = [[f32; 8]; 8];

/// Eight numbers at once.
type Lanes = [f32; 8];

/// How the transform leaves its rows and columns scaled.
const SCALES: [f64; 8] = [
    1.0,
    1.387_039_845_322_148,
    1.306_562_964_876_377,
    1.175_875_602_419_359,
    1.0,
    0.785_694_958_387_102,
    0.541_196_100_146_197,
    0.275_899_379_282_943,
];

/// What the shares of a block, in columns, are multiplied with to be counted in steps.
pub(super) struct Steps([f32; 64]);

pub(super) static LIGHT: Steps = Steps(factors(&LIGHT_STEPS));
pub(super) static COLOR: Steps = Steps(factors(&COLOR_STEPS));

const fn factors(steps: &[u8; 64]) -> [f32; 64] {
    let mut factors = [0.0; 64];
    let mut at = 0;
    while at < 64 {
        let (row, column) = (at / 8, at % 8);
        let scale = SCALES[row] * SCALES[column] * 8.0;
        factors[column * 8 + row] = (1.0 / (steps[at] as f64 * scale)) as f32;
        at += 1;
    }
    factors
}

impl Steps {
    /// The mean of a block of one value.
    pub fn flat(&self, value: f32) -> i32 {
        rounded(value * 64.0 * self.0[0])
    }

    /// The shares of a block, in columns.
    pub fn shares(&self, block: &Block) -> [i32; 64] {
        let waves = waves(turned(waves(*block)));
        let mut shares = [0; 64];
        for ((share, wave), factor) in shares.iter_mut().zip(waves.as_flattened()).zip(&self.0) {
            *share = rounded(wave * factor);
        }
        shares
    }
}

/// To the next whole number, for numbers far below a million: added to this one, nothing but whole ones are left.
#[inline]
fn rounded(value: f32) -> i32 {
    const WHOLE: f32 = 12_582_912.0;
    (value + WHOLE)
        .to_bits()
        .wrapping_sub(WHOLE.to_bits())
        .cast_signed()
}

#[inline]
fn turned(block: Block) -> Block {
    let mut turned = [[0.0; 8]; 8];
    for (y, row) in block.iter().enumerate() {
        for (x, value) in row.iter().enumerate() {
            turned[x][y] = *value;
        }
    }
    turned
}

#[inline]
fn plus(a: Lanes, b: Lanes) -> Lanes {
    std::array::from_fn(|at| a[at] + b[at])
}

#[inline]
fn minus(a: Lanes, b: Lanes) -> Lanes {
    std::array::from_fn(|at| a[at] - b[at])
}

#[inline]
fn times(a: Lanes, by: f32) -> Lanes {
    a.map(|value| value * by)
}

/// Each column as its waves, scaled.
#[inline]
fn waves([d0, d1, d2, d3, d4, d5, d6, d7]: Block) -> Block {
    const C2: f32 = 1.306_563;
    const C4: f32 = std::f32::consts::FRAC_1_SQRT_2;
    const C6: f32 = 0.541_196_1;
    const DIFFERENCE: f32 = 0.382_683_43;
    let (s0, s1, s2, s3) = (plus(d0, d7), plus(d1, d6), plus(d2, d5), plus(d3, d4));
    let (t7, t6, t5, t4) = (minus(d0, d7), minus(d1, d6), minus(d2, d5), minus(d3, d4));
    let (e0, e3, e1, e2) = (plus(s0, s3), minus(s0, s3), plus(s1, s2), minus(s1, s2));
    let z1 = times(plus(e2, e3), C4);
    let (o0, o1, o2) = (plus(t4, t5), plus(t5, t6), plus(t6, t7));
    let z5 = times(minus(o0, o2), DIFFERENCE);
    let (z2, z4) = (plus(times(o0, C6), z5), plus(times(o2, C2), z5));
    let z3 = times(o1, C4);
    let (z11, z13) = (plus(t7, z3), minus(t7, z3));
    [
        plus(e0, e1),
        plus(z11, z4),
        plus(e3, z1),
        minus(z13, z2),
        minus(e0, e1),
        plus(z13, z2),
        minus(e3, z1),
        minus(z11, z4),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_those_of_the_cosine_transform() {
        let block: Block = std::array::from_fn(|y| {
            std::array::from_fn(|x| ((x * 37 + y * 91) % 256) as f32 - 128.0)
        });
        let shares = LIGHT.shares(&block);
        for v in 0..8 {
            for u in 0..8 {
                let wave = |at: usize, nth: usize| {
                    let norm = if nth == 0 { 0.5_f64.sqrt() } else { 1.0 };
                    norm * ((2 * at + 1) as f64 * nth as f64 * std::f64::consts::PI / 16.0).cos()
                };
                let sum: f64 = (0..64)
                    .map(|at| f64::from(block[at / 8][at % 8]) * wave(at % 8, u) * wave(at / 8, v))
                    .sum();
                let expected = sum / 4.0 / f64::from(LIGHT_STEPS[v * 8 + u]);
                let off = f64::from(shares[u * 8 + v]) - expected;
                assert!(off.abs() < 0.501, "{u} across, {v} down: {off}");
            }
        }
        assert_eq!(LIGHT.flat(127.0), LIGHT.shares(&[[127.0; 8]; 8])[0]);
    }
}
