//! What stands before a document, between two lines of `---` or `+++`: facts for programs, no words for readers.

use crate::write::NewBlock;

/// The fences, the language of what is between them, and what stands behind a name in it.
const FENCES: [(&str, &str, char); 2] = [("---", "yaml", ':'), ("+++", "toml", '=')];

/// How many bytes of a file it takes, without the end of its last line; none: there is none.
pub(super) fn length(source: &str) -> usize {
    let mut lines = source.split_inclusive('\n');
    let first = lines.next().unwrap_or_default();
    let Some((fence, _, sign)) = fence(first) else {
        return 0;
    };
    let mut end = first.len();
    let mut names = false;
    for (number, line) in lines.enumerate() {
        if line.trim_end() == fence {
            return if names { end + fence.len() } else { 0 };
        }
        // An empty line right below the fence makes it a rule above words.
        if number == 0 && line.trim().is_empty() {
            return 0;
        }
        names |= is_named(line, sign);
        end += line.len();
    }
    0
}

/// Whether a line says what something is: `title: Plan`.
fn is_named(line: &str, sign: char) -> bool {
    let Some((name, _)) = line.split_once(sign) else {
        return false;
    };
    let fits = |ch: char| ch.is_alphanumeric() || "-_.\"' ".contains(ch);
    !name.trim().is_empty() && name.len() < 64 && name.chars().all(fits)
}

/// A line's fence, with what is known of it.
fn fence(line: &str) -> Option<(&'static str, &'static str, char)> {
    let mut fences = FENCES.into_iter();
    fences.find(|(fence, ..)| line.trim_end() == *fence)
}

pub(super) fn block(source: &str) -> NewBlock {
    let first = source.lines().next().unwrap_or_default();
    let lang = fence(first).map_or("", |(_, lang, _)| lang);
    NewBlock::new("codeBlock", source)
        .with("lang", lang)
        .with("raw", true)
}
