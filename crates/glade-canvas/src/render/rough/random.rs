//! rough.js's generator: a multiplicative congruence over 32 bits.

const MULTIPLIER: i32 = 48_271;
/// Stands in for a seed of zero, with which rough.js asks the browser for real chance.
const SEED_OF_ZERO: i32 = 1;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Random {
    seed: i32,
}

impl Random {
    pub fn new(seed: f64) -> Self {
        let seed = to_int32(seed);
        Self {
            seed: if seed == 0 { SEED_OF_ZERO } else { seed },
        }
    }

    /// The next number, from 0 up to but not including 1.
    #[allow(clippy::should_implement_trait)]
    pub fn next(&mut self) -> f64 {
        self.seed = self.seed.wrapping_mul(MULTIPLIER);
        f64::from(self.seed & i32::MAX) / 2_147_483_648.0
    }
}

/// A JavaScript number as its bit operators see it: whole, wrapped into 32 bits.
fn to_int32(number: f64) -> i32 {
    if !number.is_finite() {
        return 0;
    }
    let wrapped = number.trunc().rem_euclid(4_294_967_296.0);
    // In range by the line above: below 2^32.
    (wrapped as u32).cast_signed()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_wrap_as_javascript_wraps_them() {
        let seeds = [0.0, 1.9, -1.0, 2_147_483_648.0, 4_294_967_297.0, f64::NAN];
        assert_eq!(seeds.map(to_int32), [0, 1, -1, i32::MIN, 1, 0]);
    }

    #[test]
    fn a_seed_of_zero_is_still_repeatable() {
        assert_eq!(Random::new(0.0).next(), Random::new(0.0).next());
    }
}
