//! The way into a page: judging updates, one by one or several in a turn, and merging them.

use std::collections::{BTreeMap, BTreeSet};

use loro::Frontiers;

use crate::derived;
use crate::gate::{Novelty, check_counters, is_foreseen, is_plain, take_in};
use crate::header::blob_spans;
use crate::observe::{Before, observe};
use crate::page_load::Brought;
use crate::panics::{catching_panics, discard_refused};
use crate::{
    Change, ElementId, GuardedPage, PageDoc, PeerSpan, Refusal, RunTag, Surface, Touch, WriteKind,
};
use crate::{formulas, lines, strokes, tables};

/// An update that came in.
#[derive(Debug, Clone)]
pub struct IncomingUpdate<'a> {
    pub blob: &'a [u8],
    /// What [`blob_spans`] says of it.
    pub spans: Vec<PeerSpan>,
    /// Whether its judge looks at the page as it was before it.
    pub reads_page: bool,
}

/// [`Judge`] for one of several.
pub type JudgeOfMany<'a> = dyn FnMut(usize, &[Change], &PageDoc) -> Result<(), Refusal> + 'a;

/// How the document merges.
#[derive(Clone, Copy)]
enum Merging {
    WithState,
    /// History now, state when somebody looks. Only for what cannot fail then: plain updates, which
    /// set registers of maps that are there.
    LaterState,
}

/// Updates that were judged and wait to be merged together. None of them changes what the judging
/// of the next depends on.
#[derive(Default)]
struct Batch<'a> {
    outcomes: Vec<Option<Result<Admitted, Refusal>>>,
    waiting: Vec<JudgedUpdate<'a>>,
}

struct JudgedUpdate<'a> {
    /// Where its outcome goes.
    at: usize,
    blob: &'a [u8],
    spans: Vec<PeerSpan>,
    changes: Vec<Change>,
    brought: Brought,
}

impl Admitted {
    fn known(spans: Vec<PeerSpan>) -> Self {
        Self {
            spans,
            changes: Vec::new(),
            elements: BTreeSet::new(),
            touches: Vec::new(),
            already_known: true,
        }
    }
}

/// Says what a writer may do: it sees the inspected changes and the document as it is before them.
pub type Judge<'a> = dyn FnMut(&[Change], &PageDoc) -> Result<(), Refusal> + 'a;

/// [`Judge`] that also sees the document as it would be after them, on a canvas.
pub type Comparing<'a> = dyn FnMut(&[Change], &PageDoc, &PageDoc) -> Result<(), Refusal> + 'a;

/// What an admitted update did.
#[derive(Debug, Clone, PartialEq)]
pub struct Admitted {
    pub spans: Vec<PeerSpan>,
    pub changes: Vec<Change>,
    pub elements: BTreeSet<ElementId>,
    /// Rows to store, new or changed. Admitting never drops a row.
    pub touches: Vec<Touch>,
    /// All of it had been merged before; nothing happened.
    pub already_known: bool,
}

/// How an update is to be taken.
#[derive(Clone, Copy)]
enum Intent<'a> {
    AsWritten,
    Derived,
    /// As a part of a run, whether it says so or not.
    Pending(&'a RunTag),
}

impl Intent<'_> {
    fn mark(self, mut changes: Vec<Change>) -> Vec<Change> {
        match self {
            Self::AsWritten => {}
            Self::Derived => {
                let writes = changes.iter_mut().flat_map(|change| &mut change.writes);
                for write in writes.filter(|write| write.kind == WriteKind::Register) {
                    write.derived = true;
                }
            }
            Self::Pending(tag) => {
                // One that claims another run is for the judge to refuse.
                let silent = |change: &&mut Change| change.tag.is_none();
                let draws = |change: &&mut Change| !change.writes.is_empty();
                for change in changes.iter_mut().filter(silent).filter(draws) {
                    change.tag = Some(tag.clone());
                }
            }
        }
        changes
    }
}

fn before_only<'a>(
    judge: &'a mut Judge<'_>,
) -> impl FnMut(&[Change], &PageDoc, &PageDoc) -> Result<(), Refusal> + 'a {
    |changes, before, _after| judge(changes, before)
}

