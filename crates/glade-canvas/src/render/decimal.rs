//! Numbers as SVG has them: a fixed number of decimals at most, no trailing zeros.
//!
//! A page of thousands of strokes is a million numbers, so they are written digit by digit into the document's bytes:
//! formatting each to a string of its own took more time than making up the strokes.

/// How many decimals are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Precision {
    /// A point of a stroke: a hundredth of a pixel, as the editor's own export has it.
    Point,
    /// A length or a place: a thousandth.
    Length,
    /// A factor that lengths are multiplied with.
    Factor,
}

impl Precision {
    fn scale(self) -> f64 {
        match self {
            Precision::Point => 1e2,
            Precision::Length => 1e3,
            Precision::Factor => 1e9,
        }
    }

    fn decimals(self) -> usize {
        match self {
            Precision::Point => 2,
            Precision::Length => 3,
            Precision::Factor => 9,
        }
    }
}

/// Beyond this a number has no decimals that a double could hold.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// Below this many hundredths a number is looked up: what a page has most of.
const SHORT: u32 = 100_000;

/// Appends some numbers to hundredths, each after the sign or letter that stands before it.
///
/// Each is put together in one machine word and all are appended at once: with a million of them it is the appending
/// that counts.
pub(super) fn points<const N: usize>(out: &mut Vec<u8>, command: u8, values: [f64; N]) {
    // Eight numbers of eight bytes are more than any command has.
    let mut text = [0; 64];
    let mut length = 0;
    let mut before = command;
    for value in values {
        // What is not a number becomes zero, what is too large the largest there is.
        let hundredths = (value.abs() * 100.0 + 0.5) as u32;
        if hundredths >= SHORT {
            out.extend_from_slice(&text[..length]);
            length = 0;
            out.push(before);
            write(out, value, Precision::Point);
        } else {
            let is_negative = u64::from(value < 0.0 && hundredths > 0);
            let whole = WHOLE[(hundredths / 100) as usize];
            let parts = PARTS[(hundredths % 100) as usize];
            let mut word = u64::from(before) | (is_negative * u64::from(b'-')) << 8;
            let mut bytes = 1 + is_negative;
            word |= u64::from(whole & LETTERS) << (8 * bytes);
            bytes += u64::from(whole >> 24);
            word |= u64::from(parts & LETTERS) << (8 * bytes);
            bytes += u64::from(parts >> 24);
            text[length..length + 8].copy_from_slice(&word.to_le_bytes());
            length += bytes as usize;
        }
        before = b' ';
    }
    let end = out.len() + length;
    // All of it at once is quicker to copy than as many bytes as there are.
    out.extend_from_slice(&text);
    out.truncate(end);
}

/// Up to three letters, the first lowest; above them how many there are.
const LETTERS: u32 = 0x00ff_ffff;

/// The numbers below a thousand.
static WHOLE: [u32; 1000] = {
    let mut table = [0; 1000];
    let mut at = 0;
    while at < 1000 {
        table[at as usize] = if at >= 100 {
            letters([at / 100, at / 10 % 10, at % 10], 3)
        } else if at >= 10 {
            letters([at / 10, at % 10, 0], 2)
        } else {
            letters([at, 0, 0], 1)
        };
        at += 1;
    }
    table
};

/// What stands behind the number for so many hundredths, the point with it.
static PARTS: [u32; 100] = {
    let mut table = [0; 100];
    let mut at = 1;
    while at < 100 {
        let count = if at % 10 == 0 { 1 } else { 2 };
        let digits = letters([at / 10, at % 10, 0], count);
        table[at as usize] = (digits & 0xffff) << 8 | b'.' as u32 | (count + 1) << 24;
        at += 1;
    }
    table
};

const fn letters(digits: [u32; 3], count: u32) -> u32 {
    let mut word = count << 24;
    let mut at = 0;
    while at < count {
        word |= (b'0' as u32 + digits[at as usize]) << (8 * at);
        at += 1;
    }
    word
}

