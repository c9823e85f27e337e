//! Asking the model: what a step looks at, and the prompt that this makes.

use glade_canvas::Point;
use glade_doc::Surface;

use crate::agent::Agent;
use crate::coords::Coords;
use crate::effect::{Effect, PresenceChange};
use crate::event::{Input, Lint, Source, World};
use crate::history::{Remembered, TOKEN_BUDGET, tokens};
use crate::menu::Menu;
use crate::part::View;
use crate::prompt::{self, Prompt};
use crate::request::Request;
use crate::run::{Run, Step};

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
        self.turn_to(run, &request, out);
        let (prompt, surfaced) = self.build_prompt(&run.input, &request, run.steps > 0, world);
        let (memory, source) = (self.mode.row().memory, request.source);
        for message in request.messages.iter().cloned() {
            let what = Remembered::Prompt { source, message };
            self.history.push_of(Some(run.id.clone()), memory, what);
        }
        for data in &request.data {
            let json = data.to_string();
            let what = Remembered::Data { json };
            self.history.push_of(Some(run.id.clone()), memory, what);
        }
        self.last_step += 1;
        run.step = Step::new(self.last_step);
        run.step.own = source == Source::Own && !request.correction;
        run.step.noted = request.messages.len() + request.data.len();
        run.step.surfaced = surfaced;
        run.step.asked = request;
        run.step.guess = guess(&prompt);
        run.steps += 1;
        out.push(Effect::Ask {
            step: self.last_step,
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
            && bounds != self.view
        {
            self.view = bounds;
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
        let Some(look) = world
            .lints
            .filter(|_| world.scene.surface() == Surface::Canvas)
        else {
            return Vec::new();
        };
        let mut lints = look(world.scene, &self.view);
        lints.retain(|lint| !self.surfaced.contains(&lint_key(lint)));
        lints
    }

    /// The prompt, and the lints that it points out for the first time.
    pub(crate) fn build_prompt(
        &mut self,
        input: &Input,
        request: &Request,
        later: bool,
        world: &World<'_>,
    ) -> (Prompt, Vec<String>) {
        let row = self.mode.row();
        self.history.fold(row.memory, TOKEN_BUDGET);
        let view_corner = Point::new(self.view.x, self.view.y);
        let mut lints = if row.parts.contains(&"canvas-lints") {
            self.new_lints(world)
        } else {
            Vec::new()
        };
        lints.truncate(MOST_LINTS);
        let mut view = View {
            row,
            menu: Menu {
                row,
                surface: world.scene.surface(),
                extras: self.extras,
                only: self.only.as_ref(),
                outside: self.outside,
                plugins: &self.plugins,
            },
            scene: world.scene,
            page: world.page,
            input,
            messages: &request.messages,
            data: &request.data,
            from_person: request.source != Source::Own,
            from_fairy: request.source == Source::OtherAgent,
            correction: request.correction,
            later,
            time: world.time,
            pages: world.pages,
            user_actions: world.user_actions,
            others: world.others,
            board: (world.board)(),
            open_items: world.open_items,
            comments: world.comments,
            part: world.part,
            images: world.images,
            lints: &lints,
            agenda: &self.agenda,
            config: &self.config,
            area: self.view,
            ids: &mut self.ids,
            coords: self.coords.get_or_insert_with(|| Coords::new(view_corner)),
            history: &self.history,
            visible_runs: world.visible_runs,
        };
        let prompt = prompt::build(&mut view);
        let new: Vec<String> = lints.iter().map(lint_key).collect();
        self.surfaced.extend(new.iter().cloned());
        (prompt, new)
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
    (tokens(&prompt.system) + said) as u64
}
