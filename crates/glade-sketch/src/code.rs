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

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Begin,
    Looked,
    Read,
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
            Request::Show { file } => {
                let content = outputs[0]["content"].as_str().unwrap_or_default();
                say(fenced(&file, content))
            }
            Request::Replace { old, new, .. } => self.replace(&outputs, &old, &new),
            Request::RenameWord { old, new } => self.rename_word(&outputs, &old, &new),
            Request::MoveFile { from, to } => self.move_file(&outputs, &from, &to),
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
            Request::Show { file } => self.read([file.as_str()]),
            Request::Replace { old, file, .. } => {
                self.search(&literal(&old), true, file.as_deref())
            }
            Request::RenameWord { old, .. } => self.search(&whole_word(&old), true, None),
            Request::MoveFile { from, .. } => self.read([from.as_str()]),
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

    fn replace(&mut self, outputs: &[&Value], old: &str, new: &str) -> Answer {
        match self.stage {
            Stage::Looked => {
                let files = files_of(outputs[0]);
                if files.is_empty() {
                    return self.finish(old, new);
                }
                self.stage = Stage::Wrote;
                let calls = files
                    .iter()
                    .map(|file| {
                        ("multi-edit", json!({
                            "file_path": file,
                            "edits": [{"old_string": old, "new_string": new, "replace_all": true}],
                        }))
                    })
                    .collect::<Vec<_>>();
                self.changed.extend(files);
                self.calls(calls)
            }
            _ => {
                self.places += outputs
                    .iter()
                    .filter_map(|o| o["editsApplied"].as_u64())
                    .sum::<u64>();
                // A search shows only so many matches: look again until there is nothing new.
                self.stage = Stage::Looked;
                let Request::Replace { file, .. } = self.request.clone() else {
                    return Answer::default();
                };
                self.search(&literal(old), true, file.as_deref())
            }
        }
    }

    fn rename_word(&mut self, outputs: &[&Value], old: &str, new: &str) -> Answer {
        match self.stage {
            Stage::Looked => {
                let files = files_of(outputs[0]);
                if files.is_empty() {
                    return self.finish(old, new);
                }
                self.stage = Stage::Read;
                self.changed.extend(files.iter().cloned());
                let mut answer = self.read(files.iter().map(String::as_str));
                answer.words = format!("Reading {} files.", files.len());
                answer
            }
            Stage::Read => {
                self.stage = Stage::Wrote;
                let batch: Vec<(&'static str, Value)> = outputs
                    .iter()
                    .filter_map(|output| {
                        let text = output["content"].as_str()?;
                        let (renamed, count) = replace_words(text, old, new);
                        self.places += count;
                        Some((
                            "overwrite-file",
                            json!({"path": output["path"], "content": renamed}),
                        ))
                    })
                    .collect();
                self.calls(batch)
            }
            Stage::Wrote | Stage::Begin => {
                self.stage = Stage::Looked;
                self.search(&whole_word(old), true, None)
            }
        }
    }

    fn move_file(&mut self, outputs: &[&Value], from: &str, to: &str) -> Answer {
        match self.stage {
            Stage::Looked => {
                self.stage = Stage::Read;
                self.one(
                    "overwrite-file",
                    json!({"path": to, "content": outputs[0]["content"]}),
                )
            }
            Stage::Read => {
                self.stage = Stage::Wrote;
                self.one("delete-file", json!({"path": from}))
            }
            Stage::Wrote | Stage::Begin => say(format!("Renamed {from} to {to}.")),
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
        if !self.changed.is_empty() {
            input["exclude_file_pattern"] = json!(these_files(&self.changed));
        }
        self.one("grep-search", input)
    }

    fn read<'a>(&mut self, files: impl IntoIterator<Item = &'a str>) -> Answer {
        let calls = files
            .into_iter()
            .map(|file| {
                (
                    "read-file",
                    json!({"target_file": file, "should_read_entire_file": true}),
                )
            })
            .collect();
        self.calls(calls)
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
    let matches = output["matches"].as_array().map_or(&[][..], Vec::as_slice);
    if matches.is_empty() {
        return format!("I found no {text:?}.");
    }
    let lines = matches.iter().map(|m| {
        let preview = m["preview"].as_str().unwrap_or_default().trim();
        format!(
            "\n- {}:{}: {}",
            m["path"].as_str().unwrap_or_default(),
            m["line"],
            literally(preview)
        )
    });
    let total = counted(number(&output["totalMatches"]), "line");
    let shown = if output["truncated"] == true {
        format!("; here are the first {}", matches.len())
    } else {
        String::new()
    };
    format!(
        "{text:?} is on {total}{shown}:{}",
        lines.collect::<String>()
    )
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
    output["matches"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|m| m["path"].as_str().map(str::to_owned))
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

/// A glob for exactly these files. The slash in it keeps names without a folder from being meant
/// anywhere below.
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
    format!("{{/,{}}}", names.collect::<Vec<_>>().join(","))
}

fn whole_word(text: &str) -> String {
    format!(r"\b{}\b", literal(text))
}

/// Replaces a word where it stands alone.
fn replace_words(text: &str, old: &str, new: &str) -> (String, u64) {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut replaced = String::with_capacity(text.len());
    let mut done = 0;
    let mut count = 0;
    for (at, _) in text.match_indices(old) {
        let end = at + old.len();
        let alone = !text[..at].ends_with(is_word) && !text[end..].starts_with(is_word);
        if alone {
            replaced.push_str(&text[done..at]);
            replaced.push_str(new);
            done = end;
            count += 1;
        }
    }
    replaced.push_str(&text[done..]);
    (replaced, count)
}
