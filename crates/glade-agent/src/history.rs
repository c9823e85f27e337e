//! What a fairy remembers of a chat: what it was asked, said and did.

mod brief;

use std::collections::BTreeSet;

use glade_doc::RunId;
use serde::{Deserialize, Serialize};

use crate::budget::noted;
use crate::diff::Diff;
use crate::event::Source;
use crate::mode::MemoryLevel;
use crate::prompt::Role;
use brief::brief;

/// Items beyond this are forgotten, oldest first.
const MAX_ITEMS: usize = 400;
/// Tokens of history in one prompt.
pub const TOKEN_BUDGET: usize = 4_000;
/// The longest single item in a prompt, in characters.
const MAX_LINE: usize = 1_200;
/// So much of an action that failed tells which one it was.
const MAX_FAILED: usize = 200;

/// One remembered thing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct HistoryItem {
    pub level: MemoryLevel,
    pub what: Remembered,
    /// The run that it belongs to; of what was kept before this was noted nobody knows it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<RunId>,
    /// The runs that a summary tells of; empty when there are too many, or unknown ones among them.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub folded: BTreeSet<RunId>,
    /// Whether a person kept what the run did, or took it back; nobody has yet: none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kept: Option<bool>,
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
    /// An action, as the model wrote it, and what it changed.
    Action {
        json: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        diff: Option<Diff>,
        /// Why nothing of it stands, if nothing does.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        failed: Option<String>,
        /// How what was done differs from what was asked for.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        adjusted: Vec<String>,
    },
    /// Something that an action found out.
    Data { json: String },
    /// Older items, folded together.
    Summary { text: String },
}

impl Remembered {
    /// An action that stands as it was asked for.
    pub fn action(json: String) -> Self {
        Self::Action {
            json,
            diff: None,
            failed: None,
            adjusted: Vec::new(),
        }
    }

    /// An action of which nothing stands.
    pub fn failed(json: String, reason: String) -> Self {
        Self::Action {
            json,
            diff: None,
            failed: Some(noted(reason)),
            adjusted: Vec::new(),
        }
    }

    /// No longer than a memory may be: a prompt shows less of it anyway.
    fn noted(mut self) -> Self {
        let text = match &mut self {
            Self::Prompt { message: text, .. }
            | Self::Message { text }
            | Self::Thought { text }
            | Self::Action { json: text, .. }
            | Self::Data { json: text }
            | Self::Summary { text } => text,
        };
        *text = noted(std::mem::take(text));
        self
    }
}

impl HistoryItem {
    /// Whether all that it tells of is of these runs.
    fn is_of(&self, runs: &BTreeSet<RunId>) -> bool {
        let known = self.run.is_some() || !self.folded.is_empty();
        known
            && self
                .run
                .iter()
                .chain(&self.folded)
                .all(|run| runs.contains(run))
    }

    /// Who speaks and what, as a model reads it.
    pub fn line(&self) -> HistoryLine {
        let (role, text) = match &self.what {
            Remembered::Prompt {
                source: Source::Own,
                message,
            } => (
                Role::User,
                format!("[NOTE] {}", shorten_to(message, MAX_LINE)),
            ),
            Remembered::Prompt { message, .. } => (Role::User, shorten_to(message, MAX_LINE)),
            Remembered::Message { text } => (Role::Assistant, shorten_to(text, MAX_LINE)),
            Remembered::Thought { text } => {
                let text = shorten_to(text, MAX_LINE);
                (Role::Assistant, format!("[THOUGHT] {text}"))
            }
            Remembered::Action {
                json,
                failed: Some(reason),
                ..
            } => {
                let reason = shorten_to(reason, MAX_FAILED);
                let json = shorten_to(json, MAX_FAILED);
                (Role::Assistant, format!("[ACTION FAILED: {reason}] {json}"))
            }
            Remembered::Action { json, adjusted, .. } => {
                let fate = match self.kept {
                    Some(true) => " (a person kept this)",
                    Some(false) => " (a person undid this)",
                    None => "",
                };
                let how = match adjusted.as_slice() {
                    [] => String::new(),
                    notes => format!(" [ADJUSTED: {}]", notes.join(". ")),
                };
                let json = brief(json);
                (Role::Assistant, format!("[ACTION] {json}{how}{fate}"))
            }
            Remembered::Data { json } => {
                let json = shorten_to(json, MAX_LINE);
                (Role::User, format!("[DATA RETRIEVED] {json}"))
            }
            Remembered::Summary { text } => (Role::User, shorten_to(text, MAX_LINE)),
        };
        HistoryLine { role, text }
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
        self.push_of(None, level, what);
    }

