//! One fairy: what it keeps between events, and which event does what.

use std::collections::BTreeSet;

use glade_canvas::{Point, Rect};
use glade_doc::{RunId, Surface};
use serde::{Deserialize, Serialize};

use crate::agenda::Agenda;
use crate::coords::Coords;
use crate::draft::Draft;
use crate::effect::{Activity, Effect, Expression, Outcome, Piece, Pose, PresenceChange, Say};
use crate::event::{Event, Input, World};
use crate::extras::Extras;
use crate::history::{History, tokens};
use crate::ids::IdMap;
use crate::mode::{Mode, OnPrompt, WhileOpen};
use crate::plugins::Enabled;
use crate::prompt::Prompt;
use crate::request::Request;
use crate::rng::Rng;
use crate::run::{Run, Step, thinking_id};

/// No run asks a model more often than this, unless the fairy's [`Limits`] say otherwise.
pub const MAX_STEPS: u32 = 24;
/// No run goes on when it has used this many tokens, in and out.
pub const MAX_TOKENS: u64 = 400_000;
/// No run goes on when it has cost this much, in US dollars.
pub const MAX_USD: f64 = 2.0;
/// The side of the area that a fairy sees around itself when nobody says where to look.
pub const VIEW_SIDE: f64 = 1_000.0;

/// What one run may cost. Reaching a limit ends the run with a word to the person.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
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

/// One fairy, sans-IO: [`Agent::step`] takes an event and answers with effects.
///
/// Serialising a [checkpoint](Agent::checkpoint) keeps who it is, what it remembers, how it names and
/// places things, and the run at work as it was when its step was asked: after a crash the host rolls
/// back what that step did and says [`Event::Resume`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Agent {
    pub(crate) config: AgentConfig,
    pub(crate) mode: Mode,
    pub(crate) view: Rect,
    pub(crate) position: Point,
    pub(crate) flip: bool,
    /// Set when the chat begins.
    pub(crate) coords: Option<Coords>,
    pub(crate) ids: IdMap,
    pub(crate) history: History,
    /// Steps and actions are numbered through the fairy's whole life, so that nothing late can be
    /// mistaken for something of now.
    pub(crate) last_step: u32,
    pub(crate) last_action: u32,
    #[serde(default)]
    pub(crate) agenda: Agenda,
    /// Lints that were pointed out already: each is, once.
    #[serde(default)]
    pub(crate) surfaced: BTreeSet<String>,
    #[serde(default)]
    pub(crate) limits: Limits,
    /// A request starts with a plan.
    #[serde(default)]
    pub(crate) plan_first: bool,
    /// The only actions that change a page or reach outside, if not all.
    #[serde(default)]
    pub(crate) only: Option<BTreeSet<String>>,
    /// Of the page that it was last shown.
    #[serde(skip)]
    pub(crate) surface: Surface,
    /// Whether what lies outside can be fetched; the host's to say, again after each start.
    #[serde(skip)]
    pub(crate) outside: bool,
    /// What the workspace's text pages have; the host's to say as well.
    #[serde(skip)]
    pub(crate) plugins: Enabled,
    #[serde(skip)]
    pub(crate) extras: Extras,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) run: Option<Run>,
}

impl Agent {
    pub fn new(config: AgentConfig) -> Self {
        let view = config.view;
        Self {
            config,
            mode: Mode::default(),
            view,
            position: view.center(),
            flip: false,
            coords: None,
            ids: IdMap::default(),
            history: History::default(),
            last_step: 0,
            last_action: 0,
            agenda: Agenda::default(),
            surfaced: BTreeSet::new(),
            limits: Limits::default(),
            plan_first: false,
            only: None,
            surface: Surface::default(),
            outside: false,
            plugins: Enabled::default(),
            extras: Extras::default(),
            run: None,
        }
    }

