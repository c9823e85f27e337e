//! An orchestrator that waits for tasks to be completed. What it waits for wakes it.

use crate::mode::{Hooks, MemoryLevel, Mode, ModeRow, OnPrompt, WhileOpen};

pub static ROW: ModeRow = ModeRow {
    mode: Mode::OrchestratingWaiting,
    memory: MemoryLevel::Project,
    sees: &[],
    work: &[],
    about: "You wait for your project's fairies.",
    hooks: Hooks {
        on_prompt: OnPrompt::To(Mode::OrchestratingActive),
        while_open: WhileOpen::Nothing,
        on_end: Mode::OrchestratingWaiting,
        on_cancel: Mode::Idling,
        on_enter: &[],
        on_exit: &[],
    },
};
