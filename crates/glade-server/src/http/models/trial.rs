//! Trying a model out: whether it answers, and whether it can read a number in a picture.

use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt as _;
use glade_agent::{Picture, Prompt, PromptMessage, Role};
use glade_canvas::file;
use glade_canvas::render::{Options, to_png};
use glade_host::clock::now_ms;
use glade_host::models::SettingsError;
use glade_model::{Model, ModelEvent};
use serde_json::json;

use super::TestResult;
use crate::app::App;
use crate::edge::problem::Problem;

const LONGEST: Duration = Duration::from_secs(60);

/// Asks a model what it reads in a picture. Of a provider's model it is kept whether it could.
pub async fn try_out(app: &Arc<App>, name: String) -> Result<TestResult, Problem> {
    let to_try = app.models.get_to_try(&name);
    let asked = to_try.is_some();
    let model = to_try.or_else(|| app.models.get(&name)).ok_or_else(|| {
        Problem::bad_request(format!(
            "There is no model {name}: give its provider a key or an address first."
        ))
    })?;
    // Four digits, and others every time.
    let number = (1_000 + now_ms().unsigned_abs() % 9_000).to_string();
    let picture = asked.then(|| picture_of(&number)).flatten();
    let shown = picture.is_some();
    let tested = tokio::time::timeout(LONGEST, ask(model.as_ref(), picture)).await;
    let answer = tested.unwrap_or_else(|_| Err("It did not answer within a minute.".to_owned()));
    let sees = match &answer {
        Ok(words) if shown => Some(words.contains(&number)),
        _ => None,
    };
    if let Some(sees) = sees {
        keep(app, name.clone(), sees).await?;
    }
    Ok(TestResult {
        ok: answer.is_ok(),
        detail: match (answer, sees) {
            (Err(words), _) => words,
            (Ok(_), None) => "It answers.".to_owned(),
            (Ok(_), Some(true)) => "It answers, and sees pictures.".to_owned(),
            (Ok(_), Some(false)) => "It answers, and sees no pictures.".to_owned(),
        },
        model: name,
        sees,
    })
}

async fn keep(app: &Arc<App>, name: String, sees: bool) -> Result<(), Problem> {
    let app = Arc::clone(app);
    // It writes a file and waits for the disk.
    let kept = tokio::task::spawn_blocking(move || {
        let Some((provider, model)) = name.split_once('/') else {
            return Ok(());
        };
        app.models.change(provider, |set, _| {
            set.sees.insert(model.to_owned(), sees);
            Ok(())
        })
    });
    match kept.await.map_err(Problem::internal)? {
        // A server without a settings file finds it out again.
        Ok(()) | Err(SettingsError::NoFile) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// A picture with this in it.
fn picture_of(number: &str) -> Option<Picture> {
    let text = json!({
        "type": "text", "id": "number", "x": 0, "y": 0, "width": 240, "height": 100,
        "text": number, "originalText": number, "fontSize": 80, "fontFamily": 2,
        "strokeColor": "#1e1e1e", "textAlign": "left", "verticalAlign": "top", "lineHeight": 1.25,
    });
    let drawing = json!({"type": "excalidraw", "version": 2, "elements": [text]}).to_string();
    let scene = file::from_any(drawing.as_bytes()).ok()?.scene();
    let options = Options {
        padding: 40.0,
        ..Options::default()
    };
    Some(Picture {
        media_type: "image/png".to_owned(),
        bytes: to_png(&scene, &options).ok()?,
        ..Picture::default()
    })
}

/// The answer, or why there is none.
async fn ask(model: &dyn Model, picture: Option<Picture>) -> Result<String, String> {
    let prompt = Prompt {
        system:
            "Answer with the JSON object {\"actions\":[\"…\"]} and nothing else. In the place of … \
                 stands the number in the picture, or `none` if you see no picture."
                .to_owned(),
        messages: vec![PromptMessage {
            role: Role::User,
            content: "Which number is in the picture?".to_owned(),
        }],
        parts: Vec::new(),
        picture,
        schema: json!({
            "type": "object",
            "properties": {"actions": {"type": "array", "items": {"type": "string"}}},
            "required": ["actions"],
            "additionalProperties": false,
        }),
        max_output_tokens: 1_024,
        temperature: 0.0,
    };
    let mut answer = model.ask(prompt);
    let mut words = String::new();
    while let Some(event) = answer.next().await {
        match event {
            Ok(ModelEvent::Done { .. }) => return Ok(words),
            Ok(ModelEvent::Text(text)) => words.push_str(&text),
            Ok(_) => {}
            Err(error) => return Err(error.to_string()),
        }
    }
    Err("Its answer broke off.".to_owned())
}
