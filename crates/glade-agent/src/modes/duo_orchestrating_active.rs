//! Leading a duo: planning for two, directing the partner, working too.

use crate::facts::Work;
use crate::mode::{Hooks, MemoryLevel, Mode, ModeRow, OnPrompt, WhileOpen};
use crate::part::Topic;

pub static ROW: ModeRow = ModeRow {
    mode: Mode::DuoOrchestratingActive,
    memory: MemoryLevel::Project,
    sees: &[
        Topic::Run,
        Topic::InView,
        Topic::Around,
        Topic::Lints,
        Topic::UserActions,
        Topic::Project,
    ],
    work: &[
        Work::Speak,
        Work::Think,
        Work::Look,
        Work::LeadDuo,
        Work::Await,
    ],
    about: "You lead a project of two, your partner and you. First start it, with a name, a colour and a plan. Create its \
            tasks, some for your partner and some for yourself, each with an area of its own that no other task's area \
            overlaps. Direct your partner to a task, then start one of yours: you work only inside of a task. When you \
            have nothing left to do yourself, await your partner's tasks: your answer ends there. When all is done, end \
            the project and tell the person in a sentence what was made.",
    hooks: Hooks {
        on_prompt: OnPrompt::Stay,
        while_open: WhileOpen::Project {
            waiting: Mode::DuoOrchestratingWaiting,
        },
        on_end: Mode::Idling,
        on_cancel: Mode::Idling,
        on_enter: &[],
        on_exit: &[],
    },
};
