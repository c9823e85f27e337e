//! What imitators, relays and newer servers do otherwise: each kind as it was found in answers that
//! others recorded, in words of our own.

use glade_agent::StopReason;
use serde_json::{Value, json};

use super::hearing::{
    Heard, called, calls, chat, cut, deltas, gemini, hear, messages, piece, responses, said, sse,
};
use crate::model::ModelError;

#[test]
fn a_call_without_arguments_is_one_only_where_the_answer_ended_well() {
    let none = [
        json!({"arguments": ""}),
        json!({"arguments": null}),
        json!({}),
        json!({"arguments": "{}"}),
    ];
    for mut function in none {
        function["name"] = json!("celebrate");
        let call = [piece(json!({"index": 0, "id": "a", "function": function}))];
        let whole = calls(&[("a", "celebrate", "{}")]);
        assert_eq!(
            hear(chat(), &deltas(&call, "tool_calls")),
            whole,
            "{function}"
        );
        let length = cut(StopReason::Length, &["celebrate"]);
        assert_eq!(hear(chat(), &deltas(&call, "length")), length, "{function}");
    }
    let block = |reason: &str| {
        sse(&[
            json!({"type": "content_block_start", "index": 0, "content_block": {"type": "tool_use", "id": "a", "name": "celebrate", "input": {}}}),
            json!({"type": "content_block_delta", "index": 0, "delta": {"type": "input_json_delta", "partial_json": ""}}),
            json!({"type": "content_block_stop", "index": 0}),
            json!({"type": "message_delta", "delta": {"stop_reason": reason}}),
            json!({"type": "message_stop"}),
        ])
    };
    assert_eq!(
        hear(messages(), &block("tool_use")),
        calls(&[("a", "celebrate", "{}")])
    );
    assert_eq!(
        hear(messages(), &block("max_tokens")),
        cut(StopReason::Length, &["celebrate"])
    );
}

#[test]
fn arguments_that_break_off_are_never_whole_on_any_wire() {
    let call = piece(
        json!({"index": 0, "id": "a", "function": {"name": "delete", "arguments": "{\"id\": \"b"}}),
    );
    for (finish, stop) in [
        ("tool_calls", StopReason::Stop),
        ("length", StopReason::Length),
    ] {
        let heard = hear(chat(), &deltas(std::slice::from_ref(&call), finish));
        assert_eq!(heard, cut(stop, &["delete"]), "{finish}");
    }
    let text = sse(&[
        json!({"type": "response.output_item.added", "output_index": 0, "item": {"type": "function_call", "call_id": "a", "name": "delete", "arguments": ""}}),
        json!({"type": "response.function_call_arguments.delta", "output_index": 0, "delta": "{\"id\": \"b"}),
        json!({"type": "response.output_item.done", "output_index": 0, "item": {"type": "function_call", "call_id": "a", "name": "delete", "arguments": "{\"id\": \"b", "status": "incomplete"}}),
        json!({"type": "response.incomplete", "response": {"incomplete_details": {"reason": "max_output_tokens"}}}),
    ]);
    assert_eq!(
        hear(responses(), &text),
        cut(StopReason::Length, &["delete"])
    );
    let text = sse(&[
        json!({"type": "content_block_start", "index": 0, "content_block": {"type": "tool_use", "id": "a", "name": "delete", "input": {}}}),
        json!({"type": "content_block_delta", "index": 0, "delta": {"type": "input_json_delta", "partial_json": "{\"id\": \"b"}}),
        json!({"type": "content_block_stop", "index": 0}),
        json!({"type": "message_delta", "delta": {"stop_reason": "tool_use"}}),
        json!({"type": "message_stop"}),
    ]);
    assert_eq!(hear(messages(), &text), cut(StopReason::Stop, &["delete"]));
    let text = sse(&[
        json!({"candidates": [{"content": {"parts": [{"functionCall": {"name": "delete", "willContinue": true}}]}}]}),
        json!({"candidates": [{"content": {"parts": [{"functionCall": {"partialArgs": [{"jsonPath": "$.id", "stringValue": "b", "willContinue": true}], "willContinue": true}}]}}]}),
        json!({"candidates": [{"finishReason": "STOP"}]}),
    ]);
    assert_eq!(hear(gemini(), &text), cut(StopReason::Stop, &["delete"]));
}

