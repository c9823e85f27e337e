//! Fairies in a room: their seats, their edits, the fence, and taking back what a run did.
//!
//! A fairy's edit becomes an update on the shared replica, under the fairy's own peer id, and then
//! passes [`RoomCore::submit`] like any browser's. A fence makes every commit of an older epoch
//! void, takes back the action that was under way and answers once that is durable.

use std::collections::BTreeSet;
use std::time::{Duration, UNIX_EPOCH};

use glade_access::{Capability, Op};
use glade_canvas::derive;
use glade_doc::{
    DocError, Edit, ElementId, PeerId, Refusal, RollbackRequest, RunId, RunTag, Surface, Touch,
};
use loro::LoroValue;
use serde_json::Value;

use super::bounds::Bounds;
use super::company::Pen;
use super::core::RoomCore;
use super::merging::{Author, SERVER};
use super::output::{KeptFor, UndoReport};
use super::user_changes::UserChanges;

/// A fairy's place in the room.
pub struct Seat {
    pub(super) capability: Capability,
    pub peer: PeerId,
    epoch: u64,
    run: Option<RunId>,
    /// Who asked for the run: it may do no more than they may.
    pub(super) asker: Option<Capability>,
    /// What people did since the fairy last looked.
    pub user_changes: UserChanges,
    /// The action whose edits are not finished yet.
    open: Option<(RunId, u32)>,
    pub(super) bounds: Bounds,
    /// Where on a text page it writes, and what it last showed of itself.
    pub(super) pen: Option<Pen>,
    pub(super) shown: Option<LoroValue>,
}

/// What the host holds: commits are valid only under the newest epoch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FairySession {
    pub fairy: String,
    pub peer: PeerId,
    pub epoch: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CommitRefused {
    #[error("the fairy was stopped")]
    Fenced,
    #[error("{0}")]
    Refused(String),
    #[error("the page could not be changed: {0}")]
    Broken(String),
}

impl RoomCore {
    /// Seats a fairy, or fences and re-opens the seat that it has.
    pub fn seat(&mut self, fairy: &str, capability: Capability, peer: PeerId) -> FairySession {
        self.show();
        let seat = self.seats.entry(fairy.to_owned()).or_insert(Seat {
            capability: capability.clone(),
            peer,
            epoch: 0,
            run: None,
            asker: None,
            user_changes: UserChanges::default(),
            open: None,
            bounds: Bounds::default(),
            pen: None,
            shown: None,
        });
        seat.capability = capability;
        seat.epoch += 1;
        FairySession {
            fairy: fairy.to_owned(),
            peer: seat.peer,
            epoch: seat.epoch,
        }
    }

    /// What the fairy may do from now on; its run goes on.
    pub fn rescope(
        &mut self,
        session: &FairySession,
        capability: Capability,
    ) -> Result<(), CommitRefused> {
        self.valid_seat(session)?.capability = capability;
        Ok(())
    }

    /// The fairy goes elsewhere: its seat and its sprite leave the page.
    pub fn unseat(&mut self, session: &FairySession) -> Result<(), CommitRefused> {
        self.give_up_action(session)?;
        self.seats.remove(&session.fairy);
        let bytes = self.presence.remove(&session.peer.to_string());
        self.tell_presence(None, &bytes);
        Ok(())
    }

    /// Which run the fairy's commits belong to from now on.
    pub fn begin_run(
        &mut self,
        session: &FairySession,
        run: RunId,
        asker: Option<Capability>,
    ) -> Result<(), CommitRefused> {
        // Whatever the seat was at before is over; half of it must not stay.
        self.give_up_action(session)?;
        let seat = self.valid_seat(session)?;
        seat.run = Some(run);
        seat.asker = asker;
        Ok(())
    }

