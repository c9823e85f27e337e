//! Edits that the server makes for a person, through the same door as the person's own.

use std::collections::BTreeSet;

use glade_access::{Capability, Op};
use glade_doc::{Edit, ElementId, PeerId};

use super::core::{Author, RoomCore};
use super::fairy::CommitRefused;

/// So many elements go into one update: a large import must not be one that the gate finds too large, and others
/// get their turn in between.
const CHUNK: usize = 200;

impl RoomCore {
    /// Commits edits under the subject of this capability. `peer` is a fresh one, and becomes theirs.
    pub fn edit_as(
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
        let mut touched = BTreeSet::new();
        for chunk in edits.chunks(CHUNK) {
            let commit = match self.replica().commit(peer, None, chunk) {
                Ok(Some(commit)) => commit,
                Ok(None) => continue,
                Err(error) => {
                    self.drop_replica();
                    return Err(CommitRefused::Broken(error.to_string()));
                }
            };
            let author = Author {
                subject: &capability.subject,
                capability: Some(capability),
                run: None,
                conn: None,
            };
            match self.submit(&author, &commit.update) {
                Ok(elements) => touched.extend(elements),
                Err(refusal) => {
                    self.drop_replica();
                    self.record_refusal(&capability.subject, refusal.code(), &refusal.to_string());
                    return Err(CommitRefused::Refused(refusal.to_string()));
                }
            }
        }
        Ok(touched)
    }
}
