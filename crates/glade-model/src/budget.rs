//! How much one answer may be.
//!
//! A model is a stranger's program: nothing but this keeps it from talking for ever. [`Bounded`] ends
//! an answer that goes over its budget with [`ModelError::TooMuch`]; what was said before stands.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use futures_util::stream::{self, BoxStream, StreamExt};
use glade_agent::{CallEvent, Dialogue, Prompt};
use tokio::time::Instant;

use crate::model::{Model, ModelError, ModelEvent};

const MB: usize = 1024 * 1024;

/// The most of everything in one answer. Sizes are in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AnswerBudget {
    pub text: usize,
    pub thinking: usize,
    /// The arguments of one call …
    pub arguments: usize,
    /// … and of all calls.
    pub all_arguments: usize,
    pub calls: usize,
    pub events: usize,
    pub time: Duration,
}

impl Default for AnswerBudget {
    /// Several times what the largest models can say in one answer.
    fn default() -> Self {
        Self {
            text: 2 * MB,
            thinking: 2 * MB,
            arguments: 2 * MB,
            all_arguments: 4 * MB,
            calls: 64,
            events: 400_000,
            time: Duration::from_secs(15 * 60),
        }
    }
}

/// A model whose answers keep within a budget.
#[derive(Clone)]
pub struct Bounded {
    model: Arc<dyn Model>,
    budget: AnswerBudget,
}

impl Bounded {
    pub fn new(model: Arc<dyn Model>, budget: AnswerBudget) -> Self {
        Self { model, budget }
    }

    fn watch(&self, events: Events) -> Events {
        let watched = Watched {
            model: self.model.name().to_owned(),
            budget: self.budget,
            used: Used::default(),
            deadline: Instant::now() + self.budget.time,
            events: Some(events),
        };
        stream::unfold(watched, |mut watched| async move {
            let event = watched.next().await?;
            Some((event, watched))
        })
        .boxed()
    }
}

type Events = BoxStream<'static, Result<ModelEvent, ModelError>>;

impl Model for Bounded {
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
        self.watch(self.model.ask(prompt))
    }

    fn converse(&self, dialogue: Dialogue) -> Events {
        self.watch(self.model.converse(dialogue))
    }
}

struct Watched {
    model: String,
    budget: AnswerBudget,
    used: Used,
    deadline: Instant,
    /// `None`: the answer was ended.
    events: Option<Events>,
}

impl Watched {
    async fn next(&mut self) -> Option<Result<ModelEvent, ModelError>> {
        let events = self.events.as_mut()?;
        let over = match tokio::time::timeout_at(self.deadline, events.next()).await {
            Ok(None) => return None,
            Ok(Some(Err(error))) => return Some(Err(error)),
            Ok(Some(Ok(event))) => match self.used.add(&event, &self.budget) {
                Ok(()) => return Some(Ok(event)),
                Err(over) => over,
            },
            Err(_) => format!("{} minutes", self.budget.time.as_secs() / 60),
        };
        // Dropping the stream closes the line: the provider stops.
        self.events = None;
        let (model, most) = (self.model.clone(), format!("{over} in one answer"));
        Some(Err(ModelError::TooMuch { model, most }))
    }
}

/// What an answer has used of its budget.
#[derive(Debug, Default)]
struct Used {
    text: usize,
    thinking: usize,
    arguments: HashMap<String, usize>,
    all_arguments: usize,
    events: usize,
}

impl Used {
    /// Counts an event; the limit that it breaks, in words.
    fn add(&mut self, event: &ModelEvent, budget: &AnswerBudget) -> Result<(), String> {
        self.events += 1;
        let within = |used: usize, most: usize, of: &str| {
            if used <= most {
                Ok(())
            } else {
                Err(format!("{} {of}", size(most)))
            }
        };
        match event {
            ModelEvent::Text(text) => {
                self.text += text.len();
                within(self.text, budget.text, "of text")?;
            }
            ModelEvent::Thinking(text) | ModelEvent::Signed(text) => {
                self.thinking += text.len();
                within(self.thinking, budget.thinking, "of thinking")?;
            }
            ModelEvent::Call(CallEvent::Begun { id, tool }) => {
                self.all_arguments += id.len() + tool.len();
                self.arguments.entry(id.clone()).or_default();
                if self.arguments.len() > budget.calls {
                    return Err(format!("{} calls", budget.calls));
                }
            }
            ModelEvent::Call(CallEvent::Input { id, piece }) => {
                let one = self.arguments.entry(id.clone()).or_default();
                *one += piece.len();
                within(*one, budget.arguments, "of one call's arguments")?;
                self.all_arguments += piece.len();
            }
            ModelEvent::Call(CallEvent::Over { .. } | CallEvent::Cut { .. })
            | ModelEvent::Spent(_)
            | ModelEvent::Done { .. } => {}
        }
        within(
            self.all_arguments,
            budget.all_arguments,
            "of calls' arguments",
        )?;
        if self.events <= budget.events {
            Ok(())
        } else {
            Err(format!("{} pieces", budget.events))
        }
    }
}

