//! A conversation, driven by hand: no network, no files.

use std::time::Duration;

use glade_agent::{StopReason, Usage};
use glade_code::chat::{
    ChatInput, Conversation, Effect, Ending, Message, Setup, turns_of, with_names_of_today,
};
use glade_code::{Call, CallOutcome, Code, ToolError};
use glade_model::{
    CallEvent, Dialogue, DialogueTurn, ModelError, ModelEvent, Thought, ToolCall, ToolResult,
};
use serde_json::{Value, json};

fn person(text: &str) -> DialogueTurn {
    DialogueTurn::Person {
        text: text.to_owned(),
        images: Vec::new(),
    }
}

fn setup(depth: usize) -> Setup {
    Setup {
        system: "Be careful.".to_owned(),
        turns: vec![person("What is in a.txt?")],
        tools: vec!["read-file", "multi-edit"],
        depth,
        max_output_tokens: 100,
        temperature: 0.7,
        thinking: None,
    }
}

fn conversation(depth: usize) -> Conversation {
    Conversation::new(setup(depth), Message::new("msg_1", json!({"run": "run_1"})))
}

fn text(text: &str) -> ChatInput {
    ChatInput::Model(ModelEvent::Text(text.to_owned()))
}

fn call(id: &str, tool: &str, pieces: &[&str]) -> Vec<ChatInput> {
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
    let heard = |event| ChatInput::Model(ModelEvent::Call(event));
    events.into_iter().map(heard).collect()
}

fn done() -> ChatInput {
    ChatInput::Model(ModelEvent::Done {
        usage: Usage::default(),
        stop: StopReason::Stop,
    })
}

fn carried(id: &str, outcome: Result<Value, ToolError>) -> CallOutcome {
    CallOutcome {
        id: id.to_owned(),
        outcome,
        took: Duration::from_millis(7),
    }
}

fn hear(conversation: &mut Conversation, heard: Vec<ChatInput>) -> Vec<Effect> {
    let hear = |heard| conversation.hear(heard);
    heard.into_iter().flat_map(hear).collect()
}

fn told(effects: &[Effect]) -> Vec<String> {
    let chunk = |effect: &Effect| match effect {
        Effect::Tell(chunk) => Some(chunk["type"].as_str().unwrap().to_owned()),
        _ => None,
    };
    effects.iter().filter_map(chunk).collect()
}

fn asked(effects: &[Effect]) -> &Dialogue {
    let asked = effects.iter().find_map(|effect| match effect {
        Effect::Ask(dialogue) => Some(dialogue),
        _ => None,
    });
    asked.expect("the model is asked")
}

#[test]
fn calls_are_carried_out_and_their_results_are_part_of_the_next_request() {
    let mut talk = conversation(20);
    let begun = talk.begin();
    assert_eq!(told(&begun), ["start", "start-step"]);
    let offered: Vec<&str> = asked(&begun)
        .tools
        .iter()
        .map(|it| it.name.as_str())
        .collect();
    assert_eq!(offered, ["read-file", "multi-edit"]);

    let mut heard = vec![
        ChatInput::Model(ModelEvent::Thinking("Look.".to_owned())),
        ChatInput::Model(ModelEvent::Signed("seal".to_owned())),
        text("I "),
        text("look."),
    ];
    heard.extend(call(
        "c1",
        "read-file",
        &["{\"target_file\":", "\"a.txt\"}"],
    ));
    heard.push(done());
    let effects = hear(&mut talk, heard);
    assert_eq!(
        told(&effects),
        [
            "reasoning-start",
            "reasoning-delta",
            "reasoning-end",
            "text-start",
            "text-delta",
            "text-delta",
            "text-end",
            "tool-input-start",
            "tool-input-delta",
            "tool-input-delta",
            "tool-input-available",
            "finish-step",
        ]
    );
    let wanted = Call {
        id: "c1".to_owned(),
        tool: "read-file".to_owned(),
        input: json!({"target_file": "a.txt"}),
    };
    assert_eq!(effects.last(), Some(&Effect::RunCalls(vec![wanted])));

    let output = json!({"content": "hello", "diff": "people only"});
    let effects = talk.hear(ChatInput::CallsDone(vec![carried("c1", Ok(output))]));
    assert_eq!(
        told(&effects),
        ["tool-output-available", "data-call", "start-step"]
    );
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
    assert_eq!(asked(&effects).turns, turns);

    let effects = hear(&mut talk, vec![text("It says hello."), done()]);
    assert_eq!(
        told(&effects),
        [
            "text-start",
            "text-delta",
            "text-end",
            "finish-step",
            "finish"
        ]
    );
    assert_eq!(effects.last(), Some(&Effect::End(Ending::Done)));

    // What was stored gives the same conversation again.
    let user = json!({"role": "user", "parts": [{"type": "text", "text": "What is in a.txt?"}]});
    let mut whole = turns;
    whole.push(DialogueTurn::Model {
        thoughts: Vec::new(),
        text: "It says hello.".to_owned(),
        calls: Vec::new(),
    });
    assert_eq!(turns_of(&[user, talk.message.to_value()]), whole);
}

