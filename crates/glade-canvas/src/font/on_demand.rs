//! The hand-drawn font for Chinese, Japanese and Korean: 13 MB in 209 parts, too much to ship twice.
//!
//! The studio has the parts, so the program that holds the studio hands them over when they are asked for. Which part
//! holds which characters is a table here, and a part is fetched when the first of its characters comes up.

use std::borrow::Cow;
use std::sync::OnceLock;

use super::file::{FontFile, Source};

/// Gives the bytes of a part of Xiaolai by its name, such as `Xiaolai-Regular-….woff2`.
pub type Provider = fn(&str) -> Option<Cow<'static, [u8]>>;

static PROVIDER: OnceLock<Provider> = OnceLock::new();

/// From now on the hand-drawn font for Chinese, Japanese and Korean comes from here. The first call counts: a text has
/// one width for as long as the program runs.
pub fn provide_cjk(provider: Provider) {
    PROVIDER.get_or_init(|| provider);
}

pub(super) fn fetch(name: &str) -> Option<Cow<'static, [u8]>> {
    PROVIDER.get()?(&format!("{name}.woff2"))
}

/// The parts, and which of them holds which characters: the first and the last of a stretch, and the part's place.
#[derive(Default)]
struct Parts {
    files: Vec<FontFile>,
    stretches: Vec<(u32, u32, usize)>,
}

/// The part with this character, if there is one and it can be had.
pub(super) fn file_of(character: char) -> Option<&'static FontFile> {
    static PARTS: OnceLock<Parts> = OnceLock::new();
    PROVIDER.get()?;
    let parts = PARTS.get_or_init(|| Parts::read(include_str!("../../fonts/xiaolai/parts.txt")));
    parts.holding(character).filter(|file| file.has(character))
}

impl Parts {
    fn read(table: &'static str) -> Self {
        let mut parts = Self::default();
        for (name, stretches) in table.lines().filter_map(|line| line.split_once(' ')) {
            let place = parts.files.len();
            parts.files.push(FontFile::new(Source::OnDemand(name)));
            let stretches = stretches.split(',').filter_map(stretch);
            parts
                .stretches
                .extend(stretches.map(|(first, last)| (first, last, place)));
        }
        parts.stretches.sort_unstable();
        parts
    }

    fn holding(&self, character: char) -> Option<&FontFile> {
        let code = u32::from(character);
        let after = self
            .stretches
            .partition_point(|(first, _, _)| *first <= code);
        let (_, last, place) = *self.stretches.get(after.checked_sub(1)?)?;
        (code <= last).then(|| self.files.get(place)).flatten()
    }
}

/// `4e00-4e2f`, or one character.
fn stretch(text: &str) -> Option<(u32, u32)> {
    let code = |text: &str| u32::from_str_radix(text, 16).ok();
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    Some((code(first)?, code(last)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_parts_is_whole_and_no_character_is_in_two() {
        let parts = Parts::read(include_str!("../../fonts/xiaolai/parts.txt"));
        assert_eq!(parts.files.len(), 209);
        let mut pairs = parts.stretches.windows(2);
        assert!(pairs.all(|pair| pair[0].1 < pair[1].0));
        let wanted = "你好世界漢字かなカナ한글。、「」";
        assert!(wanted.chars().all(|one| parts.holding(one).is_some()));
        assert!("aж\u{590}".chars().all(|one| parts.holding(one).is_none()));
    }
}
