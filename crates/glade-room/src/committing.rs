//! A fairy's edits: each becomes an update on the shared replica, under the fairy's own peer id, and
//! then passes [`Room::submit`] like any browser's.

use std::collections::BTreeSet;

use glade_access::{Capability, Op};
use glade_doc::{Edit, ElementId, RollbackRequest, RunId, RunTag};
use serde_json::Value;

use crate::bounds::Bounds;
use crate::merging::Author;
use crate::room::Room;
use crate::seats::{CommitRefused, FairySession};

impl Room {
    pub(crate) fn fairy_commit(
        &mut self,
        session: &FairySession,
        tag: &RunTag,
        tool: &str,
        edits: &[Edit],
    ) -> Result<BTreeSet<ElementId>, CommitRefused> {
        let seat = self.seats.valid(session)?;
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
        let replica = self.document.replica_for(edits);
        let commit = match replica.commit(peer, Some(tag), edits) {
            Ok(Some(commit)) => commit,
            Ok(None) => return Ok(BTreeSet::new()),
            Err(error) => {
                self.document.replica.forget();
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
                if let Ok(seat) = self.seats.valid(session) {
                    seat.open = Some((tag.run.clone(), tag.action));
                }
                self.follow_pen(session, edits, (tag.run.clone(), tag.action));
                Ok(elements)
            }
            Err(refusal) => {
                self.document.replica.forget();
                tracing::warn!(page = %self.page, fairy = session.fairy, code = refusal.code(), %refusal, "a fairy's edit was refused");
                self.record_refusal(&capability.subject, refusal.code(), &refusal.to_string());
                self.give_up_action(session)?;
                Err(CommitRefused::Refused(refusal.to_string()))
            }
        }
    }

    /// A refused edit takes the whole action with it: half an action is worth nothing.
    pub(crate) fn give_up_action(&mut self, session: &FairySession) -> Result<(), CommitRefused> {
        match self.seats.valid(session)?.open.clone() {
            Some((run, action)) => self.revert_action(session, &run, action),
            None => Ok(()),
        }
    }

    /// Whether the fairy may use this tool now, for the person who asks.
    pub(crate) fn admit_tool(
        &self,
        capability: &Capability,
        asker: Option<&Capability>,
        bounds: &Bounds,
        tool: &str,
    ) -> Result<(), String> {
        if let Some(reason) = bounds.barred.tools.get(tool) {
            return Err(reason.clone());
        }
        if self.has_expired(capability) {
            return Err("the time in which this fairy may change pages is over".to_owned());
        }
        if asker.is_some_and(|asker| self.has_expired(asker)) {
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
            let locked = self.document.doc().register(id, "locked");
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
    pub(crate) fn end_action(&mut self, session: &FairySession) -> Result<(), CommitRefused> {
        self.seats.valid(session)?.open = None;
        Ok(())
    }

    /// Takes back one unfinished or rejected action.
    pub(crate) fn revert_action(
        &mut self,
        session: &FairySession,
        run: &RunId,
        action: u32,
    ) -> Result<(), CommitRefused> {
        self.seats.valid(session)?.open = None;
        self.roll_back(&RollbackRequest {
            run: run.clone(),
            actions: Some(action..=action),
            elements: None,
        })
        .map(|_| ())
        .map_err(|error| CommitRefused::Broken(error.to_string()))
    }
}
