//! Providers through a real socket.

use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::StreamExt;
use glade_agent::{StopReason, Usage};
use glade_model::key::{Key, KeySource};
use glade_model::{Client, Model, ModelError, ModelEvent, ModelSpec, Provider, Spent, Wire};
use serde_json::json;

use crate::fake::{Fake, Flag, Reply, prompt};

const CHAT: &str = "data: {\"choices\":[{\"delta\":{\"content\":\"Größe 🎨\"}}]}\n\n\
data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n\
data: {\"choices\":[],\"usage\":{\"prompt_tokens\":5,\"completion_tokens\":3}}\n\n\
data: [DONE]\n\n";

const ANTHROPIC: &str = "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"usage\":{\"input_tokens\":5}}}\n\n\
event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"Größe 🎨\"}}\n\n\
event: message_delta\ndata: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"},\"usage\":{\"output_tokens\":3}}\n\n\
event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n";

const RESPONSES: &str = "data: {\"type\":\"response.output_text.delta\",\"delta\":\"Größe 🎨\"}\n\n\
data: {\"type\":\"response.completed\",\"response\":{\"usage\":{\"input_tokens\":5,\"output_tokens\":3}}}\n\n";

const GEMINI: &str = "data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"Größe 🎨\"}]},\"finishReason\":\"STOP\"}],\"usageMetadata\":{\"promptTokenCount\":5,\"candidatesTokenCount\":3}}\n\n";

fn in_threes(text: &str) -> Vec<Vec<u8>> {
    text.as_bytes().chunks(3).map(<[u8]>::to_vec).collect()
}

pub fn chat() -> Reply {
    Reply::Stream(vec![CHAT.as_bytes().to_vec()])
}

pub fn whole() -> Vec<Result<ModelEvent, ModelError>> {
    vec![
        Ok(ModelEvent::Text("Größe 🎨".to_owned())),
        Ok(ModelEvent::Spent(Spent::default())),
        Ok(ModelEvent::Done {
            usage: Usage {
                input_tokens: 5,
                output_tokens: 3,
            },
            stop: StopReason::Stop,
        }),
    ]
}

async fn hear(model: &impl Model) -> Vec<Result<ModelEvent, ModelError>> {
    model.ask(prompt()).collect().await
}

#[tokio::test]
async fn each_provider_is_asked_at_its_place_with_its_key_in_a_header() {
    let wires = [
        (
            Wire::AnthropicMessages,
            ANTHROPIC,
            "/v1/messages",
            "x-api-key",
            "topsecret",
        ),
        (
            Wire::OpenAiChat,
            CHAT,
            "/chat/completions",
            "authorization",
            "Bearer topsecret",
        ),
        (
            Wire::OpenAiResponses,
            RESPONSES,
            "/responses",
            "authorization",
            "Bearer topsecret",
        ),
        (
            Wire::Gemini,
            GEMINI,
            "/models/m:streamGenerateContent?alt=sse",
            "x-goog-api-key",
            "topsecret",
        ),
    ];
    for (wire, answer, path, header, value) in wires {
        let fake = Fake::start([Reply::Stream(in_threes(answer))]).await;
        assert_eq!(hear(&fake.model(wire)).await, whole(), "{wire:?}");
        let asked = fake.asked().remove(0);
        assert_eq!(asked.path, path);
        assert_eq!(asked.headers[header], value);
        assert!(!asked.body.to_string().contains("topsecret"));
    }
}

#[tokio::test]
async fn a_line_that_breaks_or_ends_early_cuts_the_answer() {
    let begun = CHAT.as_bytes()[..60].to_vec();
    let fake = Fake::start([
        Reply::Break(vec![begun.clone()]),
        Reply::Stream(vec![begun]),
    ])
    .await;
    let model = fake.model(Wire::OpenAiChat);
    for _ in 0..2 {
        let cut = ModelError::Cut {
            model: "fake/m".to_owned(),
        };
        assert_eq!(hear(&model).await.pop(), Some(Err(cut)));
    }
}

#[tokio::test]
async fn a_dropped_stream_closes_the_line() {
    let gone = Arc::new(Flag::default());
    let first = b"data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\n".to_vec();
    let fake = Fake::start([Reply::Hang(vec![first], Arc::clone(&gone))]).await;
    let mut answer = fake.model(Wire::OpenAiChat).ask(prompt());
    assert_eq!(
        answer.next().await,
        Some(Ok(ModelEvent::Text("a".to_owned())))
    );
    drop(answer);
    gone.wait().await;
}

#[tokio::test]
async fn silence_is_given_up_and_pings_are_no_silence() {
    let ping = || b": ping\n\n".to_vec();
    let word = b"data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\n".to_vec();
    // Pings for longer than anybody waits, a word, and then nothing.
    let mut chunks: Vec<Vec<u8>> = (0..300).map(|_| ping()).collect();
    chunks.push(word);
    let fake = Fake::start([Reply::Hang(chunks, Arc::default())]).await;
    let patience = Duration::from_millis(400);
    let client = Client::patient(patience).unwrap();
    let model = Provider::new(fake.about(Wire::OpenAiChat), &client);
    let mut answer = model.ask(prompt());
    let word = ModelEvent::Text("a".to_owned());
    assert_eq!(answer.next().await, Some(Ok(word)));
    let began = Instant::now();
    let Some(Err(error)) = answer.next().await else {
        panic!("silence is an error");
    };
    assert!(error.retryable(), "{error}");
    assert!(began.elapsed() < 20 * patience);
}

