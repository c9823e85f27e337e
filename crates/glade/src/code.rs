//! `glade code`: a fairy works on the files of a folder, in a terminal.
//!
//! What it says goes to standard output, as it comes; what it does, the changes it wants to make and
//! the question before writing go to standard error.

mod asking;

use std::collections::VecDeque;
use std::io::{IsTerminal as _, Write as _};
use std::path::PathBuf;
use std::time::Duration;

use anyhow::bail;
use clap::Args;
use futures_util::StreamExt as _;
use glade_code::chat::{ChatInput, Conversation, Effect, Ending, Message, Setup, turns_of};
use glade_code::{
    Call, CallOutcome, Cancel, Project, ProjectInfo, Seen, ToolContext, find, prompt, run_calls,
};
use glade_server::CodeMind;
use serde_json::{Value, json};

use crate::errand::{INTERRUPTED, Mind, runtime};
use crate::signals::stop_signal;
use asking::{Asking, Consent};

const CALL_LIMIT: Duration = Duration::from_secs(60);
/// How long one request to a model may take.
const REQUEST: Duration = Duration::from_secs(180);

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
    #[command(flatten)]
    mind: Mind,
}

pub fn run(args: Code) -> anyhow::Result<()> {
    if args.what.trim().is_empty() {
        bail!("say what to do, as in: glade code \"replace colour with color\"");
    }
    crate::log::to_stderr("error");
    let consent = match (args.yes, args.dry_run) {
        (true, _) => Consent::Given,
        (_, true) => Consent::DryRun,
        _ if std::io::stdin().is_terminal() => Consent::Ask,
        _ => Consent::Nobody,
    };
    let project = Project::open(&args.project)?.without(&args.mind.data);
    let mind = CodeMind::headless(&args.mind.data, &args.mind.model, &args.what)?;
    let asking = Asking::new(consent);
    let ending = runtime()?.block_on(talk(&args.what, &project, mind, &asking))?;
    match ending {
        Ending::Done => asking.finish(),
        Ending::Failed(failure) => bail!("{}", failure.message),
        Ending::Aborted => {
            eprintln!("\nglade: stopped; what was written before stays");
            std::process::exit(INTERRUPTED)
        }
    }
}

async fn talk(
    what: &str,
    project: &Project,
    mut mind: CodeMind,
    asking: &Asking,
) -> anyhow::Result<Ending> {
    let (seen, cancel) = (Seen::new(), Cancel::new());
    let context = ToolContext {
        project,
        seen: &seen,
        cancel: &cancel,
    };
    let stop = stop_signal();
    tokio::pin!(stop);
    let system = prompt::system(project, &ProjectInfo::look(project));
    let asked = json!({"role": "user", "parts": [{"type": "text", "text": what}]});
    let setup = Setup::new(system, turns_of(&[asked]));
    let mut conversation = Conversation::new(setup, Message::new("answer", json!({})));
    let mut effects: VecDeque<Effect> = conversation.begin().into();
    let mut results: Vec<CallOutcome> = Vec::new();
    let mut answer = None;
    loop {
        while let Some(effect) = effects.pop_front() {
            match effect {
                Effect::Tell(chunk) => tell(&chunk)?,
                Effect::Ask(dialogue) => answer = Some(mind.ask(dialogue, &results)),
                Effect::RunCalls(calls) => {
                    results = run_asking(context, &calls, asking);
                    let heard = if cancel.said() {
                        ChatInput::Aborted
                    } else {
                        ChatInput::CallsDone(results.clone())
                    };
                    effects.extend(conversation.hear(heard));
                }
                Effect::End(ending) => return Ok(ending),
            }
        }
        let Some(events) = answer.as_mut() else {
            bail!("the conversation came to a halt");
        };
        let heard = tokio::select! {
            () = &mut stop => ChatInput::Aborted,
            event = tokio::time::timeout(REQUEST, events.next()) => match event {
                Ok(Some(Ok(event))) => ChatInput::Model(event),
                Ok(Some(Err(error))) => ChatInput::Failed(error),
                Ok(None) => bail!("the answer broke off in the middle: ask again"),
                Err(_) => ChatInput::TimedOut { seconds: REQUEST.as_secs() },
            },
        };
        effects.extend(conversation.hear(heard));
    }
}

/// Carries calls out while Ctrl-C is heard.
fn run_asking(context: ToolContext<'_>, calls: &[Call], asking: &Asking) -> Vec<CallOutcome> {
    let cancel = context.cancel.clone();
    let hearing = tokio::spawn(async move {
        stop_signal().await;
        cancel.cancel();
    });
    let results = tokio::task::block_in_place(|| {
        run_calls(context, calls, CALL_LIMIT, &|_, change| asking.ask(change))
    });
    hearing.abort();
    for (call, carried) in calls.iter().zip(&results) {
        tell_call(call, carried);
    }
    results
}

/// Words as they come; calls are told when they are over.
fn tell(chunk: &Value) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    match chunk["type"].as_str() {
        Some("text-delta") => {
            // What comes from files may hold escape sequences; a terminal would obey them.
            let harmful = |c: char| c.is_control() && c != '\t' && c != '\n';
            let words = chunk["delta"].as_str().unwrap_or_default();
            write!(out, "{}", words.replace(harmful, "\u{fffd}"))?;
        }
        Some("text-end") => writeln!(out)?,
        _ => return Ok(()),
    }
    Ok(out.flush()?)
}

/// A line about one call.
fn tell_call(call: &Call, carried: &CallOutcome) {
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
