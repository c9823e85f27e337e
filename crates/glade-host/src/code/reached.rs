//! What a run reached in the project, and who may know of it: somebody whose token is limited to paths
//! learns only of what lies wholly within them.

use std::collections::{BTreeMap, BTreeSet};

use glade_access::Capability;
use glade_code::{Call, CallOutcome, Project, ProjectPath, find};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::CodeHost;
use crate::workspace::Run;

/// Of one run.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Reached {
    /// The paths of whoever asked; absent where all of the project was theirs.
    pub within: Option<BTreeSet<String>>,
    /// What it read, found and wrote; absent while it is at work, and where nobody can tell.
    pub files: Option<BTreeSet<String>>,
}

impl Reached {
    fn lies_in(&self, capability: &Capability) -> bool {
        let inside = |paths: &BTreeSet<String>| {
            !paths.is_empty() && paths.iter().all(|path| capability.allows_path(path))
        };
        self.within.as_ref().is_some_and(inside) || self.files.as_ref().is_some_and(inside)
    }
}

/// Of a chat: who made it, and its runs. A chat from before this was kept is known to nobody whose
/// token is limited to paths.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Extent {
    made: Option<Reached>,
    runs: BTreeMap<String, Reached>,
    /// All that runs reached which are no longer told apart.
    #[serde(skip_serializing_if = "Option::is_none")]
    earlier: Option<Reached>,
}

/// Runs of a chat that are told apart.
const MOST_RUNS: usize = 200;

impl Extent {
    pub fn made_by(capability: &Capability) -> Self {
        let made = Reached {
            within: capability.paths().cloned(),
            files: None,
        };
        Self {
            made: Some(made),
            ..Self::default()
        }
    }

    /// Where there are many runs, puts together what those reached that are over: somebody who is limited to paths
    /// knows of them only as far as they know of the chat.
    pub fn fold(&mut self, is_over: impl Fn(&str) -> bool) {
        if self.runs.len() < MOST_RUNS {
            return;
        }
        let (over, rest) = std::mem::take(&mut self.runs)
            .into_iter()
            .partition(|(run, _)| is_over(run));
        self.runs = rest;
        let over: BTreeMap<String, Reached> = over;
        let told = |files: &BTreeSet<String>| !files.is_empty();
        let each = over
            .into_values()
            .map(|run| run.files.filter(told).or(run.within).filter(told));
        let earlier = self.earlier.take().map(|earlier| earlier.files);
        let all = earlier.into_iter().chain(each).reduce(|all, more| {
            let mut all = all?;
            all.extend(more?);
            Some(all)
        });
        self.earlier = all.map(|files| Reached {
            within: None,
            files,
        });
    }

    /// A run that begins.
    pub fn begin(&mut self, run: &str, asker: &Capability) {
        let begun = Reached {
            within: asker.paths().cloned(),
            files: None,
        };
        self.runs.insert(run.to_owned(), begun);
    }

    pub fn end(&mut self, run: &str, files: Option<BTreeSet<String>>) {
        if let Some(reached) = self.runs.get_mut(run) {
            reached.files = files;
        }
    }

    fn lies_in(&self, capability: &Capability) -> bool {
        let Some(made) = &self.made else {
            return false;
        };
        let mut reached = self.runs.values().chain(&self.earlier).peekable();
        if reached.peek().is_none() {
            made.lies_in(capability)
        } else {
            reached.all(|run| run.lies_in(capability))
        }
    }
}

impl CodeHost {
    /// Whether a chat, with all that was said in it, may be known to somebody.
    pub fn shows_chat(&self, capability: &Capability, id: &str) -> bool {
        let chats = self.chats();
        let ctx = chats.get(id);
        ctx.is_some_and(|it| capability.reaches_all_paths() || it.extent.lies_in(capability))
    }

    /// Whether a run may be known to somebody. Of a chat that was deleted nobody knows what it reached.
    pub fn shows_run(&self, capability: &Capability, run: &Run) -> bool {
        let reached = || {
            let chats = self.chats();
            let reached = chats.get(run.owner.fairy()?)?.extent.runs.get(&run.id)?;
            Some(reached.lies_in(capability))
        };
        capability.reaches_all_paths() || reached().unwrap_or(false)
    }
}

/// The files that a call named, or was told of.
pub fn files_of(project: &Project, call: &Call, carried: &CallOutcome) -> Vec<String> {
    let named = find(&call.tool).map_or_else(Vec::new, |tool| tool.files(project, &call.input));
    let real: Vec<ProjectPath> = named
        .iter()
        .filter_map(|file| project.real(file).ok())
        .collect();
    let mut files: Vec<String> = named
        .iter()
        .chain(&real)
        .map(|file| file.as_str().to_owned())
        .collect();
    if let Ok(told) = &carried.outcome {
        for list in ["paths", "files", "otherFiles"] {
            let listed = told[list].as_array().into_iter().flatten();
            let path = |one: &Value| one["path"].as_str().or(one.as_str()).map(str::to_owned);
            files.extend(listed.filter_map(path));
        }
    }
    files
}

/// Whether a message is words alone: what else comes with one may be of any file.
pub fn is_words(message: &Value) -> bool {
    let parts = message["parts"].as_array();
    parts.is_some_and(|parts| parts.iter().all(|part| part["type"] == "text"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reached(files: Option<&[&str]>) -> Reached {
        let files = files.map(|files| files.iter().map(ToString::to_string).collect());
        Reached {
            within: None,
            files,
        }
    }

    /// After so many runs, of which each reached one of these.
    fn after(count: usize, each: &[Reached]) -> Extent {
        let mut extent = Extent::default();
        for number in 0..count {
            extent.fold(|run| run != "0");
            let run = each[number % each.len()].clone();
            extent.runs.insert(number.to_string(), run);
        }
        extent
    }

    #[test]
    fn what_many_runs_reached_is_kept_together_and_those_under_way_apart() {
        let extent = after(10_000, &[reached(Some(&["a"])), reached(Some(&["b", "c"]))]);
        assert!(extent.runs.len() <= MOST_RUNS, "{}", extent.runs.len());
        assert_eq!(extent.runs.get("0"), Some(&reached(Some(&["a"]))));
        assert_eq!(extent.earlier, Some(reached(Some(&["a", "b", "c"]))));
    }

    #[test]
    fn one_run_of_which_nobody_can_tell_is_enough() {
        for unknown in [reached(None), reached(Some(&[]))] {
            let extent = after(1_000, &[reached(Some(&["a"])), unknown]);
            assert_eq!(extent.earlier, Some(reached(None)));
        }
    }

    #[test]
    fn a_chat_from_before_is_read_and_written_as_it_was() {
        let text = r#"{"made":null,"runs":{"run_1":{"within":null,"files":["a"]}}}"#;
        let extent: Extent = serde_json::from_str(text).unwrap();
        assert_eq!(serde_json::to_string(&extent).unwrap(), text);
    }
}
