//! What an action changed, as the history keeps it.

use glade_canvas::Element;
use glade_doc::{ElementId, Props};
use serde::{Deserialize, Serialize};

use crate::action_context::Trace;
use crate::draft::Draft;

/// Longer values (the points of a long stroke, say) are left out of a diff.
const MAX_VALUE: usize = 400;

/// Shapes added, removed and updated, by element id.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Diff {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub added: Vec<ElementId>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub removed: Vec<ElementId>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub updated: Vec<Updated>,
}

/// One shape before and after: only the properties that differ.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Updated {
    pub id: ElementId,
    pub before: Props,
    pub after: Props,
}

impl Diff {
    /// What the action has changed so far; `None`: nothing.
    pub fn of(trace: &Trace, draft: &Draft<'_>) -> Option<Diff> {
        let mut diff = Diff::default();
        for (id, before, after) in trace.changes(draft) {
            match (before, after) {
                (None, Some(_)) => diff.added.push(id.clone()),
                (Some(_), None) => diff.removed.push(id.clone()),
                (Some(before), Some(after)) => diff.updated.extend(updated(before, after)),
                (None, None) => {}
            }
        }
        (diff != Diff::default()).then_some(diff)
    }
}

/// How one shape differs from what it was.
pub fn updated(before: &Element, after: &Element) -> Option<Updated> {
    let mut changed = Updated {
        id: after.id.clone(),
        before: Props::new(),
        after: Props::new(),
    };
    let keys = before.props.keys().chain(after.props.keys());
    for key in keys {
        let (old, new) = (before.props.get(key), after.props.get(key));
        if old == new || changed.before.contains_key(key) || changed.after.contains_key(key) {
            continue;
        }
        let short = |value: Option<&serde_json::Value>| {
            value
                .cloned()
                .filter(|value| value.to_string().len() <= MAX_VALUE)
        };
        if let Some(old) = short(old) {
            changed.before.insert(key.clone(), old);
        }
        if let Some(new) = short(new) {
            changed.after.insert(key.clone(), new);
        }
    }
    (!changed.before.is_empty() || !changed.after.is_empty()).then_some(changed)
}