    /// As [`History::push`], for something that a run did.
    pub fn push_of(&mut self, run: Option<RunId>, level: MemoryLevel, what: Remembered) {
        self.items.push(HistoryItem {
            level,
            what: what.noted(),
            run,
            folded: BTreeSet::new(),
            kept: None,
        });
        if self.items.len() > MAX_ITEMS {
            self.items.drain(..self.items.len() - MAX_ITEMS);
        }
    }

    /// A person kept what a run did, or took it back.
    pub fn settle(&mut self, run: &RunId, kept: bool) {
        for item in &mut self.items {
            if item.run.as_ref() == Some(run) {
                item.kept = Some(kept);
            }
        }
    }

    /// Something of the level `from` is over: what was remembered of it, and of all levels inside of
    /// it down to `into`, becomes one summary of the level `into`. Nothing remembered, nothing said.
    pub fn close(&mut self, from: MemoryLevel, into: MemoryLevel) {
        let inside = |level: MemoryLevel| level > into && level <= from;
        let told = || self.items.iter().filter(|item| inside(item.level));
        // Whoever leaves a task and its project at once leaves the project.
        let head = match told().map(|item| item.level).min() {
            None => return,
            Some(MemoryLevel::Task) => "A task that you worked on, in short:",
            Some(_) => "A project that you were in, in short:",
        };
        let text = summary(head, told().map(|item| &item.what));
        let folded = runs_of(told());
        self.items.retain(|item| !inside(item.level));
        self.push(into, Remembered::Summary { text });
        if let Some(item) = self.items.last_mut() {
            item.folded = folded;
        }
    }

    /// An action that was remembered came to nothing after all.
    pub fn fail(&mut self, run: &RunId, wrote: &str, reason: &str) {
        let of_run = self.items.iter_mut().rev();
        for item in of_run.filter(|item| item.run.as_ref() == Some(run)) {
            if let Remembered::Action { json, failed, .. } = &mut item.what
                && failed.is_none()
                && json == wrote
            {
                *failed = Some(noted(reason.to_owned()));
                return;
            }
        }
    }

    /// Forgets all items of a level.
    pub fn forget(&mut self, level: MemoryLevel) {
        self.items.retain(|item| item.level != level);
    }

    pub fn clear(&mut self) {
        self.items.clear();
    }

    pub fn items(&self) -> &[HistoryItem] {
        &self.items
    }

    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// All runs that something is remembered of.
    pub fn runs(&self) -> BTreeSet<&RunId> {
        let items = self.items.iter();
        items
            .flat_map(|item| item.run.iter().chain(&item.folded))
            .collect()
    }

    /// What a mode of this memory level remembers, oldest first: all of it, or only what is wholly of
    /// the `visible` runs.
    pub fn lines(&self, level: MemoryLevel, visible: Option<&BTreeSet<RunId>>) -> Vec<HistoryLine> {
        let seen = self.seen(level);
        let shown = |at: &&usize| visible.is_none_or(|runs| self.items[**at].is_of(runs));
        let told = seen.iter().filter(shown);
        let mut lines: Vec<HistoryLine> = told.map(|at| self.items[*at].line()).collect();
        if lines.len() < seen.len() {
            let text = WITHHELD.to_owned();
            let role = Role::User;
            lines.insert(0, HistoryLine { role, text });
        }
        lines
    }

    /// The items that a memory level sees, oldest first.
    fn seen(&self, level: MemoryLevel) -> Vec<usize> {
        let mut seen = Vec::new();
        for (at, item) in self.items.iter().enumerate().rev() {
            match (level, item.level) {
                (MemoryLevel::Task, other) if other != MemoryLevel::Task => break,
                (MemoryLevel::Project, MemoryLevel::Fairy) => break,
                (MemoryLevel::Project, MemoryLevel::Task) => continue,
                (MemoryLevel::Fairy, other) if other != MemoryLevel::Fairy => continue,
                _ => seen.push(at),
            }
        }
        seen.reverse();
        seen
    }

