//! Indented text: who stands under whom, by how far lines are set in or by Markdown's hashes.

use super::names::unquote;

/// More than anybody reads on one page.
const MAX_ITEMS: usize = 120;
const MAX_TEXT: usize = 200;

/// A line and what stands under it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Item {
    pub text: String,
    pub under: Vec<Item>,
}

impl Item {
    pub fn new(text: &str) -> Self {
        Self {
            text: tidy(text),
            under: Vec::new(),
        }
    }
}

/// The lines of a text as a tree; empty lines do not count.
pub fn read<'a>(lines: impl IntoIterator<Item = &'a str>) -> Vec<Item> {
    let mut roots: Vec<Item> = Vec::new();
    // How far the open line of each level is set in.
    let mut open: Vec<usize> = Vec::new();
    let lines = lines.into_iter().filter(|line| !tidy(line).is_empty());
    for line in lines.take(MAX_ITEMS) {
        let depth = depth_of(line);
        while open.last().is_some_and(|last| *last >= depth) {
            open.pop();
        }
        let mut list = &mut roots;
        for _ in 0..open.len() {
            if list.is_empty() {
                break;
            }
            let last = list.len() - 1;
            list = &mut list[last].under;
        }
        list.push(Item::new(line));
        open.push(depth);
    }
    roots
}

/// Whether any line stands under another.
pub fn is_nested(items: &[Item]) -> bool {
    items.iter().any(|item| !item.under.is_empty())
}

fn depth_of(line: &str) -> usize {
    let indent = line
        .chars()
        .take_while(|c| c.is_whitespace())
        .map(|c| if c == '\t' { 4 } else { 1 })
        .sum::<usize>();
    let hashes = line.trim_start().chars().take_while(|c| *c == '#').count();
    // What follows a heading stands under it, wherever it begins.
    match hashes {
        0 => indent + 100,
        hashes => hashes,
    }
}

/// A line without its bullet, number or hashes.
pub fn tidy(line: &str) -> String {
    let mut text = line.trim().trim_start_matches('#').trim_start();
    if let Some(rest) = ["- ", "* ", "• ", "+ ", "– "]
        .iter()
        .find_map(|mark| text.strip_prefix(*mark))
    {
        text = rest;
    } else if let Some((digits, rest)) = text.split_once(['.', ')'])
        && !digits.is_empty()
        && digits.len() < 4
        && digits.chars().all(|c| c.is_ascii_digit())
        && rest.starts_with(' ')
    {
        text = rest;
    }
    let text = unquote(text.trim().trim_end_matches(':').trim());
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    text.chars().take(MAX_TEXT).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(items: &[Item]) -> String {
        let show = |item: &Item| match item.under.as_slice() {
            [] => item.text.clone(),
            under => format!("{}({})", item.text, shown(under)),
        };
        items.iter().map(show).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn what_is_set_in_stands_under_what_is_not() {
        let texts = [
            ("a\n  b\n    c\n  d\ne", "a(b(c) d) e"),
            ("- a\n\t- b\n\t- c\n", "a(b c)"),
            ("# a\n## b\n- c\n- d\n## e", "a(b(c d) e)"),
            ("1. a\n   2) b\n\n3. c:", "a(b) c"),
            ("    a\n  b", "a b"),
        ];
        for (text, expected) in texts {
            assert_eq!(shown(&read(text.lines())), expected, "{text}");
        }
    }
}
