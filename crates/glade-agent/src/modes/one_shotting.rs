//! One request, answered at once on the canvas, then idle again.

use crate::mode::{Hooks, MemoryLevel, Mode, ModeRow};

pub static ROW: ModeRow = ModeRow {
    mode: Mode::OneShotting,
    memory: MemoryLevel::Fairy,
    parts: &[
        "mode",
        "user-viewport",
        "agent-viewport",
        "blurry-shapes",
        "peripheral-shapes",
        "selected-shapes",
        "chat-history",
        "messages",
    ],
    actions: &[
        "message", "think", "create", "update", "label", "move", "delete",
    ],
    about: "You are one-shotting: do what the person asks now, in this one answer, as a small and \
            careful piece of work. When you have said and drawn what is needed, end the answer.",
    hooks: Hooks {
        on_prompt: Mode::OneShotting,
        on_end: Mode::Idling,
        // Becomes `pausing` when that row exists: there a prompt resumes the open todos.
        on_cancel: Mode::Idling,
    },
};
