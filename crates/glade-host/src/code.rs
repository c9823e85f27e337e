//! The code project: conversations about the files of a folder.
//!
//! A chat is asked, a run begins: [`run`] drives the pure conversation of `glade-code` with a model,
//! the tools and a person who may have to say yes ([`asking`]). Every write is in the store, bytes
//! before and after, before the file changes; so [`settle`] can take a run out of files as they are
//! now, after a restart too.
//!
//! Who may do what here is a right of its own ([`Capability::allows_project`]), and who is limited to
//! paths learns only of what lies within them ([`reached`]).

mod approving;
mod asking;
mod begin;
mod fairy;
mod mind;
mod reached;
mod record;
mod recovery;
mod run;
mod settle;
mod title;

pub use approving::{Decision, TakenBack};
pub use mind::{Mind, MindError};
pub use recovery::recover;
pub use settle::{FileChange, FilesPart, Settled, Stayed};

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use glade_access::Capability;
use glade_code::{Grants, OpenError, Project, ProjectPath, Seen, Tool, chat};
use glade_store::{Change, CodeChatRow, MessageRow, RunStatus, Store, StoreError, Unreadable};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;

use crate::clock::now_ms;
use crate::fairies::RunStream;
use crate::ids;
use crate::models::Models;
use crate::stored::{self, BEFORE, Cell};
use crate::workspace::Workspace;
use reached::Extent;
use run::Running;

#[derive(Debug, thiserror::Error)]
pub enum CodeError {
    #[error("there is no chat {0}: it may have been deleted")]
    NoChat(String),
    #[error("this chat is still at work: stop it first")]
    Busy,
    #[error("{0}")]
    Wrong(String),
    #[error("{0}")]
    Forbidden(String),
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A chat, as people see it.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Chat {
    pub id: String,
    /// Empty until the first message has given it one.
    pub title: String,
    pub created_at: i64,
    pub changed_at: i64,
    /// The run under way.
    #[schema(required)]
    pub running: Option<String>,
    /// What went wrong last; gone with the next message.
    #[schema(value_type = Option<glade_agent::Failure>, required)]
    pub error: Option<Value>,
    /// The fairy that answers, if somebody chose one.
    #[schema(required)]
    pub fairy: Option<String>,
    /// What may be written without asking: `{kind, scope, paths?, run, within?}`.
    #[schema(value_type = Vec<glade_code::Grant>)]
    pub allowed: Grants,
}

/// What is stored of a chat besides its title.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Settings {
    allowed: Grants,
    extent: Extent,
    /// Digests of what it has read, by path.
    seen: Vec<(ProjectPath, String)>,
    error: Option<Value>,
    /// The fairy that somebody chose to answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    fairy: Option<String>,
}

impl Settings {
    fn of(row: &CodeChatRow) -> Result<Self, Unreadable> {
        let cell = Cell {
            table: "code_chat",
            key: &row.id,
            column: "settings_json",
        };
        let (format, mut body) = cell.body(&row.settings_json)?;
        if format != BEFORE {
            return cell.exact(&row.settings_json);
        }
        // As it was kept before there were kinds of changes, it allows nothing.
        if body.get("allowed").is_some_and(Value::is_object) {
            body["allowed"] = json!([]);
        }
        cell.value(body)
    }
}

/// Whether a chat can be read.
pub fn check(row: &CodeChatRow) -> Result<(), Unreadable> {
    Settings::of(row).map(drop)
}

struct ChatState {
    title: String,
    created_ms: i64,
    changed_ms: i64,
    allowed: Grants,
    extent: Extent,
    seen: Arc<Seen>,
    error: Option<Value>,
    fairy: Option<String>,
    running: Option<Running>,
}

pub struct CodeHost {
    project: Arc<Project>,
    store: Store,
    workspace: Arc<Workspace>,
    models: Arc<Models>,
    sketch_pace: f64,
    chats: Mutex<BTreeMap<String, ChatState>>,
    /// Held by whoever settles a run, from reading its files to writing them.
    settling: tokio::sync::Mutex<()>,
}

/// What becomes of runs that were kept already when a chat is taken back to before them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OfKept {
    Stay,
    UndoneToo,
}

/// What a host needs.
pub struct Deps {
    /// The server's own folder, which may lie in the project and is no part of it.
    pub data: PathBuf,
    pub store: Store,
    pub workspace: Arc<Workspace>,
    pub models: Arc<Models>,
    pub sketch_pace: f64,
}

