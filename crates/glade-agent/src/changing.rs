//! Changes of course in a run: the fairy ends its own answer, waits, is woken, changes its mode.

use crate::agent::Agent;
use crate::effect::Effect;
use crate::event::World;
use crate::mode::{Clear, MemoryLevel, Mode, OnPrompt};
use crate::request::Request;
use crate::run::Run;

impl Agent {
    /// The fairy ends its own answer to go on otherwise. The next prompt must show what this answer
    /// has just drawn, so it is asked when the host has carried that out.
    pub(crate) fn interrupted(
        &mut self,
        run: &mut Run,
        mode: Option<Mode>,
        mut request: Request,
        out: &mut Vec<Effect>,
    ) {
        out.push(Effect::CancelAsk {
            step: run.step.number,
        });
        run.tokens += run.step.guess;
        let mut messages = std::mem::take(&mut run.step.wrong);
        messages.append(&mut request.messages);
        request.messages = messages;
        request.correction = mode.is_none() && request.bounds.is_none();
        if let Some(mode) = mode {
            self.switch(mode, out);
        }
        // A person's words that wait are not lost with the answer.
        if let Some(scheduled) = run.scheduled.take() {
            request.merge(scheduled);
        }
        self.wait(run, &request, 0, out);
    }

    /// Asks for `request` when the host comes back.
    pub(crate) fn wait(
        &mut self,
        run: &mut Run,
        request: &Request,
        after_ms: u64,
        out: &mut Vec<Effect>,
    ) {
        // A number of its own: nothing late of the last step is taken for an answer to this.
        self.begin_step(run, request);
        out.push(Effect::Wake {
            step: run.step.number,
            after_ms,
        });
    }

    pub(crate) fn woken(&mut self, world: &World<'_>, out: &mut Vec<Effect>) {
        let Some(mut run) = self.run.take() else {
            return;
        };
        if run.rounds.is_some() {
            self.woken_round(run, out);
        } else if let Some(mut request) = run.waiting.take() {
            // What was refused while it waited comes first.
            let wrong = std::mem::take(&mut run.step.wrong);
            request.messages.splice(0..0, wrong);
            if let Some(scheduled) = run.scheduled.take() {
                request.merge(scheduled);
            }
            self.go_on(run, request, world, out);
        } else {
            self.run = Some(run);
        }
    }

    /// An action ended the run: the fairy rests, unless somebody's words wait for it.
    pub(crate) fn rested(
        &mut self,
        mut run: Run,
        mode: Mode,
        world: &World<'_>,
        out: &mut Vec<Effect>,
    ) {
        out.push(Effect::CancelAsk {
            step: run.step.number,
        });
        run.tokens += run.step.guess;
        self.switch(mode, out);
        match run.scheduled.take() {
            Some(request) => {
                // The board of this instant knows nothing yet of what the answer did.
                let next = match mode.row().hooks.on_prompt {
                    OnPrompt::To(next) => next,
                    OnPrompt::Stay | OnPrompt::Start => self.start_mode(),
                };
                self.switch(next, out);
                self.wait(&mut run, &request, 0, out);
                self.run = Some(run);
            }
            None => self.finish(run.id, mode, world, out),
        }
    }

    /// What was remembered of a task or a project becomes a few lines when it is over.
    fn close_memory(&mut self, from: Mode, to: Mode) {
        let (from, to) = (from.row().memory, to.row().memory);
        if from > to {
            self.state_mut().history.close(from, to);
        }
    }

    pub(crate) fn switch(&mut self, to: Mode, out: &mut Vec<Effect>) {
        let from = self.state.mode;
        if from == to {
            return;
        }
        let before = self.state.agenda.clone();
        self.close_memory(from, to);
        let forgotten = from.row().hooks.on_exit.iter();
        let state = self.state_mut();
        for clear in forgotten.chain(to.row().hooks.on_enter) {
            match clear {
                Clear::Todos => state.agenda.todos.clear(),
                Clear::TaskMemory => state.history.forget(MemoryLevel::Task),
                // A task just begun is the reason to enter, not something to forget.
                Clear::CurrentTask => state.agenda.current = None,
            }
        }
        state.mode = to;
        out.push(Effect::Mode { from, to });
        if self.state.agenda != before {
            out.push(Effect::Agenda(self.state.agenda.clone()));
        }
    }
}
