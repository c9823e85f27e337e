//! One fairy: what it keeps between events, and which event does what.

use std::collections::BTreeSet;
use std::sync::Arc;

use glade_canvas::{Point, Rect, Size};
use glade_doc::{RunId, Surface};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::agenda::Agenda;
use crate::coords::Coords;
use crate::draft::Draft;
use crate::effect::{Activity, Effect, Expression, Outcome, Piece, Pose, PresenceChange, Say};
use crate::event::{Event, Input, World};
use crate::history::{History, tokens};
use crate::mode::{Mode, OnPrompt, WhileOpen};
use crate::plugins::Enabled;
use crate::prompt::Prompt;
use crate::request::Request;
use crate::rng::Rng;
use crate::run::{Cut, Run, Step, thinking_id};
use crate::state::{AgentState, Checkpoint};

/// No run asks a model more often than this, unless the fairy's [`Limits`] say otherwise.
pub const MAX_STEPS: u32 = 24;
/// No run goes on when it has used this many tokens, in and out.
pub const MAX_TOKENS: u64 = 400_000;
/// No run goes on when it has cost this much, in US dollars.
pub const MAX_USD: f64 = 2.0;
/// The side of the area that a fairy sees around itself when nobody says where to look.
pub const VIEW_SIDE: f64 = 1_000.0;

/// What one run may cost. Reaching a limit ends the run with a word to the person.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Limits {
    pub steps: u32,
    pub tokens: u64,
    /// Counted where the model's price is known.
    pub usd: f64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            steps: MAX_STEPS,
            tokens: MAX_TOKENS,
            usd: MAX_USD,
        }
    }
}

/// Who a fairy is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AgentConfig {
    pub fairy_id: String,
    pub name: String,
    /// Its character, in a sentence; may be empty.
    pub personality: String,
    /// What it looks at to begin with.
    pub view: Rect,
}

/// Who a fairy is and what it may do. The host says so after each start and whenever it changes;
/// none of it is stored with the fairy's state.
#[derive(Debug, Clone)]
pub struct Settings {
    pub config: AgentConfig,
    pub limits: Limits,
    /// Whether an idle fairy plans a request as tasks first (soloing) or does it at once.
    pub plan_first: bool,
    /// The only actions that change a page or reach outside that it is offered, if not all.
    pub only: Option<BTreeSet<String>>,
    /// Whether the host fetches what [`crate::Effect::Fetch`] asks for.
    pub outside: bool,
    /// The plugins that the workspace's text pages have.
    pub plugins: Enabled,
}

impl From<AgentConfig> for Settings {
    fn from(config: AgentConfig) -> Self {
        Self {
            config,
            limits: Limits::default(),
            plan_first: false,
            only: None,
            outside: false,
            plugins: Enabled::default(),
        }
    }
}

/// One fairy, sans-IO: [`Agent::step`] takes an event and answers with effects.
///
/// A [checkpoint](Agent::checkpoint) is what is stored: what the fairy remembers, how it names and
/// places things, and the run at work as it was when its step was asked. After a crash the host rolls
/// back what that step did, [restores](Agent::restore) the fairy and says [`Event::Resume`].
#[derive(Debug, Clone)]
pub struct Agent {
    pub settings: Settings,
    /// Shared with the checkpoint of the step at work until it changes.
    pub(crate) state: Arc<AgentState>,
    /// Of the page that it was last shown.
    pub(crate) surface: Surface,
    pub(crate) run: Option<Run>,
}

impl Agent {
    pub fn new(config: AgentConfig) -> Self {
        let state = AgentState {
            view: config.view,
            position: config.view.center(),
            ..AgentState::default()
        };
        let state = Arc::new(state);
        Self::restore(config, Checkpoint { state, run: None })
    }

