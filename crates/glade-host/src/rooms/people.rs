//! Connections in a room: joining, leaving, updates and presence.

use std::time::{Duration, UNIX_EPOCH};

use bytes::Bytes;
use glade_access::{Capability, Op};
use glade_doc::Refusal;
use glade_store::AuditKind;
use loro_protocol::{
    BatchId, CrdtType, JoinErrorCode, Permission, ProtocolMessage, UpdateStatusCode,
};
use serde_json::json;

use super::ConnId;
use super::batch::Update;
use super::core::RoomCore;
use super::merging::{Author, denied};
use super::output::{Outgoing, Output};
use super::presence::PresenceRefusal;
use crate::audit;
use crate::connection::penalties::CLOSE_VIOLATIONS;
use crate::rooms::frames;

/// A connection that has joined the document, the presence, or both.
pub struct Member {
    pub capability: Capability,
    pub document: bool,
    pub presence: bool,
    /// Refusals that cost the room work.
    costly_refusals: u32,
}

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

impl RoomCore {
    pub fn join(&mut self, conn: ConnId, crdt: CrdtType, capability: Capability, version: &[u8]) {
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
            CrdtType::Loro if self.is_behind(version) => {
                return self.refuse_join(
                    conn,
                    crdt,
                    JoinErrorCode::VersionUnknown,
                    "the page's past was let go of since: join with an empty version, and make anew what the server has not seen",
                );
            }
            CrdtType::Loro => match self.missing_since(version) {
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
            CrdtType::LoroEphemeralStore => vec![Bytes::from(self.presence.all())],
            _ => {
                return self.refuse_join(
                    conn,
                    crdt,
                    JoinErrorCode::AppError,
                    "this server speaks %LOR and %EPH",
                );
            }
        };
        let member = self.members.entry(conn).or_insert_with(|| Member {
            capability: capability.clone(),
            document: false,
            presence: false,
            costly_refusals: 0,
        });
        let subject = capability.subject.clone();
        member.capability = capability;
        let (was_there, version) = match crdt {
            CrdtType::Loro => (
                std::mem::replace(&mut member.document, true),
                self.guarded.doc().version(),
            ),
            _ => (std::mem::replace(&mut member.presence, true), Vec::new()),
        };
        self.members_changed();
        if !was_there {
            let told = json!({
                "page": self.page.as_str(),
                "what": if crdt == CrdtType::Loro { "document" } else { "presence" },
                "write": permission == Permission::Write,
            });
            self.record(AuditKind::Join, &subject, told);
        }
        let answer = ProtocolMessage::JoinResponseOk {
            crdt,
            room_id: self.page.to_string(),
            permission,
            version,
            extra: Some(extra),
        };
        self.answer(conn, &answer);
        let parts: Vec<&[u8]> = backfill
            .iter()
            .map(|part| &part[..])
            .filter(|part| !part.is_empty())
            .collect();
        let page = self.page.clone();
        let frames = frames::doc_updates(crdt, page.as_str(), &parts, || self.next_batch());
        for frame in frames {
            self.send(conn, frame);
        }
    }

    fn refuse_join(&mut self, conn: ConnId, crdt: CrdtType, code: JoinErrorCode, message: &str) {
        let version =
            matches!(code, JoinErrorCode::VersionUnknown).then(|| self.guarded.doc().version());
        let answer = ProtocolMessage::JoinError {
            crdt,
            room_id: self.page.to_string(),
            code,
            message: message.to_owned(),
            receiver_version: version,
            app_code: matches!(code, JoinErrorCode::AppError).then(|| "unsupported".to_owned()),
        };
        self.answer(conn, &answer);
    }

