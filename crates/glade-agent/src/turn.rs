//! Reading an answer: parsed actions become edits, notes and movements.

use std::sync::Arc;

use glade_canvas::{Point, Rect};
use glade_doc::Edit;
use serde_json::Value;

use crate::action::{self, Described as _, Refusal, Shown, Words};
use crate::action_context::{ActionContext, Own};
use crate::actions::message::Message;
use crate::adjusted::{adjustments, subject};
use crate::agent::Agent;
use crate::budget::{MAX_MESSAGES, noted, worth_a_look};
use crate::coords::Coords;
use crate::diff::Diff;
use crate::draft::Draft;
use crate::effect::{
    ActionNote, ActionState, Effect, Expression, Piece, Pose, PresenceChange, Say, ToolNote,
    ToolState,
};
use crate::facts::Shows;
use crate::history::Remembered;
use crate::menu::Menu;
use crate::outside::Outside;
use crate::parser::Parsed;
use crate::partial_object::PartialObject;
use crate::request::{Card, FairyCommand, Request};
use crate::run::{Cut, Known, OpenAction, Run, StreamedText};

/// How far from a shape's corner the sprite floats: beside it, not on it.
const BESIDE: f64 = 36.0;

/// What came of an action so far: what people see of it, its new edits, what it asks of the fairy.
type Worked = (Option<Shown>, (Vec<glade_doc::Edit>, Vec<FairyCommand>));

impl Agent {
    /// Reads a piece of the answer.
    pub(crate) fn read(
        &mut self,
        run: &mut Run,
        text: &str,
        draft: &mut Draft<'_>,
        out: &mut Vec<Effect>,
    ) {
        for parsed in run.step.parser.push(text) {
            if run.cut.is_some() {
                break; // the rest of the answer is not heard
            }
            match parsed {
                Parsed::Complete { index, value } => self.whole(run, index, &value, draft, out),
                Parsed::Partial { index } => self.partial(run, index, draft, out),
                Parsed::Broken { index: _, reason } => {
                    if let Some(open) = run.step.open.take() {
                        self.take_back(open, draft, out);
                    }
                    run.step.wrong.push(format!(
                        "the JSON of your answer broke off ({reason}); all whole actions before that were carried out: go on from there"
                    ));
                }
            }
        }
    }

    /// The open action grew.
    fn partial(
        &mut self,
        run: &mut Run,
        index: usize,
        draft: &mut Draft<'_>,
        out: &mut Vec<Effect>,
    ) {
        let mut open = match run.step.open.take() {
            Some(open) if open.index == index => open,
            _ => {
                let Some((_, value)) = run.step.parser.current() else {
                    return;
                };
                let name = PartialObject::new(value, false).and_then(|given| given.word("_type"));
                // An action that may not be is spoken of once it is whole.
                let Some(Ok(action)) = name.map(|name| self.lookup(name)) else {
                    return;
                };
                if action.facts().speaks() && run.step.messages >= MAX_MESSAGES {
                    return;
                }
                let open = OpenAction::new(self.number(), index, action);
                out.extend(tool(open.number, action, ToolState::Begun));
                open
            }
        };
        let bytes = run.step.parser.open_bytes();
        if open.action.facts().live
            && !open.refused
            && worth_a_look(open.seen, bytes)
            && let Some((_, value)) = run.step.parser.current()
        {
            open.seen = bytes;
            // A partial that makes no sense yet is no error: the whole action will tell.
            if let Some(given) = PartialObject::new(value, false)
                && let Ok((Some(shown), (edits, _))) =
                    self.work(&mut open, &mut run.rng, given, draft)
            {
                self.show(&mut open, &shown, edits, ActionState::Partial, out);
            }
        }
        run.step.open = Some(open);
    }

