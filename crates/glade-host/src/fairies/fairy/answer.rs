//! Reading a model's answer: what has arrived is handed to the core in pieces.

use futures_util::FutureExt;
use glade_agent::{Event, Usage};
use glade_model::{ModelError, ModelEvent};

use super::FairyTask;
use super::phase::Awaits;

/// What a model has said by now is taken together, but not beyond this many pieces …
const MOST_WORDS_AT_ONCE: usize = 2048;
/// … and bytes: a Stop waits for what was taken.
const MOST_BYTES_AT_ONCE: usize = 8 * 1024;

impl FairyTask {
    /// A piece of the model's answer, and whatever else of it has arrived by now.
    pub(super) async fn on_model_event(&mut self, first: Result<ModelEvent, ModelError>) {
        let Some(step) = self.phase.answer().map(|answer| answer.step) else {
            return;
        };
        match first {
            Ok(ModelEvent::Text(text)) => {
                let (text, next) = self.gather(text, |event| match event {
                    ModelEvent::Text(more) => Ok(more),
                    other => Err(other),
                });
                if let Some(run) = self.phase.run_mut() {
                    run.log.add_answer(&text);
                }
                self.feed(Event::Delta { step, text }).await;
                self.go_on_reading(step, next).await;
            }
            Ok(ModelEvent::Thinking(text)) => {
                let (text, next) = self.gather(text, |event| match event {
                    ModelEvent::Thinking(more) => Ok(more),
                    other => Err(other),
                });
                self.feed(Event::Thinking { step, text }).await;
                self.go_on_reading(step, next).await;
            }
            // A prompt offers actions, not a conversation's tools.
            Ok(ModelEvent::Signed(_) | ModelEvent::Call(_)) => {}
            Ok(ModelEvent::Spent(spent)) => {
                if let Some(run) = self.phase.run_mut() {
                    run.log.spent(&spent);
                }
                let usd = spent.usd.unwrap_or(0.0);
                self.outbox.report.paid(usd);
                self.feed(Event::Spent { step, usd }).await;
            }
            Ok(ModelEvent::Done { usage, stop }) => {
                self.end_step(usage, None);
                let end = Event::Answered { step, usage, stop };
                self.phase.set_awaits(Awaits::Fetches { end });
                if let Some(end) = self.phase.take_answer_end() {
                    self.feed(end).await;
                }
            }
            Err(error) => {
                self.phase.set_awaits(Awaits::Nothing);
                let spent = self.guess_usage();
                self.end_step(spent, Some(error.to_string()));
                self.feed(error.heard(step)).await;
            }
        }
    }

    /// Takes what has arrived by now and is of the same kind, and the first thing that is not.
    fn gather(
        &mut self,
        mut text: String,
        same_kind: impl Fn(ModelEvent) -> Result<String, ModelEvent>,
    ) -> (String, Option<Result<ModelEvent, ModelError>>) {
        for _ in 0..MOST_WORDS_AT_ONCE {
            if text.len() > MOST_BYTES_AT_ONCE {
                break;
            }
            let next = self.phase.answer().map(|answer| answer.next());
            match next.and_then(FutureExt::now_or_never) {
                None => break,
                Some(Err(error)) => return (text, Some(Err(error))),
                Some(Ok(event)) => match same_kind(event) {
                    Ok(more) => text.push_str(&more),
                    Err(other) => return (text, Some(Ok(other))),
                },
            }
        }
        (text, None)
    }

    /// Goes on with what came after, unless the fairy has ended this answer itself or the run is over
    /// its budget.
    async fn go_on_reading(&mut self, step: u32, next: Option<Result<ModelEvent, ModelError>>) {
        let run = self.phase.run();
        let over = run.and_then(|run| run.stream().over_budget());
        let Some(answer) = self.phase.answer().filter(|it| it.step == step) else {
            return; // nobody waits for what is left of the old answer
        };
        let next = match over {
            Some(most) => Some(Err(ModelError::TooMuch {
                model: answer.model.clone(),
                most,
            })),
            None => next,
        };
        match next {
            // Handled in its turn, after the commands that have come meanwhile.
            Some(Ok(words @ (ModelEvent::Text(_) | ModelEvent::Thinking(_)))) => {
                answer.ahead = Some(words);
            }
            Some(next) => Box::pin(self.on_model_event(next)).await,
            None => {}
        }
    }

    /// What a step that broke off has cost, as far as anyone can tell.
    pub(super) fn guess_usage(&mut self) -> Usage {
        let run = self.phase.reporting();
        run.map(|run| run.log.guess()).unwrap_or_default()
    }
}
