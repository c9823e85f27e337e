//! After a crash: what the step under way had done is rolled back, the step marked failed, and asked
//! again with the fairy's state as of the end of the step before. Earlier steps of the run stay.

use std::collections::BTreeSet;

use glade_access::Capability;
use glade_agent::Input;
use glade_doc::{PageId, RunId};
use glade_store::{Change, RunFilter, RunRow, RunStatus, StoreError, Unreadable};

use super::saved::Saved;
use super::{Deps, HostError};
use crate::clock::now_ms;
use crate::runs::reach::pages_of_run;
use crate::workspace::{Run, Step};

/// What is to be taken up again.
#[derive(Default)]
pub struct Interrupted {
    /// Fairies that go on with the run that their state holds.
    pub resume: BTreeSet<String>,
    /// Runs whose first step was not even stored: they are asked anew.
    pub again: Vec<Again>,
}

/// A run to start again.
pub struct Again {
    pub fairy: String,
    pub input: Input,
    pub asker: Option<Capability>,
}

const CUT: &str = "the server stopped while this was under way; it was taken back and asked again";

pub async fn recover(deps: &Deps) -> Result<Interrupted, HostError> {
    let filter = RunFilter {
        status: Some(RunStatus::Running),
        ..RunFilter::default()
    };
    let mut found = Interrupted::default();
    // The newest first: of one fairy only that can have been at work.
    for row in deps.store.runs(filter)?.rows {
        let id = row.id.clone();
        // What cannot be put right waits as it is: everything else starts.
        if let Err(error) = recover_run(deps, row, &mut found).await {
            let unreadable = match error {
                HostError::Store(StoreError::Unreadable(unreadable)) => unreadable,
                HostError::Room(error) => Unreadable::new("run", &id, "page", error.to_string()),
                other => return Err(other),
            };
            deps.workspace.set_aside(unreadable);
        }
    }
    Ok(found)
}

async fn recover_run(deps: &Deps, row: RunRow, found: &mut Interrupted) -> Result<(), HostError> {
    let Some(fairy) = row.owner.fairy().map(str::to_owned) else {
        return Ok(());
    };
    let saved = match deps.store.fairy(&fairy)? {
        Some(row) => Saved::of(&row).map_err(StoreError::from)?,
        None => None,
    };
    let saved = saved.filter(|saved| saved.run.as_ref().is_some_and(|run| run.id == row.id));
    match saved {
        Some(saved) if saved.agent.run().is_some_and(|run| run.as_str() == row.id) => {
            roll_back(deps, &row, saved.agent.last_action()).await?;
            found.resume.insert(fairy);
            fail_step(deps, row).await?;
        }
        other => {
            roll_back(deps, &row, 0).await?;
            let asked = other.and_then(|saved| saved.run);
            let again = Again {
                fairy,
                asker: asked.as_ref().and_then(|run| run.asker.clone()),
                input: asked.map_or_else(
                    || Input {
                        page: row.target.first_page().map(PageId::from),
                        ..Input::message(&row.message)
                    },
                    |run| run.input,
                ),
            };
            fail_run(deps, row).await?;
            let known = found.again.iter().any(|one| one.fairy == again.fairy);
            if !known && !found.resume.contains(&again.fairy) {
                found.again.push(again);
            }
        }
    }
    Ok(())
}

/// Takes back what the run did after its action number `last`, on every page that it was on.
async fn roll_back(deps: &Deps, row: &RunRow, last: u32) -> Result<(), HostError> {
    for page in pages_of_run(&deps.store, &deps.workspace, &row.id, &row.target)? {
        let room = deps.rooms.room(&PageId::from(page.as_str())).await?;
        let run = RunId::from(row.id.as_str());
        let report = room.undo_after(run, last).await?;
        tracing::warn!(
            run = row.id,
            page,
            undone = report.undone.len(),
            "rolled back a step that a crash cut short"
        );
    }
    Ok(())
}

/// The step at work is over, in failure; the run goes on.
async fn fail_step(deps: &Deps, row: RunRow) -> Result<(), HostError> {
    let mut steps = deps.store.steps_of_run(&row.id)?;
    let mut changes = Vec::new();
    for step in steps.iter_mut().filter(|step| step.ended_ms.is_none()) {
        step.ended_ms = Some(now_ms());
        step.error = Some(CUT.to_owned());
        changes.push(Change::PutStep(step.clone()));
    }
    let mut run = Run::from_rows(row, Vec::new()).map_err(StoreError::from)?;
    run.steps = steps.iter().map(Step::from).collect();
    deps.workspace.put_run_with(run, changes).await?;
    Ok(())
}

/// The run is over, in failure, and nothing of it is left.
async fn fail_run(deps: &Deps, row: RunRow) -> Result<(), HostError> {
    let steps = deps.store.steps_of_run(&row.id)?;
    let mut run = Run::from_rows(row, steps).map_err(StoreError::from)?;
    run.status = RunStatus::Failed;
    run.settled = true;
    run.elements = Vec::new();
    run.ended_at = Some(now_ms());
    run.error = Some(CUT.to_owned());
    deps.workspace.put_run(run).await?;
    Ok(())
}
