//! Models of providers, over HTTP.
//!
//! ```text
//!  Prompt ─▶ anthropic | openai_chat | openai_responses | gemini ─▶ request
//!  bytes  ─▶ sse ─▶ the same file's reader ─▶ calls ─▶ answer_reader ─▶ ModelEvents
//!  a refusal ─▶ fault ─▶ ModelError
//! ```
//!
//! A wire is two pure things in one file, a function that writes the request and a reader of its
//! answer's events; only this file knows of a network. A [`Provider`] is one model of one provider.
//! It exists only where someone gave a key or an address: nothing is sent anywhere else, redirects
//! are not followed, and the key travels in a header, so that no address ever holds it.
//!
//! What a provider refuses for the sake of an extra (a temperature that a reasoning model does not
//! take, a schema too complex for its grammar) is asked again without it, and remembered.

mod answer_reader;
mod anthropic;
mod arguments;
mod calls;
mod chat_calls;
mod eyes;
mod fault;
mod gemini;
mod limits;
mod openai_chat;
mod openai_responses;
mod output_items;
mod partial_args;
mod sse;
mod wire;

#[cfg(test)]
mod tests;

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use futures_util::stream::{self, BoxStream, StreamExt};
use glade_agent::{Dialogue, Image, Prompt};

use self::answer_reader::AnswerReader;
use self::eyes::Eyes;
use self::fault::Fault;
pub use self::limits::Limits;
use self::wire::{DialogueParams, PromptParams, Reader, Request};
pub use self::wire::{Extras, TokenCounts, Wire};
use crate::key::{Key, KeySource, Secret};
use crate::model::{Model, ModelError, ModelEvent};

const CONNECT: Duration = Duration::from_secs(20);
/// Without a byte for so long, pings of the provider's among them, a line is dead.
const SILENCE: Duration = Duration::from_secs(60);
/// A refusal is a few hundred bytes.
const LONGEST_REFUSAL: usize = 64 * 1024;

/// One model of one provider.
#[derive(Clone)]
pub struct Provider {
    inner: Arc<Inner>,
}

struct Inner {
    about: ModelSpec,
    http: reqwest::Client,
    /// What is still asked for; what was refused once is not.
    extras: Mutex<Extras>,
    /// The same for conversations, in which tools are the point and thinking is asked for each time.
    manners: Mutex<Manners>,
    eyes: Mutex<Eyes>,
}

/// What a conversation may do without.
#[derive(Debug, Clone, Copy)]
struct Manners {
    temperature: bool,
    thinking: bool,
}

/// What a model is asked.
enum Question {
    Prompt(Box<Prompt>, Vec<Image>),
    Dialogue(Dialogue),
}

/// What a [`Provider`] is made of.
#[derive(Debug)]
pub struct ModelSpec {
    /// By which people choose it: `anthropic/claude-…`.
    pub name: String,
    /// The provider's own name of the model.
    pub model: String,
    pub wire: Wire,
    /// Without the slash at its end.
    pub base_url: String,
    pub key: Arc<Key>,
    /// Not the maker's own server, but one that speaks its language.
    pub compatible: bool,
    /// Whether it can look at pictures, where somebody has said so or found out.
    pub sees: Option<bool>,
    pub extras: Extras,
    pub limits: Limits,
}

/// The network could not be set up; says why.
#[derive(Debug, thiserror::Error)]
#[error("requests to models cannot be made on this machine: {0}")]
pub struct ClientError(String);

/// The client that providers share.
#[derive(Clone)]
pub struct Client {
    far: reqwest::Client,
    near: reqwest::Client,
}

impl Client {
    pub fn new() -> Result<Self, ClientError> {
        Self::patient(SILENCE)
    }

    /// One that waits so long for the next byte.
    pub fn patient(silence: Duration) -> Result<Self, ClientError> {
        // The first to come decides for the whole program; whichever it is will do.
        let _already = rustls::crypto::ring::default_provider().install_default();
        let made = |client: reqwest::Result<_>| {
            client.map_err(|error: reqwest::Error| ClientError(reason(&error)))
        };
        Ok(Self {
            far: made(Self::builder(silence).build())?,
            near: made(Self::builder(silence).no_proxy().build())?,
        })
    }

