//! A question becomes a run.

use std::sync::Arc;

use glade_access::{Capability, Op};
use glade_code::Cancel;
use glade_code::chat::Message;
use glade_store::{Change, MessageRow, RunOwner, RunTarget};
use serde_json::{Value, json};
use tokio::sync::mpsc::unbounded_channel;
use tokio::sync::watch;

use super::asking::{Asked, Door, Questions};
use super::fairy::{core_of, held};
use super::mind::Mind;
use super::reached::is_words;
use super::run::{Drive, Running};
use super::{CodeError, CodeHost, Question};
use crate::clock::now_ms;
use crate::fairies::{RunStream, text_of};
use crate::ids;
use crate::run_log::RunLog;
use crate::workspace::Run;

/// Whoever may change files may take back what anybody said; others their own words, while nobody else
/// has said anything since.
fn may_replace(who: &Capability, messages: &[Value]) -> Result<(), CodeError> {
    let mut asked = messages.iter().filter(|message| message["role"] == "user");
    let own = |message: &Value| message["metadata"]["asker"]["subject"] == who.subject;
    if who.allows_project(Op::Edit) || asked.all(own) {
        return Ok(());
    }
    Err(CodeError::Forbidden(
        "Others have said something here since, which this would take back: say it as a new message."
            .to_owned(),
    ))
}

impl CodeHost {
    /// Takes a question and sets a run off. New words change the course of a run under way: that one
    /// ends first.
    pub async fn ask(
        self: &Arc<Self>,
        chat: &str,
        question: Question,
    ) -> Result<Arc<RunStream>, CodeError> {
        self.abort(chat).await?;
        let now = now_ms();
        let before = self.read_messages(chat).await?;
        let mut message = question.message;
        let known = |id: &Value| before.iter().position(|one| one["id"] == *id);
        let id = message["id"].as_str().map(str::to_owned);
        // An id that another chat may have is not taken from a client.
        let replaced = question
            .instead_of
            .map(Value::from)
            .as_ref()
            .or(Some(&message["id"]).filter(|id| id.is_string()))
            .and_then(known);
        let id = id
            .filter(|_| replaced.is_some())
            .unwrap_or_else(ids::message);
        if let Some(at) = replaced {
            may_replace(&question.asker, &before[at..])?;
        }
        message["id"] = json!(id);
        if !message["metadata"].is_object() {
            message["metadata"] = json!({});
        }
        message["metadata"]["createdAt"] = json!(now);
        message["metadata"]["asker"] = json!(self.workspace.asker(&question.asker));
        let text = text_of(&message);

        let name = question.model.clone().unwrap_or_default();
        let Some(mind) = Mind::of(&self.models, &name, &text, self.sketch_pace) else {
            return Err(CodeError::Wrong(format!(
                "There is no model {name:?} here: choose another, or give its provider a key in the settings."
            )));
        };
        let fairy = self.fairy_of(chat, &question.asker);
        let asker = held(&question.asker, fairy.as_ref())?;
        let owner = RunOwner::Fairy(chat.to_owned());
        let run = Run::begin(owner, RunTarget::Files, text.clone());
        // What is taken back with this message is what was allowed in its run.
        message["metadata"]["run"] = json!(run.id);
        let (cancel, questions) = (Cancel::new(), Arc::new(Questions::default()));
        let (stop, stopped) = watch::channel(false);
        let (over, ended) = watch::channel(false);
        let stream = RunStream::new(Some(question.asker.clone()));
        {
            let mut chats = self.chats();
            let ctx = chats
                .get_mut(chat)
                .ok_or_else(|| CodeError::NoChat(chat.to_owned()))?;
            if ctx.running.is_some() {
                return Err(CodeError::Busy);
            }
            ctx.error = None;
            ctx.changed_ms = now;
            ctx.extent.fold(|run| self.workspace.run(run).is_none());
            ctx.extent.begin(&run.id, &asker);
            ctx.running = Some(Running {
                run: run.id.clone(),
                stream: Arc::clone(&stream),
                questions: Arc::clone(&questions),
                cancel: cancel.clone(),
                stop,
                ended,
            });
        }
        let written = self.take_in(chat, &message, &before, replaced, &run).await;
        if let Err(error) = written {
            self.clear_running(chat);
            return Err(error);
        }

        let (tell, asked) = unbounded_channel();
        let door = self.door(chat, &run.id, asker, &cancel, questions, tell);
        let metadata = json!({
            "run": run.id,
            "createdAt": now_ms(),
            "model": mind.name(),
            // By its id: not everybody who reads the chat may know of the fairy.
            "fairy": fairy.as_ref().map(|fairy| &fairy.id),
        });
        let drive = Drive {
            host: Arc::clone(self),
            chat: chat.to_owned(),
            log: RunLog::new(run),
            agent: core_of(chat, fairy.as_ref()),
            message: Message::new(&ids::message(), metadata),
            mind,
            stream: Arc::clone(&stream),
            door,
            cancel,
            stop: stopped,
            asked,
            results: Vec::new(),
            only_words: is_words(&message),
        };
        tokio::spawn(async move {
            drive.drive_on().await;
            over.send_replace(true);
        });
        Ok(stream)
    }

    /// Keeps the question and the run's beginning, without what the question replaces.
    async fn take_in(
        &self,
        chat: &str,
        message: &Value,
        before: &[Value],
        replaced: Option<usize>,
        run: &Run,
    ) -> Result<(), CodeError> {
        if let Some(at) = replaced {
            self.forget(chat, &before[at..]).await?;
        }
        let row = MessageRow {
            id: message["id"].as_str().unwrap_or_default().to_owned(),
            chat: chat.to_owned(),
            role: "user".to_owned(),
            body_json: message.to_string(),
            created_ms: run.started_at,
        };
        self.workspace
            .put_run_with(run.clone(), vec![Change::PutMessage(row)])
            .await?;
        self.keep_settings(chat).await
    }

    fn door(
        self: &Arc<Self>,
        chat: &str,
        run: &str,
        asker: Capability,
        cancel: &Cancel,
        questions: Arc<Questions>,
        tell: tokio::sync::mpsc::UnboundedSender<Asked>,
    ) -> Arc<Door> {
        let (host, of_chat, of_run) = (Arc::clone(self), chat.to_owned(), run.to_owned());
        let allowed = Box::new(move |kind, path: &glade_code::ProjectPath| {
            let chats = host.chats();
            chats
                .get(&of_chat)
                .is_some_and(|ctx| ctx.allowed.allow(&of_run, kind, path))
        });
        let store = self.store.clone();
        let cancel = cancel.clone();
        Arc::new(Door::new(
            run, store, asker, cancel, questions, tell, allowed,
        ))
    }
}
