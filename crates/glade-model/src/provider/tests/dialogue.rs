//! One conversation, written for each wire, and one answer with a call, read from each.

use serde_json::{Value, json};

use super::super::answer_reader::AnswerReader;
use super::super::wire::{DialogueParams, Extras, Reader};
use super::super::{anthropic, gemini, openai_chat, openai_responses};
use crate::model::ModelEvent;
use glade_agent::{CallEvent, Dialogue, DialogueTurn, Thought, ToolCall, ToolResult, ToolSpec};

fn conversation() -> Dialogue {
    let person = |text: &str| DialogueTurn::Person {
        text: text.to_owned(),
        images: Vec::new(),
    };
    Dialogue {
        system: "Be careful.".to_owned(),
        turns: vec![
            person("What is in a.txt?"),
            DialogueTurn::Model {
                thoughts: vec![Thought {
                    text: "Look.".to_owned(),
                    signature: "seal".to_owned(),
                }],
                text: "I look.".to_owned(),
                calls: vec![ToolCall {
                    id: "c1".to_owned(),
                    tool: "readFile".to_owned(),
                    input: json!({"target_file": "a.txt"}),
                }],
            },
            DialogueTurn::Results(vec![ToolResult {
                id: "c1".to_owned(),
                tool: "readFile".to_owned(),
                output: "no such file".to_owned(),
                failed: true,
            }]),
        ],
        tools: vec![ToolSpec {
            name: "readFile".to_owned(),
            about: "Reads.".to_owned(),
            input: json!({"type": "object"}),
        }],
        max_output_tokens: 100,
        temperature: 0.5,
        thinking: None,
    }
}

fn params(dialogue: &Dialogue) -> DialogueParams<'_> {
    DialogueParams {
        model: "m",
        dialogue,
        extras: Extras {
            thinking: dialogue.thinking,
            ..Extras::default()
        },
        compatible: false,
    }
}

#[test]
fn anthropic_gets_calls_and_results_as_blocks_and_thoughts_only_while_thinking() {
    let mut asked = conversation();
    let body = anthropic::dialogue(&params(&asked)).body;
    let mark = json!({"type": "ephemeral"});
    let call = json!({"type": "tool_use", "id": "c1", "name": "readFile", "input": {"target_file": "a.txt"}});
    assert_eq!(
        body,
        json!({
            "model": "m", "max_tokens": 100, "stream": true, "temperature": 0.5,
            "system": [{"type": "text", "text": "Be careful.", "cache_control": mark}],
            "messages": [
                {"role": "user", "content": [{"type": "text", "text": "What is in a.txt?"}]},
                {"role": "assistant", "content": [{"type": "text", "text": "I look."}, call]},
                {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1",
                    "content": "no such file", "is_error": true, "cache_control": mark}]},
            ],
            "tools": [{"name": "readFile", "description": "Reads.", "input_schema": {"type": "object"}}],
        })
    );
    asked.thinking = Some(1000);
    let body = anthropic::dialogue(&params(&asked)).body;
    assert_eq!(body["max_tokens"], 1100);
    assert_eq!(body.get("temperature"), None);
    assert_eq!(
        body["messages"][1]["content"][0],
        json!({"type": "thinking", "thinking": "Look.", "signature": "seal"})
    );
}

#[test]
fn openai_gets_them_as_messages_and_as_items() {
    let asked = conversation();
    let chat = openai_chat::dialogue(&params(&asked)).body;
    assert_eq!(
        chat["messages"],
        json!([
            {"role": "system", "content": "Be careful."},
            {"role": "user", "content": "What is in a.txt?"},
            {"role": "assistant", "content": "I look.", "tool_calls": [
                {"id": "c1", "type": "function", "function": {"name": "readFile", "arguments": "{\"target_file\":\"a.txt\"}"}},
            ]},
            {"role": "tool", "tool_call_id": "c1", "content": "no such file"},
        ])
    );
    assert_eq!(
        chat["tools"],
        json!([{"type": "function", "function": {"name": "readFile", "description": "Reads.", "parameters": {"type": "object"}}}])
    );
    let responses = openai_responses::dialogue(&params(&asked)).body;
    assert_eq!(
        responses["input"],
        json!([
            {"role": "user", "content": [{"type": "input_text", "text": "What is in a.txt?"}]},
            {"role": "assistant", "content": [{"type": "output_text", "text": "I look."}]},
            {"type": "function_call", "call_id": "c1", "name": "readFile", "arguments": "{\"target_file\":\"a.txt\"}"},
            {"type": "function_call_output", "call_id": "c1", "output": "no such file"},
        ])
    );
    assert_eq!(
        (&responses["store"], &responses["tools"][0]["strict"]),
        (&json!(false), &json!(false))
    );
}

