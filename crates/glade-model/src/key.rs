//! Keys: where they come from, and that nobody sees them.
//!
//! A [`Secret`] has no `Display` and a `Debug` that hides it; what a provider sends back is scrubbed
//! before it becomes words ([`Secret::scrub`]). A key from a file or a command is read when it is
//! first needed and again when the provider refuses it, so that a rotated key needs no restart.

use std::fmt;
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// A key manager may ask its person something, but not for ever.
const LONGEST_COMMAND: Duration = Duration::from_secs(30);

/// What is shorter guards nothing.
const SHORTEST: usize = 4;

const HIDDEN: &str = "[key]";

/// How providers' keys begin. Some errors quote a key with its middle starred out.
const KEY_BEGINNINGS: [&str; 4] = ["sk-", "sk_", "AIza", "key="];

/// A key.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// `None` where there is nothing in it.
    pub fn new(text: &str) -> Option<Self> {
        let text = text.trim();
        (!text.is_empty()).then(|| Self(text.to_owned()))
    }

    /// For the request's header, and nothing else.
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// `text` without the key, whole or in the form in which providers quote keys.
    pub fn scrub(&self, text: &str) -> String {
        // Local servers take any key, `x` for one; hiding every x hides nothing.
        if self.0.len() < SHORTEST {
            return scrub(text);
        }
        scrub(&text.replace(&self.0, HIDDEN))
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(HIDDEN)
    }
}

/// `text` without anything that looks like a key.
pub fn scrub(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((at, beginning)) = KEY_BEGINNINGS
        .iter()
        .filter_map(|beginning| rest.find(beginning).map(|at| (at, *beginning)))
        .min()
    {
        let starts_a_word = !rest[..at].ends_with(|c: char| c.is_alphanumeric());
        let after = &rest[at + beginning.len()..];
        let end = after
            .find(|c: char| !(c.is_ascii_alphanumeric() || "-_*.".contains(c)))
            .unwrap_or(after.len());
        clean.push_str(&rest[..at]);
        if starts_a_word && end > 3 {
            clean.push_str(HIDDEN);
            rest = &after[end..];
        } else {
            clean.push_str(beginning);
            rest = after;
        }
    }
    clean.push_str(rest);
    clean
}

/// Where a key comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeySource {
    /// A server on one's own machine wants none.
    None,
    Given(Secret),
    /// The file's first line.
    File(PathBuf),
    /// A shell command that prints it.
    Command(String),
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    #[error("the key file {path} could not be read: {reason}")]
    File { path: String, reason: String },
    #[error("the command that prints the key failed: {reason}")]
    Command { reason: String },
    #[error("the key is empty")]
    Empty,
}

/// A key and its source.
#[derive(Debug)]
pub struct Key {
    source: KeySource,
    read: Mutex<Option<Secret>>,
}

impl Key {
    pub fn new(source: KeySource) -> Self {
        let read = match &source {
            KeySource::Given(secret) => Some(secret.clone()),
            _ => None,
        };
        Self {
            source,
            read: Mutex::new(read),
        }
    }

    pub fn source(&self) -> &KeySource {
        &self.source
    }

    /// The key, read from its source if it was not yet. `None`: none is wanted.
    pub async fn get(&self) -> Result<Option<Secret>, KeyError> {
        let known = self.known();
        match known {
            Some(secret) => Ok(Some(secret)),
            None => self.read().await,
        }
    }

    /// The provider refused `refused`: reads the source again. `Some` only if it now holds another.
    pub async fn renew(&self, refused: Option<&Secret>) -> Result<Option<Secret>, KeyError> {
        // Another request may have renewed it meanwhile.
        let fresh = match self.known() {
            Some(known) if Some(&known) != refused => Some(known),
            _ => self.read().await?,
        };
        Ok(fresh.filter(|fresh| Some(fresh) != refused))
    }

    fn known(&self) -> Option<Secret> {
        self.read
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    async fn read(&self) -> Result<Option<Secret>, KeyError> {
        let text = match &self.source {
            KeySource::None => return Ok(None),
            KeySource::Given(secret) => return Ok(Some(secret.clone())),
            KeySource::File(path) => {
                tokio::fs::read_to_string(path)
                    .await
                    .map_err(|error| KeyError::File {
                        path: path.display().to_string(),
                        reason: error.to_string(),
                    })?
            }
            KeySource::Command(command) => run(command).await?,
        };
        let secret = Secret::new(text.lines().next().unwrap_or_default()).ok_or(KeyError::Empty)?;
        *self.read.lock().unwrap_or_else(PoisonError::into_inner) = Some(secret.clone());
        Ok(Some(secret))
    }
}

async fn run(command: &str) -> Result<String, KeyError> {
    let failed = |reason: String| KeyError::Command { reason };
    let child = tokio::process::Command::new("sh")
        .args(["-c", command])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        // Its complaints may quote the key.
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .output();
    let output = tokio::time::timeout(LONGEST_COMMAND, child)
        .await
        .map_err(|_| failed("it did not end within 30 seconds".to_owned()))?
        .map_err(|error| failed(error.to_string()))?;
    if !output.status.success() {
        return Err(failed(output.status.to_string()));
    }
    String::from_utf8(output.stdout).map_err(|_| failed("it printed no text".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_shows_in_no_debug_print_and_in_no_providers_words() {
        let key = Secret::new(" topsecret\n").unwrap();
        let source = KeySource::Given(key.clone());
        assert_eq!(format!("{key:?} {source:?}"), "[key] Given([key])");
        assert!(!format!("{:?}", Key::new(source)).contains("topsecret"));
        assert_eq!(
            key.scrub("topsecret is wrong; so are sk-ab12****wxyz, and https://x/?key=AIzaSyA1b2&alt=sse. Task-force"),
            "[key] is wrong; so are [key], and https://x/?[key]&alt=sse. Task-force"
        );
        assert_eq!(Secret::new("x").unwrap().scrub("next"), "next");
        assert_eq!(scrub("a sk- and risk-averse"), "a sk- and risk-averse");
    }

    #[tokio::test]
    async fn a_key_is_read_from_its_file_once_and_again_when_it_was_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("key");
        let key = Key::new(KeySource::File(path.clone()));
        assert!(matches!(key.get().await, Err(KeyError::File { .. })));
        std::fs::write(&path, "one\n").unwrap();
        let one = key.get().await.unwrap();
        assert_eq!(one, Secret::new("one"));
        assert_eq!(
            key.renew(one.as_ref()).await.unwrap(),
            None,
            "still the same"
        );
        std::fs::write(&path, "two\n").unwrap();
        assert_eq!(key.get().await.unwrap(), one);
        assert_eq!(key.renew(one.as_ref()).await.unwrap(), Secret::new("two"));
        assert_eq!(key.renew(one.as_ref()).await.unwrap(), Secret::new("two"));
    }

    #[tokio::test]
    async fn a_command_prints_the_key_or_is_said_to_have_failed() {
        let printed = Key::new(KeySource::Command("echo abc; echo more".to_owned()));
        assert_eq!(printed.get().await.unwrap(), Secret::new("abc"));
        let failing = Key::new(KeySource::Command("echo topsecret >&2; exit 3".to_owned()));
        let words = failing.get().await.unwrap_err().to_string();
        assert!(
            words.contains("exit status: 3") && !words.contains("topsecret"),
            "{words}"
        );
        let empty = Key::new(KeySource::Command("true".to_owned()));
        assert_eq!(empty.get().await, Err(KeyError::Empty));
    }
}
