//! After a crash: a step that was running is rolled back, its run marked failed, and asked again.

use glade_doc::{PageId, RunId};
use glade_store::{RunFilter, RunStatus};

use super::{HostError, Means};
use crate::clock::now_ms;
use crate::workspace::Run;

/// A run to start again.
pub struct Again {
    pub fairy: String,
    pub page: String,
    pub message: String,
}

pub async fn recover(means: &Means) -> Result<Vec<Again>, HostError> {
    let filter = RunFilter {
        status: Some(RunStatus::Running),
        ..RunFilter::default()
    };
    let mut again = Vec::new();
    for row in means.store.runs(filter)? {
        let room = means.rooms.room(&PageId::from(row.page.as_str())).await?;
        let report = room.undo_run(RunId::from(row.id.as_str()), None).await?;
        tracing::warn!(
            run = row.id,
            undone = report.undone.len(),
            "rolled back a run that a crash cut short"
        );
        let steps = means.store.steps_of_run(&row.id)?;
        let mut run = Run::from_rows(row, steps);
        run.status = RunStatus::Failed;
        run.settled = true;
        run.elements = Vec::new();
        run.ended_at = Some(now_ms());
        run.error = Some(
            "the server stopped while this was under way; it was taken back and asked again"
                .to_owned(),
        );
        again.push(Again {
            fairy: run.fairy.clone(),
            page: run.page.clone(),
            message: run.message.clone(),
        });
        means.workspace.put_run(run).await?;
    }
    // The same question twice in a row is one question: ask only the last of each fairy.
    let mut newest: Vec<Again> = Vec::new();
    for run in again {
        if !newest.iter().any(|other| other.fairy == run.fairy) {
            newest.push(run);
        }
    }
    Ok(newest)
}
