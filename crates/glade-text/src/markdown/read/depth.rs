//! How deep lists and quotes may lie in each other.
//!
//! A parser looks at every open list and quote again for each line, so a line that opens very many makes all lines
//! after it slow. Nobody writes that by hand, and a page shows no more levels than [`DEEPEST`] anyway.

use std::borrow::Cow;

/// Signs of lists and quotes at the beginning of one line.
const DEEPEST: usize = 64;

/// The source, with the signs of each line beyond [`DEEPEST`] as plain characters.
pub(super) fn limited(source: &str) -> Cow<'_, str> {
    let mut out = String::new();
    let mut kept = 0;
    let mut line_start = 0;
    for line in source.split_inclusive('\n') {
        if let Some(at) = too_deep(line.as_bytes()) {
            out.push_str(&source[kept..line_start + at]);
            out.push('\\');
            kept = line_start + at;
        }
        line_start += line.len();
    }
    match kept {
        0 => Cow::Borrowed(source),
        _ => Cow::Owned(out + &source[kept..]),
    }
}

/// Where a line's first sign beyond the limit is.
fn too_deep(line: &[u8]) -> Option<usize> {
    let mut signs = 0;
    for (at, byte) in line.iter().enumerate() {
        match byte {
            b' ' | b'\t' | b'0'..=b'9' => {}
            b'>' | b'-' | b'+' | b'*' | b'.' | b')' => {
                // A backslash before a digit would escape nothing: it goes before the sign that follows.
                if signs == DEEPEST {
                    return Some(at);
                }
                // Those right beside each other are a rule or words, unless they are quotes.
                let next = line.get(at + 1);
                let apart = next.is_none_or(|next| matches!(next, b' ' | b'\t' | b'\n'));
                if *byte != b'>' && !apart {
                    return None;
                }
                signs += 1;
            }
            _ => return None,
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_signs_beyond_the_limit_become_plain() {
        let deep = |sign: &str, count: usize| sign.repeat(count);
        for sign in ["> ", ">", "- ", "+ ", "* ", "1. ", "2) "] {
            let fine = format!("a\n{}x\n---\n* * *\n", deep(sign, DEEPEST));
            assert_eq!(limited(&fine), fine.as_str());
            let too_deep = format!("a\n{}x\nb", deep(sign, DEEPEST + 3));
            let plain = limited(&too_deep);
            assert_eq!(plain.replace('\\', ""), too_deep);
            assert_eq!(plain.matches('\\').count(), 1, "{plain}");
        }
        let rule = format!("{}\n", "-".repeat(1000));
        assert_eq!(limited(&rule), rule.as_str());
    }
}
