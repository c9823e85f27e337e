//! What leaves a room's core: frames to send, changes to make durable, and what an undo did.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::time::Instant;

use bytes::Bytes;
use glade_doc::ElementId;
use glade_store::Change as StoreChange;

use super::ConnId;

/// What a connection is sent.
#[derive(Debug, Clone)]
pub enum Outgoing {
    Frame(Bytes),
    Text(Cow<'static, str>),
    Close { code: u16, reason: &'static str },
}

impl Outgoing {
    /// What it takes while it waits for its reader.
    pub fn bytes(&self) -> usize {
        match self {
            Self::Frame(frame) => frame.len(),
            Self::Text(text) => text.len(),
            Self::Close { .. } => 0,
        }
    }
}

/// A deed that waits for durability, such as answering a call.
pub type Then = Box<dyn FnOnce() + Send>;

pub enum Output {
    Send {
        conn: ConnId,
        what: Outgoing,
    },
    Append {
        ticket: u64,
        changes: Vec<StoreChange>,
    },
    Then(Then),
    /// This connection broke a rule.
    Violation {
        conn: ConnId,
    },
    /// An update that was taken at this moment has been answered.
    Took(Instant),
}

/// What must become durable.
pub struct Append {
    pub ticket: u64,
    pub changes: Vec<StoreChange>,
}

/// What an undo did, in words for the caller.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct UndoReport {
    pub undone: BTreeSet<ElementId>,
    pub kept: Vec<KeptFor>,
    /// What the run still has in the document, pending.
    pub remaining: BTreeSet<ElementId>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct KeptFor {
    pub what: ElementId,
    pub property: Option<String>,
    pub by: String,
}
