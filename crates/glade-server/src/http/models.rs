//! Models: which there are, and setting up their providers. Keys go in and never come out.

#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use futures_util::StreamExt as _;
use glade_agent::{Prompt, PromptMessage, Role};
use glade_model::{Model, ModelEvent};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::guard::Caller;
use crate::app::App;
use crate::edge::extract::ApiJson;
use crate::edge::problem::Problem;
use glade_host::models::{KeyFrom, Models, ProviderSettings, SettingsError, Source};

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ModelList {
    /// The model of fairies that name none.
    default: String,
    /// Models to choose from. Of a provider that is set up, any other can be named too.
    models: Vec<ModelShown>,
    /// The providers that are set up; shown to the owner only.
    providers: Vec<ProviderShown>,
    /// How the test went, if one was asked for.
    #[schema(required)]
    test: Option<TestResult>,
}

#[derive(Serialize, ToSchema)]
pub struct ModelShown {
    name: String,
    label: String,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProviderShown {
    name: String,
    base_url: String,
    /// Where its key comes from; never the key.
    key: KeyFrom,
    models: Vec<String>,
}

#[derive(Serialize, ToSchema)]
pub struct TestResult {
    model: String,
    ok: bool,
    detail: String,
}

/// A change to one provider's settings, a test of a model, or both, in this order.
#[derive(Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct ModelChange {
    /// `anthropic`, `openai`, `gemini`, `local`, or a name of one's own for an address.
    provider: Option<String>,
    /// Empty: forget it.
    key: Option<String>,
    /// Empty: the provider's own.
    base_url: Option<String>,
    /// Models to list.
    models: Option<Vec<String>>,
    /// Asks this model for one word.
    test: Option<String>,
}

impl From<SettingsError> for Problem {
    fn from(error: SettingsError) -> Self {
        match error {
            SettingsError::Refused(_) => Self::bad_request(error.to_string()),
            other => Self::conflict(other.to_string()),
        }
    }
}

/// The models to choose from.
#[utoipa::path(get, path = "/api/models", responses((status = 200, body = ModelList)))]
pub async fn list(State(app): State<Arc<App>>, caller: Caller) -> Result<Json<ModelList>, Problem> {
    Ok(Json(shown(&app.models, &caller, None)))
}

/// Sets up a provider, or tests a model. The owner's alone: whoever may do this decides where
/// prompts are sent and what they cost.
#[utoipa::path(put, path = "/api/models", request_body = ModelChange,
    responses((status = 200, body = ModelList), (status = 400, body = Problem), (status = 403, body = Problem)))]
pub async fn change(
    State(app): State<Arc<App>>,
    caller: Caller,
    ApiJson(mut change): ApiJson<ModelChange>,
) -> Result<Json<ModelList>, Problem> {
    if !caller.capability.is_owner() {
        return Err(Problem::forbidden(
            "Only the owner sets up models: open the owner's link.",
        ));
    }
    let test = change.test.take();
    if let Some(provider) = change.provider.take() {
        check_name(&provider)?;
        let app = Arc::clone(&app);
        // It writes a file and waits for the disk.
        let changed = tokio::task::spawn_blocking(move || {
            app.models
                .change(&provider, |set, now| apply(change, set, now))
        });
        changed.await.map_err(Problem::internal)??;
    }
    let tested = match test {
        Some(name) => Some(try_out(&app.models, name).await?),
        None => None,
    };
    Ok(Json(shown(&app.models, &caller, tested)))
}

fn check_name(name: &str) -> Result<(), Problem> {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if (1..=32).contains(&name.len()) && name.chars().all(plain) && name != "sketch" {
        return Ok(());
    }
    Err(Problem::bad_request(
        "A provider's name has up to 32 small letters, digits and dashes.",
    ))
}

fn apply(
    change: ModelChange,
    set: &mut ProviderSettings,
    now: Option<&Source>,
) -> Result<(), SettingsError> {
    if let Some(url) = change.base_url {
        let url = url.trim().trim_end_matches('/').to_owned();
        let is_address = url.starts_with("https://") || url.starts_with("http://");
        if !(url.is_empty() || is_address) {
            return Err(SettingsError::Refused(
                "An address begins with https:// or http://.".to_owned(),
            ));
        }
        let url = Some(url).filter(|url| !url.is_empty());
        if url != set.base_url {
            // A key was given for an address. It must not follow to another by this door.
            let foreign = [KeyFrom::Environment, KeyFrom::File, KeyFrom::Command];
            if now.is_some_and(|source| foreign.contains(&source.key_from)) && change.key.is_none()
            {
                return Err(SettingsError::Refused(
                    "This provider's key is not from the settings page: change its address where the key is set, or give a key with the address.".to_owned(),
                ));
            }
            set.key = None;
            set.base_url = url;
        }
    }
    if let Some(key) = change.key {
        let key = key.trim().to_owned();
        if key.chars().any(|c| c.is_control() || !c.is_ascii()) {
            return Err(SettingsError::Refused(
                "That is no key: a key has one line of plain letters.".to_owned(),
            ));
        }
        set.key = Some(key).filter(|key| !key.is_empty());
    }
    if let Some(models) = change.models {
        set.models = models;
    }
    Ok(())
}

fn shown(models: &Models, caller: &Caller, test: Option<TestResult>) -> ModelList {
    let providers = if caller.capability.is_owner() {
        models.sources()
    } else {
        Default::default()
    };
    ModelList {
        default: models.default_name().to_owned(),
        models: models
            .list()
            .iter()
            .map(|model| ModelShown {
                name: model.name().to_owned(),
                label: model.label().to_owned(),
            })
            .collect(),
        providers: providers
            .into_iter()
            .map(|(name, source)| ProviderShown {
                name,
                base_url: source.base_url,
                key: source.key_from,
                models: source.models,
            })
            .collect(),
        test,
    }
}

const LONGEST_TEST: Duration = Duration::from_secs(60);

async fn try_out(models: &Models, name: String) -> Result<TestResult, Problem> {
    let model = models.get(&name).ok_or_else(|| {
        Problem::bad_request(format!(
            "There is no model {name}: give its provider a key or an address first."
        ))
    })?;
    let tested = tokio::time::timeout(LONGEST_TEST, greet(model.as_ref())).await;
    let outcome = tested.unwrap_or_else(|_| Err("It did not answer within a minute.".to_owned()));
    Ok(TestResult {
        model: name,
        ok: outcome.is_ok(),
        detail: outcome.unwrap_or_else(|words| words),
    })
}

/// The answer to a few words, or why there is none.
async fn greet(model: &dyn Model) -> Result<String, String> {
    let prompt = Prompt {
        system: "Answer with the JSON object {\"actions\":[]} and nothing else.".to_owned(),
        messages: vec![PromptMessage {
            role: Role::User,
            content: "Hello.".to_owned(),
        }],
        parts: Vec::new(),
        picture: None,
        schema: serde_json::json!({
            "type": "object",
            "properties": {"actions": {"type": "array", "items": {"type": "string"}}},
            "required": ["actions"],
            "additionalProperties": false,
        }),
        max_output_tokens: 1_024,
        temperature: 0.0,
    };
    let mut answer = model.ask(prompt);
    while let Some(event) = answer.next().await {
        match event {
            Ok(ModelEvent::Done { .. }) => return Ok("It answers.".to_owned()),
            Ok(_) => {}
            Err(error) => return Err(error.to_string()),
        }
    }
    Err("Its answer broke off.".to_owned())
}
