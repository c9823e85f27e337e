//! What is stored of a fairy, and the snapshot of it that a crash goes back to.

use std::collections::BTreeSet;
use std::sync::Arc;

use glade_canvas::{Point, Rect};
use glade_doc::RunId;
use serde::{Deserialize, Serialize};

use crate::agenda::Agenda;
use crate::coords::Coords;
use crate::history::History;
use crate::ids::IdMap;
use crate::mode::Mode;
use crate::reading::Reading;
use crate::run::Run;
use crate::steady::Steady;

/// What a fairy keeps from run to run.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AgentState {
    pub mode: Mode,
    pub view: Rect,
    /// Where the sprite is, in page coordinates.
    pub position: Point,
    pub flip: bool,
    /// Set when the chat begins.
    pub coords: Option<Coords>,
    pub ids: IdMap,
    /// What it has before its eyes of text pages.
    #[serde(default)]
    pub reading: Reading,
    pub history: History,
    /// Steps and actions are numbered through the fairy's whole life, so that nothing late can be
    /// mistaken for something of now.
    pub last_step: u32,
    pub last_action: u32,
    #[serde(default)]
    pub agenda: Agenda,
    /// Lints that were pointed out already: each is, once.
    #[serde(default)]
    pub surfaced: BTreeSet<String>,
    /// How the page was told at the beginning of the last prompts; after a restart that begins anew.
    #[serde(skip)]
    pub steady: Steady,
}

/// The state of a fairy between two steps, shared with the fairy until that changes it. A run in it
/// has the request that it goes on with, after [`crate::Event::Resume`].
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Checkpoint {
    #[serde(flatten, with = "shared")]
    pub(crate) state: Arc<AgentState>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) run: Option<Run>,
}

impl Checkpoint {
    /// The run that goes on from here.
    pub fn run(&self) -> Option<&RunId> {
        self.run.as_ref().map(|run| &run.id)
    }

    /// Drops a run that cannot go on, with nothing said or done.
    pub fn forget_run(&mut self) {
        self.run = None;
    }

    /// The number of the last action: what is numbered higher came later.
    pub fn last_action(&self) -> u32 {
        self.state.last_action
    }
}

mod shared {
    use super::{AgentState, Arc, Deserialize, Serialize};

    pub fn serialize<S: serde::Serializer>(
        state: &Arc<AgentState>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        state.as_ref().serialize(to)
    }

    pub fn deserialize<'de, D: serde::Deserializer<'de>>(
        from: D,
    ) -> Result<Arc<AgentState>, D::Error> {
        AgentState::deserialize(from).map(Arc::new)
    }
}