#[test]
fn what_responses_say_only_at_the_end_is_heard_once() {
    let item = |kind: &str, index: u64, item: Value| json!({"type": format!("response.output_item.{kind}"), "output_index": index, "item": item});
    let thought =
        json!({"type": "reasoning", "summary": [{"type": "summary_text", "text": "Hm."}]});
    let words = json!({"type": "message", "content": [{"type": "output_text", "text": "Here."}]});
    let call = json!({"type": "function_call", "call_id": "a", "name": "move", "arguments": "{\"x\":1}", "status": "completed"});
    let end = |output: Value| json!({"type": "response.completed", "response": {"status": "completed", "output": output, "usage": {"input_tokens": 5, "output_tokens": 7}}});
    let expected = Heard {
        calls: vec![called("a", "move", "{\"x\":1}")],
        tokens: (5, 7),
        ..said("Here.", "Hm.")
    };
    let ways = [
        vec![
            item("done", 0, thought.clone()),
            item("done", 1, words.clone()),
            item("done", 2, call.clone()),
        ],
        vec![end(json!([thought, words, call]))],
        vec![
            json!({"type": "response.reasoning_summary_text.done", "output_index": 0, "summary_index": 0, "text": "Hm."}),
            json!({"type": "response.output_text.delta", "output_index": 1, "content_index": 0, "delta": "He"}),
            json!({"type": "response.output_text.done", "output_index": 1, "content_index": 0, "text": "Here."}),
            item(
                "added",
                2,
                json!({"type": "function_call", "call_id": "a", "name": "move", "arguments": ""}),
            ),
            json!({"type": "response.function_call_arguments.done", "output_index": 2, "arguments": "{\"x\":1}"}),
            item("done", 2, call.clone()),
        ],
        // Each event with an id of its own.
        vec![
            item("done", 0, thought.clone()),
            json!({"type": "response.output_text.delta", "output_index": 1, "item_id": "p", "delta": "Here."}),
            item(
                "done",
                1,
                json!({"type": "message", "id": "q", "content": [{"type": "output_text", "text": "Here."}]}),
            ),
            item(
                "added",
                2,
                json!({"type": "function_call", "id": "r", "call_id": "a", "name": "move", "arguments": ""}),
            ),
            json!({"type": "response.function_call_arguments.delta", "output_index": 2, "item_id": "s", "delta": "{\"x\":1}"}),
        ],
        // By ids alone.
        vec![
            json!({"type": "response.output_item.done", "item": thought}),
            json!({"type": "response.output_text.delta", "item_id": "p", "delta": "Here."}),
            json!({"type": "response.output_item.added", "item": {"type": "function_call", "id": "r", "call_id": "a", "name": "move"}}),
            json!({"type": "response.function_call_arguments.delta", "item_id": "r", "delta": "{\"x\":1}"}),
        ],
    ];
    for mut events in ways {
        events.push(end(json!([thought, words, call])));
        assert_eq!(hear(responses(), &sse(&events)), expected, "{events:?}");
    }
    let text = sse(&[
        json!({"type": "response.refusal.done", "output_index": 0, "refusal": "No."}),
        json!({"type": "response.done", "response": {"status": "completed"}}),
    ]);
    let refused = Heard {
        stop: Some(StopReason::ContentFilter),
        ..said("No.", "")
    };
    assert_eq!(hear(responses(), &text), refused);
}

#[test]
fn gemini_arguments_may_come_in_pieces() {
    let call =
        |call: Value| json!({"candidates": [{"content": {"parts": [{"functionCall": call}]}}]});
    let text = sse(&[
        call(json!({"name": "label", "willContinue": true})),
        call(
            json!({"partialArgs": [{"jsonPath": "$.text", "stringValue": "High ", "willContinue": true}], "willContinue": true}),
        ),
        call(
            json!({"partialArgs": [{"jsonPath": "$.text", "stringValue": "tide"}, {"jsonPath": "$.at[0]", "numberValue": 4}], "willContinue": true}),
        ),
        call(json!({})),
        call(json!({"name": "celebrate"})),
        json!({"candidates": [{"finishReason": "STOP"}]}),
    ]);
    let expected = calls(&[
        ("call_1", "label", "{\"text\":\"High tide\",\"at\":[4]}"),
        ("call_2", "celebrate", "{}"),
    ]);
    assert_eq!(hear(gemini(), &text), expected);
}

#[test]
fn anthropic_input_may_stand_in_the_start_of_its_block_or_of_the_message() {
    let use_of =
        |id: &str| json!({"type": "tool_use", "id": id, "name": "move", "input": {"x": 1}});
    let text = sse(&[
        json!({"type": "message_start", "message": {"content": [use_of("a")]}}),
        json!({"type": "content_block_start", "index": 0, "content_block": use_of("b")}),
        json!({"type": "content_block_stop", "index": 0}),
        json!({"type": "message_delta", "delta": {"stop_reason": "tool_use"}}),
        json!({"type": "message_stop"}),
    ]);
    let both = calls(&[("a", "move", "{\"x\":1}"), ("b", "move", "{\"x\":1}")]);
    assert_eq!(hear(messages(), &text), both);
}

