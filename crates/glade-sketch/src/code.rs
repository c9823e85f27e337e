//! `sketch` on code: a model without a model.
//!
//! It finds, lists, shows, renames and replaces by rule, and is plain about the rest. Like any model
//! it only makes calls: each [`CodeSketch::answer`] is one turn, given what became of the calls before.

mod request;

use std::collections::BTreeSet;

use glade_code::{Call, CallOutcome, Code};
use serde_json::{Value, json};

pub use request::Request;

/// What it says and the calls it makes; without calls it is done.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Answer {
    pub words: String,
    pub calls: Vec<Call>,
}

/// One conversation about one request.
#[derive(Debug)]
pub struct CodeSketch {
    request: Request,
    stage: Stage,
    made: usize,
    changed: BTreeSet<String>,
    places: u64,
}

/// One text for another, wherever it stands.
struct Change<'a> {
    old: &'a str,
    new: &'a str,
    whole_word: bool,
}

impl<'a> Change<'a> {
    fn of(old: &'a str, new: &'a str) -> Self {
        Self {
            old,
            new,
            whole_word: false,
        }
    }

    fn pattern(&self) -> String {
        if self.whole_word {
            whole_word(self.old)
        } else {
            literal(self.old)
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Begin,
    Looked,
    Wrote,
}

impl CodeSketch {
    pub fn new(message: &str) -> Self {
        Self {
            request: Request::of(message),
            stage: Stage::Begin,
            made: 0,
            changed: BTreeSet::new(),
            places: 0,
        }
    }

    /// The next turn. `results` are those of the calls of the turn before, in their order.
    pub fn answer(&mut self, results: &[CallOutcome]) -> Answer {
        if self.stage == Stage::Begin {
            self.stage = Stage::Looked;
            return self.begin();
        }
        if let Some(error) = results.iter().find_map(|r| r.outcome.as_ref().err()) {
            let refused = matches!(error.code, Code::NotAllowed | Code::UserInteractionRequired);
            return self.give_up(&error.words, refused);
        }
        let outputs: Vec<&Value> = results.iter().flat_map(|r| &r.outcome).collect();
        match self.request.clone() {
            Request::Find { text } => say(found(&text, outputs[0])),
            Request::List { .. } => say(listed(outputs[0])),
            Request::Show { file } => say(shown(&file, outputs[0])),
            Request::Replace { old, new, file } => {
                self.replace(&outputs, &Change::of(&old, &new), file.as_deref())
            }
            Request::RenameWord { old, new } => {
                let change = Change {
                    whole_word: true,
                    ..Change::of(&old, &new)
                };
                self.replace(&outputs, &change, None)
            }
            Request::MoveFile { from, to } => say(format!("Renamed {from} to {to}.")),
            Request::Add { path, .. } => say(format!("Made {path}.")),
            Request::Delete { path } => say(format!("Deleted {path}.")),
            Request::Unknown => Answer::default(),
        }
    }

    fn begin(&mut self) -> Answer {
        match self.request.clone() {
            Request::Find { text } => self.search(&literal(&text), false, None),
            Request::List { folder } => self.one(
                "list-files",
                json!({"path": folder, "recursive": true, "includeDirectories": false}),
            ),
            Request::Show { file } => self.one("read-file", json!({"path": file})),
            Request::Replace { old, file, .. } => {
                self.search(&literal(&old), true, file.as_deref())
            }
            Request::RenameWord { old, .. } => self.search(&whole_word(&old), true, None),
            Request::MoveFile { from, to } => {
                self.one("move-file", json!({"path": from, "to": to}))
            }
            Request::Add { path, text } => {
                self.one("overwrite-file", json!({"path": path, "content": text}))
            }
            Request::Delete { path } => self.one("delete-file", json!({"path": path})),
            Request::Unknown => say(
                "I am sketch: built-in and rule-based, so I only know a few things to do with code: \
                 find \"text\"; list files; show a file; replace \"this\" with \"that\"; rename name to \
                 other_name; add file notes.txt with some text; delete file notes.txt.",
            ),
        }
    }

    /// Searches, changes the files that were found, and looks again: a search shows only so many.
    fn replace(&mut self, outputs: &[&Value], change: &Change<'_>, file: Option<&str>) -> Answer {
        match self.stage {
            Stage::Looked => {
                let files = files_of(outputs[0]);
                if files.is_empty() {
                    return self.finish(change.old, change.new);
                }
                self.stage = Stage::Wrote;
                let edit = json!({
                    "old_string": change.old,
                    "new_string": change.new,
                    "replace_all": true,
                    "whole_word": change.whole_word,
                });
                // A look first: what people changed since it was last here is no surprise then.
                let calls = files
                    .iter()
                    .flat_map(|file| {
                        [
                            ("read-file", json!({"path": file, "end_line": 1})),
                            ("multi-edit", json!({"path": file, "edits": [edit]})),
                        ]
                    })
                    .collect();
                self.changed.extend(files);
                self.calls(calls)
            }
            Stage::Wrote | Stage::Begin => {
                self.places += outputs
                    .iter()
                    .filter_map(|o| o["editsApplied"].as_u64())
                    .sum::<u64>();
                self.stage = Stage::Looked;
                self.search(&change.pattern(), true, file)
            }
        }
    }

    fn finish(&self, old: &str, new: &str) -> Answer {
        say(if self.changed.is_empty() {
            format!("I found no {old:?}, so there was nothing to change.")
        } else {
            format!(
                "Changed {old:?} to {new:?} in {} places of {}.",
                self.places,
                counted(self.changed.len(), "file")
            )
        })
    }

    fn give_up(&mut self, why: &str, not_allowed: bool) -> Answer {
        self.stage = Stage::Wrote;
        say(if not_allowed {
            "I left the files as they are.".to_owned()
        } else {
            format!("I could not do it: {why}")
        })
    }

    /// Searches what was not changed yet: the new words may well hold the old ones.
    fn search(&mut self, pattern: &str, exactly: bool, file: Option<&str>) -> Answer {
        let mut input = json!({"query": pattern, "case_sensitive": exactly});
        if let Some(file) = file {
            input["include_file_pattern"] = json!(file);
        }
        if exactly {
            input["exclude_file_pattern"] = json!(these_files(&self.changed));
        }
        self.one("grep-search", input)
    }

    fn one(&mut self, tool: &'static str, input: Value) -> Answer {
        self.calls(vec![(tool, input)])
    }

    fn calls(&mut self, calls: Vec<(&'static str, Value)>) -> Answer {
        let calls = calls
            .into_iter()
            .map(|(tool, input)| {
                self.made += 1;
                Call {
                    id: format!("call_{}", self.made),
                    tool: tool.to_owned(),
                    input,
                }
            })
            .collect();
        Answer {
            words: String::new(),
            calls,
        }
    }
}

fn say(words: impl Into<String>) -> Answer {
    Answer {
        words: words.into(),
        calls: Vec::new(),
    }
}

/// A file in a fence that nothing in it closes.
fn fenced(file: &str, content: &str) -> String {
    let ending = file.rsplit_once('.').map_or("", |(_, ending)| ending);
    let mut fence = "```".to_owned();
    while content.contains(&fence) {
        fence.push('`');
    }
    let end = if content.ends_with('\n') { "" } else { "\n" };
    format!("{fence}{ending}\n{content}{end}{fence}")
}

/// Words as they are, in a line of Markdown.
fn literally(text: &str) -> String {
    let mut fence = "`".to_owned();
    while text.contains(&fence) {
        fence.push('`');
    }
    let space = if text.contains('`') { " " } else { "" };
    format!("{fence}{space}{text}{space}{fence}")
}

fn found(text: &str, output: &Value) -> String {
    let lines: Vec<String> = listed_files(output)
        .flat_map(|file| {
            let path = file["path"].as_str().unwrap_or_default();
            let lines = file["lines"].as_array().into_iter().flatten();
            let matching = lines.filter(|line| line.get("column").is_some());
            matching.map(move |line| {
                let words = line["text"].as_str().unwrap_or_default().trim();
                format!("\n- {path}:{}: {}", line["line"], literally(words))
            })
        })
        .collect();
    if lines.is_empty() {
        return format!("I found no {text:?}.");
    }
    let total = counted(number(&output["totalMatches"]), "line");
    let part = if output["truncated"] == true {
        format!("; here are {}", lines.len())
    } else {
        String::new()
    };
    format!("{text:?} is on {total}{part}:{}", lines.concat())
}

/// The files that a search lists.
fn listed_files(output: &Value) -> impl Iterator<Item = &Value> {
    output["files"].as_array().into_iter().flatten()
}

fn shown(file: &str, output: &Value) -> String {
    let words = fenced(file, output["content"].as_str().unwrap_or_default());
    if output["truncated"] == true {
        let (shown, all) = (&output["endLine"], &output["totalLines"]);
        return format!("{words}\n(These are the first {shown} of {all} lines.)");
    }
    words
}

fn listed(output: &Value) -> String {
    let files = output["files"].as_array().map_or(&[][..], Vec::as_slice);
    let names: String = files
        .iter()
        .filter_map(|file| file["path"].as_str())
        .map(|path| format!("\n- {path}"))
        .collect();
    let total = counted(number(&output["totalFiles"]), "file");
    format!("{total}:{names}")
}

fn files_of(output: &Value) -> BTreeSet<String> {
    listed_files(output)
        .filter_map(|file| file["path"].as_str().map(str::to_owned))
        .collect()
}

fn number(value: &Value) -> usize {
    value
        .as_u64()
        .and_then(|it| it.try_into().ok())
        .unwrap_or_default()
}

fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// A pattern for exactly these letters.
fn literal(text: &str) -> String {
    let mut pattern = String::new();
    for c in text.chars() {
        if !c.is_alphanumeric() && !c.is_whitespace() && c != '_' {
            pattern.push('\\');
        }
        pattern.push(c);
    }
    pattern
}

/// A glob for exactly these files, and for those that no tool may write. The slash in it keeps names
/// without a folder from being meant anywhere below.
fn these_files(files: &BTreeSet<String>) -> String {
    let names = files.iter().map(|file| {
        file.chars().fold(String::new(), |mut name, c| {
            if matches!(c, '*' | '?' | '[' | ']' | '{' | '}' | ',' | '\\') {
                name.push('\\');
            }
            name.push(c);
            name
        })
    });
    let ignore_files = ["**/.gitignore", "**/.ignore"].map(str::to_owned);
    let names: Vec<String> = names.chain(ignore_files).collect();
    format!("{{/,{}}}", names.join(","))
}

fn whole_word(text: &str) -> String {
    format!(r"\b{}\b", literal(text))
}
