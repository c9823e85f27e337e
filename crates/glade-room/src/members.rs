//! Who is in a room over a line: what each has joined, which peer ids it writes under, and what it
//! shows of itself.

use std::collections::{BTreeMap, HashMap};

use glade_access::Capability;
use glade_doc::PeerId;
use loro_protocol::CrdtType;

use crate::ConnId;
use crate::presence::Presence;
use crate::telling::Readers;

/// A connection that has joined the document, the presence, or both.
pub(crate) struct Member {
    pub capability: Capability,
    pub document: bool,
    pub presence: bool,
    /// Refusals that cost the room work.
    pub costly_refusals: u32,
}

#[derive(Default)]
pub(crate) struct Members {
    by_conn: BTreeMap<ConnId, Member>,
    /// The connection that last wrote under a peer id.
    pub live: HashMap<PeerId, ConnId>,
    pub presence: Presence,
    /// Who reads the document, and who the presence; made when first asked for after a change.
    document_readers: Option<Readers>,
    presence_readers: Option<Readers>,
}

impl Members {
    pub fn get(&self, conn: ConnId) -> Option<&Member> {
        self.by_conn.get(&conn)
    }

    pub fn get_mut(&mut self, conn: ConnId) -> Option<&mut Member> {
        self.by_conn.get_mut(&conn)
    }

    pub fn iter(&self) -> impl Iterator<Item = (ConnId, &Member)> {
        self.by_conn.iter().map(|(conn, member)| (*conn, member))
    }

    /// Somebody joins; answers whether they had joined this before.
    pub fn join(&mut self, conn: ConnId, crdt: CrdtType, capability: Capability) -> bool {
        self.changed();
        let member = self.by_conn.entry(conn).or_insert_with(|| Member {
            capability: capability.clone(),
            document: false,
            presence: false,
            costly_refusals: 0,
        });
        member.capability = capability;
        let joined = if crdt == CrdtType::Loro {
            &mut member.document
        } else {
            &mut member.presence
        };
        std::mem::replace(joined, true)
    }

    /// Somebody leaves one of the two, or both; answers what tells the others that they are seen no
    /// more.
    pub fn leave(&mut self, conn: ConnId, crdt: Option<CrdtType>, now_ms: i64) -> Vec<Vec<u8>> {
        let Some(member) = self.by_conn.get_mut(&conn) else {
            return Vec::new();
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
            self.by_conn.remove(&conn);
        }
        self.changed();
        if left_presence {
            self.presence.leave(conn, now_ms)
        } else {
            Vec::new()
        }
    }

    /// Everyone who reads the document, or the presence.
    pub fn readers(&mut self, crdt: CrdtType) -> Readers {
        let document = crdt == CrdtType::Loro;
        let known = if document {
            &mut self.document_readers
        } else {
            &mut self.presence_readers
        };
        let readers = known.get_or_insert_with(|| {
            let reads = self.by_conn.iter().filter(|(_, member)| {
                if document {
                    member.document
                } else {
                    member.presence
                }
            });
            reads.map(|(conn, _)| *conn).collect()
        });
        Readers::clone(readers)
    }

    fn changed(&mut self) {
        self.document_readers = None;
        self.presence_readers = None;
    }
}
