//! How answers and runs end: well, with another step, in failure, or because somebody said so.

use glade_canvas::space::free_rect;
use glade_canvas::{Point, Rect, Size};
use glade_doc::RunId;

use crate::agenda::Agenda;
use crate::agent::{Agent, Limits, VIEW_SIDE};
use crate::draft::Draft;
use crate::effect::{Activity, Effect, Expression, Outcome, Piece, Pose, PresenceChange, Say};
use crate::event::{Source, StopReason, Usage, World};
use crate::failure::Failure;
use crate::history::Remembered;
use crate::ids::IdMap;
use crate::mode::{Mode, WhileOpen};
use crate::part::Topic;
use crate::request::Request;
use crate::run::Run;

/// The room that a sprite with its name takes, around its place.
const SPRITE: Seat = Seat {
    w: 64.0,
    h: 96.0,
    above: 34.0,
};

struct Seat {
    w: f64,
    h: f64,
    above: f64,
}

impl Seat {
    fn around(&self, place: Point) -> Rect {
        Rect {
            x: place.x - self.w / 2.0,
            y: place.y - self.above,
            w: self.w,
            h: self.h,
        }
    }
}

/// How long it rejoices.
const CELEBRATION_MS: u32 = 1_600;
/// How often a failing request is tried again, in a row.
const MAX_RETRIES: u32 = 4;
/// The first wait; each one after is twice as long.
const FIRST_WAIT_MS: u64 = 1_000;
/// Nobody waits longer than this for a model that asks for more.
const LONGEST_WAIT_MS: u64 = 120_000;

/// A limit of a run that was reached.
pub(crate) enum Spent {
    Steps(u32),
    Tokens { used: u64, most: u64 },
    Usd { used: f64, most: f64 },
}

