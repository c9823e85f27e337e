//! The settings file: readable by its owner only, written whole or not at all.
//!
//! ```json
//! {"providers": {
//!   "anthropic": {"keyFile": "/run/secrets/anthropic"},
//!   "openai":    {"keyCommand": "pass show openai", "wire": "responses"},
//!   "local":     {"baseUrl": "http://127.0.0.1:8080/v1", "models": ["smollm2"], "sees": {"*": false}},
//!   "work":      {"kind": "openai", "baseUrl": "https://models.example/v1", "key": "…"}
//! }}
//! ```

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    #[error("the model settings {path} cannot be {doing}: {reason}")]
    File {
        doing: &'static str,
        path: PathBuf,
        reason: String,
    },
    #[error(
        "the model settings {path} hold a key and others on this machine may read them: run `chmod 600` on the file"
    )]
    Exposed { path: PathBuf },
    #[error("this server keeps no model settings")]
    NoFile,
    #[error("{0}")]
    Refused(String),
}

/// No `Debug`: it holds keys.
#[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct Settings {
    pub providers: BTreeMap<String, ProviderSettings>,
}

/// Whose language a provider speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    Anthropic,
    Openai,
    Gemini,
    Local,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OpenAiWire {
    Chat,
    Responses,
}

/// How a model is held to the form of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Answers {
    /// By the provider's own structured answers (`response_format` and its like); the usual way.
    Schema,
    /// By the provider's own tools, one for each action.
    Tools,
    /// Not at all: it is only told.
    Free,
}

/// No `Debug`: it may hold a key.
#[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct ProviderSettings {
    /// Needed where the name does not say it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<Kind>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key_file: Option<PathBuf>,
    /// A shell command that prints the key. Only this file can name one, never a request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key_command: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base_url: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wire: Option<OpenAiWire>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thinking_tokens: Option<u32>,
    /// How answers are held to the schema while they are written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answers: Option<Answers>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_output_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f32>,
    /// The only actions that its models are offered: for small ones, which do better with few.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub actions: Vec<String>,
    /// Only for models that still take it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub prefill: bool,
    /// Listed to choose from.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub models: Vec<String>,
    /// Which of its models can look at pictures, by name; `*` is said of all others. Of what is not
    /// said here, the server is asked, or it is found out.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub sees: BTreeMap<String, bool>,
}

impl ProviderSettings {
    /// Whether a model can look at pictures, where that is said.
    pub fn sees(&self, model: &str) -> Option<bool> {
        self.sees.get(model).or_else(|| self.sees.get("*")).copied()
    }
}

/// The settings; none, if there is no such file.
pub fn load(path: &Path) -> Result<Settings, SettingsError> {
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Settings::default()),
        Err(error) => return Err(failed("read", path)(error)),
    };
    let settings: Settings = serde_json::from_str(&text).map_err(|error| SettingsError::File {
        doing: "understood",
        path: path.to_owned(),
        // Only the place: serde's own words may quote a value.
        reason: format!("look at line {}, column {}", error.line(), error.column()),
    })?;
    if settings.providers.values().any(|p| p.key.is_some()) && exposed(path)? {
        return Err(SettingsError::Exposed {
            path: path.to_owned(),
        });
    }
    Ok(settings)
}

pub fn save(path: &Path, settings: &Settings) -> Result<(), SettingsError> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".new-{}", std::process::id()));
    let draft = path.with_file_name(name);
    let text = serde_json::to_string_pretty(settings).map_err(|error| SettingsError::File {
        doing: "written",
        path: path.to_owned(),
        reason: error.to_string(),
    })?;
    let written = write_private(&draft, &text)
        .and_then(|()| fs::rename(&draft, path))
        .and_then(|()| sync_folder_of(path));
    written.map_err(|error| {
        // The draft may not be there; the first error is the one to tell.
        drop(fs::remove_file(&draft));
        failed("written", path)(error)
    })
}

/// What a folder says is in it lasts once the folder itself is on disk.
fn sync_folder_of(path: &Path) -> std::io::Result<()> {
    let folder = path.parent().filter(|it| !it.as_os_str().is_empty());
    File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
}

fn write_private(path: &Path, text: &str) -> std::io::Result<()> {
    // One that a crash left behind may have been opened by anyone.
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut options = File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(path)?;
    file.write_all(text.as_bytes())?;
    file.write_all(b"\n")?;
    file.sync_all()
}

#[cfg(unix)]
fn exposed(path: &Path) -> Result<bool, SettingsError> {
    use std::os::unix::fs::PermissionsExt;
    let about = fs::metadata(path).map_err(failed("read", path))?;
    Ok(about.permissions().mode() & 0o077 != 0)
}

#[cfg(not(unix))]
fn exposed(_: &Path) -> Result<bool, SettingsError> {
    Ok(false)
}

fn failed(doing: &'static str, path: &Path) -> impl FnOnce(std::io::Error) -> SettingsError {
    let path = path.to_owned();
    move |error| SettingsError::File {
        doing,
        path,
        reason: error.to_string(),
    }
}
