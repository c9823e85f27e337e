//! Keeping what a run did, or a part of it: it is no longer pending.

use std::collections::BTreeSet;

use glade_access::{Capability, Op};
use glade_doc::{ElementId, RollbackRequest};
use glade_store::{AuditKind, RunStatus};
use serde_json::json;

use super::reach::only_people;
use super::{RunError, RunPart, Runs};
use crate::audit;
use crate::rooms::RoomHandle;
use crate::workspace::Run;

impl Runs {
    pub async fn keep(&self, who: &Capability, id: &str, part: RunPart) -> Result<Run, RunError> {
        let run = self.get(who, id, Op::Edit)?;
        if run.target.has_files() {
            only_people(who)?;
            let code = self.project(who, Op::Edit)?;
            return Ok(code.keep(id, &part.of_files()?, &who.subject).await?);
        }
        let (run, rooms) = self.settleable(who, id).await?;
        self.keep_on_pages(who, run, &rooms, &part).await
    }

    async fn keep_on_pages(
        &self,
        who: &Capability,
        mut run: Run,
        rooms: &[RoomHandle],
        part: &RunPart,
    ) -> Result<Run, RunError> {
        let what = part.on_pages(&run.id)?;
        if run.status == RunStatus::Kept {
            return Ok(run);
        }
        if run.settled {
            return Err(RunError::Conflict(
                "There is nothing of this run left to keep.",
            ));
        }
        let whole = part.is_all_of_pages();
        let mut told = json!({"run": run.id, "page": run.target.name()});
        if !whole {
            let left = keep_in(rooms, &what).await?;
            told["left"] = json!(left.len());
            run.elements = left.iter().map(ToString::to_string).collect();
        }
        if whole || run.elements.is_empty() {
            run.status = RunStatus::Kept;
            run.settled = true;
        }
        let fairy = run.owner.fairy().map(str::to_owned);
        if whole && fairy.is_none() {
            // Its author may be drawing right now: what the room takes from here on is another run.
            keep_in(rooms, &what).await?;
        }
        let entry = audit::entry(AuditKind::RunKept, &who.subject, told);
        self.workspace
            .put_run_with(run.clone(), vec![entry])
            .await?;
        if whole && fairy.is_some() {
            keep_in(rooms, &what).await?;
        }
        if let Some(fairy) = fairy.filter(|_| run.settled) {
            self.fairies.settled(&fairy, &run.id, true).await;
        }
        Ok(run)
    }
}

async fn keep_in(
    rooms: &[RoomHandle],
    what: &RollbackRequest,
) -> Result<BTreeSet<ElementId>, RunError> {
    let mut left = BTreeSet::new();
    for room in rooms {
        left.extend(room.keep_part(what.clone()).await?);
    }
    Ok(left)
}
