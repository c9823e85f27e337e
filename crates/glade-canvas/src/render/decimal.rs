//! Numbers as SVG has them: a fixed number of decimals at most, no trailing zeros.

/// How many decimals are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Precision {
    /// A length or a place: a thousandth.
    Length,
    /// A factor that lengths are multiplied with.
    Factor,
}

impl Precision {
    fn decimals(self) -> u32 {
        match self {
            Precision::Length => 3,
            Precision::Factor => 9,
        }
    }
}

/// Beyond this many of its last decimals a number is cut off: a double holds no more.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// To hundredths of a pixel, as the editor's own export has points of strokes.
pub(super) fn to_hundredths(value: f64) -> f64 {
    (value * 100.0).round_ties_even() / 100.0
}

/// Writes a number, rounded, halves to the even side; what is not a number is zero.
pub(super) fn write(out: &mut Vec<u8>, value: f64, precision: Precision) {
    let decimals = precision.decimals();
    let one = 10_u64.pow(decimals);
    let scaled = (value * one as f64).round_ties_even();
    let count = if scaled.is_finite() {
        // Within 2^53.
        scaled.abs().min(EXACT) as u64
    } else {
        0
    };
    if value < 0.0 && count > 0 {
        out.push(b'-');
    }
    whole(out, count / one);
    let mut rest = count % one;
    if rest > 0 {
        out.push(b'.');
    }
    let mut unit = one;
    while rest > 0 {
        unit /= 10;
        // Below ten, since the rest is below ten units.
        out.push(b'0' + (rest / unit) as u8);
        rest %= unit;
    }
}

pub(super) fn whole(out: &mut Vec<u8>, number: u64) {
    out.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn written(value: f64, precision: Precision) -> String {
        let mut out = Vec::new();
        write(&mut out, value, precision);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn numbers_are_rounded_and_as_short_as_can_be() {
        let cases = [
            (0.0, "0"),
            (-0.0004, "0"),
            (0.0006, "0.001"),
            (0.0625, "0.062"),
            (0.1875, "0.188"),
            (1.0, "1"),
            (-1.5, "-1.5"),
            (10.0, "10"),
            (100.25, "100.25"),
            (-0.07, "-0.07"),
            (1_234.567_89, "1234.568"),
            (f64::NAN, "0"),
            (f64::INFINITY, "0"),
            (-1e20, "-9007199254740.992"),
        ];
        for (value, expected) in cases {
            assert_eq!(written(value, Precision::Length), expected);
        }
        assert_eq!(written(0.123_456_789_1, Precision::Factor), "0.123456789");
    }

    proptest! {
        #[test]
        fn what_is_written_reads_back_within_half_of_the_last_digit(value in -1e5_f64..1e5) {
            for precision in [Precision::Length, Precision::Factor] {
                let text = written(value, precision);
                let read: f64 = text.parse().unwrap();
                prop_assert!((read - value).abs() <= 0.51 / 10_f64.powi(precision.decimals() as i32), "{value} as {text}");
                prop_assert!(!text.contains('.') || !text.ends_with('0'));
            }
        }
    }
}
