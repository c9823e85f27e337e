//! A room for one fairy, in memory: carries out effects as a host would, without a network.

use std::collections::{BTreeMap, BTreeSet};

use glade_agent::projects::Board;
use glade_agent::{
    Agent, AgentConfig, Comment, Effect, Event, Failure, Input, Lint, OpenItem, Outcome, PageInfo,
    Piece, Prompt, Say, StopReason, Usage, UserAction, World,
};
use glade_canvas::{Element, Rect, Scene, factory};
use glade_doc::{Edit, ElementId, PageId, Props, RunId};
use serde_json::{Value, json};

pub const VIEW: Rect = Rect::new(1000.0, 2000.0, 1200.0, 800.0);

#[derive(Clone)]
pub struct Room {
    pub agent: Agent,
    pub scene: Scene,
    page: PageId,
    /// The open action's elements as they were before it.
    open: BTreeMap<u32, BTreeMap<ElementId, Option<Element>>>,
    pub asked: Vec<(u32, Prompt)>,
    /// When it wants to be woken.
    pub wake: Option<(u32, u64)>,
    pub time: Option<String>,
    pub pages: Vec<PageInfo>,
    pub user_actions: Vec<UserAction>,
    pub open_items: Vec<OpenItem>,
    pub comments: Vec<Comment>,
    pub part: Option<(ElementId, ElementId)>,
    /// Where it may change something, if not everywhere.
    pub area: Option<Rect>,
    pub lints: Option<fn(&Scene, &Rect) -> Vec<Lint>>,
    /// The project that it is in.
    pub board: Option<Board>,
    /// The runs that whoever asks may know of, if not all.
    pub visible_runs: Option<BTreeSet<RunId>>,
    pub log: Vec<Effect>,
    runs: u32,
}

impl Room {
    pub fn new() -> Self {
        let config = AgentConfig {
            fairy_id: "fy_test".to_owned(),
            name: "Pip".to_owned(),
            personality: "calm".to_owned(),
            view: VIEW,
        };
        Self {
            agent: Agent::new(config),
            scene: Scene::new(),
            page: PageId::from("pg_test"),
            open: BTreeMap::new(),
            asked: Vec::new(),
            wake: None,
            time: None,
            pages: Vec::new(),
            user_actions: Vec::new(),
            open_items: Vec::new(),
            comments: Vec::new(),
            part: None,
            area: None,
            lints: None,
            board: None,
            visible_runs: None,
            log: Vec::new(),
            runs: 0,
        }
    }

    /// A room in which a run has just begun.
    pub fn asked(message: &str) -> Self {
        let mut room = Self::new();
        room.prompt(message);
        room
    }

    pub fn prompt(&mut self, message: &str) -> Vec<Effect> {
        self.prompt_with(Input {
            bounds: Some(VIEW),
            ..Input::message(message)
        })
    }

    pub fn prompt_with(&mut self, input: Input) -> Vec<Effect> {
        self.roll_back_open();
        self.runs += 1;
        let run = RunId::from(format!("run_{}", self.runs));
        self.send(Event::Prompt {
            run,
            input,
            seed: u64::from(self.runs) * 77,
        })
    }

    /// The host's fence, then the event.
    pub fn stop(&mut self) -> Vec<Effect> {
        self.roll_back_open();
        self.send(Event::Stop)
    }

    pub fn delta(&mut self, text: &str) -> Vec<Effect> {
        let step = self.step();
        self.send(Event::Delta {
            step,
            text: text.to_owned(),
        })
    }

    pub fn end(&mut self) -> Vec<Effect> {
        self.end_with(StopReason::Stop)
    }

    pub fn end_with(&mut self, stop: StopReason) -> Vec<Effect> {
        let step = self.step();
        self.send(Event::Answered {
            step,
            usage: Usage::default(),
            stop,
        })
    }

    /// A whole answer at once.
    pub fn answer(&mut self, actions: Value) -> Vec<Effect> {
        let mut effects = self.delta(&json!({"actions": actions}).to_string());
        effects.extend(self.end());
        effects
    }

    /// The step asked last.
    pub fn step(&self) -> u32 {
        self.asked.last().expect("something was asked").0
    }

    pub fn last_prompt(&self) -> &Prompt {
        &self.asked.last().expect("something was asked").1
    }

    /// Sends an event, carries out its effects, and comes back at once where that is wanted.
    pub fn send(&mut self, event: Event) -> Vec<Effect> {
        let mut effects = self.send_one(event);
        while let Some((step, 0)) = self.wake {
            self.wake = None;
            effects.extend(self.send_one(Event::Woken { step }));
        }
        effects
    }

    fn send_one(&mut self, event: Event) -> Vec<Effect> {
        let lints = self.lints;
        let look = move |scene: &Scene, area: &Rect| {
            lints.map_or_else(Vec::new, |lints| lints(scene, area))
        };
        let world = World {
            time: self.time.as_deref(),
            pages: &self.pages,
            user_actions: &self.user_actions,
            open_items: &self.open_items,
            comments: &self.comments,
            part: self.part.as_ref(),
            area: self.area,
            lints: lints.is_some().then_some(&look),
            board: &|| self.board.as_ref(),
            visible_runs: self.visible_runs.as_ref(),
            ..World::new(&self.scene, &self.page)
        };
        let effects = self.agent.step(event, &world);
        for effect in &effects {
            self.carry_out(effect);
        }
        self.log.extend(effects.clone());
        effects
    }

