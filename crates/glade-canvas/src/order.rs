//! Fractional order keys, as Excalidraw's `index`: strings whose plain byte order is the z order.
//!
//! A key is an integer part, whose first letter says how long it is (`a0` … `az`, `b00`, … and `Zz`, `Yzz`, …
//! going down), and a fraction in base 62 without trailing zeros. Between any two keys there is another.

use thiserror::Error;

const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OrderError {
    #[error(
        "order key {0:?} is malformed; take a fresh key from key_between(None, None) or repair the order"
    )]
    Malformed(String),
    #[error("order key {below:?} does not sort before {above:?}; pass the lower key first")]
    OutOfOrder { below: String, above: String },
    #[error("there is no order key below {0:?}; re-key the elements from the bottom")]
    Exhausted(String),
}

/// A key that sorts strictly between the two; `None` is the open end. The same key the editor would make.
pub fn key_between(below: Option<&str>, above: Option<&str>) -> Result<String, OrderError> {
    for key in [below, above].into_iter().flatten() {
        if !is_valid(key) {
            return Err(OrderError::Malformed(key.to_owned()));
        }
    }
    match (below, above) {
        (None, None) => Ok("a0".to_owned()),
        (None, Some(above)) => before(above),
        (Some(below), None) => Ok(after(below)),
        (Some(below), Some(above)) if below >= above => Err(OrderError::OutOfOrder {
            below: below.to_owned(),
            above: above.to_owned(),
        }),
        (Some(below), Some(above)) => Ok(between(below, above)),
    }
}

/// `count` keys in rising order between the two.
pub fn keys_between(
    below: Option<&str>,
    above: Option<&str>,
    count: usize,
) -> Result<Vec<String>, OrderError> {
    let mut keys: Vec<String> = Vec::with_capacity(count);
    for _ in 0..count {
        let last = keys.last().map(String::as_str).or(below);
        keys.push(key_between(last, above)?);
    }
    Ok(keys)
}

/// Whether the editor would accept the key.
pub fn is_valid(key: &str) -> bool {
    let Some(&head) = key.as_bytes().first() else {
        return false;
    };
    let Some(length) = integer_length(head) else {
        return false;
    };
    key.len() >= length
        && key.bytes().all(|byte| DIGITS.contains(&byte))
        && key != smallest_integer()
        && !(key.len() > length && key.ends_with('0'))
}

fn smallest_integer() -> String {
    format!("A{}", "0".repeat(26))
}

fn integer_length(head: u8) -> Option<usize> {
    match head {
        b'a'..=b'z' => Some(usize::from(head - b'a') + 2),
        b'A'..=b'Z' => Some(usize::from(b'Z' - head) + 2),
        _ => None,
    }
}

fn split(key: &str) -> (&str, &str) {
    let length = key
        .as_bytes()
        .first()
        .copied()
        .and_then(integer_length)
        .unwrap_or(key.len());
    key.split_at_checked(length).unwrap_or((key, ""))
}

fn before(above: &str) -> Result<String, OrderError> {
    let (integer, fraction) = split(above);
    if integer == smallest_integer() {
        return Ok(format!(
            "{integer}{}",
            midpoint(b"", Some(fraction.as_bytes()))
        ));
    }
    if integer < above {
        return Ok(integer.to_owned());
    }
    let lower = decrement(integer).ok_or_else(|| OrderError::Exhausted(above.to_owned()))?;
    if lower == smallest_integer() {
        // The bare smallest integer is reserved, so that something always fits below: use a fraction of it.
        return Ok(format!("{lower}{}", midpoint(b"", None)));
    }
    Ok(lower)
}

fn after(below: &str) -> String {
    let (integer, fraction) = split(below);
    increment(integer)
        .unwrap_or_else(|| format!("{integer}{}", midpoint(fraction.as_bytes(), None)))
}

fn between(below: &str, above: &str) -> String {
    let (low_integer, low_fraction) = split(below);
    let (high_integer, high_fraction) = split(above);
    if low_integer == high_integer {
        let fraction = midpoint(low_fraction.as_bytes(), Some(high_fraction.as_bytes()));
        return format!("{low_integer}{fraction}");
    }
    match increment(low_integer) {
        Some(next) if next.as_str() < above => next,
        _ => format!("{low_integer}{}", midpoint(low_fraction.as_bytes(), None)),
    }
}

fn digit(byte: u8) -> usize {
    DIGITS.iter().position(|&digit| digit == byte).unwrap_or(0)
}

