//! The one trait that every model is behind.

use std::time::Duration;

use futures_util::stream::{self, BoxStream, StreamExt};
use glade_agent::{CallEvent, Dialogue, Event, Failure, FailureKind, Prompt, StopReason, Usage};

/// Something that answers prompts.
pub trait Model: Send + Sync {
    /// The name by which it is chosen: `sketch`, `anthropic/…`.
    fn name(&self) -> &str;

    /// What people are told that it is.
    fn label(&self) -> &str;

    /// Whether it can look at pictures.
    fn sees(&self) -> bool {
        false
    }

    /// Answers a prompt. The stream ends after one [`ModelEvent::Done`] or one error; a stream that
    /// ends without either was cut, and whoever reads it says so ([`ModelError::Cut`]). Dropping the
    /// stream cancels the request.
    fn ask(&self, prompt: Prompt) -> BoxStream<'static, Result<ModelEvent, ModelError>>;

    /// Goes on with a conversation, calling tools. The rules of the stream are those of
    /// [`Model::ask`]. A model that cannot call tools says so.
    fn converse(&self, _: Dialogue) -> BoxStream<'static, Result<ModelEvent, ModelError>> {
        let error = ModelError::Other {
            model: self.name().to_owned(),
            detail: "it cannot call tools: choose another model".to_owned(),
        };
        stream::iter([Err(error)]).boxed()
    }
}

/// A piece of an answer.
#[derive(Debug, Clone, PartialEq)]
pub enum ModelEvent {
    Text(String),
    Thinking(String),
    /// The provider's seal on what was thought since the last one; only in a [`Dialogue`].
    Signed(String),
    /// A tool is called; only in a [`Dialogue`].
    Call(CallEvent),
    /// What the request cost besides the tokens that [`ModelEvent::Done`] counts; right before it,
    /// where the provider says anything about it.
    Spent(Spent),
    /// The answer is over.
    Done {
        usage: Usage,
        stop: StopReason,
    },
}

impl ModelEvent {
    /// What the core hears of it, as a piece of the answer to `step`.
    pub fn heard(self, step: u32) -> Event {
        match self {
            Self::Text(text) => Event::Delta { step, text },
            Self::Thinking(text) => Event::Thinking { step, text },
            Self::Signed(signature) => Event::Sealed { step, signature },
            Self::Call(call) => Event::Call { step, call },
            Self::Spent(spent) => Event::Spent {
                step,
                usd: spent.usd.unwrap_or(0.0),
            },
            Self::Done { usage, stop } => Event::Answered { step, usage, stop },
        }
    }
}

/// What a request cost.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Spent {
    /// Of the input tokens, those that the provider had kept from an earlier request.
    pub cache_read_tokens: u64,
    /// Of the input tokens, those that it keeps for a later one.
    pub cache_write_tokens: u64,
    /// Dollars, where the model's price is known (`prices.rs`); never a guess.
    pub usd: Option<f64>,
}

/// Why a model did not answer, told apart by what can be done about it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ModelError {
    #[error("the provider refused the key for {model}: check it in the settings ({detail})")]
    Auth { model: String, detail: String },
    #[error("{model} has had too many requests for now: wait a moment and ask again")]
    RateLimited {
        model: String,
        retry_after: Option<Duration>,
    },
    #[error("{model} is overloaded: ask again in a little while")]
    Overloaded {
        model: String,
        retry_after: Option<Duration>,
    },
    #[error(
        "the plan or the credits for {model} are used up: top them up, or choose another model ({detail})"
    )]
    PlanLimit { model: String, detail: String },
    #[error(
        "this is more than {model} can read at once: start a new chat, or look at a smaller part of the page"
    )]
    ContextTooLong { model: String },
    #[error("the provider of {model} will not answer this: try other words")]
    ContentFilter { model: String },
    #[error("the answer of {model} broke off in the middle: ask again")]
    Cut { model: String },
    #[error(
        "{model} sent more than {most}, and was ended there; what it did before stands: ask for less at once"
    )]
    TooMuch { model: String, most: String },
    #[error("the request was cancelled")]
    Cancelled,
    #[error(
        "{model} could not be reached: check the network and the address in the settings ({detail})"
    )]
    Unreachable { model: String, detail: String },
    #[error(
        "{model} is not set up here: give its provider a key or an address in the settings, or choose another model ({detail})"
    )]
    NotConfigured { model: String, detail: String },
    #[error("the provider does not know {model}: check the name in the settings ({detail})")]
    NoSuchModel { model: String, detail: String },
    #[error("{model} failed: {detail}")]
    Other { model: String, detail: String },
}

impl From<&ModelError> for Failure {
    fn from(error: &ModelError) -> Self {
        let kind = match error {
            ModelError::Auth { .. } => FailureKind::Auth,
            ModelError::RateLimited { .. } | ModelError::Overloaded { .. } => {
                FailureKind::PlanLimit
            }
            ModelError::PlanLimit { .. } => FailureKind::Credits,
            ModelError::Unreachable { .. }
            | ModelError::ContextTooLong { .. }
            | ModelError::ContentFilter { .. }
            | ModelError::Cut { .. }
            | ModelError::TooMuch { .. }
            | ModelError::Cancelled
            | ModelError::NotConfigured { .. }
            | ModelError::NoSuchModel { .. }
            | ModelError::Other { .. } => FailureKind::Generic,
        };
        let wait = error.retry_after().map(|wait| wait.as_millis());
        Self {
            kind,
            message: error.to_string(),
            retry_after_ms: wait.and_then(|wait| u64::try_from(wait).ok()),
        }
    }
}

impl ModelError {
    /// What the core hears of it, in place of the answer to `step`.
    pub fn heard(&self, step: u32) -> Event {
        Event::Failed {
            step,
            failure: Failure::from(self),
            retryable: self.retryable(),
        }
    }

    /// Whether asking the same again may help.
    pub fn retryable(&self) -> bool {
        match self {
            Self::RateLimited { .. }
            | Self::Overloaded { .. }
            | Self::Cut { .. }
            | Self::Unreachable { .. } => true,
            Self::Auth { .. }
            | Self::PlanLimit { .. }
            | Self::ContextTooLong { .. }
            | Self::ContentFilter { .. }
            | Self::TooMuch { .. }
            | Self::Cancelled
            | Self::NotConfigured { .. }
            | Self::NoSuchModel { .. }
            | Self::Other { .. } => false,
        }
    }

    /// How long the provider asks to wait.
    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::RateLimited { retry_after, .. } | Self::Overloaded { retry_after, .. } => {
                *retry_after
            }
            _ => None,
        }
    }
}
