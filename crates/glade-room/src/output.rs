//! What leaves a room: frames to send, records to make durable, answers, and what an undo did.

use std::borrow::Cow;
use std::collections::BTreeSet;

use bytes::Bytes;
use glade_doc::{ElementId, PeerId, PeerSpan, RunId, Touch, TouchKey};
use serde::Serialize;

use crate::ConnId;
use crate::answer::Answer;
use crate::input::CallId;
use crate::serial;
use crate::suggestions::Suggestion;

/// The connection broke rules again and again.
pub const CLOSE_VIOLATIONS: u16 = 4002;

/// What a connection is sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub enum Outgoing {
    Frame(#[serde(with = "serial::bytes")] Bytes),
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

#[derive(Debug, Clone, PartialEq, Serialize)]
pub enum Output {
    Send {
        conn: ConnId,
        what: Outgoing,
    },
    /// What must become durable; [`crate::Input::Durable`] says that it is.
    Append {
        ticket: u64,
        records: Vec<Record>,
    },
    Answer {
        call: CallId,
        answer: Answer,
    },
    /// This connection broke a rule.
    Violation {
        conn: ConnId,
    },
    /// The oldest message of updates that was not yet answered has been.
    Acknowledged,
    /// A suggester's run went on, durably.
    Suggested(Suggestion),
}

/// One thing that a room keeps. Those of one append are kept together or not at all.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub enum Record {
    /// Whose a peer id is from now on.
    Peer {
        peer: PeerId,
        subject: String,
    },
    Update {
        spans: Vec<PeerSpan>,
        #[serde(with = "serial::bytes")]
        blob: Vec<u8>,
        subject: String,
        at_ms: i64,
    },
    Suggestion(Suggestion),
    /// Operations that a run made.
    Span {
        run: RunId,
        span: PeerSpan,
    },
    Touches(Vec<Touch>),
    ClosedTouches(Vec<TouchKey>),
    /// Somebody came in, for the audit chain.
    Joined {
        subject: String,
        what: &'static str,
        write: bool,
    },
    /// Something was refused, for the audit chain.
    Refused {
        subject: String,
        code: String,
        reason: String,
        /// How many refusals the subject has had lately.
        count: u64,
    },
}

/// What an undo did, in words for the caller.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct UndoReport {
    pub undone: BTreeSet<ElementId>,
    pub kept: Vec<KeptFor>,
    /// What the run still has in the document, pending.
    pub remaining: BTreeSet<ElementId>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct KeptFor {
    pub what: ElementId,
    pub property: Option<String>,
    pub by: String,
}
