//! What people draw who may only suggest.
//!
//! Their edits are merged and told like anybody's, but they are *pending*: taken as a part of a run
//! that is theirs, whatever the update says about itself. Each suggester has one such run on a page
//! until somebody who may edit keeps it or undoes it; the next edit then begins another. The run's
//! row is written in the transaction of the edit, and the workspace hears of it when that is durable.
//!
//! A line whose subject is a fairy or another agent is taken the same way, whatever its rights: their
//! work is never settled by itself.

use std::collections::BTreeMap;
use std::sync::Arc;

use glade_access::{Capability, Op, SubjectKind};
use glade_doc::{Admitted, RunId, RunTag};
use glade_store::{Change as StoreChange, RunOwner, RunRow, RunStatus, RunTarget};

use super::core::RoomCore;

/// Hears of the runs of suggesters.
pub type Heard = Arc<dyn Fn(RunRow) + Send + Sync>;

/// Where the names of new runs come from.
pub type NameRun = fn() -> String;

#[derive(Default)]
pub(super) struct Suggestions {
    /// By subject: the run that waits to be kept or undone.
    open: BTreeMap<String, Open>,
    deps: Option<(NameRun, Heard)>,
    named: u64,
}

struct Open {
    run: RunId,
    started_ms: i64,
}

impl RoomCore {
    /// Names runs and tells of them from now on; `open` are the runs of suggesters on this page that
    /// were neither kept nor undone.
    pub fn hear_suggestions(&mut self, name: NameRun, heard: Heard, open: Vec<RunRow>) {
        self.suggestions.deps = Some((name, heard));
        for row in open {
            let run = Open {
                run: RunId::from(row.id.as_str()),
                started_ms: row.started_ms,
            };
            self.suggestions.open.insert(row.owner.subject(), run);
        }
    }

    /// Whether what they draw is only a suggestion.
    pub(super) fn suggests(&self, capability: &Capability) -> bool {
        let edits = self.allows(capability, Op::Edit);
        let suggests = self.allows(capability, Op::Suggest);
        match capability.kind {
            SubjectKind::Person => suggests && !edits,
            SubjectKind::Fairy | SubjectKind::Agent => suggests || edits,
        }
    }

    /// What the edits of this suggester belong to.
    pub(super) fn suggestion_of(&mut self, subject: &str) -> RunId {
        let suggestions = &mut self.suggestions;
        if let Some(open) = suggestions.open.get(subject) {
            return open.run.clone();
        }
        suggestions.named += 1;
        let name = match &suggestions.deps {
            Some((name, _)) => name(),
            None => format!("run_suggestion{}", suggestions.named),
        };
        let open = Open {
            run: RunId::from(name.as_str()),
            started_ms: self.now_ms,
        };
        let run = open.run.clone();
        suggestions.open.insert(subject.to_owned(), open);
        run
    }

    /// The row of a suggester's run after another edit, which goes before what the edit touched.
    pub(super) fn put_suggestion(&mut self, subject: &str, run: &RunId) -> Option<StoreChange> {
        let started_ms = self.suggestions.open.get(subject)?.started_ms;
        let elements: Vec<String> = self
            .guarded
            .touched_elements(run)
            .iter()
            .map(ToString::to_string)
            .collect();
        Some(StoreChange::PutRun(RunRow {
            id: run.to_string(),
            owner: RunOwner::over_a_line(subject),
            target: RunTarget::Pages(self.page.to_string()),
            message: String::new(),
            status: RunStatus::Pending,
            settled: false,
            started_ms,
            ended_ms: Some(self.now_ms),
            cost_json: "{}".to_owned(),
            error: None,
            elements_json: serde_json::to_string(&elements).unwrap_or_default(),
        }))
    }

    /// On a text page the words are marked as pending, which only the server may say.
    pub(super) fn mark_suggested(&mut self, run: &RunId, admitted: &Admitted) {
        let marked = self.guarded.pend_words(self.server_peer, run, admitted);
        match marked {
            Ok(Some(commit)) => self.publish(&commit, &[], &[]),
            Ok(None) => {}
            Err(error) => {
                tracing::error!(page = %self.page, %error, "suggested words do not look pending");
            }
        }
    }

    /// Tells the workspace, once it is durable.
    pub(super) fn tell_suggestion(&mut self, row: RunRow) {
        if let Some((_, heard)) = &self.suggestions.deps {
            let heard = Arc::clone(heard);
            self.then(move || heard(row));
        }
    }

    /// The run was kept or undone: what its author draws next is another.
    pub(super) fn end_suggestion(&mut self, run: &RunId) {
        self.suggestions.open.retain(|_, open| open.run != *run);
    }
}

pub(super) fn tag(run: &RunId) -> RunTag {
    RunTag {
        run: run.clone(),
        step: 1,
        action: 1,
    }
}