    fn builder(silence: Duration) -> reqwest::ClientBuilder {
        reqwest::Client::builder()
            .user_agent(concat!("glade/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(CONNECT)
            .read_timeout(silence)
            // A key must not follow a redirect.
            .redirect(reqwest::redirect::Policy::none())
            .referer(false)
    }

    /// A client for which a host is at this very address.
    pub fn pinned(&self, host: &str, to: SocketAddr) -> Result<reqwest::Client, ClientError> {
        let builder = Self::builder(SILENCE).no_proxy().resolve(host, to);
        let client = builder.build();
        client.map_err(|error| ClientError(reason(&error)))
    }

    /// A server on this machine is not behind the proxy.
    pub fn for_address(&self, base_url: &str) -> reqwest::Client {
        let host = reqwest::Url::parse(base_url).ok();
        let host = host.as_ref().and_then(|url| url.host_str()).unwrap_or("");
        match host {
            "localhost" | "[::1]" => self.near.clone(),
            host if host.starts_with("127.") => self.near.clone(),
            _ => self.far.clone(),
        }
    }
}

impl Provider {
    pub fn new(about: ModelSpec, client: &Client) -> Self {
        let http = client.for_address(&about.base_url);
        let extras = Mutex::new(about.extras);
        let eyes = Mutex::new(Eyes::new(about.sees));
        Self {
            inner: Arc::new(Inner {
                about,
                http,
                extras,
                manners: Mutex::new(Manners {
                    temperature: true,
                    thinking: true,
                }),
                eyes,
            }),
        }
    }

    /// Answers a prompt with pictures to look at.
    pub fn ask_about(
        &self,
        mut prompt: Prompt,
        images: Vec<Image>,
    ) -> BoxStream<'static, Result<ModelEvent, ModelError>> {
        let inner = Arc::clone(&self.inner);
        inner.about.limits.apply(&mut prompt);
        Answer::stream(inner, Question::Prompt(Box::new(prompt), images))
    }
}

impl Model for Provider {
    fn name(&self) -> &str {
        &self.inner.about.name
    }

    fn label(&self) -> &str {
        &self.inner.about.name
    }

    fn sees(&self) -> bool {
        lock(&self.inner.eyes).see()
    }

    fn ask(&self, prompt: Prompt) -> BoxStream<'static, Result<ModelEvent, ModelError>> {
        let drawn = prompt
            .picture
            .as_ref()
            .filter(|picture| !picture.bytes.is_empty());
        let images = drawn.map(|picture| Image {
            media_type: picture.media_type.clone(),
            base64: STANDARD.encode(&picture.bytes),
        });
        let images = images.into_iter().collect();
        self.ask_about(prompt, images)
    }

    fn converse(
        &self,
        mut dialogue: Dialogue,
    ) -> BoxStream<'static, Result<ModelEvent, ModelError>> {
        let inner = Arc::clone(&self.inner);
        let limits = &inner.about.limits;
        dialogue.max_output_tokens = limits
            .max_output_tokens
            .unwrap_or(dialogue.max_output_tokens);
        dialogue.temperature = limits.temperature.unwrap_or(dialogue.temperature);
        Answer::stream(inner, Question::Dialogue(dialogue))
    }
}

impl Inner {
    fn extras(&self, question: &Question) -> Extras {
        match question {
            Question::Prompt(..) => Extras {
                images: lock(&self.eyes).see(),
                ..*lock(&self.extras)
            },
            Question::Dialogue(dialogue) => {
                let manners = *lock(&self.manners);
                Extras {
                    temperature: manners.temperature,
                    thinking: dialogue.thinking.filter(|_| manners.thinking),
                    schema: false,
                    tools: false,
                    prefill: false,
                    images: lock(&self.eyes).see(),
                }
            }
        }
    }

    /// Remembers what is left after a refusal.
    fn forgo(&self, question: &Question, fewer: Extras) {
        if !fewer.images {
            *lock(&self.eyes) = Eyes::Found(false);
        }
        match question {
            Question::Prompt(..) => *lock(&self.extras) = fewer,
            Question::Dialogue(_) => {
                *lock(&self.manners) = Manners {
                    temperature: fewer.temperature,
                    thinking: fewer.thinking.is_some(),
                };
            }
        }
    }