/// Appends a whole number.
pub(super) fn whole(out: &mut Vec<u8>, rest: u64) {
    digits(out, rest, 0);
}

/// Appends the number, rounded; what is not a number is zero.
pub(super) fn write(out: &mut Vec<u8>, value: f64, precision: Precision) {
    // Halves go away from zero.
    let scaled = (value * precision.scale()).abs() + 0.5;
    if !scaled.is_finite() || scaled < 1.0 {
        out.push(b'0');
        return;
    }
    if value < 0.0 {
        out.push(b'-');
    }
    if scaled >= EXACT {
        out.extend_from_slice(value.abs().to_string().as_bytes());
        return;
    }
    // Within 2^53 by the lines above.
    let mut rest = scaled as u64;
    let mut decimals = precision.decimals();
    while decimals > 0 && rest.is_multiple_of(10) {
        rest /= 10;
        decimals -= 1;
    }
    digits(out, rest, decimals);
}

/// A whole number with a point before its last digits.
fn digits(out: &mut Vec<u8>, mut rest: u64, decimals: usize) {
    // A whole number of 64 bits has at most twenty digits; the point makes one more.
    let mut bytes = [0; 24];
    let mut start = bytes.len();
    let mut written = 0;
    while rest > 0 || written <= decimals {
        if written == decimals && decimals > 0 {
            start -= 1;
            bytes[start] = b'.';
        }
        start -= 1;
        // A remainder of ten is a digit.
        bytes[start] = b'0' + (rest % 10) as u8;
        rest /= 10;
        written += 1;
    }
    out.extend_from_slice(&bytes[start..]);
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
            (0.0005, "0.001"),
            (1.0, "1"),
            (-1.5, "-1.5"),
            (10.0, "10"),
            (100.25, "100.25"),
            (-0.07, "-0.07"),
            (1_234.567_89, "1234.568"),
            (f64::NAN, "0"),
            (f64::INFINITY, "0"),
            (1e20, "100000000000000000000"),
        ];
        for (value, expected) in cases {
            assert_eq!(written(value, Precision::Length), expected);
        }
        assert_eq!(written(0.123_456_789_1, Precision::Factor), "0.123456789");
        assert_eq!(written(12.345, Precision::Point), "12.35");
    }

    #[test]
    fn points_are_written_like_any_number_after_their_letter() {
        let values = [
            0.0,
            -0.004,
            -0.005,
            0.1,
            9.99,
            9.995,
            10.0,
            -12.3,
            123.45,
            -999.99,
            1000.0,
            9_999.99,
            10_000.0,
            -123_456.78,
            f64::NAN,
            f64::INFINITY,
        ];
        for value in values {
            let mut out = Vec::new();
            points(&mut out, b'L', [value, 0.5]);
            let expected = format!("L{} 0.5", written(value, Precision::Point));
            assert_eq!(String::from_utf8(out).unwrap(), expected);
        }
    }

    proptest! {
        #[test]
        fn points_are_written_like_any_number(values: [f64; 6], large in -2e3_f64..2e3) {
            let mut out = Vec::new();
            points(&mut out, b'C', values);
            points(&mut out, b'L', [large, -large / 3.0]);
            let list = |values: &[f64]| {
                let texts: Vec<String> = values.iter().map(|value| written(*value, Precision::Point)).collect();
                texts.join(" ")
            };
            let expected = format!("C{}L{}", list(&values), list(&[large, -large / 3.0]));
            prop_assert_eq!(String::from_utf8(out).unwrap(), expected);
        }

        #[test]
        fn what_is_written_reads_back_within_half_of_the_last_digit(value in -1e5_f64..1e5) {
            for precision in [Precision::Point, Precision::Length, Precision::Factor] {
                let text = written(value, precision);
                let read: f64 = text.parse().unwrap();
                prop_assert!((read - value).abs() <= 0.51 / precision.scale(), "{value} as {text}");
                prop_assert!(!text.contains('.') || !text.ends_with('0'));
            }
        }
    }
}
