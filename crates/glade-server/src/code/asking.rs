//! Before a file is written: whether it may be, and what it was.
//!
//! Called from the threads that carry tools out, which may wait for a person.

use std::collections::{BTreeMap, HashMap};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use glade_access::Capability;
use glade_code::{
    Call, Cancel, Change, Code, Project, ProjectPath, Reach, ToolError, UnifiedDiff, find, unified,
};
use glade_store::{Change as StoreChange, FileWriteRow, Store};
use serde::Deserialize;
use tokio::sync::mpsc::UnboundedSender;
use utoipa::ToSchema;

use crate::ids;

/// How soon Stop is heard by who waits for a person.
const LISTEN: Duration = Duration::from_millis(20);

/// A person's answer.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Decision {
    #[serde(rename = "approvalId")]
    pub approval: String,
    pub allow: bool,
    /// How far a yes reaches: `{"scope": "once" | "run" | "chat"}` or `{"scope": "paths", "paths": […]}`.
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    pub reach: Option<Reach>,
}

/// A question for the person.
#[derive(Debug)]
pub struct Asked {
    pub approval: String,
    pub call: String,
    pub path: String,
    pub diff: UnifiedDiff,
}

/// The questions that wait for an answer.
#[derive(Debug, Default)]
pub struct Questions(Mutex<HashMap<String, SyncSender<bool>>>);

impl Questions {
    fn lock(&self) -> MutexGuard<'_, HashMap<String, SyncSender<bool>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn ask(&self, approval: &str) -> Receiver<bool> {
        let (yes_or_no, answer) = sync_channel(1);
        self.lock().insert(approval.to_owned(), yes_or_no);
        answer
    }

    /// Whether anybody was waiting for it.
    pub fn answer(&self, approval: &str, allow: bool) -> bool {
        let waiting = self.lock().remove(approval);
        waiting.is_some_and(|waiting| waiting.try_send(allow).is_ok())
    }
}

/// Stands before every write of a run.
pub struct Door {
    pub run: String,
    pub store: Store,
    pub asker: Capability,
    pub cancel: Cancel,
    pub questions: Arc<Questions>,
    pub tell: UnboundedSender<Asked>,
    /// Whether the run may write there unasked.
    pub allowed: Box<dyn Fn(&ProjectPath) -> bool + Send + Sync>,
    /// The writes that were kept, by call: one that then failed is taken out again.
    kept: Mutex<Kept>,
}

#[derive(Default)]
struct Kept {
    next: BTreeMap<ProjectPath, i64>,
    by_call: HashMap<String, (ProjectPath, i64)>,
}

impl Door {
    pub fn new(
        run: &str,
        store: Store,
        asker: Capability,
        cancel: Cancel,
        questions: Arc<Questions>,
        tell: UnboundedSender<Asked>,
        allowed: Box<dyn Fn(&ProjectPath) -> bool + Send + Sync>,
    ) -> Self {
        Self {
            run: run.to_owned(),
            store,
            asker,
            cancel,
            questions,
            tell,
            allowed,
            kept: Mutex::default(),
        }
    }

    /// What the asker's token allows, before a tool even looks.
    pub fn permits(&self, project: &Project, call: &Call) -> Result<(), ToolError> {
        let refused = |what: &str| {
            ToolError::new(
                Code::NotAllowed,
                format!("The person who asked may not {what}."),
            )
        };
        if !self.asker.allows_tool(&call.tool) {
            return Err(refused("use this tool"));
        }
        let file = find(&call.tool).and_then(|tool| tool.file(project, &call.input));
        let reached = match &file {
            Some(file) => self.asker.allows_path(file.as_str()),
            // What searches, searches everywhere.
            None => self.asker.reaches_all_paths(),
        };
        if reached {
            Ok(())
        } else {
            Err(refused("reach this part of the project"))
        }
    }

    /// Returns once the change may be made and its bytes are safe.
    pub fn keep(&self, call: &Call, change: &Change) -> Result<(), ToolError> {
        if !(self.allowed)(&change.path) {
            self.ask(call, change)?;
        }
        let index = {
            let mut kept = self.kept();
            let next = kept.next.entry(change.path.clone()).or_default();
            *next += 1;
            let index = *next - 1;
            kept.by_call
                .insert(call.id.clone(), (change.path.clone(), index));
            index
        };
        let row = FileWriteRow {
            run: self.run.clone(),
            path: change.path.as_str().to_owned(),
            index,
            before: change.before.clone(),
            after: change.after.clone(),
            pending: true,
        };
        self.store
            .write_blocking(vec![StoreChange::PutFileWrite(row)])
            .map_err(|error| {
                tracing::error!(%error, "what a file was could not be kept");
                ToolError::new(
                    Code::Io,
                    "The server could not keep what the file was, so it was not changed.",
                )
            })
    }

    fn ask(&self, call: &Call, change: &Change) -> Result<(), ToolError> {
        let approval = ids::approval();
        let answer = self.questions.ask(&approval);
        let asked = Asked {
            approval,
            call: call.id.clone(),
            path: change.path.as_str().to_owned(),
            diff: unified(
                &change.path,
                change.before.as_deref(),
                change.after.as_deref(),
            ),
        };
        let cancelled = || ToolError::new(Code::Cancelled, "The call was cancelled.");
        self.tell.send(asked).map_err(|_| cancelled())?;
        loop {
            match answer.recv_timeout(LISTEN) {
                Ok(true) => return Ok(()),
                Ok(false) => {
                    return Err(ToolError::new(
                        Code::NotAllowed,
                        "The person did not allow the change. Do not try another way: ask what they want instead.",
                    ));
                }
                Err(RecvTimeoutError::Timeout) if !self.cancel.said() => {}
                Err(_) => return Err(cancelled()),
            }
            // Allowed for good by the answer to another question.
            if (self.allowed)(&change.path) {
                return Ok(());
            }
        }
    }

    /// The write of a call that failed after it was kept: it never happened.
    pub fn forget(&self, call: &str) -> Option<(ProjectPath, i64)> {
        self.kept().by_call.remove(call)
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
