//! The question before writing.

use std::collections::BTreeSet;
use std::io::{IsTerminal as _, Write as _};
use std::sync::{Mutex, PoisonError};

use anyhow::bail;
use glade_code::{ChangeKind, Code, PlannedChange, ToolError, UnifiedDiff};

/// Who says whether a file may be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Consent {
    /// A person at the terminal.
    Ask,
    /// It was said beforehand.
    Given,
    DryRun,
    /// Nobody is there to be asked.
    Nobody,
}

/// Shows changes and asks about them, one at a time.
pub struct Asking {
    state: Mutex<State>,
}

struct State {
    consent: Consent,
    /// The kinds of changes that the person said "all" to.
    allowed: BTreeSet<ChangeKind>,
    refused: bool,
}

impl Asking {
    pub fn new(consent: Consent) -> Self {
        Self {
            state: Mutex::new(State {
                consent,
                allowed: BTreeSet::new(),
                refused: false,
            }),
        }
    }

    /// Whether the change may be made.
    pub fn ask(&self, change: &PlannedChange) -> Result<(), ToolError> {
        // Held while asking: questions and diffs of calls that run at once must not mix.
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        show(change);
        let mut why = None;
        if state.consent == Consent::Ask && !state.allowed.contains(&change.kind()) {
            let answer = question(change);
            match answer.to_lowercase().as_str() {
                "y" | "yes" => return Ok(()),
                "a" | "all" => drop(state.allowed.insert(change.kind())),
                "" | "n" | "no" => {}
                _ => why = Some(answer),
            }
        }
        if state.consent == Consent::Given || state.allowed.contains(&change.kind()) {
            return Ok(());
        }
        state.refused = true;
        Err(if state.consent == Consent::Nobody {
            ToolError::new(
                Code::UserInteractionRequired,
                "A person has to say yes before a file is written, and nobody can be asked here.",
            )
        } else {
            ToolError::refused_by_person(why.as_deref())
        })
    }

    /// The last word about what was not written.
    pub fn finish(&self) -> anyhow::Result<()> {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        match state.consent {
            Consent::DryRun => eprintln!("A dry run: nothing was written."),
            Consent::Nobody if state.refused => bail!(
                "nobody is there to say yes, so nothing was written; pass --yes to write, or --dry-run to look"
            ),
            Consent::Nobody | Consent::Ask | Consent::Given => {}
        }
        Ok(())
    }
}

/// The answer. Where it cannot be heard it is empty, which means no; so does anything that is not yes,
/// and then it is the reason.
fn question(change: &PlannedChange) -> String {
    let (do_it, all) = match change.kind() {
        ChangeKind::Create => ("Make", "make all"),
        ChangeKind::Edit => ("Change", "change all"),
        ChangeKind::Delete => ("Delete", "delete all"),
        ChangeKind::Move => ("Move to", "move all"),
    };
    let path = harmless(&change.path.to_string());
    eprint!("{do_it} {path}? [y]es, [a] {all}, [N]o, or say why not: ");
    let mut line = String::new();
    if std::io::stderr().flush().is_err() || std::io::stdin().read_line(&mut line).is_err() {
        line.clear();
    }
    line.trim().to_owned()
}

fn show(change: &PlannedChange) {
    match change.diff() {
        UnifiedDiff::Text(text) => {
            let colour = std::io::stderr().is_terminal();
            for line in text.lines().map(harmless) {
                let code = match line.as_bytes().first() {
                    Some(b'+') => "32",
                    Some(b'-') => "31",
                    Some(b'@') => "36",
                    _ => "0",
                };
                if colour {
                    eprintln!("\x1b[{code}m{line}\x1b[0m");
                } else {
                    eprintln!("{line}");
                }
            }
        }
        UnifiedDiff::Omitted(why) => eprintln!("{} changes (diff left out: {why})", change.path),
    }
}

/// A file may hold escape sequences that a terminal would obey.
fn harmless(line: &str) -> String {
    line.chars()
        .map(|c| {
            if c.is_control() && c != '\t' {
                '\u{fffd}'
            } else {
                c
            }
        })
        .collect()
}
