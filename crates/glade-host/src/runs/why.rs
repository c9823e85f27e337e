//! Why something on a page is as it is: the runs that made it so, as far as somebody may know of them.

use glade_access::{Capability, Op};
use glade_store::{RunRow, StoreError};
use serde::Serialize;
use utoipa::ToSchema;

use super::{RunError, Runs};
use crate::workspace::Run;

/// The runs that touched an element or a block, oldest first; of an operation, the run that it
/// belongs to.
#[derive(Serialize, ToSchema)]
pub struct Why {
    #[serde(skip_serializing_if = "Option::is_none")]
    element: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    op: Option<String>,
    /// Of an operation: whose it is, a person's or a fairy's.
    #[serde(skip_serializing_if = "Option::is_none")]
    by: Option<String>,
    runs: Vec<WhyRun>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WhyRun {
    run: Run,
    /// Who did it, even if it was dismissed since.
    #[schema(required)]
    fairy_name: Option<String>,
    properties: Vec<String>,
}

impl Runs {
    /// Of an element or a block.
    pub fn why(&self, who: &Capability, page: &str, element: String) -> Result<Why, RunError> {
        self.on_page(who, page, Op::Read)?;
        let mut runs = Vec::new();
        for row in self.store.why(page, &element)? {
            let properties = row.touches.into_iter().map(|touch| touch.property);
            runs.extend(self.why_run(who, row.run, properties.collect())?);
        }
        Ok(Why {
            element: Some(element),
            op: None,
            by: None,
            runs,
        })
    }

    /// Of one operation.
    pub fn why_op(
        &self,
        who: &Capability,
        page: &str,
        peer: u64,
        counter: i32,
    ) -> Result<Why, RunError> {
        self.on_page(who, page, Op::Read)?;
        let run = self.store.run_of_op(page, peer, counter)?;
        let run = run.map(|row| self.why_run(who, row, Vec::new()));
        Ok(Why {
            element: None,
            op: Some(format!("{peer}:{counter}")),
            by: self.store.subject_of_peer(page, peer)?,
            runs: run.transpose()?.flatten().into_iter().collect(),
        })
    }

    /// Nothing of a run that was also where `who` may not look: it tells of that.
    fn why_run(
        &self,
        who: &Capability,
        row: RunRow,
        mut properties: Vec<String>,
    ) -> Result<Option<WhyRun>, RunError> {
        properties.sort();
        properties.dedup();
        let steps = self.store.steps_in_short(&row.id)?;
        let run = Run::from_rows(row, steps).map_err(StoreError::from)?;
        if !self.may_see(who, &run) {
            return Ok(None);
        }
        let fairy = run.owner.fairy().map(|id| self.store.fairy(id));
        Ok(Some(WhyRun {
            fairy_name: fairy.transpose()?.flatten().map(|fairy| fairy.name),
            run,
            properties,
        }))
    }
}
