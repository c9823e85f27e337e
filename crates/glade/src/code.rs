//! `glade code`: a fairy works on the files of a folder, in a terminal.
//!
//! What it says goes to standard output; what it does, the changes it wants to make and the question
//! before writing go to standard error.

mod asking;

use std::io::{IsTerminal as _, Write as _};
use std::path::PathBuf;
use std::time::Duration;

use anyhow::bail;
use clap::Args;
use glade_code::sketch::{Answer, Sketch};
use glade_code::{Call, Cancel, Carried, Project, Seen, Workbench, carry_out, find};

use asking::{Asking, Consent};

/// How many turns a wish may take.
const MAX_TURNS: usize = 20;
const CALL_LIMIT: Duration = Duration::from_secs(60);

#[derive(Args)]
pub struct Code {
    /// What to do, in your words
    what: String,
    /// The folder to work on
    #[arg(long, default_value = ".", value_name = "DIR")]
    project: PathBuf,
    /// Write without asking
    #[arg(long, conflicts_with = "dry_run")]
    yes: bool,
    /// Show what would change, and change nothing
    #[arg(long)]
    dry_run: bool,
    /// The model that the fairy thinks with: only sketch, so far
    #[arg(long, default_value = "sketch", value_name = "NAME")]
    model: String,
}

pub fn run(args: Code) -> anyhow::Result<()> {
    if args.what.trim().is_empty() {
        bail!("say what to do, as in: glade code \"replace colour with color\"");
    }
    if args.model != "sketch" {
        bail!(
            "glade code works with the built-in model sketch only, so far; leave --model {} out",
            args.model
        );
    }
    let consent = match (args.yes, args.dry_run) {
        (true, _) => Consent::Given,
        (_, true) => Consent::DryRun,
        _ if std::io::stdin().is_terminal() => Consent::Ask,
        _ => Consent::Nobody,
    };
    let project = Project::open(&args.project)?;
    let (seen, cancel) = (Seen::new(), Cancel::new());
    let bench = Workbench {
        project: &project,
        seen: &seen,
        cancel: &cancel,
    };
    let asking = Asking::new(consent);
    let mut sketch = Sketch::new(&args.what);
    let mut results = Vec::new();
    for _ in 0..MAX_TURNS {
        let Answer { words, calls } = sketch.answer(&results);
        say(&words)?;
        if calls.is_empty() {
            return asking.finish();
        }
        results = carry_out(bench, &calls, CALL_LIMIT, &|_, change| asking.ask(change));
        for (call, carried) in calls.iter().zip(&results) {
            tell(call, carried);
        }
    }
    bail!("this took more than {MAX_TURNS} turns and was ended; ask for less at once")
}

fn say(words: &str) -> anyhow::Result<()> {
    if !words.is_empty() {
        let mut out = std::io::stdout().lock();
        // What comes from files may hold escape sequences; a terminal would obey them.
        let harmless = |c: char| c.is_control() && c != '\t' && c != '\n';
        let words = words.trim_end_matches('\n').replace(harmless, "\u{fffd}");
        writeln!(out, "{words}")?;
    }
    Ok(())
}

/// A line about one call.
fn tell(call: &Call, carried: &Carried) {
    let about = find(&call.tool)
        .and_then(|tool| tool.file_parameter())
        .or(Some("query"))
        .and_then(|name| call.input.get(name)?.as_str())
        .unwrap_or_default();
    let took = carried.took.as_millis();
    match &carried.outcome {
        Ok(_) => eprintln!("· {} {about} ({took} ms)", call.tool),
        Err(error) => eprintln!("· {} {about}: {error}", call.tool),
    }
}
