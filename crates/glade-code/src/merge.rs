//! Taking one change out of a text that others have changed since.
//!
//! Given a text `before` and `after` a run and the text as it is `now`, the run's change is undone in
//! `now` as a three-way merge around `after`: one side goes back to `before`, the other goes on to
//! `now`. Where only one side differs, that side holds. Where both do:
//!
//! - lines of the run that are only to go, among which a person put in or took out whole lines: the
//!   run's lines go, the person's stay;
//! - a line in which the run and the person changed different words, with others between: both are
//!   respected;
//! - anything else is a [`Clash`]: the text stays as the person has it, and the place is told.
//!
//! So what a person wrote is never lost, and nothing is guessed.

use std::ops::Range;

use serde::Serialize;

use utoipa::ToSchema;

use crate::diff::{Hunk, hunks, lines, words};

/// A place that was left as it is, because undoing it would have been a guess.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Clash {
    /// Its first line in the merged text, counted from 1.
    pub line: usize,
    pub before: String,
    pub after: String,
    pub now: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Merged {
    pub text: String,
    /// How many places of the run's change were undone.
    pub undone: usize,
    pub clashes: Vec<Clash>,
}

/// See the module's page.
pub fn take_out(before: &str, after: &str, now: &str) -> Merged {
    // By far the most common cases, and exact whatever a diff would say.
    if now == after {
        let undone = hunks(&lines(after), &lines(before)).len();
        return Merged {
            text: before.to_owned(),
            undone,
            clashes: Vec::new(),
        };
    }
    let sides = Sides::new(lines(before), lines(after), lines(now));
    let mut merged = Merged::default();
    let mut done = 0;
    for region in sides.regions() {
        merged
            .text
            .extend(sides.base[done..region.base.start].iter().copied());
        done = region.base.end;
        sides.settle(&region, &mut merged);
    }
    merged.text.extend(sides.base[done..].iter().copied());
    merged
}

/// The three texts cut into pieces, and how two of them differ from the one in the middle.
struct Sides<'a> {
    base: Vec<&'a str>,
    undo: Vec<&'a str>,
    person: Vec<&'a str>,
    to_undo: Vec<Hunk>,
    to_person: Vec<Hunk>,
}

/// A stretch of the base in which hunks of both sides lie that have to do with each other, or a
/// single hunk.
struct Region {
    base: Range<usize>,
    undo: Range<usize>,
    person: Range<usize>,
}

impl<'a> Sides<'a> {
    fn new(undo: Vec<&'a str>, base: Vec<&'a str>, person: Vec<&'a str>) -> Self {
        Sides {
            to_undo: hunks(&base, &undo),
            to_person: hunks(&base, &person),
            base,
            undo,
            person,
        }
    }

    /// Hunks in the order of the base, those that meet taken together.
    fn regions(&self) -> Vec<Region> {
        let (mut u, mut p) = (0, 0);
        let mut regions = Vec::new();
        while u < self.to_undo.len() || p < self.to_person.len() {
            let undo_is_next = match (self.to_undo.get(u), self.to_person.get(p)) {
                (Some(undo), Some(person)) => order(&undo.old) <= order(&person.old),
                (undo, _) => undo.is_some(),
            };
            let mut region = Region {
                base: if undo_is_next {
                    self.to_undo[u].old.clone()
                } else {
                    self.to_person[p].old.clone()
                },
                undo: u..u,
                person: p..p,
            };
            if undo_is_next {
                region.undo.end += 1;
            } else {
                region.person.end += 1;
            }
            loop {
                let next_undo = self.to_undo.get(region.undo.end);
                let next_person = self.to_person.get(region.person.end);
                if let Some(hunk) = next_undo.filter(|hunk| meet(&region.base, &hunk.old)) {
                    region.base.end = region.base.end.max(hunk.old.end);
                    region.undo.end += 1;
                } else if let Some(hunk) = next_person.filter(|hunk| meet(&region.base, &hunk.old))
                {
                    region.base.end = region.base.end.max(hunk.old.end);
                    region.person.end += 1;
                } else {
                    break;
                }
            }
            (u, p) = (region.undo.end, region.person.end);
            regions.push(region);
        }
        regions
    }

