//! The built-in model as a [`Model`]: the answer as a stream of words, at a pace.

use std::time::Duration;

use futures_util::stream::{self, BoxStream, StreamExt};
use glade_agent::{Prompt, StopReason, Usage};
use glade_model::{Model, ModelError, ModelEvent};
use tokio::time::Instant;

use crate::answer::answer;

/// The built-in model.
#[derive(Debug, Clone)]
pub struct SketchModel {
    words_per_second: f64,
}

impl SketchModel {
    /// By which it is chosen.
    pub const NAME: &str = "sketch";

    /// `words_per_second`: 0 is as fast as it can.
    pub fn new(words_per_second: f64) -> Self {
        Self { words_per_second }
    }

    fn pause(&self) -> Option<Duration> {
        let pace = self.words_per_second;
        (pace.is_finite() && pace > 0.0).then(|| Duration::from_secs_f64((1.0 / pace).min(60.0)))
    }
}

impl Model for SketchModel {
    fn name(&self) -> &str {
        Self::NAME
    }

    fn label(&self) -> &str {
        "sketch: built-in, rule-based"
    }

    fn ask(&self, prompt: Prompt) -> BoxStream<'static, Result<ModelEvent, ModelError>> {
        let text = answer(&prompt).to_string();
        let usage = Usage {
            input_tokens: read_tokens(&prompt),
            output_tokens: tokens(&text),
        };
        let mut events: Vec<ModelEvent> = words(&text).into_iter().map(ModelEvent::Text).collect();
        events.push(ModelEvent::Done {
            usage,
            stop: StopReason::Stop,
        });
        let pause = self.pause();
        let said = None;
        stream::unfold(
            (events.into_iter(), said),
            move |(mut left, mut said)| async move {
                let event = left.next()?;
                match pause {
                    // It speaks by the clock, as a provider does: what came while nobody listened is there at once.
                    Some(pause) if matches!(event, ModelEvent::Text(_)) => {
                        let now = Instant::now();
                        let due = said.unwrap_or(now) + pause;
                        if due > now {
                            tokio::time::sleep_until(due).await;
                        }
                        said = Some(due);
                    }
                    // Let others run between two words: a Stop must be heard.
                    _ => tokio::task::yield_now().await,
                }
                Some((Ok(event), (left, said)))
            },
        )
        .boxed()
    }
}

/// Cuts JSON where a reader would take a breath: after spaces and commas.
fn words(text: &str) -> Vec<String> {
    text.split_inclusive([' ', ','])
        .map(str::to_owned)
        .collect()
}

fn tokens(text: &str) -> u64 {
    text.len().div_ceil(4) as u64
}

fn read_tokens(prompt: &Prompt) -> u64 {
    tokens(&prompt.system)
        + prompt
            .messages
            .iter()
            .map(|message| tokens(&message.content))
            .sum::<u64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_make_up_the_whole_text() {
        let text = r#"{"a":"one two","b":[1,2]}"#;
        assert_eq!(
            words(text),
            [r#"{"a":"one "#, r#"two","#, r#""b":[1,"#, "2]}"]
        );
        assert_eq!(words(text).concat(), text);
    }
}
