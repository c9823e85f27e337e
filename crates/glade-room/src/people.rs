//! Connections in a room: joining, leaving, updates and presence.

use bytes::Bytes;
use glade_access::{Capability, Op};
use glade_doc::Refusal;
use loro_protocol::{
    BatchId, CrdtType, JoinErrorCode, Permission, ProtocolMessage, UpdateStatusCode,
};
use serde_json::json;

use crate::ConnId;
use crate::batch::Update;
use crate::frames;
use crate::members::Member;
use crate::merging::{Author, denied};
use crate::output::{CLOSE_VIOLATIONS, Outgoing, Output, Record};
use crate::presence::{PresenceRefusal, Shower};
use crate::refusals::UNKNOWN;
use crate::room::Room;

/// After this many refusals that made the room rebuild its gate the connection is closed.
const MAX_COSTLY_REFUSALS: u32 = 20;

/// What is said of a page that is not there, or not there for the one who asks.
pub const NO_SUCH_PAGE: &str = "there is no such page, or this token may not read it";

/// Why an update was refused, and what to do now.
pub fn refusal_notice(page: &str, batch: BatchId, refusal: &Refusal) -> Outgoing {
    let notice = json!({ "refused": {
        "room": page,
        "batch": batch.to_hex(),
        "code": refusal.code(),
        "reason": refusal.to_string(),
        "recover": refusal.recovery().as_str(),
    }});
    Outgoing::Text(notice.to_string().into())
}

impl Room {
    pub(crate) fn join(
        &mut self,
        conn: ConnId,
        crdt: CrdtType,
        capability: Capability,
        version: &[u8],
    ) {
        if !self.allows(&capability, Op::Read) {
            // Word for word what a page that does not exist is answered with.
            let reason = NO_SUCH_PAGE;
            self.record_refusal(&capability.subject, "join", reason);
            return self.refuse_join(conn, crdt, JoinErrorCode::AuthFailed, reason);
        }
        // The protocol knows two permissions. Whoever may comment or suggest sends updates too; what
        // they are allowed to hold is in `extra`.
        let permission = if self.may_comment(&capability) || self.suggests(&capability) {
            Permission::Write
        } else {
            Permission::Read
        };
        let ops: Vec<&str> = Op::ALL
            .into_iter()
            .filter(|op| self.allows(&capability, *op))
            .map(|op| op.as_str())
            .collect();
        let extra = json!({ "ops": ops }).to_string().into_bytes();
        let backfill = match crdt {
            CrdtType::Loro if self.document.is_behind(version) => {
                return self.refuse_join(
                    conn,
                    crdt,
                    JoinErrorCode::VersionUnknown,
                    "the page's past was let go of since: join with an empty version, and make anew what the server has not seen",
                );
            }
            CrdtType::Loro => match self.document.missing_since(version) {
                Ok(parts) => parts,
                Err(_) => {
                    return self.refuse_join(
                        conn,
                        crdt,
                        JoinErrorCode::VersionUnknown,
                        "the version could not be read: join with an empty one",
                    );
                }
            },
            CrdtType::LoroEphemeralStore => {
                vec![Bytes::from(self.members.presence.all(self.now_ms))]
            }
            _ => {
                return self.refuse_join(
                    conn,
                    crdt,
                    JoinErrorCode::AppError,
                    "this server speaks %LOR and %EPH",
                );
            }
        };
        let subject = capability.subject.clone();
        let (what, version) = if crdt == CrdtType::Loro {
            ("document", self.document.doc().version())
        } else {
            ("presence", Vec::new())
        };
        if !self.members.join(conn, crdt, capability) {
            self.out.append(vec![Record::Joined {
                subject,
                what,
                write: permission == Permission::Write,
            }]);
        }
        let answer = ProtocolMessage::JoinResponseOk {
            crdt,
            room_id: self.page.to_string(),
            permission,
            version,
            extra: Some(extra),
        };
        self.reply(conn, &answer);
        let parts: Vec<&[u8]> = backfill
            .iter()
            .map(|part| &part[..])
            .filter(|part| !part.is_empty())
            .collect();
        let page = self.page.clone();
        let frames = frames::doc_updates(crdt, page.as_str(), &parts, || self.out.next_batch());
        for frame in frames {
            self.out.send(conn, frame);
        }
    }

    fn refuse_join(&mut self, conn: ConnId, crdt: CrdtType, code: JoinErrorCode, message: &str) {
        let version =
            matches!(code, JoinErrorCode::VersionUnknown).then(|| self.document.doc().version());
        let answer = ProtocolMessage::JoinError {
            crdt,
            room_id: self.page.to_string(),
            code,
            message: message.to_owned(),
            receiver_version: version,
            app_code: matches!(code, JoinErrorCode::AppError).then(|| "unsupported".to_owned()),
        };
        self.reply(conn, &answer);
    }

    /// Leaves one of the two, or both when the line is gone.
    pub(crate) fn leave(&mut self, conn: ConnId, crdt: Option<CrdtType>) {
        for bytes in self.members.leave(conn, crdt, self.now_ms) {
            self.tell_presence(Some(conn), bytes);
        }
    }

    pub(crate) fn update_alone(&mut self, update: &Update) {
        let conn = update.conn;
        let status = match self.members.get(conn) {
            Some(member) if member.document => {
                let capability = member.capability.clone();
                self.take_updates(conn, update.batch, &capability, &update.blobs)
            }
            _ => {
                self.record_refusal(UNKNOWN, "not-joined", "this line has not joined the page");
                UpdateStatusCode::PermissionDenied
            }
        };
        self.ack(conn, CrdtType::Loro, update.batch, status);
    }