    pub fn fairy_commit(
        &mut self,
        session: &FairySession,
        tag: &RunTag,
        tool: &str,
        edits: &[Edit],
    ) -> Result<BTreeSet<ElementId>, CommitRefused> {
        let seat = self.valid_seat(session)?;
        let (peer, capability, run) = (seat.peer, seat.capability.clone(), seat.run.clone());
        let (asker, bounds) = (seat.asker.clone(), seat.bounds.clone());
        let admitted = self
            .admit_tool(&capability, asker.as_ref(), &bounds, tool)
            .and_then(|()| self.admit_edits(&capability, asker.as_ref(), tool, edits))
            .and_then(|()| self.check_bounds(&bounds, run.as_ref(), edits));
        if let Err(reason) = admitted {
            self.record_refusal(&capability.subject, "edit", &reason);
            self.give_up_action(session)?;
            return Err(CommitRefused::Refused(reason));
        }
        let replica = self.replica.for_edits(self.guarded.doc(), edits);
        let commit = match replica.commit(peer, Some(tag), edits) {
            Ok(Some(commit)) => commit,
            Ok(None) => return Ok(BTreeSet::new()),
            Err(error) => {
                self.drop_replica();
                return Err(CommitRefused::Broken(error.to_string()));
            }
        };
        // Under the fairy's name, no farther than both may go.
        let allowed = match &asker {
            Some(asker) => capability.intersect(asker),
            None => capability.clone(),
        };
        let author = Author {
            subject: &capability.subject,
            capability: Some(&allowed),
            run: run.as_ref(),
            conn: None,
        };
        match self.submit(&author, &commit.update) {
            Ok(elements) => {
                if let Ok(seat) = self.valid_seat(session) {
                    seat.open = Some((tag.run.clone(), tag.action));
                }
                self.follow_pen(session, edits, (tag.run.clone(), tag.action));
                Ok(elements)
            }
            Err(refusal) => {
                self.drop_replica();
                tracing::warn!(page = %self.page, fairy = session.fairy, code = refusal.code(), %refusal, "a fairy's edit was refused");
                self.record_refusal(&capability.subject, refusal.code(), &refusal.to_string());
                self.give_up_action(session)?;
                Err(CommitRefused::Refused(refusal.to_string()))
            }
        }
    }

    /// A refused edit takes the whole action with it: half an action is worth nothing.
    fn give_up_action(&mut self, session: &FairySession) -> Result<(), CommitRefused> {
        match self.valid_seat(session)?.open.clone() {
            Some((run, action)) => self.revert_action(session, &run, action),
            None => Ok(()),
        }
    }

    /// Whether the fairy may use this tool now, for the person who asks.
    pub(super) fn admit_tool(
        &self,
        capability: &Capability,
        asker: Option<&Capability>,
        bounds: &Bounds,
        tool: &str,
    ) -> Result<(), String> {
        if let Some(reason) = bounds.plugins.bars_tool(tool) {
            return Err(reason);
        }
        let now = UNIX_EPOCH + Duration::from_millis(u64::try_from(self.now_ms).unwrap_or(0));
        if capability.expired(now) {
            return Err("the time in which this fairy may change pages is over".to_owned());
        }
        if asker.is_some_and(|asker| asker.expired(now)) {
            return Err("the rights of the person who asks have expired".to_owned());
        }
        if !capability.allows_tool(tool) {
            return Err(format!("this fairy may not use {tool}"));
        }
        if asker.is_some_and(|asker| !asker.allows_tool(tool)) {
            return Err(format!("the person who asks may not use {tool}"));
        }
        Ok(())
    }

    /// The typed edit is judged first; the gate behind it is the backstop.
    fn admit_edits(
        &self,
        capability: &Capability,
        asker: Option<&Capability>,
        tool: &str,
        edits: &[Edit],
    ) -> Result<(), String> {
        if !self.allows(capability, Op::Edit) {
            return Err("this fairy may not edit the page".to_owned());
        }
        if asker.is_some_and(|asker| !self.allows(asker, Op::Edit)) {
            return Err("the person who asks may not edit the page".to_owned());
        }
        for edit in edits {
            let id = edit.id();
            let locked = self.guarded.doc().register(id, "locked");
            if locked == Some(Value::Bool(true)) {
                return Err(format!("the shape {id} is locked"));
            }
            if let Some(who) = self.someone_in(tool, id) {
                return Err(format!("{who} is writing in the block {id}"));
            }
        }
        Ok(())
    }

    /// The action is whole: a fence no longer takes it back.
    pub fn end_action(&mut self, session: &FairySession) -> Result<(), CommitRefused> {
        self.valid_seat(session)?.open = None;
        Ok(())
    }

    /// Takes back one unfinished or rejected action.
    pub fn revert_action(
        &mut self,
        session: &FairySession,
        run: &RunId,
        action: u32,
    ) -> Result<(), CommitRefused> {
        self.valid_seat(session)?.open = None;
        self.roll_back(&RollbackRequest {
            run: run.clone(),
            actions: Some(action..=action),
            elements: None,
        })
        .map(|_| ())
        .map_err(|error| CommitRefused::Broken(error.to_string()))
    }

    /// Stops a fairy now. Nothing of its older epoch is accepted any more, and what it had half
    /// done is gone; answers the session to go on with.
    pub fn fence(&mut self, fairy: &str) -> Result<Option<FairySession>, DocError> {
        let Some(seat) = self.seats.get_mut(fairy) else {
            return Ok(None);
        };
        seat.epoch += 1;
        seat.run = None;
        let session = FairySession {
            fairy: fairy.to_owned(),
            peer: seat.peer,
            epoch: seat.epoch,
        };
        if let Some((run, action)) = seat.open.take() {
            self.roll_back(&RollbackRequest {
                run,
                actions: Some(action..=action),
                elements: None,
            })?;
        }
        Ok(Some(session))
    }

