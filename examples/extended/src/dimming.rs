//! A mode.

// docs: mode
use glade_agent::facts::Work;
use glade_agent::part::Topic;
use glade_agent::{Hooks, MemoryLevel, Mode, ModeRow, OnPrompt, WhileOpen};

/// Going over a page and making less of what is done with.
pub static ROW: ModeRow = ModeRow {
    mode: Mode::Added("dimming"),
    memory: MemoryLevel::Fairy,
    sees: &[Topic::Run, Topic::InView],
    work: &[Work::Speak, Work::Think, Work::Edit],
    about: "You are dimming: fade what is done with, and change nothing else.",
    hooks: Hooks {
        on_prompt: OnPrompt::Stay,
        while_open: WhileOpen::Nothing,
        on_end: Mode::Idling,
        on_cancel: Mode::Idling,
        on_enter: &[],
        on_exit: &[],
    },
};
// docs: end
