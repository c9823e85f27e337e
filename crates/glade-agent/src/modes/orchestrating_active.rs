//! Leading a project: planning it as tasks, directing fairies to them, reviewing what they made.

use crate::mode::{Hooks, MemoryLevel, Mode, ModeRow, OnPrompt, WhileOpen};

/// What whoever leads sees.
pub const PARTS: &[&str] = &[
    "sign",
    "mode",
    "time",
    "user-viewport",
    "agent-viewport",
    "blurry-shapes",
    "peripheral-shapes",
    "screenshot",
    "selected-shapes",
    "canvas-lints",
    "user-action-history",
    "other-fairies",
    "current-project",
    "data",
    "chat-history",
    "messages",
];

pub static ROW: ModeRow = ModeRow {
    mode: Mode::OrchestratingActive,
    memory: MemoryLevel::Project,
    parts: PARTS,
    actions: &[
        "message",
        "think",
        "fly-to-bounds",
        "review",
        "change-page",
        "start-project",
        "end-project",
        "abort-project",
        "create-project-task",
        "delete-project-task",
        "direct-to-start-project-task",
        "await-tasks-completion",
        "await-mode-transition",
        "await-event",
    ],
    edits: false,
    about: "You lead a project and draw nothing yourself. First start it, with a name, a colour and a plan. Create its \
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