impl GuardedPage {
    /// Check an update and merge it. A refusal, the gate's or the judge's, leaves everything as it
    /// was.
    pub fn admit(&mut self, blob: &[u8], judge: &mut Judge<'_>) -> Result<Admitted, Refusal> {
        self.admit_as(blob, &mut before_only(judge), Intent::AsWritten)
    }

    /// The same with a judge that compares before and after.
    pub fn admit_comparing(
        &mut self,
        blob: &[u8],
        judge: &mut Comparing<'_>,
    ) -> Result<Admitted, Refusal> {
        self.admit_as(blob, judge, Intent::AsWritten)
    }

    /// The same for the server's own upkeep, such as arrows that follow what a rollback put back:
    /// none of its registers counts as touched.
    pub fn admit_derived(
        &mut self,
        blob: &[u8],
        judge: &mut Judge<'_>,
    ) -> Result<Admitted, Refusal> {
        self.admit_as(blob, &mut before_only(judge), Intent::Derived)
    }

    /// The same for somebody who may only suggest: what it draws is taken as a part of the run in
    /// `tag`, so that it is pending and can be undone.
    pub fn admit_pending(
        &mut self,
        blob: &[u8],
        tag: &RunTag,
        judge: &mut Comparing<'_>,
    ) -> Result<Admitted, Refusal> {
        self.admit_as(blob, judge, Intent::Pending(tag))
    }

    /// Check several updates, in order, and merge those that pass: the same as one after the
    /// other, and cheaper. `judge` is told which it is asked about. The document that it sees may
    /// lack the updates just before, unless the update says that it reads it.
    pub fn admit_all(
        &mut self,
        updates: &[IncomingUpdate<'_>],
        judge: &mut JudgeOfMany<'_>,
    ) -> Vec<Result<Admitted, Refusal>> {
        let mut batch = Batch::default();
        for (at, update) in updates.iter().enumerate() {
            let mut judge =
                |changes: &[Change], doc: &PageDoc, _: &PageDoc| judge(at, changes, doc);
            let outcome = self.admit_into(&mut batch, update, &mut judge, Intent::AsWritten);
            batch.outcomes.push(outcome);
        }
        self.merge(&mut batch);
        batch
            .outcomes
            .into_iter()
            .map(|outcome| outcome.unwrap_or_else(|| Err(Refusal::unsound("it was not reached"))))
            .collect()
    }

    fn admit_as(
        &mut self,
        blob: &[u8],
        judge: &mut Comparing<'_>,
        intent: Intent<'_>,
    ) -> Result<Admitted, Refusal> {
        let update = IncomingUpdate {
            blob,
            spans: blob_spans(blob)?,
            reads_page: true,
        };
        let mut batch = Batch::default();
        let outcome = self.admit_into(&mut batch, &update, judge, intent);
        batch.outcomes.push(outcome);
        self.merge(&mut batch);
        let outcome = batch.outcomes.pop().flatten();
        outcome.unwrap_or_else(|| Err(Refusal::unsound("it was not reached")))
    }

    /// Judges one update, and merges it or adds it to the batch. `None` if its outcome is known
    /// when the batch is merged.
    fn admit_into<'b>(
        &mut self,
        batch: &mut Batch<'b>,
        update: &IncomingUpdate<'b>,
        judge: &mut Comparing<'_>,
        intent: Intent<'_>,
    ) -> Option<Result<Admitted, Refusal>> {
        let blob = update.blob;
        let spans = update.spans.clone();
        if !self.gate.is_made() {
            // It will be a copy of the document.
            self.catch_up();
        }
        let counted = self
            .gate
            .replica(&self.doc)
            .and_then(|replica| check_counters(replica, &spans));
        match counted {
            Ok(Novelty::New) => {}
            Ok(Novelty::AlreadyKnown) => return Some(Ok(Admitted::known(spans))),
            Err(refusal) => return Some(Err(refusal)),
        }
        let judged = self
            .gate
            .try_blob(blob, &spans, &self.doc)
            .and_then(|tried| {
                let mut changes = tried.changes;
                if batch.waiting.is_empty() && !self.doc.loro().is_detached() {
                    self.load.seen();
                }
                let shapes = self.doc.surface().has_shapes();
                let decided = if shapes {
                    strokes::outcome(&changes, &self.doc)
                } else {
                    BTreeMap::new()
                };
                let large =
                    strokes::any_large(&decided) || (!shapes && tables::any_parts(&changes));
                let mut brought = Brought::of(&changes, &self.doc, &decided);
                drop(decided);
                let again = self.load.is_unseen(&brought);
                let alone = update.reads_page
                    || large
                    || self.load.is_heavy(&brought)
                    || again
                    || !tried.sound
                    || !self.touch_index.is_empty()
                    || self.undone.is_concerned(&changes)
                    || !is_plain(&changes, &self.doc);
                let mut doubtful = BTreeSet::new();
                if alone {
                    self.merge(batch);
                    self.catch_up();
                    self.load.seen();
                    match self.doc.surface() {
                        Surface::Canvas if large => strokes::check(&changes, &self.doc)?,
                        Surface::Canvas => {}
                        Surface::Text => {
                            tables::check(&changes, &self.doc)?;
                            lines::check(&changes, &self.doc)?;
                            doubtful = formulas::check(&changes, &self.doc)?;
                        }
                    }
                    if again {
                        let decided = strokes::outcome(&changes, &self.doc);
                        brought = Brought::of(&changes, &self.doc, &decided);
                    }
                    if !matches!(intent, Intent::Derived) {
                        self.load.check(&changes, &brought, &self.doc)?;
                    }
                    // The gate's state is slow to come by, and here tells nothing that is not known.
                    let known = tried.sound && is_foreseen(&changes, &self.doc);
                    if !known || !doubtful.is_empty() {
                        self.gate
                            .check_after_merge(&mut changes, &doubtful, &self.doc)?;
                    }
                } else {
                    // None of them changes what decides this, so it is as it was.
                    derived::mark(&mut changes, &self.doc, &self.doc);
                }
                let changes = intent.mark(changes);
                // Once checked, the gate's replica shows what the changes leave.
                judge(&changes, &self.doc, self.gate.replica(&self.doc)?)?;
                Ok((changes, brought, alone))
            });
        let (changes, brought, alone) = match judged {
            Ok(judged) => judged,
            Err(refusal) => {
                self.merge(batch);
                self.catch_up();
                self.gate.reset(&self.doc);
                return Some(Err(refusal));
            }
        };
        self.load.judged(&brought);
        batch.waiting.push(JudgedUpdate {
            at: batch.outcomes.len(),
            blob,
            spans,
            changes,
            brought,
        });
        if alone {
            // Its outcome has its place among the others before the batch is merged.
            batch.outcomes.push(None);
            self.merge_as(batch, Merging::WithState);
            return batch.outcomes.pop().flatten();
        }
        None
    }

