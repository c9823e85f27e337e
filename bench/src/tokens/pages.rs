//! Requests of fairies on pages.

use anyhow::{Context, Result};
use glade_agent::form::{notation, shared};
use glade_agent::{Agent, Effect, Event, Input, Prompt, StopReason, Usage};
use glade_canvas::{Element, Rect, Scene};
use glade_doc::{PageId, RunId, Surface};
use serde_json::{Value, json};

use super::Sent;
use crate::fixtures::{VIEW, agent, boxes, world};

/// As it is sent.
fn sent(prompt: &Prompt) -> Sent {
    let messages = prompt
        .messages
        .iter()
        .map(|message| message.content.clone());
    let form = shared(&prompt.schema).to_string();
    let told = notation(&prompt.schema);
    let with_form = [prompt.system.clone(), form];
    let text = [prompt.system.clone(), told];
    Sent {
        text: text.into_iter().chain(messages.clone()).collect(),
        with_form: with_form.into_iter().chain(messages).collect(),
    }
}

/// A fairy on a page, whose edits are carried out.
struct Talk {
    agent: Agent,
    scene: Scene,
    page: PageId,
    runs: u32,
    view: Rect,
    step: u32,
    requests: Vec<Sent>,
}

impl Talk {
    fn on(scene: Scene, view: Rect) -> Self {
        Self {
            agent: agent(),
            scene,
            page: PageId::from("pg_bench"),
            runs: 0,
            view,
            step: 0,
            requests: Vec::new(),
        }
    }

    fn send(&mut self, event: Event) {
        let mut events = vec![event];
        while let Some(event) = events.pop() {
            let effects = self.agent.step(event, &world(&self.scene, &self.page));
            for effect in effects {
                match effect {
                    Effect::Ask { step, prompt } => {
                        self.step = step;
                        self.requests.push(sent(&prompt));
                    }
                    Effect::Edit { edits, .. } => self.scene.apply(&edits),
                    Effect::Wake { step, .. } => events.push(Event::Woken { step }),
                    _ => {}
                }
            }
        }
    }

    fn ask(&mut self, message: &str) {
        self.runs += 1;
        self.send(Event::Prompt {
            run: RunId::from(format!("run_{}", self.runs).as_str()),
            input: Input {
                bounds: Some(self.view),
                ..Input::message(message)
            },
            seed: u64::from(self.runs),
        });
    }

    /// The id that the last request shows before these words.
    fn block(&self, words: &str) -> Result<String> {
        let shown = self.requests.last().context("nothing was asked")?;
        let lines = shown.text.iter().flat_map(|text| text.lines());
        let line = lines
            .rev()
            .find(|line| line.contains(words))
            .with_context(|| format!("{words:?} is not shown"))?;
        let id = line.trim_start_matches(['+', ' ']);
        Ok(id
            .chars()
            .take_while(|letter| letter.is_alphanumeric())
            .collect())
    }

    fn answer(&mut self, actions: Value) {
        let step = self.step;
        let text = json!({"actions": actions}).to_string();
        self.send(Event::Delta { step, text });
        self.send(Event::Answered {
            step,
            usage: Usage::default(),
            stop: StopReason::Stop,
        });
    }
}

/// The first request on a page.
pub fn first(scene: Scene, view: Rect) -> Vec<Sent> {
    let mut talk = Talk::on(scene, view);
    talk.ask("What is here, and what would you do next?");
    talk.requests
}

pub fn empty_canvas() -> Vec<Sent> {
    first(Scene::new(), VIEW)
}

pub fn empty_text() -> Vec<Sent> {
    first(Scene::of(Surface::Text, []), VIEW)
}

/// Labelled boxes, all of them in view.
pub fn shapes(count: u32) -> Vec<Sent> {
    let view = Rect::new(0.0, 0.0, 1600.0, f64::from(count / 20) * 98.0);
    first(boxes(count), view)
}

pub fn paragraphs(count: usize) -> Vec<Sent> {
    first(essay(count), VIEW)
}

