//! Taking back what a run did, or keeping it.

use std::collections::BTreeSet;

use glade_canvas::derive;
use glade_doc::{DocError, ElementId, RollbackRequest, RolledBack, RunId, Touch};

use crate::merging::{Author, SERVER};
use crate::output::{KeptFor, UndoReport};
use crate::room::Room;

impl Room {
    /// Undoes a run or a part of it. What others did since stays, and is reported.
    pub(crate) fn undo_part(&mut self, mut what: RollbackRequest) -> Result<UndoReport, DocError> {
        let whole = what.elements.is_none() && what.actions.is_none();
        what.elements = what.elements.map(|chosen| self.with_labels(chosen));
        let undone = self.document.guarded.undo(self.server_peer, &what)?;
        let report = self.rolled_back(&what.run, undone, Some(&what.run));
        if whole || report.remaining.is_empty() {
            self.suggestions.end(&what.run);
        }
        Ok(report)
    }

    /// Takes the undos of a run back. What others did since stays, and is reported.
    pub(crate) fn reopen(&mut self, run: &RunId) -> Result<UndoReport, DocError> {
        let reopened = self.document.guarded.reopen(self.server_peer, run)?;
        Ok(self.rolled_back(run, reopened, Some(run)))
    }

    /// Who selects a shape selects the words in it.
    fn with_labels(&mut self, mut chosen: BTreeSet<ElementId>) -> BTreeSet<ElementId> {
        self.document.show();
        let scene = self.document.read_scene();
        let labels: Vec<ElementId> = chosen
            .iter()
            .filter_map(|shape| Some(scene.label_of(shape)?.id.clone()))
            .collect();
        chosen.extend(labels);
        chosen
    }

    /// Undoes what a run did after its action number `last`.
    pub(crate) fn undo_after(&mut self, run: &RunId, last: u32) -> Result<UndoReport, DocError> {
        self.roll_back(&RollbackRequest {
            run: run.clone(),
            actions: Some(last.saturating_add(1)..=u32::MAX),
            elements: None,
        })
    }

    /// A run, or a part of it, is kept: it is no longer pending. Answers which elements are left to keep or undo.
    pub(crate) fn keep_part(&mut self, mut what: RollbackRequest) -> BTreeSet<ElementId> {
        self.suggestions.end(&what.run);
        what.elements = what.elements.map(|chosen| self.with_labels(chosen));
        match self.document.guarded.settle_words(self.server_peer, &what) {
            Ok(Some(commit)) => self.publish(&commit, &[], &[]),
            Ok(None) => {}
            Err(error) => {
                tracing::error!(page = %self.page, %error, "kept words still look pending");
            }
        }
        let settled = self.document.guarded.settle_part(&what);
        self.publish_touches(&settled.touches, &settled.forgotten);
        self.document.guarded.touched_elements(&what.run)
    }

    /// What a run did here and nobody has decided about, by element.
    pub(crate) fn touches(&self, run: &RunId) -> Vec<Touch> {
        self.document.guarded.touches_of(run).cloned().collect()
    }

    pub(crate) fn roll_back(&mut self, request: &RollbackRequest) -> Result<UndoReport, DocError> {
        let rolled = self.document.guarded.rollback(self.server_peer, request)?;
        Ok(self.rolled_back(&request.run, rolled, None))
    }

    /// A rollback was carried out: it is stored, told, and what follows from it computed. Its operations
    /// belong to `span_of`; what is cancelled has never been, and belongs to no run.
    fn rolled_back(
        &mut self,
        run: &RunId,
        rolled: RolledBack,
        span_of: Option<&RunId>,
    ) -> UndoReport {
        match &rolled.commit {
            Some(commit) => {
                self.publish_as(span_of, commit, &rolled.touches, &rolled.forgotten);
            }
            None => self.publish_touches(&rolled.touches, &rolled.forgotten),
        }
        self.rederive(&rolled.undone);
        let kept = rolled
            .kept
            .into_iter()
            .map(|kept| KeptFor {
                by: self.subject_of(kept.by),
                what: kept.what,
                property: kept.property,
            })
            .collect();
        UndoReport {
            undone: rolled.undone,
            kept,
            remaining: self.document.guarded.touched_elements(run),
        }
    }

    /// Arrows and labels follow what a rollback put back.
    fn rederive(&mut self, changed: &BTreeSet<ElementId>) {
        if !self.document.doc().surface().has_shapes() {
            return; // nothing about a block follows from another
        }
        self.document.show();
        let edits = derive(&self.document.read_scene(), changed);
        if edits.is_empty() {
            return;
        }
        let peer = self.server_peer;
        let commit = match self.document.whole_replica().commit(peer, None, &edits) {
            Ok(Some(commit)) => commit,
            Ok(None) => return,
            Err(error) => {
                tracing::error!(page = %self.page, %error, "derived geometry could not be written");
                return self.document.replica.forget();
            }
        };
        let author = Author {
            subject: SERVER,
            capability: None,
            run: None,
            conn: None,
        };
        if let Err(refusal) = self.submit(&author, &commit.update) {
            tracing::error!(page = %self.page, %refusal, "derived geometry was refused");
            self.document.replica.forget();
        }
    }
}
