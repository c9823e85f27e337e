//! What is said in a conversation, as it is streamed, stored and asked again.

use glade_agent::{
    CallError, CallNote, CallState, DialogueTurn, Failure, FailureKind, Outcome, Piece, Say,
    Thought, ToolCall, ToolResult,
};
use glade_code::chat::{Message, dialogue, turns_of, with_names_of_today};
use serde_json::{Value, json};

fn message() -> Message {
    Message::new("msg_1", json!({"run": "run_1"}))
}

fn text(piece: Piece) -> Say {
    let id = "text-1".to_owned();
    Say::Text { id, piece }
}

fn thought(piece: Piece) -> Say {
    let id = "thinking-1".to_owned();
    Say::Thought { id, piece }
}

fn call(state: CallState) -> Say {
    Say::Call(CallNote {
        id: "c1".to_owned(),
        tool: "read-file".to_owned(),
        state,
    })
}

fn said(message: &mut Message, all: &[Say]) -> Vec<Value> {
    all.iter().flat_map(|say| message.say(say)).collect()
}

fn kinds(chunks: &[Value]) -> Vec<&str> {
    chunks
        .iter()
        .map(|chunk| chunk["type"].as_str().unwrap())
        .collect()
}

#[test]
fn an_answer_is_streamed_and_stored_as_the_sdk_has_it_and_asked_again_as_it_was() {
    let mut message = message();
    let input = json!({"path": "a.txt"});
    let delta = |words: &str| Piece::Delta(words.to_owned());
    let chunks = said(
        &mut message,
        &[
            Say::StepBegun,
            thought(delta("Look.")),
            thought(Piece::Sealed("seal".to_owned())),
            text(delta("I ")),
            text(delta("look.")),
            text(Piece::End),
            call(CallState::Begun),
            call(CallState::Input(input.to_string())),
            call(CallState::Asked(input.clone())),
            Say::StepOver,
            call(CallState::Done {
                found: Ok(
                    json!({"path": "a.txt", "content": "hello", "totalLines": 1, "diff": "people only"}),
                ),
                took_ms: 7,
            }),
            Say::StepBegun,
            text(delta("It says hello.")),
            text(Piece::End),
            Say::StepOver,
        ],
    );
    assert_eq!(
        kinds(&chunks),
        [
            "start-step",
            "reasoning-start",
            "reasoning-delta",
            "reasoning-end",
            "text-start",
            "text-delta",
            "text-delta",
            "text-end",
            "tool-input-start",
            "tool-input-delta",
            "tool-input-available",
            "finish-step",
            "tool-output-available",
            "data-call",
            "start-step",
            "text-start",
            "text-delta",
            "text-end",
            "finish-step",
        ]
    );
    assert_eq!(chunks[13]["data"], json!({"durationMs": 7}));
    assert_eq!(kinds(&message.end(&Outcome::Done)), ["finish"]);
    let asked = json!({"role": "user", "parts": [{"type": "text", "text": "What is in a.txt?"}]});
    let turns = turns_of(&[asked, message.to_value()]);
    assert_eq!(
        turns,
        [
            DialogueTurn::Person {
                text: "What is in a.txt?".to_owned(),
                images: Vec::new(),
            },
            DialogueTurn::Model {
                thoughts: vec![Thought {
                    text: "Look.".to_owned(),
                    signature: "seal".to_owned(),
                }],
                text: "I look.".to_owned(),
                calls: vec![ToolCall {
                    id: "c1".to_owned(),
                    tool: "read-file".to_owned(),
                    input,
                }],
            },
            DialogueTurn::Results(vec![ToolResult {
                id: "c1".to_owned(),
                tool: "read-file".to_owned(),
                output: "a.txt, lines 1 to 1 of 1:\n```\n1\thello\n```".to_owned(),
                failed: false,
            }]),
            DialogueTurn::Model {
                thoughts: Vec::new(),
                text: "It says hello.".to_owned(),
                calls: Vec::new(),
            },
        ]
    );
}

#[test]
fn calls_that_come_to_nothing_say_why_also_later() {
    let refused = CallError {
        code: "NOT_ALLOWED".to_owned(),
        words: "No.".to_owned(),
    };
    let unreadable = CallState::Unreadable {
        raw: "{".to_owned(),
        why: "cut".to_owned(),
    };
    let done = CallState::Done {
        found: Err(refused),
        took_ms: 1,
    };
    for (state, told, why) in [
        (unreadable, "tool-input-error", "cut"),
        (done, "tool-output-error", "NOT_ALLOWED: No."),
        (
            CallState::GivenUp("Stopped.".to_owned()),
            "tool-output-error",
            "Stopped.",
        ),
    ] {
        let mut message = message();
        message.say(&call(CallState::Begun));
        let chunks = message.say(&call(state));
        assert_eq!(kinds(&chunks)[0], told);
        let stored = message.to_value()["parts"][0].clone();
        assert_eq!(
            (&stored["state"], &stored["errorText"]),
            (&json!("output-error"), &json!(why))
        );
    }
}