    pub fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
    }

    /// Whether an idle fairy plans a request as tasks first (soloing) or does it at once.
    pub fn set_plan_first(&mut self, plan_first: bool) {
        self.plan_first = plan_first;
    }

    /// Who it is from now on.
    pub fn rename(&mut self, name: &str, personality: &str) {
        name.clone_into(&mut self.config.name);
        personality.clone_into(&mut self.config.personality);
    }

    /// The only actions that change a page or reach outside that it is offered from now on.
    pub fn limit_actions(&mut self, only: Option<BTreeSet<String>>) {
        self.only = only;
    }

    /// Whether the host fetches what [`crate::Effect::Fetch`] asks for.
    pub fn allow_outside(&mut self, outside: bool) {
        self.outside = outside;
    }

    /// The plugins that its workspace has.
    pub fn set_plugins(&mut self, plugins: Enabled) {
        self.plugins = plugins;
    }

    /// Adds actions and parts of the host's own. They are code, not state: a fairy that was read back
    /// from its store must be given them again.
    pub fn extend(&mut self, extras: Extras) {
        self.extras = extras;
    }

    /// Its todo list and tasks.
    pub fn agenda(&self) -> &Agenda {
        &self.agenda
    }

    /// The model that the current run asked for, if not the fairy's usual one.
    pub fn wanted_model(&self) -> Option<&str> {
        self.run.as_ref()?.input.model.as_deref()
    }

    pub fn mode(&self) -> Mode {
        self.mode
    }

    pub fn config(&self) -> &AgentConfig {
        &self.config
    }

    /// Where the sprite is, in page coordinates.
    pub fn position(&self) -> Point {
        self.position
    }

    pub fn view(&self) -> Rect {
        self.view
    }

    pub fn history(&self) -> &History {
        &self.history
    }

    /// The run at work.
    pub fn run(&self) -> Option<&RunId> {
        self.run.as_ref().map(|run| &run.id)
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
            Event::Delta { step, text } if self.awaits(step) => self.delta(&text, world, &mut out),
            Event::Thinking { step, text } if self.awaits(step) => {
                self.thinking(step, text, &mut out)
            }
            Event::Answered { step, stop, usage } if self.awaits(step) => {
                self.answered(stop, usage, world, &mut out)
            }
            Event::Failed {
                step,
                error,
                retryable,
                retry_after_ms,
            } if self.awaits(step) => {
                self.failed(error, retryable, retry_after_ms, world, &mut out)
            }
            Event::Woken { step } if self.awaits(step) => self.woken(world, &mut out),
            Event::Refused { action, reason } => self.refused(action, reason, &mut out),
            Event::Fetched { action, found } => self.fetched(action, found, &mut out),
            Event::Stop => self.stopped(&mut out),
            Event::Spent { step, usd } if self.awaits(step) => self.spent(usd),
            Event::Resume { seed } => self.resumed(seed, world, &mut out),
            Event::Settled { run, kept } => self.history.settle(&run, kept),
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
            | Event::Failed { .. }
            | Event::Woken { .. } => {}
        }
        out
    }

    /// What it would ask if it were given this input now.
    pub fn preview_prompt(&self, input: &Input, world: &World<'_>) -> Prompt {
        let mut copy = self.clone();
        copy.look_at(input);
        copy.mode = copy.mode_for(input, world);
        let request = Request::from(input.clone());
        copy.build_prompt(input, &request, world).0
    }

    /// The mode that works on an input.
    fn mode_for(&self, input: &Input, world: &World<'_>) -> Mode {
        // A mode in which nothing can be done would leave the input unanswered.
        let asked = input.mode.filter(|mode| !mode.row().parts.is_empty());
        let own = match self.mode.row().hooks.on_prompt {
            OnPrompt::Stay => Some(self.mode),
            OnPrompt::Start => None,
            OnPrompt::To(mode) => Some(mode),
        };
        let fits = |mode: &Mode| self.has_reason_for(*mode, world);
        let asked = asked.filter(fits).or(own.filter(fits));
        asked.unwrap_or_else(|| self.start_mode())
    }

    /// The mode in which an idle fairy begins.
    pub(crate) fn start_mode(&self) -> Mode {
        if self.plan_first {
            Mode::Soloing
        } else {
            Mode::OneShotting
        }
    }

    /// Nobody leads or works for a project that is not there.
    fn has_reason_for(&self, mode: Mode, world: &World<'_>) -> bool {
        let board = (world.board)().filter(|board| board.project.is_active());
        let me = &self.config.fairy_id;
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
        self.abandon(Outcome::Interrupted, out);
        let wanted = |mode: Mode| self.has_reason_for(mode, world);
        if input.ordered && !input.mode.is_some_and(wanted) {
            // Its project ended, or gave the task to another, while the order was on its way.
            let outcome = Outcome::Stopped;
            return out.push(Effect::EndRun { run: id, outcome });
        }
        self.ids
            .retain(|element| world.scene.get(element).is_some());
        if let Some(coords) = &mut self.coords {
            coords.retain(|element| world.scene.get(element).is_some());
        }
        self.look_at(&input);
        self.switch(self.mode_for(&input, world), out);
        let request = Request::from(input.clone());
        let mut run = Run::new(id, input, seed);
        out.push(Effect::Presence(PresenceChange {
            view: Some(self.view),
            pose: Some(Pose::Thinking),
            expression: Some(Expression::Curious),
            activity: Some(Activity::Generating),
            doing: Some("thinking".to_owned()),
            mode: Some(self.mode),
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
        match &mut self.run {
            Some(run) => run.schedule(Request::from(input)),
            None => self.prompted(id, input, seed, world, out),
        }
    }

    /// Looks where the person looks; the first look of a chat fixes the model's origin.
    fn look_at(&mut self, input: &Input) {
        let around = Rect::centered(self.position, glade_canvas::Size::new(VIEW_SIDE, VIEW_SIDE));
        self.view = input
            .bounds
            .filter(|bounds| bounds.w > 0.0 && bounds.h > 0.0)
            .unwrap_or(around);
        if self.coords.is_none() {
            self.coords = Some(Coords::new(Point::new(self.view.x, self.view.y)));
        }
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

    /// The fairy as it was when the step at work was asked, to be stored: nothing that the step has
    /// done since is in it.
    pub fn checkpoint(&self) -> Agent {
        let mut copy = self.clone();
        if let Some(run) = &mut copy.run {
            if run.waiting.is_none() {
                copy.history.take_back(run.step.noted);
                for lint in &run.step.surfaced {
                    copy.surfaced.remove(lint);
                }
                run.steps = run.steps.saturating_sub(1);
                run.waiting = Some(std::mem::take(&mut run.step.asked));
            }
            run.step = Step::new(run.step.number);
        }
        copy
    }

    /// Drops a run that cannot go on, with nothing said or done.
    pub fn forget_run(&mut self) {
        self.run = None;
    }

    /// The number of the last action: what is numbered higher came later.
    pub fn last_action(&self) -> u32 {
        self.last_action
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
            view: Some(self.view),
            pose: Some(Pose::Thinking),
            activity: Some(Activity::Generating),
            doing: Some("going on".to_owned()),
            mode: Some(self.mode),
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
        let mut draft = Draft::new(world.scene)
            .among(world.pages)
            .within(world.board)
            .offering(world.open_items)
            .commented(world.comments);
        self.read(&mut run, text, &mut draft, out);
        if let Some(mode) = run.rest.take() {
            return self.rested(run, mode, world, out);
        }
        if let Some((mode, request)) = run.interrupt.take() {
            self.interrupted(&mut run, mode, request, out);
        }
        self.run = Some(run);
    }
}
