//! Emoji as the editor tells them apart when it breaks lines: a flag, or a sign with what belongs to it and whatever
//! hangs on by joiners. Whether they are shown in colour is another question.

use unicode_properties::UnicodeEmoji;

const JOINER: char = '\u{200d}';

/// How many bytes at the start of a text are an emoji; none where there is something else.
pub(super) fn length(text: &str) -> usize {
    if let Some(flag) = flag(text) {
        return flag;
    }
    let is_sign = |first: char| !first.is_ascii() && is_emoji(first);
    let mut length = sign(text, is_sign).unwrap_or_default();
    if length == 0 {
        return 0;
    }
    while let Some(rest) = text[length..].strip_prefix(JOINER) {
        let Some(next) = flag(rest).or_else(|| sign(rest, is_emoji)) else {
            break;
        };
        length += JOINER.len_utf8() + next;
    }
    length
}

/// One sign of a kind, with what belongs to it.
fn sign(text: &str, is_one: impl Fn(char) -> bool) -> Option<usize> {
    let first = text.chars().next().filter(|first| is_one(*first))?;
    let length = first.len_utf8();
    Some(length + belongings(&text[length..]))
}

/// A skin tone, a selector with a keycap or without one, or the tags of a region's flag.
fn belongings(text: &str) -> usize {
    let mut characters = text.chars();
    match characters.next() {
        Some(tone @ '\u{1f3fb}'..='\u{1f3ff}') => tone.len_utf8(),
        Some(selector @ '\u{fe0f}') => {
            let keycap = characters.next().filter(|next| *next == '\u{20e3}');
            selector.len_utf8() + keycap.map_or(0, char::len_utf8)
        }
        Some('\u{e0020}'..='\u{e007e}') => {
            let end = text.find(|one| !matches!(one, '\u{e0020}'..='\u{e007e}'));
            let end = end.unwrap_or(text.len());
            let last = text[end..].chars().next().filter(|one| *one == '\u{e007f}');
            last.map_or(0, |last| end + last.len_utf8())
        }
        _ => 0,
    }
}

fn flag(text: &str) -> Option<usize> {
    let mut letters = text.chars().map_while(|one| {
        let is_letter = matches!(one, '\u{1f1e6}'..='\u{1f1ff}');
        is_letter.then(|| one.len_utf8())
    });
    Some(letters.next()? + letters.next()?)
}

fn is_emoji(character: char) -> bool {
    let may_be = matches!(
        character,
        '#' | '*' | '0'..='9' | '©' | '®' | '\u{203c}'..='\u{3299}' | '\u{1f000}'..='\u{1faff}'
    );
    may_be && character.is_emoji_char()
}
