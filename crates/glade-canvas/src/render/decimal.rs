//! Numbers as SVG has them: a fixed number of decimals at most, no trailing zeros.
//!
//! A page of thousands of strokes is a million numbers: formatting each to a string of its own took more time than
//! making up the strokes.

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

/// Beyond this many of its last decimals a number is cut off: a double holds no more.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// From this many hundredths on a number is not looked up: a page has few of them.
const LONG: f64 = 100_000.0;

/// Six numbers of eight bytes, each with what stands before it, and some more: a power of two to count around in.
const LINE: usize = 64;

/// What [`points`] may write to, and does not always write with sense.
pub(super) const ROOM: usize = LINE + size_of::<Letters>();

/// Writes up to six numbers to hundredths, each after the sign or letter that stands before it, and says how many
/// bytes they take; none if one of them is too long for this or not a number.
///
/// With a million of them it is moving bytes that counts: each part of a number is looked up and stored whole, and the
/// next is stored over what it has too much.
#[inline]
pub(super) fn points<const N: usize>(
    room: &mut [u8; ROOM],
    command: u8,
    values: [f64; N],
) -> Option<usize> {
    const { assert!(N * 8 <= LINE, "there is no room for more") };
    let scaled = values.map(|value| value.abs() * 100.0 + 0.5);
    if !scaled.iter().fold(true, |all, one| all & (*one < LONG)) {
        return None;
    }
    let mut end = 0;
    let mut before = command;
    for (value, scaled) in values.into_iter().zip(scaled) {
        // Below LONG by the lines above, and not negative.
        let hundredths = scaled as i32 as u32;
        let is_negative = usize::from(value.is_sign_negative()) & usize::from(hundredths > 0);
        end += put(room, end, [before, b'-'], 1 + is_negative);
        let whole = WHOLE[(hundredths / 100) as usize % WHOLE.len()];
        end += put(room, end, whole, usize::from(whole[3]));
        let parts = PARTS[(hundredths % 100) as usize];
        end += put(room, end, parts, usize::from(parts[3]));
        before = b' ';
    }
    Some(end)
}

/// From this many thousandths on a length is not looked up: few pages are a million wide.
const LONG_LENGTH: f64 = 1e9;

/// Writes a number to thousandths and says how many bytes it takes; none if it is too long for this or not a number.
#[inline]
pub(super) fn length(room: &mut [u8; ROOM], value: f64) -> Option<usize> {
    let scaled = value.abs() * 1000.0 + 0.5;
    if scaled.is_nan() || scaled >= LONG_LENGTH {
        return None;
    }
    // Below LONG_LENGTH by the lines above, and not negative.
    let thousandths = scaled as i32 as usize;
    let (whole, part) = (thousandths / 1000, thousandths % 1000);
    let is_negative = usize::from(value.is_sign_negative()) & usize::from(thousandths > 0);
    let mut end = put(room, 0, [b'-'], is_negative);
    let first = WHOLE[if whole < 1000 { whole } else { whole / 1000 } % WHOLE.len()];
    end += put(room, end, first, usize::from(first[3]));
    if whole >= 1000 {
        end += put(room, end, three_digits(whole % 1000), 3);
    }
    if part % 10 == 0 {
        let parts = PARTS[part / 10];
        end += put(room, end, parts, usize::from(parts[3]));
    } else {
        end += put(room, end, *b".", 1);
        end += put(room, end, three_digits(part), 3);
    }
    Some(end)
}

const fn three_digits(number: usize) -> [u8; 3] {
    [digit(number / 100), digit(number / 10), digit(number)]
}

/// Stores all of the letters, of which so many count.
#[inline]
fn put<const N: usize>(room: &mut [u8; ROOM], at: usize, letters: [u8; N], count: usize) -> usize {
    // Never further in than the line is long: the compiler need not have it checked.
    let at = at % LINE;
    room[at..at + N].copy_from_slice(&letters);
    count
}

/// Up to three letters, and how many there are.
type Letters = [u8; 4];

/// The numbers below a thousand.
static WHOLE: [Letters; 1024] = {
    let mut table = [[0; 4]; 1024];
    let mut at = 0;
    while at < 1000 {
        let [hundreds, tens, ones] = three_digits(at);
        table[at] = if at >= 100 {
            [hundreds, tens, ones, 3]
        } else if at >= 10 {
            [tens, ones, 0, 2]
        } else {
            [ones, 0, 0, 1]
        };
        at += 1;
    }
    table
};

/// What stands behind the number for so many hundredths, the point with it.
static PARTS: [Letters; 100] = {
    let mut table = [[0; 4]; 100];
    let mut at = 1;
    while at < 100 {
        let count = if at % 10 == 0 { 2 } else { 3 };
        table[at] = [b'.', digit(at / 10), digit(at), count];
        at += 1;
    }
    table
};