    /// An action is whole.
    fn whole(
        &mut self,
        run: &mut Run,
        index: usize,
        value: &Value,
        draft: &mut Draft<'_>,
        out: &mut Vec<Effect>,
    ) {
        let open = run.step.open.take().filter(|open| open.index == index);
        let name = value
            .get("_type")
            .and_then(Value::as_str)
            .unwrap_or_default();
        let found = match &open {
            Some(open) => Ok(open.action),
            None => self.lookup(name),
        };
        let action = match found {
            Ok(action) => action,
            Err(refusal) => {
                let number = self.number();
                run.step.object(refusal.0.clone());
                self.remember_failed(run, value, &refusal.0);
                let label = format!(
                    "could not do \"{}\": {}",
                    crate::shapes::short(name),
                    refusal.0
                );
                out.push(note(
                    number,
                    name,
                    ActionState::Refused,
                    label,
                    "🚫",
                    Vec::new(),
                ));
                return;
            }
        };
        if action.facts().speaks() {
            run.step.messages += 1;
            if run.step.messages == MAX_MESSAGES + 1 {
                self.too_many_messages(run, out);
            }
            if run.step.messages > MAX_MESSAGES {
                return;
            }
        }
        let mut open = match open {
            Some(open) => open,
            None => OpenAction::new(self.number(), index, action),
        };
        if open.refused {
            // Said and told already.
            return self.remember_failed(run, value, "it was not allowed");
        }
        if action.facts().once && !run.creates(value) {
            let (number, icon) = (open.number, open.action.facts().icon);
            self.undo(&mut open, draft, out);
            // Not sent back: whoever repeats itself would do so again.
            let label = "left out what it drew already".to_owned();
            let state = ActionState::Refused;
            out.push(note(number, name, state, label, icon, Vec::new()));
            return;
        }
        let asked = ToolState::Asked(without_type(value));
        out.extend(tool(open.number, action, asked));
        let before = self.state.agenda.clone();
        let done = PartialObject::new(value, true)
            .ok_or_else(|| Refusal::new("the action is not an object"))
            .and_then(|given| self.work(&mut open, &mut run.rng, given, draft))
            .and_then(|(shown, done)| match shown {
                Some(shown) => Ok((shown, done)),
                None => Err(Refusal::new(format!(
                    "the {name} action lacks fields that it needs"
                ))),
            });
        match done {
            Ok((shown, (edits, commands))) => {
                self.show(&mut open, &shown, edits, ActionState::Done, out);
                let found = shown.found.clone().map(ToolState::Found);
                out.extend(found.and_then(|found| tool(open.number, action, found)));
                if let Some(said) = open.said.take() {
                    out.push(StreamedText::effect(said.thought, open.number, Piece::End));
                }
                if open.trace.touched() {
                    out.push(Effect::EndAction {
                        action: open.number,
                    });
                }
                let known = Known {
                    action,
                    json: noted(value.to_string()),
                    subject: subject(value),
                };
                run.names.insert(open.number, known);
                if action.facts().makes_room {
                    run.created.clear();
                }
                if let Some(mut memory) = action.remember(value) {
                    if let Remembered::Action { diff, adjusted, .. } = &mut memory {
                        *diff = Diff::of(&open.trace, draft);
                        *adjusted = adjustments(&shown, value, action, draft);
                    }
                    let (id, level) = (run.id.clone(), self.state.mode.row().memory);
                    self.state_mut().history.push_of(Some(id), level, memory);
                }
                if self.state.agenda != before {
                    self.state_mut().agenda.note_run(&before, &run.id);
                    out.push(Effect::Agenda(self.state.agenda.clone()));
                }
                for command in commands {
                    match command {
                        FairyCommand::Schedule(request) => run.schedule(request),
                        FairyCommand::GoTo(page) => {
                            run.cards.clear(); // they were for this page
                            out.push(Effect::GoTo {
                                action: open.number,
                                page,
                            });
                        }
                        FairyCommand::MakePage { name, surface, go } => {
                            run.cards.clear();
                            out.push(Effect::MakePage {
                                action: open.number,
                                name,
                                surface,
                                go,
                            });
                        }
                        FairyCommand::Project(command) => out.push(Effect::Project {
                            action: open.number,
                            command,
                        }),
                        FairyCommand::Rest(mode) => run.cut = Some(Cut::Rest(mode)),
                        FairyCommand::Claim(item) => {
                            run.claims.insert(open.number, item.clone());
                            out.push(Effect::Claim {
                                action: open.number,
                                item,
                            });
                        }
                        FairyCommand::Fetch(what) => out.push(Effect::Fetch {
                            action: open.number,
                            what,
                        }),
                        FairyCommand::Card(address, card) => {
                            run.cards.insert(open.number, card);
                            out.push(Effect::Fetch {
                                action: open.number,
                                what: Outside::Page { address },
                            });
                        }
                        FairyCommand::Search(query) => out.push(Effect::Search {
                            action: open.number,
                            query,
                        }),
                        FairyCommand::Comment(remark) => out.push(Effect::Comment {
                            action: open.number,
                            name: action.name(),
                            remark,
                        }),
                        FairyCommand::Interrupt { mode, request } => {
                            run.cut = Some(Cut::GoOn { mode, request });
                        }
                    }
                }
            }
            Err(refusal) => {
                let of = subject(value);
                let wrong = format!("the {name} action{of} was not carried out: {refusal}");
                self.remember_failed(run, value, &refusal.0);
                if action.facts().interrupts {
                    let request = Request::own(wrong);
                    run.cut = Some(Cut::GoOn {
                        mode: None,
                        request,
                    });
                } else {
                    run.step.object(wrong);
                }
                out.extend(tool(
                    open.number,
                    action,
                    ToolState::Failed(refusal.0.clone()),
                ));
                let label = format!("could not {name}: {refusal}");
                let (number, icon) = (open.number, open.action.facts().icon);
                self.undo(&mut open, draft, out);
                out.push(note(
                    number,
                    name,
                    ActionState::Refused,
                    label,
                    icon,
                    Vec::new(),
                ));
            }
        }
    }

