//! Before a file is written: whether it may be, and what it was.
//!
//! Called from the threads that carry tools out, which may wait for a person.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use glade_access::{Capability, Op};
use glade_code::{
    Call, Cancel, ChangeKind, Code, PlannedChange, Project, ProjectPath, ToolError, UnifiedDiff,
    find,
};
use glade_store::{Change, FileWriteRow, Store, WriteState};
use tokio::sync::mpsc::UnboundedSender;

use super::may_use;
use crate::ids;

/// How soon Stop is heard by who waits for a person.
const LISTEN: Duration = Duration::from_millis(20);

fn cancelled() -> ToolError {
    ToolError::new(Code::Cancelled, "The call was cancelled.")
}

/// A question for the person.
#[derive(Debug)]
pub struct Asked {
    pub approval: String,
    pub call: String,
    pub path: String,
    pub diff: UnifiedDiff,
}

/// A question that nobody has answered yet.
#[derive(Debug)]
pub struct Waiting {
    pub kind: ChangeKind,
    /// The file by the name that was given, and by its real one.
    pub paths: Vec<String>,
    answer: SyncSender<Answer>,
}

/// What a person says to a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    Yes,
    /// No, and why, if they say so.
    No(Option<String>),
}

impl Waiting {
    /// Whether anybody was waiting for it still.
    pub fn answer(&self, answer: Answer) -> bool {
        self.answer.try_send(answer).is_ok()
    }
}

/// The questions of one run.
#[derive(Debug, Default)]
pub struct Questions(Mutex<HashMap<String, Waiting>>);

impl Questions {
    fn lock(&self) -> MutexGuard<'_, HashMap<String, Waiting>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn ask(&self, approval: &str, kind: ChangeKind, names: &[ProjectPath]) -> Receiver<Answer> {
        let (told, answer) = sync_channel(1);
        let waiting = Waiting {
            kind,
            paths: names.iter().map(|name| name.as_str().to_owned()).collect(),
            answer: told,
        };
        self.lock().insert(approval.to_owned(), waiting);
        answer
    }

    /// Whoever has it is the only one to answer it.
    pub fn take(&self, approval: &str) -> Option<Waiting> {
        self.lock().remove(approval)
    }

    /// It was not answered after all.
    pub fn put_back(&self, approval: &str, waiting: Waiting) {
        self.lock().insert(approval.to_owned(), waiting);
    }
}

/// Whether a run may do such a change there unasked.
type Allowed = Box<dyn Fn(ChangeKind, &ProjectPath) -> bool + Send + Sync>;

/// Stands before every write of a run.
pub struct Door {
    pub run: String,
    pub store: Store,
    pub asker: Capability,
    pub cancel: Cancel,
    pub questions: Arc<Questions>,
    pub tell: UnboundedSender<Asked>,
    pub allowed: Allowed,
    /// The writes that were kept, by call: one that then failed is taken out again.
    kept: Mutex<StoredWrites>,
    /// What the run named, and was told of.
    reached: Mutex<BTreeSet<String>>,
}

#[derive(Default)]
struct StoredWrites {
    next: BTreeMap<ProjectPath, i64>,
    by_call: HashMap<String, Vec<(ProjectPath, i64)>>,
}

impl Door {
    pub fn new(
        run: &str,
        store: Store,
        asker: Capability,
        cancel: Cancel,
        questions: Arc<Questions>,
        tell: UnboundedSender<Asked>,
        allowed: Allowed,
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
            reached: Mutex::default(),
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
        let tool = find(&call.tool);
        if tool.is_some_and(|tool| !may_use(&self.asker, tool)) {
            return Err(refused("use this tool"));
        }
        if tool.is_some_and(|tool| tool.asks_first()) && !self.asker.allows_project(Op::Edit) {
            return Err(refused("change files of the project"));
        }
        let files = tool.map_or_else(Vec::new, |tool| tool.files(project, &call.input));
        let reached = if files.is_empty() {
            // What searches, searches everywhere.
            self.asker.reaches_all_paths()
        } else {
            let names = names_of(project, &files)?;
            let mut names = names.iter();
            names.all(|name| self.asker.allows_path(name.as_str()))
        };
        if reached {
            Ok(())
        } else {
            Err(refused("reach this part of the project"))
        }
    }

