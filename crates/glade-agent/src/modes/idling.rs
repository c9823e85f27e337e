//! Waiting for somebody to ask. Sees nothing, does nothing; an input starts one-shotting or, for a
//! fairy that plans first, soloing.

use crate::mode::{Clear, Hooks, MemoryLevel, Mode, ModeRow, OnPrompt, WhileOpen};

pub static ROW: ModeRow = ModeRow {
    mode: Mode::Idling,
    memory: MemoryLevel::Fairy,
    sees: &[],
    work: &[],
    about: "You are waiting for somebody to ask you for something.",
    hooks: Hooks {
        on_prompt: OnPrompt::Start,
        while_open: WhileOpen::Nothing,
        on_end: Mode::Idling,
        on_cancel: Mode::Idling,
        on_enter: &[Clear::Todos],
        on_exit: &[],
    },
};
