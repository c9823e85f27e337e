//! One request, answered at once on the canvas, with a todo list if it takes several steps.

use crate::facts::Work;
use crate::mode::{Hooks, MemoryLevel, Mode, ModeRow, OnPrompt, WhileOpen};
use crate::part::Topic;

pub static ROW: ModeRow = ModeRow {
    mode: Mode::OneShotting,
    memory: MemoryLevel::Fairy,
    sees: &[
        Topic::Run,
        Topic::InView,
        Topic::Around,
        Topic::Pages,
        Topic::Lints,
        Topic::UserActions,
        Topic::Todos,
    ],
    work: &[
        Work::Speak,
        Work::Think,
        Work::Look,
        Work::Answer,
        Work::KeepTodos,
        Work::Edit,
    ],
    about: "You are one-shotting: do what the person asks now, as a small and careful piece of work. If it \
            takes more than one answer, write a personal todo list first and work it off: you are asked \
            again while anything on it is open. When you have said and done what is needed, end the answer.",
    hooks: Hooks {
        on_prompt: OnPrompt::Stay,
        while_open: WhileOpen::Todos,
        on_end: Mode::Idling,
        on_cancel: Mode::Pausing,
        on_enter: &[],
        on_exit: &[],
    },
};
