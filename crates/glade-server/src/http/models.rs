//! Models: which there are, and setting up their providers. Keys go in and never come out.

#[cfg(test)]
mod tests;
mod trial;

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use self::trial::try_out;
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
    /// Whether it is shown pictures of pages.
    sees: bool,
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
    /// Whether it could read a picture; not told of a model that is asked for none.
    #[serde(skip_serializing_if = "Option::is_none")]
    sees: Option<bool>,
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
    /// Which of its models can look at pictures; `*` for all that are not named. Null: to be found out.
    sees: Option<BTreeMap<String, Option<bool>>>,
    /// Asks this model what it reads in a picture, and keeps whether it could.
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
        Some(name) => Some(try_out(&app, name).await?),
        None => None,
    };
    Ok(Json(shown(&app.models, &caller, tested)))
}

/// Models of one provider of which it is kept whether they see.
const MOST_SEEN: usize = 200;

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
            // Others may answer to the same names there.
            set.sees.clear();
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
    for (model, sees) in change.sees.into_iter().flatten() {
        match sees {
            Some(sees) => set.sees.insert(model, sees),
            None => set.sees.remove(&model),
        };
    }
    if set.sees.len() > MOST_SEEN {
        return Err(SettingsError::Refused(format!(
            "Of more than {MOST_SEEN} models of a provider nothing is kept."
        )));
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
                sees: model.sees(),
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
