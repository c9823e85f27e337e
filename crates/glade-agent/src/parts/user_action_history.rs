//! What people did on the page since the fairy's last step, in the model's words, ids and numbers.

use std::collections::BTreeSet;

use glade_canvas::{Element, ElementKind, Scene, bounds, view};
use glade_doc::{ElementId, Props};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::coords::{Coords, Field};
use crate::diff::Updated;
use crate::event::UserAction;
use crate::facts::On;
use crate::format::Looks;
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
/// The longest text that is told.
const MAX_TEXT: usize = 200;
/// What a value is called that a new shape has too.
const USUAL: &str = "usual";

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct UserActionLine {
    pub by: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub added: Vec<Named>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub removed: Vec<Named>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changed: Vec<Changed>,
}

/// A shape or a block, by its kind and words.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Named {
    pub id: String,
    #[serde(rename = "type")]
    pub kind: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Changed {
    #[serde(flatten)]
    pub what: Named,
    pub before: Map<String, Value>,
    pub after: Map<String, Value>,
}

pub struct UserActionHistoryPart;

static FACTS: PartFacts = PartFacts::new("user-action-history", Topic::UserActions, On::Canvas);

impl Part for UserActionHistoryPart {
    type Data = UserActionHistory;

    fn facts(&self) -> &PartFacts {
        &FACTS
    }

    fn gather(&self, look: &mut View<'_, '_>) -> Option<UserActionHistory> {
        let scene = look.world.scene;
        let all = look.world.user_actions;
        let latest = &all[all.len().saturating_sub(MOST)..];
        let mut teller = Teller {
            scene,
            ids: look.ids,
            coords: look.coords,
        };
        let lines = latest.iter().map(|action| teller.line(action));
        let actions: Vec<UserActionLine> = lines
            .filter(|line| {
                !(line.added.is_empty() && line.removed.is_empty() && line.changed.is_empty())
            })
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

/// Tells what happened to elements as a model knows them: a label is its container's.
struct Teller<'a> {
    scene: &'a Scene,
    ids: &'a mut IdMap,
    coords: &'a Coords,
}

impl Teller<'_> {
    fn line(&mut self, action: &UserAction) -> UserActionLine {
        let diff = &action.diff;
        let (mut added, mut removed, mut changed) = (Vec::new(), Vec::new(), Vec::new());
        for (ids, shapes, is_new) in [
            (&diff.added, &mut added, true),
            (&diff.removed, &mut removed, false),
        ] {
            let whole: BTreeSet<&ElementId> = ids.iter().collect();
            for id in ids {
                match self.container(id) {
                    Some(own) if whole.contains(&own) => {} // told with its shape
                    Some(own) => changed.extend(self.labelled(&own, id, is_new)),
                    None => shapes.push(self.named(id)),
                }
            }
        }
        changed.extend(diff.updated.iter().filter_map(|one| self.changed(one)));
        UserActionLine {
            by: action.by.clone(),
            added,
            removed,
            changed,
        }
    }

    fn named(&mut self, id: &ElementId) -> Named {
        let element = self.scene.any(id);
        let text = element.and_then(|own| match own.kind() {
            ElementKind::Text => Some(own.original_text().to_owned()),
            _ if self.is_text() => Some(own.original_text().to_owned()),
            _ => view::shape_text(self.scene, own),
        });
        Named {
            id: self.ids.model_id(id),
            kind: element.map_or_else(|| "unknown".to_owned(), |own| self.kind(own)),
            text: text.filter(|text| !text.is_empty()).map(short),
        }
    }

    fn kind(&self, element: &Element) -> String {
        let node = element.props.get("nodeName").and_then(Value::as_str);
        match node.filter(|_| self.is_text()) {
            Some(node) => node.to_owned(),
            None => view::shape_type(element),
        }
    }

    fn is_text(&self) -> bool {
        self.scene.surface().has_styled_words()
    }

    /// The shape whose label this is or was.
    fn container(&self, id: &ElementId) -> Option<ElementId> {
        if self.is_text() {
            return None;
        }
        let label = self.scene.any(id)?;
        let container = label.container_id()?;
        self.scene.any(&container).map(|own| own.id.clone())
    }

    /// A shape got a label, or lost it.
    fn labelled(&mut self, shape: &ElementId, label: &ElementId, is_new: bool) -> Option<Changed> {
        let words = short(self.scene.any(label)?.original_text().to_owned());
        let text = |words: &str| Map::from_iter([("text".to_owned(), json!(words))]);
        let (before, after) = if is_new {
            (text(""), text(&words))
        } else {
            (text(&words), text(""))
        };
        Some(Changed {
            what: self.named(shape),
            before,
            after,
        })
    }

    fn changed(&mut self, update: &Updated) -> Option<Changed> {
        let now = self.scene.any(&update.id)?;
        let as_of = |side: &Props| {
            let mut props = now.props.clone();
            for key in update.before.keys().chain(update.after.keys()) {
                props.shift_remove(key);
            }
            props.extend(side.clone());
            Element::new(update.id.clone(), props)
        };
        let container = self.container(&update.id);
        // A label's place and size follow its shape.
        let is_label = container.is_some();
        let mut before = self.words(&as_of(&update.before), is_label);
        let mut after = self.words(&as_of(&update.after), is_label);
        let keys: BTreeSet<String> = before.keys().chain(after.keys()).cloned().collect();
        for key in keys {
            if before.get(&key) == after.get(&key) {
                before.shift_remove(&key);
                after.shift_remove(&key);
            } else {
                before.entry(key.clone()).or_insert(json!(USUAL));
                after.entry(key).or_insert(json!(USUAL));
            }
        }
        let mut what = self.named(container.as_ref().unwrap_or(&update.id));
        if before.contains_key("text") {
            what.text = None; // told as before and after
        }
        (!before.is_empty()).then_some(Changed {
            what,
            before,
            after,
        })
    }

    /// What a model may know of an element, as it was or is.
    fn words(&mut self, element: &Element, is_label: bool) -> Map<String, Value> {
        let mut words = Map::new();
        if self.is_text() {
            words.insert("type".to_owned(), json!(self.kind(element)));
            words.insert(
                "text".to_owned(),
                json!(short(element.original_text().to_owned())),
            );
            return words;
        }
        if let Ok(Value::Object(looks)) = serde_json::to_value(Looks::alone(element)) {
            words.extend(looks);
        }
        if element.kind() == ElementKind::Text {
            let text = short(element.original_text().to_owned());
            words.insert("text".to_owned(), json!(text));
        }
        if is_label {
            words.retain(|name, _| ["text", "fontSize", "font"].contains(&name.as_str()));
            return words;
        }
        if let Some(name) = element
            .props
            .get("name")
            .filter(|_| element.kind().is_frame())
        {
            words.insert("text".to_owned(), name.clone());
        }
        let rect = bounds::bounds(element);
        for (name, field, number) in [
            ("x", Field::Left, rect.x),
            ("y", Field::Top, rect.y),
            ("w", Field::W, rect.w),
            ("h", Field::H, rect.h),
        ] {
            words.insert(name.to_owned(), json!(self.coords.glance(field, number)));
        }
        for (name, end) in [
            ("fromId", element.start_binding()),
            ("toId", element.end_binding()),
        ] {
            let bound = end.filter(|end| self.scene.any(&end.element_id).is_some());
            if let Some(end) = bound {
                words.insert(name.to_owned(), json!(self.ids.model_id(&end.element_id)));
            }
        }
        words
    }
}

fn short(text: String) -> String {
    match text.char_indices().nth(MAX_TEXT) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text,
    }
}
