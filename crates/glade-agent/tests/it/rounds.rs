//! Answers in rounds of tool calls: no network, no files.

use glade_agent::{
    Agent, AgentConfig, CallError, CallEvent, CallNote, CallResult, CallState, Dialogue,
    DialogueTurn, Effect, Event, Failure, FailureKind, Input, Limits, Mode, Outcome, Piece, Say,
    StopReason, Thought, ToolCall, ToolResult, Usage, World,
};
use glade_canvas::{Rect, Scene};
use glade_doc::{PageId, RunId};
use serde_json::{Value, json};

fn person(text: &str) -> DialogueTurn {
    DialogueTurn::Person {
        text: text.to_owned(),
        images: Vec::new(),
    }
}

/// A fairy and what it is asked by now.
struct Talk {
    agent: Agent,
    asked: Vec<Dialogue>,
}

impl Talk {
    fn idle() -> Self {
        let agent = Agent::new(AgentConfig {
            fairy_id: "fy_1".to_owned(),
            name: "Pip".to_owned(),
            personality: String::new(),
            view: Rect::default(),
        });
        let asked = Vec::new();
        Self { agent, asked }
    }

    fn asked() -> Self {
        let mut talk = Self::idle();
        talk.ask("run_1", "What is in a.txt?");
        talk
    }

    fn ask(&mut self, run: &str, words: &str) -> Vec<Effect> {
        self.send(Event::Converse {
            run: RunId::from(run),
            input: Input::message(words),
            dialogue: Box::new(Dialogue {
                system: "Be careful.".to_owned(),
                turns: vec![person(words)],
                tools: Vec::new(),
                max_output_tokens: 100,
                temperature: 0.7,
                thinking: None,
            }),
            seed: 1,
        })
    }

    fn send(&mut self, event: Event) -> Vec<Effect> {
        let (scene, page) = (Scene::default(), PageId::from(""));
        let effects = self.agent.step(event, &World::new(&scene, &page));
        for effect in &effects {
            if let Effect::Converse { dialogue, .. } = effect {
                self.asked.push((**dialogue).clone());
            }
        }
        effects
    }

    fn step(&self) -> u32 {
        self.agent.awaited_step().unwrap()
    }

    fn text(&mut self, text: &str) -> Vec<Effect> {
        let (step, text) = (self.step(), text.to_owned());
        self.send(Event::Delta { step, text })
    }

    fn calls(&mut self, id: &str, tool: &str, pieces: &[&str]) -> Vec<Effect> {
        let step = self.step();
        let id = id.to_owned();
        let mut events = vec![CallEvent::Begun {
            id: id.clone(),
            tool: tool.to_owned(),
        }];
        events.extend(pieces.iter().map(|piece| CallEvent::Input {
            id: id.clone(),
            piece: (*piece).to_owned(),
        }));
        events.push(CallEvent::Over { id });
        let send = |call| self.send(Event::Call { step, call });
        events.into_iter().flat_map(send).collect()
    }

    fn end(&mut self, stop: StopReason) -> Vec<Effect> {
        let step = self.step();
        let usage = Usage::default();
        self.send(Event::Answered { step, usage, stop })
    }

    fn done(&mut self, id: &str, found: Result<Value, CallError>) -> Vec<Effect> {
        let step = self.step();
        let results = vec![CallResult {
            id: id.to_owned(),
            found,
            told: None,
            took_ms: 7,
        }];
        self.send(Event::CallsDone { step, results })
    }

    fn fail(&mut self, failure: Failure, retryable: bool) -> Vec<Effect> {
        let step = self.step();
        self.send(Event::Failed {
            step,
            failure,
            retryable,
        })
    }

    fn last(&self) -> &Dialogue {
        self.asked.last().unwrap()
    }
}

fn of_kind(kind: FailureKind, retry_after_ms: Option<u64>) -> Failure {
    Failure {
        kind,
        retry_after_ms,
        ..Failure::generic("no")
    }
}

fn outcome(effects: &[Effect]) -> Option<&Outcome> {
    effects.iter().find_map(|effect| match effect {
        Effect::EndRun { outcome, .. } => Some(outcome),
        _ => None,
    })
}

