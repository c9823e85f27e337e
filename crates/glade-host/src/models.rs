//! The models that fairies can think with.
//!
//! `sketch` is always there. A provider is there only if someone set it up: with a key or an address
//! in the environment, in the settings file, or on the settings page, which writes that file. Of a
//! provider that is there any model can be named: `anthropic/…`, `openai/…`, `gemini/…`, `local/…`.
//! Nothing is asked of the network to find out; a wrong name shows at the first request.

mod missing;
mod settings;
mod sources;
mod turns;

#[cfg(test)]
mod tests;

pub use settings::{ProviderSettings, Settings, SettingsError};
pub use sources::{KeyFrom, Source};
pub use turns::{AtOnce, Turns};

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use glade_model::{
    AnswerBudget, Bounded, Client, Model, ModelSpec, Provider, RetryPolicy, Retrying, prices,
};

use self::missing::Missing;

/// How many seconds a provider may be silent, its pings aside; 60 where nobody says.
const SILENCE: &str = "GLADE_MODEL_SILENCE";

/// The settings file inside the data folder; `GLADE_MODELS` names another.
const FILE: &str = "models.json";

/// Reads a variable of the environment.
pub type Environment = Box<dyn Fn(&str) -> Option<String> + Send + Sync>;

#[derive(Debug, thiserror::Error)]
#[error(
    "there is no model `{name}`: `sketch` is built in{also}. A provider is there once it has a key or an address: \
     ANTHROPIC_API_KEY, OPENAI_API_KEY, GEMINI_API_KEY, OLLAMA_HOST, or models.json in the data folder"
)]
pub struct NoModel {
    name: String,
    also: String,
}

/// The models that a fairy can think with, by name.
pub struct Models {
    fixed: BTreeMap<String, Arc<dyn Model>>,
    default: String,
    path: Option<PathBuf>,
    environment: Environment,
    found: Mutex<Found>,
    client: OnceLock<Result<Client, String>>,
    turns: Arc<Turns>,
}

#[derive(Default)]
struct Found {
    settings: Settings,
    sources: BTreeMap<String, Source>,
    /// Made when first named; forgotten when the settings change.
    made: HashMap<String, Arc<dyn Model>>,
}

impl Models {
    /// These models and no others.
    pub fn new(models: impl IntoIterator<Item = Arc<dyn Model>>, default: &str) -> Self {
        let fixed = models
            .into_iter()
            .map(|model| (model.name().to_owned(), bounded(model)))
            .collect();
        Self {
            fixed,
            default: default.to_owned(),
            path: None,
            environment: Box::new(|_| None),
            found: Mutex::default(),
            client: OnceLock::new(),
            turns: Arc::default(),
        }
    }

    /// These, and those of every provider that is set up.
    pub fn find(
        models: impl IntoIterator<Item = Arc<dyn Model>>,
        default: &str,
        data: &Path,
        environment: Environment,
    ) -> Result<Self, SettingsError> {
        let path = environment("GLADE_MODELS").map_or_else(|| data.join(FILE), PathBuf::from);
        let settings = settings::load(&path)?;
        let found = Found {
            sources: sources::find(&settings, &environment),
            settings,
            made: HashMap::new(),
        };
        Ok(Self {
            path: Some(path),
            environment,
            found: Mutex::new(found),
            ..Self::new(models, default)
        })
    }

    /// Lets no more than this be asked at once.
    pub fn asking_at_once(self, most: AtOnce) -> Self {
        let turns = Turns::new(most);
        Self { turns, ..self }
    }

    /// Whose turn it is to ask.
    pub fn turns(&self) -> &Arc<Turns> {
        &self.turns
    }

    /// The model of that name, if it or its provider is there. No name: the default.
    pub fn get(&self, name: &str) -> Option<Arc<dyn Model>> {
        let name = if name.is_empty() { &self.default } else { name };
        if let Some(model) = self.fixed.get(name) {
            return Some(Arc::clone(model));
        }
        let (provider, model) = name
            .split_once('/')
            .filter(|(_, model)| !model.is_empty())?;
        let mut found = self.lock();
        if let Some(made) = found.made.get(name) {
            return Some(Arc::clone(made));
        }
        let source = found.sources.get(provider)?;
        let set = found.settings.providers.get(provider);
        let sees = set.and_then(|set| set.sees(model));
        let made = self.made(name, model, source, sees);
        found.made.insert(name.to_owned(), Arc::clone(&made));
        Some(made)
    }

