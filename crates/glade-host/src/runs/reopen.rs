//! Taking the undo of a run back: it is pending again. What anyone else changed since stays.

use glade_access::{Capability, Op};
use glade_doc::RunId;
use glade_store::{AuditKind, RunStatus};
use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;

use super::reach::only_people;
use super::undo::Undone;
use super::{LeftInPlace, RunError, Runs};
use crate::audit;
use crate::rooms::{RoomHandle, UndoReport};
use crate::workspace::Run;

const NOTHING: &str = "Nothing of this run can be brought back: it was not undone, or so much was undone since that \
                       this undo is no longer known.";

#[derive(Debug, Default, Serialize, ToSchema)]
pub struct Reopened {
    /// How many elements, or places in files, are again as the run had made them.
    reopened: usize,
    /// What stayed as it is, and for whom.
    kept: Vec<LeftInPlace>,
}

impl From<Undone> for Reopened {
    fn from(undone: Undone) -> Self {
        Self {
            reopened: undone.undone,
            kept: undone.kept,
        }
    }
}

impl Runs {
    pub async fn reopen(&self, who: &Capability, id: &str) -> Result<Reopened, RunError> {
        let run = self.get(who, id, Op::Edit)?;
        if run.target.has_files() {
            only_people(who)?;
            let code = self.project(who, Op::Edit)?;
            was_not_kept(&run)?;
            let reopened = code.reopen(id, &who.subject).await?;
            let undone = Undone::from(reopened.ok_or(RunError::Conflict(NOTHING))?);
            return Ok(undone.into());
        }
        let (run, rooms) = self.settleable(who, id).await?;
        was_not_kept(&run)?;
        self.reopen_on_pages(who, run, &rooms).await
    }

    async fn reopen_on_pages(
        &self,
        who: &Capability,
        mut run: Run,
        rooms: &[RoomHandle],
    ) -> Result<Reopened, RunError> {
        let mut report = UndoReport::default();
        for room in rooms {
            let reopened = room.reopen(RunId::from(run.id.as_str())).await?;
            report.undone.extend(reopened.undone);
            report.kept.extend(reopened.kept);
            report.remaining.extend(reopened.remaining);
        }
        if report.undone.is_empty() && report.kept.is_empty() {
            return Err(RunError::Conflict(NOTHING));
        }
        run.elements = report.remaining.iter().map(ToString::to_string).collect();
        run.settled = run.elements.is_empty();
        if !run.settled {
            run.status = RunStatus::Pending;
        }
        let told = json!({
            "run": run.id,
            "page": run.target.name(),
            "reopened": report.undone.len(),
            "kept": report.kept.len(),
        });
        let entry = audit::entry(AuditKind::RunReopened, &who.subject, told);
        self.workspace.put_run_with(run, vec![entry]).await?;
        Ok(Undone::from(report).into())
    }
}

fn was_not_kept(run: &Run) -> Result<(), RunError> {
    if run.status == RunStatus::Kept {
        return Err(RunError::Conflict(
            "This run was kept: there is no undo to take back.",
        ));
    }
    Ok(())
}