    /// The document merges the plain updates that were judged.
    fn merge(&mut self, batch: &mut Batch<'_>) {
        self.merge_as(batch, Merging::LaterState);
    }

    fn merge_as(&mut self, batch: &mut Batch<'_>, how: Merging) {
        let waiting = std::mem::take(&mut batch.waiting);
        if waiting.is_empty() {
            return;
        }
        let before = self.past_of(&waiting);
        let undone = |one: &JudgedUpdate<'_>| self.undone.before(&one.changes, &self.doc);
        let before_undone: Vec<Option<Before>> = waiting.iter().map(undone).collect();
        let before = before.into_iter().zip(before_undone);
        let blobs: Vec<&[u8]> = waiting.iter().map(|one| one.blob).collect();
        match how {
            Merging::WithState => self.catch_up(),
            Merging::LaterState => self.doc.loro().detach(),
        }
        let start = self.doc.loro().oplog_frontiers();
        let merged = blobs.iter().try_for_each(|blob| take_in(&self.doc, blob));
        let merged = match merged {
            Ok(()) if self.merge_fails() => Err(Refusal::unsound("a test says so")),
            merged => merged,
        };
        let outcomes: Vec<Result<(), Refusal>> = match merged {
            Ok(()) => blobs.iter().map(|_| Ok(())).collect(),
            Err(refusal) => self.merge_with_care(&blobs, &start, &refusal),
        };
        for ((one, (before, undone)), outcome) in waiting.into_iter().zip(before).zip(outcomes) {
            let outcome = outcome.map(|()| {
                self.load.merged(&one.brought);
                if let Some(references) = &mut self.references {
                    references.record(&one.changes);
                }
                if let Some(before) = before {
                    observe(&mut self.touch_index, &one.changes, before, &self.doc);
                }
                if let Some(before) = undone {
                    self.undone.observe(&one.changes, before, &self.doc);
                }
                let mut touches = self.touch_index.take_changes().0;
                touches.extend(self.undone.take_changes().0);
                Admitted {
                    elements: one
                        .changes
                        .iter()
                        .flat_map(|change| change.writes.iter().map(|write| write.element.clone()))
                        .collect(),
                    spans: one.spans,
                    changes: one.changes,
                    touches,
                    already_known: false,
                }
            });
            if outcome.is_ok() {
                self.gate.accepted(one.blob);
            }
            if let Some(place) = batch.outcomes.get_mut(one.at) {
                *place = Some(outcome);
            }
        }
    }

