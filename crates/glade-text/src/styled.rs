//! Words with their marks, and what marks they wear after a rewriting.

use std::collections::BTreeSet;

use glade_doc::text::{ANCHOR, HTML, Mark, TEX};
use glade_doc::words::{self, Moved};
use serde_json::Value;

use crate::page::Block;

/// Words and the marks on them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Styled {
    pub text: String,
    pub marks: Vec<Mark>,
}

/// The marks that Markdown has a sign for. The others stay with their words whatever is written.
const WRITTEN: [&str; 8] = [
    "bold",
    "italic",
    "strike",
    "underline",
    "highlight",
    "link",
    "code",
    TEX,
];

fn is_written(name: &str) -> bool {
    WRITTEN.contains(&name) || name == HTML
}

/// What each character wears of one mark.
type Worn<'m> = Vec<Option<&'m Value>>;

impl Styled {
    pub fn of(block: &Block) -> Self {
        Self {
            text: block.text.clone(),
            marks: block.marks.clone(),
        }
    }

    fn length(&self) -> usize {
        self.text.chars().count()
    }

    fn worn(&self, name: &str, length: usize) -> Worn<'_> {
        let mut worn = vec![None; length];
        for mark in self.marks.iter().filter(|mark| mark.name == name) {
            let to = mark.to.min(length);
            worn[mark.from.min(to)..to].fill(Some(&mark.value));
        }
        worn
    }

    /// These words after somebody who was shown `shown` of them wrote `wanted`. Where shown and wanted agree about a
    /// word that stays, it keeps what it wears.
    #[must_use]
    pub fn rewritten(&self, shown: &Styled, wanted: &Styled) -> Styled {
        if shown == wanted {
            return self.clone();
        }
        let marks = if shown.text == self.text {
            carried(shown, wanted, self)
        } else {
            // They could not be shown to the letter.
            carried(&self.written(), wanted, self)
        };
        Styled {
            text: wanted.text.clone(),
            marks,
        }
    }

    /// The same change, from `self` to `wanted`, made to marks that others may have changed meanwhile.
    pub fn marks_onto(&self, wanted: &Styled, now: &Styled) -> Vec<Mark> {
        if self == now {
            return wanted.marks.clone();
        }
        carried(self, wanted, now)
    }

    /// With none but the marks that Markdown has a sign for.
    fn written(&self) -> Styled {
        let shown = |mark: &&Mark| is_written(&mark.name);
        Styled {
            text: self.text.clone(),
            marks: self.marks.iter().filter(shown).cloned().collect(),
        }
    }

    /// With other words in the place of a range. Words without a mark wear what the words wore that they stand for.
    #[must_use]
    pub fn replaced(&self, from: usize, to: usize, new: &Styled) -> Styled {
        let chars: Vec<char> = self.text.chars().collect();
        let (from, to) = (from.min(chars.len()), to.clamp(from, chars.len()));
        let more = new.length();
        let mut text: String = chars[..from].iter().collect();
        text.push_str(&new.text);
        text.extend(&chars[to..]);
        let moved = |at: usize| at - to + from + more;
        let plain = new.marks.is_empty() && more > 0;
        let mut marks: Vec<Mark> = Vec::new();
        for mark in &self.marks {
            let inside = mark.from < from && to < mark.to;
            let around = mark.from <= from && to <= mark.to && (inside || from < to);
            let parts = if around && (plain || !is_written(&mark.name)) {
                vec![(mark.from, moved(mark.to))]
            } else {
                vec![
                    (mark.from, mark.to.min(from)),
                    (moved(mark.from.max(to)), moved(mark.to.max(to))),
                ]
            };
            let some = parts.into_iter().filter(|(from, to)| from < to);
            marks.extend(some.map(|(from, to)| Mark {
                from,
                to,
                ..mark.clone()
            }));
        }
        marks.extend(new.marks.iter().map(|mark| Mark {
            from: mark.from + from,
            to: mark.to + from,
            ..mark.clone()
        }));
        Styled {
            text,
            marks: in_order(marks),
        }
    }

    /// With a mark on a range, or without it.
    #[must_use]
    pub fn marked(&self, from: usize, to: usize, name: &str, value: Option<&Value>) -> Styled {
        let length = self.length();
        let mut marks: Vec<Mark> = Vec::new();
        // Code, links and formulas exclude each other.
        let alone = ["code", "link", TEX];
        let excluded = |other: &str| {
            other == name || (value.is_some() && alone.contains(&name) && alone.contains(&other))
        };
        let names: BTreeSet<&str> = self.names().chain([name]).collect();
        for other in names {
            let mut worn = self.worn(other, length);
            if excluded(other) {
                worn[from.min(length)..to.min(length)].fill(value.filter(|_| other == name));
            }
            runs(other, &worn, &mut marks);
        }
        Styled {
            text: self.text.clone(),
            marks: in_order(marks),
        }
    }

    fn names(&self) -> impl Iterator<Item = &str> {
        self.marks.iter().map(|mark| mark.name.as_str())
    }

    /// As far as a rewriting has come, and then the rest of these words, which it has not come to yet.
    #[must_use]
    pub fn begun(&self, new: &Styled) -> Styled {
        let reached = words::reached(&self.text, &new.text);
        let rest: String = self.text.chars().skip(reached).collect();
        let space = !new.text.is_empty()
            && !rest.is_empty()
            && !new.text.ends_with(char::is_whitespace)
            && !rest.starts_with(char::is_whitespace);
        let text = format!("{}{}{rest}", new.text, if space { " " } else { "" });
        let behind = text.chars().count() - rest.chars().count();
        let moved = |mark: &Mark| Mark {
            from: mark.from.max(reached) - reached + behind,
            to: mark.to - reached + behind,
            ..mark.clone()
        };
        let left = self.marks.iter().filter(|mark| mark.to > reached);
        let marks = new.marks.iter().cloned().chain(left.map(moved));
        Styled {
            text,
            marks: in_order(marks.collect()),
        }
    }
}

