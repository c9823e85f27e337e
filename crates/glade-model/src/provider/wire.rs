//! What the four wires have in common: the turns of a prompt, the request that carries them, and the
//! reader that understands the answer.

use glade_agent::form::{notation, shared};
use glade_agent::{CallEvent, Dialogue, Image, Prompt, Role, StopReason};
use serde_json::Value;

use super::fault::Fault;
use super::sse::SseEvent;

/// The four ways in which providers are spoken to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wire {
    AnthropicMessages,
    OpenAiChat,
    OpenAiResponses,
    Gemini,
}

/// What a request may do without. A provider that refuses one of them is asked again without it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extras {
    pub temperature: bool,
    /// The answer is held to the prompt's schema while it is written.
    pub schema: bool,
    /// The actions are offered as the provider's own tools, one of which must be called; instead of
    /// the schema, for servers that hold a model to the one and not to the other.
    pub tools: bool,
    /// Tokens to think with before the answer, where the model does that by request.
    pub thinking: Option<u32>,
    /// The answer's first characters are put into the model's mouth. Newer models refuse it.
    pub prefill: bool,
    /// Pictures are shown, where there are any.
    pub images: bool,
}

impl Default for Extras {
    fn default() -> Self {
        Self {
            temperature: true,
            schema: true,
            tools: false,
            thinking: None,
            prefill: false,
            images: true,
        }
    }
}

impl Extras {
    /// What is left when a provider has refused a request with these words; `None` if the words name
    /// nothing that could be left out.
    pub fn without(mut self, complaint: &str) -> Option<Self> {
        let complaint = complaint.to_lowercase();
        let names = |words: &[&str]| words.iter().any(|word| complaint.contains(word));
        if self.images && names(&["image", "vision", "multimodal", "multi-modal", "mmproj"]) {
            self.images = false;
        } else if self.prefill && names(&["prefill", "assistant message"]) {
            self.prefill = false;
        } else if self.thinking.is_some() && names(&["thinking"]) {
            self.thinking = None;
        } else if self.temperature && names(&["temperature"]) {
            self.temperature = false;
        } else if self.tools && names(&["tool", "function"]) {
            self.tools = false;
        } else if self.schema
            && names(&[
                "schema",
                "output_config",
                "response_format",
                "text.format",
                "grammar",
            ])
        {
            self.schema = false;
        } else {
            return None;
        }
        Some(self)
    }
}

/// All that a wire needs to write a request.
pub struct PromptParams<'a> {
    /// The provider's own name of the model.
    pub model: &'a str,
    pub prompt: &'a Prompt,
    pub images: &'a [Image],
    pub extras: Extras,
    /// Not the maker's own server but one that speaks its language: only what everybody knows.
    pub compatible: bool,
}

pub struct Request {
    /// After the base address.
    pub path: String,
    pub headers: Vec<(&'static str, &'static str)>,
    pub body: Value,
}

/// All that a wire needs to write a request of a conversation.
pub struct DialogueParams<'a> {
    pub model: &'a str,
    pub dialogue: &'a Dialogue,
    pub extras: Extras,
    pub compatible: bool,
}

/// One message, as every provider takes it: never empty, a person's first and last.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turn<'a> {
    pub role: Role,
    pub text: &'a str,
    pub images: &'a [Image],
}

pub const PREFILL: &str = "{\"actions\":[";

/// The prompt's messages as turns.
pub fn turns<'a>(ask: &PromptParams<'a>) -> Vec<Turn<'a>> {
    let turn = |role, text| Turn {
        role,
        text,
        images: &[],
    };
    let said = ask
        .prompt
        .messages
        .iter()
        .filter(|message| !message.content.trim().is_empty());
    let mut turns: Vec<Turn<'a>> = said
        .map(|message| turn(message.role, message.content.as_str()))
        .collect();
    if turns.first().is_none_or(|first| first.role != Role::User) {
        turns.insert(0, turn(Role::User, "(What was said before is left out.)"));
    }
    if turns.last().is_some_and(|last| last.role != Role::User) {
        turns.push(turn(Role::User, "Go on."));
    }
    if let Some(last) = turns.last_mut() {
        last.images = if ask.extras.images { ask.images } else { &[] };
    }
    turns
}