#[test]
fn a_message_that_begins_again_cuts_the_calls_of_the_first() {
    let start = json!({"type": "message_start", "message": {"content": []}});
    let block = |id: &str| json!({"type": "content_block_start", "index": 0, "content_block": {"type": "tool_use", "id": id, "name": "move", "input": {}}});
    let piece = |json: &str| json!({"type": "content_block_delta", "index": 0, "delta": {"type": "input_json_delta", "partial_json": json}});
    let text = sse(&[
        start.clone(),
        block("a"),
        piece("{\"x\":"),
        start,
        block("b"),
        piece("{\"x\":2}"),
        json!({"type": "content_block_stop", "index": 0}),
        json!({"type": "message_delta", "delta": {"stop_reason": "tool_use"}}),
        json!({"type": "message_stop"}),
    ]);
    let expected = Heard {
        cut: vec!["move".to_owned()],
        ..calls(&[("b", "move", "{\"x\":2}")])
    };
    assert_eq!(hear(messages(), &text), expected);
}

#[test]
fn events_that_a_relay_put_into_one_are_all_read() {
    let chunk = |text: &str| json!({"choices": [{"delta": {"content": text}}]}).to_string();
    let end = json!({"choices": [{"delta": {}, "finish_reason": "stop"}]});
    for between in ["\n", "\ndata: ", "data: ", ""] {
        let text = format!(
            "data: {}{between}{}\n\ndata: {end}\n\n",
            chunk("a"),
            chunk("b")
        );
        assert_eq!(hear(chat(), &text), said("ab", ""), "{between:?}");
    }
}

#[test]
fn an_event_that_was_damaged_breaks_the_answer_off() {
    let text = "data: {\"choices\": [{\"delta\": {\"content\": \"a\"}}]}\n\ndata: {\"choices\": [{\"del\n\ndata: {\"choices\": [{\"finish_reason\": \"stop\"}]}\n\n";
    let broken = Heard {
        text: "a".to_owned(),
        error: Some(ModelError::Cut {
            model: "m".to_owned(),
        }),
        ..Heard::default()
    };
    assert_eq!(hear(chat(), text), broken);
}

#[test]
fn an_error_is_heard_in_whatever_form_it_comes() {
    let forms = [
        "event: error\ndata: {\"message\": \"busy\", \"code\": \"503\"}\n\n",
        "data: {\"object\": \"error\", \"message\": \"busy\", \"code\": 503}\n\n",
        "data: {\"type\": \"error\", \"error\": {\"type\": \"overloaded_error\", \"message\": \"busy\"}}\n\n",
        "data: {\"error\": {\"message\": \"busy\", \"status_code\": 503}}\n\n",
        "error: {\"error\": {\"message\": \"busy\", \"code\": 503}}\n\n",
        "{\"error\": {\"message\": \"busy\", \"code\": 503}}\n",
        "data: {\"choices\": [{\"delta\": {}, \"finish_reason\": \"error\", \"error\": {\"code\": 503, \"message\": \"busy\"}}]}\n\n",
    ];
    for form in forms {
        let busy = ModelError::Overloaded {
            model: "m".to_owned(),
            retry_after: None,
        };
        assert_eq!(hear(chat(), form).error, Some(busy), "{form}");
    }
    let words = "event: error\ndata: no more slots\n\n";
    let other = ModelError::Other {
        model: "m".to_owned(),
        detail: "no more slots".to_owned(),
    };
    assert_eq!(hear(gemini(), words).error, Some(other));
}

#[test]
fn tokens_are_found_where_servers_put_them() {
    let usage = json!({"prompt_tokens": 5, "completion_tokens": 7});
    let end = json!({"delta": {}, "finish_reason": "stop"});
    for last in [
        json!({"choices": [end], "usage": usage}),
        json!({"choices": [end], "x_groq": {"usage": usage}}),
        json!({"choices": [{"delta": {}, "finish_reason": "stop", "usage": usage}]}),
    ] {
        assert_eq!(
            hear(chat(), &sse(std::slice::from_ref(&last))).tokens,
            (5, 7),
            "{last}"
        );
    }
    let tools = json!({"candidates": [{"finishReason": "STOP"}], "usageMetadata": {"promptTokenCount": 5, "toolUsePromptTokenCount": 4, "candidatesTokenCount": 7}});
    assert_eq!(hear(gemini(), &sse(&[tools])).tokens, (9, 7));
}