/// The marks of `wanted`: on words that it shares with `base` those of `now`, as far as the two agree about them.
fn carried(base: &Styled, wanted: &Styled, now: &Styled) -> Vec<Mark> {
    let names: BTreeSet<&str> = [base, wanted, now]
        .into_iter()
        .flat_map(Styled::names)
        .collect();
    let mut marks = Vec::new();
    if names.is_empty() {
        return marks;
    }
    let lengths = [base.length(), wanted.length(), now.length()];
    let origins = origins(base, wanted, lengths[1]);
    let moved = (base.text != now.text).then(|| Moved::between(&base.text, &now.text));
    let present = |at: usize| match &moved {
        Some(moved) => moved.place(at),
        None => Some(at),
    };
    for name in names {
        let [was, will, is] = [(base, 0), (wanted, 1), (now, 2)]
            .map(|(words, which)| words.worn(name, lengths[which]));
        let written = is_written(name);
        let mut worn: Worn<'_> = vec![None; lengths[1]];
        for (at, origin) in origins.kept.iter().enumerate() {
            let Some(origin) = *origin else { continue };
            worn[at] = if written && was[origin] != will[at] {
                will[at]
            } else {
                present(origin).map_or(was[origin], |at| is[at])
            };
        }
        for new in &origins.new {
            let before = new.at.start.checked_sub(1);
            let sides = [before, Some(new.at.end).filter(|at| *at < lengths[1])];
            if written {
                for at in new.at.clone() {
                    // A mark that was there, or goes on with a word beside, is that one: its colour, its title.
                    let there = new.instead_of.filter(|old| was[*old] == will[at]);
                    let there = there.and_then(present).and_then(|at| is[at]);
                    let mut sides = sides.iter().flatten();
                    let like = sides.find(|side| will[**side] == will[at]);
                    let beside = like.and_then(|side| worn[*side]);
                    worn[at] = will[at].and(there.or(beside).or(will[at]));
                }
            } else if name == ANCHOR {
                let replaced = new.instead_of.and_then(present).and_then(|at| is[at]);
                let around = match sides.map(|side| side.and_then(|at| worn[at])) {
                    [Some(left), Some(right)] if left == right => Some(left),
                    _ => None,
                };
                worn[new.at.clone()].fill(replaced.or(around));
            }
        }
        runs(name, &worn, &mut marks);
    }
    in_order(marks)
}

/// Where the characters of a new text come from.
struct Origins {
    /// For each of them, where it was.
    kept: Vec<Option<usize>>,
    new: Vec<New>,
}

/// Words that were not there.
struct New {
    at: std::ops::Range<usize>,
    /// The first character that they stand for.
    instead_of: Option<usize>,
}

fn origins(base: &Styled, wanted: &Styled, length: usize) -> Origins {
    let mut kept = vec![None; length];
    let mut new = Vec::new();
    let (mut old, mut at) = (0, 0);
    for splice in words::diff(&base.text, &wanted.text) {
        while old < splice.at {
            kept[at] = Some(old);
            (old, at) = (old + 1, at + 1);
        }
        let end = at + splice.insert.chars().count();
        if at < end {
            new.push(New {
                at: at..end,
                instead_of: (splice.delete > 0).then_some(splice.at),
            });
        }
        (old, at) = (old + splice.delete, end);
    }
    for place in &mut kept[at..] {
        *place = Some(old);
        old += 1;
    }
    Origins { kept, new }
}

/// The marks that characters wear.
fn runs(name: &str, worn: &[Option<&Value>], marks: &mut Vec<Mark>) {
    let mut at = 0;
    while at < worn.len() {
        let from = at;
        while at < worn.len() && worn[at] == worn[from] {
            at += 1;
        }
        if let Some(value) = worn[from] {
            marks.push(Mark {
                from,
                to: at,
                name: name.to_owned(),
                value: value.clone(),
            });
        }
    }
}

fn in_order(mut marks: Vec<Mark>) -> Vec<Mark> {
    marks.sort_by(|a, b| (a.from, a.to, &a.name).cmp(&(b.from, b.to, &b.name)));
    marks
}
