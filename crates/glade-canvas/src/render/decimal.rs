//! Numbers as SVG has them: a fixed number of decimals at most, no trailing zeros.
//!
//! A page of thousands of strokes is a million numbers: formatting each to a string of its own took more time than
//! making up the strokes.

/// How many decimals are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Precision {
    /// A length or a place: a thousandth.
    Length,
    /// A factor that lengths are multiplied with.
    Factor,
}

impl Precision {
    fn scale(self) -> f64 {
        match self {
            Precision::Length => 1e3,
            Precision::Factor => 1e9,
        }
    }

    fn decimals(self) -> usize {
        match self {
            Precision::Length => 3,
            Precision::Factor => 9,
        }
    }
}

/// Beyond this many of its last decimals a number is cut off: a double holds no more.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// Six numbers of eight bytes, each with what stands before it, and some more: a power of two to count around in.
const LINE: usize = 64;

/// What [`points`] and [`length`] may write to, and do not always write with sense.
pub(super) const ROOM: usize = LINE + size_of::<u64>();

/// To hundredths of a pixel, as the editor's own export has points of strokes.
pub(super) fn to_hundredths(value: f64) -> f64 {
    (value * 100.0).round_ties_even() / 100.0
}

/// Writes up to six numbers, times `by`, to hundredths after a command's letter and says how many bytes they take;
/// none if one of them is too long for this or not a number. A minus parts two numbers as well as a space does.
///
/// With a million of them it is moving bytes that counts: each number is looked up and stored whole, and the next is
/// stored over what it has too much.
#[inline]
pub(super) fn points<const N: usize>(
    room: &mut [u8; ROOM],
    command: u8,
    values: [f64; N],
    by: f64,
) -> Option<usize> {
    const { assert!(N * 8 <= LINE, "there is no room for more") };
    let hundredths = values.map(|value| whole(value * (by * 100.0)));
    let mut end = 0;
    for (at, hundredths) in hundredths.into_iter().enumerate() {
        let place = hundredths.wrapping_add(MOST_HUNDREDTHS as u64);
        let letters = *HUNDREDTHS.get(usize::try_from(place).ok()?)?;
        // The command takes the place of the space, or stands before the minus.
        let start = end + usize::from(at == 0 && place < MOST_HUNDREDTHS as u64);
        put(room, start, letters.to_le_bytes());
        end = start + (letters >> 56) as usize;
    }
    room[0] = command;
    Some(end)
}

/// Rounded, halves to the even side, as a number of 64 bits in two's complement; of what is too large for that, or not
/// a number, a very large one.
///
/// In a double of this size the last bit counts one. Asking for a whole number in the usual way would take longer, since
/// what is too large is cared for each time.
#[inline]
fn whole(value: f64) -> u64 {
    const ONES: f64 = 6_755_399_441_055_744.0;
    (value + ONES).to_bits().wrapping_sub(ONES.to_bits())
}

/// Numbers with fewer hundredths are looked up.
const MOST_HUNDREDTHS: usize = 1 << 16;

/// By their hundredths, from the most below zero on: a space or a minus and the letters, from the lowest byte on, and
/// in the highest how many that makes.
static HUNDREDTHS: [u64; 2 * MOST_HUNDREDTHS] = {
    let mut table = [0; 2 * MOST_HUNDREDTHS];
    let mut at = 0;
    while at <= MOST_HUNDREDTHS {
        let ([one, two, three, count], [point, tenth, hundredth, more]) =
            (WHOLE[at / 100], PARTS[at % 100]);
        let digits = u64::from_le_bytes([0, one, two, three, 0, 0, 0, 0]);
        let parts = u64::from_le_bytes([point, tenth, hundredth, 0, 0, 0, 0, 0]);
        let all = (1 + count + more) as u64;
        let letters = digits | parts << (8 * (1 + count)) | all << 56;
        table[MOST_HUNDREDTHS - at] = letters | b'-' as u64;
        // Nought, which has no sign, comes to stand over itself.
        if at < MOST_HUNDREDTHS {
            table[MOST_HUNDREDTHS + at] = letters | b' ' as u64;
        }
        at += 1;
    }
    table
};

