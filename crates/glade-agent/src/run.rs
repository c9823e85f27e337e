//! What a fairy holds while it works: the run, the step in flight, the action being streamed.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{Hash as _, Hasher as _};

use glade_doc::RunId;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::action::AnyAction;
use crate::action_context::Trace;
use crate::budget::{MAX_WRONG, noted};
use crate::effect::{Effect, Piece, Say};
use crate::event::Input;
use crate::mode::Mode;
use crate::parser::Parser;
use crate::request::{Card, Request};
use crate::rng::Rng;
use crate::rounds::Rounds;
use crate::state::Checkpoint;

/// All that one input sets off. What is skipped belongs to the step in flight.
#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Run {
    pub id: RunId,
    pub input: Input,
    pub rng: Rng,
    #[serde(skip, default = "Step::none")]
    pub step: Step,
    /// Steps asked so far.
    pub steps: u32,
    /// The actions that stand, for the case that the room refuses one after all.
    #[serde(skip)]
    pub names: BTreeMap<u32, Known>,
    /// The items of the page's list that actions took on.
    #[serde(default)]
    pub claims: BTreeMap<u32, String>,
    /// The blocks that actions put onto the page once what they show has come.
    #[serde(default)]
    pub cards: BTreeMap<u32, Card>,
    /// What was created, by its words, and in which step: a model that says the same again in a
    /// later step repeats itself, and nothing is drawn twice.
    #[serde(default)]
    pub created: BTreeMap<u64, u32>,
    /// Reasons that went back to the model already: nothing is sent back twice.
    #[serde(rename = "told")]
    pub sent_back: BTreeSet<String>,
    /// What the next step is asked, beside what this answer leaves open.
    pub scheduled: Option<Request>,
    /// An action ended the answer.
    #[serde(skip)]
    pub cut: Option<Cut>,
    /// What will be asked when the host comes back.
    pub waiting: Option<Request>,
    /// Tokens spent so far.
    pub tokens: u64,
    /// US dollars spent so far, as far as anyone says.
    pub usd: f64,
    /// Failures in a row.
    pub failures: u32,
    /// Lints were looked at once.
    pub linted: bool,
    /// It is answered in rounds of tool calls.
    #[serde(skip)]
    pub rounds: Option<Box<Rounds>>,
}

impl Run {
    pub fn new(id: RunId, input: Input, seed: u64) -> Self {
        Self {
            id,
            input,
            rng: Rng::new(seed),
            step: Step::new(0),
            steps: 0,
            names: BTreeMap::new(),
            claims: BTreeMap::new(),
            cards: BTreeMap::new(),
            created: BTreeMap::new(),
            sent_back: BTreeSet::new(),
            scheduled: None,
            cut: None,
            waiting: None,
            tokens: 0,
            usd: 0.0,
            failures: 0,
            linted: false,
            rounds: None,
        }
    }

    /// Notes that this was created; false: it was so already, in an earlier step.
    pub fn creates(&mut self, value: &Value) -> bool {
        let mut words = std::hash::DefaultHasher::new();
        value.to_string().hash(&mut words);
        let step = self.step.number;
        *self.created.entry(words.finish()).or_insert(step) == step
    }

    pub fn schedule(&mut self, request: Request) {
        match &mut self.scheduled {
            Some(scheduled) => scheduled.merge(request),
            None => self.scheduled = Some(request),
        }
    }
}

impl std::fmt::Debug for Run {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Run")
            .field("id", &self.id)
            .field("step", &self.step)
            .finish_non_exhaustive()
    }
}

/// An action that stands.
#[derive(Debug, Clone)]
pub struct Known {
    pub action: &'static dyn AnyAction,
    /// How the model wrote it, as the history keeps it.
    pub json: String,
    /// What it is about, as a refusal says it.
    pub subject: String,
}

/// What comes instead of the rest of an answer that an action ended.
#[derive(Debug, Clone)]
pub enum Cut {
    /// Another step, in `mode` or the one that the fairy is in.
    GoOn {
        mode: Option<Mode>,
        request: Request,
    },
    /// The end of the run; the fairy rests in this mode.
    Rest(Mode),
}

/// One request to a model, in flight.
#[derive(Debug, Clone)]
pub struct Step {
    pub number: u32,
    pub parser: Parser,
    pub open: Option<OpenAction>,
    /// What was wrong with this answer, for the next step.
    pub wrong: Vec<String>,
    /// Messages and thoughts of this answer.
    pub messages: usize,
    /// The model's own thinking is being shown.
    pub thinking: bool,
    /// The fairy asked itself to go on: an answer without actions is an answer too.
    pub own: bool,
    /// What a crash goes back to: the fairy before it was asked, with what it was asked.
    pub start: Option<Box<Checkpoint>>,
    /// A guess at the tokens of this step, for models that do not count.
    pub guess: u64,
}

impl Step {
    pub fn new(number: u32) -> Self {
        Self {
            number,
            parser: Parser::new(),
            open: None,
            wrong: Vec::new(),
            messages: 0,
            thinking: false,
            own: false,
            start: None,
            guess: 0,
        }
    }

    fn none() -> Self {
        Self::new(0)
    }

    /// Notes what was wrong; past a while one is like the other.
    pub fn object(&mut self, wrong: String) {
        if self.wrong.len() < MAX_WRONG {
            self.wrong.push(noted(wrong));
        }
    }

    /// Ends the model's thinking, if it is open.
    pub fn end_thinking(&mut self, out: &mut Vec<Effect>) {
        if std::mem::take(&mut self.thinking) {
            out.push(Effect::Say(Say::Thought {
                id: thinking_id(self.number),
                piece: Piece::End,
            }));
        }
    }
}

pub fn thinking_id(step: u32) -> String {
    format!("thinking-{step}")
}

/// The action that is being streamed.
#[derive(Clone)]
pub struct OpenAction {
    /// Its number among all actions of this fairy.
    pub number: u32,
    /// Its place in the answer.
    pub index: usize,
    pub action: &'static dyn AnyAction,
    pub trace: Trace,
    /// The note last shown of it.
    pub label: Option<String>,
    /// Words streamed so far.
    pub said: Option<StreamedText>,
    /// The room refused it: nothing more of it is written.
    pub refused: bool,
    /// How long it was when it was last carried out.
    pub seen: usize,
}

impl std::fmt::Debug for OpenAction {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("OpenAction")
            .field("number", &self.number)
            .field("action", &self.action.name())
            .finish()
    }
}

impl OpenAction {
    pub fn new(number: u32, index: usize, action: &'static dyn AnyAction) -> Self {
        Self {
            number,
            index,
            action,
            trace: Trace::default(),
            label: None,
            said: None,
            refused: false,
            seen: 0,
        }
    }
}

/// Words that an action streams.
#[derive(Debug, Clone)]
pub struct StreamedText {
    pub thought: bool,
    pub text: String,
}

impl StreamedText {
    /// An effect that says `piece` under the action's id.
    pub fn effect(thought: bool, action: u32, piece: Piece) -> Effect {
        Effect::Say(if thought {
            Say::Thought {
                id: format!("thought-{action}"),
                piece,
            }
        } else {
            Say::Text {
                id: format!("text-{action}"),
                piece,
            }
        })
    }
}
