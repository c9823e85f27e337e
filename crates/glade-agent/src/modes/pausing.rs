//! Stopped by a person in the middle of a request. Its todos are kept: an input resumes from there.

use crate::mode::{Hooks, MemoryLevel, Mode, ModeRow, OnPrompt, WhileOpen};

pub static ROW: ModeRow = ModeRow {
    mode: Mode::Pausing,
    memory: MemoryLevel::Fairy,
    sees: &[],
    work: &[],
    about: "You were stopped and wait for the person.",
    hooks: Hooks {
        on_prompt: OnPrompt::To(Mode::OneShotting),
        while_open: WhileOpen::Nothing,
        on_end: Mode::Pausing,
        on_cancel: Mode::Pausing,
        on_enter: &[],
        on_exit: &[],
    },
};
