//! The leader of a duo that waits for its partner. What it waits for wakes it.

use crate::mode::{Hooks, MemoryLevel, Mode, ModeRow, OnPrompt, WhileOpen};

pub static ROW: ModeRow = ModeRow {
    mode: Mode::DuoOrchestratingWaiting,
    memory: MemoryLevel::Project,
    sees: &[],
    work: &[],
    about: "You wait for your partner.",
    hooks: Hooks {
        on_prompt: OnPrompt::To(Mode::DuoOrchestratingActive),
        while_open: WhileOpen::Nothing,
        on_end: Mode::DuoOrchestratingWaiting,
        on_cancel: Mode::Idling,
        on_enter: &[],
        on_exit: &[],
    },
};
