//! The leader of a duo at a task of its own, until it is marked as done.

use crate::facts::Work;
use crate::mode::{Clear, Hooks, MemoryLevel, Mode, ModeRow, OnPrompt, WhileOpen};
use crate::part::Topic;

pub static ROW: ModeRow = ModeRow {
    mode: Mode::WorkingOrchestrator,
    memory: MemoryLevel::Task,
    sees: &[
        Topic::Run,
        Topic::InView,
        Topic::Project,
        Topic::Tasks,
        Topic::UserActions,
        Topic::Todos,
    ],
    work: &[Work::Think, Work::DuoTask, Work::KeepTodos, Work::Edit],
    about: "You lead a duo and work on one of its tasks yourself: do all of it and nothing else, within the task's \
            bounds (what lies outside is refused), then mark it as done and go back to leading.",
    hooks: Hooks {
        on_prompt: OnPrompt::Stay,
        while_open: WhileOpen::ProjectTask,
        on_end: Mode::DuoOrchestratingActive,
        on_cancel: Mode::Idling,
        on_enter: &[Clear::TaskMemory],
        on_exit: &[Clear::TaskMemory, Clear::Todos],
    },
};
