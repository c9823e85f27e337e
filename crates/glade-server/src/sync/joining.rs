//! Joining and leaving rooms. Rights are looked at before a room is opened.

use std::time::Instant;

use glade_access::{Capability, Op, PageRef};
use glade_doc::PageId;
use loro_protocol::{CrdtType, JoinErrorCode, ProtocolMessage};

use super::door::{JoinRequest, MaySend};
use super::socket::{CLOSE_REVOKED, Client};
use glade_host::connection::penalties::CLOSE_VIOLATIONS;
use glade_host::rooms::{NO_SUCH_PAGE, RoomError};

const MAX_ROOMS: usize = 64;
/// Tokens that one connection may join with: whoever holds one makes as many of it as they like.
const MAX_TOKENS: usize = 64;
/// Any of these makes updates that a room may take.
const WRITING: [Op; 3] = [Op::Comment, Op::Suggest, Op::Edit];

/// Who comes with a token that is worth nothing.
struct Stranger {
    subject: Option<String>,
    reason: String,
}

impl Client {
    pub async fn join(&mut self, request: JoinRequest) -> bool {
        let JoinRequest {
            crdt,
            room: room_id,
            auth,
            version,
        } = request;
        let capability = match self.who(&auth) {
            Ok(capability) => capability,
            Err(stranger) => {
                let Stranger { subject, reason } = &stranger;
                self.app.refusals.join(subject.as_deref(), &room_id, reason);
                return self.refuse_join(crdt, room_id, JoinErrorCode::AuthFailed, reason);
            }
        };
        if self.used.len() >= MAX_TOKENS && !self.used.contains(&capability) {
            return self.refuse_join(
                crdt,
                room_id,
                JoinErrorCode::Unknown,
                "too many tokens on one connection",
            );
        }
        self.shows(&capability);
        if !self.line.account.admit(&capability, Instant::now()) {
            return self.close(
                CLOSE_VIOLATIONS,
                "too many violations: try again in five minutes",
            );
        }
        // A page that may not be read is answered like one that is not there, after as much work:
        // its room is opened by nobody who may not see it.
        if !self.may_read(&capability, &room_id) {
            return self.refuse_page(crdt, room_id, &capability);
        }
        if self.rooms.len() >= MAX_ROOMS && !self.rooms.contains_key(&room_id) {
            return self.refuse_join(
                crdt,
                room_id,
                JoinErrorCode::Unknown,
                "too many pages on one connection",
            );
        }
        let room = match self.app.rooms.room(&PageId::from(room_id.as_str())).await {
            Ok(room) => room,
            // It was deleted just now.
            Err(RoomError::NoPage(_)) => {
                return self.refuse_page(crdt, room_id, &capability);
            }
            Err(error) => {
                tracing::error!(room_id, %error, "a room could not be opened");
                return self.refuse_join(
                    crdt,
                    room_id,
                    JoinErrorCode::Unknown,
                    "the page could not be opened: see the server's log",
                );
            }
        };
        // Opening may have taken a while. A revocation from here on finds the capability.
        if !self.app.access.holds(&capability) {
            return self.close(CLOSE_REVOKED, "the token no longer holds");
        }
        let seen = capability.clone();
        if room
            .join(self.conn, self.line.clone(), crdt, capability, version)
            .await
            .is_err()
        {
            return self.refuse_join(
                crdt,
                room_id,
                JoinErrorCode::Unknown,
                "the page is closing: join again",
            );
        }
        self.door.has_joined(crdt, &room_id, may_send(&seen));
        if crdt == CrdtType::Loro {
            self.looks_at(&room_id, &seen);
        } else {
            self.shown_as.insert(room_id.clone(), seen.subject);
        }
        self.rooms.insert(room_id, room);
        true
    }

    /// Whose token came with a join; without one, the cookie's.
    fn who(&self, auth: &[u8]) -> Result<Capability, Stranger> {
        let nobody = |reason: &str| Stranger {
            subject: None,
            reason: reason.to_owned(),
        };
        if auth.is_empty() {
            let held = |capability: &&Capability| self.app.access.holds(capability);
            return self
                .cookie
                .as_ref()
                .filter(held)
                .cloned()
                .ok_or_else(|| nobody("no token: open the link that the server printed"));
        }
        let token = std::str::from_utf8(auth).map_err(|_| nobody("the token is not text"))?;
        self.app
            .access
            .verify(token.trim())
            .map_err(|denied| Stranger {
                subject: denied.subject().map(str::to_owned),
                reason: denied.to_string(),
            })
    }

    /// From now on the connection is somebody's, and ends when this token does.
    fn shows(&mut self, capability: &Capability) {
        if let Some(slot) = &self.slot {
            slot.set_known();
        }
        if self.used.contains(capability) {
            return;
        }
        let deadline = self.app.access.deadline(capability);
        self.ends_at = match (self.ends_at, deadline) {
            (Some(one), Some(other)) => Some(one.min(other)),
            (one, other) => one.or(other),
        };
        self.used.push(capability.clone());
    }

    fn may_read(&self, capability: &Capability, page: &str) -> bool {
        self.app.workspace.page(page).is_some_and(|row| {
            let page = PageRef {
                id: &row.id,
                tier: &row.tier,
            };
            capability.allows(Op::Read, &page)
        })
    }

    /// Tells the workspace that somebody has this page open.
    fn looks_at(&mut self, page: &str, capability: &Capability) {
        if self.may_read(capability, page) {
            self.app.workspace.page_opened(self.conn, page, capability);
            self.open
                .insert(page.to_owned(), capability.subject.clone());
        }
    }

    fn looks_away(&mut self, page: &str) {
        if let Some(subject) = self.open.remove(page) {
            self.app.workspace.page_closed(self.conn, page, &subject);
        }
    }

    fn refuse_page(&mut self, crdt: CrdtType, room_id: String, capability: &Capability) -> bool {
        let subject = Some(capability.subject.as_str());
        self.app.refusals.join(subject, &room_id, NO_SUCH_PAGE);
        self.refuse_join(crdt, room_id, JoinErrorCode::AuthFailed, NO_SUCH_PAGE)
    }

    pub fn refuse_join(
        &mut self,
        crdt: CrdtType,
        room_id: String,
        code: JoinErrorCode,
        message: &str,
    ) -> bool {
        let answer = ProtocolMessage::JoinError {
            crdt,
            room_id,
            code,
            message: message.to_owned(),
            receiver_version: None,
            app_code: None,
        };
        self.say(&answer) && self.violation()
    }

    pub async fn leave(&mut self, crdt: CrdtType, room_id: &str) -> bool {
        if crdt == CrdtType::Loro {
            self.looks_away(room_id);
        }
        match self.rooms.get(room_id) {
            Some(room) => room.leave(self.conn, Some(crdt)).await.is_ok(),
            None => true,
        }
    }

    pub async fn leave_all(&mut self) {
        for (page, subject) in std::mem::take(&mut self.open) {
            self.app.workspace.page_closed(self.conn, &page, &subject);
        }
        for (_, room) in self.rooms.drain() {
            if room.leave(self.conn, None).await.is_err() {
                tracing::debug!(conn = %self.conn, "left a room that was closed");
            }
        }
    }
}

/// Whoever may only look sends nothing that would have to be read.
fn may_send(capability: &Capability) -> MaySend {
    let writes = WRITING.iter().any(|op| capability.ops().contains(op));
    if writes {
        MaySend::Updates
    } else {
        MaySend::Nothing
    }
}
