//! What people changed on a text page since the fairy last looked, in words.

use glade_doc::{Props, words};
use glade_text::Page;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::facts::On;
use crate::part::{Part, PartFacts, Topic, View, fenced, told};
use crate::prompt::PromptMessage;
use crate::shapes::short;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TextChanges {
    pub changes: Vec<TextChange>,
    /// Changes that are not told one by one.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub more: usize,
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// What somebody did to one block.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TextChange {
    pub by: String,
    pub block_id: String,
    pub did: Vec<String>,
}

/// Blocks that are told of, and changes of words in one of them.
const MOST: usize = 40;
const MOST_WORDS: usize = 8;

pub struct TextChangesPart;

static FACTS: PartFacts = PartFacts::new("text-changes", Topic::InView, On::Text);

impl Part for TextChangesPart {
    type Data = TextChanges;

    fn facts(&self) -> &PartFacts {
        &FACTS
    }

    fn gather(&self, view: &mut View<'_, '_>) -> Option<TextChanges> {
        let scene = view.world.scene;
        let live = scene.live();
        let page = Page::read(live.map(|element| (&element.id, &element.props)));
        let mut changes = Vec::new();
        for action in view.world.user_actions {
            let mut tell = |id: &glade_doc::ElementId, did: Vec<String>| {
                let place = page.position(id).map_or(0, |at| at + 1);
                if !did.is_empty() {
                    changes.push(TextChange {
                        by: action.by.clone(),
                        block_id: view.ids.block_id(id, place),
                        did,
                    });
                }
            };
            for id in &action.diff.added {
                // A part of a table is no block.
                if let Some(block) = page.get(id) {
                    tell(id, vec![format!("added \"{}\"", short(&block.all_text()))]);
                }
            }
            for id in &action.diff.removed {
                let gone = scene
                    .any(id)
                    .map(|element| word(&element.props, "originalText"));
                tell(
                    id,
                    vec![format!("deleted \"{}\"", short(gone.unwrap_or("")))],
                );
            }
            for one in &action.diff.updated {
                if page.get(&one.id).is_some() {
                    tell(&one.id, done(&one.before, &one.after));
                }
            }
        }
        let more = changes.len().saturating_sub(MOST);
        changes.truncate(MOST);
        let some = !changes.is_empty();
        some.then_some(TextChanges { changes, more })
    }

    fn print(&self, data: &TextChanges) -> Vec<PromptMessage> {
        let more = match data.more {
            0 => String::new(),
            more => format!(" ({more} more changes are not told)"),
        };
        told(format!(
            "What people changed on the page since you last looked{more}; it is theirs:\n{}",
            fenced(&data.changes)
        ))
    }
}

fn word<'p>(props: &'p Props, name: &str) -> &'p str {
    props.get(name).and_then(Value::as_str).unwrap_or("")
}

/// What became of a block, in short sentences.
fn done(before: &Props, after: &Props) -> Vec<String> {
    let mut did = Vec::new();
    if after.contains_key("originalText") {
        did.extend(rewritten(
            word(before, "originalText"),
            word(after, "originalText"),
        ));
    } else if after.contains_key("marks") {
        did.push("changed how its words are marked".to_owned());
    }
    if after.contains_key("nodeName") {
        did.push(format!("made it a {}", word(after, "nodeName")));
    }
    match after.get("checked") {
        Some(Value::Bool(true)) => did.push("ticked it".to_owned()),
        Some(_) => did.push("took its tick off".to_owned()),
        None => {}
    }
    if after.contains_key("index") {
        did.push("moved it".to_owned());
    }
    let told = ["originalText", "marks", "nodeName", "checked", "index"];
    let others = after
        .iter()
        .filter(|(name, _)| !told.contains(&name.as_str()));
    did.extend(
        others.map(|(name, value)| format!("set its {name} to {}", short(&value.to_string()))),
    );
    did
}

fn rewritten(before: &str, after: &str) -> Vec<String> {
    let chars: Vec<char> = before.chars().collect();
    let splices = words::diff(before, after);
    if splices.len() > MOST_WORDS {
        return vec!["wrote it anew".to_owned()];
    }
    let told = splices.iter().map(|one| {
        let gone: String = chars[one.at..one.at + one.delete].iter().collect();
        match (gone.trim(), one.insert.trim()) {
            ("", new) => format!("wrote \"{new}\""),
            (gone, "") => format!("deleted \"{gone}\""),
            (gone, new) => format!("wrote \"{new}\" instead of \"{gone}\""),
        }
    });
    told.collect()
}
