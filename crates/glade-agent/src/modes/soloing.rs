//! Planning alone: a request becomes tasks, which are done one after the other.

use crate::facts::Work;
use crate::mode::{Hooks, MemoryLevel, Mode, ModeRow, OnPrompt, WhileOpen};
use crate::part::Topic;

pub static ROW: ModeRow = ModeRow {
    mode: Mode::Soloing,
    memory: MemoryLevel::Fairy,
    sees: &[
        Topic::Run,
        Topic::InView,
        Topic::Around,
        Topic::Pages,
        Topic::UserActions,
        Topic::Tasks,
    ],
    work: &[Work::Speak, Work::Think, Work::Plan, Work::Look],
    about: "You are soloing: plan the person's request as tasks, each with its own area of the page, then start \
            them one after the other. You work only inside of a task. When all tasks are done, tell the person in \
            a sentence what you made.",
    hooks: Hooks {
        on_prompt: OnPrompt::Stay,
        while_open: WhileOpen::Tasks,
        on_end: Mode::Idling,
        on_cancel: Mode::Idling,
        on_enter: &[],
        on_exit: &[],
    },
};
