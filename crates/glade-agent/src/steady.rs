//! What hardly changes from step to step: told whole at the beginning of a prompt, where providers keep
//! it, and after that by what is different now.
//!
//! A large page is most of a prompt. Printed behind the history, which grows, it would be read anew at
//! every step; printed before it, every change of the page would make the history be read anew. So the
//! beginning says how the page was, the end what has changed, and both start over when that is much.

use std::collections::BTreeMap;

use glade_doc::PageId;
use similar::TextDiff;

/// Shorter prints are told as they are: there is little to win.
const SHORTEST: usize = 4_000;
/// The share of a print, one of so many parts, that a difference may be as long as.
const MOST: usize = 5;

/// What was told of the page at the beginning of the last prompts, by part.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Steady {
    page: Option<PageId>,
    told: BTreeMap<&'static str, String>,
}

/// How a print is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parted {
    /// At the beginning, the same as in the prompt before if that is possible.
    pub beginning: String,
    /// In its own place: whether that is so still.
    pub since: String,
}

impl Steady {
    /// `None`: it is told whole, in its own place.
    pub fn tell(&mut self, page: &PageId, part: &'static str, print: &str) -> Option<Parted> {
        if self.page.as_ref() != Some(page) {
            self.page = Some(page.clone());
            self.told.clear();
        }
        if print.len() < SHORTEST {
            self.told.remove(part);
            return None;
        }
        let head = print
            .lines()
            .next()
            .unwrap_or_default()
            .trim_end_matches(':');
        let known = self.told.get(part).filter(|known| *known != print);
        let changed = known.map(|known| difference(known, print));
        let since = match changed {
            Some(changed) if changed.len() <= print.len() / MOST => format!(
                "At the beginning you were told: \"{head}\". Since then lines with a - are gone and lines with a + \
                 are there; the others tell where:\n````diff\n{changed}````"
            ),
            Some(_) => {
                self.told.insert(part, print.to_owned());
                unchanged(head)
            }
            None => {
                self.told.entry(part).or_insert_with(|| print.to_owned());
                unchanged(head)
            }
        };
        let beginning = self.told.get(part)?.clone();
        Some(Parted { beginning, since })
    }
}

fn unchanged(head: &str) -> String {
    format!("At the beginning you were told: \"{head}\". That is how it is now.")
}

fn difference(known: &str, now: &str) -> String {
    let diff = TextDiff::from_lines(known, now);
    let mut text = diff
        .unified_diff()
        .context_radius(1)
        .missing_newline_hint(false)
        .to_string();
    if !text.ends_with('\n') {
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn print(lines: impl IntoIterator<Item = usize>) -> String {
        let lines = lines
            .into_iter()
            .map(|n| format!("{{\"shapeId\":\"box-{n}\",\"x\":{n}}}\n"));
        format!("The shapes:\n```data\n{}```", lines.collect::<String>())
    }

    #[test]
    fn the_beginning_stays_while_little_changes() {
        let (page, mut steady) = (PageId::from("pg"), Steady::default());
        let mut tell = |lines: &str| steady.tell(&page, "shapes", lines);
        let first = print(0..300);
        let told = tell(&first).unwrap();
        assert_eq!(told.beginning, first);
        assert_eq!(
            told.since,
            "At the beginning you were told: \"The shapes\". That is how it is now."
        );
        assert_eq!(tell(&first).unwrap(), told);
        let changed = tell(&print((0..300).filter(|n| *n != 7))).unwrap();
        assert_eq!(changed.beginning, first);
        assert!(
            changed
                .since
                .contains("\n-{\"shapeId\":\"box-7\",\"x\":7}\n"),
            "{}",
            changed.since
        );
        let other = print(400..800);
        assert_eq!(
            tell(&other).unwrap().beginning,
            other,
            "too much has changed"
        );
        assert_eq!(tell(&print(0..3)), None, "short enough to be told whole");
    }

    #[test]
    fn another_page_begins_anew() {
        let (mut steady, text) = (Steady::default(), print(0..300));
        let longer = print(0..301);
        for page in ["pg_1", "pg_2"] {
            let told = steady.tell(&PageId::from(page), "shapes", &text);
            assert_eq!(told.unwrap().beginning, text);
            steady.tell(&PageId::from(page), "shapes", &longer);
        }
    }
}
