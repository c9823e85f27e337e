//! One request, answered at once on the canvas, with a todo list if it takes several steps.

use crate::mode::{Hooks, MemoryLevel, Mode, ModeRow, OnPrompt, WhileOpen};

pub static ROW: ModeRow = ModeRow {
    mode: Mode::OneShotting,
    memory: MemoryLevel::Fairy,
    parts: &[
        "sign",
        "mode",
        "time",
        "user-viewport",
        "agent-viewport",
        "blurry-shapes",
        "peripheral-shapes",
        "pages",
        "screenshot",
        "selected-shapes",
        "context-items",
        "canvas-lints",
        "other-fairies",
        "todo-list",
        "data",
        "chat-history",
        "messages",
    ],
    actions: &[
        "message",
        "think",
        "fly-to-bounds",
        "review",
        "add-detail",
        "count",
        "search",
        "change-page",
        "create-page",
        "clear",
        "upsert-personal-todo-item",
        "delete-personal-todo-items",
        "claim-todo-item",
        "random-wikipedia-article",
        "country-info",
    ],
    edits: true,
    about: "You are one-shotting: do what the person asks now, as a small and careful piece of work. If it \
            takes more than one answer, write a personal todo list first and work it off: you are asked \
            again while anything on it is open. When you have said and drawn what is needed, end the answer.",
    hooks: Hooks {
        on_prompt: OnPrompt::Stay,
        while_open: WhileOpen::Todos,
        on_end: Mode::Idling,
        on_cancel: Mode::Pausing,
        on_enter: &[],
        on_exit: &[],
    },
};
