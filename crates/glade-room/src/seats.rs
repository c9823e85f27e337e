//! Fairies in a room: their seats, and the fence.
//!
//! A fence makes every commit of an older epoch void, takes back the action that was under way and
//! answers once that is durable.

use std::collections::BTreeMap;

use glade_access::Capability;
use glade_doc::{DocError, PeerId, Refusal, RollbackRequest, RunId};
use loro::LoroValue;
use serde::{Deserialize, Serialize};

use crate::bounds::Bounds;
use crate::company::Pen;
use crate::room::Room;
use crate::user_changes::UserChanges;

/// A fairy's place in the room.
pub(crate) struct Seat {
    pub capability: Capability,
    pub peer: PeerId,
    epoch: u64,
    pub run: Option<RunId>,
    /// Who asked for the run: it may do no more than they may.
    pub asker: Option<Capability>,
    /// What people did since the fairy last looked.
    pub user_changes: UserChanges,
    /// The action whose edits are not finished yet.
    pub open: Option<(RunId, u32)>,
    pub bounds: Bounds,
    /// Where on a text page it writes, and what it last showed of itself.
    pub pen: Option<Pen>,
    pub shown: Option<LoroValue>,
}

/// What the host holds: commits are valid only under the newest epoch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FairySession {
    pub fairy: String,
    pub peer: PeerId,
    pub epoch: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, thiserror::Error)]
pub enum CommitRefused {
    #[error("the fairy was stopped")]
    Fenced,
    #[error("{0}")]
    Refused(String),
    #[error("the page could not be changed: {0}")]
    Broken(String),
}

/// The fairies' seats, by fairy.
#[derive(Default)]
pub(crate) struct Seats(BTreeMap<String, Seat>);

impl Seats {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether a fairy that sits here writes, and shows itself, under this peer id.
    pub fn has_peer(&self, peer: PeerId) -> bool {
        self.0.values().any(|seat| seat.peer == peer)
    }

    /// The session that is valid for a fairy now.
    #[cfg(any(test, feature = "sim"))]
    pub fn session(&self, fairy: &str) -> Option<FairySession> {
        let seat = self.0.get(fairy)?;
        Some(FairySession {
            fairy: fairy.to_owned(),
            peer: seat.peer,
            epoch: seat.epoch,
        })
    }

    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut Seat> {
        self.0.values_mut()
    }

    /// The seat of a session that was not fenced.
    pub fn valid(&mut self, session: &FairySession) -> Result<&mut Seat, CommitRefused> {
        match self.0.get_mut(&session.fairy) {
            Some(seat) if seat.epoch == session.epoch => Ok(seat),
            _ => Err(CommitRefused::Fenced),
        }
    }
}

impl Room {
    /// Seats a fairy, or fences and re-opens the seat that it has.
    pub(crate) fn seat(
        &mut self,
        fairy: &str,
        capability: Capability,
        peer: PeerId,
    ) -> FairySession {
        self.document.show();
        let seat = self.seats.0.entry(fairy.to_owned()).or_insert(Seat {
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
    pub(crate) fn rescope(
        &mut self,
        session: &FairySession,
        capability: Capability,
    ) -> Result<(), CommitRefused> {
        self.seats.valid(session)?.capability = capability;
        Ok(())
    }

    /// The fairy goes elsewhere: its seat and its sprite leave the page.
    pub(crate) fn unseat(&mut self, session: &FairySession) -> Result<(), CommitRefused> {
        self.give_up_action(session)?;
        self.seats.0.remove(&session.fairy);
        let bytes = self
            .members
            .presence
            .remove(&session.peer.to_string(), self.now_ms);
        self.tell_presence(None, bytes);
        Ok(())
    }

    /// Which run the fairy's commits belong to from now on.
    pub(crate) fn begin_run(
        &mut self,
        session: &FairySession,
        run: RunId,
        asker: Option<Capability>,
    ) -> Result<(), CommitRefused> {
        // Whatever the seat was at before is over; half of it must not stay.
        self.give_up_action(session)?;
        let seat = self.seats.valid(session)?;
        seat.run = Some(run);
        seat.asker = asker;
        Ok(())
    }

    /// Stops a fairy now. Nothing of its older epoch is accepted any more, and what it had half
    /// done is gone; answers the session to go on with.
    pub(crate) fn fence(&mut self, fairy: &str) -> Result<Option<FairySession>, DocError> {
        let Some(seat) = self.seats.0.get_mut(fairy) else {
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

    pub(crate) fn set_fairy_presence(&mut self, session: &FairySession, value: LoroValue) {
        if let Ok(seat) = self.seats.valid(session) {
            seat.shown = Some(value);
            self.show_seat(session);
        }
    }
}

impl From<Refusal> for CommitRefused {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal.to_string())
    }
}
