//! A document with its gate and its touch index: what a room owns.

use std::collections::BTreeSet;

use crate::dependents::{LiveReferences, ReferenceIndex, Registers};
use crate::gate::Gate;
use crate::page_load::PageLoad;
use crate::rollback::{self, Plan, RollbackRequest, RolledBack};
use crate::touch::{CharSpan, Dependent, TouchKind};
use crate::touch_index::TouchIndex;
use crate::undone::{OF_UNDO, Undone, changes_of};
use crate::{
    Admitted, Commit, DocError, ElementId, PageDoc, PeerId, RunId, Touch, TouchKey, marks,
};

/// The single owner of one page. Every change of the page goes through [`GuardedPage::admit`] or
/// [`GuardedPage::rollback`].
pub struct GuardedPage {
    pub(crate) doc: PageDoc,
    pub(crate) gate: Gate,
    pub(crate) touch_index: TouchIndex,
    pub(crate) undone: Undone,
    /// Who may be tied to what, once somebody asked.
    pub(crate) references: Option<ReferenceIndex>,
    pub(crate) load: PageLoad,
    #[cfg(test)]
    pub(crate) next_merge_fails: bool,
}

/// From so many operations on, copying a page takes long enough to be done beforehand.
const LARGE: usize = 5_000;

/// What letting a run stand did to the index.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Settled {
    /// Rows of other runs to store again.
    pub touches: Vec<Touch>,
    /// Rows to drop.
    pub forgotten: Vec<TouchKey>,
}

impl GuardedPage {
    /// A page and the stored rows of its pending runs, and of undos that can be taken back.
    pub fn open(doc: PageDoc, touches: Vec<Touch>) -> Result<Self, DocError> {
        let (undone, pending) = touches.into_iter().partition(|row| row.action == OF_UNDO);
        Ok(Self {
            gate: Gate::default(),
            touch_index: TouchIndex::from_rows(pending),
            undone: Undone::from_rows(undone),
            references: None,
            load: PageLoad::default(),
            doc,
            #[cfg(test)]
            next_merge_fails: false,
        })
    }

    pub fn doc(&self) -> &PageDoc {
        self.catch_up();
        &self.doc
    }

    /// Whether whoever wrote last had seen all that was written before.
    pub fn is_joined(&self) -> bool {
        self.doc.loro().oplog_frontiers().len() <= 1
    }

    /// Every row of every pending run, and of every undo that can be taken back.
    pub fn touches(&self) -> impl Iterator<Item = &Touch> {
        self.touch_index.rows().chain(self.undone.rows())
    }

    /// The rows of one pending run.
    pub fn touches_of(&self, run: &RunId) -> impl Iterator<Item = &Touch> {
        self.touch_index.of_run(run)
    }

    /// The same, with the rows of its undos that can be taken back.
    pub fn all_touches_of(&self, run: &RunId) -> impl Iterator<Item = &Touch> {
        self.touch_index.of_run(run).chain(self.undone.of_run(run))
    }

    /// What the document shows is brought up to date with its history.
    pub(crate) fn catch_up(&self) {
        if self.doc.loro().is_detached() {
            self.doc.show_latest();
        }
    }

    /// Take back a run, a part of it, or an unfinished action of it, as one commit by `author`.
    /// Nobody else's work goes with it; what stayed, and for whom, is in the answer.
    pub fn rollback(
        &mut self,
        author: PeerId,
        what: &RollbackRequest,
    ) -> Result<RolledBack, DocError> {
        let (mut rolled_back, before) = if self.undone.is_empty() {
            (self.roll_back(author, what, |_| ())?.0, None)
        } else {
            let (rolled_back, before) = self.roll_back(author, what, |plan| plan.before())?;
            (rolled_back, Some(before))
        };
        if let Some((commit, before)) = rolled_back.commit.as_ref().zip(before) {
            let changes = changes_of(&self.doc, commit)?;
            self.undone.observe(&changes, before, &self.doc);
            rolled_back.add(self.undone.take_changes());
        }
        Ok(rolled_back)
    }