/// The schema as OpenAI's strict mode wants it: every property required, the optional ones nullable.
pub fn strict(schema: &Value) -> Value {
    match schema {
        Value::Array(items) => items.iter().map(strict).collect(),
        Value::Object(map) => {
            let mut out: serde_json::Map<String, Value> = map
                .iter()
                .map(|(key, value)| (key.clone(), strict(value)))
                .collect();
            if let Some(Value::Object(properties)) = map.get("properties") {
                let required = map.get("required").and_then(Value::as_array);
                let is_required =
                    |name: &str| required.is_some_and(|list| list.iter().any(|item| item == name));
                let closed: serde_json::Map<String, Value> = properties
                    .iter()
                    .map(|(name, value)| {
                        let value = strict(value);
                        let value = if is_required(name) {
                            value
                        } else {
                            serde_json::json!({"anyOf": [value, {"type": "null"}]})
                        };
                        (name.clone(), value)
                    })
                    .collect();
                let names = closed.keys().cloned().collect();
                out.insert("properties".to_owned(), Value::Object(closed));
                out.insert("required".to_owned(), names);
                out.insert("additionalProperties".to_owned(), Value::Bool(false));
            }
            Value::Object(out)
        }
        other => other.clone(),
    }
}

/// The system text. A model that is not shown the form of its answer by the format or the tools is
/// told of it here: only makers' own servers show the format.
pub fn system(ask: &PromptParams<'_>) -> String {
    let system = &ask.prompt.system;
    let by_format = ask.extras.schema && !ask.extras.prefill && !ask.compatible;
    if ask.extras.tools || by_format {
        return system.clone();
    }
    format!("{system}\n\n{}", notation(&ask.prompt.schema))
}

/// The schema as a format. A maker's own server counts it as part of what is read, so what occurs
/// several times is defined once; small servers do not all follow references.
pub fn format(ask: &PromptParams<'_>, schema: &Value) -> Value {
    if ask.compatible {
        schema.clone()
    } else {
        shared(schema)
    }
}

/// An action as a tool of a provider's.
pub struct Tool<'a> {
    pub name: &'a str,
    pub about: &'a str,
    /// The action's schema without its `_type`: the tool's name says that.
    pub input: Value,
}

/// The actions of the prompt's schema, if they are to be offered as tools.
pub fn tools<'a>(ask: &PromptParams<'a>) -> Vec<Tool<'a>> {
    if !ask.extras.tools {
        return Vec::new();
    }
    let union = ask.prompt.schema.pointer("/properties/actions/items/anyOf");
    let union = union.and_then(Value::as_array).into_iter().flatten();
    union
        .filter_map(|action| {
            let name = action.pointer("/properties/_type/const")?.as_str()?;
            let about = action["description"].as_str().unwrap_or_default();
            let mut input = action.clone();
            if let Some(fields) = input.as_object_mut() {
                fields.shift_remove("description");
            }
            if let Some(Value::Object(properties)) = input.get_mut("properties") {
                properties.shift_remove("_type");
            }
            if let Some(Value::Array(required)) = input.get_mut("required") {
                required.retain(|field| field != "_type");
            }
            Some(Tool { name, about, input })
        })
        .collect()
}

/// Tokens, as far as the provider has told. `input` is all that was read, kept or not.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TokenCounts {
    pub input: u64,
    pub output: u64,
    pub cache_read: u64,
    pub cache_write: u64,
}

/// A piece of an answer, as a wire tells it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WireEvent {
    Text(String),
    Thinking(String),
    /// The seal on what was thought.
    Signed(String),
    Call(CallEvent),
    /// More than a reader keeps, in words: the answer ends here.
    TooMuch(&'static str),
    Ended(StopReason),
}

