//! What somebody at the terminal hears: the fairy's words, its actions, and what came of it.

use std::collections::BTreeSet;
use std::io::Write as _;

use glade_agent::ActionState;
use glade_canvas::{Element, ElementKind, Scene};
use glade_doc::ElementId;
use glade_server::{Cost, RunProgress};

/// Tells a run as it goes, on the error output: words as they come, an action once it is over.
#[derive(Default)]
pub struct Teller {
    in_words: bool,
    told: BTreeSet<u32>,
}

impl Teller {
    pub fn tell(&mut self, heard: RunProgress) {
        match heard {
            RunProgress::Words(words) => {
                self.in_words = true;
                eprint!("{words}");
                // Words that cannot be shown are no reason to stop.
                let _ = std::io::stderr().flush();
            }
            RunProgress::WordsEnd => self.end_words(),
            RunProgress::Action(note) => {
                let mark = match note.state {
                    ActionState::Partial => return,
                    ActionState::Done => note.icon.as_str(),
                    ActionState::Refused | ActionState::Reverted => "✗",
                };
                if note.label.is_empty() || !self.told.insert(note.action) {
                    return;
                }
                self.end_words();
                eprintln!("  {mark} {}", note.label);
            }
            // The end says it again, and what it means.
            RunProgress::Failed(_) => self.end_words(),
        }
    }

    fn end_words(&mut self) {
        if std::mem::take(&mut self.in_words) {
            eprintln!();
        }
    }
}

/// What became of a shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fate {
    New,
    Changed,
    Gone,
}

/// One shape that is not as it was.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Changed {
    pub fate: Fate,
    pub what: String,
}

/// What differs between two pages, shape by shape; a shape's label is a part of it.
pub fn changes(before: &Scene, after: &Scene) -> Vec<Changed> {
    let mut ids: Vec<(&ElementId, Fate)> = Vec::new();
    for element in after.live() {
        match before.get(&element.id) {
            None => ids.push((&element.id, Fate::New)),
            Some(was) if !same(was, element) => ids.push((&element.id, Fate::Changed)),
            Some(_) => {}
        }
    }
    let gone = before.live().filter(|was| after.get(&was.id).is_none());
    ids.extend(gone.map(|was| (&was.id, Fate::Gone)));
    let touched: BTreeSet<&ElementId> = ids.iter().map(|(id, _)| *id).collect();
    let mut seen = BTreeSet::new();
    let mut changes = Vec::new();
    for (id, fate) in &ids {
        let scene = if *fate == Fate::Gone { before } else { after };
        let Some(element) = scene.get(id) else {
            continue;
        };
        // A label is told with its shape, as that shape's change if nothing else changed there.
        let (shown, fate) = match scene.container_of(id) {
            Some(container) if touched.contains(&container.id) => continue,
            Some(container) => (container, Fate::Changed),
            None => (element, *fate),
        };
        if seen.insert(shown.id.clone()) {
            changes.push(Changed {
                fate,
                what: name(scene, shown),
            });
        }
    }
    changes.sort();
    changes
}

/// Only what a person can see counts.
fn same(a: &Element, b: &Element) -> bool {
    let differs = |key: &String| a.props.get(key) != b.props.get(key);
    !a.props.keys().chain(b.props.keys()).any(differs)
}

/// "the rectangle “Pay”"
fn name(scene: &Scene, element: &Element) -> String {
    let text = match element.kind() {
        ElementKind::Text => Some(element.original_text().to_owned()),
        _ => scene
            .label_of(&element.id)
            .map(|label| label.original_text().to_owned()),
    };
    let kind = element.props.get("type").and_then(|it| it.as_str());
    let kind = kind.unwrap_or("shape");
    match text.filter(|text| !text.trim().is_empty()) {
        Some(text) => {
            let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
            let short: String = line.chars().take(60).collect();
            let dots = if short.len() < line.len() { "…" } else { "" };
            format!("{kind} \"{short}{dots}\"")
        }
        None => format!("{kind} {}", element.id),
    }
}

/// One line: what came of it and what it cost.
pub fn summary(changes: &[Changed], model: &str, cost: &Cost) -> String {
    let count = |fate: Fate| changes.iter().filter(|it| it.fate == fate).count();
    let parts = [
        (count(Fate::New), "new"),
        (count(Fate::Changed), "changed"),
        (count(Fate::Gone), "gone"),
    ];
    let parts: Vec<String> = parts
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, word)| format!("{count} {word}"))
        .collect();
    let changed = if parts.is_empty() {
        "Nothing changed".to_owned()
    } else {
        format!("Shapes: {}", parts.join(", "))
    };
    let price = if cost.usd > 0.0 {
        format!(", ${:.4}", cost.usd)
    } else {
        String::new()
    };
    format!(
        "{changed} ({model}: {} tokens in, {} out{price}).",
        cost.input_tokens, cost.output_tokens
    )
}

/// Each change on a line.
pub fn list(changes: &[Changed]) {
    for Changed { fate, what } in changes {
        let mark = match fate {
            Fate::New => '+',
            Fate::Changed => '~',
            Fate::Gone => '-',
        };
        eprintln!("  {mark} {what}");
    }
}