/// A fraction strictly between two fractions (`None`: one). Neither ends in a zero, nor does the answer.
fn midpoint(low: &[u8], high: Option<&[u8]>) -> String {
    let (mut low, mut high) = (low, high);
    let mut out = String::new();
    loop {
        if let Some(bound) = high {
            let shared = bound
                .iter()
                .enumerate()
                .take_while(|&(at, &byte)| low.get(at).copied().unwrap_or(b'0') == byte)
                .count();
            if shared > 0 && shared < bound.len() {
                out.extend(bound.iter().take(shared).map(|&byte| char::from(byte)));
                low = low.get(shared..).unwrap_or_default();
                high = bound.get(shared..);
            }
        }
        let low_digit = low.first().map_or(0, |&byte| digit(byte));
        let high_digit = high.map_or(DIGITS.len(), |bound| {
            bound.first().map_or(0, |&byte| digit(byte))
        });
        if high_digit > low_digit + 1 {
            out.push(char::from(DIGITS[(low_digit + high_digit).div_ceil(2)]));
            return out;
        }
        if let Some(bound) = high
            && bound.len() > 1
        {
            out.push(char::from(bound[0]));
            return out;
        }
        out.push(char::from(DIGITS[low_digit]));
        low = low.get(1..).unwrap_or_default();
        high = None;
    }
}

fn increment(integer: &str) -> Option<String> {
    step(integer, b'0', |value| {
        (value + 1 < DIGITS.len()).then_some(value + 1)
    })
    .or_else(|| match integer.as_bytes().first()? {
        b'Z' => Some("a0".to_owned()),
        b'z' => None,
        head => Some(grown(head + 1, '0')),
    })
}

fn decrement(integer: &str) -> Option<String> {
    step(integer, b'z', |value| value.checked_sub(1)).or_else(|| {
        match integer.as_bytes().first()? {
            b'a' => Some("Zz".to_owned()),
            b'A' => None,
            head => Some(grown(head - 1, 'z')),
        }
    })
}

/// The integer with this head and every digit `fill`.
fn grown(head: u8, fill: char) -> String {
    let digits = integer_length(head).map_or(1, |length| length - 1);
    std::iter::once(char::from(head))
        .chain(std::iter::repeat_n(fill, digits))
        .collect()
}

/// Adds or takes one from the digits, carrying; none when the carry runs off the front.
fn step(integer: &str, wrapped: u8, next: impl Fn(usize) -> Option<usize>) -> Option<String> {
    let mut bytes = integer.as_bytes().to_vec();
    for at in (1..bytes.len()).rev() {
        match next(digit(bytes[at])) {
            Some(value) => {
                bytes[at] = DIGITS[value];
                return String::from_utf8(bytes).ok();
            }
            None => bytes[at] = wrapped,
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(below: Option<&str>, above: Option<&str>) -> String {
        key_between(below, above).unwrap()
    }

    #[test]
    fn keys_are_the_ones_the_editor_makes() {
        // Computed with the editor's own fractional indexing package.
        let cases = [
            (None, None, "a0"),
            (None, Some("a0"), "Zz"),
            (None, Some("Zz"), "Zy"),
            (Some("a0"), None, "a1"),
            (Some("a1"), None, "a2"),
            (Some("a0"), Some("a1"), "a0V"),
            (Some("a1"), Some("a2"), "a1V"),
            (Some("a0V"), Some("a1"), "a0l"),
            (Some("Zz"), Some("a0"), "ZzV"),
            (Some("Zz"), Some("a1"), "a0"),
            (None, Some("Y00"), "Xzzz"),
            (Some("bzz"), None, "c000"),
            (Some("a0"), Some("a0V"), "a0G"),
            (Some("a0"), Some("a0G"), "a08"),
            (Some("b125"), Some("b129"), "b127"),
            (Some("a0"), Some("a1V"), "a1"),
            (Some("Zz"), Some("a01"), "a0"),
            (None, Some("a0V"), "a0"),
            (None, Some("b999"), "b99"),
            (
                Some("zzzzzzzzzzzzzzzzzzzzzzzzzzy"),
                None,
                "zzzzzzzzzzzzzzzzzzzzzzzzzzz",
            ),
            (
                Some("zzzzzzzzzzzzzzzzzzzzzzzzzzz"),
                None,
                "zzzzzzzzzzzzzzzzzzzzzzzzzzzV",
            ),
        ];
        for (below, above, expected) in cases {
            assert_eq!(
                key(below, above),
                expected,
                "between {below:?} and {above:?}"
            );
        }
    }

    #[test]
    fn malformed_and_misordered_keys_are_refused() {
        for bad in ["", "a", "a00", "!0", "a0 ", "0a", "é0"] {
            assert_eq!(
                key_between(Some(bad), None),
                Err(OrderError::Malformed(bad.to_owned())),
                "{bad:?}"
            );
        }
        assert_eq!(
            key_between(Some("a1"), Some("a1")),
            Err(OrderError::OutOfOrder {
                below: "a1".to_owned(),
                above: "a1".to_owned()
            })
        );
    }

    #[test]
    fn going_down_for_ever_never_ends() {
        let lowest = format!("A{}1", "0".repeat(25));
        let below = key(None, Some(&lowest));
        assert!(is_valid(&below) && below < lowest);
        let lower = key(None, Some(&below));
        assert!(is_valid(&lower) && lower < below);
    }
}
