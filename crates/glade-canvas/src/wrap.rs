//! Breaking text into lines that fit, at the same places as the editor.
//!
//! A line breaks at spaces, after hyphens, around CJK characters (but never parting a bracket from what it
//! holds); a word longer than a line breaks between characters. A width too narrow for one character still gets
//! that character: nothing but spaces at breaks is ever dropped.
//!
//! A line is as wide as it was before a word plus what the word adds after the one before it, so that a text costs
//! what it is long however wide its lines are. Only where that comes near to the limit is the whole line measured:
//! the sums of two ways to add are not the same to the last digit.

mod breaks;

use std::cell::RefCell;
use std::collections::HashMap;

use icu_normalizer::ComposingNormalizerBorrowed;

use self::breaks::{emoji_length, is_space, tokens};
use crate::text::{FontFamily, line_width};

/// This near to the limit a line is measured whole, in shares of the font size.
const NEAR: f64 = 0.01;

/// `text` with newlines put in so that every line is at most `max_width` wide.
pub fn wrap(text: &str, family: FontFamily, font_size: f64, max_width: f64) -> String {
    if !max_width.is_finite() || max_width < 0.0 {
        return text.to_owned();
    }
    let wrapper = Wrapper {
        family,
        font_size,
        max_width,
        characters: RefCell::default(),
    };
    let mut lines = Vec::new();
    for line in text.split('\n') {
        if wrapper.width(line) <= max_width {
            lines.push(line.to_owned());
        } else {
            wrapper.wrap_line(line, &mut lines);
        }
    }
    lines.join("\n")
}

struct Wrapper {
    family: FontFamily,
    font_size: f64,
    max_width: f64,
    /// The widths of single characters, once measured.
    characters: RefCell<HashMap<char, f64>>,
}

/// A line as it grows.
#[derive(Default)]
struct Growing {
    text: String,
    width: f64,
    /// Where its last part starts.
    last: usize,
}

impl Wrapper {
    fn width(&self, text: &str) -> f64 {
        line_width(text, self.family, self.font_size)
    }

    fn char_width(&self, character: char) -> f64 {
        let measure = || self.width(character.encode_utf8(&mut [0; 4]));
        let mut known = self.characters.borrow_mut();
        *known.entry(character).or_insert_with(measure)
    }

    /// How wide the line is with this part at its end.
    fn width_with(&self, line: &Growing, token: &str) -> f64 {
        // Adding a single character's own width, without kerning, is how the editor counts.
        if let Some(character) = single_char(token) {
            return line.width + self.char_width(character);
        }
        let last = &line.text[line.last..];
        let added = match last {
            "" => self.width(token),
            last => self.width(&format!("{last}{token}")) - self.width(last),
        };
        let width = line.width + added;
        if (width - self.max_width).abs() < NEAR * self.font_size {
            self.width(&format!("{}{token}", line.text))
        } else {
            width
        }
    }

    fn wrap_line(&self, text: &str, lines: &mut Vec<String>) {
        // Letters and their marks as one character each, where there is one.
        let text = ComposingNormalizerBorrowed::new_nfc().normalize(text);
        let mut line = Growing::default();
        for token in tokens(&text) {
            loop {
                let width = self.width_with(&line, token);
                if token.contains(is_space) || width <= self.max_width {
                    line.last = line.text.len();
                    line.text.push_str(token);
                    line.width = width;
                    break;
                }
                if line.text.is_empty() {
                    let mut pieces = self.wrap_word(token);
                    let text = pieces.pop().unwrap_or_default();
                    line = Growing {
                        width: self.width(&text),
                        text,
                        last: 0,
                    };
                    lines.append(&mut pieces);
                    break;
                }
                lines.push(line.text.trim_end_matches(is_space).to_owned());
                line = Growing::default();
            }
        }
        if !line.text.is_empty() {
            lines.push(self.trim_last(&line.text));
        }
    }

    /// A word longer than a line, cut between characters. A pictograph of several code points stays whole.
    fn wrap_word(&self, word: &str) -> Vec<String> {
        if emoji_length(word) > 0 {
            return vec![word.to_owned()];
        }
        let mut pieces = Vec::new();
        let mut current = String::new();
        let mut current_width = 0.0;
        for character in word.chars() {
            let width = self.char_width(character);
            if current_width + width > self.max_width && !current.is_empty() {
                pieces.push(std::mem::take(&mut current));
                current_width = 0.0;
            }
            current.push(character);
            current_width += width;
        }
        if !current.is_empty() {
            pieces.push(current);
        }
        pieces
    }

