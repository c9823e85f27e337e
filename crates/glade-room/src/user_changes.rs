//! What people do on a page, kept for each fairy until it looks: who, which element, and how it was
//! before they touched it. The room knows whose an update is; nobody has to claim it.

use std::collections::{BTreeMap, BTreeSet};

use glade_canvas::{Element, Scene};
use glade_doc::ElementId;
use serde::Serialize;

use crate::room::Room;
use crate::seats::{CommitRefused, FairySession};

/// Elements beyond this are not followed: whoever has so much to tell has told enough.
const MOST: usize = 200;

/// One person's changes of one element since a fairy last looked.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct UserChange {
    pub subject: String,
    pub element: ElementId,
    /// As it was; `None`: it was not there.
    pub before: Option<Element>,
    pub after: Option<Element>,
}

/// What a fairy has not seen yet.
#[derive(Default)]
pub struct UserChanges(BTreeMap<(String, ElementId), Option<Element>>);

impl UserChanges {
    /// A person is about to change these.
    pub fn note(&mut self, subject: &str, elements: &BTreeSet<ElementId>, scene: &Scene) {
        for id in elements {
            let key = (subject.to_owned(), id.clone());
            if self.0.len() < MOST || self.0.contains_key(&key) {
                self.0.entry(key).or_insert_with(|| scene.get(id).cloned());
            }
        }
    }

    fn take(&mut self, scene: &Scene) -> Vec<UserChange> {
        std::mem::take(&mut self.0)
            .into_iter()
            .map(|((subject, element), before)| UserChange {
                after: scene.get(&element).cloned(),
                subject,
                element,
                before,
            })
            .filter(|change| change.before != change.after)
            .collect()
    }
}

impl Room {
    pub(crate) fn note_user_change(&mut self, subject: &str, elements: &BTreeSet<ElementId>) {
        if self.seats.is_empty() {
            return;
        }
        let scene = self.document.read_scene();
        for seat in self.seats.iter_mut() {
            seat.user_changes.note(subject, elements, &scene);
        }
    }

    pub(crate) fn take_user_changes(
        &mut self,
        session: &FairySession,
    ) -> Result<Vec<UserChange>, CommitRefused> {
        let scene = self.document.read_scene();
        Ok(self.seats.valid(session)?.user_changes.take(&scene))
    }
}