    /// Returns once the change may be made and its bytes are safe.
    pub fn keep(
        &self,
        project: &Project,
        call: &Call,
        change: &PlannedChange,
    ) -> Result<(), ToolError> {
        let names = names_of(project, change.paths())?;
        if !self.allows(change, &names) {
            self.ask(call, change, &names)?;
        }
        let mut rows = Vec::new();
        for write in change.writes() {
            let mut kept = self.kept();
            let next = kept.next.entry(write.path.clone()).or_default();
            let index = *next;
            *next += 1;
            let of_call = kept.by_call.entry(call.id.clone()).or_default();
            of_call.push((write.path.clone(), index));
            rows.push(Change::PutFileWrite(FileWriteRow {
                run: self.run.clone(),
                path: write.path.as_str().to_owned(),
                index,
                before: write.before.map(<[u8]>::to_vec),
                after: write.after.map(<[u8]>::to_vec),
                state: WriteState::Pending,
            }));
        }
        self.store.write_blocking(rows).map_err(|error| {
            tracing::error!(%error, "what a file was could not be kept");
            ToolError::new(
                Code::Io,
                "The server could not keep what the file was, so it was not changed.",
            )
        })
    }

    fn allows(&self, change: &PlannedChange, names: &[ProjectPath]) -> bool {
        let kind = change.kind();
        names.iter().all(|name| (self.allowed)(kind, name))
    }

    fn ask(
        &self,
        call: &Call,
        change: &PlannedChange,
        names: &[ProjectPath],
    ) -> Result<(), ToolError> {
        let approval = ids::approval();
        let answer = self.questions.ask(&approval, change.kind(), names);
        let asked = Asked {
            approval: approval.clone(),
            call: call.id.clone(),
            path: change.path.as_str().to_owned(),
            diff: change.diff(),
        };
        let told = self.tell.send(asked).map_err(|_| cancelled());
        let answered = told.and_then(|()| self.wait(&answer, change, names));
        // It may have come to an end without an answer.
        drop(self.questions.take(&approval));
        answered
    }

    fn wait(
        &self,
        answer: &Receiver<Answer>,
        change: &PlannedChange,
        names: &[ProjectPath],
    ) -> Result<(), ToolError> {
        loop {
            match answer.recv_timeout(LISTEN) {
                Ok(Answer::Yes) => return Ok(()),
                Ok(Answer::No(why)) => return Err(ToolError::refused_by_person(why.as_deref())),
                Err(RecvTimeoutError::Timeout) if !self.cancel.said() => {}
                Err(_) => return Err(cancelled()),
            }
            // Allowed for good by the answer to another question.
            if self.allows(change, names) {
                return Ok(());
            }
        }
    }

    /// Notes what a call reached.
    pub fn note(&self, files: Vec<String>) {
        self.reached().extend(files);
    }

    pub fn reached(&self) -> MutexGuard<'_, BTreeSet<String>> {
        self.reached.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The writes of a call that failed after they were kept: they never happened.
    pub fn forget(&self, call: &str) -> Vec<(ProjectPath, i64)> {
        self.kept().by_call.remove(call).unwrap_or_default()
    }

    fn kept(&self) -> MutexGuard<'_, StoredWrites> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Files by their own names and by what they lead to: a link is as good as that, and no better.
fn names_of<'a>(
    project: &Project,
    files: impl IntoIterator<Item = &'a ProjectPath>,
) -> Result<Vec<ProjectPath>, ToolError> {
    let mut names = Vec::new();
    for file in files {
        names.push(project.real(file)?);
        names.push(file.clone());
    }
    Ok(names)
}
