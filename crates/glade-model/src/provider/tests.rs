//! Recorded answers of each wire, without a network: what is heard, however the bytes are cut.

mod chat_oddities;
mod dialogue;
mod hearing;
mod oddities;
mod recordings;

use glade_agent::{StopReason, Usage};
use proptest::prelude::*;

use super::answer_reader::AnswerReader;
use super::wire::Reader;
use super::{anthropic, gemini, openai_chat, openai_responses};
use crate::model::{ModelError, ModelEvent, Spent};

type Events = Vec<Result<ModelEvent, ModelError>>;

const ANTHROPIC: &str = r#"event: message_start
data: {"type":"message_start","message":{"id":"msg_1","role":"assistant","content":[],"usage":{"input_tokens":25,"cache_creation_input_tokens":100,"cache_read_input_tokens":2000,"output_tokens":1}}}

event: content_block_start
data: {"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}

event: ping
data: {"type":"ping"}

event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"Füße 🧚 first"}}

event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"EqQ"}}

event: content_block_stop
data: {"type":"content_block_stop","index":0}

event: content_block_start
data: {"type":"content_block_start","index":1,"content_block":{"type":"text","text":""}}

event: content_block_delta
data: {"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"{\"actions\":[{\"_type\":\"message\",\"text\":\"Größe 🎨"}}

event: content_block_delta
data: {"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"\"}]}"}}

event: content_block_stop
data: {"type":"content_block_stop","index":1}

event: content_block_start
data: {"type":"content_block_start","index":2,"content_block":{"type":"tool_use","id":"toolu_1","name":"delete","input":{}}}

event: content_block_delta
data: {"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":""}}

event: content_block_delta
data: {"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"{\"shapeId\": \"bo"}}

event: content_block_delta
data: {"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"x\"}"}}

event: content_block_stop
data: {"type":"content_block_stop","index":2}

event: message_delta
data: {"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":40}}

event: message_stop
data: {"type":"message_stop"}

"#;

const CHAT: &str = r#"data: {"id":"c","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}],"usage":null}

: keep-alive

data: {"choices":[{"index":0,"delta":{"reasoning_content":"Füße 🧚 first"},"finish_reason":null}]}

data: {"choices":[{"index":0,"delta":{"content":"{\"actions\":[{\"_type\":\"message\",\"text\":\"Größe 🎨"},"finish_reason":null}]}

data: {"choices":[{"index":0,"delta":{"content":"\"}]}"},"finish_reason":null}]}

data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"call_1","type":"function","function":{"name":"delete","arguments":""}}]},"finish_reason":null}]}

data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\"shapeId\": \"bo"}}]},"finish_reason":null}]}

data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"x\"}"}}]},"finish_reason":null}]}

data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}

data: {"choices":[],"usage":{"prompt_tokens":2125,"completion_tokens":40,"prompt_tokens_details":{"cached_tokens":2000}}}

data: [DONE]

"#;

const RESPONSES: &str = r#"event: response.created
data: {"type":"response.created","response":{"id":"r","status":"in_progress"}}

event: response.reasoning_summary_text.delta
data: {"type":"response.reasoning_summary_text.delta","output_index":0,"delta":"Füße 🧚 first"}

event: response.output_item.added
data: {"type":"response.output_item.added","output_index":1,"item":{"type":"message","role":"assistant","content":[]}}

event: response.output_text.delta
data: {"type":"response.output_text.delta","output_index":1,"delta":"{\"actions\":[{\"_type\":\"message\",\"text\":\"Größe 🎨"}

event: response.output_text.delta
data: {"type":"response.output_text.delta","output_index":1,"delta":"\"}]}"}

event: response.output_text.done
data: {"type":"response.output_text.done","output_index":1,"text":"the whole again"}

event: response.output_item.added
data: {"type":"response.output_item.added","output_index":2,"item":{"type":"function_call","id":"fc","call_id":"call_1","name":"delete","arguments":""}}

event: response.function_call_arguments.delta
data: {"type":"response.function_call_arguments.delta","item_id":"fc","output_index":2,"delta":"{\"shapeId\": \"bo"}

event: response.function_call_arguments.delta
data: {"type":"response.function_call_arguments.delta","item_id":"fc","output_index":2,"delta":"x\"}"}

event: response.function_call_arguments.done
data: {"type":"response.function_call_arguments.done","item_id":"fc","output_index":2,"arguments":"{\"shapeId\": \"box\"}"}

event: response.completed
data: {"type":"response.completed","response":{"status":"completed","incomplete_details":null,"usage":{"input_tokens":2125,"input_tokens_details":{"cached_tokens":2000},"output_tokens":40}}}