    /// Keeps in mind that an action came to nothing, and why.
    fn remember_failed(&mut self, run: &Run, value: &Value, reason: &str) {
        let level = self.state.mode.row().memory;
        let what = Remembered::failed(value.to_string(), reason.to_owned());
        let id = Some(run.id.clone());
        self.state_mut().history.push_of(id, level, what);
    }

    fn too_many_messages(&mut self, run: &mut Run, out: &mut Vec<Effect>) {
        run.step.object(format!(
            "an answer has at most {MAX_MESSAGES} messages and thoughts: the others were left out"
        ));
        let label = format!("left out all but {MAX_MESSAGES} messages");
        let (number, state) = (self.number(), ActionState::Refused);
        let name = Message.facts().name;
        out.push(note(number, name, state, label, "🚫", Vec::new()));
    }

    /// The room refused an edit and rolled the action back.
    pub(crate) fn refused(&mut self, action: u32, reason: String, out: &mut Vec<Effect>) {
        let Some(run) = &mut self.run else { return };
        let known = if let Some(open) = run.step.open.as_mut().filter(|open| open.number == action)
        {
            open.refused = true;
            for made in open.trace.made() {
                Arc::make_mut(&mut self.state).ids.forget(made);
            }
            let json = run.step.parser.current().map(|(_, value)| value);
            let of = json.map(subject).unwrap_or_default();
            (open.action, of)
        } else if let Some(known) = run.names.get(&action) {
            let history = &mut Arc::make_mut(&mut self.state).history;
            history.fail(&run.id, &known.json, &reason);
            (known.action, known.subject.clone())
        } else {
            return; // of a run that is over
        };
        let (known, of) = known;
        let name = known.name();
        run.step.object(format!(
            "the {name} action{of} was refused and taken back: {reason}"
        ));
        if let Some(item) = run.claims.remove(&action) {
            Arc::make_mut(&mut self.state)
                .agenda
                .todos
                .retain(|todo| todo.id != item);
            out.push(Effect::Agenda(self.state.agenda.clone()));
        }
        let label = format!("not allowed: {reason}");
        out.push(note(
            action,
            name,
            ActionState::Refused,
            label,
            known.facts().icon,
            Vec::new(),
        ));
    }

