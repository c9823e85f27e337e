//! A conversation about the project: what was said becomes a request, and an answer becomes what is
//! shown and stored.
//!
//! The loop is the fairy's own (`glade-agent`, in rounds of tool calls); here is what only code has:
//! [`dialogue`] is the request that a run begins with, and a [`Message`] is its answer as the AI SDK
//! has it. [`turns_of`] makes a model's conversation of a list of messages.

mod message;
mod turns;

pub use message::{Message, with_names_of_today};
pub use turns::{LONGEST, turns_of};

use glade_agent::{Dialogue, DialogueTurn, ToolSpec};

use crate::tool::{TOOLS, Tool};

/// What a request may cost, unless somebody says otherwise.
const OUTPUT_TOKENS: u32 = 10_000;
const TEMPERATURE: f32 = 0.7;
const THINKING: u32 = 10_000;

/// A run's first request: what was said before, the person's newest words last, and the tools that
/// may be called.
pub fn dialogue(
    system: String,
    turns: Vec<DialogueTurn>,
    may: impl Fn(&'static dyn Tool) -> bool,
) -> Dialogue {
    let offered = TOOLS.iter().filter(|tool| may(**tool));
    let offers = offered.map(|tool| ToolSpec {
        name: tool.name().to_owned(),
        about: tool.action().facts().about.to_owned(),
        input: tool.action().input(),
    });
    Dialogue {
        system,
        turns,
        tools: offers.collect(),
        max_output_tokens: OUTPUT_TOKENS,
        temperature: TEMPERATURE,
        thinking: Some(THINKING),
    }
}
