//! A page with one fairy and the sketch model, without a host.

use glade_agent::{
    Agent, AgentConfig, Effect, Event, Input, Lint, Outcome, Piece, Prompt, Say, StopReason, Usage,
    World,
};
use glade_canvas::factory::{self, Style};
use glade_canvas::{Element, ElementKind, GeoKind, Rect, Scene};
use glade_doc::{ElementId, PageId, RunId};
use glade_sketch::answer;

pub const VIEW: Rect = Rect::new(-300.0, 150.0, 1200.0, 800.0);

pub struct Page {
    agent: Agent,
    pub scene: Scene,
    id: PageId,
    runs: u32,
    pub said: String,
    pub prompts: Vec<Prompt>,
    pub actions: Vec<String>,
    /// Whether somebody looks for flaws: every rectangle is one.
    pub lints: bool,
}

fn flaws(scene: &Scene, _: &Rect) -> Vec<Lint> {
    let boxes = scene
        .live()
        .filter(|element| element.kind() == ElementKind::Rectangle);
    let flaw = |element: &Element| Lint {
        kind: "overlap".to_owned(),
        shapes: vec![element.id.clone()],
        message: "it lies on another".to_owned(),
    };
    boxes.map(flaw).collect()
}

impl Page {
    pub fn new() -> Self {
        let config = AgentConfig {
            fairy_id: "fy_a".to_owned(),
            name: "Pip".to_owned(),
            personality: String::new(),
            view: VIEW,
        };
        Self {
            agent: Agent::new(config),
            scene: Scene::new(),
            id: PageId::from("pg_a"),
            runs: 0,
            said: String::new(),
            prompts: Vec::new(),
            actions: Vec::new(),
            lints: false,
        }
    }

    /// Asks, answers with sketch until the run ends; letter by letter, as a stream would.
    pub fn ask(&mut self, message: &str) -> &mut Self {
        self.ask_about(message, &[])
    }

    pub fn ask_about(&mut self, message: &str, selection: &[ElementId]) -> &mut Self {
        self.runs += 1;
        self.said.clear();
        self.actions.clear();
        let input = Input {
            bounds: Some(VIEW),
            selection: selection.to_vec(),
            ..Input::message(message)
        };
        let run = RunId::from(format!("run_{}", self.runs));
        let mut effects = self.send(Event::Prompt {
            run,
            input,
            seed: u64::from(self.runs),
        });
        for _ in 0..3 {
            let Some((step, prompt)) = asked(&effects) else {
                break;
            };
            self.prompts.push(prompt.clone());
            let text = answer(&prompt).to_string();
            for piece in text.split_inclusive([' ', ',']) {
                self.send(Event::Delta {
                    step,
                    text: piece.to_owned(),
                });
            }
            effects = self.send(Event::Answered {
                step,
                usage: Usage::default(),
                stop: StopReason::Stop,
            });
        }
        let done = effects.iter().any(|effect| {
            matches!(
                effect,
                Effect::EndRun {
                    outcome: Outcome::Done,
                    ..
                }
            )
        });
        assert!(done, "{message:?} did not come to its end: {effects:?}");
        self
    }

    fn send(&mut self, event: Event) -> Vec<Effect> {
        let world = World {
            lints: self.lints.then_some(&flaws),
            ..World::new(&self.scene, &self.id)
        };
        let effects = self.agent.step(event, &world);
        for effect in &effects {
            match effect {
                Effect::Edit { edits, .. } => self.scene.apply(edits),
                Effect::Say(Say::Text {
                    piece: Piece::Delta(text),
                    ..
                }) => self.said.push_str(text),
                Effect::Say(Say::Action(note)) => self
                    .actions
                    .push(format!("{:?} {}", note.state, note.label)),
                Effect::Revert { .. } => panic!("sketch never has to be taken back"),
                _ => {}
            }
        }
        effects
    }

    pub fn put(&mut self, id: &str, rect: Rect) {
        let index = format!("Zz{id}");
        let props = factory::geo(GeoKind::Rectangle, rect, Style::default(), 3, &index);
        self.scene.put(Element::new(ElementId::from(id), props));
    }

    /// The shape that says this; exactly one does.
    pub fn shape(&self, text: &str) -> Element {
        let all: Vec<&Element> = self
            .scene
            .live()
            .filter(|element| {
                element.kind() == ElementKind::Text && element.original_text() == text
            })
            .collect();
        assert_eq!(all.len(), 1, "{text:?} is shown {} times", all.len());
        self.scene
            .container_of(&all[0].id)
            .unwrap_or(all[0])
            .clone()
    }

    pub fn says(&self, text: &str) -> bool {
        self.scene
            .live()
            .any(|element| element.original_text() == text)
    }

    pub fn of_kind(&self, kind: ElementKind) -> Vec<Element> {
        self.scene
            .live()
            .filter(|element| element.kind() == kind)
            .cloned()
            .collect()
    }

    /// Arrows as pairs of texts.
    pub fn arrows(&self) -> Vec<(String, String)> {
        let text = |id: &ElementId| {
            self.scene
                .label_of(id)
                .map(|label| label.original_text().to_owned())
                .unwrap_or_default()
        };
        let end = |binding: Option<glade_canvas::Binding>| {
            text(&binding.expect("both ends are bound").element_id)
        };
        self.of_kind(ElementKind::Arrow)
            .iter()
            .map(|arrow| (end(arrow.start_binding()), end(arrow.end_binding())))
            .collect()
    }

    /// Pairs of closed shapes that overlap.
    pub fn overlaps(&self) -> Vec<(ElementId, ElementId)> {
        let closed: Vec<Element> = self
            .scene
            .live()
            .filter(|element| {
                !element.kind().is_linear() && self.scene.container_of(&element.id).is_none()
            })
            .cloned()
            .collect();
        let mut found = Vec::new();
        for (at, one) in closed.iter().enumerate() {
            for other in &closed[at + 1..] {
                if one.rect().intersects(&other.rect()) {
                    found.push((one.id.clone(), other.id.clone()));
                }
            }
        }
        found
    }

    /// Labels that do not fit into their boxes.
    pub fn spilling(&self) -> Vec<String> {
        let labels = self
            .scene
            .live()
            .filter_map(|label| Some((label, self.scene.container_of(&label.id)?)));
        labels
            .filter(|(_, container)| container.kind() != ElementKind::Arrow)
            .filter(|(label, container)| !container.rect().expand(0.5).contains_rect(&label.rect()))
            .map(|(label, _)| label.original_text().to_owned())
            .collect()
    }
}

fn asked(effects: &[Effect]) -> Option<(u32, Prompt)> {
    effects.iter().find_map(|effect| match effect {
        Effect::Ask { step, prompt } => Some((*step, (**prompt).clone())),
        _ => None,
    })
}
