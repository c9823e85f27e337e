//! Modes: which actions, parts and memory apply now, and what happens at the edges of a prompt.
//!
//! [`Mode`] names them; [`TABLE`] says what each is, one file a row under `modes/`. A new mode is a
//! new row.

pub mod diagram;

use std::borrow::Cow;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::extensions;
use crate::facts::{Facts, Work};
use crate::modes;
use crate::part::Topic;

/// The names of all modes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Mode {
    #[default]
    Idling,
    Sleeping,
    OneShotting,
    Pausing,
    Soloing,
    WorkingSolo,
    WorkingDrone,
    WorkingOrchestrator,
    StandingBy,
    OrchestratingActive,
    OrchestratingWaiting,
    DuoOrchestratingActive,
    DuoOrchestratingWaiting,
    /// One that a binary of one's own adds, by its name.
    Added(&'static str),
}

impl Serialize for Mode {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Mode {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = Cow::<str>::deserialize(deserializer)?;
        Mode::parse(&name).ok_or_else(|| D::Error::custom(format!("there is no mode \"{name}\"")))
    }
}

impl PartialSchema for Mode {
    fn schema() -> RefOr<Schema> {
        let names = all().map(|row| row.mode.name());
        ObjectBuilder::new()
            .schema_type(Type::String)
            .enum_values(Some(names))
            .into()
    }
}

impl ToSchema for Mode {}

/// How far back memory reaches.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum MemoryLevel {
    #[default]
    Fairy,
    Project,
    Task,
}

/// One row of the mode table.
#[derive(Debug)]
pub struct ModeRow {
    pub mode: Mode,
    pub memory: MemoryLevel,
    /// What a prompt in this mode tells of; nothing: no model is ever asked.
    pub sees: &'static [Topic],
    /// The kinds of work that its menu is made of.
    pub work: &'static [Work],
    /// What the system prompt says of this mode.
    pub about: &'static str,
    pub hooks: Hooks,
}

impl ModeRow {
    pub fn allows(&self, action: &Facts) -> bool {
        self.work.contains(&action.work)
    }

    /// Whether it edits the page.
    pub fn edits(&self) -> bool {
        self.work.contains(&Work::Edit)
    }

    /// Whether a model is asked in this mode.
    pub fn is_active(&self) -> bool {
        !self.sees.is_empty()
    }
}

/// Where the edges of a prompt lead.
#[derive(Debug)]
pub struct Hooks {
    /// An input came: the mode that works on it.
    pub on_prompt: OnPrompt,
    /// What keeps the run going when an answer is over.
    pub while_open: WhileOpen,
    /// The run came to its end with nothing left to do.
    pub on_end: Mode,
    /// A person's Stop (an interrupt by a new input does not fire it).
    pub on_cancel: Mode,
    /// What is forgotten when the mode is entered, and when it is left.
    pub on_enter: &'static [Clear],
    pub on_exit: &'static [Clear],
}

/// Which mode works on an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnPrompt {
    /// The one that it is in.
    Stay,
    /// The one in which this fairy starts: one-shotting, or soloing if it is set to plan first.
    Start,
    To(Mode),
}

/// What keeps a run going.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WhileOpen {
    Nothing,
    /// Items on the fairy's own todo list; when none is open, new lints are looked at once.
    Todos,
    /// Tasks of its plan.
    Tasks,
    /// The task of its own plan that it works on.
    CurrentTask,
    /// The task of its project that it works on.
    ProjectTask,
    /// The project that it leads; while it waits for others, it rests in `waiting`.
    Project {
        waiting: Mode,
    },
}

/// What a change of modes forgets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Clear {
    Todos,
    TaskMemory,
    /// Which task it works on; the task itself stays in the plan.
    CurrentTask,
}

/// All modes but those that a binary of one's own adds.
pub static TABLE: &[&ModeRow] = &[
    &modes::idling::ROW,
    &modes::sleeping::ROW,
    &modes::one_shotting::ROW,
    &modes::pausing::ROW,
    &modes::soloing::ROW,
    &modes::working_solo::ROW,
    &modes::working_drone::ROW,
    &modes::working_orchestrator::ROW,
    &modes::standing_by::ROW,
    &modes::orchestrating_active::ROW,
    &modes::orchestrating_waiting::ROW,
    &modes::duo_orchestrating_active::ROW,
    &modes::duo_orchestrating_waiting::ROW,
];

/// All modes there are.
pub fn all() -> impl Iterator<Item = &'static ModeRow> {
    TABLE.iter().chain(extensions::added().modes).copied()
}

impl Mode {
    /// Whether a fairy is in this mode because a person asked something of it alone.
    pub fn serves_a_person(self) -> bool {
        matches!(self, Mode::OneShotting | Mode::Soloing | Mode::WorkingSolo)
    }

    /// Whether only a member of a project can be in this mode.
    pub fn is_of_a_project(self) -> bool {
        matches!(
            self,
            Mode::WorkingDrone
                | Mode::WorkingOrchestrator
                | Mode::StandingBy
                | Mode::OrchestratingActive
                | Mode::OrchestratingWaiting
                | Mode::DuoOrchestratingActive
                | Mode::DuoOrchestratingWaiting
        )
    }

    /// The mode of that name.
    pub fn parse(name: &str) -> Option<Mode> {
        let mut modes = all().map(|row| row.mode);
        modes.find(|mode| mode.name() == name)
    }

    /// The row of this mode.
    pub fn row(self) -> &'static ModeRow {
        all()
            .find(|row| row.mode == self)
            .unwrap_or(&modes::idling::ROW)
    }

    /// The name as it is written on wires.
    pub fn name(self) -> &'static str {
        match self {
            Mode::Idling => "idling",
            Mode::Sleeping => "sleeping",
            Mode::OneShotting => "one-shotting",
            Mode::Pausing => "pausing",
            Mode::Soloing => "soloing",
            Mode::WorkingSolo => "working-solo",
            Mode::WorkingDrone => "working-drone",
            Mode::WorkingOrchestrator => "working-orchestrator",
            Mode::StandingBy => "standing-by",
            Mode::OrchestratingActive => "orchestrating-active",
            Mode::OrchestratingWaiting => "orchestrating-waiting",
            Mode::DuoOrchestratingActive => "duo-orchestrating-active",
            Mode::DuoOrchestratingWaiting => "duo-orchestrating-waiting",
            Mode::Added(name) => name,
        }
    }
}