#[test]
fn a_call_that_cannot_be_read_is_told_to_the_model_and_others_are_carried_out() {
    let mut talk = conversation(20);
    talk.begin();
    let mut heard = call("cut", "read-file", &["{\"target_file\": \"a"]);
    heard.extend(call("bare", "read-file", &["{}"]));
    heard.extend(call("nothing", "read-file", &[]));
    heard.extend(call("ended", "read-file", &["{}"]));
    let ended = CallEvent::Cut {
        id: "ended".to_owned(),
    };
    heard.pop();
    heard.push(ChatInput::Model(ModelEvent::Call(ended)));
    heard.push(done());
    let effects = hear(&mut talk, heard);
    let wanted = Call {
        id: "bare".to_owned(),
        tool: "read-file".to_owned(),
        input: json!({}),
    };
    assert_eq!(effects.last(), Some(&Effect::RunCalls(vec![wanted])));
    let error = ToolError::new(Code::Missing("target_file"), "Name a file.");
    let effects = talk.hear(ChatInput::CallsDone(vec![carried("bare", Err(error))]));
    let Some(DialogueTurn::Results(results)) = asked(&effects).turns.last() else {
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
    let mut talk = conversation(20);
    talk.begin();
    let mut heard = vec![text("I change it.")];
    heard.extend(call("c1", "multi-edit", &["{}"]));
    heard.push(done());
    hear(&mut talk, heard);
    let effects = talk.hear(ChatInput::Aborted);
    assert_eq!(told(&effects), ["tool-output-error", "abort"]);
    assert_eq!(effects.last(), Some(&Effect::End(Ending::Aborted)));
    assert_eq!(hear(&mut talk, vec![text("more"), done()]), []);
    let parts = talk.message.to_value()["parts"].clone();
    assert_eq!(parts[2]["state"], "output-error");
}

#[test]
fn rounds_are_bounded_and_the_person_is_told() {
    let mut talk = conversation(2);
    talk.begin();
    let mut last = Vec::new();
    for round in 0..2 {
        let id = format!("c{round}");
        let mut heard = call(&id, "read-file", &["{}"]);
        heard.push(done());
        hear(&mut talk, heard);
        last = talk.hear(ChatInput::CallsDone(vec![carried(&id, Ok(json!({})))]));
    }
    let Some(Effect::End(Ending::Failed(failure))) = last.last() else {
        panic!("{last:?}");
    };
    assert_eq!(failure.kind, "depth");
    assert_eq!(
        talk.message.to_value()["metadata"]["error"]["kind"],
        "depth"
    );
}

#[test]
fn a_refused_key_is_tried_twice_more_and_each_error_has_its_kind() {
    let auth = || {
        ChatInput::Failed(ModelError::Auth {
            model: "m".to_owned(),
            detail: "no".to_owned(),
        })
    };
    let mut talk = conversation(20);
    talk.begin();
    for _ in 0..2 {
        let effects = talk.hear(auth());
        assert!(
            matches!(effects.as_slice(), [Effect::Ask(_)]),
            "{effects:?}"
        );
    }
    let effects = talk.hear(auth());
    let Some(Effect::End(Ending::Failed(failure))) = effects.last() else {
        panic!("{effects:?}");
    };
    assert_eq!(failure.kind, "auth");

    let mut talk = conversation(20);
    talk.begin();
    let effects = talk.hear(ChatInput::Failed(ModelError::RateLimited {
        model: "m".to_owned(),
        retry_after: Some(Duration::from_secs(90)),
    }));
    assert_eq!(told(&effects), ["message-metadata", "error"]);
    let error = &talk.message.to_value()["metadata"]["error"];
    assert_eq!(
        (&error["kind"], &error["retryAfterMs"]),
        (&json!("plan-limit"), &json!(90_000))
    );
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
            "input": {"target_file": "a.txt"}, "output": {"content": "one"}},
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
