//! Leading a project: planning it as tasks, directing fairies to them, reviewing what they made.

use crate::facts::Work;
use crate::mode::{Hooks, MemoryLevel, Mode, ModeRow, OnPrompt, WhileOpen};
use crate::part::Topic;

pub static ROW: ModeRow = ModeRow {
    mode: Mode::OrchestratingActive,
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
        Work::Lead,
        Work::Await,
    ],
    about: "You lead a project and make nothing yourself. First start it, with a name, a colour and a plan. Create its \
            tasks: each has one owner among the members and an area of its own that no other task's area overlaps. \
            Direct the fairies to their tasks, all that can work at once, then await the completion of what is under \
            way: your answer ends there. When you are woken, look at what was made, direct what is left, and when all \
            is done end the project and tell the person in a sentence what was made.",
    hooks: Hooks {
        on_prompt: OnPrompt::Stay,
        while_open: WhileOpen::Project {
            waiting: Mode::OrchestratingWaiting,
        },
        on_end: Mode::Idling,
        on_cancel: Mode::Idling,
        on_enter: &[],
        on_exit: &[],
    },
};
