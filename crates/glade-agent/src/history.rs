//! What a fairy remembers of a chat: what it was asked, said and did.

use serde::{Deserialize, Serialize};

use crate::event::Source;
use crate::mode::MemoryLevel;
use crate::prompt::Role;

/// Items beyond this are forgotten, oldest first.
const MAX_ITEMS: usize = 400;
/// Tokens of history in one prompt.
pub const TOKEN_BUDGET: usize = 4_000;
/// The longest single item in a prompt, in characters.
const MAX_LINE: usize = 1_200;

/// One remembered thing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct HistoryItem {
    pub level: MemoryLevel,
    pub what: Remembered,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum Remembered {
    /// An input, of a person, another fairy or the fairy itself (a correction, say).
    Prompt { source: Source, message: String },
    /// Words to the person.
    Message { text: String },
    /// A thought.
    Thought { text: String },
    /// An action that stands, as the model wrote it.
    Action { json: String },
}

impl HistoryItem {
    /// Who speaks and what, as a model reads it.
    pub fn line(&self) -> HistoryLine {
        let (role, text) = match &self.what {
            Remembered::Prompt {
                source: Source::Own,
                message,
            } => (Role::Assistant, message.clone()),
            Remembered::Prompt { message, .. } => (Role::User, message.clone()),
            Remembered::Message { text } => (Role::Assistant, text.clone()),
            Remembered::Thought { text } => (Role::Assistant, format!("[THOUGHT] {text}")),
            Remembered::Action { json } => (Role::Assistant, format!("[ACTION] {json}")),
        };
        HistoryLine {
            role,
            text: shorten(text),
        }
    }
}

/// A remembered thing as a prompt shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HistoryLine {
    pub role: Role,
    pub text: String,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct History {
    items: Vec<HistoryItem>,
}

impl History {
    pub fn push(&mut self, level: MemoryLevel, what: Remembered) {
        self.items.push(HistoryItem { level, what });
        if self.items.len() > MAX_ITEMS {
            self.items.drain(..self.items.len() - MAX_ITEMS);
        }
    }

    pub fn items(&self) -> &[HistoryItem] {
        &self.items
    }

    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// What a mode of this memory level remembers, oldest first, newest kept when the budget is short.
    pub fn lines(&self, level: MemoryLevel, budget: usize) -> Vec<HistoryLine> {
        let mut left = budget;
        let mut lines = Vec::new();
        for item in self.items.iter().rev() {
            match (level, item.level) {
                (MemoryLevel::Task, other) if other != MemoryLevel::Task => break,
                (MemoryLevel::Project, MemoryLevel::Fairy) => break,
                (MemoryLevel::Project, MemoryLevel::Task) => continue,
                (MemoryLevel::Fairy, other) if other != MemoryLevel::Fairy => continue,
                _ => {}
            }
            let line = item.line();
            let cost = tokens(&line.text);
            if cost > left {
                break;
            }
            left -= cost;
            lines.push(line);
        }
        lines.reverse();
        lines
    }
}

/// A rough count: four characters a token, and a little for the frame of a message.
pub fn tokens(text: &str) -> usize {
    text.len() / 4 + 4
}

fn shorten(text: String) -> String {
    if text.chars().count() <= MAX_LINE {
        return text;
    }
    let head: String = text.chars().take(MAX_LINE).collect();
    format!("{head}…")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str) -> Remembered {
        Remembered::Message {
            text: text.to_owned(),
        }
    }

    #[test]
    fn the_budget_keeps_the_newest() {
        let mut history = History::default();
        for number in 0..1000 {
            history.push(
                MemoryLevel::Fairy,
                said(&format!("{number:03} {}", "x".repeat(100))),
            );
        }
        let lines = history.lines(MemoryLevel::Fairy, 100);
        let heads: Vec<&str> = lines.iter().map(|line| &line.text[..3]).collect();
        assert_eq!(heads, ["997", "998", "999"]);
        assert_eq!(history.items().len(), MAX_ITEMS);
    }

    #[test]
    fn each_memory_level_sees_its_own() {
        use MemoryLevel::{Fairy, Project, Task};
        let mut history = History::default();
        for (level, text) in [
            (Fairy, "f1"),
            (Project, "p1"),
            (Task, "t1"),
            (Project, "p2"),
            (Task, "t2"),
            (Task, "t3"),
        ] {
            history.push(level, said(text));
        }
        let seen = |level| -> Vec<String> {
            history
                .lines(level, 1000)
                .into_iter()
                .map(|line| line.text)
                .collect()
        };
        assert_eq!(seen(Task), ["t2", "t3"]);
        assert_eq!(seen(Project), ["p1", "p2"]);
        assert_eq!(seen(Fairy), ["f1"]);
    }
}
