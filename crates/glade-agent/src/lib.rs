//! The fairy, sans-IO: events in, effects out.
//!
//! An [`Agent`] is a value. It has no clock, no randomness, no network and no task of its own; a host
//! feeds it what happened ([`Event`]: a person's message, a piece of a model's answer, a refusal by
//! the room, Stop) with a look at the page at that instant ([`World`]), and carries out what it asks
//! for ([`Effect`]: ask the model, edit the page, revert an action, say something, move the sprite).
//! So a fairy can be simulated by the million, cut off at every byte, and replayed.
//!
//! # How a message becomes a drawing
//!
//! 1. [`Event::Prompt`] starts a run. The [mode](Mode) says which [parts](part) make up the
//!    [`Prompt`] and which [actions](action) may answer it; the answer is asked for with
//!    [`Effect::Ask`].
//! 2. Each [`Event::Delta`] goes through the [stream parser](parser), which gives actions while they
//!    are still being written.
//! 3. An action is *sanitised* (ids resolved by the [id map](ids), numbers coerced, clamped and put
//!    into page space by [`coords`], locked shapes refused) and *applied* in its [context](action_context), which
//!    turns what they want into the smallest edits: only what differs from the action's last partial, with
//!    what follows from it (label places, bound arrows).
//! 4. What was refused goes back to the model with its reason, once, as the next step of the run,
//!    and no run goes beyond its [`Limits`]. Open todos, tasks and scheduled [requests](request) are
//!    further steps; what fails for now is tried again after [`Effect::Wake`].
//!
//! On code the answer is no list of actions: a model calls tools, hears what became of them and is
//! asked again ([`Event::Converse`], `rounds`). Run, limits, retries and end are the same.
//!
//! # Invariants
//!
//! - **Nothing of an old step is heard again.** Steps and actions are numbered through the fairy's
//!   life; whatever carries another number than the one awaited is ignored.
//! - **An action stands whole or not at all.** Until [`Effect::EndAction`] everything that it wrote
//!   can be taken back by its number: by [`Effect::Revert`], or by the host's fence before
//!   [`Event::Stop`] and [`Event::Prompt`]. A cut, broken or refused action leaves nothing behind,
//!   not even its name in the id map.
//! - **People win.** A property is written again only if the action changes its mind about it; a
//!   shape deleted by a person while it is being drawn stays deleted.
//! - **The same events and seed, the same effects.**
//! - **Every [`Say`] that begins, ends**, however the run ends.
//!
//! # Widening it
//!
//! An action, a part and a mode each know their own [facts], in a file of their own in `actions/`,
//! `parts/` or `modes/`, with a line in [`action::REGISTRY`], [`part::REGISTRY`] or [`MODES`]. Schema,
//! system prompt, menus, dispatch and the [catalogue] are derived from those. A binary of one's own
//! adds its own as [`extensions`].
#![deny(clippy::disallowed_methods)]
#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, clippy::unwrap_used, clippy::expect_used)
)]

pub mod action;
pub mod action_context;
pub mod actions;
mod adjusted;
pub mod agenda;
mod agent;
mod asking;
pub mod budget;
pub mod catalogue;
mod changing;
pub mod coords;
pub mod diagram;
pub mod dialogue;
pub mod diff;
pub mod draft;
mod effect;
mod ending;
mod event;
pub mod extensions;
pub mod facts;
mod failure;
mod fold;
pub mod form;
pub mod format;
pub mod history;
pub mod ids;
mod look;
mod menu;
pub mod mode;
pub mod modes;
mod new_shape;
pub mod outside;
pub mod parser;
pub mod part;
pub mod partial_object;
pub mod parts;
pub mod plugins;
pub mod projects;
pub mod prompt;
mod reading;
pub mod request;
mod rng;
mod rounds;
mod run;
mod shape_schema;
mod shapes;
mod state;
mod steady;
mod together;
mod turn;
mod usual_style;
pub mod waits;

pub use agenda::{Agenda, Status, Task, Todo};
pub use agent::{Agent, AgentConfig, Limits, MAX_STEPS, MAX_TOKENS, MAX_USD, Settings, VIEW_SIDE};
pub use dialogue::{
    CallError, CallEvent, CallResult, Dialogue, DialogueTurn, Image, Thought, ToolCall, ToolResult,
    ToolSpec,
};
pub use effect::{
    ActionNote, ActionState, Activity, CallNote, CallState, Effect, Expression, Outcome, Piece,
    Pose, PresenceChange, Say, ToolNote, ToolState,
};
pub use event::{
    Comment, Event, Input, Lint, Linter, OpenItem, OtherFairy, PageInfo, Source, StopReason, Usage,
    UserAction, World,
};
pub use extensions::Extensions;
pub use failure::{Failure, FailureKind};
pub use glade_doc::Remark;
pub use menu::Menu;
pub use mode::{Clear, Hooks, MemoryLevel, Mode, ModeRow, OnPrompt, TABLE as MODES, WhileOpen};
pub use outside::Outside;
pub use part::PartData;
pub use parts::screenshot::LONGEST_SIDE;
pub use projects::Board;
pub use prompt::{Picture, Prompt, PromptMessage, Role, Tag};
pub use request::{ContextItem, FairyCommand, Request};
pub use rounds::{NOT_CARRIED_OUT, for_model};
pub use state::Checkpoint;