    /// What the touch index needs to know of the page before each. Where it has nothing to note,
    /// nothing.
    fn past_of(&self, waiting: &[JudgedUpdate<'_>]) -> Vec<Option<Before>> {
        let notes = |one: &JudgedUpdate<'_>| {
            !self.touch_index.is_empty() || one.changes.iter().any(|change| change.tag.is_some())
        };
        let past =
            |one| notes(one).then(|| Before::read(&one.changes, &self.doc, &self.touch_index));
        waiting.iter().map(past).collect()
    }

    /// The gate took the updates in and the document did not: one of them is damaged in a way that
    /// shows only now. Goes back to before them and finds out which.
    fn merge_with_care(
        &mut self,
        blobs: &[&[u8]],
        start: &Frontiers,
        why: &Refusal,
    ) -> Vec<Result<(), Refusal>> {
        let spare = self.gate.take_spare();
        let blank = PageDoc::blank(self.doc.surface());
        let broken = std::mem::replace(&mut self.doc, blank);
        let restored = spare.or_else(|| catching_panics(|| self.gate.at(start)).ok().flatten());
        discard_refused(Some(broken), why);
        let Some(restored) = restored else {
            // Nothing that could be trusted is left. The owner dies of this, and whoever comes
            // next reads the page from the store.
            panic!("the page is damaged in memory");
        };
        restored.show_latest();
        self.doc = restored;
        let mut outcomes = Vec::with_capacity(blobs.len());
        for blob in blobs {
            let trial = self.doc.fork();
            let tried = catching_panics(|| {
                let status = trial.loro().import(blob).map_err(|e| e.to_string())?;
                trial.loro().compact_change_store();
                match status.pending {
                    None => Ok(()),
                    Some(_) => Err("its history is missing".to_owned()),
                }
            });
            outcomes.push(match tried {
                Ok(Ok(())) => {
                    self.doc = trial;
                    Ok(())
                }
                Ok(Err(reason)) => {
                    let refusal = Refusal::unsound(reason);
                    discard_refused(Some(trial), &refusal);
                    Err(refusal)
                }
                Err(panicked) => {
                    discard_refused(Some(trial), &panicked);
                    Err(panicked)
                }
            });
        }
        self.gate.reset(&self.doc);
        outcomes
    }

    #[cfg(test)]
    fn merge_fails(&mut self) -> bool {
        std::mem::take(&mut self.next_merge_fails)
    }