    /// Leaves one of the two, or both when the line is gone.
    pub fn leave(&mut self, conn: ConnId, crdt: Option<CrdtType>) {
        let Some(member) = self.members.get_mut(&conn) else {
            return;
        };
        let both = crdt.is_none();
        if both || crdt == Some(CrdtType::Loro) {
            member.document = false;
            self.live.retain(|_, owner| *owner != conn);
        }
        let left_presence = member.presence && (both || crdt == Some(CrdtType::LoroEphemeralStore));
        if left_presence {
            member.presence = false;
        }
        if !member.document && !member.presence {
            self.members.remove(&conn);
        }
        self.members_changed();
        if left_presence {
            for bytes in self.presence.leave(conn) {
                self.tell_presence(Some(conn), &bytes);
            }
        }
    }

    pub(super) fn update_alone(&mut self, update: &Update) {
        let conn = update.conn;
        let status = match self.members.get(&conn) {
            Some(member) if member.document => {
                let capability = member.capability.clone();
                self.take_updates(conn, update.batch, &capability, &update.blobs)
            }
            _ => {
                self.record_refusal(
                    audit::UNKNOWN,
                    "not-joined",
                    "this line has not joined the page",
                );
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
        let now = Duration::from_millis(self.now_ms.try_into().unwrap_or(0));
        if capability.expired(UNIX_EPOCH + now) {
            let expired = denied("expired", "the token has expired".to_owned());
            return self.refused(conn, batch, &capability.subject, &expired);
        }
        let suggestion = self
            .suggests(capability)
            .then(|| self.suggestion_of(&capability.subject));
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

    pub(super) fn refused(
        &mut self,
        conn: ConnId,
        batch: BatchId,
        subject: &str,
        refusal: &Refusal,
    ) -> UpdateStatusCode {
        self.explain(conn, batch, refusal);
        tracing::warn!(page = %self.page, %conn, code = refusal.code(), reason = %refusal, "update refused");
        self.record_refusal(subject, refusal.code(), &refusal.to_string());
        self.violation(conn);
        if refusal.costly()
            && let Some(member) = self.members.get_mut(&conn)
        {
            member.costly_refusals += 1;
            if member.costly_refusals > MAX_COSTLY_REFUSALS {
                self.emit(Output::Send {
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
        self.emit(Output::Send { conn, what });
    }

    pub fn presence_update(&mut self, conn: ConnId, batch: BatchId, blobs: &[Vec<u8>]) {
        let Some(subject) = self
            .members
            .get(&conn)
            .filter(|member| member.presence)
            .map(|member| member.capability.subject.clone())
        else {
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
            let live = &self.live;
            let taken = |peer| {
                peers.get(&peer).is_some_and(|owner| *owner != subject)
                    || live.get(&peer).is_some_and(|owner| *owner != conn)
            };
            match self.presence.apply(conn, &subject, blob, taken) {
                Ok(updates) => {
                    for bytes in updates {
                        self.tell_presence(Some(conn), &bytes);
                    }
                }
                Err(refusal) => {
                    tracing::warn!(page = %self.page, %conn, ?refusal, "presence refused");
                    let reason = format!("{refusal:?}");
                    self.record_refusal(&subject, "presence", &reason);
                    self.violation(conn);
                    status = match refusal {
                        PresenceRefusal::Foreign { .. } => UpdateStatusCode::PermissionDenied,
                        PresenceRefusal::Malformed => UpdateStatusCode::InvalidUpdate,
                        PresenceRefusal::TooLarge { .. } | PresenceRefusal::TooMany => {
                            UpdateStatusCode::PayloadTooLarge
                        }
                    };
                }
            }
        }
        self.ack(conn, CrdtType::LoroEphemeralStore, batch, status);
    }

    pub(super) fn tell_presence(&mut self, origin: Option<ConnId>, bytes: &[u8]) {
        let bytes = Bytes::copy_from_slice(bytes);
        self.tell(CrdtType::LoroEphemeralStore, origin, bytes);
    }

    pub(super) fn ack(
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
            self.send_ack(conn, frame);
        }
    }

    fn answer(&mut self, conn: ConnId, message: &ProtocolMessage) {
        if let Some(frame) = frames::single(message) {
            self.send(conn, frame);
        }
    }
}
