//! All four wires against a fake that nobody here wrote: npm `@copilotkit/aimock`.
//!
//! ```sh
//! npx -p @copilotkit/aimock@1.43 llmock -p 4010 -f crates/glade-model/tests/fixtures/aimock.json
//! GLADE_AIMOCK=http://127.0.0.1:4010 cargo nextest run -p glade-model --run-ignored only aimock
//! ```

use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt;
use glade_agent::StopReason;
use glade_model::key::{Key, KeySource, Secret};
use glade_model::{
    Client, Extras, Limits, Model, ModelError, ModelEvent, ModelSpec, Provider, Wire,
};

use crate::fake::prompt;

const WIRES: [(Wire, &str, &str); 4] = [
    (Wire::AnthropicMessages, "", "claude-sonnet-4-5"),
    (Wire::OpenAiChat, "/v1", "gpt-4o"),
    (Wire::OpenAiResponses, "/v1", "gpt-4o"),
    (Wire::Gemini, "/v1beta", "gemini-2.5-flash"),
];

/// Everything said to `message`: the words, the thoughts, and how it ended.
async fn ask(
    wire: (Wire, &str, &str),
    message: &str,
) -> (String, String, Result<StopReason, ModelError>) {
    let address = std::env::var("GLADE_AIMOCK").expect("GLADE_AIMOCK says where aimock is");
    let about = ModelSpec {
        name: "m".to_owned(),
        model: wire.2.to_owned(),
        wire: wire.0,
        base_url: format!("{address}{}", wire.1),
        key: Arc::new(Key::new(KeySource::Given(
            Secret::new("topsecret").unwrap(),
        ))),
        compatible: false,
        sees: None,
        extras: Extras::default(),
        limits: Limits::default(),
    };
    let mut prompt = prompt();
    prompt.messages[0].content = message.to_owned();
    let mut answer = Provider::new(about, &Client::new().unwrap()).ask(prompt);
    let (mut words, mut thoughts) = (String::new(), String::new());
    while let Some(event) = answer.next().await {
        match event {
            Ok(ModelEvent::Text(text)) => words.push_str(&text),
            Ok(ModelEvent::Thinking(text)) => thoughts.push_str(&text),
            Ok(ModelEvent::Spent(_) | ModelEvent::Signed(_) | ModelEvent::Call(_)) => {}
            Ok(ModelEvent::Done { stop, .. }) => return (words, thoughts, Ok(stop)),
            Err(error) => return (words, thoughts, Err(error)),
        }
    }
    panic!("{wire:?} ended without an end");
}

#[tokio::test]
#[ignore = "needs aimock at GLADE_AIMOCK"]
async fn aimock_words_thoughts_and_calls_are_heard_on_every_wire() {
    for wire in WIRES {
        let (words, thoughts, end) = ask(wire, "text").await;
        assert_eq!(
            words, "{\"actions\":[{\"_type\":\"message\",\"text\":\"Größe 🎨\"}]}",
            "{wire:?}"
        );
        assert_eq!(
            (thoughts.as_str(), end),
            ("hmm", Ok(StopReason::Stop)),
            "{wire:?}"
        );
        let (words, _, end) = ask(wire, "tool").await;
        let calls: Vec<&str> = words.lines().collect();
        assert_eq!(
            calls,
            [
                "{\"_type\":\"create\",\"shape\":{\"x\":1}}",
                "{\"_type\":\"delete\",\"shapeId\":\"a\"}"
            ],
            "{wire:?}"
        );
        assert_eq!(end, Ok(StopReason::Stop), "{wire:?}");
    }
}

#[tokio::test]
#[ignore = "needs aimock at GLADE_AIMOCK"]
async fn aimock_faults_are_told_apart_on_every_wire() {
    let model = || "m".to_owned();
    for wire in WIRES {
        let end = |message| async move { ask(wire, message).await.2.unwrap_err() };
        let detail = "bad key".to_owned();
        assert_eq!(
            end("err401").await,
            ModelError::Auth {
                model: model(),
                detail
            },
            "{wire:?}"
        );
        let retry_after = Some(Duration::from_secs(3));
        assert_eq!(
            end("err429").await,
            ModelError::RateLimited {
                model: model(),
                retry_after
            },
            "{wire:?}"
        );
        assert_eq!(
            end("err529").await,
            ModelError::Overloaded {
                model: model(),
                retry_after: None
            },
            "{wire:?}"
        );
        assert_eq!(
            end("cut").await,
            ModelError::Cut { model: model() },
            "{wire:?}"
        );
    }
}
