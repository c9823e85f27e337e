//! One run of a conversation, driven: the model is asked, tools are carried out, a person may be
//! asked, everything is told and kept.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt as _;
use glade_agent::Usage;
use glade_code::chat::{ChatInput, Conversation, Effect, Ending, Message, Setup, turns_of};
use glade_code::{
    Call, CallOutcome, Cancel, PlannedChange, ProjectInfo, TOOLS, ToolContext, ToolError, prompt,
    run_calls,
};
use glade_model::{ModelError, ModelEvent};
use serde_json::json;
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use super::asking::{Asked, Door, Questions};
use super::may_use;
use super::mind::{Events, Mind};
use super::reached::files_of;
use super::{CodeError, CodeHost};
use crate::clock::now_ms;
use crate::fairies::RunStream;
use crate::ids;
use crate::run_log::RunLog;

/// One request to a model may take this long …
const REQUEST: Duration = Duration::from_secs(180);
/// … and one call of a tool this long, waiting for a person aside.
const CALL: Duration = Duration::from_secs(60);

/// A run under way, as the chat holds it.
pub struct Running {
    pub run: String,
    pub stream: Arc<RunStream>,
    pub questions: Arc<Questions>,
    pub(super) cancel: Cancel,
    pub(super) stop: watch::Sender<bool>,
    pub(super) ended: watch::Receiver<bool>,
}

impl Running {
    /// Says stop; the answer turns true when the run is over.
    pub fn stop(&self) -> watch::Receiver<bool> {
        self.cancel.cancel();
        self.stop.send_replace(true);
        self.ended.clone()
    }
}

/// What comes first.
enum Next {
    Stop,
    Asked(Asked),
    Results(Vec<CallOutcome>),
    Event(Option<Result<ModelEvent, ModelError>>),
    Late,
}

/// All that a run needs while it lasts.
pub(super) struct Drive {
    pub(super) host: Arc<CodeHost>,
    pub(super) chat: String,
    pub(super) log: RunLog,
    pub(super) mind: Mind,
    pub(super) stream: Arc<RunStream>,
    pub(super) door: Arc<Door>,
    pub(super) cancel: Cancel,
    pub(super) stop: watch::Receiver<bool>,
    pub(super) asked: UnboundedReceiver<Asked>,
    pub(super) results: Vec<CallOutcome>,
    /// Nothing but words came with the question.
    pub(super) only_words: bool,
}

impl CodeHost {
    pub(super) fn clear_running(&self, chat: &str) {
        if let Some(ctx) = self.chats().get_mut(chat) {
            ctx.running = None;
        }
    }
}

impl Drive {
    pub(super) async fn drive_on(mut self) {
        let naming = self.name_the_chat();
        let ending = match self.conversation().await {
            Ok(mut conversation) => {
                let ending = self.talk(&mut conversation).await;
                self.keep_message(&conversation.message).await;
                ending
            }
            Err(error) => {
                tracing::error!(%error, "a conversation could not begin");
                self.stream.push(&json!({"type": "error", "errorText": "The server could not begin; its log says why."}));
                Ending::Aborted
            }
        };
        if let Some(mut naming) = naming {
            // A chat without a name is no reason to fail, nor to keep a Stop waiting: the next
            // message names it.
            tokio::select! {
                biased;
                () = said(&mut self.stop) => naming.abort(),
                _named = &mut naming => {}
            }
        }
        self.settle(ending).await;
        self.host.clear_running(&self.chat);
        self.stream.end();
    }

    async fn conversation(&self) -> Result<Conversation, CodeError> {
        let messages = self.host.read_messages(&self.chat).await?;
        let project = Arc::clone(&self.host.project);
        let within = self.door.asker.paths().cloned();
        let system = tokio::task::spawn_blocking(move || {
            let info = ProjectInfo::look_within(&project, within.as_ref());
            prompt::system(&project, &info)
        });
        let system = system
            .await
            .map_err(|error| CodeError::Wrong(error.to_string()))?;
        let offered = TOOLS
            .iter()
            .filter(|tool| may_use(&self.door.asker, **tool))
            .map(|tool| tool.name());
        let setup = Setup {
            tools: offered.collect(),
            ..Setup::new(system, turns_of(&messages))
        };
        let metadata =
            json!({"run": self.log.run.id, "createdAt": now_ms(), "model": self.mind.name()});
        Ok(Conversation::new(
            setup,
            Message::new(&ids::message(), metadata),
        ))
    }

