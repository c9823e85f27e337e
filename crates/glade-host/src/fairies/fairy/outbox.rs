//! What is stored with the fairy's next state, and how that is written.

use glade_agent::Usage;
use glade_store::{Change, FairyRow, StoreError};
use serde_json::json;

use super::FairyTask;
use super::project::{self, Report};
use crate::clock::now_ms;
use crate::fairies::saved::Saved;
use crate::workspace::Run;

/// What is yet to be stored, in one commit with the fairy's state.
#[derive(Default)]
pub struct Outbox {
    /// Steps that have ended, messages to the fairy.
    pub changes: Vec<Change>,
    /// A run that begins: people see it once it is stored.
    pub begun: Option<Run>,
    /// What the fairy's project is told.
    pub report: Report,
}

impl Outbox {
    pub fn take_changes(&mut self) -> Vec<Change> {
        let mut changes = std::mem::take(&mut self.changes);
        changes.extend(self.begun.as_ref().map(|run| Change::PutRun(run.to_row())));
        changes
    }
}

impl FairyTask {
    /// Closes the step; its row is stored with the state that follows from it.
    pub(super) fn end_step(&mut self, usage: Usage, error: Option<String>) {
        let run = self.phase.reporting();
        let ended = run.and_then(|run| run.log.end_step(usage, error, now_ms()));
        if ended.is_some() {
            self.outbox.report.used(usage);
        }
        self.outbox.changes.extend(ended);
    }

    /// The run that begins is stored: people see it from now on.
    pub(super) fn show_begun(&mut self) {
        if let Some(run) = self.outbox.begun.take() {
            self.deps.workspace.show_run(run);
        }
    }

    pub(super) async fn save(&mut self) {
        // A failure is logged; nothing waits for this.
        let _stored = self.try_save(Vec::new()).await;
    }

    /// Stores the outbox, `more`, and the state that belongs to them, all or none.
    pub(super) async fn try_save(&mut self, more: Vec<Change>) -> Result<(), StoreError> {
        let mut changes = self.outbox.take_changes();
        changes.extend(more);
        changes.extend(self.phase.run().and_then(|run| run.read()));
        changes.push(Change::PutFairy(self.state_row()));
        let begins = self.outbox.report.begins_a_task();
        let turn = self.report_turn().await;
        let store = self.deps.store.clone();
        let stored = project::with(turn, changes, |changes| store.write(changes)).await;
        match &stored {
            Ok(()) => self.show_begun(),
            Err(error) => {
                tracing::error!(fairy = self.identity.row.id, %error, "a fairy's state could not be stored");
            }
        }
        if begins {
            // Its mode changed first: only now is there a task that says where it may draw.
            self.rescope().await;
        }
        stored
    }

    /// The fairy's row with its state as of the beginning of the step at work.
    pub(super) fn state_row(&mut self) -> FairyRow {
        let saved = Saved {
            agent: self.agent.checkpoint(),
            run: self.phase.run().map(|run| run.save()),
            waiting: self.queue.iter().cloned().collect(),
        };
        self.identity.row.position_json = json!(self.identity.presence.position).to_string();
        self.identity.row.state_json = saved.written();
        self.identity.row.clone()
    }
}
