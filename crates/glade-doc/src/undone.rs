//! What undoing did, so that it can be taken back.
//!
//! An undo is written down like a change of its own: rows in an index beside that of the pending runs,
//! under the run's name. In it everybody else's later write counts, that of another run as well, and
//! bringing the run back is rolling these rows back. What the run had made is then pending again.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::inspect::inspect;
use crate::observe::{Before, observe};
use crate::rollback::{self, Plan, Planned, RollbackRequest, RolledBack};
use crate::schema::{IS_DELETED, TEXT};
use crate::text::PENDING;
use crate::texts;
use crate::touch::TouchKind;
use crate::touch_index::TouchIndex;
use crate::{
    Change, Commit, DocError, ElementId, GuardedPage, PageDoc, PeerId, PeerSpan, RunId, RunTag,
    Touch, TouchKey, WriteKind,
};

/// The action number of the rows that say what an undo did. No action of a run has it.
pub const OF_UNDO: u32 = u32::MAX;

/// What was brought back is one change, by whatever actions it was made at first.
const BROUGHT_BACK: u32 = 1;

/// So many undone runs of a page can be brought back. Those undone first are let go first.
const MOST: usize = 20;

/// In this index the `step` of a row says which undo of the page it belongs to, and the creation of
/// an element that an undo deleted it.
#[derive(Debug, Default)]
pub(crate) struct Undone {
    index: TouchIndex,
}

impl Undone {
    pub fn from_rows(rows: Vec<Touch>) -> Self {
        Self {
            index: TouchIndex::from_rows(rows),
        }
    }

    pub fn rows(&self) -> impl Iterator<Item = &Touch> {
        self.index.rows()
    }

    pub fn of_run(&self, run: &RunId) -> impl Iterator<Item = &Touch> {
        self.index.of_run(run)
    }

    /// Whether changes write to what an undo wrote to.
    pub fn is_concerned(&self, changes: &[Change]) -> bool {
        let mut writes = changes.iter().flat_map(|change| &change.writes);
        !self.is_empty()
            && writes.any(|write| self.index.of_element(&write.element).next().is_some())
    }

    /// What the index needs to know of the page before changes of anybody's; `None`: nothing.
    pub fn before(&self, changes: &[Change], doc: &PageDoc) -> Option<Before> {
        self.is_concerned(changes)
            .then(|| Before::read(changes, doc, &self.index))
    }

    /// Anybody's changes were merged. Here those of pending runs are no different from others.
    pub fn observe(&mut self, changes: &[Change], before: Before, doc: &PageDoc) {
        let mut changes = changes.to_vec();
        changes.iter_mut().for_each(|change| change.tag = None);
        observe(&mut self.index, &changes, before, doc);
    }

    pub fn is_empty(&self) -> bool {
        self.index.is_empty()
    }

    /// The rows to store and the rows to drop since this was last asked.
    pub fn take_changes(&mut self) -> (Vec<Touch>, Vec<TouchKey>) {
        self.index.take_changes()
    }

    /// The run is settled otherwise: nothing of it comes back.
    pub fn forget(&mut self, run: &RunId) {
        let keys: Vec<_> = self.of_run(run).map(Touch::key).collect();
        keys.iter().for_each(|key| self.index.forget(key));
    }

    /// An undo of `run` was carried out.
    fn record(&mut self, run: &RunId, undo: Carried, doc: &PageDoc) {
        let last = self.rows().map(|row| row.step).max().unwrap_or(0);
        let tag = RunTag {
            run: run.clone(),
            step: last.saturating_add(1),
            action: OF_UNDO,
        };
        for (element, property) in undo.planned.registers.keys() {
            for layer in self.index.layers(element, property).layers {
                if layer.key.run != *run {
                    self.index.cover(&layer.key, undo.author);
                }
            }
        }
        observe(&mut self.index, &undo.tagged(&tag), undo.before, doc);
        for element in undo.planned.deleted {
            let deletes = |row: &Touch| row.run == *run && row.property == IS_DELETED;
            let deleted = self.index.of_element(&element).find(|row| deletes(row));
            if let Some(row) = deleted.cloned() {
                self.index.put(created(row));
            }
        }
        self.let_go_of_the_oldest();
    }

    fn let_go_of_the_oldest(&mut self) {
        let mut runs: BTreeMap<&RunId, u32> = BTreeMap::new();
        for row in self.rows() {
            let last = runs.entry(&row.run).or_default();
            *last = row.step.max(*last);
        }
        let mut runs: Vec<(u32, RunId)> = runs
            .into_iter()
            .map(|(run, last)| (last, run.clone()))
            .collect();
        runs.sort();
        for (_, run) in runs.iter().rev().skip(MOST) {
            self.forget(run);
        }
    }
}

/// The row of the making of the element that `row` is about.
fn created(row: Touch) -> Touch {
    Touch {
        property: String::new(),
        derived: false,
        kind: TouchKind::Created {
            held: None,
            orphaned: false,
        },
        ..row
    }
}

/// A rollback that was carried out, as it is needed to write it down.
struct Carried {
    author: PeerId,
    changes: Vec<Change>,
    before: Before,
    planned: Planned,
    /// The registers that the run only derived.
    derived: BTreeSet<(ElementId, String)>,
}

