//! A document with its gate and its touch book: what a room owns.

use std::collections::BTreeSet;

use crate::book::Book;
use crate::gate::{Arrival, Gate, blob_spans, check_counters, sheltered};
use crate::holds::Ties;
use crate::observe::{Before, observe};
use crate::rollback::{self, RollbackRequest, RolledBack};
use crate::touch::{Hold, TouchKind};
use crate::{
    CanvasDoc, Change, DocError, ElementId, PeerId, PeerSpan, Refusal, RunId, Touch, TouchKey,
    WriteKind,
};

/// The single owner of one page. Every change of the page goes through [`GuardedPage::admit`] or
/// [`GuardedPage::rollback`].
pub struct GuardedPage {
    doc: CanvasDoc,
    gate: Gate,
    book: Book,
}

/// Says what a writer may do: it sees the inspected changes and the document as it is before them.
pub type Judge<'a> = dyn FnMut(&[Change], &CanvasDoc) -> Result<(), Refusal> + 'a;

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

/// What letting a run stand did to the book.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Settled {
    /// Rows of other runs to store again.
    pub touches: Vec<Touch>,
    /// Rows to drop.
    pub forgotten: Vec<TouchKey>,
}

/// How the registers of an update are to be taken.
#[derive(Clone, Copy)]
enum Intent {
    AsWritten,
    Derived,
}

impl Intent {
    fn mark(self, mut changes: Vec<Change>) -> Vec<Change> {
        if matches!(self, Self::Derived) {
            let writes = changes.iter_mut().flat_map(|change| &mut change.writes);
            for write in writes.filter(|write| write.kind == WriteKind::Register) {
                write.derived = true;
            }
        }
        changes
    }
}

impl GuardedPage {
    /// A page and the stored rows of its pending runs.
    pub fn open(doc: CanvasDoc, touches: Vec<Touch>) -> Result<Self, DocError> {
        let gate = sheltered(|| Gate::new(&doc))
            .map_err(|_| DocError::Unreadable("the document cannot be copied".to_owned()))?;
        Ok(Self {
            gate,
            book: Book::from_rows(touches),
            doc,
        })
    }

    pub fn doc(&self) -> &CanvasDoc {
        &self.doc
    }

    /// Every row of every pending run.
    pub fn touches(&self) -> impl Iterator<Item = &Touch> {
        self.book.rows()
    }

    /// Check an update and merge it. A refusal, the gate's or the judge's, leaves everything as it
    /// was.
    pub fn admit(&mut self, blob: &[u8], judge: &mut Judge<'_>) -> Result<Admitted, Refusal> {
        self.admit_as(blob, judge, Intent::AsWritten)
    }

    /// The same for the house's own upkeep, such as arrows that follow what a rollback put back:
    /// none of its registers counts as touched.
    pub fn admit_derived(
        &mut self,
        blob: &[u8],
        judge: &mut Judge<'_>,
    ) -> Result<Admitted, Refusal> {
        self.admit_as(blob, judge, Intent::Derived)
    }

    fn admit_as(
        &mut self,
        blob: &[u8],
        judge: &mut Judge<'_>,
        intent: Intent,
    ) -> Result<Admitted, Refusal> {
        let spans = blob_spans(blob)?;
        if check_counters(&self.doc, &spans)? == Arrival::Known {
            return Ok(Admitted {
                spans,
                changes: Vec::new(),
                elements: BTreeSet::new(),
                touches: Vec::new(),
                already_known: true,
            });
        }
        let judged = self
            .gate
            .try_blob(blob, &spans, &self.doc)
            .map(|changes| intent.mark(changes))
            .and_then(|changes| judge(&changes, &self.doc).map(|()| changes));
        let changes = match judged {
            Ok(changes) => changes,
            Err(refusal) => {
                self.gate.reset(&self.doc);
                return Err(refusal);
            }
        };
        let before = Before::read(&changes, &self.doc, &self.book);
        if !matches!(sheltered(|| self.doc.import(blob)), Ok(Ok(_))) {
            // The gate took the very same bytes in; what it holds is the document from here on.
            self.doc = self.gate.fork_replica();
        }
        observe(&mut self.book, &changes, before, &self.doc);
        self.gate.accepted(&self.doc);
        let (touches, _) = self.book.take_changes();
        Ok(Admitted {
            spans,
            elements: changes
                .iter()
                .flat_map(|change| change.writes.iter().map(|write| write.element.clone()))
                .collect(),
            changes,
            touches,
            already_known: false,
        })
    }