fn carried_out(effects: &[Effect]) -> Vec<&str> {
    let calls = effects.iter().find_map(|effect| match effect {
        Effect::RunCalls { calls, .. } => Some(calls),
        _ => None,
    });
    calls
        .into_iter()
        .flatten()
        .map(|call| call.id.as_str())
        .collect()
}

fn states(effects: &[Effect]) -> Vec<&CallNote> {
    effects
        .iter()
        .filter_map(|effect| match effect {
            Effect::Say(Say::Call(note)) => Some(note),
            _ => None,
        })
        .collect()
}

#[test]
fn calls_are_carried_out_and_their_results_are_part_of_the_next_request() {
    let mut talk = Talk::asked();
    let step = talk.step();
    let (text, signature) = ("Look.".to_owned(), "seal".to_owned());
    talk.send(Event::Thinking { step, text });
    let sealed = talk.send(Event::Sealed { step, signature });
    let seal = Piece::Sealed("seal".to_owned());
    assert!(
        matches!(&sealed[..], [Effect::Say(Say::Thought { piece, .. })] if *piece == seal),
        "{sealed:?}"
    );
    talk.text("I ");
    talk.text("look.");
    talk.calls("c1", "read-file", &["{\"target_file\":", "\"a.txt\"}"]);
    assert_eq!(carried_out(&talk.end(StopReason::Stop)), ["c1"]);

    let found = json!({"content": "hello", "diff": "people only"});
    talk.done("c1", Ok(found));
    let model = DialogueTurn::Model {
        thoughts: vec![Thought {
            text: "Look.".to_owned(),
            signature: "seal".to_owned(),
        }],
        text: "I look.".to_owned(),
        calls: vec![ToolCall {
            id: "c1".to_owned(),
            tool: "read-file".to_owned(),
            input: json!({"target_file": "a.txt"}),
        }],
    };
    let results = DialogueTurn::Results(vec![ToolResult {
        id: "c1".to_owned(),
        tool: "read-file".to_owned(),
        output: "{\"content\":\"hello\"}".to_owned(),
        failed: false,
    }]);
    let turns = vec![person("What is in a.txt?"), model, results];
    assert_eq!(talk.last().turns, turns);

    talk.text("It says hello.");
    let effects = talk.end(StopReason::Stop);
    assert_eq!(outcome(&effects), Some(&Outcome::Done));
    assert_eq!(talk.agent.mode(), Mode::Idling);
    // What was asked, said and done is remembered where everything else is.
    let lines = talk
        .agent
        .history()
        .lines(glade_agent::MemoryLevel::Fairy, None);
    let texts: Vec<&str> = lines.iter().map(|line| line.text.as_str()).collect();
    assert_eq!(texts, ["What is in a.txt?", "It says hello."]);
}

#[test]
fn a_call_that_cannot_be_read_is_told_to_the_model_and_others_are_carried_out() {
    let mut talk = Talk::asked();
    talk.calls("cut", "read-file", &["{\"target_file\": \"a"]);
    talk.calls("bare", "read-file", &["{}"]);
    talk.calls("nothing", "read-file", &[]);
    talk.calls("ended", "read-file", &["{}"]);
    let (step, id) = (talk.step(), "ended".to_owned());
    let call = CallEvent::Cut { id };
    talk.send(Event::Call { step, call });
    assert_eq!(carried_out(&talk.end(StopReason::Stop)), ["bare"]);
    talk.done(
        "bare",
        Err(CallError {
            code: "MISSING_TARGET_FILE".to_owned(),
            words: "Name a file.".to_owned(),
        }),
    );
    let Some(DialogueTurn::Results(results)) = talk.last().turns.last() else {
        panic!("results come last");
    };
    let told: Vec<(&str, bool)> = results
        .iter()
        .map(|result| (result.output.split(':').next().unwrap(), result.failed))
        .collect();
    assert_eq!(
        told,
        [
            ("INVALID_INPUT", true),
            ("MISSING_TARGET_FILE", true),
            ("INVALID_INPUT", true),
            ("INVALID_INPUT", true),
        ]
    );
}

