//! Carrying out the calls of one answer.
//!
//! Calls about different files run at the same time; calls about one file keep their order. Every
//! call gets a result and its duration, also one whose tool panicked.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use glade_agent::{CallError, CallResult, ToolCall};
use serde_json::Value;

use crate::change::PlannedChange;
use crate::error::{Code, ToolError};
use crate::path::ProjectPath;
use crate::results;
use crate::tool::{self, ToolContext};

/// How many calls run at once.
const AT_ONCE: usize = 4;
/// What the calls of one answer may find in all, in bytes; the last of them may go over it.
const MOST_FOUND: usize = 512 * 1024;

/// A call as a model made it.
pub type Call = ToolCall;

/// What became of a call.
#[derive(Debug, Clone, PartialEq)]
pub struct CallOutcome {
    pub id: String,
    pub tool: String,
    pub outcome: Result<Value, ToolError>,
    pub took: Duration,
}

impl From<CallOutcome> for CallResult {
    fn from(carried: CallOutcome) -> Self {
        let told = carried.outcome.as_ref().ok();
        Self {
            told: told.map(|found| results::print(&carried.tool, found)),
            id: carried.id,
            found: carried.outcome.map_err(|error| CallError {
                code: error.code.to_string(),
                words: error.words,
            }),
            took_ms: u64::try_from(carried.took.as_millis()).unwrap_or(u64::MAX),
        }
    }
}

/// Carries calls out, each within `limit`; the results are in the order of the calls. `keep` is given
/// every change before it is made and must have it durably when it returns.
pub fn run_calls(
    context: ToolContext<'_>,
    calls: &[Call],
    limit: Duration,
    keep: &(dyn Fn(&Call, &PlannedChange) -> Result<(), ToolError> + Sync),
) -> Vec<CallOutcome> {
    let queues = Mutex::new(queues(context, calls).into_iter());
    let results = Mutex::new(vec![None; calls.len()]);
    let found = AtomicUsize::new(0);
    let work = || {
        loop {
            let next = queues.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some(queue) = next else { break };
            for index in queue {
                let carried = if found.load(Ordering::Relaxed) > MOST_FOUND {
                    found_enough(&calls[index])
                } else {
                    run_call(context, &calls[index], limit, keep)
                };
                let bytes = carried.outcome.as_ref().map_or(0, bytes_of);
                found.fetch_add(bytes, Ordering::Relaxed);
                results.lock().unwrap_or_else(PoisonError::into_inner)[index] = Some(carried);
            }
        }
    };
    thread::scope(|scope| {
        for _ in 1..AT_ONCE.min(calls.len()) {
            scope.spawn(work);
        }
        work();
    });
    context.seen.end_answer();
    let results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.into_iter().flatten().collect()
}

/// What is told of a call for which there is no room in this round.
fn found_enough(call: &Call) -> CallOutcome {
    let why = format!(
        "The calls before this one found more than {} KB, so it was not carried out. Look for less at once.",
        MOST_FOUND / 1024
    );
    CallOutcome {
        id: call.id.clone(),
        tool: call.tool.clone(),
        outcome: Err(ToolError::new(Code::TooMuch, why)),
        took: Duration::ZERO,
    }
}

/// The bytes of all texts in a value.
fn bytes_of(value: &Value) -> usize {
    match value {
        Value::String(text) => text.len(),
        Value::Array(items) => items.iter().map(bytes_of).sum(),
        Value::Object(fields) => fields.values().map(bytes_of).sum(),
        Value::Null | Value::Bool(_) | Value::Number(_) => 0,
    }
}

/// Indices of calls; those about one file are in one queue, in their order.
fn queues(context: ToolContext<'_>, calls: &[Call]) -> Vec<Vec<usize>> {
    let mut queues: Vec<(BTreeSet<ProjectPath>, Vec<usize>)> = Vec::new();
    for (index, call) in calls.iter().enumerate() {
        let tool = tool::find(&call.tool);
        let files = tool.map_or_else(Vec::new, |it| it.files(context.project, &call.input));
        let mut joined: (BTreeSet<ProjectPath>, Vec<usize>) =
            (files.into_iter().collect(), vec![index]);
        // A move is about two files: what was apart before it is one queue with it.
        let (shared, apart) = queues
            .into_iter()
            .partition(|(about, _)| !about.is_disjoint(&joined.0));
        queues = apart;
        let shared: Vec<(BTreeSet<ProjectPath>, Vec<usize>)> = shared;
        for (about, indices) in shared {
            joined.0.extend(about);
            joined.1.extend(indices);
        }
        joined.1.sort_unstable();
        queues.push(joined);
    }
    // The order in which they begin is that of the calls.
    queues.sort_by_key(|(_, indices)| indices.first().copied());
    queues.into_iter().map(|(_, indices)| indices).collect()
}

fn run_call(
    context: ToolContext<'_>,
    call: &Call,
    limit: Duration,
    keep: &(dyn Fn(&Call, &PlannedChange) -> Result<(), ToolError> + Sync),
) -> CallOutcome {
    let began = Instant::now();
    let cancel = context.cancel.within(limit);
    let context = ToolContext {
        cancel: &cancel,
        ..context
    };
    // What a tool shares with others (the project, what was seen) is whole after a panic.
    let outcome =
        catch_unwind(AssertUnwindSafe(|| run(context, call, keep))).unwrap_or_else(|_| {
            Err(ToolError::new(
                Code::Internal,
                format!(
                    "{} failed inside. Nothing was changed; try another way.",
                    call.tool
                ),
            ))
        });
    CallOutcome {
        id: call.id.clone(),
        tool: call.tool.clone(),
        outcome,
        took: began.elapsed(),
    }
}

fn run(
    context: ToolContext<'_>,
    call: &Call,
    keep: &(dyn Fn(&Call, &PlannedChange) -> Result<(), ToolError> + Sync),
) -> Result<Value, ToolError> {
    context.cancel.check()?;
    let tool = tool::find(&call.tool).ok_or_else(|| {
        let names: Vec<&str> = tool::TOOLS.iter().map(|tool| tool.name()).collect();
        ToolError::new(
            Code::UnknownTool,
            format!(
                "There is no tool {:?}. There are: {}.",
                call.tool,
                names.join(", ")
            ),
        )
    })?;
    let planned = tool.plan(context, &call.input)?;
    if let Some(change) = &planned.change {
        context.cancel.check()?;
        for path in change.paths() {
            context.project.check_no_rules(path)?;
        }
        // A person may take their time to say yes: that is not the call's.
        keep(call, change)?;
        // The last moment at which Stop still means that nothing happens.
        if context.cancel.said() {
            return Err(ToolError::new(Code::Cancelled, "The call was cancelled."));
        }
        context.project.apply(change)?;
        context.seen.note_change(change);
    }
    Ok(planned.output)
}
