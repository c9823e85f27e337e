//! What people draw who may only suggest.
//!
//! Their edits are merged and told like anybody's, but they are *pending*: taken as a part of a run
//! that is theirs, whatever the update says about itself. Each suggester has one such run on a page
//! until somebody who may edit keeps it or undoes it; the next edit then begins another. The run is
//! recorded with the edit, and the workspace hears of it when that is durable.
//!
//! A line whose subject is a fairy or another agent is taken the same way, whatever its rights: their
//! work is never settled by itself.

use std::collections::{BTreeMap, BTreeSet};

use glade_access::{Capability, Op, SubjectKind};
use glade_doc::{Admitted, ElementId, RunId, RunTag};
use serde::Serialize;

use crate::room::{OpenSuggestion, Room};

pub(crate) struct Suggestions {
    /// By subject: the run that waits to be kept or undone.
    open: BTreeMap<String, Open>,
    run_prefix: String,
    named: u64,
}

struct Open {
    run: RunId,
    started_ms: i64,
}

/// A suggester's run as it is after another edit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Suggestion {
    pub run: RunId,
    pub subject: String,
    pub started_ms: i64,
    pub ended_ms: i64,
    pub elements: BTreeSet<ElementId>,
}

impl Suggestions {
    pub fn new(run_prefix: String, open: Vec<OpenSuggestion>) -> Self {
        let open = open.into_iter().map(|it| {
            let (run, started_ms) = (it.run, it.started_ms);
            (it.subject, Open { run, started_ms })
        });
        Self {
            open: open.collect(),
            run_prefix,
            named: 0,
        }
    }

    /// What the edits of this suggester belong to.
    pub fn run_of(&mut self, subject: &str, now_ms: i64) -> RunId {
        if let Some(open) = self.open.get(subject) {
            return open.run.clone();
        }
        self.named += 1;
        let run = RunId::from(format!("{}{}", self.run_prefix, self.named));
        let open = Open {
            run: run.clone(),
            started_ms: now_ms,
        };
        self.open.insert(subject.to_owned(), open);
        run
    }

    /// The run was kept or undone: what its author draws next is another.
    pub fn end(&mut self, run: &RunId) {
        self.open.retain(|_, open| open.run != *run);
    }
}

impl Room {
    /// Whether what they draw is only a suggestion.
    pub(crate) fn suggests(&self, capability: &Capability) -> bool {
        let edits = self.allows(capability, Op::Edit);
        let suggests = self.allows(capability, Op::Suggest);
        match capability.kind {
            SubjectKind::Person => suggests && !edits,
            SubjectKind::Fairy | SubjectKind::Agent => suggests || edits,
        }
    }

    /// A suggester's run after another edit, which is recorded before what the edit touched.
    pub(crate) fn suggestion(&self, subject: &str, run: &RunId) -> Option<Suggestion> {
        Some(Suggestion {
            run: run.clone(),
            subject: subject.to_owned(),
            started_ms: self.suggestions.open.get(subject)?.started_ms,
            ended_ms: self.now_ms,
            elements: self.document.guarded.touched_elements(run),
        })
    }

    /// On a text page the words are marked as pending, which only the server may say.
    pub(crate) fn mark_suggested(&mut self, run: &RunId, admitted: &Admitted) {
        let peer = self.server_peer;
        let marked = self.document.guarded.pend_words(peer, run, admitted);
        match marked {
            Ok(Some(commit)) => self.publish(&commit, &[], &[]),
            Ok(None) => {}
            Err(error) => {
                tracing::error!(page = %self.page, %error, "suggested words do not look pending");
            }
        }
    }
}

pub(crate) fn tag(run: &RunId) -> RunTag {
    RunTag {
        run: run.clone(),
        step: 1,
        action: 1,
    }
}