    /// Keeps what a memory level sees within a budget: when it is exceeded, the older items are folded
    /// into one summary, until half of the budget is free again. Folding much at once and seldom keeps
    /// the beginning of the prompts the same for many steps.
    pub fn fold(&mut self, level: MemoryLevel, budget: usize) {
        let seen = self.seen(level);
        let cost = |at: &usize| tokens(&self.items[*at].line().text);
        if seen.iter().map(cost).sum::<usize>() <= budget {
            return;
        }
        let (mut left, mut kept) = (budget / 2, 0);
        for at in seen.iter().rev() {
            match left.checked_sub(cost(at)) {
                Some(rest) => (left, kept) = (rest, kept + 1),
                None => break,
            }
        }
        let old = &seen[..seen.len() - kept];
        let Some(first) = old.first().copied() else {
            return;
        };
        let text = summary(EARLIER_CHAT, old.iter().map(|at| &self.items[*at].what));
        let what = Remembered::Summary { text };
        let folded = runs_of(old.iter().map(|at| &self.items[*at]));
        let mut at = 0;
        self.items.retain(|_| {
            at += 1;
            at - 1 == first || !old.contains(&(at - 1))
        });
        self.items[first] = HistoryItem {
            level,
            what,
            run: None,
            folded,
            kept: None,
        };
    }
}

/// The runs of all these items; none if there are too many to note, or one is unknown.
fn runs_of<'h>(items: impl Iterator<Item = &'h HistoryItem>) -> BTreeSet<RunId> {
    let mut runs = BTreeSet::new();
    for item in items {
        if item.run.is_none() && item.folded.is_empty() {
            return BTreeSet::new();
        }
        runs.extend(item.run.iter().chain(&item.folded).cloned());
        if runs.len() > MAX_FOLDED {
            return BTreeSet::new();
        }
    }
    runs
}

/// What items come to in a few lines: what was asked last of all, then how much was done.
fn summary<'h>(head: &str, items: impl Iterator<Item = &'h Remembered>) -> String {
    let mut asked: Vec<String> = Vec::new();
    let mut earlier = 0;
    let mut done: std::collections::BTreeMap<String, usize> = Default::default();
    for item in items {
        match item {
            Remembered::Summary { text } => {
                for line in text.lines() {
                    if let Some(words) = line.strip_prefix(ASKED) {
                        asked.push(words.to_owned());
                    } else if let Some(count) = line.strip_prefix(EARLIER) {
                        earlier += count.parse().unwrap_or(0);
                    } else if let Some(list) = line.strip_prefix(DID) {
                        for (name, count) in list.split(", ").filter_map(|one| one.split_once(' '))
                        {
                            *done.entry(name.to_owned()).or_default() += count.parse().unwrap_or(0);
                        }
                    }
                }
            }
            Remembered::Prompt {
                source: Source::User | Source::OtherAgent,
                message,
            } => asked.push(one_line(message)),
            Remembered::Action {
                json, failed: None, ..
            } => {
                let name = serde_json::from_str::<serde_json::Value>(json)
                    .ok()
                    .and_then(|action| Some(action.get("_type")?.as_str()?.to_owned()));
                *done.entry(name.unwrap_or_default()).or_default() += 1;
            }
            _ => {}
        }
    }
    let dropped = asked.len().saturating_sub(MAX_ASKED);
    earlier += dropped;
    let mut lines = vec![head.to_owned()];
    if earlier > 0 {
        lines.push(format!("{EARLIER}{earlier}"));
    }
    lines.extend(
        asked
            .drain(dropped..)
            .map(|words| format!("{ASKED}{words}")),
    );
    if !done.is_empty() {
        let list: Vec<String> = done
            .iter()
            .map(|(name, count)| format!("{name} {count}"))
            .collect();
        lines.push(format!("{DID}{}", list.join(", ")));
    }
    lines.join("\n")
}

const EARLIER_CHAT: &str = "Earlier in this chat, in short:";
const EARLIER: &str = "- older requests left out: ";
const ASKED: &str = "- you were asked: ";
const DID: &str = "- your actions, by kind: ";
const WITHHELD: &str =
    "Some of what was said and done before is left out: whoever asks may not see it.";
/// Runs that a summary notes. One of more is for those who may see everything.
const MAX_FOLDED: usize = 64;
/// Requests that a summary quotes.
const MAX_ASKED: usize = 6;

fn one_line(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(120) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line,
    }
}

/// A rough count: four characters a token, and a little for the frame of a message.
pub fn tokens(text: &str) -> usize {
    text.len() / 4 + 4
}

