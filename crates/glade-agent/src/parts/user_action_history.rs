//! What people did on the page since the fairy's last step, in the model's ids and numbers.

use glade_doc::Props;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::coords::{Coords, Field};
use crate::event::UserAction;
use crate::facts::On;
use crate::ids::IdMap;
use crate::part::{Part, PartFacts, Topic, View, fenced, told};
use crate::prompt::PromptMessage;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct UserActionHistory {
    pub actions: Vec<UserActionLine>,
}

/// Older ones are left out.
const MOST: usize = 50;

/// What a model may know of a changed shape, and the field that its numbers are.
const SHOWN: [(&str, Option<Field>); 8] = [
    ("x", Some(Field::X)),
    ("y", Some(Field::Y)),
    ("width", Some(Field::W)),
    ("height", Some(Field::H)),
    ("angle", None),
    ("originalText", None),
    ("strokeColor", None),
    ("backgroundColor", None),
];

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct UserActionLine {
    pub by: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub added: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub removed: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub updated: Vec<UpdatedLine>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct UpdatedLine {
    pub shape_id: String,
    pub before: Props,
    pub after: Props,
}

fn line(action: &UserAction, ids: &mut IdMap, coords: &mut Coords) -> UserActionLine {
    let diff = &action.diff;
    let mut name = |id| ids.model_id(id);
    UserActionLine {
        by: action.by.clone(),
        added: diff.added.iter().map(&mut name).collect(),
        removed: diff.removed.iter().map(&mut name).collect(),
        updated: diff
            .updated
            .iter()
            .filter_map(|updated| {
                let side = |props: &Props| -> Props {
                    SHOWN
                        .iter()
                        .filter_map(|(key, field)| {
                            let value = props.get(*key)?;
                            let shown = match (field, value.as_f64()) {
                                (Some(field), Some(number)) => json!(coords.glance(*field, number)),
                                _ => value.clone(),
                            };
                            Some(((*key).to_owned(), shown))
                        })
                        .collect()
                };
                let (before, after) = (side(&updated.before), side(&updated.after));
                let seen = !before.is_empty() || !after.is_empty();
                seen.then(|| UpdatedLine {
                    shape_id: name(&updated.id),
                    before,
                    after,
                })
            })
            .collect(),
    }
}

pub struct UserActionHistoryPart;

static FACTS: PartFacts = PartFacts::new("user-action-history", Topic::UserActions, On::Canvas);

impl Part for UserActionHistoryPart {
    type Data = UserActionHistory;

    fn facts(&self) -> &PartFacts {
        &FACTS
    }

    fn gather(&self, view: &mut View<'_, '_>) -> Option<UserActionHistory> {
        let actions: Vec<UserActionLine> = view
            .world
            .user_actions
            .iter()
            .rev()
            .take(MOST)
            .rev()
            .map(|action| line(action, view.ids, view.coords))
            .collect();
        (!actions.is_empty()).then_some(UserActionHistory { actions })
    }

    fn print(&self, data: &UserActionHistory) -> Vec<PromptMessage> {
        told(format!(
            "What people did on the page since you last looked:\n{}",
            fenced(&data.actions)
        ))
    }
}