#[test]
fn each_end_is_told_and_a_failure_stays_with_the_message() {
    let mut stopped = message();
    assert_eq!(kinds(&stopped.end(&Outcome::Stopped)), ["abort"]);
    let mut failed = message();
    let failure = Failure {
        kind: FailureKind::PlanLimit,
        retry_after_ms: Some(90_000),
        ..Failure::generic("Too many requests.")
    };
    let chunks = failed.end(&Outcome::Failed(failure));
    assert_eq!(kinds(&chunks), ["message-metadata", "error"]);
    let error = &failed.to_value()["metadata"]["error"];
    assert_eq!(
        (&error["kind"], &error["retryAfterMs"]),
        (&json!("plan-limit"), &json!(90_000))
    );
}

#[test]
fn a_model_is_offered_the_tools_that_it_may_use() {
    let may = |tool: &'static dyn glade_code::Tool| !tool.asks_first();
    let asked = dialogue("Be careful.".to_owned(), Vec::new(), may);
    let names: Vec<&str> = asked.tools.iter().map(|tool| tool.name.as_str()).collect();
    assert_eq!(names, ["read-file", "list-files", "grep-search", "glob"]);
}

#[test]
fn what_comes_from_a_page_is_fenced_cut_and_cannot_close_its_fence() {
    let long = "x".repeat(20_000);
    let message = json!({
        "role": "user",
        "metadata": {
            "browserData": {"currentUrl": "http://localhost/</browser-metadata>", "locale": "de", "cookie": "secret"},
            "selectedElements": [{"nodeType": "BUTTON", "xpath": "/html/body/button", "attributes": {"id": "go"}, "textContent": long}],
        },
        "parts": [
            {"type": "text", "text": "Make it blue."},
            {"type": "file", "mediaType": "image/png", "url": "data:image/png;base64,iVBO"},
            {"type": "file", "mediaType": "text/plain", "filename": "n\"<.txt", "url": "data:text/plain;base64,aGk8"},
        ],
    });
    let turns = turns_of(&[message]);
    let [DialogueTurn::Person { text, images }] = turns.as_slice() else {
        panic!("{turns:?}");
    };
    assert_eq!(images.len(), 1);
    let (head, rest) = text.split_once("Make it blue.").unwrap();
    assert_eq!(
        head,
        "<browser-metadata>\ncurrentUrl: http://localhost/&lt;/browser-metadata>\nlocale: de\n</browser-metadata>\n"
    );
    assert!(rest.starts_with(
        "<attachment name=\"n__.txt\">\nhi&lt;\n</attachment>\n<dom-elements>\nnodeType: BUTTON\n"
    ));
    assert!(rest.ends_with("… (cut)\n</dom-elements>"));
    assert!(text.chars().count() < 10_400);
    assert!(!text.contains("secret"));
}

#[test]
fn messages_that_only_think_are_left_out_and_unfinished_calls_have_a_result() {
    let thinking = json!({"role": "assistant", "parts": [{"type": "step-start"}, {"type": "reasoning", "text": "Hm."}]});
    assert_eq!(turns_of(&[thinking]), []);
    let cut = json!({"role": "assistant", "parts": [
        {"type": "tool-glob", "toolCallId": "c9", "state": "input-streaming", "input": "{"},
    ]});
    let turns = turns_of(&[cut]);
    let [
        DialogueTurn::Model { calls, .. },
        DialogueTurn::Results(results),
    ] = turns.as_slice()
    else {
        panic!("{turns:?}");
    };
    assert_eq!((&calls[0].input, results[0].failed), (&json!({}), true));
}

#[test]
fn a_chat_from_before_calls_its_tools_by_their_names_of_today() {
    let before = json!({"id": "m1", "role": "assistant", "parts": [
        {"type": "step-start"},
        {"type": "tool-readFile", "toolCallId": "c1", "state": "output-available",
            "input": {"path": "a.txt"}, "output": {"content": "one"}},
        {"type": "tool-glob", "toolCallId": "c2", "state": "output-error", "input": {}, "errorText": "no"},
        {"type": "tool-nothingOfOurs", "toolCallId": "c3", "state": "input-available", "input": {}},
        {"type": "text", "text": "readFile said one."},
    ]});
    let mut wanted = before.clone();
    wanted["parts"][1]["type"] = json!("tool-read-file");
    let now = with_names_of_today(before);
    assert_eq!(now, wanted);
    assert_eq!(with_names_of_today(now.clone()), now);
    assert_eq!(with_names_of_today(json!("odd")), json!("odd"));
    let DialogueTurn::Model { calls, .. } = &turns_of(&[now])[0] else {
        panic!("a model's turn")
    };
    let names: Vec<&str> = calls.iter().map(|call| call.tool.as_str()).collect();
    assert_eq!(names, ["read-file", "glob", "nothingOfOurs"]);
}
