//! A conversation about the project: what was said becomes a request, and an answer becomes what is
//! shown, carried out and said next.
//!
//! Everything here is pure. [`Conversation`] hears what a model and the tools say and answers with
//! [`Effect`]s; whoever drives it has the network, the files and the clock. A message is kept as the
//! AI SDK has it, a `UIMessage`; [`turns_of`] makes a model's conversation of a list of them.

mod conversation;
mod ending;
mod message;
mod turns;

pub use conversation::{ChatInput, Conversation, Effect, Setup};
pub use ending::{Ending, Failure};
pub use message::{Message, with_names_of_today};
pub use turns::{LONGEST, turns_of};