fn size(bytes: usize) -> String {
    match bytes % MB {
        0 => format!("{} MB", bytes / MB),
        _ => format!("{bytes} bytes"),
    }
}

#[cfg(test)]
mod tests {
    use glade_agent::{StopReason, Usage};

    use super::*;

    struct Flood(Vec<ModelEvent>);

    impl Model for Flood {
        fn name(&self) -> &str {
            "flood"
        }

        fn label(&self) -> &str {
            "flood"
        }

        fn ask(&self, _: Prompt) -> Events {
            unreachable!("only conversations here")
        }

        fn converse(&self, _: Dialogue) -> Events {
            let said = self.0.clone().into_iter();
            stream::iter(said.cycle().map(Ok)).boxed()
        }
    }

    const SMALL: AnswerBudget = AnswerBudget {
        text: 10,
        thinking: 10,
        arguments: 10,
        all_arguments: 15,
        calls: 3,
        events: 20,
        time: Duration::from_secs(60),
    };

    fn asked() -> Dialogue {
        Dialogue {
            system: String::new(),
            turns: Vec::new(),
            tools: Vec::new(),
            max_output_tokens: 1,
            temperature: 0.0,
            thinking: None,
        }
    }

    /// How many events pass, and how the answer ends.
    async fn ends(events: Vec<ModelEvent>) -> (usize, String) {
        let bounded = Bounded::new(Arc::new(Flood(events)), SMALL);
        let heard: Vec<_> = bounded.converse(asked()).take(1000).collect().await;
        let end = heard.last().unwrap().as_ref().unwrap_err().to_string();
        assert!(heard[..heard.len() - 1].iter().all(Result::is_ok));
        (heard.len() - 1, end)
    }

    fn begun(id: &str) -> ModelEvent {
        let (id, tool) = (id.to_owned(), String::new());
        ModelEvent::Call(CallEvent::Begun { id, tool })
    }

    fn input(id: &str) -> ModelEvent {
        let (id, piece) = (id.to_owned(), "1234".to_owned());
        ModelEvent::Call(CallEvent::Input { id, piece })
    }

    #[tokio::test]
    async fn an_endless_answer_of_any_kind_is_ended_with_the_limit_named() {
        let said = |most: &str| {
            format!(
                "flood sent more than {most} in one answer, and was ended there; what it did before stands: ask for less at once"
            )
        };
        let cases = [
            (
                vec![ModelEvent::Text("1234".into())],
                (2, said("10 bytes of text")),
            ),
            (
                vec![ModelEvent::Thinking("1234".into())],
                (2, said("10 bytes of thinking")),
            ),
            (
                vec![ModelEvent::Signed("1234".into())],
                (2, said("10 bytes of thinking")),
            ),
            (
                vec![begun("a"), begun("b"), begun("c"), begun("d")],
                (3, said("3 calls")),
            ),
            (
                vec![input("a")],
                (2, said("10 bytes of one call's arguments")),
            ),
            (
                vec![input("a"), input("b")],
                (3, said("15 bytes of calls' arguments")),
            ),
            (
                vec![ModelEvent::Text(String::new())],
                (20, said("20 pieces")),
            ),
        ];
        for (events, expected) in cases {
            assert_eq!(ends(events).await, expected);
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_silent_answer_is_ended_when_its_time_is_over() {
        struct Silent;
        impl Model for Silent {
            fn name(&self) -> &str {
                "silent"
            }
            fn label(&self) -> &str {
                "silent"
            }
            fn ask(&self, _: Prompt) -> Events {
                unreachable!("only conversations here")
            }
            fn converse(&self, _: Dialogue) -> Events {
                stream::pending().boxed()
            }
        }
        let bounded = Bounded::new(Arc::new(Silent), SMALL);
        let heard: Vec<_> = bounded.converse(asked()).collect().await;
        let over = ModelError::TooMuch {
            model: "silent".to_owned(),
            most: "1 minutes in one answer".to_owned(),
        };
        assert_eq!(heard, [Err(over)]);
    }

    #[tokio::test]
    async fn an_answer_within_its_budget_passes_as_it_is() {
        let done = ModelEvent::Done {
            usage: Usage::default(),
            stop: StopReason::Stop,
        };
        let events = vec![ModelEvent::Text("1234567890".into()), done];
        let bounded = Bounded::new(Arc::new(Flood(events.clone())), SMALL);
        let heard: Vec<_> = bounded.converse(asked()).take(2).collect().await;
        assert_eq!(heard, events.into_iter().map(Ok).collect::<Vec<_>>());
    }
}
