//! OpenAI Chat, which many others speak too.

use glade_agent::form::shared;
use glade_agent::{DialogueTurn, Role, StopReason, ToolCall, ToolSpec};
use serde_json::{Value, json};

use super::chat_calls::ChatCalls;
use super::fault::Fault;
use super::sse::SseEvent;
use super::wire::{
    DialogueParams, PromptParams, Reader, Request, TokenCounts, Tool, Turn, WireEvent, rest_of,
    strict, system, text_event, text_of, tools, turns,
};

pub fn request(ask: &PromptParams<'_>) -> Request {
    let prompt = ask.prompt;
    let mut messages = vec![json!({"role": "system", "content": system(ask)})];
    messages.extend(turns(ask).iter().map(message));
    let mut body = json!({
        "model": ask.model,
        "stream": true,
        "stream_options": {"include_usage": true},
        "messages": messages,
    });
    body[limit(ask.compatible)] = json!(prompt.max_output_tokens);
    if ask.extras.temperature {
        body["temperature"] = json!(prompt.temperature);
    }
    let tools = tools(ask);
    if !tools.is_empty() {
        let tool = |tool: &Tool<'_>| json!({"type": "function", "function": {"name": tool.name, "description": tool.about, "parameters": tool.input}});
        body["tools"] = tools.iter().map(tool).collect();
        body["tool_choice"] = json!("required");
    } else if ask.extras.schema {
        let format = if ask.compatible {
            json!({"name": "answer", "schema": prompt.schema})
        } else {
            json!({"name": "answer", "strict": true, "schema": shared(&strict(&prompt.schema))})
        };
        body["response_format"] = json!({"type": "json_schema", "json_schema": format});
    }
    Request {
        path: "/chat/completions".to_owned(),
        headers: Vec::new(),
        body,
    }
}

fn message(turn: &Turn<'_>) -> Value {
    let role = match turn.role {
        Role::User => "user",
        Role::Assistant => "assistant",
    };
    if turn.images.is_empty() {
        // Small servers know plain texts only.
        return json!({"role": role, "content": turn.text});
    }
    let images = turn
        .images
        .iter()
        .map(|image| json!({"type": "image_url", "image_url": {"url": image.data_url()}}));
    let content: Vec<Value> = images
        .chain([json!({"type": "text", "text": turn.text})])
        .collect();
    json!({"role": role, "content": content})
}

/// A request of a conversation with tools.
pub fn dialogue(params: &DialogueParams<'_>) -> Request {
    let dialogue = params.dialogue;
    let mut messages = vec![json!({"role": "system", "content": dialogue.system})];
    messages.extend(dialogue.turns.iter().flat_map(turn));
    let mut body = json!({
        "model": params.model,
        "stream": true,
        "stream_options": {"include_usage": true},
        "messages": messages,
    });
    body[limit(params.compatible)] = json!(dialogue.max_output_tokens);
    if params.extras.temperature {
        body["temperature"] = json!(dialogue.temperature);
    }
    if !dialogue.tools.is_empty() {
        let tool = |offer: &ToolSpec| {
            json!({"type": "function", "function": {
                "name": offer.name, "description": offer.about, "parameters": offer.input,
            }})
        };
        body["tools"] = dialogue.tools.iter().map(tool).collect();
    }
    Request {
        path: "/chat/completions".to_owned(),
        headers: Vec::new(),
        body,
    }
}

fn turn(said: &DialogueTurn) -> Vec<Value> {
    match said {
        DialogueTurn::Person { text, images } => vec![message(&Turn {
            role: Role::User,
            text,
            images,
        })],
        DialogueTurn::Model { text, calls, .. } => {
            let mut message = json!({"role": "assistant", "content": text});
            if !calls.is_empty() {
                let call = |call: &ToolCall| {
                    json!({"id": call.id, "type": "function", "function": {
                        "name": call.tool, "arguments": call.input.to_string(),
                    }})
                };
                message["tool_calls"] = calls.iter().map(call).collect();
            }
            vec![message]
        }
        DialogueTurn::Results(results) => results
            .iter()
            .map(|result| json!({"role": "tool", "tool_call_id": result.id, "content": result.output}))
            .collect(),
    }
}

