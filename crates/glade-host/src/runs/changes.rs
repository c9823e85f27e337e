//! What a run changed on its pages, and how it was before.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use glade_access::{Capability, Op};
use glade_doc::{
    CharId, CharSpan, DeletedSpan, ElementId, PageId, RunId, Surface, Touch, TouchKind, text,
};
use serde::Serialize;
use utoipa::ToSchema;

use super::reach::pages_of_run;
use super::{RunError, Runs};

impl Runs {
    /// By action, on the pages that `who` may read. Of a run that was kept or undone nothing is left
    /// to compare.
    pub async fn changes(&self, who: &Capability, id: &str) -> Result<Vec<Changed>, RunError> {
        let run = self.get(who, id, Op::Read)?;
        let mut changes = Vec::new();
        for page in pages_of_run(&self.store, &self.workspace, id, &run.target)? {
            if !self.workspace.may(who, &page, Op::Read) {
                continue;
            }
            // The room has what is pending now; the store may be a moment behind.
            let room = self.rooms.room(&PageId::from(page.as_str())).await?;
            let surface = room.surface();
            let touches = room.touches(RunId::from(id)).await?;
            changes.extend(touches.into_iter().map(|touch| Changed::of(touch, surface)));
        }
        changes.sort_by_key(|change| change.action);
        Ok(changes)
    }
}

/// One thing that a run changed, as it was before.
#[derive(Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Changed {
    /// The number of the action inside the run.
    action: i64,
    element: String,
    /// Empty for the element itself.
    property: String,
    /// The run made the element.
    created: bool,
    /// It only follows from something else, such as the way of an arrow whose box was moved.
    derived: bool,
    /// The value that undoing would bring back; absent for texts and for what was not there.
    #[serde(skip_serializing_if = "Option::is_none")]
    before: Option<serde_json::Value>,
    /// Of the words of a text page.
    #[serde(skip_serializing_if = "Option::is_none")]
    words: Option<WordsChanged>,
}

/// Places in words are Loro cursors in base64: they stay right whatever is typed meanwhile.
#[derive(Debug, PartialEq, Serialize, ToSchema)]
pub struct WordsChanged {
    typed: Vec<Typed>,
    removed: Vec<Removed>,
}

#[derive(Debug, PartialEq, Serialize, ToSchema)]
pub struct Typed {
    /// The first and the last character.
    from: String,
    to: String,
}

#[derive(Debug, PartialEq, Serialize, ToSchema)]
pub struct Removed {
    text: String,
    /// The character that they stood behind; absent at the beginning of the block.
    #[serde(skip_serializing_if = "Option::is_none")]
    after: Option<String>,
}

impl WordsChanged {
    fn of(block: &ElementId, inserted: &[CharSpan], deleted: &[DeletedSpan]) -> Self {
        let place = |peer, counter| STANDARD.encode(text::cursor(block, CharId { peer, counter }));
        Self {
            typed: inserted
                .iter()
                .map(|span| Typed {
                    from: place(span.peer, span.from),
                    to: place(span.peer, span.to - 1),
                })
                .collect(),
            removed: deleted
                .iter()
                .map(|span| Removed {
                    text: span.text.clone(),
                    after: span.left.map(|left| place(left.peer, left.counter)),
                })
                .collect(),
        }
    }
}

impl Changed {
    fn of(touch: Touch, surface: Surface) -> Self {
        let words = match &touch.kind {
            TouchKind::Text { inserted, deleted } if surface.has_styled_words() => {
                Some(WordsChanged::of(&touch.element, inserted, deleted))
            }
            _ => None,
        };
        let (created, before) = match touch.kind {
            TouchKind::Created { .. } => (true, None),
            TouchKind::Register { before, .. } => (false, before),
            TouchKind::Text { .. } | TouchKind::Marks { .. } => (false, None),
        };
        Self {
            action: i64::from(touch.action),
            element: touch.element.to_string(),
            property: touch.property,
            created,
            derived: touch.derived,
            before,
            words,
        }
    }
}
