//! Waiting for somebody to ask. Sees nothing, does nothing; an input starts one-shotting.

use crate::mode::{Hooks, MemoryLevel, Mode, ModeRow};

pub static ROW: ModeRow = ModeRow {
    mode: Mode::Idling,
    memory: MemoryLevel::Fairy,
    parts: &[],
    actions: &[],
    about: "You are waiting for somebody to ask you for something.",
    hooks: Hooks {
        on_prompt: Mode::OneShotting,
        on_end: Mode::Idling,
        on_cancel: Mode::Idling,
    },
};
