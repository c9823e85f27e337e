//! Undoing what a run did, or a part of it. What anyone else changed since stays.

use glade_access::{Capability, Op};
use glade_code::Clash;
use glade_store::{AuditKind, RunStatus};
use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;

use super::reach::only_people;
use super::{RunError, RunPart, Runs};
use crate::audit;
use crate::code::{Settled, Stayed};
use crate::rooms::{RoomHandle, UndoReport};
use crate::workspace::Run;

#[derive(Debug, Default, Serialize, ToSchema)]
pub struct Undone {
    /// How many elements went back to what they were.
    pub(super) undone: usize,
    /// What stayed, and for whom.
    pub(super) kept: Vec<LeftInPlace>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct LeftInPlace {
    what: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    property: Option<String>,
    by: String,
    /// Of a run of code: why it stayed.
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<&'static str>,
    /// The lines that two changed, as they were before the run, after it, and are now.
    #[serde(skip_serializing_if = "Option::is_none")]
    clash: Option<Clash>,
}

impl Runs {
    pub async fn undo(
        &self,
        who: &Capability,
        id: &str,
        part: RunPart,
    ) -> Result<Undone, RunError> {
        let run = self.get(who, id, Op::Edit)?;
        if run.target.has_files() {
            only_people(who)?;
            let code = self.project(who, Op::Edit)?;
            let settled = code.undo(id, &part.of_files()?, &who.subject).await?;
            return Ok(settled.into());
        }
        let (run, rooms) = self.settleable(who, id).await?;
        self.undo_on_pages(who, run, &rooms, &part).await
    }

    async fn undo_on_pages(
        &self,
        who: &Capability,
        mut run: Run,
        rooms: &[RoomHandle],
        part: &RunPart,
    ) -> Result<Undone, RunError> {
        let what = part.on_pages(&run.id)?;
        if run.status == RunStatus::Kept {
            return Err(RunError::Conflict(
                "This run was kept: it can no longer be undone.",
            ));
        }
        if run.settled {
            return Ok(Undone::default());
        }
        let whole = part.is_all_of_pages();
        let mut report = UndoReport::default();
        for room in rooms {
            let undone = room.undo_part(what.clone()).await?;
            report.undone.extend(undone.undone);
            report.kept.extend(undone.kept);
            report.remaining.extend(undone.remaining);
        }
        run.elements = report.remaining.iter().map(ToString::to_string).collect();
        if whole || run.elements.is_empty() {
            run.status = RunStatus::Undone;
            run.settled = true;
            run.elements = Vec::new();
        }
        let told = json!({
            "run": run.id,
            "page": run.target.name(),
            "undone": report.undone.len(),
            "kept": report.kept.len(),
            "whole": whole,
        });
        let entry = audit::entry(AuditKind::RunUndone, &who.subject, told);
        self.workspace
            .put_run_with(run.clone(), vec![entry])
            .await?;
        if let Some(fairy) = run.owner.fairy().filter(|_| run.settled) {
            self.fairies.settled(fairy, &run.id, false).await;
        }
        Ok(report.into())
    }
}

impl From<UndoReport> for Undone {
    fn from(report: UndoReport) -> Self {
        let kept = report.kept.into_iter().map(|kept| LeftInPlace {
            what: kept.what.to_string(),
            property: kept.property,
            by: kept.by,
            why: None,
            clash: None,
        });
        Self {
            undone: report.undone.len(),
            kept: kept.collect(),
        }
    }
}

impl From<Settled> for Undone {
    fn from(settled: Settled) -> Self {
        let kept = |stayed: Stayed| LeftInPlace {
            what: stayed.path,
            property: None,
            by: "person".to_owned(),
            why: Some(stayed.why),
            clash: stayed.clash,
        };
        Self {
            undone: settled.undone,
            kept: settled.kept.into_iter().map(kept).collect(),
        }
    }
}
