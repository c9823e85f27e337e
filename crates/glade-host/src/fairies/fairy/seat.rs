//! Where a fairy is: a room, its session there, and what it may do with it.

use glade_access::Capability;
use glade_doc::{PageId, RunId};

use super::FairyTask;
use crate::fairies::HostError;
use crate::ids;
use crate::rooms::{
    Bounds, CommitRefused, FairySession, RoomError, RoomHandle, WritableRange, barred,
};

pub struct RoomSeat {
    pub page: PageId,
    pub room: RoomHandle,
    pub session: FairySession,
    /// The room fenced this session: nothing that it writes arrives. Whoever had it fenced sends a
    /// command with the next one.
    pub fenced: bool,
}

impl FairyTask {
    /// Takes over the session that a fence answered.
    pub(super) fn renew_session(&mut self, session: Option<FairySession>) {
        if let (Some(seat), Some(session)) = (&mut self.seat, session) {
            seat.session = session;
            seat.fenced = false;
        }
    }

    pub(super) fn is_fenced(&self) -> bool {
        self.seat.as_ref().is_some_and(|seat| seat.fenced)
    }

    pub(super) fn own_page(&self) -> PageId {
        PageId::from(self.identity.row.page.as_str())
    }

    pub(super) fn check_scope(&self, page: &PageId) -> Result<(), HostError> {
        if self.identity.shown.settings.scope.has_page(page.as_str()) {
            return Ok(());
        }
        let name = self.identity.row.name.clone();
        Err(HostError::OutOfScope(name, page.to_string()))
    }

    /// Takes a seat in the page's room and leaves the one before. `renewed` is what a fence answered.
    pub(super) async fn go_to(
        &mut self,
        page: &PageId,
        renewed: Option<FairySession>,
    ) -> Result<(), HostError> {
        let here = |seat: &RoomSeat| seat.page == *page && seat.room.is_open();
        if self.seat.as_ref().is_some_and(here) {
            if renewed.is_some() {
                self.renew_session(renewed);
                // Its rights may have changed after the fence, and the old session was told.
                self.rescope().await;
            }
            return Ok(());
        }
        self.check_scope(page)?;
        let room = self.deps.rooms.room(page).await?;
        let capability = self.rights()?;
        let session = room
            .seat(&self.identity.row.id, capability, ids::peer())
            .await?;
        let bound = room.bound(&session, self.bounds(page)).await;
        self.log_refusal(bound);
        let seat = RoomSeat {
            page: page.clone(),
            room,
            session,
            fenced: false,
        };
        // Only now: if it cannot go, what it was at stays fenced.
        self.renew_session(renewed);
        if let Some(left) = self.seat.replace(seat)
            && left.room.is_open()
        {
            let gone = left.room.unseat(&left.session).await;
            self.log_refusal(gone);
        }
        self.identity.row.page = page.to_string();
        self.identity.shown.page = page.to_string();
        // Shown at once: a Stop looks here for the room to fence.
        self.deps.workspace.show_fairy(self.identity.shown.clone());
        Ok(())
    }

    /// Tells the room whose rights the fairy's edits have from now on.
    pub(super) async fn begin_run(
        &mut self,
        run: &str,
        asker: Option<Capability>,
    ) -> Result<(), HostError> {
        let Some(seat) = &self.seat else {
            return Ok(());
        };
        let begun = seat
            .room
            .begin_run(&seat.session, RunId::from(run), asker)
            .await;
        match begun {
            // Fenced already: the command that did it comes next and ends this run.
            Ok(()) | Err(CommitRefused::Fenced) => Ok(()),
            Err(error) => Err(HostError::Room(RoomError::Document(error.to_string()))),
        }
    }

    /// What limits it on a page besides its rights.
    pub(super) fn bounds(&self, page: &PageId) -> Bounds {
        let range = self.identity.shown.settings.scope.range.clone();
        let part = range.map(|range| {
            if range.page == page.as_str() {
                WritableRange::Range(range)
            } else {
                WritableRange::Elsewhere
            }
        });
        Bounds {
            part,
            barred: barred(&self.deps.workspace.plugins().enabled),
        }
    }

    /// Tells the room what the fairy may do from now on.
    pub(super) async fn rescope(&mut self) {
        let Some(seat) = &self.seat else {
            return;
        };
        match self.rights() {
            Ok(capability) => {
                let rescoped = seat.room.rescope(&seat.session, capability).await;
                let bounds = self.bounds(&seat.page);
                let bound = seat.room.bound(&seat.session, bounds).await;
                self.log_refusal(rescoped.and(bound));
            }
            Err(error) => {
                tracing::error!(fairy = self.identity.row.id, %error, "a fairy's scope is wrong");
            }
        }
    }
}
