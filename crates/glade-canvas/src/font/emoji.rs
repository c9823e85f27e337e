//! Which parts of a text are shown as emoji, as browsers decide it: by the grammar of emoji sequences (UTS 51), and
//! where a sign can be either, by the selector behind it or by what Unicode says is usual.

use icu_properties::CodePointSetData;
use icu_properties::props::{Emoji, EmojiModifierBase, EmojiPresentation};

const JOINER: char = '\u{200d}';
const AS_TEXT: char = '\u{fe0e}';
const AS_EMOJI: char = '\u{fe0f}';
const KEYCAP: char = '\u{20e3}';
/// A sign crossed out by a circle.
const CROSSED_OUT: char = '\u{20e0}';
const BLACK_FLAG: char = '\u{1f3f4}';
const LAST_TAG: char = '\u{e007f}';

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// No emoji.
    Plain,
    /// Shown as text unless something says otherwise: digits, ©, ☎, ❤.
    Text,
    Emoji,
    /// Takes a skin tone; browsers show these as emoji even where Unicode says text.
    Person,
    SkinTone,
    /// Two of these letters are a country's flag.
    Letter,
}

/// A sign that is shown as an emoji, at the start of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sequence {
    /// In bytes.
    pub length: usize,
    /// Whether the text says so: it is shown with a font of emoji then whatever other fonts have.
    pub is_asked_for: bool,
}

pub(super) fn sequence(text: &str) -> Option<Sequence> {
    // Most of what there is: a letter is none unless something other than a letter makes it one.
    if let [first, rest @ ..] = text.as_bytes()
        && first.is_ascii()
        && rest.first().is_none_or(u8::is_ascii)
    {
        return None;
    }
    let length = length(text)?;
    Some(Sequence {
        length,
        is_asked_for: text[..length].contains(AS_EMOJI),
    })
}

fn length(text: &str) -> Option<usize> {
    let first = text.chars().next()?;
    let kind = kind(first);
    if kind == Kind::Letter {
        let second = text[first.len_utf8()..].chars().next();
        return second
            .filter(|one| is_letter(*one))
            .map(|second| first.len_utf8() + second.len_utf8());
    }
    let one = element(text)?;
    let is_bare = one == first.len_utf8();
    let rest = &text[one..];
    let more = match rest.chars().next() {
        Some(AS_TEXT) if is_bare => return None,
        Some(JOINER) => joined(rest),
        Some(CROSSED_OUT) if is_bare => CROSSED_OUT.len_utf8(),
        Some(KEYCAP) if !is_bare && is_keycap_base(first) => KEYCAP.len_utf8(),
        _ if first == BLACK_FLAG => tags(rest),
        _ => 0,
    };
    let is_emoji = kind != Kind::Text || !is_bare || more > 0;
    is_emoji.then_some(one + more)
}

/// An emoji with what belongs to it: its selector or its skin tone.
fn element(text: &str) -> Option<usize> {
    let mut characters = text.chars();
    let first = characters.next()?;
    let kind = kind(first);
    if matches!(kind, Kind::Plain | Kind::SkinTone | Kind::Letter) {
        return None;
    }
    let with = characters.next().filter(|next| {
        let takes_tone = kind == Kind::Person && is_skin_tone(*next);
        *next == AS_EMOJI || takes_tone
    });
    Some(first.len_utf8() + with.map_or(0, char::len_utf8))
}

/// What hangs on by joiners, in bytes.
fn joined(text: &str) -> usize {
    let mut length = 0;
    while let Some(next) = text[length..].strip_prefix(JOINER).and_then(element) {
        length += JOINER.len_utf8() + next;
    }
    length
}

/// The letters of a region's flag, which nobody sees, in bytes; none without their end.
fn tags(text: &str) -> usize {
    let is_tag = |one: &char| matches!(one, '\u{e0030}'..='\u{e0039}' | '\u{e0061}'..='\u{e007a}');
    let length: usize = text.chars().take_while(is_tag).map(char::len_utf8).sum();
    if length > 0 && text[length..].starts_with(LAST_TAG) {
        length + LAST_TAG.len_utf8()
    } else {
        0
    }
}

fn is_letter(character: char) -> bool {
    matches!(character, '\u{1f1e6}'..='\u{1f1ff}')
}

fn is_skin_tone(character: char) -> bool {
    matches!(character, '\u{1f3fb}'..='\u{1f3ff}')
}

