//! The same for OpenAI Chat, which has the most imitators.

use serde_json::{Value, json};

use super::hearing::{calls, chat, deltas, hear, piece, said, sse};
use crate::model::ModelError;

#[test]
fn chat_content_may_be_a_list_of_texts_and_thoughts() {
    let text = deltas(
        &[
            json!({"content": [{"type": "thinking", "thinking": [{"type": "text", "text": "Two "}]}]}),
            json!({"content": [{"type": "thinking", "thinking": "and two."}, {"type": "text", "text": "Fo"}]}),
            json!({"content": [{"type": "later-kind"}, "ur"]}),
            json!({"content": "."}),
        ],
        "stop",
    );
    assert_eq!(hear(chat(), &text), said("Four.", "Two and two."));
}

#[test]
fn chat_thoughts_are_heard_once_under_whichever_names() {
    let text = deltas(
        &[
            json!({"reasoning": "a", "reasoning_content": "a", "content": null}),
            json!({"reasoning": "b", "reasoning_details": [{"type": "reasoning.text", "text": "b"}]}),
            json!({"reasoning_details": [{"type": "reasoning.summary", "summary": "c"}, {"type": "reasoning.encrypted", "data": "x"}]}),
            json!({"reasoning_text": "d"}),
        ],
        "stop",
    );
    assert_eq!(hear(chat(), &text), said("", "abcd"));
}

#[test]
fn chat_calls_are_told_apart_without_numbers_or_with_the_same_one() {
    let whole = |index: Value, id: &str, input: &str| {
        piece(json!({"index": index, "id": id, "function": {"name": "move", "arguments": input}}))
    };
    let both = calls(&[("a", "move", "{\"x\":1}"), ("b", "move", "{\"x\":2}")]);
    for index in [json!(0), Value::Null] {
        let text = deltas(
            &[
                whole(index.clone(), "a", "{\"x\":1}"),
                whole(index.clone(), "b", "{\"x\":2}"),
            ],
            "tool_calls",
        );
        assert_eq!(hear(chat(), &text), both, "{index}");
    }
    // Without any id: by the arguments alone.
    let bare = |input: &str| piece(json!({"function": {"name": "move", "arguments": input}}));
    let text = deltas(&[bare("{\"x\":1}"), bare("{\"x\":2}")], "tool_calls");
    let ours = calls(&[
        ("call_1", "move", "{\"x\":1}"),
        ("call_2", "move", "{\"x\":2}"),
    ]);
    assert_eq!(hear(chat(), &text), ours);
    // Two calls that say they are the same one.
    let text = deltas(
        &[
            piece(
                json!({"index": 0, "id": "a", "function": {"name": "move", "arguments": "{\"x\":1}"}}),
            ),
            piece(
                json!({"index": 1, "id": "a", "function": {"name": "move", "arguments": "{\"x\":2}"}}),
            ),
        ],
        "tool_calls",
    );
    let ours = calls(&[("a", "move", "{\"x\":1}"), ("call_2", "move", "{\"x\":2}")]);
    assert_eq!(hear(chat(), &text), ours);
}

#[test]
fn chat_pieces_of_one_call_stay_together_however_they_are_labelled() {
    let one = calls(&[("a", "move", "{\"x\":1}")]);
    let first = |arguments: Value| {
        piece(
            json!({"index": 0, "id": "a", "type": "function", "function": {"name": "move", "arguments": arguments}}),
        )
    };
    let rest = [
        json!({"index": 0, "function": {"arguments": "x\":1}"}}),
        json!({"index": 0, "id": "", "function": {"name": "", "arguments": "x\":1}"}}),
        json!({"index": 0, "id": null, "function": {"name": null, "arguments": "x\":1}"}}),
        json!({"index": 0, "id": "another", "function": {"arguments": "x\":1}"}}),
        json!({"index": 0, "id": "a", "function": {"name": "move", "arguments": "x\":1}"}}),
        json!({"function": {"arguments": "x\":1}"}}),
    ];
    for rest in rest {
        let text = deltas(&[first(json!("{\"")), piece(rest.clone())], "tool_calls");
        assert_eq!(hear(chat(), &text), one, "{rest}");
    }
    // An object in the place of its text; all of it again at the end; an empty one in front.
    for pieces in [
        vec![first(json!({"x": 1}))],
        vec![first(json!("{\"x\":1}")), first(json!("{\"x\":1}"))],
        vec![first(json!("{}")), first(json!("{\"x\":1}"))],
        vec![first(Value::Null), first(json!("{\"x\":1}"))],
    ] {
        assert_eq!(hear(chat(), &deltas(&pieces, "stop")), one, "{pieces:?}");
    }
    let old = [
        json!({"content": null, "function_call": {"name": "move", "arguments": ""}}),
        json!({"function_call": {"arguments": "{\"x\":1}"}}),
    ];
    let ours = calls(&[("call_1", "move", "{\"x\":1}")]);
    assert_eq!(hear(chat(), &deltas(&old, "function_call")), ours);
}

#[test]
fn chat_reads_one_choice_and_takes_no_empty_reason_for_an_end() {
    let chunk = |index: u64, text: &str, finish: Value| json!({"index": index, "delta": {"content": text}, "finish_reason": finish});
    let text = sse(&[
        json!({"choices": [chunk(0, "a", json!("")), chunk(1, "x", Value::Null)]}),
        json!({"choices": [chunk(1, "y", json!("length"))]}),
        json!({"choices": [chunk(0, "b", json!("stop"))]}),
    ]);
    assert_eq!(hear(chat(), &text), said("ab", ""));
    let elsewhere = sse(&[
        json!({"choices": [chunk(0, "", Value::Null)]}),
        json!({"choices": [chunk(1, "a", Value::Null)]}),
        json!({"choices": [chunk(0, "", json!("stop"))]}),
    ]);
    assert_eq!(hear(chat(), &elsewhere), said("a", ""));
    let unfinished = sse(&[json!({"choices": [chunk(0, "a", json!(""))]})]);
    let broken = ModelError::Cut {
        model: "m".to_owned(),
    };
    assert_eq!(hear(chat(), &unfinished).error, Some(broken));
}

#[test]
fn a_message_in_the_place_of_the_last_delta_says_only_what_is_new() {
    let text = sse(&[
        json!({"choices": [{"delta": {"content": "Hel"}}]}),
        json!({"choices": [{"message": {"content": "Hello."}, "finish_reason": "stop"}]}),
    ]);
    assert_eq!(hear(chat(), &text), said("Hello.", ""));
}
