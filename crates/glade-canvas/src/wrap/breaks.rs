//! Where a line may break: the editor's rules, by the same classes of characters.

use icu_properties::props::{
    Emoji, EmojiModifier, EmojiPresentation, ExtendedPictographic, RegionalIndicator, Script,
};
use icu_properties::{CodePointMapData, CodePointSetData};

/// The parts that may not be broken, in order; together they are the line. Every emoji is a part of its own.
pub(super) fn tokens(line: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut start, mut at) = (0, 0);
    let mut previous: Option<char> = None;
    while let Some(character) = line[at..].chars().next() {
        let emoji = emoji_length(&line[at..]);
        let breaks = previous.is_some_and(|before| breaks_between(before, character));
        if (emoji > 0 || breaks) && start < at {
            parts.push(&line[start..at]);
            start = at;
        }
        at += emoji.max(character.len_utf8());
        previous = line[..at].chars().next_back();
        if emoji > 0 {
            parts.push(&line[start..at]);
            start = at;
        }
    }
    if start < line.len() {
        parts.push(&line[start..]);
    }
    parts
}

/// What JavaScript takes for a space.
pub(super) fn is_space(character: char) -> bool {
    character == '\u{feff}' || character.is_whitespace() && character != '\u{85}'
}

/// How many bytes the emoji takes that the text begins with; 0 when it begins with none. A flag is two letters, a
/// family several people with joiners between them.
pub(super) fn emoji_length(text: &str) -> usize {
    let Some(first) = text.chars().next().filter(|first| !first.is_ascii()) else {
        return 0;
    };
    let mut length = flag_length(text);
    if length > 0 {
        return length;
    }
    let is_most = CodePointSetData::new::<ExtendedPictographic>().contains(first)
        || CodePointSetData::new::<EmojiPresentation>().contains(first);
    if !is_most {
        return 0;
    }
    length = first.len_utf8();
    length += joiner_length(&text[length..]);
    while let Some(rest) = text[length..].strip_prefix('\u{200d}') {
        let next = match (flag_length(rest), rest.chars().next()) {
            (0, Some(next)) if CodePointSetData::new::<Emoji>().contains(next) => {
                next.len_utf8() + joiner_length(&rest[next.len_utf8()..])
            }
            (flag, _) => flag,
        };
        if next == 0 {
            break;
        }
        length = text.len() - rest.len() + next;
    }
    length
}

fn flag_length(text: &str) -> usize {
    let letters = CodePointSetData::new::<RegionalIndicator>();
    let mut both = text.chars().take(2).filter(|one| letters.contains(*one));
    match (both.next(), both.next()) {
        (Some(one), Some(other)) => one.len_utf8() + other.len_utf8(),
        _ => 0,
    }
}

/// A skin tone, the wish to be drawn as a picture, or a region's letters.
fn joiner_length(text: &str) -> usize {
    let Some(first) = text.chars().next() else {
        return 0;
    };
    if CodePointSetData::new::<EmojiModifier>().contains(first) {
        return first.len_utf8();
    }
    if let Some(rest) = text.strip_prefix('\u{fe0f}') {
        let keycap = rest.strip_prefix('\u{20e3}').unwrap_or(rest);
        return text.len() - keycap.len();
    }
    let rest = text.trim_start_matches(|tag| matches!(tag, '\u{e0020}'..='\u{e007e}'));
    let tagged = rest.strip_prefix('\u{e007f}');
    match tagged {
        Some(after) if rest.len() < text.len() => text.len() - after.len(),
        _ => 0,
    }
}

fn breaks_between(before: char, after: char) -> bool {
    if is_space(before) || is_space(after) || before == '-' {
        return true;
    }
    let before_cjk =
        (is_cjk(after) || is_currency(after)) && !is_opening(before) && !is_cjk_opening(before);
    let after_cjk = is_cjk(before) && after != '-' && !is_closing(after) && !is_cjk_closing(after);
    let before_opening = is_cjk_opening(after) && !is_cjk_opening(before) && !is_opening(before);
    let after_closing = is_cjk_closing(before) && !is_cjk_closing(after) && !is_closing(after);
    let closed_then_opened = is_closing(before) && is_opening(after);
    before_cjk || after_cjk || before_opening || after_closing || closed_then_opened
}

fn is_opening(character: char) -> bool {
    "<([{".contains(character)
}

fn is_closing(character: char) -> bool {
    ">)]}.,:;!?…/".contains(character)
}

fn is_cjk_opening(character: char) -> bool {
    "（［｛〈《｟｢「『【〖〔〘〚＜〝".contains(character)
}

fn is_cjk_closing(character: char) -> bool {
    "）］｝〉》｠｣」』】〗〕〙〛＞。．，、〟‥？！：；・〜〞".contains(character)
}

fn is_currency(character: char) -> bool {
    "￥￦￡￠＄".contains(character)
}

fn is_cjk(character: char) -> bool {
    if character.is_ascii() {
        return false;
    }
    let script = CodePointMapData::<Script>::new().get(character);
    [
        Script::Han,
        Script::Hiragana,
        Script::Katakana,
        Script::Hangul,
    ]
    .contains(&script)
        || "｀＇＾〃〰〆＃＆＊＋－ー／＼＝｜￤〒￢￣".contains(character)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_break_at_spaces_hyphens_and_around_cjk() {
        assert_eq!(tokens("Hello big-world"), ["Hello", " ", "big-", "world"]);
        assert_eq!(
            tokens("Hello「た」 World"),
            ["Hello", "「た」", " ", "World"]
        );
        assert_eq!(tokens("た。x"), ["た。", "x"]);
        assert_eq!(tokens("ok👩‍👩‍👧go"), ["ok", "👩‍👩‍👧", "go"]);
        assert_eq!(tokens("Price￥100"), ["Price", "￥100"]);
    }

    #[test]
    fn a_flag_is_one_part_and_its_neighbour_another() {
        assert_eq!(tokens("🇯🇵🇫🇷"), ["🇯🇵", "🇫🇷"]);
    }
}
