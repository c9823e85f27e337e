//! Edits that the server makes for a person, through the same door as the person's own.

use std::collections::BTreeSet;

use glade_access::{Capability, Op};
use glade_doc::{Change, Commit, Edit, ElementId, GuardedPage, PageDoc, PeerId};

use crate::merging::Author;
use crate::room::Room;
use crate::seats::CommitRefused;
use crate::verdict::{self, States};

/// So many elements go into one update: a large import must not be one that the gate finds too large.
const CHUNK: usize = 200;

impl Room {
    /// Commits edits under the subject of this capability: all of them, in one write to the store, or
    /// none. `peer` is a fresh one, and becomes theirs.
    pub(crate) fn edit_as(
        &mut self,
        capability: &Capability,
        peer: PeerId,
        edits: &[Edit],
    ) -> Result<BTreeSet<ElementId>, CommitRefused> {
        if !self.allows(capability, Op::Edit) {
            return Err(CommitRefused::Refused(
                "this token may not edit the page".to_owned(),
            ));
        }
        let author = Author {
            subject: &capability.subject,
            capability: Some(capability),
            run: None,
            conn: None,
        };
        let done = self
            .commits(peer, edits)
            .and_then(|commits| self.submit_all(&author, &commits));
        if let Err(refused) = &done {
            self.document.replica.forget();
            if let CommitRefused::Refused(reason) = refused {
                self.record_refusal(&capability.subject, "edit", reason);
            }
        }
        done
    }

    fn commits(&mut self, peer: PeerId, edits: &[Edit]) -> Result<Vec<Commit>, CommitRefused> {
        let mut commits = Vec::new();
        for chunk in edits.chunks(CHUNK) {
            let commit = self.document.whole_replica().commit(peer, None, chunk);
            commits.extend(commit.map_err(|error| CommitRefused::Broken(error.to_string()))?);
        }
        Ok(commits)
    }

    fn submit_all(
        &mut self,
        author: &Author<'_>,
        commits: &[Commit],
    ) -> Result<BTreeSet<ElementId>, CommitRefused> {
        if commits.len() > 1 {
            self.rehearse(author, commits)?;
        }
        let mut touched = BTreeSet::new();
        let mark = self.out.mark();
        for commit in commits {
            touched.extend(self.submit(author, &commit.update)?);
        }
        self.out.join_since(mark);
        Ok(touched)
    }

    /// Whether all of them would pass, one after the other.
    fn rehearse(&self, author: &Author<'_>, commits: &[Commit]) -> Result<(), CommitRefused> {
        let page = self.page_ref();
        let barred = &self.barred;
        let added: usize = commits.iter().map(|commit| commit.update.len()).sum();
        let bytes = self.document.bytes + added;
        let mut judge = |changes: &[Change], before: &PageDoc, after: &PageDoc| {
            let states = States {
                before,
                after: Some(after),
                bytes,
            };
            verdict::judge(author, &page, barred, changes, states)
        };
        let mut trial = GuardedPage::open(self.document.doc().fork(), Vec::new())
            .map_err(|error| CommitRefused::Broken(error.to_string()))?;
        for commit in commits {
            trial.admit_comparing(&commit.update, &mut judge)?;
        }
        Ok(())
    }
}