#[derive(Debug, thiserror::Error)]
pub enum StartError {
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// What a person asks.
pub struct Question {
    pub message: Value,
    /// The message that this one replaces, with everything after it.
    pub instead_of: Option<String>,
    pub model: Option<String>,
    pub asker: Capability,
}

impl CodeHost {
    pub fn open(folder: &Path, deps: Deps) -> Result<Arc<Self>, StartError> {
        let project = Project::open(folder)?.without(&deps.data);
        let mut chats = BTreeMap::new();
        for row in deps.store.code_chats()?.rows {
            // One that cannot be read is set aside, and named by the workspace.
            if let Ok(settings) = Settings::of(&row) {
                chats.insert(row.id.clone(), ChatState::of(row, settings));
            }
        }
        Ok(Arc::new(Self {
            project: Arc::new(project),
            store: deps.store,
            workspace: deps.workspace,
            models: deps.models,
            sketch_pace: deps.sketch_pace,
            chats: Mutex::new(chats),
            settling: tokio::sync::Mutex::default(),
        }))
    }

    pub fn project(&self) -> &Arc<Project> {
        &self.project
    }

    fn chats(&self) -> MutexGuard<'_, BTreeMap<String, ChatState>> {
        self.chats.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// All chats, the newest change first.
    pub fn list(&self) -> Vec<Chat> {
        let chats = self.chats();
        let mut list: Vec<Chat> = chats.iter().map(|(id, ctx)| ctx.shown(id)).collect();
        list.sort_by_key(|chat| (-chat.changed_at, chat.id.clone()));
        list
    }

    pub fn chat(&self, id: &str) -> Result<Chat, CodeError> {
        let chats = self.chats();
        let ctx = chats
            .get(id)
            .ok_or_else(|| CodeError::NoChat(id.to_owned()))?;
        Ok(ctx.shown(id))
    }

    pub async fn create(&self, title: Option<String>, by: &Capability) -> Result<Chat, CodeError> {
        let now = now_ms();
        let settings = Settings {
            extent: Extent::made_by(by),
            ..Settings::default()
        };
        let row = CodeChatRow {
            id: ids::chat(),
            title: title.unwrap_or_default(),
            settings_json: stored::written(&settings),
            created_ms: now,
            changed_ms: now,
        };
        self.store
            .write(vec![Change::PutCodeChat(row.clone())])
            .await?;
        let id = row.id.clone();
        self.chats()
            .insert(id.clone(), ChatState::of(row, settings));
        self.chat(&id)
    }

    pub async fn rename(&self, id: &str, title: &str) -> Result<Chat, CodeError> {
        self.change(id, |ctx| title.clone_into(&mut ctx.title))
            .await?;
        self.chat(id)
    }

    /// Forgets a chat whose runs are settled: those of one that is gone, nobody would find to undo.
    pub async fn delete(&self, id: &str) -> Result<(), CodeError> {
        let chat = self.chat(id)?;
        if chat.running.is_some() {
            return Err(CodeError::Busy);
        }
        if self.has_unsettled_changes(id)? {
            let why = "this chat has changes to files that wait: keep or undo them first";
            return Err(CodeError::Wrong(why.to_owned()));
        }
        let id = id.to_owned();
        self.store
            .write(vec![Change::DeleteCodeChat { id: id.clone() }])
            .await?;
        self.chats().remove(&id);
        Ok(())
    }

    /// As [`Self::messages`], off the async threads: a long chat takes a while to read.
    pub async fn read_messages(self: &Arc<Self>, id: &str) -> Result<Vec<Value>, CodeError> {
        let (host, id) = (Arc::clone(self), id.to_owned());
        let read = tokio::task::spawn_blocking(move || host.messages(&id)).await;
        read.map_err(|error| CodeError::Wrong(error.to_string()))?
    }

    /// What was said; the run under way only up to its last whole step.
    pub fn messages(&self, id: &str) -> Result<Vec<Value>, CodeError> {
        self.chat(id)?;
        let rows = self.store.messages(id)?;
        let body = |row: &MessageRow| {
            let read = Unreadable::json("message", &row.id, "body_json", &row.body_json);
            read.map(chat::with_names_of_today)
        };
        let messages: Result<_, Unreadable> = rows.iter().map(body).collect();
        Ok(messages.map_err(StoreError::from)?)
    }

    /// The stream of the run under way.
    pub fn stream(&self, id: &str) -> Result<Option<Arc<RunStream>>, CodeError> {
        let chats = self.chats();
        let ctx = chats
            .get(id)
            .ok_or_else(|| CodeError::NoChat(id.to_owned()))?;
        Ok(ctx
            .running
            .as_ref()
            .map(|running| Arc::clone(&running.stream)))
    }

    /// Stops the run under way; answers when nothing changes any more.
    pub async fn abort(&self, id: &str) -> Result<(), CodeError> {
        let ended = {
            let chats = self.chats();
            let ctx = chats
                .get(id)
                .ok_or_else(|| CodeError::NoChat(id.to_owned()))?;
            ctx.running.as_ref().map(Running::stop)
        };
        if let Some(mut ended) = ended {
            // An error means that the run is gone already.
            let _gone = ended.wait_for(|ended| *ended).await;
        }
        Ok(())
    }