    /// The rollback itself, with what `note` says of its plan.
    pub(crate) fn roll_back<N>(
        &mut self,
        author: PeerId,
        what: &RollbackRequest,
        note: impl FnOnce(&Plan<'_>) -> N,
    ) -> Result<(RolledBack, N), DocError> {
        self.catch_up();
        let (doc, references) = (&self.doc, &mut self.references);
        let rolled_back = self.touch_index.try_changing(|touch_index| {
            let plan = rollback::plan(touch_index, doc, what, references);
            let noted = note(&plan);
            Ok::<_, DocError>((plan.apply(doc, author)?, noted))
        })?;
        if let Some(commit) = &rolled_back.0.commit {
            self.follow(commit);
        }
        Ok(rolled_back)
    }

    /// The document has what the server itself wrote.
    pub(crate) fn follow(&mut self, commit: &Commit) {
        self.gate.follow(&commit.update, &self.doc);
        self.load.written(&commit.elements);
    }

    /// The run is kept: its touches stop being pending and can no longer be undone.
    pub fn settle(&mut self, run: &RunId) -> Settled {
        self.settle_part(&RollbackRequest::whole(run.clone()))
    }

    /// The same for a part of the run; the rest of it stays pending.
    pub fn settle_part(&mut self, what: &RollbackRequest) -> Settled {
        self.catch_up();
        let rows: Vec<Touch> = self
            .touch_index
            .of_run(&what.run)
            .filter(|row| what.asks_for(row))
            .cloned()
            .collect();
        let keys: BTreeSet<TouchKey> = rows.iter().map(Touch::key).collect();
        for row in rows.iter().filter(|row| !row.derived) {
            self.hold_for(row, &keys);
        }
        rollback::stand(&mut self.touch_index, &self.doc, &keys);
        if self.touch_index.has_orphans() {
            let references = self
                .references
                .get_or_insert_with(|| ReferenceIndex::find(&self.doc));
            let live = LiveReferences::new(&self.doc, Registers::new(), references);
            rollback::forget_held_orphans(
                &mut self.touch_index,
                &live,
                &self.doc,
                &BTreeSet::new(),
            );
        }
        let (mut touches, mut forgotten) = self.touch_index.take_changes();
        if *what == RollbackRequest::whole(what.run.clone()) {
            self.undone.forget(&what.run);
            let (changed, gone) = self.undone.take_changes();
            touches.extend(changed);
            forgotten.extend(gone);
        }
        Settled { touches, forgotten }
    }

    /// The words that a run typed on a text page and that are kept now stop being marked as pending,
    /// as one commit by `author`. `None`: there were none. To be asked before
    /// [`GuardedPage::settle_part`] forgets what it was about.
    pub fn settle_words(
        &mut self,
        author: PeerId,
        what: &RollbackRequest,
    ) -> Result<Option<Commit>, DocError> {
        if !self.doc.surface().has_styled_words() {
            return Ok(None);
        }
        self.catch_up();
        let (doc, touch_index) = (&self.doc, &self.touch_index);
        let rows = touch_index.of_run(&what.run);
        let rows: Vec<&Touch> = rows.filter(|row| what.asks_for(row)).collect();
        let blocks: BTreeSet<&ElementId> = rows.iter().map(|row| &row.element).collect();
        let commit = doc.write(author, None, doc.surface().root(), |_| {
            blocks.into_iter().try_for_each(|block| {
                let Some(text) = doc.text(block) else {
                    return Ok(());
                };
                let of_block = rows.iter().filter(|row| row.element == *block);
                let typed = typed(what, of_block);
                marks::settle(&text, what.run.as_str(), typed.as_deref())
            })
        })?;
        if let Some(commit) = &commit {
            self.follow(commit);
        }
        Ok(commit)
    }

    /// The words that an update of somebody who only suggests typed on a text page are marked as pending,
    /// as a fairy's are, as one commit by `author`. `None`: it typed none.
    pub fn pend_words(
        &mut self,
        author: PeerId,
        run: &RunId,
        admitted: &Admitted,
    ) -> Result<Option<Commit>, DocError> {
        if !self.doc.surface().has_styled_words() {
            return Ok(None);
        }
        self.catch_up();
        let doc = &self.doc;
        let spans = admitted.spans.iter().map(|span| CharSpan {
            peer: span.peer,
            from: span.from,
            to: span.to,
        });
        let typed: Vec<CharSpan> = spans.collect();
        let commit = doc.write(author, None, doc.surface().root(), |_| {
            admitted.elements.iter().try_for_each(|block| {
                let text = doc.text(block);
                text.map_or(Ok(()), |text| marks::pend(&text, run.as_str(), &typed))
            })
        })?;
        if let Some(commit) = &commit {
            self.follow(commit);
        }
        Ok(commit)
    }

    /// What a kept run touched, it holds from now on as anybody would.
    fn hold_for(&mut self, row: &Touch, kept: &BTreeSet<TouchKey>) {
        let Some(mut creation) = self.touch_index.creation(&row.element).cloned() else {
            return;
        };
        if kept.contains(&creation.key()) {
            return;
        }
        if let TouchKind::Created { held, .. } = &mut creation.kind {
            held.get_or_insert_with(|| Dependent {
                property: row.property.clone(),
                by: row.peer,
            });
            self.touch_index.put(creation);
        }
    }

    /// The elements that a pending run has touched.
    pub fn touched_elements(&self, run: &RunId) -> BTreeSet<ElementId> {
        self.touch_index
            .of_run(run)
            .filter(|row| !row.is_orphaned())
            .map(|row| row.element.clone())
            .collect()
    }

    /// Whether [`GuardedPage::prepare_spare`] has something to do. A small page is copied so quickly that it
    /// needs no spare.
    pub fn needs_spare(&self) -> bool {
        !self.gate.has_spare() && self.doc.size() >= LARGE
    }

    /// Goes on with a [compacted](PageDoc::compacted) document: the same page without its past.
    pub fn exchange(&mut self, doc: PageDoc) {
        self.doc = doc;
        self.gate = Gate::default();
        self.load = PageLoad::default();
    }

    /// Nobody has written for a while: let go what only writing needs. It is made again then.
    pub fn rest(&mut self) {
        self.gate = Gate::default();
    }

    /// Whether [`GuardedPage::rest`] has something to do. What a large page has stays: it would
    /// take too long to make.
    pub fn has_idle_work(&self) -> bool {
        self.gate.is_made() && self.doc.size() < LARGE
    }

    /// Get ready for the next refusal. Call it off the hot path, when something was merged or
    /// refused: a refusal spends the spare gate, and without a spare the next one has to copy the
    /// document first.
    pub fn prepare_spare(&mut self) {
        self.catch_up();
        self.gate.prepare_spare(&self.doc);
    }
}

/// Which characters of a block the kept part of a run typed; `None`: all that the run typed there.
fn typed<'a>(
    what: &RollbackRequest,
    rows: impl Iterator<Item = &'a &'a Touch>,
) -> Option<Vec<CharSpan>> {
    what.actions.as_ref()?;
    let mut spans = Vec::new();
    for row in rows {
        match &row.kind {
            // What made a block needs no rows for its words.
            TouchKind::Created { .. } => return None,
            TouchKind::Text { inserted, .. } => spans.extend(inserted),
            TouchKind::Register { .. } | TouchKind::Marks { .. } => {}
        }
    }
    Some(spans)
}
