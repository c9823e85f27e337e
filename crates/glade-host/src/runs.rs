//! Runs: all that one message set off, or what somebody suggested; what people keep and undo as one.
//!
//! What may be done with a run is decided here, for pages and for files, and nowhere else: [`reach`]
//! says what a run reached and who may know of it, [`keep`] and [`undo`] settle it, [`reopen`] takes an undo back, [`changes`],
//! [`why`], [`chat`] and [`listed`] explain it. The store has a change before anybody is told.

mod changes;
mod chat;
mod keep;
mod listed;
mod part;
pub mod reach;
mod reopen;
mod undo;
mod why;

pub use changes::{Changed, Removed, Typed, WordsChanged};
pub use part::RunPart;
pub use reopen::Reopened;
pub use undo::{LeftInPlace, Undone};
pub use why::{Why, WhyRun};

use std::sync::Arc;

use glade_access::{Capability, Op};
use glade_store::{Store, StoreError};

use crate::code::{CodeError, CodeHost};
use crate::fairies::Host;
use crate::rooms::{RoomError, Rooms};
use crate::workspace::{Run, Workspace};

/// Why something was not done. The words are for whoever asked.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    #[error("There is no run {0}, or this token may not see it.")]
    Missing(String),
    #[error("There is no page {0}, or this token may not read it.")]
    NoPage(String),
    #[error(
        "No code project is open here, or this token may not see it: start the server with --project DIR."
    )]
    NoProject,
    #[error("{0}")]
    Forbidden(String),
    #[error("{0}")]
    Conflict(&'static str),
    /// What was asked for is no part of such a run.
    #[error("{0}")]
    NoSuchPart(&'static str),
    #[error(transparent)]
    Code(#[from] CodeError),
    #[error(transparent)]
    Room(#[from] RoomError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

pub struct Runs {
    pub store: Store,
    pub workspace: Arc<Workspace>,
    pub rooms: Arc<Rooms>,
    pub fairies: Arc<Host>,
    /// The code project, if one is open.
    pub code: Option<Arc<CodeHost>>,
}

impl Runs {
    /// The run, if `who` may do this with what it worked on. One that they may not know of is
    /// answered like one that is not there.
    pub fn get(&self, who: &Capability, id: &str, op: Op) -> Result<Run, RunError> {
        let run = self.workspace.find_run(id)?;
        let run = run.filter(|run| self.lists(who, run));
        let run = run.ok_or_else(|| RunError::Missing(id.to_owned()))?;
        if run.target.has_files() {
            self.project(who, op)?;
        }
        if let Some(page) = run.target.first_page() {
            self.on_page(who, page, op)?;
        }
        Ok(run)
    }

    /// The code project, if one is open and `who` may do this to it.
    pub fn project(&self, who: &Capability, op: Op) -> Result<&Arc<CodeHost>, RunError> {
        let code = self.code.as_ref().ok_or(RunError::NoProject)?;
        if !who.allows_project(Op::Read) {
            return Err(RunError::NoProject);
        }
        if !who.allows_project(op) {
            let op = op.as_str();
            let why = format!("This token may not {op} in the code project.");
            return Err(RunError::Forbidden(why));
        }
        Ok(code)
    }

    fn on_page(&self, who: &Capability, page: &str, op: Op) -> Result<(), RunError> {
        if !self.workspace.may(who, page, Op::Read) {
            return Err(RunError::NoPage(page.to_owned()));
        }
        if !self.workspace.may(who, page, op) {
            let op = op.as_str();
            let why = format!("This token may not {op} on this page.");
            return Err(RunError::Forbidden(why));
        }
        Ok(())
    }
}
