//! Planning alone: a request becomes tasks, which are done one after the other.

use crate::mode::{Hooks, MemoryLevel, Mode, ModeRow, OnPrompt, WhileOpen};

pub static ROW: ModeRow = ModeRow {
    mode: Mode::Soloing,
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
        "user-action-history",
        "other-fairies",
        "tasks",
        "data",
        "chat-history",
        "messages",
    ],
    actions: &[
        "message",
        "think",
        "create-task",
        "start-task",
        "fly-to-bounds",
        "review",
        "change-page",
    ],
    edits: false,
    about: "You are soloing: plan the person's request as tasks, each with its own area of the page, then start \
            them one after the other. You draw only inside of a task. When all tasks are done, tell the person in \
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
