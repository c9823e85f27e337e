//! Asking again, patiently.
//!
//! A request that failed before its first word may be made again without anybody noticing; once a
//! word was heard it is in the fairy's hands, and the core decides. The wait is the provider's, where
//! it names one, and doubles otherwise; one that is longer than a person would sit through is not
//! waited for but told. Dropping the stream ends the wait at once.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::Arc;
use std::time::Duration;

use futures_util::stream::{self, BoxStream, StreamExt};
use glade_agent::{Dialogue, Prompt};

use crate::model::{Model, ModelError, ModelEvent};

/// How often and how long.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RetryPolicy {
    /// Requests in all, the first included.
    pub attempts: u32,
    /// The first wait; each further one is twice as long.
    pub first: Duration,
    /// Nobody waits longer than this for one more attempt.
    pub longest: Duration,
    /// Up to this share is added to a wait by chance, so that many fairies do not come back at once.
    pub scatter: f64,
}

impl Default for RetryPolicy {
    fn default() -> Self {
        Self {
            attempts: 4,
            first: Duration::from_millis(800),
            longest: Duration::from_secs(60),
            scatter: 0.25,
        }
    }
}

impl RetryPolicy {
    /// How long to wait before the next attempt, after `failed` of them; `None`: give up.
    pub fn wait(&self, failed: u32, error: &ModelError) -> Option<Duration> {
        if !error.retryable() || failed >= self.attempts {
            return None;
        }
        let doubled = self
            .first
            .saturating_mul(2u32.saturating_pow(failed.saturating_sub(1)));
        let wait = match error.retry_after() {
            Some(asked) if asked > self.longest => return None,
            Some(asked) => asked,
            None => doubled.min(self.longest),
        };
        let scatter = 1.0 + self.scatter.clamp(0.0, 1.0) * chance();
        Some(wait.mul_f64(scatter))
    }
}

/// Between 0 and 1.
fn chance() -> f64 {
    let random = RandomState::new().build_hasher().finish();
    random as f64 / u64::MAX as f64
}

/// A model that is asked again when it makes sense.
#[derive(Debug, Clone)]
pub struct Retrying<M> {
    model: Arc<M>,
    policy: RetryPolicy,
}

impl<M: Model> Retrying<M> {
    pub fn new(model: M, policy: RetryPolicy) -> Self {
        Self {
            model: Arc::new(model),
            policy,
        }
    }
}

type Events = BoxStream<'static, Result<ModelEvent, ModelError>>;

impl<M: Model> Retrying<M> {
    fn trying(&self, ask: impl Fn() -> Events + Send + 'static) -> Events {
        let trying = Trying {
            name: self.model.name().to_owned(),
            policy: self.policy,
            answer: ask(),
            ask: Box::new(ask),
            failed: 0,
            heard: false,
            over: false,
        };
        stream::unfold(trying, |mut trying| async move {
            if trying.over {
                return None;
            }
            loop {
                let event = match trying.answer.next().await {
                    Some(event) => event,
                    None => Err(ModelError::Cut {
                        model: trying.name.clone(),
                    }),
                };
                let error = match event {
                    Ok(event) => {
                        trying.heard = true;
                        trying.over = matches!(event, ModelEvent::Done { .. });
                        return Some((Ok(event), trying));
                    }
                    Err(error) => error,
                };
                trying.failed += 1;
                let wait = trying.policy.wait(trying.failed, &error);
                let Some(wait) = wait.filter(|_| !trying.heard) else {
                    trying.over = true;
                    return Some((Err(error), trying));
                };
                tracing::info!(model = trying.name, %error, wait_ms = wait.as_millis() as u64, "asking again");
                // The refused request's line is closed before the wait.
                trying.answer = stream::empty().boxed();
                tokio::time::sleep(wait).await;
                trying.answer = (trying.ask)();
            }
        })
        .boxed()
    }
}

struct Trying {
    name: String,
    policy: RetryPolicy,
    /// Asks, from the start.
    ask: Box<dyn Fn() -> Events + Send>,
    answer: Events,
    failed: u32,
    heard: bool,
    over: bool,
}

impl<M: Model + 'static> Model for Retrying<M> {
    fn name(&self) -> &str {
        self.model.name()
    }

    fn label(&self) -> &str {
        self.model.label()
    }

    fn sees(&self) -> bool {
        self.model.sees()
    }

    fn ask(&self, prompt: Prompt) -> Events {
        let model = Arc::clone(&self.model);
        self.trying(move || model.ask(prompt.clone()))
    }

    fn converse(&self, dialogue: Dialogue) -> Events {
        let model = Arc::clone(&self.model);
        self.trying(move || model.converse(dialogue.clone()))
    }
}