/// OpenAI's newer models refuse the old name; others know only that.
fn limit(compatible: bool) -> &'static str {
    if compatible {
        "max_tokens"
    } else {
        "max_completion_tokens"
    }
}

pub struct Chat {
    calls: ChatCalls,
    /// The number of the choice that is read.
    choice: Option<u64>,
    stop: Option<StopReason>,
    refused: bool,
    /// The words so far: some say them again, or the last of them, in a whole message at the end.
    text: String,
}

impl Chat {
    pub fn new(native: bool) -> Self {
        Self {
            calls: ChatCalls::new(native),
            choice: None,
            stop: None,
            refused: false,
            text: String::new(),
        }
    }

    fn ended(&mut self, stop: StopReason) -> Vec<WireEvent> {
        let stop = if self.refused {
            StopReason::ContentFilter
        } else {
            stop
        };
        let rest = self.calls.end_all(stop);
        rest.into_iter().chain([WireEvent::Ended(stop)]).collect()
    }

    /// Nobody asked for several answers: the first that says anything is the answer.
    fn choice(&mut self, choice: &Value) -> Result<Vec<WireEvent>, Fault> {
        let index = choice["index"].as_u64().unwrap_or(0);
        let mut said = Vec::new();
        if self.choice.is_none_or(|chosen| chosen == index) {
            said = match &choice["delta"] {
                delta @ Value::Object(_) => self.delta(delta),
                _ => self.message(&choice["message"]),
            };
            self.choice = self.choice.or((!said.is_empty()).then_some(index));
        }
        let of_the_answer = index == 0 || self.choice == Some(index);
        match choice["finish_reason"].as_str().filter(|_| of_the_answer) {
            None | Some("") => {}
            Some("error") => return Err(Fault::of_value(choice)),
            // The count of tokens comes after this.
            Some(reason) => self.stop = Some(stop(reason)),
        }
        Ok(said)
    }

    fn delta(&mut self, delta: &Value) -> Vec<WireEvent> {
        let mut events: Vec<WireEvent> = thinking(delta)
            .map(WireEvent::Thinking)
            .into_iter()
            .collect();
        content(&delta["content"], &mut events);
        if let Some(refusal) = text_of(&delta["refusal"]) {
            self.refused = true;
            events.push(WireEvent::Text(refusal));
        }
        for event in &events {
            if let WireEvent::Text(text) = event {
                self.text.push_str(text);
            }
        }
        events.extend(self.calls.read(delta));
        events
    }

    /// A choice with a whole message in the place of a delta.
    fn message(&mut self, message: &Value) -> Vec<WireEvent> {
        let mut events = Vec::new();
        content(&message["content"], &mut events);
        let mut whole = String::new();
        for event in events {
            if let WireEvent::Text(text) = event {
                whole.push_str(&text);
            }
        }
        let rest = rest_of(&self.text, &whole).to_owned();
        self.text.push_str(&rest);
        let mut events: Vec<WireEvent> = text_event(rest).into_iter().collect();
        events.extend(self.calls.read(message));
        events
    }
}

impl Reader for Chat {
    fn read(&mut self, value: &Value, counts: &mut TokenCounts) -> Result<Vec<WireEvent>, Fault> {
        count(&value["usage"], counts);
        count(&value["x_groq"]["usage"], counts);
        let mut events = Vec::new();
        for choice in value["choices"].as_array().into_iter().flatten() {
            count(&choice["usage"], counts);
            events.extend(self.choice(choice)?);
        }
        Ok(events)
    }

    fn read_word(&mut self, event: &SseEvent) -> Vec<WireEvent> {
        if event.data.trim() != "[DONE]" {
            return Vec::new();
        }
        let stop = self.stop.unwrap_or(StopReason::Other);
        self.ended(stop)
    }

    fn at_end(&mut self) -> Vec<WireEvent> {
        match self.stop {
            Some(stop) => self.ended(stop),
            None => Vec::new(),
        }
    }
}