    /// The last line keeps the trailing spaces that still fit: a person may be typing there.
    fn trim_last(&self, line: &str) -> String {
        if self.width(line) <= self.max_width {
            return line.to_owned();
        }
        let mut kept = line.trim_end_matches(is_space).to_owned();
        let mut width = self.width(&kept);
        for space in line.chars().skip(kept.chars().count()) {
            width += self.char_width(space);
            if width > self.max_width {
                break;
            }
            kept.push(space);
        }
        kept
    }
}

/// The only character of a part; to the editor those beyond the first 65,536 are two.
fn single_char(token: &str) -> Option<char> {
    let mut characters = token.chars();
    let first = characters.next().filter(|first| first.len_utf16() == 1)?;
    characters.next().is_none().then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The editor's own, made by `tests/oracle/tokens.mjs`.
    #[test]
    fn lines_may_break_where_the_editor_breaks_them() {
        #[derive(serde::Deserialize)]
        struct Case {
            text: String,
            tokens: Vec<String>,
        }
        let cases: Vec<Case> =
            serde_json::from_str(include_str!("../tests/it/fixtures/tokens.json")).unwrap();
        let wrong: Vec<String> = cases
            .iter()
            .filter_map(|case| {
                let text = ComposingNormalizerBorrowed::new_nfc().normalize(&case.text);
                let ours = tokens(&text);
                (ours != case.tokens).then(|| format!("{ours:?}, theirs {:?}", case.tokens))
            })
            .collect();
        assert!(
            cases.len() > 1000 && wrong.is_empty(),
            "{}: {wrong:#?}",
            wrong.len()
        );
    }

    /// As the editor counts it: every line measured whole for each of its parts.
    fn wrap_slowly(text: &str, family: FontFamily, size: f64, max_width: f64) -> Vec<String> {
        let (mut lines, mut line, mut width) = (Vec::new(), String::new(), 0.0);
        for token in tokens(text) {
            let longer = format!("{line}{token}");
            let wider = match single_char(token) {
                Some(_) => width + line_width(token, family, size),
                None => line_width(&longer, family, size),
            };
            if token.contains(is_space) || wider <= max_width {
                (line, width) = (longer, wider);
            } else {
                lines.push(line.trim_end().to_owned());
                (line, width) = (token.to_owned(), line_width(token, family, size));
            }
        }
        lines.push(line);
        lines
    }

    #[test]
    fn lines_break_where_measuring_them_whole_breaks_them() {
        let text = "AVATAR To We LTyp fi ffl WAVE, a well-kept T. Vase (for You) 漢字「括弧」 and V. Ty x y z";
        for family in [
            FontFamily::Excalifont,
            FontFamily::Nunito,
            FontFamily::Helvetica,
            FontFamily::Cascadia,
        ] {
            // From the widest word on: what is narrower is cut.
            for step in 0..200 {
                let max_width = 160.0 + f64::from(step) * 1.3;
                let ours = wrap(text, family, 20.0, max_width);
                let slowly = wrap_slowly(text, family, 20.0, max_width);
                assert_eq!(
                    ours.split('\n').collect::<Vec<_>>(),
                    slowly,
                    "{family:?} {max_width}"
                );
            }
        }
    }

    #[test]
    fn a_text_as_long_as_a_book_in_one_line_takes_no_longer_than_its_length() {
        let text = "and so it went on ".repeat(2_000);
        let text = text.trim_end();
        let width = line_width(text, FontFamily::Excalifont, 20.0) - 1.0;
        let started = std::time::Instant::now();
        let lines = wrap(text, FontFamily::Excalifont, 20.0, width);
        assert_eq!(lines.split('\n').count(), 2);
        // Measuring each line whole for each word takes minutes.
        assert!(started.elapsed().as_secs() < 10);
    }

    #[test]
    fn a_width_that_makes_no_sense_wraps_nothing() {
        assert_eq!(
            wrap("a b c", FontFamily::Excalifont, 20.0, f64::NAN),
            "a b c"
        );
        assert_eq!(wrap("a b c", FontFamily::Excalifont, 20.0, -1.0), "a b c");
        assert_eq!(wrap("abc", FontFamily::Excalifont, 20.0, 0.0), "a\nb\nc");
    }
}