impl Carried {
    fn tagged(&self, tag: &RunTag) -> Vec<Change> {
        let mut changes = self.changes.clone();
        for change in &mut changes {
            change.tag = Some(tag.clone());
            for write in &mut change.writes {
                let register = (write.element.clone(), write.property.clone());
                write.derived =
                    write.kind == WriteKind::Register && self.derived.contains(&register);
            }
        }
        changes
    }
}

impl GuardedPage {
    /// [`GuardedPage::rollback`] that [`GuardedPage::reopen`] can take back.
    pub fn undo(&mut self, author: PeerId, what: &RollbackRequest) -> Result<RolledBack, DocError> {
        let derived = derived_of(self.touch_index.of_run(&what.run));
        let note = |plan: &Plan<'_>| (plan.planned(), plan.before());
        let (mut rolled_back, (planned, before)) = self.roll_back(author, what, note)?;
        if let Some(commit) = &rolled_back.commit {
            let changes = changes_of(&self.doc, commit)?;
            let undo = Carried {
                author,
                changes,
                before,
                planned,
                derived,
            };
            self.undone.record(&what.run, undo, &self.doc);
        }
        rolled_back.add(self.undone.take_changes());
        Ok(rolled_back)
    }

    /// Takes the undos of a run back, as one commit by `author`: it is pending again. What anybody
    /// changed since stays, and is in the answer. Without an undo that is known here nothing happens.
    pub fn reopen(&mut self, author: PeerId, run: &RunId) -> Result<RolledBack, DocError> {
        self.catch_up();
        let derived = derived_of(self.undone.of_run(run));
        let is_creation = |row: &&Touch| matches!(row.kind, TouchKind::Created { .. });
        let made: Vec<Touch> = self
            .undone
            .of_run(run)
            .filter(is_creation)
            .cloned()
            .collect();
        let (doc, references) = (&self.doc, &mut self.references);
        let (mut brought_back, planned, before) = self.undone.index.try_changing(|index| {
            made.iter().for_each(|row| index.forget(&row.key()));
            let what = RollbackRequest::whole(run.clone());
            let plan = rollback::plan(index, doc, &what, references).still_pending();
            let (planned, before) = (plan.planned(), plan.before());
            let brought_back = plan.apply(doc, author)?;
            Ok::<_, DocError>((brought_back, planned, before))
        })?;
        let back = |row: &&Touch| {
            let deleted = planned
                .registers
                .get(&(row.element.clone(), IS_DELETED.to_owned()));
            deleted.is_some_and(|deleted| *deleted != Value::Bool(true))
        };
        for row in made.iter().filter(back) {
            self.pend_creation(row);
        }
        self.adopt_orphans(run);
        if let Some(commit) = &brought_back.commit {
            self.follow(commit);
            let carried = Carried {
                author,
                changes: changes_of(&self.doc, commit)?,
                before,
                planned,
                derived,
            };
            let tag = RunTag {
                run: run.clone(),
                step: 1,
                action: BROUGHT_BACK,
            };
            let changes = carried.tagged(&tag);
            observe(&mut self.touch_index, &changes, carried.before, &self.doc);
        }
        brought_back.add(self.touch_index.take_changes());
        Ok(brought_back)
    }

    /// An element that a run made is there again. On a text page the run's words in it are still
    /// marked as pending.
    fn pend_creation(&mut self, undone: &Touch) {
        let row = Touch {
            step: 1,
            action: BROUGHT_BACK,
            ..undone.clone()
        };
        if self.doc.surface().has_styled_words() {
            let pending = Value::from(row.run.as_str());
            let mut inserted = Vec::new();
            for glyph in texts::visible(self.doc.text(&row.element).as_ref()) {
                if glyph.marks.get(PENDING) == Some(&pending) {
                    texts::add_char(&mut inserted, glyph.id);
                }
            }
            let deleted = Vec::new();
            self.touch_index.put(Touch {
                property: TEXT.to_owned(),
                kind: TouchKind::Text { inserted, deleted },
                ..row.clone()
            });
        }
        self.touch_index.put(row);
    }

    /// What only waited for another run since its own was undone is its own run's again.
    fn adopt_orphans(&mut self, run: &RunId) {
        let orphans = self.touch_index.orphaned().filter(|row| row.run == *run);
        for mut row in orphans.cloned().collect::<Vec<_>>() {
            if let TouchKind::Created { orphaned, .. } = &mut row.kind {
                *orphaned = false;
            }
            self.touch_index.put(row);
        }
    }
}

fn derived_of<'a>(rows: impl Iterator<Item = &'a Touch>) -> BTreeSet<(ElementId, String)> {
    let (derived, deliberate): (Vec<_>, Vec<_>) = rows.partition(|row| row.derived);
    let register = |row: &Touch| (row.element.clone(), row.property.clone());
    let deliberate: BTreeSet<_> = deliberate.into_iter().map(register).collect();
    let derived = derived.into_iter().map(register);
    derived.filter(|it| !deliberate.contains(it)).collect()
}

/// What a commit of the server's own did.
pub(crate) fn changes_of(doc: &PageDoc, commit: &Commit) -> Result<Vec<Change>, DocError> {
    let span = PeerSpan {
        peer: commit.peer,
        from: commit.from,
        to: commit.to,
    };
    let inspected = inspect(doc, &[span]);
    let inspected = inspected.map_err(|refusal| DocError::Loro(refusal.to_string()))?;
    Ok(inspected.changes)
}
