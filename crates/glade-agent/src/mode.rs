//! Modes: which actions, parts and memory apply now, and what happens at the edges of a prompt.
//!
//! [`Mode`] names all of them; [`TABLE`] holds the ones that a fairy can be in today, one file a row
//! under `modes/`. A new mode is a new row.

use serde::{Deserialize, Serialize};

use crate::modes;

/// The names of all modes.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
#[serde(rename_all = "kebab-case")]
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
}

/// How far back memory reaches.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
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
    /// Names of the parts that a prompt in this mode is made of; empty: nothing is ever asked.
    pub parts: &'static [&'static str],
    /// Names of the actions allowed in this mode.
    pub actions: &'static [&'static str],
    /// What the system prompt says of this mode.
    pub about: &'static str,
    pub hooks: Hooks,
}

/// Where the edges of a prompt lead.
#[derive(Debug)]
pub struct Hooks {
    /// An input came: the mode that works on it.
    pub on_prompt: Mode,
    /// The run came to its end with nothing left to do.
    pub on_end: Mode,
    /// A person's Stop (an interrupt by a new input does not fire it).
    pub on_cancel: Mode,
}

/// The modes that a fairy can be in.
pub static TABLE: &[&ModeRow] = &[&modes::idling::ROW, &modes::one_shotting::ROW];

impl Mode {
    /// The row of this mode; a mode without one yet behaves as idling.
    pub fn row(self) -> &'static ModeRow {
        TABLE
            .iter()
            .find(|row| row.mode == self)
            .copied()
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
        }
    }
}
