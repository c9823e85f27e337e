//! How much of a source that is still being written can be read already: a mark that has begun and not ended would
//! show its signs as words, to be taken away again a moment later.

/// The bytes of the source before the first mark of its last paragraph that is still open.
pub fn settled(source: &str) -> usize {
    let from = source.rfind("\n\n").map_or(0, |at| at + 2);
    let mut open: Vec<(char, usize)> = Vec::new();
    let rest = &source[from..];
    if in_fence(source) {
        return source.len();
    }
    let mut at = 0;
    let mut before = ' ';
    while let Some(ch) = rest[at..].chars().next() {
        let length = run(&rest[at..], ch);
        let end = at + length;
        let next = rest[end..].chars().next();
        let opens = next.is_some_and(|next| !next.is_whitespace());
        match ch {
            '\\' => {
                at += 1 + next.map_or(0, char::len_utf8);
                before = 'x';
                continue;
            }
            '`' | '$' => {
                let price = ch == '$' && next.is_some_and(|next| next.is_ascii_digit());
                let sign = &rest[at..end];
                match rest[end..].find(sign) {
                    Some(found) => at = end + found + length,
                    None if price => at = end,
                    None => {
                        open.push((ch, at));
                        break;
                    }
                }
                before = 'x';
                continue;
            }
            '*' | '_' | '~' => {
                let closes = !before.is_whitespace();
                let inside = ch == '_'
                    && before.is_alphanumeric()
                    && next.is_some_and(char::is_alphanumeric);
                match open.last() {
                    _ if inside => {}
                    Some((other, _)) if closes && *other == ch => drop(open.pop()),
                    // At the end nobody knows yet whether a word follows.
                    _ if (opens || next.is_none()) && (before != ch) => open.push((ch, at)),
                    _ => {}
                }
                at = end;
                before = ch;
                continue;
            }
            '[' => open.push((ch, at)),
            ']' => {
                if let Some(found) = open.iter().rposition(|(other, _)| *other == '[') {
                    let leads = rest[at + 1..].starts_with('(');
                    match rest[at..].find(')') {
                        Some(end) if leads => {
                            open.truncate(found);
                            at += end + 1;
                            before = 'x';
                            continue;
                        }
                        None if leads || next.is_none() => break,
                        _ => open.truncate(found),
                    }
                }
            }
            '<' if next.is_some_and(|next| next.is_alphabetic() || next == '/') => {
                match rest[at..].find('>') {
                    Some(end) => {
                        at += end + 1;
                        before = 'x';
                        continue;
                    }
                    None => {
                        open.push((ch, at));
                        break;
                    }
                }
            }
            _ => {}
        }
        before = ch;
        at += ch.len_utf8();
    }
    from + open.first().map_or(rest.len(), |(_, at)| *at)
}

/// How many bytes of one sign a text begins with; a letter is no run.
fn run(text: &str, sign: char) -> usize {
    if "*_~`$".contains(sign) {
        text.chars().take_while(|ch| *ch == sign).count()
    } else {
        sign.len_utf8()
    }
}

/// Whether the end of the source is in a fence that is open.
fn in_fence(source: &str) -> bool {
    let mut fence: Option<&str> = None;
    for line in source.lines() {
        let line = line.trim_start();
        let sign = ["```", "~~~"]
            .into_iter()
            .find(|sign| line.starts_with(sign));
        fence = match (fence, sign) {
            (None, sign) => sign,
            (Some(open), Some(sign))
                if open == sign && line.trim_matches(['`', '~']).trim().is_empty() =>
            {
                None
            }
            (open, _) => open,
        };
    }
    fence.is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_open_at_the_end_waits() {
        for (source, shown) in [
            ("plain words", "plain words"),
            ("a **bold", "a "),
            ("a **bold** b", "a **bold** b"),
            ("a *b **c", "a "),
            ("see [the page", "see "),
            ("see [the page](https://x", "see "),
            (
                "see [the page](https://x) now",
                "see [the page](https://x) now",
            ),
            ("it is `code", "it is "),
            ("it is `code` now", "it is `code` now"),
            ("5 * 3 and snake_case", "5 * 3 and snake_case"),
            ("from $5 to", "from $5 to"),
            ("\\*not a mark", "\\*not a mark"),
            (
                "an *open one\n\nand the next",
                "an *open one\n\nand the next",
            ),
            ("```\nlet a = *b", "```\nlet a = *b"),
            ("~~gone~~ ~~going", "~~gone~~ "),
            ("a <u>b</u> <ma", "a <u>b</u> "),
        ] {
            assert_eq!(&source[..settled(source)], shown, "{source}");
        }
    }
}