    /// A provider's model that is shown pictures whatever is known of it, to find out whether it sees.
    pub fn get_to_try(&self, name: &str) -> Option<Arc<dyn Model>> {
        let (provider, model) = name
            .split_once('/')
            .filter(|(_, model)| !model.is_empty())?;
        let found = self.lock();
        let source = found.sources.get(provider)?;
        Some(self.made(name, model, source, Some(true)))
    }

    fn made(&self, name: &str, model: &str, source: &Source, sees: Option<bool>) -> Arc<dyn Model> {
        let client = match self.client() {
            Ok(client) => client,
            Err(reason) => return Arc::new(Missing::new(name, reason)),
        };
        let about = ModelSpec {
            name: name.to_owned(),
            model: model.to_owned(),
            wire: source.wire,
            base_url: source.base_url.clone(),
            key: Arc::clone(&source.key),
            compatible: source.compatible,
            sees,
            extras: source.extras,
            limits: source.limits.clone(),
        };
        let provider = Provider::new(about, client);
        bounded(Arc::new(Retrying::new(provider, RetryPolicy::default())))
    }

    /// The default model must be there, or nobody can think.
    pub fn need_default(&self) -> Result<(), NoModel> {
        if self.get("").is_some() {
            return Ok(());
        }
        let sources = self.sources();
        let also = sources
            .keys()
            .map(|name| format!(", and `{name}/…` is set up"));
        Err(NoModel {
            name: self.default.clone(),
            also: also.collect(),
        })
    }

    /// As [`Models::get`], but a model that is gone (with a key that was taken away, or under a name that
    /// nobody knows) is one that says so when it is asked: a server must not stay down for it.
    pub fn get_or_missing(&self, name: &str) -> Arc<dyn Model> {
        self.get(name).unwrap_or_else(|| {
            let detail = name.split_once('/').map_or_else(
                || "no such model is built in".to_owned(),
                |(provider, _)| format!("no key and no address for `{provider}`"),
            );
            Arc::new(Missing::new(name, &detail))
        })
    }

    pub fn default_name(&self) -> &str {
        &self.default
    }

    /// Models to choose from: the built-in ones, those that the settings list, and those of the
    /// providers here whose prices are known. Others can be named too.
    pub fn list(&self) -> Vec<Arc<dyn Model>> {
        let mut names: Vec<String> = self.fixed.keys().cloned().collect();
        {
            let found = self.lock();
            for (provider, source) in &found.sources {
                names.extend(
                    source
                        .models
                        .iter()
                        .map(|model| format!("{provider}/{model}")),
                );
                let priced =
                    prices::known().filter(|name| name.split('/').next() == Some(provider));
                names.extend(priced.map(str::to_owned));
            }
        }
        if !names.contains(&self.default) {
            names.push(self.default.clone());
        }
        let mut seen = std::collections::BTreeSet::new();
        names.retain(|name| seen.insert(name.clone()));
        names.iter().filter_map(|name| self.get(name)).collect()
    }

    /// The providers that are set up.
    pub fn sources(&self) -> BTreeMap<String, Source> {
        self.lock().sources.clone()
    }

    /// Changes the settings of one provider, on disk first. Models that are being asked finish with
    /// what they had.
    pub fn change(
        &self,
        provider: &str,
        change: impl FnOnce(&mut ProviderSettings, Option<&Source>) -> Result<(), SettingsError>,
    ) -> Result<(), SettingsError> {
        let path = self.path.as_ref().ok_or(SettingsError::NoFile)?;
        let mut found = self.lock();
        let mut settings = found.settings.clone();
        let entry = settings.providers.entry(provider.to_owned()).or_default();
        change(entry, found.sources.get(provider))?;
        if *entry == ProviderSettings::default() {
            settings.providers.remove(provider);
        }
        settings::save(path, &settings)?;
        found.sources = sources::find(&settings, &self.environment);
        found.settings = settings;
        found.made.clear();
        Ok(())
    }

    fn client(&self) -> Result<&Client, &str> {
        let made = self.client.get_or_init(|| {
            let made = match (self.environment)(SILENCE).map(|seconds| seconds.parse()) {
                None => Client::new(),
                Some(Ok(seconds)) if seconds > 0 => Client::patient(Duration::from_secs(seconds)),
                Some(_) => return Err(format!("{SILENCE} is a number of seconds, at least 1")),
            };
            made.map_err(|error| error.to_string())
        });
        made.as_ref().map_err(String::as_str)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Found> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Every answer here keeps within a budget, whoever gives it.
fn bounded(model: Arc<dyn Model>) -> Arc<dyn Model> {
    Arc::new(Bounded::new(model, AnswerBudget::default()))
}
