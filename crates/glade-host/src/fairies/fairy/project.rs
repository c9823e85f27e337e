//! A fairy and its project: what it does there, what the project hears of it, and where it may draw
//! because of its task.

use std::time::Instant;

use glade_access::{AccessError, Capability, Narrower, Op, Region};
use glade_agent::projects::{News, ProjectCommand, Spending};
use glade_agent::{Event, Mode, Outcome, Usage};
use glade_canvas::Rect;
use glade_store::{Change, StoreError};

use super::FairyTask;
use crate::workspace::ProjectTurn;

/// What a fairy has to tell its project. It is told with the fairy's own state, in one transaction: a
/// task is done if and only if the run that did it is over.
#[derive(Default)]
pub struct Report {
    command: Option<ProjectCommand>,
    /// When a task was marked as done.
    done_at: Option<Instant>,
    modes: Vec<(Mode, Option<String>)>,
    spent: Spending,
}

impl Report {
    pub fn went(&mut self, to: Mode) {
        self.modes.push((to, None));
    }

    /// A run is over; if it failed, that is why the fairy is where it is now.
    pub fn ended(&mut self, outcome: &Outcome) {
        if let Outcome::Failed(failure) = outcome {
            for (_, why) in &mut self.modes {
                *why = Some(failure.message.trim_end_matches('.').to_owned());
            }
        }
    }

    pub fn used(&mut self, usage: Usage) {
        self.spent.input_tokens += usage.input_tokens;
        self.spent.output_tokens += usage.output_tokens;
        self.spent.steps += 1;
    }

    pub fn paid(&mut self, usd: f64) {
        self.spent.usd += usd;
    }

    /// Whether it is about to work on a task of its own.
    pub fn begins_a_task(&self) -> bool {
        matches!(self.command, Some(ProjectCommand::StartOwn { .. }))
    }

    fn is_empty(&self) -> bool {
        self.command.is_none() && self.modes.is_empty() && self.spent == Spending::default()
    }
}

/// Writes changes together with those of a project's turn, if there is one.
pub async fn with<F: Future<Output = Result<(), StoreError>>>(
    turn: Option<ProjectTurn>,
    mut changes: Vec<Change>,
    write: impl FnOnce(Vec<Change>) -> F,
) -> Result<(), StoreError> {
    let Some(mut turn) = turn else {
        return write(changes).await;
    };
    changes.extend(turn.changes());
    write(changes).await?;
    turn.commit();
    Ok(())
}

impl FairyTask {
    /// Something done in the project. What ends an answer waits for the answer's end.
    pub(super) async fn project_command(
        &mut self,
        action: u32,
        command: ProjectCommand,
    ) -> Option<Event> {
        if command.ends_an_answer() {
            self.outbox.report.done_at = (command == ProjectCommand::MarkDone).then(Instant::now);
            self.outbox.report.command = Some(command);
            return None;
        }
        let refused = |reason: String| Some(Event::Refused { action, reason });
        let project = self.deps.workspace.project_of(&self.identity.row.id);
        let turn = match project {
            Some(id) => self.deps.workspace.turn(&id).await,
            None => None,
        };
        let Some(mut turn) = turn else {
            return refused("you are not in a project".to_owned());
        };
        match turn.board.act(&self.identity.row.id, &command) {
            Ok(orders) => turn.orders.extend(orders),
            Err(refusal) => return refused(refusal.0),
        }
        match turn.finish(Vec::new()).await {
            Ok(()) => None,
            Err(error) => {
                tracing::error!(fairy = self.identity.row.id, %error, "a project could not be stored");
                refused("the project could not be stored".to_owned())
            }
        }
    }

    /// What the project is to hear with the next state, done to its board and not yet stored.
    pub(super) async fn report_turn(&mut self) -> Option<ProjectTurn> {
        let report = std::mem::take(&mut self.outbox.report);
        if report.is_empty() {
            return None;
        }
        let id = self.deps.workspace.project_of(&self.identity.row.id)?;
        let mut turn = self.deps.workspace.turn(&id).await?;
        let me = self.identity.row.id.as_str();
        turn.done_at = report.done_at;
        let board = &mut turn.board;
        let mut orders = Vec::new();
        if let Some(command) = &report.command {
            orders.extend(board.act_late(me, command));
        }
        for (mode, why) in report.modes {
            let fairy = me.to_owned();
            orders.extend(board.happened(News::Mode { fairy, mode, why }));
        }
        if report.spent != Spending::default() {
            orders.extend(board.happened(News::Spent(report.spent)));
        }
        turn.orders.extend(orders);
        Some(turn)
    }

    /// Where the fairy may change something now, if not everywhere on a page.
    pub(super) fn area(&self) -> Option<Rect> {
        let rights = self.rights().ok()?;
        let Region {
            left,
            top,
            right,
            bottom,
        } = *rights.region()?;
        let (w, h) = (right.saturating_sub(left), bottom.saturating_sub(top));
        Some(Rect::new(left as f64, top as f64, w as f64, h as f64))
    }

    /// What the fairy may do now: its scope, and inside of a project's task no more than the task.
    pub(super) fn rights(&self) -> Result<Capability, AccessError> {
        let own = self
            .identity
            .shown
            .settings
            .scope
            .capability(&self.identity.row.id)?;
        if !matches!(
            self.agent.mode(),
            Mode::WorkingDrone | Mode::WorkingOrchestrator
        ) {
            return Ok(own);
        }
        let narrower = match self.deps.workspace.job_of(&self.identity.row.id) {
            Some(job) => Narrower {
                region: self
                    .deps
                    .workspace
                    .teams()
                    .rules
                    .region(&job)
                    .map(|rect| Region::around(rect.x, rect.y, rect.w, rect.h)),
                pages: Some([job.page].into()),
                ..Narrower::default()
            },
            // Its task was taken away: it may look, until it hears of it.
            None => Narrower {
                ops: Some([Op::Read].into()),
                ..Narrower::default()
            },
        };
        own.narrow(&narrower)
    }
}
