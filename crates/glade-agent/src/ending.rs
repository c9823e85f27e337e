//! How answers and runs end: well, with another step, in failure, or because somebody said so.

use glade_doc::RunId;

use crate::agent::{Agent, MAX_STEPS};
use crate::draft::Draft;
use crate::effect::{Activity, Effect, Expression, Outcome, Piece, Pose, PresenceChange, Say};
use crate::event::{Source, StopReason, World};

/// How long it rejoices.
const CELEBRATION_MS: u32 = 1_600;

impl Agent {
    pub(crate) fn answered(&mut self, stop: StopReason, world: &World<'_>, out: &mut Vec<Effect>) {
        let Some(mut run) = self.run.take() else {
            return;
        };
        run.step.end_thinking(out);
        if let Some(open) = run.step.open.take() {
            self.take_back(open, &mut Draft::new(world.scene), out);
            if matches!(stop, StopReason::Stop | StopReason::Other) {
                run.step.wrong.push(
                    "your answer ended in the middle of its last action, which was taken back"
                        .to_owned(),
                );
            }
        }
        match stop {
            StopReason::Length => run.step.wrong.push(
                "your answer was too long and was cut; all whole actions were carried out: go on from there".to_owned(),
            ),
            StopReason::ContentFilter => {
                self.words(out, "The model's provider held back the rest of the answer. Try other words.");
            }
            StopReason::Stop | StopReason::Other => {}
        }
        if run.step.parser.actions() == 0
            && stop != StopReason::ContentFilter
            && run.step.wrong.is_empty()
        {
            run.step.wrong.push(
                "your answer held no action: answer with {\"actions\": [...]} and nothing else"
                    .to_owned(),
            );
        }
        let told = &mut run.told;
        let news: Vec<String> = std::mem::take(&mut run.step.wrong)
            .into_iter()
            .filter(|wrong| told.insert(wrong.clone()))
            .collect();
        if news.is_empty() {
            if run.step.parser.actions() == 0 {
                self.words(out, "I could not make anything of the model's answer. Please ask again in other words.");
            }
            self.finish(run.id, out);
        } else if run.steps >= MAX_STEPS {
            self.words(
                out,
                &format!("I stopped after {MAX_STEPS} tries. Tell me how to go on."),
            );
            self.finish(run.id, out);
        } else {
            self.ask(&mut run, &news, Source::Own, world, out);
            self.run = Some(run);
        }
    }

    fn finish(&mut self, id: RunId, out: &mut Vec<Effect>) {
        self.switch(self.mode.row().hooks.on_end, out);
        self.rest(Pose::Celebrating, Expression::Happy, out);
        out.push(Effect::EndRun {
            run: id,
            outcome: Outcome::Done,
        });
    }

    pub(crate) fn failed(&mut self, error: String, world: &World<'_>, out: &mut Vec<Effect>) {
        let Some(mut run) = self.run.take() else {
            return;
        };
        run.step.end_thinking(out);
        if let Some(open) = run.step.open.take() {
            self.take_back(open, &mut Draft::new(world.scene), out);
        }
        self.words(out, &format!("I could not finish: {error}"));
        self.switch(self.mode.row().hooks.on_end, out);
        self.rest(Pose::Idle, Expression::Sorry, out);
        out.push(Effect::EndRun {
            run: run.id,
            outcome: Outcome::Failed(error),
        });
    }

    pub(crate) fn stopped(&mut self, out: &mut Vec<Effect>) {
        self.abandon(Outcome::Stopped, out);
        self.switch(self.mode.row().hooks.on_cancel, out);
        self.rest(Pose::Idle, Expression::Neutral, out);
    }

    /// Leaves the current run, if any. The host has rolled back the open action already, so there is
    /// nothing to revert, only to close what the chat shows.
    pub(crate) fn abandon(&mut self, outcome: Outcome, out: &mut Vec<Effect>) {
        let Some(mut run) = self.run.take() else {
            return;
        };
        out.push(Effect::CancelAsk {
            step: run.step.number,
        });
        run.step.end_thinking(out);
        if let Some(open) = run.step.open.take() {
            self.close_cut(open, out);
        }
        out.push(Effect::EndRun {
            run: run.id,
            outcome,
        });
    }

    /// Nothing to do any more: a last pose, and after a while the usual one.
    fn rest(&mut self, pose: Pose, expression: Expression, out: &mut Vec<Effect>) {
        out.push(Effect::Presence(PresenceChange {
            pose: Some(pose),
            expression: Some(expression),
            activity: Some(Activity::Idle),
            doing: Some(String::new()),
            mode: Some(self.mode),
            ..PresenceChange::default()
        }));
        if pose != Pose::Idle {
            out.push(Effect::Presence(PresenceChange {
                pose: Some(Pose::Idle),
                expression: Some(Expression::Neutral),
                after_ms: Some(CELEBRATION_MS),
                ..PresenceChange::default()
            }));
        }
    }

    /// Words of the fairy's own, not of the model.
    fn words(&mut self, out: &mut Vec<Effect>, text: &str) {
        self.last_action += 1;
        let id = format!("text-{}", self.last_action);
        out.push(Effect::Say(Say::Text {
            id: id.clone(),
            piece: Piece::Delta(text.to_owned()),
        }));
        out.push(Effect::Say(Say::Text {
            id,
            piece: Piece::End,
        }));
    }
}
