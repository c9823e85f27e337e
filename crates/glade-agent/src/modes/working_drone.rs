//! Doing a task of a project, within the task's bounds, until it is marked as done.

use crate::facts::Work;
use crate::mode::{Clear, Hooks, MemoryLevel, Mode, ModeRow, OnPrompt, WhileOpen};
use crate::part::Topic;

pub static ROW: ModeRow = ModeRow {
    mode: Mode::WorkingDrone,
    memory: MemoryLevel::Task,
    sees: &[
        Topic::Run,
        Topic::InView,
        Topic::Project,
        Topic::Tasks,
        Topic::UserActions,
        Topic::Todos,
    ],
    work: &[Work::Think, Work::ProjectTask, Work::KeepTodos, Work::Edit],
    about: "You work on one task of a project that another fairy leads: do all of it and nothing else, within the \
            task's bounds (what lies outside is refused), then mark it as done.",
    hooks: Hooks {
        on_prompt: OnPrompt::Stay,
        while_open: WhileOpen::ProjectTask,
        on_end: Mode::StandingBy,
        on_cancel: Mode::Idling,
        on_enter: &[Clear::TaskMemory],
        on_exit: &[Clear::TaskMemory, Clear::Todos],
    },
};