    /// What an action wanted from outside is here, or cannot be had.
    pub(crate) fn fetched(
        &mut self,
        action: u32,
        found: Result<Value, String>,
        out: &mut Vec<Effect>,
    ) {
        let Some(run) = &mut self.run else { return };
        let Some(known) = run.names.get(&action).map(|known| known.action) else {
            return; // of a run that is over
        };
        let card = run.cards.remove(&action);
        let state = match (found, card) {
            (Ok(data), Some(Card { block, mut props })) => {
                let shown = ["title", "about"].into_iter();
                props.extend(shown.map(|name| (name.to_owned(), data[name].clone())));
                out.push(Effect::Edit {
                    action,
                    name: known.name(),
                    edits: vec![Edit::Put { id: block, props }],
                });
                out.push(Effect::EndAction { action });
                ToolState::Found(data)
            }
            (Ok(data), None) => {
                let mut request = Request::own("What you wanted to know has come; go on with it.");
                request.data.push(data.clone());
                run.schedule(request);
                ToolState::Found(data)
            }
            (Err(reason), _) => {
                let name = known.name();
                let wrong = format!("the {name} action found nothing out: {reason}");
                run.schedule(Request::own(wrong));
                ToolState::Failed(reason)
            }
        };
        out.extend(tool(action, known, state));
    }

    /// Rolls back an action that was cut, through the room.
    pub(crate) fn take_back(
        &mut self,
        mut open: OpenAction,
        draft: &mut Draft<'_>,
        out: &mut Vec<Effect>,
    ) {
        self.undo(&mut open, draft, out);
        self.close_cut(open, out);
    }

    /// Closes what the chat shows of an action that was cut and is already rolled back.
    pub(crate) fn close_cut(&mut self, open: OpenAction, out: &mut Vec<Effect>) {
        for made in open.trace.made() {
            self.state_mut().ids.forget(made);
        }
        if let Some(said) = &open.said {
            out.push(StreamedText::effect(said.thought, open.number, Piece::End));
        }
        let cut = ToolState::Failed("the answer was cut off".to_owned());
        out.extend(tool(open.number, open.action, cut));
        if let (Some(label), false) = (open.label, open.refused) {
            let (name, icon) = (open.action.name(), open.action.facts().icon);
            out.push(note(
                open.number,
                name,
                ActionState::Reverted,
                label,
                icon,
                Vec::new(),
            ));
        }
    }

    fn undo(&mut self, open: &mut OpenAction, draft: &mut Draft<'_>, out: &mut Vec<Effect>) {
        self.state_mut().reading.know_again(open.trace.known());
        for made in open.trace.made() {
            self.state_mut().ids.forget(made);
        }
        if open.trace.touched() && !open.refused {
            open.trace.undo(draft);
            out.push(Effect::Revert {
                action: open.number,
            });
        }
    }

