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
    let mut beside_right = right;
    for at in 0..LONGEST {
        let a = digit(low, at);
        // Once the key has left `right` behind, there is no upper end.
        let b = match beside_right {
            Some(right) => digit(right, at),
            None => DIGITS.len(),
        };
        if b > a + 1 {
            let step = if at >= low.len() {
                a.midpoint(b)
            } else {
                a + 1
            };
            made.push(char::from(DIGITS[step]));
            return made;
        }
        made.push(char::from(DIGITS[a]));
        beside_right = beside_right.filter(|right| right.as_bytes().get(at) == Some(&DIGITS[a]));
    }
    format!("{low}V")
}

/// Up to so many keys in a row are made one after the other, as a person's would be.
const FEW: usize = 16;

/// Keys for `count` neighbours between two others, in order. One after the other they would grow with each; together
/// they share one beginning and differ in a number, so that all of them are as short as their count allows.
pub fn row(left: Option<&str>, right: Option<&str>, count: usize) -> Vec<String> {
    if count <= FEW {
        let mut keys: Vec<String> = Vec::with_capacity(count);
        for _ in 0..count {
            let left = keys.last().map(String::as_str).or(left);
            keys.push(between(left, right));
        }
        return keys;
    }
    let mut prefix = between(left, right);
    // What lengthens a beginning of `right` may come to lie behind it.
    while right.is_some_and(|right| right.starts_with(&prefix)) {
        prefix = between(Some(&prefix), right);
    }
    let mut width = 1;
    while DIGITS.len().saturating_pow(width) < count {
        width += 1;
    }
    (0..count)
        .map(|number| {
            let places = (0..width).rev();
            let digits = places.map(|place| number / DIGITS.len().pow(place) % DIGITS.len());
            let digits: String = digits.map(|digit| char::from(DIGITS[digit])).collect();
            // A key never ends in the lowest digit: nothing would fit right before it.
            format!("{prefix}{digits}V")
        })
        .collect()
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

    #[test]
    fn a_row_of_keys_is_in_order_between_its_neighbours_and_short() {
        let edges = [
            None,
            Some("0V"),
            Some("V"),
            Some("VV"),
            Some("W"),
            Some("zz"),
            Some("zzV"),
        ];
        for (at, left) in edges.iter().enumerate() {
            for right in edges[at + 1..].iter().chain([&None]) {
                for count in [1, 16, 17, 63, 5000] {
                    let keys = row(*left, *right, count);
                    assert_eq!(keys.len(), count);
                    assert!(
                        keys.is_sorted_by(|one, next| one < next),
                        "{left:?} {right:?}"
                    );
                    assert!(left.is_none_or(|left| keys[0].as_str() > left));
                    assert!(right.is_none_or(|right| keys[count - 1].as_str() < right));
                    assert!(keys.iter().all(|key| key.len() < 24), "{left:?} {right:?}");
                    let inside =
                        between(Some(&keys[0]), keys.get(1).map(String::as_str).or(*right));
                    assert!(inside > keys[0] && keys.get(1).is_none_or(|next| inside < *next));
                }
            }
        }
    }
}