    /// Lets the time pass that it waits for.
    pub fn let_it_wake(&mut self) -> Vec<Effect> {
        let (step, _) = self.wake.take().expect("it waits");
        self.send(Event::Woken { step })
    }

    pub fn fail(&mut self, error: &str, retryable: bool) -> Vec<Effect> {
        let step = self.step();
        self.send(Event::Failed {
            step,
            failure: Failure::generic(error),
            retryable,
        })
    }

    pub fn schedule(&mut self, input: Input) -> Vec<Effect> {
        self.runs += 1;
        let run = RunId::from(format!("run_{}", self.runs));
        let seed = u64::from(self.runs) * 77;
        self.send(Event::Schedule { run, input, seed })
    }

    pub fn preview(&self, input: &Input) -> Prompt {
        self.agent
            .preview_prompt(input, &World::new(&self.scene, &self.page))
    }

    /// The last message of the last prompt.
    pub fn told(&self) -> &str {
        &self
            .last_prompt()
            .messages
            .last()
            .expect("a message")
            .content
    }

    fn carry_out(&mut self, effect: &Effect) {
        match effect {
            Effect::Wake { step, after_ms } => self.wake = Some((*step, *after_ms)),
            Effect::Ask { step, prompt } => self.asked.push((*step, (**prompt).clone())),
            Effect::Edit { action, edits, .. } => {
                assert!(!edits.is_empty(), "an edit that changes nothing");
                let before = self.open.entry(*action).or_default();
                for edit in edits {
                    let id = edit.id();
                    before
                        .entry(id.clone())
                        .or_insert_with(|| self.scene.any(id).cloned());
                    if let (Edit::Put { props, .. }, Some(element)) = (edit, self.scene.any(id))
                        // Points go with their place and size, changed or not.
                        && !props.contains_key("points")
                    {
                        let idle = props
                            .iter()
                            .find(|(key, value)| element.props.get(*key) == Some(*value));
                        assert_eq!(idle, None, "only differences are written to {id}");
                    }
                }
                self.scene.apply(edits);
            }
            Effect::EndAction { action } => {
                self.open
                    .remove(action)
                    .expect("an action that wrote something");
            }
            Effect::Revert { action } => {
                let before = self
                    .open
                    .remove(action)
                    .expect("an action that wrote something");
                self.restore(before);
            }
            _ => {}
        }
    }

    pub fn roll_back_open(&mut self) {
        for before in std::mem::take(&mut self.open).into_values() {
            self.restore(before);
        }
    }

    fn restore(&mut self, before: BTreeMap<ElementId, Option<Element>>) {
        for (id, element) in before {
            match element {
                Some(element) => self.scene.put(element),
                None => self.scene.apply(&[Edit::Delete { id }]),
            }
        }
    }

    /// All live elements, bottom first.
    pub fn live(&self) -> Vec<Element> {
        self.scene.live().cloned().collect()
    }

    /// The live element with this text, as its shape.
    pub fn named(&self, text: &str) -> Element {
        let found = self
            .scene
            .live()
            .find(|element| element.original_text() == text);
        let found = found.unwrap_or_else(|| panic!("nothing says {text:?}"));
        self.scene.container_of(&found.id).unwrap_or(found).clone()
    }

    pub fn put_box(&mut self, id: &str, rect: Rect) -> ElementId {
        let index = format!("Zz{:04}", self.scene.live_count() + 1);
        let props = factory::geo(
            glade_canvas::GeoKind::Rectangle,
            rect,
            factory::Style::default(),
            7,
            &index,
        );
        self.scene.put(Element::new(ElementId::from(id), props));
        ElementId::from(id)
    }

    pub fn set(&mut self, id: &ElementId, key: &str, value: Value) {
        self.scene.apply(&[Edit::Put {
            id: id.clone(),
            props: Props::from_iter([(key.to_owned(), value)]),
        }]);
    }
}

/// The words said, by id, in the order of their beginning; every one must have ended.
pub fn words(effects: &[Effect]) -> Vec<String> {
    let mut open: BTreeMap<String, String> = BTreeMap::new();
    let mut said = Vec::new();
    for effect in effects {
        if let Effect::Say(Say::Text { id, piece }) = effect {
            match piece {
                Piece::Delta(new) => open.entry(id.clone()).or_default().push_str(new),
                Piece::End | Piece::Sealed(_) => {
                    said.push(open.remove(id).expect("an end has a beginning"))
                }
            }
        }
    }
    assert!(open.is_empty(), "words without an end: {open:?}");
    said
}

pub fn outcome(effects: &[Effect]) -> Option<Outcome> {
    effects.iter().find_map(|effect| match effect {
        Effect::EndRun { outcome, .. } => Some(outcome.clone()),
        _ => None,
    })
}

/// A rectangle in the model's words.
pub fn a_box(id: &str, x: i32, y: i32, text: &str) -> Value {
    json!({"_type": "create", "intent": "", "shape": {
        "_type": "rectangle", "shapeId": id, "x": x, "y": y, "w": 160, "h": 80, "color": "blue", "fill": "tint", "text": text,
    }})
}

pub fn an_arrow(from: &str, to: &str) -> Value {
    json!({"_type": "create", "intent": "", "shape": {
        "_type": "arrow", "shapeId": format!("{from}-{to}"), "fromId": from, "toId": to,
        "x1": 0, "y1": 0, "x2": 10, "y2": 10, "color": "black", "text": "",
    }})
}
