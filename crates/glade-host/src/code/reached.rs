//! What a run reached in the project, and who may know of it: somebody whose token is limited to paths
//! learns only of what lies wholly within them.

use std::collections::{BTreeMap, BTreeSet};

use glade_access::Capability;
use glade_code::{Call, CallOutcome, Project, find};
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
}

impl Extent {
    pub fn made_by(capability: &Capability) -> Self {
        let made = Reached {
            within: capability.paths().cloned(),
            files: None,
        };
        Self {
            made: Some(made),
            runs: BTreeMap::new(),
        }
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
        if self.runs.is_empty() {
            made.lies_in(capability)
        } else {
            self.runs.values().all(|run| run.lies_in(capability))
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
    let named = find(&call.tool).and_then(|tool| tool.file(project, &call.input));
    let real = named.as_ref().and_then(|file| project.real(file).ok());
    let mut files: Vec<String> = named
        .iter()
        .chain(&real)
        .map(|file| file.as_str().to_owned())
        .collect();
    if let Ok(told) = &carried.outcome {
        for list in ["matches", "paths", "files"] {
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
