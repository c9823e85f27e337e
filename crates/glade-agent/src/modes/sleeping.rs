//! Asleep: as idle as idling, and shown so. An input wakes it.

use crate::mode::{Hooks, MemoryLevel, Mode, ModeRow, OnPrompt, WhileOpen};

pub static ROW: ModeRow = ModeRow {
    mode: Mode::Sleeping,
    memory: MemoryLevel::Fairy,
    sees: &[],
    work: &[],
    about: "You are asleep.",
    hooks: Hooks {
        on_prompt: OnPrompt::Start,
        while_open: WhileOpen::Nothing,
        on_end: Mode::Sleeping,
        on_cancel: Mode::Sleeping,
        on_enter: &[],
        on_exit: &[],
    },
};
