//! Order keys, made as the studio makes them (`web/src/text/order.ts`): strings of `0-9A-Za-z`,
//! compared by their bytes, ties going by id. A key after another prefers to lengthen it, so that what
//! one writer writes in a row stays together when another writes at the same place.

const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/// Longer keys are not looked through: whoever made one gets the next beside it.
const LONGEST: usize = 512;

fn digit(key: &str, at: usize) -> usize {
    let byte = key.as_bytes().get(at);
    let found = byte.and_then(|byte| DIGITS.iter().position(|digit| digit == byte));
    found.unwrap_or(0)
}

/// A key between two others; `None`: the end of the page. Where there is no room, one right after
/// `left`.
pub fn between(left: Option<&str>, right: Option<&str>) -> String {
    let low = left.unwrap_or("");
    if right.is_some_and(|right| low >= right) {
        return format!("{low}V");
    }
    let mut made = String::new();
    for at in 0..LONGEST {
        let a = digit(low, at);
        // Once the key has left `right` behind, there is no upper end.
        let b = match right.filter(|right| right.starts_with(&made)) {
            Some(right) => digit(right, at),
            None => DIGITS.len(),
        };
        if b > a + 1 {
            let step = match at >= low.len() {
                true => a.midpoint(b),
                false => a + 1,
            };
            made.push(char::from(DIGITS[step]));
            return made;
        }
        made.push(char::from(DIGITS[a]));
    }
    format!("{low}V")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_lie_between_their_neighbours_however_often() {
        let (mut low, mut end, mut left) = ("V".to_owned(), "V".to_owned(), None::<String>);
        for _ in 0..300 {
            let key = between(None, Some(&low));
            assert!(key < low);
            low = key;
            let key = between(Some(&end), None);
            assert!(key > end);
            end = key;
            let key = between(left.as_deref(), Some("V"));
            assert!(key.as_str() < "V" && left.as_ref().is_none_or(|left| key > *left));
            left = Some(key);
        }
        assert!(end.len() < 40);
    }
}
