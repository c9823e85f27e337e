//! A member of a project between two tasks. Sees nothing, does nothing, until its orchestrator directs
//! it to a task; a person's own request takes it out of this, and it can still be directed afterwards.

use crate::mode::{Hooks, MemoryLevel, Mode, ModeRow, OnPrompt, WhileOpen};

pub static ROW: ModeRow = ModeRow {
    mode: Mode::StandingBy,
    memory: MemoryLevel::Project,
    sees: &[],
    work: &[],
    about: "You stand by for your project's next task.",
    hooks: Hooks {
        on_prompt: OnPrompt::To(Mode::OneShotting),
        while_open: WhileOpen::Nothing,
        on_end: Mode::StandingBy,
        on_cancel: Mode::Idling,
        on_enter: &[],
        on_exit: &[],
    },
};
