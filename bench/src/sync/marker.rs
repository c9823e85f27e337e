//! What tells one edit from all others, wherever it shows up in a stream of bytes.

const SIGN: u8 = b'~';
const WHO: usize = 3;
const COUNT: usize = 7;
/// Sign, who, count, sign.
const LENGTH: usize = WHO + COUNT + 2;

/// The marker of `who`'s edit number `count`.
pub fn marker(who: usize, count: usize) -> String {
    format!("~{who:0WHO$}{count:0COUNT$}~")
}

/// Every marker in `bytes`, in order.
pub fn find(bytes: &[u8], mut each: impl FnMut(usize, usize)) {
    let mut at = 0;
    while let Some(found) = bytes[at..].iter().position(|byte| *byte == SIGN) {
        at += found;
        let Some(candidate) = bytes.get(at..at + LENGTH) else {
            return;
        };
        let number = |digits: &[u8]| {
            digits.iter().try_fold(0, |sum, digit| {
                digit
                    .is_ascii_digit()
                    .then(|| sum * 10 + usize::from(digit - b'0'))
            })
        };
        let who = number(&candidate[1..=WHO]);
        let count = number(&candidate[1 + WHO..LENGTH - 1]);
        match (who, count) {
            (Some(who), Some(count)) if candidate[LENGTH - 1] == SIGN => {
                each(who, count);
                at += LENGTH;
            }
            _ => at += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_are_found_among_anything() {
        let mut bytes = b"~~12~x".to_vec();
        bytes.extend(marker(7, 1234).bytes());
        bytes.extend([0, b'~', 255]);
        bytes.extend(marker(999, 0).bytes());
        bytes.extend(b"~001");
        let mut found = Vec::new();
        find(&bytes, |who, count| found.push((who, count)));
        assert_eq!(found, [(7, 1234), (999, 0)]);
    }
}
