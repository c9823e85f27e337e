//! What a chat with a fairy says, as far as somebody may know of the runs behind it.

use glade_access::{Capability, Op};
use glade_store::{RunFilter, StoreError, Unreadable};
use serde_json::Value;

use super::{RunError, Runs};

impl Runs {
    /// The messages, oldest first. A question belongs to the run of the answer after it, or to the
    /// newest run if there is none yet; and to the page that it was asked on, since it may have waited
    /// while another was answered.
    pub fn chat(&self, who: &Capability, fairy: &str) -> Result<Vec<Value>, RunError> {
        let newest = self.store.runs(RunFilter {
            fairy: Some(fairy.to_owned()),
            limit: Some(1),
            ..RunFilter::default()
        })?;
        let mut run = newest.rows.into_iter().next().map(|run| run.id);
        let mut visible = self.sees_run_of_message(who, run.as_deref());
        let mut kept = Vec::new();
        for row in self.store.messages(fairy)?.into_iter().rev() {
            let message: Value = Unreadable::json("message", &row.id, "body_json", &row.body_json)
                .map_err(StoreError::from)?;
            let named = message["metadata"]["run"].as_str();
            if named.is_some() && named != run.as_deref() {
                run = named.map(str::to_owned);
                visible = self.sees_run_of_message(who, named);
            }
            let page = message["metadata"]["page"].as_str();
            let readable = |page: &str| who.sees_all() || self.workspace.may(who, page, Op::Read);
            if visible && page.is_none_or(readable) {
                kept.push(message);
            }
        }
        kept.reverse();
        Ok(kept)
    }

    fn sees_run_of_message(&self, who: &Capability, run: Option<&str>) -> bool {
        run.is_none_or(|run| self.may_see_id(who, run))
    }
}
