//! Runs of one project, and the newest steps of one fairy.

use glade_access::Capability;
use glade_agent::projects::Project;
use glade_store::{RunFilter, StepRow, StoreError};

use super::Runs;
use crate::workspace::Run;

impl Runs {
    /// All that the members of a project did since it began and until they left, the oldest first, as far as `who` may
    /// know of it.
    pub fn of_project(&self, who: &Capability, project: &Project) -> Result<Vec<Run>, StoreError> {
        let during = RunFilter {
            since_ms: Some(project.created_at),
            until_ms: project.ended_at,
            ..RunFilter::default()
        };
        let mut runs = Vec::new();
        for row in self.store.runs(during)?.rows.into_iter().rev() {
            let own = row.owner.fairy();
            if own.is_some_and(|fairy| project.had(fairy, row.started_ms)) {
                let steps = self.store.steps_in_short(&row.id)?;
                runs.push(Run::from_rows(row, steps)?);
            }
        }
        runs.retain(|run| self.lists(who, run));
        Ok(runs)
    }

    /// The steps of so many of a fairy's newest runs, the newest first; for those who may know of all that it does.
    pub fn newest_steps(&self, fairy: &str, runs: u32) -> Result<Vec<StepRow>, StoreError> {
        let newest = self.store.runs(RunFilter {
            fairy: Some(fairy.to_owned()),
            limit: Some(runs),
            ..RunFilter::default()
        })?;
        let steps = newest.rows.iter().map(|run| {
            let steps = self.store.steps_of_run(&run.id)?;
            Ok(steps.into_iter().rev())
        });
        let steps: Vec<_> = steps.collect::<Result<_, StoreError>>()?;
        Ok(steps.into_iter().flatten().collect())
    }
}