/// The last digit.
const fn digit(number: usize) -> u8 {
    b'0' + (number % 10) as u8
}

/// A number's letters.
pub(super) struct Written {
    bytes: [u8; Written::LONGEST],
    start: usize,
}

impl Written {
    /// A whole number of 64 bits has at most twenty digits; the sign and the point make two more.
    const LONGEST: usize = 24;

    /// Rounded; what is not a number is zero.
    pub fn rounded(value: f64, precision: Precision) -> Self {
        // Halves go away from zero.
        let scaled = (value * precision.scale()).abs() + 0.5;
        if !scaled.is_finite() || scaled < 1.0 {
            return Self::whole(0);
        }
        // Within 2^53.
        let mut rest = scaled.min(EXACT) as u64;
        let mut decimals = precision.decimals();
        while decimals > 0 && rest.is_multiple_of(10) {
            rest /= 10;
            decimals -= 1;
        }
        let mut written = Self::digits(rest, decimals);
        if value < 0.0 {
            written.push(b'-');
        }
        written
    }

    pub fn whole(number: u64) -> Self {
        Self::digits(number, 0)
    }

    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[self.start..]
    }

    /// A whole number with a point before its last digits.
    fn digits(mut rest: u64, decimals: usize) -> Self {
        let mut written = Self {
            bytes: [0; Self::LONGEST],
            start: Self::LONGEST,
        };
        let mut count = 0;
        while rest > 0 || count <= decimals {
            if count == decimals && decimals > 0 {
                written.push(b'.');
            }
            // A remainder of ten is a digit.
            written.push(b'0' + (rest % 10) as u8);
            rest /= 10;
            count += 1;
        }
        written
    }

    /// Before what is there.
    fn push(&mut self, letter: u8) {
        self.start -= 1;
        self.bytes[self.start] = letter;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn written(value: f64, precision: Precision) -> String {
        let written = Written::rounded(value, precision);
        String::from_utf8(written.as_bytes().to_vec()).unwrap()
    }

    fn points_written<const N: usize>(command: u8, values: [f64; N]) -> Option<String> {
        let mut room = [b'#'; ROOM];
        let end = points(&mut room, command, values)?;
        Some(String::from_utf8(room[..end].to_vec()).unwrap())
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
            (-1e20, "-9007199254740.992"),
        ];
        for (value, expected) in cases {
            assert_eq!(written(value, Precision::Length), expected);
        }
        assert_eq!(written(0.123_456_789_1, Precision::Factor), "0.123456789");
        assert_eq!(written(12.345, Precision::Point), "12.35");
    }

    #[test]
    fn points_are_written_like_any_number_after_their_letter() {
        let short = [
            0.0, -0.004, -0.005, 0.1, 0.125, 9.99, 9.995, 10.0, -12.3, 123.45, -999.99, 999.994,
        ];
        for value in short {
            let expected = format!("L{} 0.5", written(value, Precision::Point));
            assert_eq!(points_written(b'L', [value, 0.5]), Some(expected));
        }
        let long = [
            999.995,
            -1000.0,
            9_999.99,
            -123_456.78,
            f64::NAN,
            f64::INFINITY,
        ];
        for value in long {
            assert_eq!(points_written(b'L', [0.5, value]), None);
        }
    }

    fn length_written(value: f64) -> Option<String> {
        let mut room = [b'#'; ROOM];
        let end = length(&mut room, value)?;
        Some(String::from_utf8(room[..end].to_vec()).unwrap())
    }

    #[test]
    fn lengths_are_written_like_any_number_unless_they_are_too_long() {
        let short = [
            0.0,
            -0.0004,
            -0.0005,
            0.01,
            1.5,
            10.02,
            999.9994,
            999.9995,
            -1000.0,
            1_005.07,
            -45_060.7,
            999_999.999,
        ];
        for value in short {
            assert_eq!(
                length_written(value),
                Some(written(value, Precision::Length))
            );
        }
        for value in [999_999.999_5, -1e6, 1e300, f64::NAN, f64::INFINITY] {
            assert_eq!(length_written(value), None);
        }
    }

    proptest! {
        #[test]
        fn lengths_are_written_like_any_number(value in -999_999.0_f64..999_999.0) {
            prop_assert_eq!(length_written(value), Some(written(value, Precision::Length)));
        }

        #[test]
        fn points_are_written_like_any_number(values in proptest::array::uniform6(-1e3_f64..1e3)) {
            let texts = values.map(|value| written(value, Precision::Point));
            let is_short = values.iter().all(|value| value.abs() < 999.995);
            let expected = is_short.then(|| format!("C{}", texts.join(" ")));
            prop_assert_eq!(points_written(b'C', values), expected);
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
