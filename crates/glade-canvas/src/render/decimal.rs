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

/// Appends the sign or letter that stands before a point's number, then the number to hundredths: what a page has
/// most of.
pub(super) fn point(out: &mut Vec<u8>, before: u8, value: f64) {
    let hundredths = value.abs() * 100.0 + 0.5;
    if hundredths.is_nan() || hundredths >= 1_000_000.0 {
        out.push(before);
        write(out, value, Precision::Point);
        return;
    }
    // Below a million by the line above.
    let hundredths = hundredths as u32;
    let (whole, parts) = (hundredths / 100, hundredths % 100);
    let mut text = Short::default();
    text.push(before);
    if value < 0.0 && hundredths > 0 {
        text.push(b'-');
    }
    if whole >= 1000 {
        text.digit(whole / 1000);
    }
    if whole >= 100 {
        text.digit(whole / 100 % 10);
    }
    if whole >= 10 {
        text.digit(whole / 10 % 10);
    }
    text.digit(whole % 10);
    if parts > 0 {
        text.push(b'.');
        text.digit(parts / 10);
        if !parts.is_multiple_of(10) {
            text.digit(parts % 10);
        }
    }
    let length = out.len() + text.length;
    // Sixteen bytes at once are quicker to copy than as many as there are.
    out.extend_from_slice(&text.bytes);
    out.truncate(length);
}

/// A few characters: never more than a sign, four digits, a point and two decimals.
#[derive(Default)]
struct Short {
    bytes: [u8; 16],
    length: usize,
}

impl Short {
    fn push(&mut self, byte: u8) {
        self.bytes[self.length & 15] = byte;
        self.length += 1;
    }

    fn digit(&mut self, digit: u32) {
        // Below ten.
        self.push(b'0' + digit as u8);
    }
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
            point(&mut out, b'M', value);
            let expected = format!("M{}", written(value, Precision::Point));
            assert_eq!(String::from_utf8(out).unwrap(), expected);
        }
    }

    proptest! {
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
