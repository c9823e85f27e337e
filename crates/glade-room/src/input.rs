//! What can happen to a room. A closed list, as data: it can be written down and stepped again.

use glade_access::{Capability, Region};
use glade_doc::{Counter, Edit, PeerId, RollbackRequest, RunId, RunTag};
use loro::LoroValue;
use loro_protocol::{BatchId, CrdtType};
use serde::{Deserialize, Serialize};

use crate::barred::Barred;
use crate::batch::Update;
use crate::bounds::Bounds;
use crate::commenting::FairyComment;
use crate::range::TextRange;
use crate::seats::FairySession;
use crate::{ConnId, serial};

#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum Input {
    Join {
        conn: ConnId,
        #[serde(with = "serial::crdt")]
        crdt: CrdtType,
        capability: Box<Capability>,
        /// What the client has; empty: nothing.
        #[serde(with = "serial::bytes")]
        version: Vec<u8>,
    },
    /// `None`: the line is gone.
    Leave {
        conn: ConnId,
        #[serde(with = "serial::optional_crdt")]
        crdt: Option<CrdtType>,
    },
    /// Messages that came close together, merged in one go.
    Updates(Vec<Update>),
    Presence {
        conn: ConnId,
        /// What the workspace calls whoever sent it.
        #[serde(default)]
        name: String,
        #[serde(with = "serial::batch")]
        batch: BatchId,
        #[serde(with = "serial::blobs")]
        blobs: Vec<Vec<u8>>,
    },
    /// What a fairy shows of itself.
    FairyPresence {
        session: FairySession,
        value: LoroValue,
    },
    /// Answered by [`crate::Output::Answer`].
    Call { id: CallId, call: Call },
    /// The store has everything up to and including this ticket.
    Durable { ticket: u64 },
    /// What the workspace's plugins bar from now on.
    Bar(Barred),
    /// Gets ready for the next refusal; slow on a large page, so for quiet moments.
    PrepareSpare,
    /// Nothing has come in for a while.
    Idle,
}

/// Names a call, so that its answer finds back. Given by the caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct CallId(pub u64);

/// What a fairy's seat or the server asks of a room.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum Call {
    // --- A fairy's seat ---
    /// Seats a fairy, or fences and re-opens the seat that it has.
    Seat {
        fairy: String,
        capability: Box<Capability>,
        peer: PeerId,
    },
    BeginRun {
        session: FairySession,
        run: RunId,
        asker: Option<Box<Capability>>,
    },
    Commit {
        session: FairySession,
        tag: RunTag,
        tool: String,
        edits: Vec<Edit>,
    },
    Comment {
        session: FairySession,
        tool: String,
        comment: FairyComment,
    },
    /// What the fairy may do from now on; its run goes on.
    Rescope {
        session: FairySession,
        capability: Box<Capability>,
    },
    /// What holds a fairy besides its capability, from now on.
    Bound {
        session: FairySession,
        bounds: Bounds,
    },
    /// Ties a range to the characters that it is at now.
    Pin {
        range: TextRange,
    },
    /// The first and the last block that the fairy may change, if not all.
    OwnPart {
        session: FairySession,
    },
    EndAction {
        session: FairySession,
    },
    RevertAction {
        session: FairySession,
        run: RunId,
        action: u32,
    },
    /// What people did on the page since this was last asked.
    TakeUserChanges {
        session: FairySession,
    },
    Unseat {
        session: FairySession,
    },
    /// Stops a fairy now.
    Fence {
        fairy: String,
    },

    // --- The server ---
    /// Edits that the server makes for a person, under a fresh peer id that becomes theirs.
    EditAs {
        capability: Box<Capability>,
        peer: PeerId,
        edits: Vec<Edit>,
    },
    UndoPart(RollbackRequest),
    /// Undoes what a run did after its action number `last`.
    UndoAfter {
        run: RunId,
        last: u32,
    },
    KeepPart(RollbackRequest),
    Touches {
        run: RunId,
    },
    TouchedElements {
        run: RunId,
    },
    /// Whether all that a run changed lies in a region, as it is and as undoing would leave it.
    RunLiesIn {
        run: RunId,
        region: Region,
    },
    Elements,
    Comments,
    /// From now on the scene shows the page.
    Show,
    /// Nothing; answered once everything before it is durable.
    Settle,
    Retier {
        tier: String,
    },
    /// The page was deleted.
    Close,
    /// The page as a snapshot, with its past.
    Fold,
    /// Lets go of what came before these operations, if that is worth it. Only while the room
    /// [is durable](crate::Room::is_durable).
    Compact {
        pending: Vec<(PeerId, Counter)>,
    },
}

impl Call {
    /// What leaves nothing on disk is answered at once, ahead of what waits for the disk.
    pub(crate) fn is_answered_at_once(&self) -> bool {
        matches!(
            self,
            Self::BeginRun { .. }
                | Self::Rescope { .. }
                | Self::Bound { .. }
                | Self::EndAction { .. }
                | Self::TakeUserChanges { .. }
                | Self::TouchedElements { .. }
        )
    }
}