impl Agent {
    pub(crate) fn answered(
        &mut self,
        stop: StopReason,
        usage: Usage,
        world: &World<'_>,
        out: &mut Vec<Effect>,
    ) {
        let Some(mut run) = self.run.take() else {
            return;
        };
        if run.rounds.is_some() {
            return self.round_answered(run, stop, usage, out);
        }
        run.step.end_thinking(out);
        if let Some(open) = run.step.open.take() {
            self.take_back(open, &mut Draft::new(world), out);
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
        let nothing_to_do = run.step.parser.actions() == 0 && run.step.parser.has_listed();
        if run.step.parser.actions() == 0
            && !nothing_to_do
            && stop != StopReason::ContentFilter
            && run.step.wrong.is_empty()
            && !(run.step.own && self.left_open(world).is_none())
        {
            run.step.wrong.push(
                "your answer held no action: answer with {\"actions\": [...]} and nothing else"
                    .to_owned(),
            );
        }
        run.failures = 0;
        run.tokens += match usage.input_tokens + usage.output_tokens {
            0 => run.step.guess,
            counted => counted,
        };
        let sent_back = &mut run.sent_back;
        let news: Vec<String> = std::mem::take(&mut run.step.wrong)
            .into_iter()
            .filter(|wrong| sent_back.insert(wrong.clone()))
            .collect();
        let mut next = (!news.is_empty()).then(|| Request {
            messages: news,
            source: Source::Own,
            correction: true,
            ..Request::default()
        });
        if let Some(scheduled) = run.scheduled.take() {
            match &mut next {
                Some(next) => next.merge(scheduled),
                None => next = Some(scheduled),
            }
        }
        let next = next
            .or_else(|| self.left_open(world))
            .or_else(|| self.lint_pass(&mut run, world));
        match next {
            Some(next) => self.go_on(run, next, world, out),
            None => {
                if nothing_to_do && run.steps <= 1 {
                    self.words(out, "I see nothing to do here.");
                } else if run.step.parser.actions() == 0 && !nothing_to_do && !run.step.own {
                    self.words(out, "I could not make anything of the model's answer. Please ask again in other words.");
                }
                self.finish(run.id, self.end_mode(world), world, out);
            }
        }
    }

    /// What the mode goes on with when an answer is over and nothing else was asked.
    fn left_open(&self, world: &World<'_>) -> Option<Request> {
        match self.state.mode.row().hooks.while_open {
            WhileOpen::Nothing => None,
            WhileOpen::Todos => {
                let open: Vec<&str> = self
                    .state
                    .agenda
                    .open_todos()
                    .filter(|todo| todo.is_shown(world.visible_runs))
                    .map(|todo| todo.id.as_str())
                    .collect();
                (!open.is_empty()).then(|| {
                    Request::own(format!(
                        "Go on with your todo list; open are: {}. Mark what is done as done.",
                        open.join(", ")
                    ))
                })
            }
            WhileOpen::Tasks => {
                let open: Vec<&str> = self
                    .state
                    .agenda
                    .open_tasks()
                    .filter(|task| task.is_shown(world.visible_runs))
                    .map(|task| task.id.as_str())
                    .collect();
                (!open.is_empty()).then(|| {
                    Request::own(format!(
                        "Go on with your tasks; open are: {}. Start one.",
                        open.join(", ")
                    ))
                })
            }
            WhileOpen::ProjectTask => {
                let job = (world.board)()?.job_of(&self.settings.config.fairy_id)?;
                let words = format!(
                    "The task \"{}\" is not marked as done yet: go on with it, or mark it as done.",
                    job.title
                );
                Some(Request {
                    bounds: job.bounds,
                    ..Request::own(words)
                })
            }
            WhileOpen::Project { .. } => {
                let nudge = (world.board)()?.nudge(&self.settings.config.fairy_id)?;
                Some(Request::own(nudge))
            }
            WhileOpen::CurrentTask => {
                let task = self.state.agenda.current_task();
                let task = task.filter(|task| task.is_shown(world.visible_runs))?;
                let words = format!(
                    "The task \"{}\" is not marked as done yet: go on with it, or mark it as done.",
                    task.title
                );
                Some(Request::own(words).at(task.bounds))
            }
        }
    }

    /// Where the fairy rests when its run is over.
    fn end_mode(&self, world: &World<'_>) -> Mode {
        let hooks = &self.state.mode.row().hooks;
        let waits = |waiting: Mode| {
            let mut waits = (world.board)()?.waits_of(&self.settings.config.fairy_id);
            waits.next().map(|_| waiting)
        };
        match hooks.while_open {
            WhileOpen::Project { waiting } => waits(waiting).unwrap_or(hooks.on_end),
            _ => hooks.on_end,
        }
    }

    /// One look at what came out wrong, once a run.
    fn lint_pass(&self, run: &mut Run, world: &World<'_>) -> Option<Request> {
        let looks = self.state.mode.row().sees.contains(&Topic::Lints);
        if run.linted || !looks || self.new_lints(world).is_empty() {
            return None;
        }
        run.linted = true;
        Some(Request::own(
            "Your work may have flaws: look at what may be wrong and correct what should not be so.",
        ))
    }

    /// Another step, unless the run has used what it may.
    pub(crate) fn go_on(
        &mut self,
        mut run: Run,
        request: Request,
        world: &World<'_>,
        out: &mut Vec<Effect>,
    ) {
        let spent = match self.spent_limit(&run) {
            Some(Spent::Steps(steps)) => {
                format!("I stopped after {steps} tries. Tell me how to go on.")
            }
            Some(Spent::Tokens { used, most }) => format!(
                "I stopped because this took {used} tokens and I may use {most} at once. Tell me to go on if it is worth more."
            ),
            Some(Spent::Usd { used, most }) => format!(
                "I stopped because this cost ${used:.2} and I may spend ${most:.2} at once. Tell me to go on if it is worth more."
            ),
            None => {
                self.ask(&mut run, request, world, out);
                self.run = Some(run);
                return;
            }
        };
        self.words(out, &spent);
        self.finish(run.id, self.state.mode.row().hooks.on_cancel, world, out);
    }

    /// The limit that the run has reached.
    pub(crate) fn spent_limit(&self, run: &Run) -> Option<Spent> {
        let Limits { steps, tokens, usd } = self.settings.limits;
        if run.steps >= steps {
            Some(Spent::Steps(steps))
        } else if run.tokens >= tokens {
            let (used, most) = (run.tokens, tokens);
            Some(Spent::Tokens { used, most })
        } else {
            let (used, most) = (run.usd, usd);
            (used >= most).then_some(Spent::Usd { used, most })
        }
    }

    pub(crate) fn finish(
        &mut self,
        id: RunId,
        rest_in: Mode,
        world: &World<'_>,
        out: &mut Vec<Effect>,
    ) {
        self.switch(rest_in, out);
        self.step_aside(world, out);
        match rest_in {
            Mode::OrchestratingWaiting | Mode::DuoOrchestratingWaiting => {
                self.rest(Pose::Waiting, Expression::Neutral, out);
            }
            _ => self.rest(Pose::Celebrating, Expression::Happy, out),
        }
        out.push(Effect::EndRun {
            run: id,
            outcome: Outcome::Done,
        });
    }

    /// Whoever rests on a shape hides it: the sprite goes to the nearest free spot.
    fn step_aside(&mut self, world: &World<'_>, out: &mut Vec<Effect>) {
        let seat = SPRITE.around(self.state.position);
        let near = seat.expand(SPRITE.w.max(SPRITE.h) * 4.0);
        let shapes: Vec<Rect> = world
            .scene
            .live()
            .filter_map(|element| world.scene.bounds(&element.id))
            .filter(|bounds| bounds.intersects(&near))
            .collect();
        let free = free_rect(&shapes, seat, 4.0);
        if free != seat {
            let moved = Point::new(free.x - seat.x, free.y - seat.y);
            let position = &mut self.state_mut().position;
            *position = Point::new(position.x + moved.x, position.y + moved.y);
            out.push(Effect::Presence(PresenceChange {
                position: Some(self.state.position),
                ..PresenceChange::default()
            }));
        }
    }

    /// The request failed. What can be tried again is, after a while; else the run ends, and what was
    /// left to do waits for the person.
    pub(crate) fn failed(
        &mut self,
        failure: Failure,
        retryable: bool,
        world: &World<'_>,
        out: &mut Vec<Effect>,
    ) {
        let Some(mut run) = self.run.take() else {
            return;
        };
        if run.rounds.is_some() {
            return self.round_failed(run, failure, retryable, out);
        }
        run.step.end_thinking(out);
        if let Some(open) = run.step.open.take() {
            self.take_back(open, &mut Draft::new(world), out);
        }
        run.tokens += run.step.guess;
        if retryable && let Some(wait) = Self::retry_wait(&mut run, failure.retry_after_ms) {
            Self::show_waiting(out);
            let request = self.again(&mut run);
            self.wait(&mut run, &request, wait, out);
            self.run = Some(run);
            return;
        }
        let text = format!("I could not finish: {}", failure.message);
        self.words(out, &text);
        // The model hears of it when it is asked next.
        let (id, memory) = (run.id.clone(), self.state.mode.row().memory);
        self.state_mut()
            .history
            .push_of(Some(id), memory, Remembered::Message { text });
        let row = self.state.mode.row();
        let rest_in = match self.left_open(world) {
            Some(_) => row.hooks.on_cancel,
            None => self.end_mode(world),
        };
        self.switch(rest_in, out);
        self.rest(Pose::Idle, Expression::Sorry, out);
        out.push(Effect::EndRun {
            run: run.id,
            outcome: Outcome::Failed(failure),
        });
    }

    /// How long to wait before a failed request is tried again; `None`: no more.
    pub(crate) fn retry_wait(run: &mut Run, asked: Option<u64>) -> Option<u64> {
        if run.failures >= MAX_RETRIES {
            return None;
        }
        let wait = asked.unwrap_or(FIRST_WAIT_MS << run.failures);
        run.failures += 1;
        (wait <= LONGEST_WAIT_MS).then_some(wait)
    }

    pub(crate) fn show_waiting(out: &mut Vec<Effect>) {
        out.push(Effect::Presence(PresenceChange {
            pose: Some(Pose::Waiting),
            activity: Some(Activity::AwaitingToolResult),
            doing: Some("waiting for the model".to_owned()),
            ..PresenceChange::default()
        }));
    }

    /// What the failed step was asked, to be asked again; with a hint if some of its answer stands.
    fn again(&mut self, run: &mut Run) -> Request {
        if run.step.parser.actions() == 0 {
            // As if it had never been asked: the same prompt, word for word.
            if let Some(start) = run.step.start.take() {
                let state = self.state_mut();
                state.history.clone_from(&start.state.history);
                state.surfaced.clone_from(&start.state.surfaced);
                return start.run.and_then(|run| run.waiting).unwrap_or_default();
            }
        }
        let mut messages = std::mem::take(&mut run.step.wrong);
        messages.push(
            "your answer broke off; all whole actions before that were carried out: go on from there"
                .to_owned(),
        );
        Request {
            messages,
            source: Source::Own,
            correction: true,
            ..Request::default()
        }
    }

    /// Forgets the chat.
    pub(crate) fn reset(&mut self, out: &mut Vec<Effect>) {
        self.abandon(Outcome::Stopped, out);
        let state = self.state_mut();
        state.history.clear();
        state.ids = IdMap::default();
        state.coords = None;
        state.surfaced.clear();
        self.switch(Mode::Idling, out);
        if self.state.agenda != Agenda::default() {
            self.state_mut().agenda = Agenda::default();
            out.push(Effect::Agenda(Agenda::default()));
        }
        self.rest(Pose::Idle, Expression::Neutral, out);
    }

    pub(crate) fn stopped(&mut self, out: &mut Vec<Effect>) {
        self.note_stop("A person stopped you here.");
        self.abandon(Outcome::Stopped, out);
        self.switch(self.state.mode.row().hooks.on_cancel, out);
        let asleep = self.state.mode == Mode::Sleeping;
        let pose = if asleep { Pose::Sleeping } else { Pose::Idle };
        self.rest(pose, Expression::Neutral, out);
    }

    /// Keeps in mind that it was stopped, and what stood then.
    pub(crate) fn note_stop(&mut self, what: &str) {
        let Some(run) = &self.run else { return };
        let open = run.step.open.as_ref();
        let cut = open.map(|open| {
            format!(
                " The {} action that you were writing was taken back.",
                open.action.name()
            )
        });
        let message = format!(
            "{what} What is listed above stands, but for what failed.{}",
            cut.unwrap_or_default()
        );
        let (id, level) = (run.id.clone(), self.state.mode.row().memory);
        let source = Source::Own;
        let note = Remembered::Prompt { source, message };
        self.state_mut().history.push_of(Some(id), level, note);
    }

    /// Its project wants it to rest.
    pub(crate) fn put_to_rest(&mut self, mode: Mode, out: &mut Vec<Effect>) {
        self.abandon(Outcome::Stopped, out);
        self.switch(mode, out);
        self.rest(Pose::Idle, Expression::Neutral, out);
    }

    pub(crate) fn fall_asleep(&mut self, out: &mut Vec<Effect>) {
        self.abandon(Outcome::Stopped, out);
        self.switch(Mode::Sleeping, out);
        self.rest(Pose::Sleeping, Expression::Neutral, out);
    }

    pub(crate) fn get_up(&mut self, out: &mut Vec<Effect>) {
        if self.state.mode == Mode::Sleeping {
            self.switch(Mode::Idling, out);
            self.rest(Pose::Idle, Expression::Neutral, out);
        }
    }

    /// Somebody took the sprite elsewhere; an idle fairy looks around itself there.
    pub(crate) fn moved(&mut self, to: Point, out: &mut Vec<Effect>) {
        let state = self.state_mut();
        state.flip = to.x < state.position.x;
        state.position = to;
        let mut change = PresenceChange {
            position: Some(to),
            flip: Some(self.state.flip),
            ..PresenceChange::default()
        };
        if self.run.is_none() {
            self.state_mut().view = Rect::centered(to, Size::new(VIEW_SIDE, VIEW_SIDE));
            change.view = Some(self.state.view);
        }
        out.push(Effect::Presence(change));
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
        run.give_up_calls("Stopped before it was done.", out);
        out.push(Effect::EndRun {
            run: run.id,
            outcome,
        });
    }

    /// Nothing to do any more: a last pose, and after a while the usual one.
    pub(crate) fn rest(&mut self, pose: Pose, expression: Expression, out: &mut Vec<Effect>) {
        out.push(Effect::Presence(PresenceChange {
            pose: Some(pose),
            expression: Some(expression),
            activity: Some(Activity::Idle),
            doing: Some(String::new()),
            mode: Some(self.state.mode),
            ..PresenceChange::default()
        }));
        if !matches!(pose, Pose::Idle | Pose::Sleeping | Pose::Waiting) {
            out.push(Effect::Presence(PresenceChange {
                pose: Some(Pose::Idle),
                expression: Some(Expression::Neutral),
                after_ms: Some(CELEBRATION_MS),
                ..PresenceChange::default()
            }));
        }
    }

    /// Words of the fairy's own, not of the model.
    pub(crate) fn words(&mut self, out: &mut Vec<Effect>, text: &str) {
        let id = format!("text-{}", self.number());
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
