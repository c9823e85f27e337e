//! What answers a fairy's prompts.
//!
//! Every model is behind one trait, [`Model`]: a [`Prompt`](glade_agent::Prompt) in, a stream of
//! [`ModelEvent`]s out, cancelled by dropping it. Errors are told apart by what a person or a host can
//! do about them ([`ModelError`]), never by a provider's wording.
//!
//! The built-in model is a crate of its own, `glade-sketch`. [`Provider`] is a model of someone else's: Anthropic, OpenAI, Gemini, or any server that speaks
//! OpenAI's language. [`Retrying`] asks again where that makes sense; [`Bounded`] ends
//! an answer that goes on and on; [`key`] keeps keys unseen;
//! [`prices`] knows what a request costs.
//!
//! # Invariants
//!
//! - A stream ends with one [`ModelEvent::Done`] or one error. Ending without either means that it was
//!   cut ([`ModelError::Cut`]); nobody may take that for success.
//! - Nothing is sent anywhere unless someone gave a key or an address: a [`Provider`] cannot be made
//!   without saying where it is.
//! - A key is in a request's header and nowhere else: in no address, log, `Debug` print or error.
//! - A model knows nothing but its prompt: no page, no server, no other request.
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod budget;
pub mod key;
mod model;
pub mod prices;
mod provider;
mod retry;

pub use budget::{AnswerBudget, Bounded};
pub use glade_agent::{
    CallEvent, Dialogue, DialogueTurn, Image, Thought, ToolCall, ToolResult, ToolSpec,
};
pub use model::{Model, ModelError, ModelEvent, Spent};
pub use provider::{Client, ClientError, Extras, Limits, ModelSpec, Provider, TokenCounts, Wire};
pub use retry::{RetryPolicy, Retrying};