    /// Take back a run, a part of it, or an unfinished action of it, as one commit by `author`.
    /// Nobody else's work goes with it; what stayed, and for whom, is in the answer.
    pub fn rollback(
        &mut self,
        author: PeerId,
        what: &RollbackRequest,
    ) -> Result<RolledBack, DocError> {
        let plan = rollback::plan(&self.book, &self.doc, what);
        let (book, rolled_back) = plan.apply(&self.doc, author)?;
        self.book = book;
        if let Some(commit) = &rolled_back.commit {
            self.gate.follow(&commit.update, &self.doc);
        }
        Ok(rolled_back)
    }

    /// The run is kept: its touches stop being pending and can no longer be undone.
    pub fn settle(&mut self, run: &RunId) -> Settled {
        let rows: Vec<Touch> = self
            .book
            .rows()
            .filter(|row| row.run == *run && !row.is_orphaned())
            .cloned()
            .collect();
        for row in rows.iter().filter(|row| !row.derived) {
            self.hold_for(row);
        }
        let keys: BTreeSet<TouchKey> = rows.iter().map(Touch::key).collect();
        rollback::stand(&mut self.book, &self.doc, &keys);
        if self.book.rows().any(Touch::is_orphaned) {
            let ties = Ties::read(&self.doc, &Default::default());
            rollback::forget_held_orphans(&mut self.book, &ties, &self.doc, &BTreeSet::new());
        }
        let (touches, forgotten) = self.book.take_changes();
        Settled { touches, forgotten }
    }

    /// What a kept run touched, it holds from now on as anybody would.
    fn hold_for(&mut self, row: &Touch) {
        let Some(mut creation) = self.book.creation(&row.element).cloned() else {
            return;
        };
        if creation.run == row.run && !creation.is_orphaned() {
            return;
        }
        if let TouchKind::Created { held, .. } = &mut creation.kind {
            held.get_or_insert_with(|| Hold {
                property: row.property.clone(),
                by: row.peer,
            });
            self.book.put(creation);
        }
    }

    /// The elements that a pending run has touched.
    pub fn touched_elements(&self, run: &RunId) -> BTreeSet<ElementId> {
        self.book
            .rows()
            .filter(|row| row.run == *run && !row.is_orphaned())
            .map(|row| row.element.clone())
            .collect()
    }

    /// Get ready for the next refusal. Call it off the hot path after one: a refusal spends the
    /// spare gate, and without a spare the next one has to copy the document first.
    pub fn tend(&mut self) {
        self.gate.tend(&self.doc);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::{Edit, RunTag};

    fn equal(page: &GuardedPage) {
        assert_eq!(page.gate.replica().version(), page.doc.version());
        assert_eq!(page.gate.replica().elements(), page.doc.elements());
    }

    #[test]
    fn the_gate_equals_the_document_after_admitting_refusing_and_rolling_back() {
        let mut page = GuardedPage::open(CanvasDoc::new(), Vec::new()).unwrap();
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
                equal(&page);
            }
            page.admit(&commit.update, &mut |_, _| Ok(())).unwrap();
            equal(&page);
            if action % 10 == 9 {
                let request = RollbackRequest::action("run_1".into(), action);
                page.rollback(6, &request).unwrap();
                equal(&page);
            }
            if action % 20 == 0 {
                page.tend();
            }
        }
    }
}
