//! What answers a fairy's prompts.
//!
//! Every model is behind one trait, [`Model`]: a [`Prompt`](glade_agent::Prompt) in, a stream of
//! [`ModelEvent`]s out, cancelled by dropping it. Errors are told apart by what a person or a host can
//! do about them ([`ModelError`]), never by a provider's wording.
//!
//! Here today is [`sketch`], the model that is always there: built in, rule-based, deterministic, and
//! honest about being that. It is the demo for people without a key, the test double and the load
//! generator; it gets the same prompts as any other model and answers through the same stream.
//!
//! # Invariants
//!
//! - A stream ends with one [`ModelEvent::Done`] or one error. Ending without either means that it was
//!   cut ([`ModelError::Cut`]); nobody may take that for success.
//! - A model knows nothing but its prompt: no page, no server, no other request.
//! - `sketch` draws nothing over what it was shown, ties both ends of every arrow, and answers the same
//!   prompt always with the same text.
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod model;
pub mod sketch;

pub use model::{Model, ModelError, ModelEvent};
pub use sketch::SketchModel;
