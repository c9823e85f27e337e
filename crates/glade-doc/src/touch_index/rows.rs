//! The rows of an index, found by key, by run, and where they are orphaned: what a run did is a small part of a page on
//! which much waits for people.
//!
//! A change that may fail half-way can be taken back: from [`Rows::remember`] on what was there before is kept.

use std::collections::{BTreeMap, BTreeSet};

use crate::{RunId, Touch, TouchKey};

#[derive(Debug, Default)]
pub(super) struct Rows {
    rows: BTreeMap<TouchKey, Touch>,
    of_runs: BTreeMap<RunId, BTreeSet<TouchKey>>,
    orphaned: BTreeSet<TouchKey>,
    /// The rows as they were, of those that changed since.
    before: Option<BTreeMap<TouchKey, Option<Touch>>>,
}

impl Rows {
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    pub fn all(&self) -> impl Iterator<Item = &Touch> {
        self.rows.values()
    }

    pub fn get(&self, key: &TouchKey) -> Option<&Touch> {
        self.rows.get(key)
    }

    /// The rows from this key on.
    pub fn from(&self, key: TouchKey) -> impl Iterator<Item = &Touch> {
        self.rows.range(key..).map(|(_, row)| row)
    }

    pub fn of_run(&self, run: &RunId) -> impl Iterator<Item = &Touch> {
        let keys = self.of_runs.get(run).into_iter().flatten();
        keys.filter_map(|key| self.rows.get(key))
    }

    pub fn orphaned(&self) -> impl Iterator<Item = &Touch> {
        self.orphaned.iter().filter_map(|key| self.rows.get(key))
    }

    pub fn put(&mut self, row: Touch) {
        let key = row.key();
        if row.is_orphaned() {
            self.orphaned.insert(key.clone())
        } else {
            self.orphaned.remove(&key)
        };
        let of_run = self.of_runs.entry(row.run.clone()).or_default();
        of_run.insert(key.clone());
        let old = self.rows.insert(key.clone(), row);
        self.note(key, old);
    }

    /// Answers whether there was one.
    pub fn remove(&mut self, key: &TouchKey) -> bool {
        let Some(old) = self.rows.remove(key) else {
            return false;
        };
        self.orphaned.remove(key);
        if let Some(of_run) = self.of_runs.get_mut(&key.run) {
            of_run.remove(key);
            if of_run.is_empty() {
                self.of_runs.remove(&key.run);
            }
        }
        self.note(key.clone(), Some(old));
        true
    }

    fn note(&mut self, key: TouchKey, old: Option<Touch>) {
        if let Some(before) = &mut self.before {
            before.entry(key).or_insert(old);
        }
    }

    /// Begins a change that may be taken back.
    pub fn remember(&mut self) {
        self.before = Some(BTreeMap::new());
    }

    /// The change stands.
    pub fn let_go(&mut self) {
        self.before = None;
    }

    /// Takes the change back.
    pub fn restore(&mut self) {
        for (key, old) in self.before.take().unwrap_or_default() {
            match old {
                Some(row) => self.put(row),
                None => {
                    self.remove(&key);
                }
            }
        }
    }
}

impl FromIterator<Touch> for Rows {
    fn from_iter<I: IntoIterator<Item = Touch>>(rows: I) -> Self {
        let mut all = Self::default();
        rows.into_iter().for_each(|row| all.put(row));
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ElementId;
    use crate::touch::TouchKind;

    fn row(element: &str, run: &str, orphaned: bool) -> Touch {
        Touch {
            run: RunId::from(run),
            step: 1,
            action: 1,
            element: ElementId::from(element),
            property: String::new(),
            peer: 1,
            derived: false,
            kind: TouchKind::Created {
                held: None,
                orphaned,
            },
        }
    }

    fn names<'a>(rows: impl Iterator<Item = &'a Touch>) -> Vec<&'a str> {
        rows.map(|row| row.element.as_str()).collect()
    }

    #[test]
    fn rows_are_found_by_run_and_by_being_orphaned() {
        let mut rows: Rows = [row("a", "one", false), row("b", "two", true)]
            .into_iter()
            .collect();
        rows.put(row("c", "one", true));
        assert_eq!(names(rows.of_run(&RunId::from("one"))), ["a", "c"]);
        assert_eq!(names(rows.orphaned()), ["b", "c"]);
        rows.put(row("c", "one", false));
        assert!(rows.remove(&row("a", "one", false).key()));
        assert!(!rows.remove(&row("a", "one", false).key()));
        assert_eq!(names(rows.of_run(&RunId::from("one"))), ["c"]);
        assert_eq!(names(rows.orphaned()), ["b"]);
    }

    #[test]
    fn a_change_that_is_taken_back_leaves_everything_as_it_was() {
        let mut rows: Rows = [row("a", "one", false), row("b", "two", true)]
            .into_iter()
            .collect();
        rows.remember();
        rows.put(row("a", "one", true));
        rows.put(row("a", "one", false));
        rows.put(row("new", "one", true));
        rows.remove(&row("b", "two", true).key());
        rows.restore();
        assert_eq!(names(rows.all()), ["a", "b"]);
        assert_eq!(names(rows.of_run(&RunId::from("one"))), ["a"]);
        assert_eq!(names(rows.orphaned()), ["b"]);
        rows.remember();
        rows.remove(&row("b", "two", true).key());
        rows.let_go();
        rows.restore();
        assert_eq!(names(rows.all()), ["a"], "what stands is not taken back");
    }
}