/// From this many thousandths on a length is not looked up: few pages are a million wide.
const LONG_LENGTH: u64 = 1_000_000_000;

/// Writes a number to thousandths and says how many bytes it takes; none if it is too long for this or not a number.
#[inline]
pub(super) fn length(room: &mut [u8; ROOM], value: f64) -> Option<usize> {
    let thousandths = whole(value.abs() * 1000.0);
    if thousandths >= LONG_LENGTH {
        return None;
    }
    let thousandths = thousandths as usize;
    let (whole, part) = (thousandths / 1000, thousandths % 1000);
    put(room, 0, [b'-']);
    let mut end = usize::from(value.is_sign_negative() && thousandths > 0);
    let first = WHOLE[if whole < 1000 { whole } else { whole / 1000 } % WHOLE.len()];
    put(room, end, first);
    end += usize::from(first[3]);
    if whole >= 1000 {
        put(room, end, three_digits(whole % 1000));
        end += 3;
    }
    if part % 10 == 0 {
        let parts = PARTS[part / 10];
        put(room, end, parts);
        end += usize::from(parts[3]);
    } else {
        let [one, two, three] = three_digits(part);
        put(room, end, [b'.', one, two, three]);
        end += 4;
    }
    Some(end)
}

const fn three_digits(number: usize) -> [u8; 3] {
    [digit(number / 100), digit(number / 10), digit(number)]
}

/// Stores all of the letters.
#[inline]
fn put<const N: usize>(room: &mut [u8; ROOM], at: usize, letters: [u8; N]) {
    // Never further in than the line is long: the compiler need not have it checked.
    let at = at % LINE;
    room[at..at + N].copy_from_slice(&letters);
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
        // Halves go to the even side.
        let scaled = (value * precision.scale()).abs().round_ties_even();
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
        let end = points(&mut room, command, values, 1.0)?;
        Some(String::from_utf8(room[..end].to_vec()).unwrap())
    }

    /// Like any number, with a space between two where no minus is.
    fn one_by_one(command: char, values: &[f64]) -> String {
        let numbers = values
            .iter()
            .map(|value| written(to_hundredths(*value), Precision::Length));
        let all = numbers.collect::<Vec<_>>().join(" ");
        format!("{command}{}", all.replace(" -", "-"))
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

    #[test]
    fn points_are_written_like_any_number_after_their_letter() {
        let short = [
            0.0, -0.004, -0.005, -0.006, 0.1, 0.125, 0.375, 9.99, 9.995, 10.0, -12.3, 123.45,
            -655.36, 655.35,
        ];
        for value in short {
            for values in [[value, 0.5], [0.5, value], [value, -0.5]] {
                assert_eq!(points_written(b'L', values), Some(one_by_one('L', &values)));
            }
        }
        let long = [
            655.365,
            -655.37,
            -1000.0,
            -123_456.78,
            1e300,
            -1e300,
            f64::NAN,
            f64::INFINITY,
            f64::NEG_INFINITY,
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
            0.0625,
            -0.1875,
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
        fn points_are_written_like_any_number(values in proptest::array::uniform6(-700_f64..700.0)) {
            let is_short = values.iter().all(|value| (-655.36..655.355).contains(&to_hundredths(*value)));
            let expected = is_short.then(|| one_by_one('C', &values));
            prop_assert_eq!(points_written(b'C', values), expected);
        }

        #[test]
        fn what_is_written_reads_back_within_half_of_the_last_digit(value in -1e5_f64..1e5) {
            for precision in [Precision::Length, Precision::Factor] {
                let text = written(value, precision);
                let read: f64 = text.parse().unwrap();
                prop_assert!((read - value).abs() <= 0.51 / precision.scale(), "{value} as {text}");
                prop_assert!(!text.contains('.') || !text.ends_with('0'));
            }
        }
    }
}