#[test]
fn stop_ends_open_calls_and_nothing_is_heard_after_it() {
    let mut talk = Talk::asked();
    talk.text("I change it.");
    talk.calls("c1", "multi-edit", &["{}"]);
    talk.end(StopReason::Stop);
    let step = talk.step();
    let effects = talk.send(Event::Stop);
    let given_up = CallState::GivenUp("Stopped before it was done.".to_owned());
    assert_eq!(states(&effects)[0].state, given_up);
    assert_eq!(outcome(&effects), Some(&Outcome::Stopped));
    let text = "more".to_owned();
    assert_eq!(talk.send(Event::Delta { step, text }), []);
    let results = Vec::new();
    assert_eq!(talk.send(Event::CallsDone { step, results }), []);
}

#[test]
fn a_new_message_in_the_middle_of_calls_ends_them_and_begins_anew() {
    let mut talk = Talk::asked();
    talk.calls("c1", "read-file", &["{}"]);
    let late = talk.step();
    talk.end(StopReason::Stop);
    let effects = talk.ask("run_2", "No, b.txt.");
    assert_eq!(outcome(&effects), Some(&Outcome::Interrupted));
    assert_eq!(talk.last().turns, [person("No, b.txt.")]);
    let step = late;
    let results = Vec::new();
    assert_eq!(talk.send(Event::CallsDone { step, results }), []);
}

#[test]
fn rounds_are_a_limit_that_one_sets_and_the_person_is_told() {
    let mut talk = Talk::idle();
    talk.agent.settings.limits = Limits {
        steps: 2,
        ..Limits::default()
    };
    talk.ask("run_1", "Look at everything.");
    let mut last = Vec::new();
    for round in ["c1", "c2"] {
        talk.calls(round, "read-file", &["{}"]);
        talk.end(StopReason::Stop);
        last = talk.done(round, Ok(json!({})));
    }
    let Some(Outcome::Failed(failure)) = outcome(&last) else {
        panic!("{last:?}");
    };
    assert_eq!(failure.kind, FailureKind::Depth);
    assert_eq!(talk.asked.len(), 2);
}

#[test]
fn a_refused_key_is_tried_twice_more() {
    let mut talk = Talk::asked();
    for tries in [2, 3] {
        let effects = talk.fail(of_kind(FailureKind::Auth, None), false);
        assert_eq!(outcome(&effects), None);
        assert_eq!(talk.asked.len(), tries);
    }
    let failure = of_kind(FailureKind::Auth, None);
    let effects = talk.fail(failure.clone(), false);
    assert_eq!(outcome(&effects), Some(&Outcome::Failed(failure)));
}

#[test]
fn what_fails_for_now_is_tried_again_after_the_wait_and_told_if_that_is_too_long() {
    let mut talk = Talk::asked();
    let effects = talk.fail(of_kind(FailureKind::PlanLimit, Some(17_000)), true);
    let step = talk.step();
    let after_ms = 17_000;
    assert!(effects.contains(&Effect::Wake { step, after_ms }));
    talk.send(Event::Woken { step });
    assert_eq!(talk.asked[0], talk.asked[1]);

    let long = of_kind(FailureKind::PlanLimit, Some(900_000));
    let effects = talk.fail(long.clone(), true);
    assert_eq!(outcome(&effects), Some(&Outcome::Failed(long)));
}

#[test]
fn what_was_said_already_is_not_said_twice() {
    let mut talk = Talk::asked();
    talk.text("I look");
    let failure = Failure::generic("it broke off");
    let effects = talk.fail(failure.clone(), true);
    assert_eq!(outcome(&effects), Some(&Outcome::Failed(failure)));
}

#[test]
fn an_answer_that_was_too_long_goes_on_once() {
    let mut talk = Talk::asked();
    talk.text("First");
    assert_eq!(outcome(&talk.end(StopReason::Length)), None);
    let said = DialogueTurn::Model {
        thoughts: Vec::new(),
        text: "First".to_owned(),
        calls: Vec::new(),
    };
    assert_eq!(talk.last().turns[1], said);
    talk.text("Second");
    let effects = talk.end(StopReason::Length);
    assert_eq!(outcome(&effects), Some(&Outcome::Done));
}

#[test]
fn a_crash_finds_no_round_to_go_on_with() {
    let mut talk = Talk::asked();
    talk.text("I look.");
    assert_eq!(talk.agent.checkpoint().run(), None);
}