    fn request(&self, question: &Question, extras: Extras) -> Request {
        match question {
            Question::Prompt(prompt, images) => {
                let ask = PromptParams {
                    model: &self.about.model,
                    prompt,
                    images,
                    extras,
                    compatible: self.about.compatible,
                };
                match self.about.wire {
                    Wire::AnthropicMessages => anthropic::request(&ask),
                    Wire::OpenAiChat => openai_chat::request(&ask),
                    Wire::OpenAiResponses => openai_responses::request(&ask),
                    Wire::Gemini => gemini::request(&ask),
                }
            }
            Question::Dialogue(dialogue) => {
                let params = DialogueParams {
                    model: &self.about.model,
                    dialogue,
                    extras,
                    compatible: self.about.compatible,
                };
                match self.about.wire {
                    Wire::AnthropicMessages => anthropic::dialogue(&params),
                    Wire::OpenAiChat => openai_chat::dialogue(&params),
                    Wire::OpenAiResponses => openai_responses::dialogue(&params),
                    Wire::Gemini => gemini::dialogue(&params),
                }
            }
        }
    }

    fn answer_reader(&self, question: &Question, extras: Extras) -> AnswerReader {
        let native = matches!(question, Question::Dialogue(_));
        let reader: Box<dyn Reader> = match self.about.wire {
            Wire::AnthropicMessages => Box::new(anthropic::Messages::new(extras.prefill, native)),
            Wire::OpenAiChat => Box::new(openai_chat::Chat::new(native)),
            Wire::OpenAiResponses => Box::new(openai_responses::Responses::new(native)),
            Wire::Gemini => Box::new(gemini::Gemini::new(native)),
        };
        AnswerReader::new(&self.about.name, reader)
    }

    async fn key(&self) -> Result<Option<Secret>, ModelError> {
        self.about
            .key
            .get()
            .await
            .map_err(|error| self.no_key(&error))
    }

    fn no_key(&self, error: &crate::key::KeyError) -> ModelError {
        ModelError::Auth {
            model: self.about.name.clone(),
            detail: error.to_string(),
        }
    }

    fn unreachable(&self, error: &reqwest::Error) -> ModelError {
        ModelError::Unreachable {
            model: self.about.name.clone(),
            detail: crate::key::scrub(&reason(error)),
        }
    }