"#;

const GEMINI: &str = "data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"Füße 🧚 first\",\"thought\":true}],\"role\":\"model\"}}],\"usageMetadata\":{\"promptTokenCount\":2125}}\r\n\r\n\
data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"{\\\"actions\\\":[{\\\"_type\\\":\\\"message\\\",\\\"text\\\":\\\"Größe 🎨\"}],\"role\":\"model\"}}]}\r\n\r\n\
data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"\\\"}]}\"}]}}]}\r\n\r\n\
data: {\"candidates\":[{\"content\":{\"parts\":[{\"functionCall\":{\"name\":\"delete\",\"args\":{\"shapeId\":\"box\"}}}]},\"finishReason\":\"STOP\"}],\"usageMetadata\":{\"promptTokenCount\":2125,\"candidatesTokenCount\":30,\"thoughtsTokenCount\":10,\"cachedContentTokenCount\":2000}}\r\n\r\n";

const NAMES: [&str; 4] = ["anthropic/m", "openai/m", "openai/r", "gemini/m"];

fn recorded(wire: usize) -> (&'static str, Box<dyn Reader>) {
    match wire {
        0 => (ANTHROPIC, Box::new(anthropic::Messages::new(false, false))),
        1 => (CHAT, Box::new(openai_chat::Chat::new(false))),
        2 => (RESPONSES, Box::new(openai_responses::Responses::new(false))),
        _ => (GEMINI, Box::new(gemini::Gemini::new(false))),
    }
}

fn listen<'a>(wire: usize, chunks: impl IntoIterator<Item = &'a [u8]>) -> Events {
    let mut reader = AnswerReader::new(NAMES[wire], recorded(wire).1);
    let mut events: Events = chunks
        .into_iter()
        .flat_map(|bytes| reader.push(bytes))
        .collect();
    events.extend(reader.end());
    events
}

fn whole(wire: usize) -> Events {
    listen(wire, [recorded(wire).0.as_bytes()])
}

fn text(text: &str) -> Result<ModelEvent, ModelError> {
    Ok(ModelEvent::Text(text.to_owned()))
}

fn expected(cache_write_tokens: u64, call: &[&str]) -> Events {
    let mut events = vec![
        Ok(ModelEvent::Thinking("Füße 🧚 first".to_owned())),
        text("{\"actions\":[{\"_type\":\"message\",\"text\":\"Größe 🎨"),
        text("\"}]}"),
    ];
    events.extend(call.iter().map(|piece| text(piece)));
    events.push(Ok(ModelEvent::Spent(Spent {
        cache_read_tokens: 2000,
        cache_write_tokens,
        usd: None,
    })));
    events.push(Ok(ModelEvent::Done {
        usage: Usage {
            input_tokens: 2125,
            output_tokens: 40,
        },
        stop: StopReason::Stop,
    }));
    events
}

#[test]
fn every_wire_tells_thoughts_words_calls_and_tokens_alike() {
    let in_pieces = ["{\"_type\":\"delete\",\"shapeId\": \"bo", "x\"}\n"];
    assert_eq!(whole(0), expected(100, &in_pieces));
    assert_eq!(whole(1), expected(0, &in_pieces));
    assert_eq!(whole(2), expected(0, &in_pieces));
    let at_once = ["{\"_type\":\"delete\",\"shapeId\":\"box\"}\n"];
    assert_eq!(whole(3), expected(0, &at_once));
}

#[test]
fn an_answer_that_stops_anywhere_before_its_end_is_cut() {
    for (wire, model) in NAMES.into_iter().enumerate() {
        let bytes = recorded(wire).0.as_bytes();
        let all = whole(wire);
        // Where the end becomes known: the last event, and in Chat the reason to finish before it.
        let last = match wire {
            1 => CHAT
                .find("data: {\"choices\":[{\"index\":0,\"delta\":{},")
                .unwrap(),
            _ => recorded(wire).0.trim_end().rfind("data: ").unwrap(),
        };
        for cut in 0..last {
            let events = listen(wire, [&bytes[..cut]]);
            let (end, before) = events.split_last().unwrap();
            let cut_error = ModelError::Cut {
                model: model.to_owned(),
            };
            assert_eq!(end, &Err(cut_error), "{model} cut at {cut}");
            assert_eq!(before, &all[..before.len()], "{model} cut at {cut}");
        }
    }
}

