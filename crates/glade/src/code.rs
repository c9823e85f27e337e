//! `glade code`: a fairy works on the files of a folder, in a terminal.
//!
//! What it says goes to standard output, as it comes; what it does, the changes it wants to make and
//! the question before writing go to standard error.

mod asking;

use std::io::{IsTerminal as _, Write as _};
use std::path::PathBuf;
use std::time::Duration;

use anyhow::bail;
use clap::Args;
use futures_util::StreamExt as _;
use glade_agent::{
    Agent, AgentConfig, CallResult, DialogueTurn, Effect, Event, Failure, Input, Outcome, Piece,
    Say, World,
};
use glade_canvas::{Rect, Scene};
use glade_code::chat::dialogue;
use glade_code::{
    Call, CallOutcome, Cancel, Project, ProjectInfo, Seen, ToolContext, find, prompt, run_calls,
};
use glade_doc::{PageId, RunId};
use glade_server::CodeMind;

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
    let outcome = runtime()?.block_on(talk(&args.what, &project, mind, &asking))?;
    match outcome {
        Outcome::Done => asking.finish(),
        Outcome::Failed(failure) => bail!("{}", failure.message),
        Outcome::Stopped | Outcome::Interrupted => {
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
) -> anyhow::Result<Outcome> {
    let (seen, cancel) = (Seen::new(), Cancel::new());
    let context = ToolContext {
        project,
        seen: &seen,
        cancel: &cancel,
    };
    let stop = stop_signal();
    tokio::pin!(stop);
    let mut agent = Agent::new(AgentConfig {
        fairy_id: "terminal".to_owned(),
        name: String::new(),
        personality: String::new(),
        view: Rect::default(),
    });
    let (scene, page) = (Scene::default(), PageId::from(""));
    let world = World::new(&scene, &page);
    let mut event = begin(what, project);
    let mut results: Vec<CallOutcome> = Vec::new();
    let mut answer = None;
    let mut wait = None;
    loop {
        let mut called = None;
        for effect in agent.step(event, &world) {
            match effect {
                Effect::Say(said) => tell(&said)?,
                Effect::Converse { dialogue, .. } => answer = Some(mind.ask(*dialogue, &results)),
                Effect::RunCalls { step, calls } => called = Some((step, calls)),
                Effect::Wake { after_ms, .. } => wait = Some(Duration::from_millis(after_ms)),
                Effect::EndRun { outcome, .. } => return Ok(outcome),
                _ => {}
            }
        }
        let step = agent.awaited_step().unwrap_or_default();
        event = if let Some((step, calls)) = called {
            results = run_asking(context, &calls, asking);
            let results = results.iter().cloned().map(CallResult::from).collect();
            if cancel.said() {
                Event::Stop
            } else {
                Event::CallsDone { step, results }
            }
        } else if let Some(wait) = wait.take() {
            tokio::select! {
                () = &mut stop => Event::Stop,
                () = tokio::time::sleep(wait) => Event::Woken { step },
            }
        } else if let Some(events) = answer.as_mut() {
            tokio::select! {
                () = &mut stop => Event::Stop,
                event = tokio::time::timeout(REQUEST, events.next()) => match event {
                    Ok(Some(Ok(event))) => event.heard(step),
                    Ok(Some(Err(error))) => error.heard(step),
                    Ok(None) => bail!("the answer broke off in the middle: ask again"),
                    Err(_) => Event::Failed {
                        step,
                        failure: Failure::timeout(REQUEST.as_secs()),
                        retryable: false,
                    },
                },
            }
        } else {
            bail!("the conversation came to a halt");
        };
    }
}

fn begin(what: &str, project: &Project) -> Event {
    let system = prompt::system(project, &ProjectInfo::look(project));
    let asked = DialogueTurn::Person {
        text: what.to_owned(),
        images: Vec::new(),
    };
    Event::Converse {
        run: RunId::from("run"),
        input: Input::message(what),
        dialogue: Box::new(dialogue(system, vec![asked], |_| true)),
        seed: 0,
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
fn tell(said: &Say) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    let Say::Text { piece, .. } = said else {
        return Ok(());
    };
    match piece {
        Piece::Delta(words) => {
            // What comes from files may hold escape sequences; a terminal would obey them.
            let harmful = |c: char| c.is_control() && c != '\t' && c != '\n';
            write!(out, "{}", words.replace(harmful, "\u{fffd}"))?;
        }
        Piece::End | Piece::Sealed(_) => writeln!(out)?,
    }
    Ok(out.flush()?)
}

/// A line about one call.
fn tell_call(call: &Call, carried: &CallOutcome) {
    let about = find(&call.tool)
        .and_then(|tool| tool.file_parameters().first())
        .or(Some(&"query"))
        .and_then(|name| call.input.get(name)?.as_str())
        .unwrap_or_default();
    let took = carried.took.as_millis();
    match &carried.outcome {
        Ok(_) => eprintln!("· {} {about} ({took} ms)", call.tool),
        Err(error) => eprintln!("· {} {about}: {error}", call.tool),
    }
}