    /// The fairy as it was stored.
    pub fn restore(config: AgentConfig, checkpoint: Checkpoint) -> Self {
        let mut run = checkpoint.run.clone();
        if let Some(run) = &mut run {
            run.step = Step::new(checkpoint.state.last_step);
            run.step.start = Some(Box::new(checkpoint.clone()));
        }
        Self {
            settings: Settings::from(config),
            state: checkpoint.state,
            surface: Surface::default(),
            run,
        }
    }

    pub(crate) fn state_mut(&mut self) -> &mut AgentState {
        Arc::make_mut(&mut self.state)
    }

    /// Its todo list and tasks.
    pub fn agenda(&self) -> &Agenda {
        &self.state.agenda
    }

    /// The model that the current run asked for, if not the fairy's usual one.
    pub fn wanted_model(&self) -> Option<&str> {
        self.run.as_ref()?.input.model.as_deref()
    }

    pub fn mode(&self) -> Mode {
        self.state.mode
    }

    pub fn config(&self) -> &AgentConfig {
        &self.settings.config
    }

    /// Where the sprite is, in page coordinates.
    pub fn position(&self) -> Point {
        self.state.position
    }

    pub fn view(&self) -> Rect {
        self.state.view
    }

    pub fn history(&self) -> &History {
        &self.state.history
    }

    /// The run at work.
    pub fn run(&self) -> Option<&RunId> {
        self.run.as_ref().map(|run| &run.id)
    }

    /// The run at work is answered in rounds of tool calls.
    pub fn is_in_rounds(&self) -> bool {
        self.run.as_ref().is_some_and(|run| run.rounds.is_some())
    }

    /// The step whose answer it waits for.
    pub fn awaited_step(&self) -> Option<u32> {
        self.run.as_ref().map(|run| run.step.number)
    }

    /// Takes in what happened and says what is to be done, in order.
    pub fn step(&mut self, event: Event, world: &World<'_>) -> Vec<Effect> {
        let mut out = Vec::new();
        self.surface = world.scene.surface();
        match event {
            Event::Prompt { run, input, seed } => self.prompted(run, input, seed, world, &mut out),
            Event::Schedule { run, input, seed } => {
                self.scheduled(run, input, seed, world, &mut out)
            }
            Event::Converse {
                run,
                input,
                dialogue,
                seed,
            } => self.conversed(run, input, *dialogue, seed, &mut out),
            Event::Delta { step, text } if self.awaits(step) && self.is_in_rounds() => {
                self.heard_words(&text, &mut out)
            }
            Event::Delta { step, text } if self.awaits(step) => self.delta(&text, world, &mut out),
            Event::Thinking { step, text } if self.awaits(step) => {
                self.heard_thought(&text, &mut out);
                self.thinking(step, text, &mut out)
            }
            Event::Sealed { step, signature } if self.awaits(step) => {
                self.sealed(signature, &mut out)
            }
            Event::Call { step, call } if self.awaits(step) => self.heard_call(call, &mut out),
            Event::CallsDone { step, results } if self.awaits(step) => {
                self.calls_done(&results, &mut out)
            }
            Event::Answered { step, stop, usage } if self.awaits(step) => {
                self.answered(stop, usage, world, &mut out)
            }
            Event::Failed {
                step,
                failure,
                retryable,
            } if self.awaits(step) => self.failed(failure, retryable, world, &mut out),
            Event::Woken { step } if self.awaits(step) => self.woken(world, &mut out),
            Event::Refused { action, reason } => self.refused(action, reason, &mut out),
            Event::Fetched { action, found } => self.fetched(action, found, &mut out),
            Event::Stop => self.stopped(&mut out),
            Event::Spent { step, usd } if self.awaits(step) => self.spent(usd),
            Event::Resume { seed } => self.resumed(seed, world, &mut out),
            Event::Settled { run, kept } => self.settled(&run, kept),
            Event::Rest { mode } => self.put_to_rest(mode, &mut out),
            Event::Sleep => self.fall_asleep(&mut out),
            Event::GetUp => self.get_up(&mut out),
            Event::Moved { to } => self.moved(to, &mut out),
            Event::Reset => self.reset(&mut out),
            // Late words of a step that nobody waits for.
            Event::Delta { .. }
            | Event::Thinking { .. }
            | Event::Answered { .. }
            | Event::Spent { .. }
            | Event::Sealed { .. }
            | Event::Call { .. }
            | Event::CallsDone { .. }
            | Event::Failed { .. }
            | Event::Woken { .. } => {}
        }
        out
    }

