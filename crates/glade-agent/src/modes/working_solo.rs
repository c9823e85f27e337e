//! Doing one task of its own plan, within the task's bounds, until it is marked as done.

use crate::facts::Work;
use crate::mode::{Clear, Hooks, MemoryLevel, Mode, ModeRow, OnPrompt, WhileOpen};
use crate::part::Topic;

pub static ROW: ModeRow = ModeRow {
    mode: Mode::WorkingSolo,
    memory: MemoryLevel::Task,
    sees: &[
        Topic::Run,
        Topic::InView,
        Topic::UserActions,
        Topic::Tasks,
        Topic::Todos,
    ],
    work: &[Work::Think, Work::OwnTask, Work::KeepTodos, Work::Edit],
    about: "You are working on one task: do all of it and nothing else, within the area that you see, then mark \
            it as done.",
    hooks: Hooks {
        on_prompt: OnPrompt::Stay,
        while_open: WhileOpen::CurrentTask,
        on_end: Mode::Soloing,
        on_cancel: Mode::Idling,
        on_enter: &[Clear::TaskMemory],
        on_exit: &[Clear::TaskMemory, Clear::CurrentTask, Clear::Todos],
    },
};
