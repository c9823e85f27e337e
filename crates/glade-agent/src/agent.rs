//! One fairy: what it keeps between events, and which event does what.

use glade_canvas::{Point, Rect};
use glade_doc::RunId;
use serde::{Deserialize, Serialize};

use crate::coords::Coords;
use crate::draft::Draft;
use crate::effect::{Activity, Effect, Expression, Outcome, Piece, Pose, PresenceChange, Say};
use crate::event::{Event, Input, Source, World};
use crate::history::{History, Remembered};
use crate::ids::IdMap;
use crate::mode::Mode;
use crate::part::View;
use crate::prompt::{self, Prompt};
use crate::rng::Rng;
use crate::run::{Run, Step, thinking_id};

/// No run asks a model more often than this.
pub const MAX_STEPS: u32 = 12;
/// The side of the area that a fairy sees around itself when nobody says where to look.
pub const VIEW_SIDE: f64 = 1_000.0;
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
/// Serialising keeps who it is, what it remembers and how it names and places things; a run in flight
/// is not kept: after a restart the host rolls back what was unfinished and prompts again.
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
    #[serde(skip)]
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
            run: None,
        }
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
        match event {
            Event::Prompt { run, input, seed } => self.prompted(run, input, seed, world, &mut out),
            Event::Delta { step, text } if self.awaits(step) => self.delta(&text, world, &mut out),
            Event::Thinking { step, text } if self.awaits(step) => {
                self.thinking(step, text, &mut out)
            }
            Event::Answered { step, stop, .. } if self.awaits(step) => {
                self.answered(stop, world, &mut out)
            }
            Event::Failed { step, error, .. } if self.awaits(step) => {
                self.failed(error, world, &mut out)
            }
            Event::Refused { action, reason } => self.refused(action, reason, &mut out),
            Event::Stop => self.stopped(&mut out),
            // Late words of a step that nobody waits for.
            Event::Delta { .. }
            | Event::Thinking { .. }
            | Event::Answered { .. }
            | Event::Failed { .. } => {}
        }
        out
    }

    /// What it would ask if it were given this input now.
    pub fn preview_prompt(&self, input: &Input, world: &World<'_>) -> Prompt {
        let mut copy = self.clone();
        copy.look_at(input);
        let row = copy.mode.row().hooks.on_prompt.row();
        copy.build_prompt(
            row.mode,
            input,
            std::slice::from_ref(&input.message),
            Source::User,
            world,
        )
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
        self.ids
            .retain(|element| world.scene.get(element).is_some());
        if let Some(coords) = &mut self.coords {
            coords.retain(|element| world.scene.get(element).is_some());
        }
        self.look_at(&input);
        self.switch(self.mode.row().hooks.on_prompt, out);
        let mut run = Run {
            id,
            input,
            rng: Rng::new(seed),
            step: Step::new(0),
            steps: 0,
            told: Default::default(),
            names: Default::default(),
        };
        let message = run.input.message.clone();
        let source = run.input.source;
        out.push(Effect::Presence(PresenceChange {
            view: Some(self.view),
            pose: Some(Pose::Thinking),
            expression: Some(Expression::Curious),
            activity: Some(Activity::Generating),
            doing: Some("thinking".to_owned()),
            mode: Some(self.mode),
            ..PresenceChange::default()
        }));
        self.ask(&mut run, std::slice::from_ref(&message), source, world, out);
        self.run = Some(run);
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

    /// Asks the model; `messages` is what this step is told.
    pub(crate) fn ask(
        &mut self,
        run: &mut Run,
        messages: &[String],
        source: Source,
        world: &World<'_>,
        out: &mut Vec<Effect>,
    ) {
        let prompt = self.build_prompt(self.mode, &run.input, messages, source, world);
        for message in messages {
            let message = message.clone();
            self.history.push(
                self.mode.row().memory,
                Remembered::Prompt { source, message },
            );
        }
        self.last_step += 1;
        run.step = Step::new(self.last_step);
        run.steps += 1;
        out.push(Effect::Ask {
            step: self.last_step,
            prompt: Box::new(prompt),
        });
    }

    fn build_prompt(
        &mut self,
        mode: Mode,
        input: &Input,
        messages: &[String],
        source: Source,
        world: &World<'_>,
    ) -> Prompt {
        let row = mode.row();
        let view_corner = Point::new(self.view.x, self.view.y);
        let mut view = View {
            row,
            scene: world.scene,
            page: world.page,
            input,
            messages,
            from_person: source != Source::Own,
            area: self.view,
            ids: &mut self.ids,
            coords: self.coords.get_or_insert_with(|| Coords::new(view_corner)),
            history: &self.history,
        };
        prompt::build(row, &self.config.name, &self.config.personality, &mut view)
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

    fn delta(&mut self, text: &str, world: &World<'_>, out: &mut Vec<Effect>) {
        let Some(mut run) = self.run.take() else {
            return;
        };
        run.step.end_thinking(out);
        self.read(&mut run, text, &mut Draft::new(world.scene), out);
        self.run = Some(run);
    }

    pub(crate) fn switch(&mut self, to: Mode, out: &mut Vec<Effect>) {
        let from = std::mem::replace(&mut self.mode, to);
        if from != to {
            out.push(Effect::Mode { from, to });
        }
    }
}
