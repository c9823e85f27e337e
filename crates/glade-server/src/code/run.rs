//! One run of a conversation, driven: the model is asked, tools are carried out, a person may be
//! asked, everything is told and kept.

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt as _;
use glade_access::Capability;
use glade_code::chat::{Conversation, Effect, Ending, Heard, Message, Setup, turns_of};
use glade_code::{
    Call, Cancel, Carried, ProjectInfo, TOOLS, ToolError, Workbench, carry_out, prompt,
};
use glade_model::{Dialogue, ModelError, ModelEvent, Said};
use glade_store::{Change, FileWriteRow, MessageRow, RunStatus, StepRow};
use serde_json::{Value, json};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::sync::watch;
use tokio::task::JoinHandle;

use super::asking::{Asked, Door, Questions};
use super::mind::{Events, Mind};
use super::{CODE, CodeError, CodeHost, Question};
use crate::clock::now_ms;
use crate::host::{RunStream, utc};
use crate::ids;
use crate::workspace::{Cost, Run, Step};

/// One request to a model may take this long …
const REQUEST: Duration = Duration::from_secs(180);
/// … and one call of a tool this long, waiting for a person aside.
const CALL: Duration = Duration::from_secs(60);
const TITLE_TOKENS: u32 = 40;
const TITLE_TIME: Duration = Duration::from_secs(20);

/// A run under way, as the chat holds it.
pub struct Running {
    pub run: String,
    pub stream: Arc<RunStream>,
    pub questions: Arc<Questions>,
    cancel: Cancel,
    stop: watch::Sender<bool>,
    ended: watch::Receiver<bool>,
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
    Results(Vec<Carried>),
    Event(Option<Result<ModelEvent, ModelError>>),
    Late,
}

/// All that a run needs while it lasts.
struct Drive {
    host: Arc<CodeHost>,
    chat: String,
    run: Run,
    mind: Mind,
    stream: Arc<RunStream>,
    door: Arc<Door>,
    cancel: Cancel,
    stop: watch::Receiver<bool>,
    asked: UnboundedReceiver<Asked>,
    results: Vec<Carried>,
    step: Option<Doing>,
}

/// The step under way.
struct Doing {
    row: StepRow,
}