    fn take_updates(
        &mut self,
        conn: ConnId,
        batch: BatchId,
        capability: &Capability,
        blobs: &[Vec<u8>],
    ) -> UpdateStatusCode {
        if self.has_expired(capability) {
            let expired = denied("expired", "the token has expired".to_owned());
            return self.refused(conn, batch, &capability.subject, &expired);
        }
        let suggestion = self
            .suggests(capability)
            .then(|| self.suggestions.run_of(&capability.subject, self.now_ms));
        for blob in blobs {
            let author = Author {
                subject: &capability.subject,
                capability: Some(capability),
                run: suggestion.as_ref(),
                conn: Some(conn),
            };
            if let Err(refusal) = self.submit(&author, blob) {
                return self.refused(conn, batch, &capability.subject, &refusal);
            }
        }
        UpdateStatusCode::Ok
    }

    pub(crate) fn refused(
        &mut self,
        conn: ConnId,
        batch: BatchId,
        subject: &str,
        refusal: &Refusal,
    ) -> UpdateStatusCode {
        self.explain(conn, batch, refusal);
        tracing::warn!(page = %self.page, %conn, code = refusal.code(), reason = %refusal, "update refused");
        self.record_refusal(subject, refusal.code(), &refusal.to_string());
        self.out.violation(conn);
        if refusal.costly()
            && let Some(member) = self.members.get_mut(conn)
        {
            member.costly_refusals += 1;
            if member.costly_refusals > MAX_COSTLY_REFUSALS {
                self.out.emit(Output::Send {
                    conn,
                    what: Outgoing::Close {
                        code: CLOSE_VIOLATIONS,
                        reason: "too many refused updates",
                    },
                });
            }
        }
        match refusal {
            Refusal::Denied { .. } => UpdateStatusCode::PermissionDenied,
            Refusal::TooLarge { .. } | Refusal::TooManyOperations { .. } => {
                UpdateStatusCode::PayloadTooLarge
            }
            _ => UpdateStatusCode::InvalidUpdate,
        }
    }

    /// An acknowledgement of the protocol is one byte. Why, and what to do now, goes ahead of it as a
    /// text message, which clients that do not know of it pass over.
    fn explain(&mut self, conn: ConnId, batch: BatchId, refusal: &Refusal) {
        let what = refusal_notice(self.page.as_str(), batch, refusal);
        self.out.emit(Output::Send { conn, what });
    }

    pub(crate) fn presence_update(
        &mut self,
        conn: ConnId,
        name: &str,
        batch: BatchId,
        blobs: &[Vec<u8>],
    ) {
        let Some((subject, region)) = self.members.get(conn).filter(|member| member.presence).map(
            |Member { capability, .. }| (capability.subject.clone(), capability.region().copied()),
        ) else {
            return self.ack(
                conn,
                CrdtType::LoroEphemeralStore,
                batch,
                UpdateStatusCode::PermissionDenied,
            );
        };
        let mut status = UpdateStatusCode::Ok;
        for blob in blobs {
            let peers = &self.peers;
            let live = &self.members.live;
            let seats = &self.seats;
            let taken = |peer| {
                peers.get(&peer).is_some_and(|owner| *owner != subject)
                    || live.get(&peer).is_some_and(|owner| *owner != conn)
                    || seats.has_peer(peer)
            };
            let shower = Shower {
                subject: &subject,
                name,
                region: region.as_ref(),
            };
            match self
                .members
                .presence
                .apply(conn, shower, blob, self.now_ms, taken)
            {
                Ok(updates) => {
                    for bytes in updates {
                        self.tell_presence(Some(conn), bytes);
                    }
                }
                Err(refusal) => {
                    tracing::warn!(page = %self.page, %conn, %refusal, "presence refused");
                    self.record_refusal(&subject, "presence", &refusal.to_string());
                    self.out.violation(conn);
                    status = match refusal {
                        PresenceRefusal::Foreign { .. } => UpdateStatusCode::PermissionDenied,
                        PresenceRefusal::Malformed | PresenceRefusal::Flawed(_) => {
                            UpdateStatusCode::InvalidUpdate
                        }
                        PresenceRefusal::TooLarge { .. } | PresenceRefusal::TooMany => {
                            UpdateStatusCode::PayloadTooLarge
                        }
                    };
                }
            }
        }
        self.ack(conn, CrdtType::LoroEphemeralStore, batch, status);
    }

    pub(crate) fn tell_presence(&mut self, origin: Option<ConnId>, bytes: Vec<u8>) {
        self.tell(CrdtType::LoroEphemeralStore, origin, bytes.into());
    }

    pub(crate) fn ack(
        &mut self,
        conn: ConnId,
        crdt: CrdtType,
        ref_id: BatchId,
        status: UpdateStatusCode,
    ) {
        let message = ProtocolMessage::Ack {
            crdt,
            room_id: self.page.to_string(),
            ref_id,
            status,
        };
        if let Some(frame) = frames::single(&message) {
            self.out.send_ack(conn, frame);
        }
    }

    fn reply(&mut self, conn: ConnId, message: &ProtocolMessage) {
        if let Some(frame) = frames::single(message) {
            self.out.send(conn, frame);
        }
    }
}