fn shorten_to(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
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
    fn old_items_fold_into_a_summary_that_itself_folds() {
        let mut history = History::default();
        for number in 0..1000 {
            history.push(
                MemoryLevel::Fairy,
                Remembered::Prompt {
                    source: Source::User,
                    message: format!("ask {number}"),
                },
            );
            history.push(
                MemoryLevel::Fairy,
                Remembered::action(r#"{"_type":"create"}"#.to_owned()),
            );
            history.fold(MemoryLevel::Fairy, 300);
        }
        let lines = history.lines(MemoryLevel::Fairy, None);
        let cost: usize = lines.iter().map(|line| tokens(&line.text)).sum();
        assert!(cost <= 300, "{cost}");
        assert_eq!(
            lines.last().map(|line| line.text.as_str()),
            Some("[ACTION] create")
        );
        let summary = &lines[0].text;
        let number = |prefix: &str| -> usize {
            let line = summary.lines().find_map(|line| line.strip_prefix(prefix));
            line.and_then(|rest| rest.rsplit(' ').next()?.parse().ok())
                .unwrap_or_default()
        };
        let (older, created) = (number(EARLIER), number(DID));
        let quoted = summary
            .lines()
            .filter(|line| line.starts_with(ASKED))
            .count();
        assert_eq!(quoted, MAX_ASKED);
        let kept = lines
            .iter()
            .filter(|line| line.text.starts_with("ask "))
            .count();
        assert_eq!(
            older + quoted + kept,
            1000,
            "nothing is lost without a trace:\n{summary}"
        );
        let acts = lines
            .iter()
            .filter(|line| line.text.starts_with("[ACTION]"))
            .count();
        assert_eq!(created + acts, 1000);
    }

    fn asked_in(history: &mut History, run: &str, message: &str) {
        let what = Remembered::Prompt {
            source: Source::User,
            message: message.to_owned(),
        };
        history.push_of(Some(RunId::from(run)), MemoryLevel::Fairy, what);
    }

    fn shown(history: &History, visible: &[&str]) -> Vec<String> {
        let visible = visible.iter().map(|run| RunId::from(*run)).collect();
        let lines = history.lines(MemoryLevel::Fairy, Some(&visible));
        lines.into_iter().map(|line| line.text).collect()
    }

    #[test]
    fn what_belongs_to_other_runs_or_to_none_is_left_out_and_that_is_said() {
        let mut history = History::default();
        asked_in(&mut history, "run_a", "draw a box");
        asked_in(&mut history, "run_b", "draw the secret");
        assert_eq!(shown(&history, &["run_a"]), [WITHHELD, "draw a box"]);
        assert_eq!(
            shown(&history, &["run_a", "run_b"]),
            ["draw a box", "draw the secret"]
        );
        history.push(MemoryLevel::Fairy, said("from before runs were noted"));
        assert_eq!(
            shown(&history, &["run_a", "run_b"]),
            [WITHHELD, "draw a box", "draw the secret"]
        );
    }

    #[test]
    fn a_summary_is_for_those_who_may_see_every_run_in_it() {
        let mut history = History::default();
        asked_in(&mut history, "run_b", "draw the secret");
        for _ in 0..4 {
            asked_in(&mut history, "run_a", "draw a box");
        }
        history.fold(MemoryLevel::Fairy, 20);
        assert!(history.items()[0].folded.len() == 2, "{history:?}");
        let seen = shown(&history, &["run_a"]).join(" ");
        assert!(!seen.contains("secret"), "{seen}");
        let all = shown(&history, &["run_a", "run_b"]).join(" ");
        assert!(all.contains("secret"), "{all}");
    }

    #[test]
    fn folding_leaves_other_memories_alone() {
        let mut history = History::default();
        for number in 0..50 {
            history.push(MemoryLevel::Task, said(&format!("task {number}")));
            history.push(MemoryLevel::Fairy, said(&format!("fairy {number}")));
        }
        history.fold(MemoryLevel::Fairy, 100);
        let tasks = history
            .items()
            .iter()
            .filter(|item| item.level == MemoryLevel::Task)
            .count();
        assert_eq!(tasks, 50);
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
                .lines(level, None)
                .into_iter()
                .map(|line| line.text)
                .collect()
        };
        assert_eq!(seen(Task), ["t2", "t3"]);
        assert_eq!(seen(Project), ["p1", "p2"]);
        assert_eq!(seen(Fairy), ["f1"]);
    }
}