/// What was thought. Some say it under two names at once.
fn thinking(delta: &Value) -> Option<String> {
    let names = ["reasoning_content", "reasoning", "reasoning_text"];
    let plain = names.iter().find_map(|name| text_of(&delta[name]));
    plain.or_else(|| {
        let details = delta["reasoning_details"].as_array()?;
        let text =
            |detail: &Value| text_of(&detail["text"]).or_else(|| text_of(&detail["summary"]));
        let texts: String = details.iter().filter_map(text).collect();
        (!texts.is_empty()).then_some(texts)
    })
}

/// Words, or a list of parts: texts, and thoughts among them.
fn content(content: &Value, events: &mut Vec<WireEvent>) {
    match content {
        Value::String(text) => events.extend(text_event(text.clone())),
        Value::Array(parts) => parts.iter().for_each(|part| self::content(part, events)),
        Value::Object(part) => match part.get("type").and_then(Value::as_str) {
            Some("thinking" | "reasoning") => {
                let mut thoughts = Vec::new();
                for name in ["thinking", "text"] {
                    part.get(name)
                        .into_iter()
                        .for_each(|thought| self::content(thought, &mut thoughts));
                }
                events.extend(thoughts.into_iter().map(|thought| match thought {
                    WireEvent::Text(text) => WireEvent::Thinking(text),
                    other => other,
                }));
            }
            _ => events.extend(part.get("text").and_then(text_of).map(WireEvent::Text)),
        },
        _ => {}
    }
}

fn stop(reason: &str) -> StopReason {
    match reason.to_ascii_lowercase().as_str() {
        "stop" | "tool_calls" | "function_call" | "tool_use" | "tool_call" | "end_turn"
        | "stop_sequence" | "eos" | "eos_token" => StopReason::Stop,
        "length" | "max_tokens" | "model_length" => StopReason::Length,
        "content_filter" | "safety" | "refusal" | "sensitive" => StopReason::ContentFilter,
        _ => StopReason::Other,
    }
}

fn count(usage: &Value, counts: &mut TokenCounts) {
    let replace = |slot: &mut u64, value: &Value| {
        if let Some(tokens) = value.as_u64() {
            *slot = tokens;
        }
    };
    replace(&mut counts.input, &usage["prompt_tokens"]);
    replace(&mut counts.output, &usage["completion_tokens"]);
    replace(&mut counts.cache_read, &usage["prompt_cache_hit_tokens"]);
    let details = &usage["prompt_tokens_details"];
    replace(&mut counts.cache_read, &details["cached_tokens"]);
}

#[cfg(test)]
mod tests {
    use super::super::wire::Extras;
    use super::super::wire::tests::{ask, picture, prompt};
    use super::*;
    use glade_agent::form::notation;

    #[test]
    fn the_makers_own_server_and_those_that_speak_alike_are_asked_in_their_words() {
        let prompt = prompt(&[(Role::User, "a")]);
        let images = [picture()];
        let mut own = ask(&prompt, &images, Extras::default());
        assert_eq!(
            request(&own).body,
            json!({
                "model": "m", "stream": true, "stream_options": {"include_usage": true},
                "messages": [
                    {"role": "system", "content": "Be a fairy."},
                    {"role": "user", "content": [
                        {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBO"}},
                        {"type": "text", "text": "a"},
                    ]},
                ],
                "max_completion_tokens": 100, "temperature": 0.0,
                "response_format": {"type": "json_schema", "json_schema": {
                    "name": "answer", "strict": true, "schema": strict(&prompt.schema),
                }},
            })
        );
        own.compatible = true;
        own.images = &[];
        own.extras.temperature = false;
        // Such a server does not show the model what it holds it to.
        let told = format!("Be a fairy.\n\n{}", notation(&prompt.schema));
        assert_eq!(
            request(&own).body,
            json!({
                "model": "m", "stream": true, "stream_options": {"include_usage": true},
                "messages": [{"role": "system", "content": told}, {"role": "user", "content": "a"}],
                "max_tokens": 100,
                "response_format": {"type": "json_schema", "json_schema": {"name": "answer", "schema": prompt.schema}},
            })
        );
    }
}