    #[cfg(not(test))]
    fn merge_fails(&mut self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::{Edit, RollbackRequest};

    fn equal(page: &mut GuardedPage) {
        assert_eq!(
            page.gate.replica(&page.doc).unwrap().loro().oplog_vv(),
            page.doc.loro().oplog_vv()
        );
    }

    fn boxes(page: &mut GuardedPage, count: usize) -> PageDoc {
        let replica = page.doc.fork();
        let edits: Vec<Edit> = (0..count)
            .map(|at| Edit::Put {
                id: format!("e{at}").as_str().into(),
                props: json!({ "x": 0 }).as_object().unwrap().clone(),
            })
            .collect();
        let commit = replica.commit(1, None, &edits).unwrap().unwrap();
        page.admit(&commit.update, &mut |_, _| Ok(())).unwrap();
        replica
    }

    fn moves(replica: &PageDoc, count: i32) -> Vec<Vec<u8>> {
        (1..=count)
            .map(|x| {
                let edit = Edit::Put {
                    id: format!("e{}", x % 3).as_str().into(),
                    props: json!({ "x": x }).as_object().unwrap().clone(),
                };
                replica.commit(2, None, &[edit]).unwrap().unwrap().update
            })
            .collect()
    }

    fn incoming(blobs: &[Vec<u8>]) -> Vec<IncomingUpdate<'_>> {
        blobs
            .iter()
            .map(|blob| IncomingUpdate {
                spans: blob_spans(blob).unwrap(),
                blob,
                reads_page: false,
            })
            .collect()
    }

    #[test]
    fn a_document_that_fails_to_merge_goes_back_and_takes_what_is_sound() {
        for with_spare in [false, true] {
            let mut page = GuardedPage::open(PageDoc::new(), Vec::new()).unwrap();
            let replica = boxes(&mut page, 3);
            if with_spare {
                page.prepare_spare();
            }
            let blobs = moves(&replica, 5);
            page.next_merge_fails = true;
            let outcomes = page.admit_all(&incoming(&blobs), &mut |_, _, _| Ok(()));
            assert!(outcomes.iter().all(Result::is_ok));
            assert_eq!(page.doc().elements(), replica.elements());
            equal(&mut page);
            let more = moves(&replica, 2);
            page.admit_all(&incoming(&more), &mut |_, _, _| Ok(()));
            assert_eq!(page.doc().elements(), replica.elements());
        }
    }

    #[test]
    fn a_page_goes_on_after_a_rest() {
        let mut page = GuardedPage::open(PageDoc::new(), Vec::new()).unwrap();
        let replica = boxes(&mut page, 3);
        assert!(page.has_idle_work());
        for batch in moves(&replica, 9).chunks(2) {
            page.rest();
            assert!(!page.has_idle_work());
            let outcomes = page.admit_all(&incoming(batch), &mut |_, _, _| Ok(()));
            assert!(outcomes.iter().all(Result::is_ok));
        }
        assert_eq!(page.doc().elements(), replica.elements());
    }

    #[test]
    fn the_spare_follows_many_batches() {
        let mut page = GuardedPage::open(PageDoc::new(), Vec::new()).unwrap();
        let replica = boxes(&mut page, 3);
        page.prepare_spare();
        for batch in moves(&replica, 300).chunks(7) {
            let outcomes = page.admit_all(&incoming(batch), &mut |_, _, _| Ok(()));
            assert!(outcomes.iter().all(Result::is_ok));
        }
        let spare = page.gate.take_spare().unwrap();
        assert_eq!(spare.loro().oplog_vv(), page.doc.loro().oplog_vv());
    }

    #[test]
    fn the_gate_equals_the_document_after_admitting_refusing_and_rolling_back() {
        let mut page = GuardedPage::open(PageDoc::new(), Vec::new()).unwrap();
        for action in 0..200 {
            let replica = page.doc.fork();
            let edit = Edit::Put {
                id: format!("e{}", action % 7).as_str().into(),
                props: json!({ "x": action }).as_object().unwrap().clone(),
            };
            let tag = RunTag {
                run: "run_1".into(),
                step: 1,
                action,
            };
            let commit = replica.commit(5, Some(&tag), &[edit]).unwrap().unwrap();
            if action % 3 == 0 {
                let denied = page.admit(&commit.update, &mut |_, _| {
                    Err(Refusal::Denied {
                        code: "no",
                        reason: "no".to_owned(),
                    })
                });
                assert_eq!(denied.unwrap_err().code(), "no");
                equal(&mut page);
            }
            page.admit(&commit.update, &mut |_, _| Ok(())).unwrap();
            equal(&mut page);
            if action % 10 == 9 {
                let request = RollbackRequest::action("run_1".into(), action);
                page.rollback(6, &request).unwrap();
                equal(&mut page);
            }
            if action % 20 == 0 {
                page.prepare_spare();
            }
        }
    }
}