    async fn send(
        &self,
        request: Request,
        key: Option<&Secret>,
    ) -> Result<reqwest::Response, ModelError> {
        let url = format!("{}{}", self.about.base_url, request.path);
        let mut builder = self.http.post(url).json(&request.body);
        for (name, value) in request.headers {
            builder = builder.header(name, value);
        }
        if let Some(key) = key {
            builder = match self.about.wire {
                Wire::AnthropicMessages => builder.header("x-api-key", sensitive(key, self)?),
                Wire::Gemini => builder.header("x-goog-api-key", sensitive(key, self)?),
                Wire::OpenAiChat | Wire::OpenAiResponses => builder.bearer_auth(key.expose()),
            };
        }
        builder
            .send()
            .await
            .map_err(|error| self.unreachable(&error))
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A header that no log shows.
fn sensitive(key: &Secret, inner: &Inner) -> Result<reqwest::header::HeaderValue, ModelError> {
    let mut value =
        reqwest::header::HeaderValue::from_str(key.expose()).map_err(|_| ModelError::Auth {
            model: inner.about.name.clone(),
            detail: "the key has letters that no key has".to_owned(),
        })?;
    value.set_sensitive(true);
    Ok(value)
}

/// An answer on its way.
struct Answer {
    inner: Arc<Inner>,
    response: reqwest::Response,
    reader: AnswerReader,
    ready: VecDeque<Result<ModelEvent, ModelError>>,
}

impl Answer {
    fn stream(
        inner: Arc<Inner>,
        question: Question,
    ) -> BoxStream<'static, Result<ModelEvent, ModelError>> {
        stream::once(async move { Self::open(inner, question).await })
            .flat_map(|opened| match opened {
                Ok(answer) => answer.events().boxed(),
                Err(error) => stream::iter([Err(error)]).boxed(),
            })
            .boxed()
    }

    /// Asks until the provider begins to answer: once more with a fresh key, and without each extra
    /// that it refuses.
    async fn open(inner: Arc<Inner>, mut question: Question) -> Result<Self, ModelError> {
        let mut key = inner.key().await?;
        let mut renewed = false;
        if question.shows() {
            inner.ask_for_eyes(key.as_ref()).await;
        }
        loop {
            let extras = inner.extras(&question);
            if !extras.images {
                question.hide();
            }
            let request = inner.request(&question, extras);
            let response = inner.send(request, key.as_ref()).await?;
            if response.status().is_success() && !is_json(&response) {
                return Ok(Self {
                    reader: inner.answer_reader(&question, extras),
                    inner,
                    response,
                    ready: VecDeque::new(),
                });
            }
            let fault = refusal(response, key.as_ref()).await;
            // Servers that cannot read a picture at all call that their own failure.
            let refused = match fault.status {
                Some(400 | 422) => true,
                Some(404 | 415 | 500 | 501) => question.shows(),
                _ => false,
            };
            let extras = Extras {
                images: question.shows(),
                ..extras
            };
            let fewer = extras.without(&fault.message).filter(|fewer| {
                refused && (matches!(fault.status, Some(400 | 422)) || !fewer.images)
            });
            if let Some(fewer) = fewer {
                tracing::info!(model = inner.about.name, left_out = ?fewer, "the provider refused an extra; asking without it");
                inner.forgo(&question, fewer);
                continue;
            }
            let error = fault.judge(&inner.about.name);
            if matches!(error, ModelError::Auth { .. })
                && !std::mem::replace(&mut renewed, true)
                && !matches!(inner.about.key.source(), KeySource::None)
            {
                let fresh = inner.about.key.renew(key.as_ref()).await;
                if let Some(fresh) = fresh.map_err(|error| inner.no_key(&error))? {
                    key = Some(fresh);
                    continue;
                }
            }
            return Err(error);
        }
    }

    fn events(self) -> impl futures_util::Stream<Item = Result<ModelEvent, ModelError>> + Send {
        stream::unfold(self, |mut answer| async move {
            loop {
                if let Some(event) = answer.ready.pop_front() {
                    return Some((event, answer));
                }
                if answer.reader.over() {
                    return None;
                }
                let events = match answer.response.chunk().await {
                    Ok(Some(bytes)) => answer.reader.push(&bytes),
                    Ok(None) => answer.reader.end(),
                    // A line that breaks in the middle of an answer cuts it, whatever broke.
                    Err(error) => {
                        tracing::debug!(
                            model = answer.inner.about.name,
                            reason = reason(&error),
                            "an answer broke off"
                        );
                        answer.reader.end()
                    }
                };
                answer.ready.extend(events);
            }
        })
    }
}

fn is_json(response: &reqwest::Response) -> bool {
    let kind = response.headers().get(reqwest::header::CONTENT_TYPE);
    kind.and_then(|kind| kind.to_str().ok())
        .is_some_and(|kind| kind.starts_with("application/json"))
}

async fn refusal(mut response: reqwest::Response, key: Option<&Secret>) -> Fault {
    let status = response.status().as_u16();
    let headers = response.headers().clone();
    let header = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let wait = fault::retry_after(header, SystemTime::now());
    let mut body = Vec::new();
    while let Ok(Some(bytes)) = response.chunk().await {
        body.extend_from_slice(&bytes);
        if body.len() > LONGEST_REFUSAL {
            break;
        }
    }
    let mut fault = Fault::of_response(status, wait, &String::from_utf8_lossy(&body));
    fault.message = match key {
        Some(key) => key.scrub(&fault.message),
        None => crate::key::scrub(&fault.message),
    };
    fault
}

/// The innermost cause says most; the address is left out.
fn reason(error: &reqwest::Error) -> String {
    if error.is_timeout() {
        return "it did not answer in time".to_owned();
    }
    let mut cause: &dyn std::error::Error = error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    cause.to_string()
}