#[tokio::test]
async fn each_kind_of_refusal_is_told_apart_and_none_shows_the_key() {
    let quoted = r#"{"error":{"message":"Incorrect key topsecret or sk-abcd****wxyz","code":"invalid_api_key"}}"#;
    let detail = "Incorrect key [key] or [key]".to_owned();
    let model = "fake/m".to_owned();
    let cases = [
        (
            401,
            vec![],
            quoted,
            ModelError::Auth {
                model: model.clone(),
                detail,
            },
        ),
        (
            429,
            vec![("retry-after", "7".to_owned())],
            "{}",
            ModelError::RateLimited {
                model: model.clone(),
                retry_after: Some(Duration::from_secs(7)),
            },
        ),
        (
            529,
            vec![],
            r#"{"error":{"type":"overloaded_error"}}"#,
            ModelError::Overloaded {
                model: model.clone(),
                retry_after: None,
            },
        ),
        (
            429,
            vec![],
            r#"{"error":{"message":"Top up.","code":"insufficient_quota"}}"#,
            ModelError::PlanLimit {
                model: model.clone(),
                detail: "Top up.".to_owned(),
            },
        ),
        (
            400,
            vec![],
            r#"{"error":{"code":"context_length_exceeded"}}"#,
            ModelError::ContextTooLong {
                model: model.clone(),
            },
        ),
        (
            400,
            vec![],
            r#"{"error":{"code":"content_filter"}}"#,
            ModelError::ContentFilter {
                model: model.clone(),
            },
        ),
        (
            302,
            vec![("location", "http://127.0.0.1:1/".to_owned())],
            "",
            ModelError::Other {
                model: model.clone(),
                detail: "status 302".to_owned(),
            },
        ),
        // An error under the sign of success.
        (
            200,
            vec![("content-type", "application/json".to_owned())],
            r#"{"error":{"type":"overloaded_error"}}"#,
            ModelError::Overloaded {
                model,
                retry_after: None,
            },
        ),
    ];
    for (status, headers, body, expected) in cases {
        let fake = Fake::start([Reply::Refuse(status, headers, body.to_owned())]).await;
        let heard = hear(&fake.model(Wire::OpenAiChat)).await;
        assert_eq!(heard, [Err(expected)], "{status} {body}");
        assert!(!format!("{heard:?}").contains("topsecret"));
    }
}

#[tokio::test]
async fn nobody_at_the_address_is_said_to_be_unreachable_without_the_address() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap();
    drop(taken);
    let fake = Fake::start([]).await;
    let about = ModelSpec {
        base_url: format!("http://{address}"),
        ..fake.about(Wire::Gemini)
    };
    let heard = hear(&Provider::new(about, &Client::new().unwrap())).await;
    let [Err(ModelError::Unreachable { model, detail })] = heard.as_slice() else {
        panic!("{heard:?}")
    };
    assert_eq!(model, "fake/m");
    assert!(detail.to_lowercase().contains("refused"), "{detail}");
}

#[tokio::test]
async fn a_refused_key_is_read_again_from_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("key");
    std::fs::write(&path, "old\n").unwrap();
    let refused = || Reply::Refuse(401, vec![], "{}".to_owned());
    let fake = Fake::start([chat(), refused(), chat(), refused()]).await;
    let about = ModelSpec {
        key: Arc::new(Key::new(KeySource::File(path.clone()))),
        ..fake.about(Wire::OpenAiChat)
    };
    let model = Provider::new(about, &Client::new().unwrap());
    assert_eq!(hear(&model).await, whole());
    std::fs::write(&path, "new\n").unwrap();
    assert_eq!(hear(&model).await, whole());
    let keys: Vec<String> = fake
        .asked()
        .iter()
        .map(|asked| asked.headers["authorization"].to_str().unwrap().to_owned())
        .collect();
    assert_eq!(keys, ["Bearer old", "Bearer old", "Bearer new"]);
    // The same key again is not tried again.
    assert!(matches!(
        hear(&model).await[..],
        [Err(ModelError::Auth { .. })]
    ));
    assert_eq!(fake.asked().len(), 1);
}

#[tokio::test]
async fn an_extra_that_is_refused_is_left_out_from_then_on() {
    let refused = r#"{"error":{"message":"Unsupported value: 'temperature' does not support 0","code":"unsupported_value"}}"#;
    let fake = Fake::start([
        Reply::Refuse(400, vec![], refused.to_owned()),
        chat(),
        chat(),
    ])
    .await;
    let model = fake.model(Wire::OpenAiChat);
    assert_eq!(hear(&model).await, whole());
    assert_eq!(hear(&model).await, whole());
    let temperatures: Vec<_> = fake
        .asked()
        .iter()
        .map(|asked| asked.body.get("temperature").cloned())
        .collect();
    assert_eq!(temperatures, [Some(json!(0.0)), None, None]);
}

#[tokio::test]
async fn a_local_server_is_asked_without_a_key() {
    let fake = Fake::start([chat()]).await;
    let about = ModelSpec {
        key: Arc::new(Key::new(KeySource::None)),
        compatible: true,
        ..fake.about(Wire::OpenAiChat)
    };
    let model = Provider::new(about, &Client::new().unwrap());
    assert_eq!(hear(&model).await, whole());
    assert_eq!(fake.asked()[0].headers.get("authorization"), None);
}