#[test]
fn gemini_gets_them_as_parts_with_the_seal_on_the_first_call() {
    let body = gemini::dialogue(&params(&conversation())).body;
    assert_eq!(
        body["contents"],
        json!([
            {"role": "user", "parts": [{"text": "What is in a.txt?"}]},
            {"role": "model", "parts": [
                {"text": "I look."},
                {"functionCall": {"name": "readFile", "args": {"target_file": "a.txt"}}, "thoughtSignature": "seal"},
            ]},
            {"role": "user", "parts": [
                {"functionResponse": {"name": "readFile", "response": {"error": "no such file"}}},
            ]},
        ])
    );
}

fn heard(reader: Box<dyn Reader>, events: &[Value]) -> Vec<ModelEvent> {
    let mut reader = AnswerReader::new("p/m", reader);
    let mut heard = Vec::new();
    for event in events {
        heard.extend(reader.push(format!("data: {event}\n\n").as_bytes()));
    }
    heard.extend(reader.end());
    let heard = heard.into_iter().map(Result::unwrap);
    heard
        .filter(|event| !matches!(event, ModelEvent::Spent(_) | ModelEvent::Done { .. }))
        .collect()
}

/// `Looking.`, then `readFile({"a":1})`.
fn answer(id: &str, pieces: &[&str]) -> Vec<ModelEvent> {
    let id = id.to_owned();
    let mut events = vec![
        ModelEvent::Text("Looking.".to_owned()),
        ModelEvent::Call(CallEvent::Begun {
            id: id.clone(),
            tool: "readFile".to_owned(),
        }),
    ];
    events.extend(pieces.iter().map(|piece| {
        ModelEvent::Call(CallEvent::Input {
            id: id.clone(),
            piece: (*piece).to_owned(),
        })
    }));
    events.push(ModelEvent::Call(CallEvent::Over { id }));
    events
}

#[test]
fn a_call_is_heard_from_every_wire() {
    let events = [
        json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "Looking."}}),
        json!({"type": "content_block_start", "index": 1, "content_block": {"type": "tool_use", "id": "t1", "name": "readFile", "input": {}}}),
        json!({"type": "content_block_delta", "index": 1, "delta": {"type": "input_json_delta", "partial_json": "{\"a\""}}),
        json!({"type": "content_block_delta", "index": 1, "delta": {"type": "input_json_delta", "partial_json": ":1}"}}),
        json!({"type": "content_block_stop", "index": 1}),
        json!({"type": "message_delta", "delta": {"stop_reason": "tool_use"}}),
        json!({"type": "message_stop"}),
    ];
    let reader = Box::new(anthropic::Messages::new(false, true));
    assert_eq!(
        heard(reader, &events),
        answer("t1", &["{\"a\"", ":1}"]),
        "anthropic"
    );

    let call = |call: Value| json!({"choices": [{"delta": {"tool_calls": [call]}, "index": 0}]});
    let events = [
        json!({"choices": [{"delta": {"content": "Looking."}}]}),
        call(json!({"index": 0, "id": "t2", "function": {"name": "readFile", "arguments": ""}})),
        call(json!({"index": 0, "function": {"arguments": "{\"a\":1}"}})),
        json!({"choices": [{"delta": {}, "finish_reason": "tool_calls"}]}),
    ];
    let reader = Box::new(openai_chat::Chat::new(true));
    assert_eq!(heard(reader, &events), answer("t2", &["{\"a\":1}"]), "chat");

    let events = [
        json!({"type": "response.output_text.delta", "output_index": 0, "delta": "Looking."}),
        json!({"type": "response.output_item.added", "output_index": 1, "item": {"type": "function_call", "call_id": "t3", "name": "readFile"}}),
        json!({"type": "response.function_call_arguments.delta", "output_index": 1, "delta": "{\"a\":1}"}),
        json!({"type": "response.function_call_arguments.done", "output_index": 1}),
        json!({"type": "response.completed", "response": {}}),
    ];
    let reader = Box::new(openai_responses::Responses::new(true));
    assert_eq!(
        heard(reader, &events),
        answer("t3", &["{\"a\":1}"]),
        "responses"
    );

    let events = [json!({"candidates": [{"content": {"parts": [
        {"text": "Looking."}, {"functionCall": {"name": "readFile", "args": {"a": 1}}},
    ]}, "finishReason": "STOP"}]})];
    let reader = Box::new(gemini::Gemini::new(true));
    assert_eq!(
        heard(reader, &events),
        answer("call_1", &["{\"a\":1}"]),
        "gemini"
    );
}

#[test]
fn thoughts_are_heard_with_their_seal() {
    let events = [
        json!({"type": "content_block_start", "index": 0, "content_block": {"type": "thinking", "thinking": ""}}),
        json!({"type": "content_block_delta", "index": 0, "delta": {"type": "thinking_delta", "thinking": "Hm."}}),
        json!({"type": "content_block_delta", "index": 0, "delta": {"type": "signature_delta", "signature": "s"}}),
        json!({"type": "content_block_stop", "index": 0}),
        json!({"type": "message_stop"}),
    ];
    let reader = Box::new(anthropic::Messages::new(false, true));
    assert_eq!(
        heard(reader, &events),
        [
            ModelEvent::Thinking("Hm.".to_owned()),
            ModelEvent::Signed("s".to_owned())
        ]
    );
}
