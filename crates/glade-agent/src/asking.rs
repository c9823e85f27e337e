//! Asking the model: what a step looks at, and the prompt that this makes.

use std::collections::BTreeMap;
use std::sync::Arc;

use glade_canvas::Point;

use crate::agent::Agent;
use crate::coords::Coords;
use crate::effect::{Effect, PresenceChange};
use crate::event::{Input, Lint, Source, World};
use crate::history::{Remembered, TOKEN_BUDGET, tokens};
use crate::menu::Menu;
use crate::part::Topic;
use crate::part::View;
use crate::prompt::{self, Prompt};
use crate::request::Request;
use crate::run::Run;

/// Lints that are pointed out at once; the next step hears of the others.
const MOST_LINTS: usize = 20;

impl Agent {
    /// Asks the model.
    pub(crate) fn ask(
        &mut self,
        run: &mut Run,
        request: Request,
        world: &World<'_>,
        out: &mut Vec<Effect>,
    ) {
        self.begin_step(run, &request);
        run.waiting = None;
        self.turn_to(run, &request, out);
        let prompt = self.build_prompt(&run.input, &request, world);
        let (memory, source) = (self.state.mode.row().memory, request.source);
        run.step.own = source == Source::Own && !request.correction;
        run.step.guess = guess(&prompt);
        let history = &mut self.state_mut().history;
        for message in request.messages {
            let what = Remembered::Prompt { source, message };
            history.push_of(Some(run.id.clone()), memory, what);
        }
        for data in &request.data {
            let json = data.to_string();
            let what = Remembered::Data { json };
            history.push_of(Some(run.id.clone()), memory, what);
        }
        run.steps += 1;
        out.push(Effect::Ask {
            step: run.step.number,
            prompt: Box::new(prompt),
        });
    }

    /// Looks where a later request of the run wants it to, and takes in what it picked.
    fn turn_to(&mut self, run: &mut Run, request: &Request, out: &mut Vec<Effect>) {
        if run.steps == 0 {
            return; // the input itself
        }
        if let Some(bounds) = request
            .bounds
            .filter(|bounds| bounds.w > 0.0 && bounds.h > 0.0)
            && bounds != self.state.view
        {
            self.state_mut().view = bounds;
            out.push(Effect::Presence(PresenceChange {
                view: Some(bounds),
                ..PresenceChange::default()
            }));
        }
        let mut all = Request::from(run.input.clone());
        all.merge(request.clone());
        run.input.selection = all.selection;
        run.input.context_items = all.context_items;
        run.input.parts = all.parts;
        run.input.model = all.model;
    }

    /// What looks wrong where it looks and was not pointed out before.
    pub(crate) fn new_lints(&self, world: &World<'_>) -> Vec<Lint> {
        let Some(look) = world.lints.filter(|_| world.scene.surface().has_shapes()) else {
            return Vec::new();
        };
        let mut lints = look(world.scene, &self.state.view);
        lints.retain(|lint| !self.state.surfaced.contains(&lint_key(lint)));
        lints
    }

    /// Builds the prompt. The lints that it points out are not pointed out again.
    pub(crate) fn build_prompt(
        &mut self,
        input: &Input,
        request: &Request,
        world: &World<'_>,
    ) -> Prompt {
        let row = self.state.mode.row();
        let mut lints = if row.sees.contains(&Topic::Lints) {
            self.new_lints(world)
        } else {
            Vec::new()
        };
        lints.truncate(MOST_LINTS);
        let settings = &self.settings;
        let state = Arc::make_mut(&mut self.state);
        state.history.fold(row.memory, TOKEN_BUDGET);
        state.reading.begin(BTreeMap::new());
        let view_corner = Point::new(state.view.x, state.view.y);
        let mut view = View {
            row,
            menu: Menu {
                row,
                surface: world.scene.surface(),
                only: settings.only.as_ref(),
                outside: settings.outside,
                plugins: &settings.plugins,
            },
            world,
            input,
            request,
            lints: &lints,
            agenda: &state.agenda,
            config: &settings.config,
            area: state.view,
            ids: &mut state.ids,
            coords: state.coords.get_or_insert_with(|| Coords::new(view_corner)),
            reading: &mut state.reading,
            history: &state.history,
            steady: &mut state.steady,
        };
        let prompt = prompt::build(&mut view);
        state.surfaced.extend(lints.iter().map(lint_key));
        prompt
    }
}

/// What makes a lint the same as one that was pointed out before.
fn lint_key(lint: &Lint) -> String {
    let shapes: Vec<&str> = lint.shapes.iter().map(|id| id.as_str()).collect();
    format!("{} {}", lint.kind, shapes.join(" "))
}

/// Roughly the tokens of a prompt.
fn guess(prompt: &Prompt) -> u64 {
    let messages = prompt.messages.iter();
    let said: usize = messages.map(|message| tokens(&message.content)).sum();
    (tokens(&prompt.system) + tokens(&prompt.schema.to_string()) + said) as u64
}