    fn settle(&self, region: &Region, merged: &mut Merged) {
        let undo = &self.to_undo[region.undo.clone()];
        let person = &self.to_person[region.person.clone()];
        let wanted = render(&self.base, &region.base, undo, &self.undo);
        let now = render(&self.base, &region.base, person, &self.person);
        if undo.is_empty() {
            merged.text.push_str(&now);
            return;
        }
        let text = if person.is_empty() || wanted == now {
            Some(wanted.clone())
        } else {
            self.lines_only(region, undo, person)
                .or_else(|| words_only(&wanted, &self.base[region.base.clone()].concat(), &now))
        };
        match text {
            Some(text) => {
                merged.undone += undo.len();
                merged.text.push_str(&text);
            }
            None => {
                merged.clashes.push(Clash {
                    line: lines(&merged.text).len() + 1,
                    before: wanted,
                    after: self.base[region.base.clone()].concat(),
                    now: now.clone(),
                });
                merged.text.push_str(&now);
            }
        }
    }

    /// Undo only takes whole lines away; the person only added or took away whole lines.
    fn lines_only(&self, region: &Region, undo: &[Hunk], person: &[Hunk]) -> Option<String> {
        let plain = undo.iter().all(|hunk| hunk.new.is_empty())
            && person
                .iter()
                .all(|hunk| hunk.new.is_empty() || hunk.old.is_empty());
        if !plain {
            return None;
        }
        let mut text = String::new();
        for at in region.base.start..=region.base.end {
            for hunk in person.iter().filter(|hunk| hunk.old.start == at) {
                text.extend(self.person[hunk.new.clone()].iter().copied());
            }
            let gone = |hunk: &Hunk| hunk.old.contains(&at);
            if at < region.base.end && !undo.iter().any(gone) && !person.iter().any(gone) {
                text.push_str(self.base[at]);
            }
        }
        Some(text)
    }
}

/// The same question one grain finer, line by line: only if each line is still the same line on all
/// sides, and the words that the run changed do not touch those that the person changed.
fn words_only(undo: &str, base: &str, person: &str) -> Option<String> {
    let [undo, base, person] = [undo, base, person].map(lines);
    if undo.len() != base.len() || person.len() != base.len() {
        return None;
    }
    (0..base.len())
        .map(|at| words_of_line(undo[at], base[at], person[at]))
        .collect()
}

fn words_of_line(undo: &str, base: &str, person: &str) -> Option<String> {
    let sides = Sides::new(words(undo), words(base), words(person));
    let mut text = String::new();
    let mut done = 0;
    let mut last_was_undo = None;
    for region in sides.regions() {
        let undo = &sides.to_undo[region.undo.clone()];
        let person = &sides.to_person[region.person.clone()];
        let is_undo = !undo.is_empty();
        let touches = region.base.start == done && last_was_undo == Some(!is_undo);
        if touches || is_undo && !person.is_empty() {
            return None;
        }
        text.extend(sides.base[done..region.base.start].iter().copied());
        let (hunks, side) = if is_undo {
            (undo, &sides.undo)
        } else {
            (person, &sides.person)
        };
        text.push_str(&render(&sides.base, &region.base, hunks, side));
        done = region.base.end;
        last_was_undo = Some(is_undo);
    }
    text.extend(sides.base[done..].iter().copied());
    Some(text)
}

/// Earlier first; at the same place what puts something in comes before what takes something away.
fn order(range: &Range<usize>) -> (usize, bool) {
    (range.start, !range.is_empty())
}

/// Whether a later hunk has to do with a region: they share a piece, or one puts something in
/// strictly inside the other. Side by side is not enough, and neither is putting something in at the
/// same place: then both are kept.
fn meet(region: &Range<usize>, hunk: &Range<usize>) -> bool {
    hunk.start < region.end && (region.start < hunk.start || !hunk.is_empty() && !region.is_empty())
}

/// One side's text of a stretch of the base.
fn render(base: &[&str], range: &Range<usize>, hunks: &[Hunk], side: &[&str]) -> String {
    let mut text = String::new();
    let mut done = range.start;
    for hunk in hunks {
        text.extend(base[done..hunk.old.start].iter().copied());
        text.extend(side[hunk.new.clone()].iter().copied());
        done = hunk.old.end;
    }
    text.extend(base[done..range.end].iter().copied());
    text
}