    fn lookup(&self, name: &str) -> Result<&'static dyn action::AnyAction, Refusal> {
        let menu = Menu {
            row: self.state.mode.row(),
            surface: self.surface,
            only: self.settings.only.as_ref(),
            outside: self.settings.outside,
            plugins: &self.settings.plugins,
        };
        menu.find(name)
    }

    /// The number of a new action.
    pub(crate) fn number(&mut self) -> u32 {
        let last = &mut self.state_mut().last_action;
        *last += 1;
        *last
    }

    /// Carries out as much of an action as is known.
    fn work(
        &mut self,
        open: &mut OpenAction,
        rng: &mut crate::rng::Rng,
        given: PartialObject<'_>,
        draft: &mut Draft<'_>,
    ) -> Result<Worked, Refusal> {
        let state = Arc::make_mut(&mut self.state);
        let own = Own {
            ids: &mut state.ids,
            coords: state.coords.get_or_insert_with(Coords::default),
            agenda: &mut state.agenda,
            reading: &mut state.reading,
            fairy: &self.settings.config.fairy_id,
            mode: state.mode,
            view: state.view,
        };
        let mut ctx = ActionContext::new(draft, own, rng, &mut open.trace);
        let shown = open.action.run(given, &mut ctx)?;
        let most = open.action.facts().most_made;
        if ctx.made() > most {
            return Err(Refusal::new(format!(
                "one action makes at most {most} things: make fewer at once"
            )));
        }
        Ok((shown, ctx.finish()))
    }

    /// Tells people and the room what an action came to so far.
    fn show(
        &mut self,
        open: &mut OpenAction,
        shown: &Shown,
        edits: Vec<glade_doc::Edit>,
        state: ActionState,
        out: &mut Vec<Effect>,
    ) {
        match &shown.words {
            Some(Words::Text(text)) => say(open, false, text, out),
            Some(Words::Thought(text)) => say(open, true, text, out),
            None => {
                self.fly(shown, open.label.as_deref() != Some(&shown.doing), out);
                let label = if state == ActionState::Done {
                    &shown.done
                } else {
                    &shown.doing
                };
                if !edits.is_empty() {
                    out.push(Effect::Edit {
                        action: open.number,
                        name: open.action.name(),
                        edits,
                    });
                }
                if open.label.as_ref() != Some(label) || state == ActionState::Done {
                    open.label = Some(label.clone());
                    let (name, icon) = (open.action.name(), open.action.facts().icon);
                    out.push(note(
                        open.number,
                        name,
                        state,
                        label.clone(),
                        icon,
                        shown.elements.clone(),
                    ));
                }
            }
        }
    }

    /// Moves the sprite to where the action happens.
    fn fly(&mut self, shown: &Shown, news: bool, out: &mut Vec<Effect>) {
        let position = shown
            .place
            .map(beside)
            .filter(|position| *position != self.state.position);
        if position.is_none() && !news {
            return;
        }
        let mut change = PresenceChange {
            pose: Some(Pose::Working),
            expression: Some(Expression::Focused),
            doing: Some(shown.doing.clone()),
            ..PresenceChange::default()
        };
        if let Some(position) = position {
            let state = self.state_mut();
            if position.x != state.position.x {
                state.flip = position.x < state.position.x;
            }
            state.position = position;
            change.position = Some(position);
            change.flip = Some(state.flip);
        }
        out.push(Effect::Presence(change));
    }
}

/// How far an action is, if it is one that finds something out.
fn tool(action: u32, known: &dyn action::AnyAction, state: ToolState) -> Option<Effect> {
    (known.facts().shows == Shows::Tool).then(|| {
        Effect::Say(Say::Tool(ToolNote {
            action,
            name: known.name().to_owned(),
            state,
        }))
    })
}

/// What an action asks, without what it is called.
fn without_type(value: &Value) -> Value {
    let mut value = value.clone();
    if let Some(fields) = value.as_object_mut() {
        fields.shift_remove("_type");
    }
    value
}

fn beside(rect: Rect) -> Point {
    Point::new(rect.x - BESIDE, rect.y - BESIDE)
}

/// Streams words: only what is new of them.
fn say(open: &mut OpenAction, thought: bool, text: &str, out: &mut Vec<Effect>) {
    let said = open.said.get_or_insert_with(|| StreamedText {
        thought,
        text: String::new(),
    });
    // Words only grow; should they not, what was said stays said.
    if let Some(new) = text.strip_prefix(said.text.as_str())
        && !new.is_empty()
    {
        out.push(StreamedText::effect(
            said.thought,
            open.number,
            Piece::Delta(new.to_owned()),
        ));
        said.text = text.to_owned();
    }
}

fn note(
    action: u32,
    name: &str,
    state: ActionState,
    label: String,
    icon: &str,
    elements: Vec<glade_doc::ElementId>,
) -> Effect {
    Effect::Say(Say::Action(ActionNote {
        action,
        name: name.to_owned(),
        state,
        label,
        icon: icon.to_owned(),
        elements,
    }))
}