/// Understands the events of one answer.
pub trait Reader: Send {
    /// What an event says. `event.data` is `value`'s text.
    fn read(&mut self, value: &Value, counts: &mut TokenCounts) -> Result<Vec<WireEvent>, Fault>;

    /// Events that are no JSON: OpenAI's `[DONE]`.
    fn read_word(&mut self, _event: &SseEvent) -> Vec<WireEvent> {
        Vec::new()
    }

    /// The stream is over without its end having been told. What it says now, if its rules allow an
    /// answer to end so; nothing, if it was cut.
    fn at_end(&mut self) -> Vec<WireEvent> {
        Vec::new()
    }
}

/// A text, unless there is nothing in it.
pub fn text_of(value: &Value) -> Option<String> {
    value
        .as_str()
        .filter(|text| !text.is_empty())
        .map(str::to_owned)
}

/// What of a whole has not been said yet; nothing, where something else was said.
pub fn rest_of<'a>(said: &str, whole: &'a str) -> &'a str {
    whole.strip_prefix(said).unwrap_or_default()
}

pub fn text_event(text: String) -> Option<WireEvent> {
    (!text.is_empty()).then_some(WireEvent::Text(text))
}

#[cfg(test)]
pub mod tests {
    use glade_agent::PromptMessage;
    use serde_json::json;

    use super::*;

    pub fn prompt(messages: &[(Role, &str)]) -> Prompt {
        Prompt {
            system: "Be a fairy.".to_owned(),
            messages: messages
                .iter()
                .map(|(role, content)| PromptMessage {
                    role: *role,
                    content: (*content).to_owned(),
                })
                .collect(),
            parts: Vec::new(),
            picture: None,
            schema: json!({"type":"object","properties":{"actions":{"type":"array"},"why":{"type":"string"}},"required":["actions"],"additionalProperties":false}),
            max_output_tokens: 100,
            temperature: 0.0,
        }
    }

    pub fn ask<'a>(prompt: &'a Prompt, images: &'a [Image], extras: Extras) -> PromptParams<'a> {
        PromptParams {
            model: "m",
            prompt,
            images,
            extras,
            compatible: false,
        }
    }

    pub fn picture() -> Image {
        Image {
            media_type: "image/png".to_owned(),
            base64: "iVBO".to_owned(),
        }
    }

    #[test]
    fn turns_are_never_empty_and_a_persons_first_and_last() {
        let prompt = prompt(&[
            (Role::Assistant, "Hi"),
            (Role::User, " "),
            (Role::Assistant, "Well"),
        ]);
        let ask = ask(&prompt, &[], Extras::default());
        let turns = turns(&ask);
        let roles: Vec<Role> = turns.iter().map(|turn| turn.role).collect();
        assert_eq!(
            roles,
            [Role::User, Role::Assistant, Role::Assistant, Role::User]
        );
        assert!(turns.iter().all(|turn| !turn.text.trim().is_empty()));
    }

    #[test]
    fn a_refused_extra_is_left_out_one_at_a_time() {
        let all = Extras {
            thinking: Some(1024),
            prefill: true,
            ..Extras::default()
        };
        let fewer = all
            .without("This model does not support assistant message prefill.")
            .unwrap();
        assert_eq!(
            fewer,
            Extras {
                prefill: false,
                ..all
            }
        );
        let fewer = fewer.without("Unsupported value: 'temperature'").unwrap();
        assert_eq!(
            fewer,
            Extras {
                prefill: false,
                temperature: false,
                ..all
            }
        );
        assert_eq!(fewer.without("Unsupported value: 'temperature'"), None);
        assert_eq!(fewer.without("no such model"), None);
    }

    #[test]
    fn the_strict_schema_requires_everything_and_lets_the_optional_be_null() {
        assert_eq!(
            strict(&prompt(&[]).schema),
            json!({"type":"object","properties":{"actions":{"type":"array"},"why":{"anyOf":[{"type":"string"},{"type":"null"}]}},"required":["actions","why"],"additionalProperties":false})
        );
    }
}
