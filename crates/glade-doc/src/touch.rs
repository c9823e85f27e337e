//! Touches: what a run changed, with what it takes to change it back.
//!
//! A touch is one row, made to be stored as it is: the index of a page is rebuilt from its rows and
//! the document alone.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Counter, ElementId, PeerId, RunId};

/// What names a touch. Rows of one register lie together in this order.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct TouchKey {
    pub element: ElementId,
    /// Empty for the making of the element itself.
    pub property: String,
    pub run: RunId,
    pub action: u32,
}

/// One row: `run`'s `action` wrote `property` of `element`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Touch {
    pub run: RunId,
    pub step: u32,
    pub action: u32,
    pub element: ElementId,
    pub property: String,
    /// The peer that wrote it.
    pub peer: PeerId,
    /// Only derived writes so far: they are undone, but never hold anything.
    pub derived: bool,
    #[serde(flatten)]
    pub kind: TouchKind,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum TouchKind {
    /// The action made the element. Its other writes to that element need no rows: undoing the
    /// action either deletes the element or keeps it whole.
    Created {
        /// Somebody outside every pending run has touched it: it stays, for them.
        held: Option<Dependent>,
        /// The run was undone while another pending run was holding the element. It goes when
        /// that run is undone too, and stays when that run is kept.
        orphaned: bool,
    },
    Register {
        /// The value that undoing goes back to; `None` where there was none, or null.
        before: Option<Value>,
        before_by: Option<PeerId>,
        /// Rows of one register with a higher number lie above those with a lower one.
        order: u64,
        over: Over,
    },
    Text {
        /// The characters this action typed, as far as they were not retyped by an undo.
        inserted: Vec<CharSpan>,
        /// The characters this action deleted and that undoing it brings back.
        deleted: Vec<DeletedSpan>,
    },
    /// The action marked words of a block, or cleared marks.
    Marks { marked: Vec<MarkedSpan> },
}

/// What lies over a register row, other rows aside.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Over {
    Nobody,
    /// Derived writes, which do not count.
    Derived,
    /// Somebody wrote here on purpose: undoing leaves the register alone.
    Peer(PeerId),
}

/// What depends on an element, so that undoing the run that made it leaves it there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dependent {
    pub property: String,
    pub by: PeerId,
}

/// Characters by their ids, which never change, unlike their positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct CharSpan {
    pub peer: PeerId,
    pub from: Counter,
    pub to: Counter,
}

/// The id of one character.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct CharId {
    pub peer: PeerId,
    pub counter: Counter,
}

/// Deleted characters, with their place: right after `left`, which is visible or itself a deleted
/// character of some row; `None` is the beginning.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DeletedSpan {
    pub peer: PeerId,
    pub from: Counter,
    pub text: String,
    pub left: Option<CharId>,
    /// The marks that they had, all of them the same.
    #[serde(default, skip_serializing_if = "Marks::is_empty")]
    pub marks: Marks,
}

/// Marks of a character: name → value.
pub type Marks = BTreeMap<String, Value>;

/// Characters whose mark `name` an action changed; null: there was, or is, none.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MarkedSpan {
    #[serde(flatten)]
    pub chars: CharSpan,
    pub name: String,
    pub before: Value,
    pub after: Value,
}

impl Touch {
    pub fn key(&self) -> TouchKey {
        TouchKey {
            element: self.element.clone(),
            property: self.property.clone(),
            run: self.run.clone(),
            action: self.action,
        }
    }

    /// The run was undone; only the wait for another run is left of this row.
    pub(crate) fn is_orphaned(&self) -> bool {
        matches!(self.kind, TouchKind::Created { orphaned: true, .. })
    }
}

impl CharSpan {
    pub(crate) fn contains(&self, id: CharId) -> bool {
        self.peer == id.peer && (self.from..self.to).contains(&id.counter)
    }
}
