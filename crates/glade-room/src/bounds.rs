//! What keeps a fairy in its place on a page, besides its capability: the part of a text page that it
//! may change, and the plugins that its workspace has.

use glade_doc::text::{MARKS, NODE, from_value};
use glade_doc::{Edit, ElementId, RunId, Surface};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::barred::Barred;
use crate::range::{self, TextRange, WritableRange};
use crate::room::Room;
use crate::seats::{CommitRefused, FairySession};

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bounds {
    /// The only part of the page that it may change.
    pub part: Option<WritableRange>,
    pub barred: Barred,
}

impl Room {
    /// What holds the fairy from now on; its run goes on.
    pub(crate) fn bound(
        &mut self,
        session: &FairySession,
        bounds: Bounds,
    ) -> Result<(), CommitRefused> {
        self.seats.valid(session)?.bounds = bounds;
        self.show_seat(session);
        Ok(())
    }

    /// Ties a range to the characters that it is at now.
    pub(crate) fn pin(&self, range: TextRange) -> Result<TextRange, String> {
        match self.document.doc().surface() {
            Surface::Text => range.pin(self.document.doc()),
            Surface::Canvas => Err("a canvas has no ranges of text: give a region".to_owned()),
        }
    }

    /// The first and the last block that the fairy may change, if not all.
    pub(crate) fn own_part(
        &mut self,
        session: &FairySession,
    ) -> Result<Option<(ElementId, ElementId)>, CommitRefused> {
        let bounds = self.seats.valid(session)?.bounds.clone();
        Ok(match bounds.part {
            Some(WritableRange::Range(range)) => range.blocks(self.document.doc()),
            _ => None,
        })
    }

    pub(crate) fn check_bounds(
        &self,
        bounds: &Bounds,
        run: Option<&RunId>,
        edits: &[Edit],
    ) -> Result<(), String> {
        let doc = self.document.doc();
        if doc.surface().has_styled_words() {
            for edit in edits {
                self.check_marks(bounds, edit)?;
                let Edit::Put { id, props } = edit else {
                    continue;
                };
                let Some(kind) = props.get(NODE).and_then(Value::as_str) else {
                    continue;
                };
                let was = doc.register(id, NODE);
                if was.as_ref().and_then(Value::as_str) == Some(kind) {
                    continue;
                }
                if let Some(reason) = bounds.barred.blocks.get(kind) {
                    return Err(reason.clone());
                }
            }
        }
        match &bounds.part {
            None => Ok(()),
            Some(part) => {
                let own = run.map(|run| self.document.guarded.touched_elements(run));
                range::check(part, doc, &own.unwrap_or_default(), edits)
            }
        }
    }

    /// Marks of a plugin that is off stay where they are, and come to no other block.
    fn check_marks(&self, bounds: &Bounds, edit: &Edit) -> Result<(), String> {
        let (id, marks) = match edit {
            Edit::Put { id, props } => (id, props.get(MARKS)),
            Edit::Rewrite { id, marks, .. } => (id, marks.as_ref()),
            Edit::Delete { .. } => return Ok(()),
        };
        for mark in marks.map(from_value).unwrap_or_default() {
            let Some(reason) = bounds.barred.marks.get(&mark.name) else {
                continue;
            };
            let block = self.document.doc().element(id);
            let worn = block.and_then(|props| props.get(MARKS).map(from_value));
            if !worn.is_some_and(|worn| worn.iter().any(|one| one.name == mark.name)) {
                return Err(reason.clone());
            }
        }
        Ok(())
    }
}
