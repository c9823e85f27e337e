//! The stream: the whole answer in words, at a pace, over when it is dropped.

use std::time::{Duration, Instant};

use futures_util::{FutureExt, StreamExt};
use glade_agent::StopReason;
use glade_model::{Model, ModelEvent};
use glade_sketch::{SketchModel, answer};

use crate::page::Page;

fn prompt() -> glade_agent::Prompt {
    let mut page = Page::new();
    page.ask("Draw a flow: Order -> Pay -> Ship");
    page.prompts.remove(0)
}

#[tokio::test]
async fn the_stream_is_the_answer_word_by_word_and_then_done() {
    let model = SketchModel::new(0.0);
    assert_eq!(
        (model.name(), model.label()),
        ("sketch", "sketch: built-in, rule-based")
    );
    let events: Vec<ModelEvent> = model.ask(prompt()).map(Result::unwrap).collect().await;
    let (last, words) = events.split_last().unwrap();
    let text: String = words
        .iter()
        .map(|event| match event {
            ModelEvent::Text(text) => text.as_str(),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(text, answer(&prompt()).to_string());
    assert!(words.len() > 30, "in many pieces");
    let ModelEvent::Done { usage, stop } = last else {
        panic!("{last:?}")
    };
    assert_eq!(*stop, StopReason::Stop);
    assert!(usage.input_tokens > 100 && usage.output_tokens > 50);
}

#[tokio::test]
async fn words_come_at_the_pace_asked_for() {
    let started = Instant::now();
    let first: Vec<_> = SketchModel::new(50.0).ask(prompt()).take(6).collect().await;
    assert_eq!(first.len(), 6);
    let took = started.elapsed();
    assert!(
        took >= Duration::from_millis(115),
        "six words at fifty a second: {took:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn what_was_said_while_nobody_listened_is_there_at_once() {
    let mut stream = SketchModel::new(50.0).ask(prompt());
    stream.next().await;
    tokio::time::advance(Duration::from_millis(210)).await;
    let mut heard = 0;
    while stream.next().now_or_never().is_some() {
        heard += 1;
    }
    assert_eq!(heard, 10, "ten words in a fifth of a second");
}
