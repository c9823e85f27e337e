//! Where models come from: settings and environment, made into providers.
//!
//! What the settings say goes before what the environment says. A provider without a key and without
//! an address does not exist.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

use glade_model::key::{Key, KeySource, Secret};
use glade_model::{Extras, Limits, Wire};
use serde::Serialize;
use utoipa::ToSchema;

use super::Environment;
use super::settings::{Answers, Kind, OpenAiWire, ProviderSettings, Settings};

/// A provider that is set up.
#[derive(Clone)]
pub struct Source {
    pub wire: Wire,
    pub base_url: String,
    pub compatible: bool,
    pub key: Arc<Key>,
    pub key_from: KeyFrom,
    pub extras: Extras,
    pub limits: Limits,
    pub models: Vec<String>,
}

/// Where a provider's key comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum KeyFrom {
    /// It has none.
    None,
    Settings,
    File,
    Command,
    Environment,
}

/// The usual names of a provider's variables.
struct Usual {
    name: &'static str,
    kind: Kind,
    keys: &'static [&'static str],
    base_url: Option<&'static str>,
}

const USUAL: [Usual; 4] = [
    Usual {
        name: "anthropic",
        kind: Kind::Anthropic,
        keys: &["ANTHROPIC_API_KEY"],
        base_url: Some("ANTHROPIC_BASE_URL"),
    },
    Usual {
        name: "openai",
        kind: Kind::Openai,
        keys: &["OPENAI_API_KEY"],
        base_url: Some("OPENAI_BASE_URL"),
    },
    Usual {
        name: "gemini",
        kind: Kind::Gemini,
        keys: &["GEMINI_API_KEY", "GOOGLE_API_KEY"],
        base_url: None,
    },
    Usual {
        name: "local",
        kind: Kind::Local,
        keys: &[],
        base_url: None,
    },
];

/// The kind that a provider's name stands for; an address of any other name is spoken to as a local one.
pub fn kind_of(name: &str) -> Kind {
    USUAL
        .iter()
        .find(|usual| usual.name == name)
        .map_or(Kind::Local, |usual| usual.kind)
}

/// All that are set up.
pub fn find(settings: &Settings, environment: &Environment) -> BTreeMap<String, Source> {
    let names: BTreeSet<&str> = USUAL
        .iter()
        .map(|usual| usual.name)
        .chain(settings.providers.keys().map(String::as_str))
        .collect();
    let nothing = ProviderSettings::default();
    names
        .into_iter()
        .filter_map(|name| {
            let set = settings.providers.get(name).unwrap_or(&nothing);
            Some((name.to_owned(), source(name, set, environment)?))
        })
        .collect()
}

fn source(name: &str, set: &ProviderSettings, environment: &Environment) -> Option<Source> {
    let usual = USUAL.iter().find(|usual| usual.name == name);
    let kind = set.kind.unwrap_or_else(|| kind_of(name));
    let (key, key_from) = key(set, usual, environment);
    let given = set
        .base_url
        .clone()
        .or_else(|| environment(usual?.base_url?))
        .or_else(|| ollama(name, environment));
    let given = given
        .map(|url| url.trim_end_matches('/').to_owned())
        .filter(|url| !url.is_empty());
    if given.is_none() && (key_from == KeyFrom::None || kind == Kind::Local) {
        return None;
    }
    let elsewhere = given.is_some();
    let wire = match (kind, set.wire) {
        (Kind::Anthropic, _) => Wire::AnthropicMessages,
        (Kind::Gemini, _) => Wire::Gemini,
        (_, Some(OpenAiWire::Responses)) => Wire::OpenAiResponses,
        (_, Some(OpenAiWire::Chat)) => Wire::OpenAiChat,
        // What every imitator speaks is Chat.
        (Kind::Openai, None) if !elsewhere => Wire::OpenAiResponses,
        (Kind::Openai | Kind::Local, None) => Wire::OpenAiChat,
    };
    let own = match kind {
        Kind::Anthropic => "https://api.anthropic.com",
        Kind::Gemini => "https://generativelanguage.googleapis.com/v1beta",
        Kind::Openai | Kind::Local => "https://api.openai.com/v1",
    };
    Some(Source {
        wire,
        base_url: given.unwrap_or_else(|| own.to_owned()),
        compatible: elsewhere,
        key: Arc::new(Key::new(key)),
        key_from,
        extras: Extras {
            thinking: set.thinking_tokens,
            prefill: set.prefill,
            schema: set.answers != Some(Answers::Free),
            tools: set.answers == Some(Answers::Tools),
            ..Extras::default()
        },
        limits: Limits {
            max_output_tokens: set.max_output_tokens,
            temperature: set.temperature,
            actions: set.actions.clone(),
        },
        models: set.models.clone(),
    })
}

fn key(
    set: &ProviderSettings,
    usual: Option<&Usual>,
    environment: &Environment,
) -> (KeySource, KeyFrom) {
    if let Some(secret) = set.key.as_deref().and_then(Secret::new) {
        return (KeySource::Given(secret), KeyFrom::Settings);
    }
    if let Some(path) = &set.key_file {
        return (KeySource::File(path.clone()), KeyFrom::File);
    }
    if let Some(command) = &set.key_command {
        return (KeySource::Command(command.clone()), KeyFrom::Command);
    }
    for variable in usual.map_or(&[][..], |usual| usual.keys) {
        if let Some(secret) = environment(variable).as_deref().and_then(Secret::new) {
            return (KeySource::Given(secret), KeyFrom::Environment);
        }
        if let Some(path) = environment(&format!("{variable}_FILE")).filter(|path| !path.is_empty())
        {
            return (KeySource::File(PathBuf::from(path)), KeyFrom::File);
        }
    }
    (KeySource::None, KeyFrom::None)
}

/// `OLLAMA_HOST` is what Ollama itself reads: a host, a port, both, or an address.
fn ollama(name: &str, environment: &Environment) -> Option<String> {
    let host = environment("OLLAMA_HOST").filter(|_| name == "local")?;
    let host = host.trim().trim_end_matches('/');
    if host.is_empty() {
        return None;
    }
    if host.contains("://") {
        return Some(format!("{host}/v1"));
    }
    let (host, port) = match host.rsplit_once(':') {
        Some((host, port)) if !port.ends_with(']') => (host, port),
        _ => (host, "11434"),
    };
    // Where a server listens everywhere, this machine is one of the places.
    let host = match host {
        "" | "0.0.0.0" => "127.0.0.1",
        host => host,
    };
    Some(format!("http://{host}:{port}/v1"))
}