    /// Until the conversation says how it ended.
    async fn talk(&mut self, conversation: &mut Conversation) -> Ending {
        let mut effects: VecDeque<Effect> = conversation.begin().into();
        let mut asking: Option<Events> = None;
        let mut running_calls: Option<JoinHandle<Vec<CallOutcome>>> = None;
        let mut deadline = tokio::time::Instant::now() + REQUEST;
        loop {
            while let Some(effect) = effects.pop_front() {
                match effect {
                    Effect::Tell(chunk) => self.stream.push(&chunk),
                    Effect::Ask(dialogue) => {
                        self.keep_message(&conversation.message).await;
                        self.begin_step(&dialogue);
                        asking = Some(self.mind.ask(dialogue, &self.results));
                        deadline = tokio::time::Instant::now() + REQUEST;
                    }
                    Effect::RunCalls(calls) => {
                        asking = None;
                        for call in &calls {
                            self.log.begin_tool(&call.tool, &call.id);
                        }
                        running_calls = Some(self.run_calls(calls));
                    }
                    Effect::End(ending) => {
                        drop(asking.take());
                        if let Some(running_calls) = running_calls.take() {
                            // Nothing changes any more once this is told.
                            let results = running_calls.await.unwrap_or_default();
                            self.end_calls(&results).await;
                        }
                        return ending;
                    }
                }
            }
            if let Some(most) = self.stream.over_budget() {
                let failed = self.heard(Some(Err(self.too_much(most)))).await;
                effects.extend(conversation.hear(failed));
                continue;
            }
            let next = tokio::select! {
                biased;
                () = said(&mut self.stop) => Next::Stop,
                Some(asked) = self.asked.recv() => Next::Asked(asked),
                results = next_results(&mut running_calls) => Next::Results(results),
                event = next_event(&mut asking) => Next::Event(event),
                () = tokio::time::sleep_until(deadline), if asking.is_some() => Next::Late,
            };
            let heard = match next {
                Next::Stop => ChatInput::Aborted,
                Next::Asked(asked) => {
                    self.pass_on(&asked, conversation);
                    continue;
                }
                Next::Results(results) => {
                    running_calls = None;
                    self.end_calls(&results).await;
                    self.results.clone_from(&results);
                    ChatInput::CallsDone(results)
                }
                Next::Event(event) => self.heard(event).await,
                Next::Late => {
                    self.cancel.cancel();
                    ChatInput::TimedOut {
                        seconds: REQUEST.as_secs(),
                    }
                }
            };
            effects.extend(conversation.hear(heard));
        }
    }

    /// A question for the person, with what would change.
    fn pass_on(&self, asked: &Asked, conversation: &mut Conversation) {
        let request = conversation.message.approval(&asked.call, &asked.approval);
        self.stream.push(&request);
        let data = json!({
            "call": asked.call,
            "path": asked.path,
            "diff": asked.diff,
            "reason": "user_interaction_required",
        });
        self.stream
            .push(&json!({"type": "data-approval", "id": asked.approval, "data": data}));
    }

    fn too_much(&self, most: String) -> ModelError {
        ModelError::TooMuch {
            model: self.mind.name().to_owned(),
            most,
        }
    }

    async fn heard(&mut self, event: Option<Result<ModelEvent, ModelError>>) -> ChatInput {
        let model = || self.mind.name().to_owned();
        let event = event.unwrap_or_else(|| Err(ModelError::Cut { model: model() }));
        match event {
            Ok(event) => {
                self.count(&event).await;
                ChatInput::Model(event)
            }
            Err(error) => {
                self.end_step(Usage::default(), Some(error.to_string()))
                    .await;
                ChatInput::Failed(error)
            }
        }
    }

    /// Carries calls out where waiting is allowed.
    fn run_calls(&self, calls: Vec<Call>) -> JoinHandle<Vec<CallOutcome>> {
        let (host, chat) = (Arc::clone(&self.host), self.chat.clone());
        let (door, cancel) = (Arc::clone(&self.door), self.cancel.clone());
        tokio::task::spawn_blocking(move || {
            let seen = host.chats().get(&chat).map(|ctx| Arc::clone(&ctx.seen));
            let seen = seen.unwrap_or_default();
            let context = ToolContext {
                project: &host.project,
                seen: &seen,
                cancel: &cancel,
            };
            let refused = |call: &Call| door.permits(&host.project, call).err();
            let (may, may_not): (Vec<Call>, Vec<Call>) =
                calls.into_iter().partition(|call| refused(call).is_none());
            let keep = |call: &Call, change: &PlannedChange| door.keep(&host.project, call, change);
            let mut results = run_calls(context, &may, CALL, &keep);
            for (call, carried) in may.iter().zip(&results) {
                door.note(files_of(&host.project, call, carried));
            }
            results.extend(
                may_not
                    .iter()
                    .filter_map(|call| Some(not_permitted(call, refused(call)?))),
            );
            results
        })
    }
}

fn not_permitted(call: &Call, error: ToolError) -> CallOutcome {
    CallOutcome {
        id: call.id.clone(),
        outcome: Err(error),
        took: Duration::ZERO,
    }
}

async fn said(stop: &mut watch::Receiver<bool>) {
    if stop.wait_for(|stop| *stop).await.is_err() {
        // Nobody is left who could say it.
        std::future::pending::<()>().await;
    }
}

/// Never, while nothing is carried out.
async fn next_results(
    running_calls: &mut Option<JoinHandle<Vec<CallOutcome>>>,
) -> Vec<CallOutcome> {
    match running_calls {
        // A thread that died has no results: each of its calls is told as not carried out.
        Some(running_calls) => running_calls.await.unwrap_or_default(),
        None => std::future::pending().await,
    }
}

/// Never, while nobody is asked.
async fn next_event(asking: &mut Option<Events>) -> Option<Result<ModelEvent, ModelError>> {
    match asking {
        Some(asking) => asking.next().await,
        None => std::future::pending().await,
    }
}
