//! Whether a model is shown pictures: as somebody said, as its server tells, or until it refuses one.

use futures_util::StreamExt as _;
use glade_agent::{Picture, Prompt};
use glade_model::{Client, Model as _, ModelSpec, Provider, Wire};
use serde_json::json;

use crate::fake::{Fake, Reply, prompt};

fn answer() -> Reply {
    let end =
        "data: {\"choices\":[{\"delta\":{\"content\":\"a\"},\"finish_reason\":\"stop\"}]}\n\n";
    Reply::Stream(vec![end.as_bytes().to_vec()])
}

fn told(status: u16, body: &str) -> Reply {
    let json = ("content-type", "application/json".to_owned());
    Reply::Refuse(status, vec![json], body.to_owned())
}

fn with_picture() -> Prompt {
    Prompt {
        picture: Some(Picture {
            media_type: "image/png".to_owned(),
            bytes: vec![1, 2, 3],
            ..Picture::default()
        }),
        ..prompt()
    }
}

/// Asks once; which paths were asked for, and whether the last request had a picture or said that
/// there is none.
async fn ask(model: &Provider, fake: &Fake) -> (Vec<String>, bool, bool) {
    let heard: Vec<_> = model.ask(with_picture()).collect().await;
    assert!(heard.iter().all(Result::is_ok), "{heard:?}");
    let asked = fake.asked();
    let last = asked.last().unwrap().body["messages"].to_string();
    let paths = asked.into_iter().map(|asked| asked.path).collect();
    let shown = last.contains("image_url");
    (paths, shown, last.contains("No picture can be shown"))
}

fn model(fake: &Fake, compatible: bool, sees: Option<bool>) -> Provider {
    let about = ModelSpec {
        compatible,
        sees,
        ..fake.about(Wire::OpenAiChat)
    };
    Provider::new(about, &Client::new().unwrap())
}

const CHAT: &str = "/chat/completions";

#[tokio::test]
async fn a_server_that_tells_is_asked_once() {
    let cases = [
        (
            vec![told(200, r#"{"capabilities":["completion","vision"]}"#)],
            true,
        ),
        (vec![told(200, r#"{"capabilities":["completion"]}"#)], false),
        (
            vec![
                told(404, "{}"),
                told(200, r#"{"modalities":{"vision":true}}"#),
            ],
            true,
        ),
        (
            vec![
                told(404, "{}"),
                told(200, r#"{"modalities":{"vision":false}}"#),
            ],
            false,
        ),
        // Nobody tells: it is tried.
        (vec![told(404, "{}"), told(404, "{}")], true),
    ];
    for (replies, sees) in cases {
        let questions = ["/api/show", "/props"][..replies.len()].iter();
        let first: Vec<&str> = questions.copied().chain([CHAT]).collect();
        let fake = Fake::start(replies.into_iter().chain([answer(), answer()])).await;
        let model = model(&fake, true, None);
        let (paths, shown, said) = ask(&model, &fake).await;
        assert_eq!(
            (paths, shown, said),
            (
                first.iter().map(|path| (*path).to_owned()).collect(),
                sees,
                !sees
            )
        );
        assert_eq!(model.sees(), sees);
        assert_eq!(ask(&model, &fake).await.0, [CHAT]);
    }
}

#[tokio::test]
async fn what_the_settings_say_is_asked_of_nobody() {
    for sees in [true, false] {
        let fake = Fake::start([answer()]).await;
        let model = model(&fake, true, Some(sees));
        assert_eq!(model.sees(), sees);
        assert_eq!(
            ask(&model, &fake).await,
            (vec![CHAT.to_owned()], sees, !sees)
        );
    }
}

#[tokio::test]
async fn a_model_that_refuses_a_picture_is_asked_without_it_and_told_so() {
    let refusals = [
        (400, "m is not a multimodal model"),
        (
            500,
            "image input is not supported - hint: you may need to provide the mmproj",
        ),
        (404, "No endpoints found that support image input"),
    ];
    for (status, words) in refusals {
        let refused = json!({"error": {"message": words}}).to_string();
        let fake = Fake::start([told(status, &refused), answer(), answer()]).await;
        let model = model(&fake, false, None);
        assert!(model.sees(), "nobody said otherwise");
        let twice = vec![CHAT.to_owned(), CHAT.to_owned()];
        assert_eq!(ask(&model, &fake).await, (twice, false, true), "{words}");
        assert!(!model.sees());
        assert_eq!(
            ask(&model, &fake).await,
            (vec![CHAT.to_owned()], false, true)
        );
    }
}
