//! One run of a conversation, driven: what the fairy's core wants is done (the model is asked, tools are
//! carried out, a person may be asked), and everything is told and kept.

use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt as _;
use glade_agent::{Agent, CallResult, Dialogue, Effect, Event, Failure, Input, Outcome, World};
use glade_canvas::Scene;
use glade_code::chat::{Message, dialogue, turns_of};
use glade_code::{
    Call, CallOutcome, Cancel, PlannedChange, ProjectInfo, Tool, ToolContext, ToolError, prompt,
    run_calls,
};
use glade_doc::{PageId, RunId};
use glade_model::{ModelError, ModelEvent};
use serde_json::json;
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::Instant;

use super::asking::{Asked, Door, Questions};
use super::fairy::introduced;
use super::may_use;
use super::mind::{Events, Mind};
use super::reached::files_of;
use super::{CodeError, CodeHost};
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

type RunningCalls = JoinHandle<Vec<CallOutcome>>;

/// What the run waits for, each with the step that it belongs to.
#[derive(Default)]
struct Waits {
    answer: Option<(u32, Events)>,
    /// When the answer is late.
    deadline: Option<Instant>,
    calls: Option<(u32, RunningCalls)>,
    woken: Option<(u32, Instant)>,
}

/// All that a run needs while it lasts.
pub(super) struct Drive {
    pub(super) host: Arc<CodeHost>,
    pub(super) chat: String,
    pub(super) log: RunLog,
    /// The fairy's core, which decides what follows from what.
    pub(super) agent: Agent,
    /// Its answer, as the chat has it.
    pub(super) message: Message,
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
        let outcome = match self.dialogue().await {
            Ok(dialogue) => self.talk(dialogue).await,
            Err(error) => {
                tracing::error!(%error, "a conversation could not begin");
                self.stream.push(&json!({"type": "error", "errorText": "The server could not begin; its log says why."}));
                Outcome::Stopped
            }
        };
        self.keep_message().await;
        if let Some(mut naming) = naming {
            // A chat without a name is no reason to fail, nor to keep a Stop waiting: the next
            // message names it.
            tokio::select! {
                biased;
                () = said(&mut self.stop) => naming.abort(),
                _named = &mut naming => {}
            }
        }
        self.settle(&outcome).await;
        self.host.clear_running(&self.chat);
        self.stream.end();
    }

    /// What the run begins with.
    async fn dialogue(&self) -> Result<Dialogue, CodeError> {
        let messages = self.host.read_messages(&self.chat).await?;
        let project = Arc::clone(&self.host.project);
        let within = self.door.asker.paths().cloned();
        let who = introduced(self.agent.config());
        let system = tokio::task::spawn_blocking(move || {
            let info = ProjectInfo::look_within(&project, within.as_ref());
            prompt::system(&project, &info) + &who
        });
        let system = system
            .await
            .map_err(|error| CodeError::Wrong(error.to_string()))?;
        let may = |tool: &'static dyn Tool| may_use(&self.door.asker, tool);
        Ok(dialogue(system, turns_of(&messages), may))
    }

    /// Until the core says how it ended.
    async fn talk(&mut self, dialogue: Dialogue) -> Outcome {
        let start = self.message.start();
        self.stream.push(&start);
        let mut waits = Waits::default();
        let mut event = Event::Converse {
            run: RunId::from(self.log.run.id.as_str()),
            input: Input::message(&self.log.run.message),
            dialogue: Box::new(dialogue),
            seed: ids::seed(),
        };
        loop {
            for effect in self.step(event) {
                if let Some(outcome) = self.perform(effect, &mut waits).await {
                    return self.end(outcome, waits).await;
                }
            }
            event = self.next(&mut waits).await;
        }
    }

    fn step(&mut self, event: Event) -> Vec<Effect> {
        let (scene, page) = (Scene::default(), PageId::from(""));
        self.agent.step(event, &World::new(&scene, &page))
    }

    /// The outcome, once the run is over.
    async fn perform(&mut self, effect: Effect, waits: &mut Waits) -> Option<Outcome> {
        match effect {
            Effect::Say(say) => {
                for chunk in self.message.say(&say) {
                    self.stream.push(&chunk);
                }
            }
            Effect::Converse { step, dialogue } => {
                self.keep_message().await;
                self.begin_step(&dialogue);
                waits.answer = Some((step, self.mind.ask(*dialogue, &self.results)));
                waits.deadline = Some(Instant::now() + REQUEST);
            }
            Effect::RunCalls { step, calls } => {
                waits.answer = None;
                for call in &calls {
                    self.log.begin_tool(&call.tool, &call.id);
                }
                waits.calls = Some((step, self.run_calls(calls)));
            }
            Effect::CancelAsk { .. } => {
                waits.answer = None;
                let spent = self.log.guess();
                self.end_step(spent, Some("cancelled".to_owned())).await;
            }
            Effect::Wake { step, after_ms } => {
                waits.answer = None;
                waits.woken = Some((step, Instant::now() + Duration::from_millis(after_ms)));
            }
            Effect::EndRun { outcome, .. } => return Some(outcome),
            // It is on no page.
            _ => {}
        }
        None
    }

    /// Nothing changes any more once the end is told.
    async fn end(&mut self, outcome: Outcome, waits: Waits) -> Outcome {
        drop(waits.answer);
        if let Some((_, calls)) = waits.calls {
            let results = calls.await.unwrap_or_default();
            self.end_calls(&results).await;
        }
        let told = self.message.end(&outcome);
        // Whoever hears of the end reads the chat again: what went wrong is in it by then.
        self.keep_message().await;
        for chunk in told {
            self.stream.push(&chunk);
        }
        outcome
    }

    /// What happens first.
    async fn next(&mut self, waits: &mut Waits) -> Event {
        loop {
            let step = self.agent.awaited_step().unwrap_or_default();
            if let Some(most) = self.stream.over_budget() {
                let model = self.mind.name().to_owned();
                return self
                    .heard(step, Err(ModelError::TooMuch { model, most }))
                    .await;
            }
            tokio::select! {
                biased;
                () = said(&mut self.stop) => return Event::Stop,
                Some(asked) = self.asked.recv() => self.pass_on(&asked),
                (step, results) = next_results(&mut waits.calls) => {
                    waits.calls = None;
                    self.end_calls(&results).await;
                    self.results.clone_from(&results);
                    let results = results.into_iter().map(CallResult::from).collect();
                    return Event::CallsDone { step, results };
                }
                (step, event) = next_event(&mut waits.answer) => {
                    let model = || self.mind.name().to_owned();
                    let event = event.unwrap_or_else(|| Err(ModelError::Cut { model: model() }));
                    return self.heard(step, event).await;
                }
                () = until(waits.deadline), if waits.answer.is_some() => {
                    self.cancel.cancel();
                    waits.answer = None;
                    self.end_step(self.log.guess(), Some("timed out".to_owned())).await;
                    return Event::Failed {
                        step,
                        failure: Failure::timeout(REQUEST.as_secs()),
                        retryable: false,
                    };
                }
                () = until(waits.woken.map(|(_, at)| at)), if waits.woken.is_some() => {
                    waits.woken = None;
                    return Event::Woken { step };
                }
            }
        }
    }

    /// A question for the person, with what would change.
    fn pass_on(&mut self, asked: &Asked) {
        let request = self.message.approval(&asked.call, &asked.approval);
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

    async fn heard(&mut self, step: u32, event: Result<ModelEvent, ModelError>) -> Event {
        match event {
            Ok(event) => {
                self.count(&event).await;
                event.heard(step)
            }
            Err(error) => {
                self.end_step(self.log.guess(), Some(error.to_string()))
                    .await;
                error.heard(step)
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
        tool: call.tool.clone(),
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
async fn next_results(running: &mut Option<(u32, RunningCalls)>) -> (u32, Vec<CallOutcome>) {
    match running {
        // A thread that died has no results: each of its calls is told as not carried out.
        Some((step, calls)) => (*step, calls.await.unwrap_or_default()),
        None => std::future::pending().await,
    }
}

/// Never, while nobody is asked.
async fn next_event(
    asking: &mut Option<(u32, Events)>,
) -> (u32, Option<Result<ModelEvent, ModelError>>) {
    match asking {
        Some((step, events)) => (*step, events.next().await),
        None => std::future::pending().await,
    }
}

async fn until(at: Option<Instant>) {
    match at {
        Some(at) => tokio::time::sleep_until(at).await,
        None => std::future::pending().await,
    }
}