/// A page of that many paragraphs of some thirty words, with a heading before every twentieth.
fn essay(count: usize) -> Scene {
    const WORDS: [&str; 24] = [
        "the", "garden", "was", "planted", "before", "anyone", "knew", "how", "much", "water", "a",
        "slope", "of", "clay", "would", "hold", "in", "summer", "and", "what", "it", "gave",
        "back", "slowly",
    ];
    let mut blocks = Vec::new();
    let mut put = |kind: &str, text: String| {
        let at = blocks.len();
        let props = json!({"nodeName": kind, "parent": null, "index": format!("a{at:06}"), "originalText": text, "level": 2});
        let props = props.as_object().cloned().unwrap_or_default();
        blocks.push(Element::new(format!("block{at:04}").as_str(), props));
    };
    for at in 0..count {
        if at % 20 == 0 {
            put("heading", format!("Part {}", at / 20 + 1));
        }
        let words = (0..30).map(|word| WORDS[(at * 7 + word * (at % 5 + 1)) % WORDS.len()]);
        let words: Vec<&str> = words.collect();
        put("paragraph", format!("Paragraph {at}: {}.", words.join(" ")));
    }
    Scene::of(Surface::Text, blocks)
}

/// A drawing of twelve shapes and its review: the request of the second step.
pub fn second_step() -> Result<Vec<Sent>> {
    let mut talk = Talk::on(Scene::new(), VIEW);
    talk.ask("Draw our web shop: browsers, gateway, services, their databases.");
    let mut actions = vec![json!({"_type": "message", "text": "I draw it from left to right."})];
    for at in 0..8 {
        actions.push(json!({"_type": "create", "intent": "a part of the web shop", "shape": {
            "_type": "rectangle", "shapeId": format!("service-{at}"), "x": 80 + at % 4 * 280, "y": 80 + at / 4 * 240,
            "w": 200, "h": 100, "color": "blue", "fill": "tint", "text": format!("Service number {at}"),
        }}));
    }
    for at in 0..4 {
        actions.push(json!({"_type": "create", "intent": "who calls whom", "shape": {
            "_type": "arrow", "shapeId": format!("call-{at}"), "fromId": format!("service-{at}"),
            "toId": format!("service-{}", at + 4), "color": "black", "text": "calls",
        }}));
    }
    actions.push(json!({"_type": "review", "intent": "see whether it is all there", "x": 0, "y": 0, "w": 1600, "h": 1000}));
    talk.answer(actions.into());
    let second = talk.requests.len() == 2;
    second
        .then_some(talk.requests)
        .context("the review asked for no second step")
}

/// Ten messages, each answered with one more shape.
pub fn chat_on_canvas() -> Vec<Sent> {
    let mut talk = Talk::on(boxes(200), VIEW);
    for number in 1..=10 {
        talk.ask(&format!("Message number {number}: one more box, please."));
        talk.answer(json!([
            {"_type": "create", "intent": "one more", "shape": {
                "_type": "rectangle", "shapeId": format!("more-{number}"), "x": 60 * number, "y": 400,
                "w": 40, "h": 40, "color": "red", "fill": "none", "text": "",
            }},
            {"_type": "message", "text": "There it is."},
        ]));
    }
    talk.requests
}

/// Ten messages, each answered by rewriting one paragraph.
pub fn chat_on_text() -> Result<Vec<Sent>> {
    let mut talk = Talk::on(essay(400), VIEW);
    for number in 1..=10 {
        talk.ask(&format!(
            "Message number {number}: shorten paragraph {number}, please."
        ));
        let block = talk.block(&format!("Paragraph {number}:"))?;
        talk.answer(json!([
            {"_type": "text-rewrite", "intent": "shorter", "blockId": block, "text": format!("Paragraph {number}: shorter.")},
            {"_type": "message", "text": "Done."},
        ]));
    }
    let asked = talk.requests.len();
    (asked == 10)
        .then_some(talk.requests)
        .with_context(|| format!("{asked} requests instead of ten: a rewriting was refused"))
}
