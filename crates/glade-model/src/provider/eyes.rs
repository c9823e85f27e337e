//! Whether a model can look at pictures: said in the settings, told by its server, or found out when
//! one is refused.

use std::time::Duration;

use serde_json::{Value, json};

use super::{Inner, Question, Secret, Wire, lock};
use glade_agent::DialogueTurn;

/// A server that tells, tells at once.
const PATIENCE: Duration = Duration::from_secs(3);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Eyes {
    /// Nobody has asked yet.
    Unknown,
    Found(bool),
}

impl Eyes {
    pub fn new(said: Option<bool>) -> Self {
        said.map_or(Self::Unknown, Self::Found)
    }

    /// Most models see, and those that do not refuse.
    pub fn see(self) -> bool {
        self != Self::Found(false)
    }
}

/// To the model, in the place of a picture.
const HIDDEN: &str = "No picture can be shown to you, whatever is said of one above: you see only what is written here.";

impl Question {
    /// Whether there is a picture in it.
    pub fn shows(&self) -> bool {
        match self {
            Self::Prompt(_, images) => !images.is_empty(),
            Self::Dialogue(dialogue) => dialogue.turns.iter().any(
                |turn| matches!(turn, DialogueTurn::Person { images, .. } if !images.is_empty()),
            ),
        }
    }

    /// Leaves the pictures out, and says so.
    pub fn hide(&mut self) {
        if !self.shows() {
            return;
        }
        let hidden = |text: &mut String| {
            text.push_str("\n\n");
            text.push_str(HIDDEN);
        };
        match self {
            Self::Prompt(prompt, images) => {
                images.clear();
                prompt
                    .messages
                    .last_mut()
                    .into_iter()
                    .for_each(|last| hidden(&mut last.content));
            }
            Self::Dialogue(dialogue) => {
                for turn in &mut dialogue.turns {
                    if let DialogueTurn::Person { text, images } = turn
                        && !images.is_empty()
                    {
                        images.clear();
                        hidden(text);
                    }
                }
            }
        }
    }
}

impl Inner {
    /// Asks a server of one's own, once, whether the model has eyes: Ollama and llama.cpp's server tell.
    pub async fn ask_for_eyes(&self, key: Option<&Secret>) {
        let about = &self.about;
        let unknown = *lock(&self.eyes) == Eyes::Unknown;
        let tells =
            about.compatible && matches!(about.wire, Wire::OpenAiChat | Wire::OpenAiResponses);
        if !(unknown && tells) {
            return;
        }
        let root = about.base_url.trim_end_matches("/v1");
        let show = self.http.post(format!("{root}/api/show"));
        let body = json!({"model": about.model}).to_string();
        let show = show.header("content-type", "application/json").body(body);
        let shown = told(show, key).await;
        let mut sees = shown.as_ref().and_then(of_ollama);
        if sees.is_none() {
            let props = told(self.http.get(format!("{root}/props")), key).await;
            sees = props.as_ref().and_then(of_llama_cpp);
        }
        // Who does not tell is not asked again: a refusal will say it.
        *lock(&self.eyes) = Eyes::Found(sees.unwrap_or(true));
    }
}

async fn told(request: reqwest::RequestBuilder, key: Option<&Secret>) -> Option<Value> {
    let request = match key {
        Some(key) => request.bearer_auth(key.expose()),
        None => request,
    };
    let mut response = request.timeout(PATIENCE).send().await.ok()?;
    if !response.status().is_success() {
        return None;
    }
    let mut body = Vec::new();
    while let Some(bytes) = response.chunk().await.ok()? {
        body.extend_from_slice(&bytes);
        if body.len() > LONGEST {
            return None;
        }
    }
    serde_json::from_slice(&body).ok()
}

/// Ollama tells a model's whole licence and vocabulary along.
const LONGEST: usize = 32 * 1024 * 1024;

fn of_ollama(shown: &Value) -> Option<bool> {
    let capabilities = shown["capabilities"].as_array()?;
    Some(capabilities.iter().any(|one| one == "vision"))
}

fn of_llama_cpp(props: &Value) -> Option<bool> {
    props["modalities"]["vision"].as_bool()
}