    /// What it would ask if it were given this input now.
    pub fn preview_prompt(&self, input: &Input, world: &World<'_>) -> Prompt {
        let mut copy = self.clone();
        copy.look_at(input);
        copy.state_mut().mode = self.mode_for(input, world);
        let request = Request::from(input.clone());
        copy.build_prompt(input, &request, world)
    }

    /// The mode that works on an input.
    fn mode_for(&self, input: &Input, world: &World<'_>) -> Mode {
        // A mode in which nothing can be done would leave the input unanswered.
        let asked = input.mode.filter(|mode| mode.row().is_active());
        let own = match self.state.mode.row().hooks.on_prompt {
            OnPrompt::Stay => Some(self.state.mode),
            OnPrompt::Start => None,
            OnPrompt::To(mode) => Some(mode),
        };
        let fits = |mode: &Mode| self.has_reason_for(*mode, world);
        let asked = asked.filter(fits).or(own.filter(fits));
        asked.unwrap_or_else(|| self.start_mode())
    }

    /// The mode in which an idle fairy begins.
    pub(crate) fn start_mode(&self) -> Mode {
        if self.settings.plan_first {
            Mode::Soloing
        } else {
            Mode::OneShotting
        }
    }

    /// Nobody leads or works for a project that is not there.
    fn has_reason_for(&self, mode: Mode, world: &World<'_>) -> bool {
        let board = (world.board)().filter(|board| board.project.is_active());
        let me = &self.settings.config.fairy_id;
        match mode.row().hooks.while_open {
            WhileOpen::ProjectTask => board.is_some_and(|board| board.job_of(me).is_some()),
            WhileOpen::Project { .. } => board
                .and_then(|board| board.project.member(me))
                .is_some_and(|member| member.role.active() == mode),
            _ => true,
        }
    }

    fn awaits(&self, step: u32) -> bool {
        self.awaited_step() == Some(step)
    }

    fn prompted(
        &mut self,
        id: RunId,
        input: Input,
        seed: u64,
        world: &World<'_>,
        out: &mut Vec<Effect>,
    ) {
        // An interrupt, not a Stop: the mode's cancel hook stays silent.
        self.note_stop("You were interrupted here.");
        self.abandon(Outcome::Interrupted, out);
        let wanted = |mode: Mode| self.has_reason_for(mode, world);
        if input.ordered && !input.mode.is_some_and(wanted) {
            // Its project ended, or gave the task to another, while the order was on its way.
            let outcome = Outcome::Stopped;
            return out.push(Effect::EndRun { run: id, outcome });
        }
        let state = self.state_mut();
        state
            .ids
            .retain(|element| world.scene.get(element).is_some());
        if let Some(coords) = &mut state.coords {
            coords.retain(|element| world.scene.get(element).is_some());
        }
        self.look_at(&input);
        self.switch(self.mode_for(&input, world), out);
        let request = Request::from(input.clone());
        let mut run = Run::new(id, input, seed);
        out.push(Effect::Presence(PresenceChange {
            view: Some(self.state.view),
            pose: Some(Pose::Thinking),
            expression: Some(Expression::Curious),
            activity: Some(Activity::Generating),
            doing: Some("thinking".to_owned()),
            mode: Some(self.state.mode),
            ..PresenceChange::default()
        }));
        self.ask(&mut run, request, world, out);
        self.run = Some(run);
    }