#[test]
fn an_error_in_the_middle_ends_the_answer_with_its_kind() {
    let overloaded = [
        (
            0,
            "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}\n\n",
        ),
        (
            1,
            "data: {\"error\":{\"message\":\"busy\",\"type\":\"server_error\",\"code\":null}}\n\n",
        ),
        (
            2,
            "data: {\"type\":\"response.failed\",\"response\":{\"error\":{\"code\":\"server_error\",\"message\":\"busy\"}}}\n\n",
        ),
        (
            3,
            "data: {\"error\":{\"code\":503,\"message\":\"busy\",\"status\":\"UNAVAILABLE\"}}\n\n",
        ),
    ];
    for (wire, event) in overloaded {
        let rest = "data: {\"choices\":[{\"delta\":{\"content\":\"more\"}}]}\n\n";
        let events = listen(wire, [event.as_bytes(), rest.as_bytes()]);
        let model = NAMES[wire].to_owned();
        assert_eq!(
            events,
            [Err(ModelError::Overloaded {
                model,
                retry_after: None
            })]
        );
    }
}

#[test]
fn the_reason_to_stop_is_told_on_every_wire() {
    let stop = |wire: usize, text: &str| match listen(wire, [text.as_bytes()]).pop() {
        Some(Ok(ModelEvent::Done { stop, .. })) => stop,
        other => panic!("{other:?}"),
    };
    let anthropic = |reason: &str| {
        let text = format!(
            "data: {{\"type\":\"message_delta\",\"delta\":{{\"stop_reason\":\"{reason}\"}}}}\n\ndata: {{\"type\":\"message_stop\"}}\n\n"
        );
        stop(0, &text)
    };
    assert_eq!(anthropic("max_tokens"), StopReason::Length);
    assert_eq!(anthropic("refusal"), StopReason::ContentFilter);
    assert_eq!(anthropic("tool_use"), StopReason::Stop);
    // No [DONE]: some servers leave it out.
    let chat = |reason: &str| {
        stop(
            1,
            &format!("data: {{\"choices\":[{{\"finish_reason\":\"{reason}\"}}]}}\n\n"),
        )
    };
    assert_eq!(chat("length"), StopReason::Length);
    assert_eq!(chat("content_filter"), StopReason::ContentFilter);
    let responses = |reason: &str| {
        let text = format!(
            "data: {{\"type\":\"response.incomplete\",\"response\":{{\"incomplete_details\":{{\"reason\":\"{reason}\"}}}}}}\n\n"
        );
        stop(2, &text)
    };
    assert_eq!(responses("max_output_tokens"), StopReason::Length);
    assert_eq!(responses("content_filter"), StopReason::ContentFilter);
    let gemini = |reason: &str| {
        stop(
            3,
            &format!("data: {{\"candidates\":[{{\"finishReason\":\"{reason}\"}}]}}\n\n"),
        )
    };
    assert_eq!(gemini("MAX_TOKENS"), StopReason::Length);
    assert_eq!(gemini("SAFETY"), StopReason::ContentFilter);
    assert_eq!(
        stop(
            3,
            "data: {\"promptFeedback\":{\"blockReason\":\"SAFETY\"}}\n\n"
        ),
        StopReason::ContentFilter
    );
}

#[test]
fn what_was_put_into_the_models_mouth_begins_its_answer() {
    let mut reader = AnswerReader::new(
        "anthropic/m",
        Box::new(anthropic::Messages::new(true, false)),
    );
    let heard = reader.push(b"data: {\"type\":\"message_start\",\"message\":{}}\n\n");
    assert_eq!(heard, [text("{\"actions\":[")]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn any_chunking_of_an_answer_gives_the_same_events(
        wire in 0usize..4,
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..40),
    ) {
        let bytes = recorded(wire).0.as_bytes();
        let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(bytes.len())).collect();
        cuts.extend([0, bytes.len()]);
        cuts.sort_unstable();
        let chunks = cuts.windows(2).map(|ends| &bytes[ends[0]..ends[1]]);
        prop_assert_eq!(listen(wire, chunks), whole(wire));
    }

    #[test]
    fn no_bytes_make_a_reader_panic_or_end_twice(
        wire in 0usize..4,
        bytes in prop::collection::vec(any::<u8>(), 0..400),
        at in any::<prop::sample::Index>(),
    ) {
        let mut mangled = recorded(wire).0.as_bytes().to_vec();
        let at = at.index(mangled.len());
        mangled.splice(at..(at + bytes.len() / 2).min(mangled.len()), bytes);
        let events = listen(wire, [mangled.as_slice()]);
        let endings = events.iter().filter(|event| matches!(event, Err(_) | Ok(ModelEvent::Done { .. })));
        prop_assert_eq!(endings.count(), 1);
    }
}