fn is_keycap_base(character: char) -> bool {
    matches!(character, '#' | '*' | '0'..='9')
}

fn kind(character: char) -> Kind {
    match character {
        _ if is_keycap_base(character) => Kind::Text,
        '©' | '®' => Kind::Text,
        '\u{203c}'..='\u{3299}' | '\u{1f000}'..='\u{1faff}' => known(character),
        _ => Kind::Plain,
    }
}

fn known(character: char) -> Kind {
    if is_letter(character) {
        Kind::Letter
    } else if is_skin_tone(character) {
        Kind::SkinTone
    } else if CodePointSetData::new::<EmojiModifierBase>().contains(character) {
        Kind::Person
    } else if CodePointSetData::new::<EmojiPresentation>().contains(character) {
        Kind::Emoji
    } else if CodePointSetData::new::<Emoji>().contains(character) {
        Kind::Text
    } else {
        Kind::Plain
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A text cut into its signs, those in brackets that are shown as emoji.
    fn shown(text: &str) -> String {
        let (mut rest, mut all) = (text, String::new());
        while let Some(first) = rest.chars().next() {
            let (part, is_emoji) = match sequence(rest) {
                Some(Sequence { length, .. }) => (&rest[..length], true),
                None => (&rest[..first.len_utf8()], false),
            };
            if is_emoji {
                all.push_str(&format!("[{part}]"))
            } else {
                all.push_str(part)
            }
            rest = &rest[part.len()..];
        }
        all
    }

    #[test]
    fn signs_are_text_or_emoji_as_in_a_browser() {
        // Each was looked at in Chromium, with a font of each kind at hand.
        let cases = [
            ("a 1 # © ™ ☎ ❤ ✈ ✓ ★ ↔", "a 1 # © ™ ☎ ❤ ✈ ✓ ★ ↔"),
            (
                "❤\u{fe0f}☎\u{fe0f}©\u{fe0f}",
                "[❤\u{fe0f}][☎\u{fe0f}][©\u{fe0f}]",
            ),
            (
                "❤\u{fe0e}☎\u{fe0e}😀\u{fe0e}",
                "❤\u{fe0e}☎\u{fe0e}😀\u{fe0e}",
            ),
            ("😀😀✅⭐⚡", "[😀][😀][✅][⭐][⚡]"),
            ("✌☝", "[✌][☝]"),
            ("1\u{fe0f}", "[1\u{fe0f}]"),
            ("1\u{fe0f}\u{20e3}x", "[1\u{fe0f}\u{20e3}]x"),
            ("1\u{20e3}", "1\u{20e3}"),
        ];
        for (text, expected) in cases {
            assert_eq!(shown(text), expected);
        }
    }

    #[test]
    fn a_selector_asks_for_an_emoji() {
        let asks = |text| sequence(text).map(|found| found.is_asked_for);
        let texts = ["❤\u{fe0f}", "👩‍❤\u{fe0f}‍👨", "⚡", "👍🏽", "⚡\u{fe0e}"];
        assert_eq!(
            texts.map(asks),
            [Some(true), Some(true), Some(false), Some(false), None]
        );
    }

    #[test]
    fn what_makes_one_sign_stays_together() {
        let cases = [
            ("👍🏽👍", "[👍🏽][👍]"),
            ("👩‍👩‍👧x", "[👩‍👩‍👧]x"),
            ("👩‍❤️‍👨👩‍❤‍👨", "[👩‍❤️‍👨][👩‍❤‍👨]"),
            ("🧑🏽‍🚀🏳️‍🌈🏳‍🌈", "[🧑🏽‍🚀][🏳️‍🌈][🏳‍🌈]"),
            ("🇨🇭🇩🇪🇫", "[🇨🇭][🇩🇪]🇫"),
            ("🏴󠁧󠁢󠁥󠁮󠁧󠁿🏴🏴‍☠️", "[🏴󠁧󠁢󠁥󠁮󠁧󠁿][🏴][🏴‍☠️]"),
            ("😀\u{20e0}", "[😀\u{20e0}]"),
            // A joiner with nothing behind it is not part of it.
            ("👩\u{200d} 👩\u{200d}a", "[👩]\u{200d} [👩]\u{200d}a"),
        ];
        for (text, expected) in cases {
            assert_eq!(shown(text), expected);
        }
    }
}
