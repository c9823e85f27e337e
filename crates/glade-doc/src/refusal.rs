use thiserror::Error;

use crate::{CommentId, Counter, ElementId, PeerId};

/// Why an update was not merged. The document, the gate and the touch index are as they were.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Refusal {
    #[error("the update has {bytes} bytes, the limit is {max}; split it into several commits")]
    TooLarge { bytes: usize, max: usize },
    #[error("the update holds {operations} operations, the limit is {max}; split it")]
    TooManyOperations { operations: u64, max: u64 },
    #[error("the bytes are not a valid update: {reason}")]
    Malformed { reason: String },
    #[error("a snapshot is not an update; export the changes since the server's version instead")]
    Snapshot,
    #[error(
        "peer {peer} must go on at counter {expected}, but the update has {from}..{to}; take the server's state and send your changes under a new peer id"
    )]
    CounterMismatch {
        peer: PeerId,
        expected: Counter,
        from: Counter,
        to: Counter,
    },
    #[error(
        "the update depends on changes that the server does not have; send everything since the server's version"
    )]
    MissingHistory,
    #[error(
        "the change {peer}:{counter} has a logical clock of {found}, its history says {expected}"
    )]
    ClockMismatch {
        peer: PeerId,
        counter: Counter,
        found: u32,
        expected: u32,
    },
    #[error(
        "such a page has no container {container}; write only below its root maps: `elements` (on a text page `doc`) and `comments`"
    )]
    UnknownContainer { container: String },
    #[error(
        "{container} is a plain child container; use ensureMergeableMap for elements and ensureMergeableText for originalText"
    )]
    PlainContainer { container: String },
    #[error("operation {peer}:{counter} is of a kind that such a page does not have")]
    UnknownOperation { peer: PeerId, counter: Counter },
    #[error(
        "key {key} was removed{}; nothing is ever removed: set isDeleted, or write null",
        .element.as_ref().map(|e| format!(" from element {e}")).unwrap_or_default()
    )]
    KeyRemoved {
        element: Option<ElementId>,
        key: String,
    },
    #[error("{id:?} is not an element id: 1 to 128 bytes without control characters are")]
    BadElementId { id: String },
    #[error(
        "{property:?} of element {element} is not a property name: 1 to 128 bytes without control characters are"
    )]
    BadProperty {
        element: ElementId,
        property: String,
    },
    #[error("the entry of element {element} is not a mergeable map; use ensureMergeableMap")]
    NotAnElement { element: ElementId },
    #[error("originalText of element {element} is not mergeable text; use ensureMergeableText")]
    NotText { element: ElementId },
    #[error(
        "{property} of element {element} is not a plain JSON value (finite numbers, no bytes, no containers)"
    )]
    NotPlain {
        element: ElementId,
        property: String,
    },
    #[error("element {element} cannot be so: {property} is not right, {reason}")]
    BadElement {
        element: ElementId,
        property: String,
        reason: String,
    },
    #[error("originalText of element {element} was styled; it holds plain characters only")]
    StyledText { element: ElementId },
    #[error(
        "element {element} was written without being in the page's root map; use ensureMergeableMap"
    )]
    HiddenElement { element: ElementId },
    #[error("block {element} cannot be so: {reason}")]
    BadBlock { element: ElementId, reason: String },
    #[error("comment {comment} cannot be so: {reason}")]
    BadComment { comment: CommentId, reason: String },
    #[error("the update could not be read through to its end ({reason}); it was put aside")]
    Unsound { reason: String },
    /// Damaged bytes made Loro panic. What it was working on is never touched again.
    #[error("the update made its reader fail; it was put aside")]
    ReaderPanicked,
    /// For the judge: what the writer may not do, whatever the bytes say.
    #[error("{reason}")]
    Denied { code: &'static str, reason: String },
}

/// What a client can do after a refusal, beside taking the server's state: what was refused is not in
/// it, and must not be counted on by later changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Recovery {
    /// Make the change again under a fresh peer id.
    NewPeer,
    /// Send everything since the server's version, not a part of it.
    CatchUp,
    /// Make the change in several smaller commits.
    Split,
    /// The right is missing: offer the change to the person as a copy.
    Ask,
    /// No page can hold this: drop it, and look for the fault in the client.
    Discard,
}

impl Recovery {
    /// A stable name for machines, `kebab-case`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::NewPeer => "new-peer",
            Self::CatchUp => "catch-up",
            Self::Split => "split",
            Self::Ask => "ask",
            Self::Discard => "discard",
        }
    }
}

impl Refusal {
    pub fn recovery(&self) -> Recovery {
        match self {
            Self::CounterMismatch { .. } | Self::ClockMismatch { .. } => Recovery::NewPeer,
            Self::Denied { code, .. } if code.ends_with("-peer") => Recovery::NewPeer,
            Self::MissingHistory => Recovery::CatchUp,
            Self::TooLarge { .. } | Self::TooManyOperations { .. } => Recovery::Split,
            Self::Denied { .. } => Recovery::Ask,
            _ => Recovery::Discard,
        }
    }

    pub(crate) fn unsound(reason: impl Into<String>) -> Self {
        Self::Unsound {
            reason: reason.into(),
        }
    }

    /// A stable name for machines, `kebab-case`.
    pub fn code(&self) -> &'static str {
        match self {
            Self::TooLarge { .. } => "too-large",
            Self::TooManyOperations { .. } => "too-many-operations",
            Self::Malformed { .. } => "malformed",
            Self::Snapshot => "snapshot",
            Self::CounterMismatch { .. } => "counter-mismatch",
            Self::MissingHistory => "missing-history",
            Self::ClockMismatch { .. } => "clock-mismatch",
            Self::UnknownContainer { .. } => "unknown-container",
            Self::PlainContainer { .. } => "plain-container",
            Self::UnknownOperation { .. } => "unknown-operation",
            Self::KeyRemoved { .. } => "key-removed",
            Self::BadElementId { .. } => "bad-element-id",
            Self::BadProperty { .. } => "bad-property",
            Self::NotAnElement { .. } => "not-an-element",
            Self::NotText { .. } => "not-text",
            Self::NotPlain { .. } => "not-plain",
            Self::BadElement { .. } => "bad-element",
            Self::StyledText { .. } => "styled-text",
            Self::HiddenElement { .. } => "hidden-element",
            Self::BadBlock { .. } => "bad-block",
            Self::BadComment { .. } => "bad-comment",
            Self::Unsound { .. } => "unsound",
            Self::ReaderPanicked => "reader-panicked",
            Self::Denied { code, .. } => code,
        }
    }

    /// Whether saying no spent a gate replica: found only after the import. A session that goes
    /// on causing these should be closed.
    pub fn costly(&self) -> bool {
        !matches!(
            self,
            Self::TooLarge { .. }
                | Self::TooManyOperations { .. }
                | Self::Malformed { .. }
                | Self::Snapshot
                | Self::CounterMismatch { .. }
        )
    }
}