    fn scheduled(
        &mut self,
        id: RunId,
        input: Input,
        seed: u64,
        world: &World<'_>,
        out: &mut Vec<Effect>,
    ) {
        if self.run.is_none() {
            return self.prompted(id, input, seed, world, out);
        }
        let request = Request::from(input);
        if let Some(run) = self.step_start().and_then(|start| start.run.as_mut()) {
            run.schedule(request.clone());
        }
        if let Some(run) = &mut self.run {
            run.schedule(request);
        }
    }

    /// Looks where the person looks; the first look of a chat fixes the model's origin.
    fn look_at(&mut self, input: &Input) {
        let state = self.state_mut();
        let around = Rect::centered(state.position, Size::new(VIEW_SIDE, VIEW_SIDE));
        state.view = input
            .bounds
            .filter(|bounds| bounds.w > 0.0 && bounds.h > 0.0)
            .unwrap_or(around);
        let corner = Point::new(state.view.x, state.view.y);
        state.coords.get_or_insert_with(|| Coords::new(corner));
    }

    fn thinking(&mut self, step: u32, text: String, out: &mut Vec<Effect>) {
        if let Some(run) = &mut self.run {
            run.step.thinking = true;
            out.push(Effect::Say(Say::Thought {
                id: thinking_id(step),
                piece: Piece::Delta(text),
            }));
        }
    }

    fn spent(&mut self, usd: f64) {
        if let Some(run) = &mut self.run {
            run.usd += usd;
        }
    }

    /// What is to be stored now. Nothing that the step at work has done since it was asked is in it.
    pub fn checkpoint(&self) -> Checkpoint {
        let start = self.run.as_ref().and_then(|run| run.step.start.as_deref());
        start.cloned().unwrap_or_else(|| Checkpoint {
            state: Arc::clone(&self.state),
            run: None,
        })
    }

    /// Keeps the state as of now, for a crash while the run is asked `request` or waits to be.
    pub(crate) fn begin_step(&mut self, run: &mut Run, request: &Request) {
        self.state_mut().last_step += 1;
        run.step = Step::new(self.state.last_step);
        run.waiting = Some(request.clone());
        run.step.start = Some(Box::new(Checkpoint {
            state: Arc::clone(&self.state),
            run: Some(run.clone()),
        }));
    }

    /// What the step at work goes back to after a crash.
    fn step_start(&mut self) -> Option<&mut Checkpoint> {
        self.run.as_mut()?.step.start.as_deref_mut()
    }

    fn settled(&mut self, run: &RunId, kept: bool) {
        if let Some(start) = self.step_start() {
            Arc::make_mut(&mut start.state).history.settle(run, kept);
        }
        self.state_mut().history.settle(run, kept);
    }

    /// Drops a run that cannot go on, with nothing said or done.
    pub fn forget_run(&mut self) {
        self.run = None;
    }

    fn resumed(&mut self, seed: u64, world: &World<'_>, out: &mut Vec<Effect>) {
        let Some(mut run) = self.run.take() else {
            return;
        };
        run.rng = Rng::new(seed);
        let Some(request) = run.waiting.take() else {
            return;
        };
        out.push(Effect::Presence(PresenceChange {
            view: Some(self.state.view),
            pose: Some(Pose::Thinking),
            activity: Some(Activity::Generating),
            doing: Some("going on".to_owned()),
            mode: Some(self.state.mode),
            ..PresenceChange::default()
        }));
        self.ask(&mut run, request, world, out);
        self.run = Some(run);
    }

    fn delta(&mut self, text: &str, world: &World<'_>, out: &mut Vec<Effect>) {
        let Some(mut run) = self.run.take() else {
            return;
        };
        run.step.end_thinking(out);
        run.step.guess += tokens(text) as u64;
        let mut draft = Draft::new(world);
        self.read(&mut run, text, &mut draft, out);
        match run.cut.take() {
            Some(Cut::Rest(mode)) => return self.rested(run, mode, world, out),
            Some(Cut::GoOn { mode, request }) => self.interrupted(&mut run, mode, request, out),
            None => {}
        }
        self.run = Some(run);
    }
}