    #[cfg(test)]
    pub fn undo_run(
        &mut self,
        run: &RunId,
        elements: Option<BTreeSet<ElementId>>,
    ) -> Result<UndoReport, DocError> {
        self.undo_part(RollbackRequest::part(run.clone(), None, elements))
    }

    /// Undoes a run or a part of it. What others did since stays, and is reported.
    pub fn undo_part(&mut self, mut what: RollbackRequest) -> Result<UndoReport, DocError> {
        let whole = what.elements.is_none() && what.actions.is_none();
        what.elements = what.elements.map(|chosen| self.with_labels(chosen));
        let report = self.roll_back(&what)?;
        if whole || report.remaining.is_empty() {
            self.end_suggestion(&what.run);
        }
        Ok(report)
    }

    /// Who selects a shape selects the words in it.
    fn with_labels(&mut self, mut chosen: BTreeSet<ElementId>) -> BTreeSet<ElementId> {
        self.show();
        let scene = self
            .scene()
            .read()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        let labels: Vec<ElementId> = chosen
            .iter()
            .filter_map(|shape| Some(scene.label_of(shape)?.id.clone()))
            .collect();
        chosen.extend(labels);
        chosen
    }

    /// Undoes what a run did after its action number `last`.
    pub fn undo_after(&mut self, run: &RunId, last: u32) -> Result<UndoReport, DocError> {
        self.roll_back(&RollbackRequest {
            run: run.clone(),
            actions: Some(last.saturating_add(1)..=u32::MAX),
            elements: None,
        })
    }

    /// The run is kept: what it did is no longer pending.
    pub fn keep_run(&mut self, run: &RunId) {
        self.keep_part(RollbackRequest::whole(run.clone()));
    }

    /// A part of a run is kept. Answers which elements are left to keep or undo.
    pub fn keep_part(&mut self, mut what: RollbackRequest) -> BTreeSet<ElementId> {
        self.end_suggestion(&what.run);
        what.elements = what.elements.map(|chosen| self.with_labels(chosen));
        match self.guarded.settle_words(self.server_peer, &what) {
            Ok(Some(commit)) => self.publish(&commit, &[], &[]),
            Ok(None) => {}
            Err(error) => {
                tracing::error!(page = %self.page, %error, "kept words still look pending");
            }
        }
        let settled = self.guarded.settle_part(&what);
        self.publish_touches(&settled.touches, &settled.forgotten);
        self.guarded.touched_elements(&what.run)
    }

    /// What a run did here and nobody has decided about, by element.
    pub fn touches(&self, run: &RunId) -> Vec<Touch> {
        self.guarded.touches_of(run).cloned().collect()
    }

    pub fn touched_elements(&self, run: &RunId) -> BTreeSet<ElementId> {
        self.guarded.touched_elements(run)
    }

    fn roll_back(&mut self, request: &RollbackRequest) -> Result<UndoReport, DocError> {
        let rolled = self.guarded.rollback(self.server_peer, request)?;
        match &rolled.commit {
            Some(commit) => self.publish(commit, &rolled.touches, &rolled.forgotten),
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
        Ok(UndoReport {
            undone: rolled.undone,
            kept,
            remaining: self.guarded.touched_elements(&request.run),
        })
    }

    /// Arrows and labels follow what a rollback put back.
    fn rederive(&mut self, changed: &BTreeSet<ElementId>) {
        if self.guarded.doc().surface() == Surface::Text {
            return; // nothing about a block follows from another
        }
        self.show();
        let edits = {
            let scene = self
                .scene()
                .read()
                .unwrap_or_else(std::sync::PoisonError::into_inner);
            derive(&scene, changed)
        };
        if edits.is_empty() {
            return;
        }
        let peer = self.server_peer;
        let commit = match self.replica().commit(peer, None, &edits) {
            Ok(Some(commit)) => commit,
            Ok(None) => return,
            Err(error) => {
                tracing::error!(page = %self.page, %error, "derived geometry could not be written");
                return self.drop_replica();
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
            self.drop_replica();
        }
    }

    pub fn set_fairy_presence(&mut self, session: &FairySession, value: LoroValue) {
        if let Ok(seat) = self.valid_seat(session) {
            seat.shown = Some(value);
            self.show_seat(session);
        }
    }

    pub(super) fn valid_seat(
        &mut self,
        session: &FairySession,
    ) -> Result<&mut Seat, CommitRefused> {
        match self.seats.get_mut(&session.fairy) {
            Some(seat) if seat.epoch == session.epoch => Ok(seat),
            _ => Err(CommitRefused::Fenced),
        }
    }
}

impl From<Refusal> for CommitRefused {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal.to_string())
    }
}