    /// Takes the chat back to before a message of a person: the message and all after it go, and what
    /// their runs did to files is undone, the newest first; what was kept only if that is wished too.
    /// Without a message: the latest.
    pub async fn undo_to(
        &self,
        id: &str,
        message: Option<&str>,
        of_kept: OfKept,
        by: &str,
    ) -> Result<Settled, CodeError> {
        if self.chat(id)?.running.is_some() {
            return Err(CodeError::Busy);
        }
        let messages = self.messages(id)?;
        let is_it =
            |one: &Value| one["role"] == "user" && message.is_none_or(|wanted| one["id"] == wanted);
        let Some(from) = messages.iter().rposition(is_it) else {
            return Err(CodeError::Wrong(
                "There is no such message in this chat.".to_owned(),
            ));
        };
        let mut settled = Settled::default();
        let runs = messages[from..].iter().rev().filter_map(run_of);
        for run in runs {
            let known = self.workspace.find_run(&run)?;
            let kept = known
                .as_ref()
                .is_some_and(|run| run.status == RunStatus::Kept);
            if kept && of_kept == OfKept::UndoneToo {
                self.release(&run).await?;
            }
            let waits = known.is_some_and(|run| !run.settled);
            if waits || (kept && of_kept == OfKept::UndoneToo) {
                settled.add(self.undo(&run, &FilesPart::default(), by).await?);
            }
        }
        self.forget(id, &messages[from..]).await?;
        Ok(settled)
    }

    /// Takes messages out of a chat. What was allowed in answer to their runs ends with them.
    async fn forget(&self, chat: &str, messages: &[Value]) -> Result<(), CodeError> {
        let runs: BTreeSet<String> = messages.iter().filter_map(run_of).collect();
        let row = self.with_ctx(chat, |ctx| {
            ctx.allowed.end(&runs);
            ctx.row(chat)
        })?;
        let ids = messages.iter().filter_map(|it| it["id"].as_str());
        let gone = Change::DeleteMessages {
            chat: chat.to_owned(),
            ids: ids.map(str::to_owned).collect(),
        };
        let changes = vec![gone, Change::PutCodeChat(row)];
        Ok(self.store.write(changes).await?)
    }

    fn with_ctx<T>(
        &self,
        id: &str,
        work: impl FnOnce(&mut ChatState) -> T,
    ) -> Result<T, CodeError> {
        let mut chats = self.chats();
        let ctx = chats.get_mut(id);
        ctx.map(work)
            .ok_or_else(|| CodeError::NoChat(id.to_owned()))
    }

    async fn change(&self, id: &str, change: impl FnOnce(&mut ChatState)) -> Result<(), CodeError> {
        self.with_ctx(id, |ctx| {
            change(ctx);
            ctx.changed_ms = now_ms();
        })?;
        self.keep_settings(id).await
    }

    async fn keep_settings(&self, id: &str) -> Result<(), CodeError> {
        let row = self.chats().get(id).map(|ctx| ctx.row(id));
        if let Some(row) = row {
            self.store.write(vec![Change::PutCodeChat(row)]).await?;
        }
        Ok(())
    }
}

/// Whether a token allows a tool, by its name or by one that it had when the token was made.
fn may_use(asker: &Capability, tool: &dyn Tool) -> bool {
    let facts = tool.action().facts();
    let formerly = facts.formerly.iter().any(|name| asker.allows_tool(name));
    asker.allows_tool(facts.name) || formerly
}

/// The run that a message set off, or came of.
fn run_of(message: &Value) -> Option<String> {
    message["metadata"]["run"].as_str().map(str::to_owned)
}

impl ChatState {
    fn of(row: CodeChatRow, settings: Settings) -> Self {
        Self {
            title: row.title,
            created_ms: row.created_ms,
            changed_ms: row.changed_ms,
            allowed: settings.allowed,
            extent: settings.extent,
            seen: Arc::new(Seen::restore(settings.seen)),
            error: settings.error,
            fairy: settings.fairy,
            running: None,
        }
    }

    fn row(&self, id: &str) -> CodeChatRow {
        self.row_allowing(id, &self.allowed)
    }

    fn row_allowing(&self, id: &str, allowed: &Grants) -> CodeChatRow {
        let settings = Settings {
            allowed: allowed.lasting(),
            extent: self.extent.clone(),
            seen: self.seen.rows(),
            error: self.error.clone(),
            fairy: self.fairy.clone(),
        };
        CodeChatRow {
            id: id.to_owned(),
            title: self.title.clone(),
            settings_json: stored::written(&settings),
            created_ms: self.created_ms,
            changed_ms: self.changed_ms,
        }
    }

    fn shown(&self, id: &str) -> Chat {
        Chat {
            id: id.to_owned(),
            title: self.title.clone(),
            created_at: self.created_ms,
            changed_at: self.changed_ms,
            running: self.running.as_ref().map(|running| running.run.clone()),
            error: self.error.clone(),
            fairy: self.fairy.clone(),
            allowed: self.allowed.lasting(),
        }
    }
}