impl CodeHost {
    /// Takes a question and sets a run off.
    pub async fn ask(
        self: &Arc<Self>,
        chat: &str,
        question: Question,
    ) -> Result<Arc<RunStream>, CodeError> {
        let now = now_ms();
        let before = self.messages(chat)?;
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
        message["id"] = json!(id);
        if !message["metadata"].is_object() {
            message["metadata"] = json!({});
        }
        message["metadata"]["createdAt"] = json!(now);
        let text = words_of(&message);

        let name = question.model.clone().unwrap_or_default();
        let Some(mind) = Mind::of(&self.models, &name, &text, self.sketch_pace) else {
            return Err(CodeError::Wrong(format!(
                "There is no model {name:?} here: choose another, or give its provider a key in the settings."
            )));
        };
        let run = Run {
            id: ids::run(),
            fairy: chat.to_owned(),
            author: format!("fairy:{chat}"),
            status: RunStatus::Running,
            page: CODE.to_owned(),
            message: text.clone(),
            started_at: now,
            ended_at: None,
            cost: Cost::default(),
            steps: Vec::new(),
            elements: Vec::new(),
            settled: false,
            error: None,
        };
        let (cancel, questions) = (Cancel::new(), Arc::new(Questions::default()));
        let (stop, stopped) = watch::channel(false);
        let (over, ended) = watch::channel(false);
        let stream = RunStream::new(Some(question.asker.clone()));
        {
            let mut chats = self.chats();
            let desk = chats
                .get_mut(chat)
                .ok_or_else(|| CodeError::NoChat(chat.to_owned()))?;
            if desk.running.is_some() {
                return Err(CodeError::Busy);
            }
            desk.error = None;
            desk.changed_ms = now;
            desk.running = Some(Running {
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
        let door = self.door(chat, &run.id, question.asker, &cancel, questions, tell);
        let drive = Drive {
            host: Arc::clone(self),
            chat: chat.to_owned(),
            run,
            mind,
            stream: Arc::clone(&stream),
            door,
            cancel,
            stop: stopped,
            asked,
            results: Vec::new(),
            step: None,
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

    fn clear_running(&self, chat: &str) {
        if let Some(desk) = self.chats().get_mut(chat) {
            desk.running = None;
        }
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
        let allowed = Box::new(move |path: &glade_code::ProjectPath| {
            let chats = host.chats();
            chats
                .get(&of_chat)
                .is_some_and(|desk| desk.allowed.allow(&of_run, path))
        });
        let store = self.store.clone();
        let cancel = cancel.clone();
        Arc::new(Door::new(
            run, store, asker, cancel, questions, tell, allowed,
        ))
    }
}

fn words_of(message: &Value) -> String {
    let parts = message["parts"].as_array().map(Vec::as_slice);
    let texts: Vec<&str> = parts
        .unwrap_or_default()
        .iter()
        .filter(|part| part["type"] == "text")
        .filter_map(|part| part["text"].as_str())
        .collect();
    texts.join("\n")
}

impl Drive {
    async fn drive_on(mut self) {
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
        if let Some(naming) = naming {
            // A chat without a name is no reason to fail.
            let _named = naming.await;
        }
        self.settle(ending).await;
        self.host.clear_running(&self.chat);
        self.stream.end();
    }

    async fn conversation(&self) -> Result<Conversation, CodeError> {
        let messages = self.host.messages(&self.chat)?;
        let project = Arc::clone(&self.host.project);
        let system = tokio::task::spawn_blocking(move || {
            prompt::system(&project, &ProjectInfo::look(&project))
        });
        let system = system
            .await
            .map_err(|error| CodeError::Wrong(error.to_string()))?;
        let offered = TOOLS
            .iter()
            .map(|tool| tool.name())
            .filter(|name| self.door.asker.allows_tool(name));
        let setup = Setup {
            tools: offered.collect(),
            ..Setup::new(system, turns_of(&messages))
        };
        let metadata =
            json!({"run": self.run.id, "createdAt": now_ms(), "model": self.mind.name()});
        Ok(Conversation::new(
            setup,
            Message::new(&ids::message(), metadata),
        ))
    }

    /// Until the conversation says how it ended.
    async fn talk(&mut self, conversation: &mut Conversation) -> Ending {
        let mut effects: VecDeque<Effect> = conversation.begin().into();
        let mut asking: Option<Events> = None;
        let mut carrying: Option<JoinHandle<Vec<Carried>>> = None;
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
                    Effect::Carry(calls) => {
                        asking = None;
                        carrying = Some(self.carry(calls));
                    }
                    Effect::End(ending) => {
                        drop(asking.take());
                        if let Some(carrying) = carrying.take() {
                            // Nothing changes any more once this is told.
                            let results = carrying.await.unwrap_or_default();
                            self.forget_unmade(&results).await;
                        }
                        return ending;
                    }
                }
            }
            let next = tokio::select! {
                biased;
                () = said(&mut self.stop) => Next::Stop,
                Some(asked) = self.asked.recv() => Next::Asked(asked),
                results = next_results(&mut carrying) => Next::Results(results),
                event = next_event(&mut asking) => Next::Event(event),
                () = tokio::time::sleep_until(deadline), if asking.is_some() => Next::Late,
            };
            let heard = match next {
                Next::Stop => Heard::Aborted,
                Next::Asked(asked) => {
                    self.pass_on(&asked, conversation);
                    continue;
                }
                Next::Results(results) => {
                    carrying = None;
                    self.forget_unmade(&results).await;
                    self.results.clone_from(&results);
                    Heard::Carried(results)
                }
                Next::Event(event) => self.heard(event).await,
                Next::Late => {
                    self.cancel.cancel();
                    Heard::TimedOut {
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
        let data = json!({"call": asked.call, "path": asked.path, "diff": asked.diff});
        self.stream
            .push(&json!({"type": "data-approval", "id": asked.approval, "data": data}));
    }

    async fn heard(&mut self, event: Option<Result<ModelEvent, ModelError>>) -> Heard {
        let model = || self.mind.name().to_owned();
        let event = event.unwrap_or_else(|| Err(ModelError::Cut { model: model() }));
        match event {
            Ok(event) => {
                self.count(&event).await;
                Heard::Model(event)
            }
            Err(error) => {
                self.end_step(0, 0, Some(error.to_string())).await;
                Heard::Failed(error)
            }
        }
    }

    async fn count(&mut self, event: &ModelEvent) {
        match event {
            ModelEvent::Text(text) => self.note(text),
            ModelEvent::Call(call) => self.note(&format!("\n{call:?}")),
            ModelEvent::Spent(spent) => self.run.cost.usd += spent.usd.unwrap_or(0.0),
            ModelEvent::Done { usage, .. } => {
                self.run.cost.input_tokens += usage.input_tokens;
                self.run.cost.output_tokens += usage.output_tokens;
                self.end_step(usage.input_tokens, usage.output_tokens, None)
                    .await;
            }
            ModelEvent::Thinking(_) | ModelEvent::Signed(_) => {}
        }
    }

    fn note(&mut self, said: &str) {
        if let Some(step) = &mut self.step {
            step.row.answer.push_str(said);
        }
    }

    fn begin_step(&mut self, dialogue: &Dialogue) {
        self.step = Some(Doing {
            row: StepRow {
                run: self.run.id.clone(),
                index: i64::try_from(self.run.steps.len()).unwrap_or(i64::MAX),
                model: self.mind.name().to_owned(),
                prompt_json: serde_json::to_string(dialogue).unwrap_or_default(),
                answer: String::new(),
                started_ms: now_ms(),
                ended_ms: None,
                input_tokens: 0,
                output_tokens: 0,
                error: None,
            },
        });
    }

    async fn end_step(&mut self, input: u64, output: u64, error: Option<String>) {
        let Some(Doing { mut row }) = self.step.take() else {
            return;
        };
        row.ended_ms = Some(now_ms());
        row.input_tokens = i64::try_from(input).unwrap_or(i64::MAX);
        row.output_tokens = i64::try_from(output).unwrap_or(i64::MAX);
        row.error = error;
        self.run.steps.push(Step::from(&row));
        self.write(vec![Change::PutStep(row)]).await;
    }

    /// Carries calls out where waiting is allowed.
    fn carry(&self, calls: Vec<Call>) -> JoinHandle<Vec<Carried>> {
        let (host, chat) = (Arc::clone(&self.host), self.chat.clone());
        let (door, cancel) = (Arc::clone(&self.door), self.cancel.clone());
        tokio::task::spawn_blocking(move || {
            let seen = host.chats().get(&chat).map(|desk| Arc::clone(&desk.seen));
            let seen = seen.unwrap_or_default();
            let bench = Workbench {
                project: &host.project,
                seen: &seen,
                cancel: &cancel,
            };
            let refused = |call: &Call| door.permits(&host.project, call).err();
            let (may, may_not): (Vec<Call>, Vec<Call>) =
                calls.into_iter().partition(|call| refused(call).is_none());
            let mut results = carry_out(bench, &may, CALL, &|call, change| door.keep(call, change));
            results.extend(
                may_not
                    .iter()
                    .filter_map(|call| Some(not_permitted(call, refused(call)?))),
            );
            results
        })
    }

    /// Writes that were kept and then not made.
    async fn forget_unmade(&self, results: &[Carried]) {
        let mut changes = Vec::new();
        for failed in results.iter().filter(|one| one.outcome.is_err()) {
            let Some((path, index)) = self.door.forget(&failed.id) else {
                continue;
            };
            let Ok(rows) = self.host.store.file_writes_of_run(&self.run.id) else {
                continue;
            };
            let rest = |row: &FileWriteRow| row.path == path.as_str() && row.index != index;
            changes.push(Change::SetFileWrites {
                run: self.run.id.clone(),
                path: path.as_str().to_owned(),
                rows: rows.into_iter().filter(rest).collect(),
            });
        }
        if !changes.is_empty() {
            self.write(changes).await;
        }
    }

    /// What was said so far survives a crash.
    async fn keep_message(&self, message: &Message) {
        let value = message.to_value();
        if value["parts"].as_array().is_none_or(Vec::is_empty) {
            return;
        }
        self.write(vec![Change::PutMessage(MessageRow {
            id: value["id"].as_str().unwrap_or_default().to_owned(),
            chat: self.chat.clone(),
            role: "assistant".to_owned(),
            body_json: value.to_string(),
            created_ms: now_ms(),
        })])
        .await;
    }

    async fn write(&self, changes: Vec<Change>) {
        if let Err(error) = self.host.store.write(changes).await {
            tracing::error!(%error, chat = self.chat, "a conversation could not be kept");
        }
    }

    /// The run's row as it ended.
    async fn settle(&mut self, ending: Ending) {
        self.end_step(0, 0, None).await;
        let writes = self.host.store.file_writes_of_run(&self.run.id);
        let files: BTreeSet<String> = writes
            .unwrap_or_default()
            .into_iter()
            .map(|write| write.path)
            .collect();
        self.run.ended_at = Some(now_ms());
        self.run.elements = files.into_iter().collect();
        let nothing = self.run.elements.is_empty();
        self.run.settled = nothing;
        let mut error = None;
        self.run.status = match ending {
            Ending::Done if nothing => RunStatus::Kept,
            Ending::Done => RunStatus::Pending,
            Ending::Aborted => RunStatus::Cancelled,
            Ending::Failed(failure) => {
                self.run.error = Some(failure.message.clone());
                error = Some(json!(failure));
                RunStatus::Failed
            }
        };
        if let Err(error) = self.host.workspace.put_run(self.run.clone()).await {
            tracing::error!(%error, run = self.run.id, "the end of a run could not be kept");
        }
        let changed = self.host.change(&self.chat, |desk| desk.error = error);
        if let Err(error) = changed.await {
            tracing::error!(%error, chat = self.chat, "a chat could not be kept");
        }
    }

    /// The first message names the chat.
    fn name_the_chat(&self) -> Option<JoinHandle<()>> {
        let chat = self.host.chat(&self.chat).ok()?;
        if !chat.title.is_empty() {
            return None;
        }
        let (host, id, message) = (
            Arc::clone(&self.host),
            self.chat.clone(),
            self.run.message.clone(),
        );
        let model = match &self.mind {
            Mind::Model(model) => Some(Arc::clone(model)),
            Mind::Sketch { .. } => None,
        };
        Some(tokio::spawn(async move {
            let answer = match model {
                None => Some(message),
                Some(model) => {
                    let asked = model.converse(Dialogue {
                        system: prompt::TITLE.to_owned(),
                        turns: vec![Said::Person {
                            text: message,
                            images: Vec::new(),
                        }],
                        tools: Vec::new(),
                        max_output_tokens: TITLE_TOKENS,
                        temperature: 0.0,
                        thinking: None,
                    });
                    tokio::time::timeout(TITLE_TIME, text_of(asked))
                        .await
                        .ok()
                        .flatten()
                }
            };
            let title = answer
                .and_then(|answer| prompt::title(&answer))
                .unwrap_or_else(|| format!("Chat of {}", utc(now_ms())));
            if let Err(error) = host.rename(&id, &title).await {
                tracing::warn!(%error, chat = id, "a chat could not be named");
            }
        }))
    }
}

fn not_permitted(call: &Call, error: ToolError) -> Carried {
    Carried {
        id: call.id.clone(),
        outcome: Err(error),
        took: Duration::ZERO,
    }
}

/// The words of a whole answer; nothing if it fails.
async fn text_of(mut events: Events) -> Option<String> {
    let mut text = String::new();
    while let Some(event) = events.next().await {
        match event.ok()? {
            ModelEvent::Text(piece) => text.push_str(&piece),
            ModelEvent::Done { .. } => return Some(text),
            _ => {}
        }
    }
    None
}

async fn said(stop: &mut watch::Receiver<bool>) {
    if stop.wait_for(|stop| *stop).await.is_err() {
        // Nobody is left who could say it.
        std::future::pending::<()>().await;
    }
}

/// Never, while nothing is carried out.
async fn next_results(carrying: &mut Option<JoinHandle<Vec<Carried>>>) -> Vec<Carried> {
    match carrying {
        // A thread that died has no results: each of its calls is told as not carried out.
        Some(carrying) => carrying.await.unwrap_or_default(),
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
