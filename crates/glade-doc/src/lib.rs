//! The shared document: what people and fairies draw and write on, and how a fairy's part in it can
//! be told apart, judged before it is merged, and taken back.
//!
//! # The document
//!
//! A page is one [Loro](https://loro.dev) document. What is drawn is its root map `elements`. Each element
//! is a *mergeable* map under its id: two peers that make the same element make the same map. In
//! it, every Excalidraw property is one last-writer-wins register holding a plain JSON value, and
//! `originalText` is mergeable text. Nothing is ever removed: deleting sets `isDeleted`. What the
//! editor can compute is not stored. [`schema`] has the names; [`PageDoc`] reads, and writes by
//! difference ([`Edit`]), so that people changing two properties of one shape never meet.
//!
//! What people say about the drawing is the second and last root, `comments`, with the same
//! manners. A comment belongs to whoever wrote it ([`Commenter`] holds the rules), is never part of
//! a run, and leaves no touches: undoing a fairy leaves every word that was said about its work.
//!
//! A text page is the same with other names ([`Surface`]): its root is `doc`, its elements are blocks,
//! and their words may be styled; see [`text`].
//!
//! A fairy's commits carry a [`RunTag`] as their Loro commit message; people's carry none.
//!
//! # The gate
//!
//! Loro cannot refuse an import. [`GuardedPage::admit`], the one door into a page, therefore merges
//! every update into a replica first and reads what it does, operation by operation, as
//! [`Change`]s. What a canvas does not have (other roots, plain child containers, removed keys,
//! values that are not JSON, styled text, a clock ahead of its history) is a [`Refusal`]; so is
//! what the caller's judge says no to. Only then does the document merge it. Counters must go on
//! exactly where the document stands, because Loro would accept a second past under a known peer
//! id without a word. *Who* may use a peer id is the room's business, not the gate's.
//!
//! After a refusal the replica is thrown away and a spare takes its place, so refusing is cheap;
//! [`GuardedPage::prepare_spare`] makes the next spare. Damaged bytes may make Loro panic: everything that
//! reads them first does so where a panic ends as a refusal.
//!
//! # Touches
//!
//! A [`Touch`] is a row that says what one action of a pending run changed, and what it takes to
//! change it back. Rows are plain data: [`Admitted`], [`RolledBack`] and [`Settled`] say which to
//! store and which to drop, and rows plus document are all that a restart needs.
//!
//! - **Registers.** Rows of one register lie in layers, each knowing the value that it covered.
//!   Undoing the one that shows writes that value; undoing one below passes its value up to its
//!   cover. A deliberate write by anybody else lies over all layers, and they can no longer be
//!   undone there: any later author wins. A late write that loses in Loro changes nothing here.
//! - **Elements.** The action that makes an element has one row for all of it. Undone, the element
//!   is deleted, unless somebody else touched it, bound an arrow to it or labelled it: then it is
//!   kept whole. If that somebody is itself a pending run, the element waits for that run's fate.
//! - **Text.** Rows name characters by id: those typed, and those deleted together with their place
//!   among the others. Undoing deletes the former and retypes the latter, wherever they are by now,
//!   so what a person types into a fairy's sentence stays. Loro's own span undo was weighed for
//!   this and turns out to know one span at a time: it brings back letters of another run that is
//!   itself undone, and leaves letters that an earlier undo had retyped.
//! - **Derived writes** (a bound arrow's path, a label's place, a container's growth, a repaired
//!   order) are undone with the rest but never count as touching anything.
//!
//! # Rollback
//!
//! Cancel, undo, undo of a part and recovery are one function, [`GuardedPage::rollback`]: a plan,
//! made of index and document without touching either, then one commit. Undoing all pending runs in
//! any order leaves the page as it was before them, apart from what others did.
//!
//! [`GuardedPage::undo`] is the same, written down so that [`GuardedPage::reopen`] can take it back.
//!
//! # Limits
//!
//! - A register that was absent comes back as null, and a text that was absent comes back empty.
//! - Characters that were typed and deleted within one update cannot be brought back by undoing
//!   only the deletion. Fairies send every action's change by itself.
//! - What is typed at a place where everything around was deleted comes after the deleted
//!   characters when those return.
#![deny(clippy::disallowed_methods)]
#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, clippy::unwrap_used, clippy::expect_used)
)]

mod admit;
mod comment;
mod dependents;
mod derived;
mod edit;
mod error;
mod formulas;
mod gate;
mod guarded;
mod header;
mod history;
mod ids;
mod inspect;
mod lines;
mod marks;
mod observe;
mod page;
mod page_load;
mod panics;
mod presence;
mod refusal;
mod registers;
mod remark;
mod rollback;
pub mod rules;
pub mod schema;
mod strokes;
mod surface;
mod tables;
pub mod text;
mod texts;
mod touch;
mod touch_index;
mod undone;
mod value;
mod wire;
pub mod words;

pub use admit::{Admitted, Comparing, IncomingUpdate, Judge, JudgeOfMany};
pub use comment::{CommentWrite, Commenter};
pub use edit::Edit;
pub use error::DocError;
pub use formulas::formula_fits;
pub use guarded::{GuardedPage, Settled};
pub use header::{MAX_UPDATE_BYTES, MAX_UPDATE_OPERATIONS, PeerSpan, blob_spans};
pub use history::Compacted;
pub use ids::{CommentId, Counter, ElementId, PageId, PeerId, Props, RunId, RunTag};
pub use inspect::{Change, TextWrite, Write, WriteKind};
pub use page::{Commit, PageDoc};
pub use panics::contained_panics;
pub use presence::{PresenceFlaw, check_presence_value, shows_a_fairy};
pub use refusal::{Recovery, Refusal};
pub use remark::Remark;
pub use rollback::{NotUndone, RollbackRequest, RolledBack};
pub use surface::Surface;
pub use tables::TableLimits;
pub use touch::{
    CharId, CharSpan, DeletedSpan, Dependent, MarkedSpan, Marks, Over, Touch, TouchKey, TouchKind,
};
pub use undone::OF_UNDO;
pub use value::same_value;
pub use wire::{MAX_PRESENCE_BYTES, MAX_VERSION_BYTES, check_presence, check_version};
