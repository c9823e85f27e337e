//! Asking again: how often, how long, and never after a word was heard. Time stands still here and
//! jumps when everybody waits.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::stream::{self, BoxStream};
use futures_util::{FutureExt, StreamExt};
use glade_agent::{Prompt, StopReason, Usage};
use glade_model::{Model, ModelError, ModelEvent, RetryPolicy, Retrying};
use tokio::time::Instant;

use crate::fake::prompt;

type Event = Result<ModelEvent, ModelError>;

/// Answers from a list; keeps when it was asked.
#[derive(Clone, Default)]
struct Listed {
    answers: Arc<Mutex<VecDeque<Vec<Event>>>>,
    asked: Arc<Mutex<Vec<Duration>>>,
    since: Option<Instant>,
}

impl Listed {
    fn new(answers: impl IntoIterator<Item = Vec<Event>>) -> Self {
        Self {
            answers: Arc::new(Mutex::new(answers.into_iter().collect())),
            asked: Arc::default(),
            since: Some(Instant::now()),
        }
    }

    fn times(&self) -> Vec<u64> {
        let asked = self.asked.lock().unwrap();
        asked.iter().map(|time| time.as_millis() as u64).collect()
    }
}

impl Model for Listed {
    fn name(&self) -> &str {
        "listed/m"
    }

    fn label(&self) -> &str {
        "listed"
    }

    fn ask(&self, _prompt: Prompt) -> BoxStream<'static, Event> {
        self.asked
            .lock()
            .unwrap()
            .push(self.since.unwrap().elapsed());
        let answer = self.answers.lock().unwrap().pop_front().unwrap_or_default();
        stream::iter(answer).boxed()
    }
}

fn policy() -> RetryPolicy {
    RetryPolicy {
        attempts: 4,
        first: Duration::from_secs(1),
        longest: Duration::from_secs(60),
        scatter: 0.0,
    }
}

fn limited(seconds: Option<u64>) -> Event {
    Err(ModelError::RateLimited {
        model: "listed/m".to_owned(),
        retry_after: seconds.map(Duration::from_secs),
    })
}

fn overloaded() -> Event {
    Err(ModelError::Overloaded {
        model: "listed/m".to_owned(),
        retry_after: None,
    })
}

fn text() -> Event {
    Ok(ModelEvent::Text("a".to_owned()))
}

fn done() -> Event {
    Ok(ModelEvent::Done {
        usage: Usage::default(),
        stop: StopReason::Stop,
    })
}

async fn hear(model: &Listed) -> Vec<Event> {
    let retrying = Retrying::new(model.clone(), policy());
    retrying.ask(prompt()).collect().await
}

#[tokio::test(start_paused = true)]
async fn the_providers_wait_is_honoured_and_other_waits_double() {
    let model = Listed::new([
        vec![overloaded()],
        vec![limited(Some(7))],
        vec![overloaded()],
        vec![text(), done()],
    ]);
    assert_eq!(hear(&model).await, [text(), done()]);
    assert_eq!(model.times(), [0, 1_000, 8_000, 12_000]);
}

#[tokio::test(start_paused = true)]
async fn it_gives_up_after_the_last_attempt_with_the_last_error() {
    let model = Listed::new((0..9).map(|_| vec![overloaded()]));
    assert_eq!(hear(&model).await, [overloaded()]);
    assert_eq!(model.times(), [0, 1_000, 3_000, 7_000]);
}

#[tokio::test(start_paused = true)]
async fn a_wait_that_nobody_sits_through_is_told_at_once() {
    let model = Listed::new([vec![limited(Some(3_600))], vec![done()]]);
    assert_eq!(hear(&model).await, [limited(Some(3_600))]);
    assert_eq!(model.times(), [0]);
}

#[tokio::test(start_paused = true)]
async fn once_a_word_was_heard_an_error_is_told() {
    let model = Listed::new([vec![text(), overloaded()], vec![done()]]);
    assert_eq!(hear(&model).await, [text(), overloaded()]);
    assert_eq!(model.times(), [0]);
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_ends_without_its_end_is_an_error() {
    let model = Listed::new([vec![text()]]);
    let cut = Err(ModelError::Cut {
        model: "listed/m".to_owned(),
    });
    assert_eq!(hear(&model).await, [text(), cut]);
}

#[tokio::test(start_paused = true)]
async fn what_no_patience_can_mend_is_told_at_once() {
    let auth = || {
        Err(ModelError::Auth {
            model: "listed/m".to_owned(),
            detail: "no".to_owned(),
        })
    };
    let model = Listed::new([vec![auth()], vec![done()]]);
    assert_eq!(hear(&model).await, [auth()]);
    assert_eq!(model.times(), [0]);
}

#[tokio::test(start_paused = true)]
async fn dropping_it_while_it_waits_ends_it_at_once() {
    let model = Listed::new([vec![limited(Some(30))], vec![done()]]);
    let mut answer = Retrying::new(model.clone(), policy()).ask(prompt());
    assert_eq!(answer.next().now_or_never(), None);
    drop(answer);
    tokio::time::sleep(Duration::from_secs(100)).await;
    assert_eq!(model.times(), [0]);
}

#[test]
fn chance_lengthens_a_wait_and_never_shortens_it() {
    let policy = RetryPolicy {
        scatter: 0.25,
        ..policy()
    };
    let error = limited(Some(8)).unwrap_err();
    for _ in 0..100 {
        let wait = policy.wait(1, &error).unwrap();
        assert!((8.0..=10.0).contains(&wait.as_secs_f64()), "{wait:?}");
    }
}
