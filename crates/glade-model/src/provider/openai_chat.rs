//! OpenAI Chat, which many others speak too.

use glade_agent::{Role, StopReason};
use serde_json::{Value, json};

use super::calls::Calls;
use super::fault::Fault;
use super::sse::SseEvent;
use super::wire::{
    DialogueParams, PromptParams, Reader, Request, TokenCounts, Tool, Turn, WireEvent, strict,
    text_of, tools, turns,
};
use crate::dialogue::{DialogueTurn, ToolCall, ToolSpec};

pub fn request(ask: &PromptParams<'_>) -> Request {
    let prompt = ask.prompt;
    let mut messages = vec![json!({"role": "system", "content": prompt.system})];
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
        let tool = |tool: &Tool<'_>| json!({"type": "function", "function": {"name": tool.name, "parameters": tool.input}});
        body["tools"] = tools.iter().map(tool).collect();
        body["tool_choice"] = json!("required");
    } else if ask.extras.schema {
        let format = if ask.compatible {
            json!({"name": "answer", "schema": prompt.schema})
        } else {
            json!({"name": "answer", "strict": true, "schema": strict(&prompt.schema)})
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

#[derive(Default)]
pub struct Chat {
    calls: Calls,
    stop: Option<StopReason>,
    refused: bool,
}

impl Chat {
    pub fn new(native: bool) -> Self {
        Self {
            calls: Calls::native(native),
            ..Self::default()
        }
    }

    fn ended(&mut self, stop: StopReason) -> Vec<WireEvent> {
        let rest = self.calls.end_all();
        let stop = if self.refused {
            StopReason::ContentFilter
        } else {
            stop
        };
        rest.into_iter().chain([WireEvent::Ended(stop)]).collect()
    }
}

impl Reader for Chat {
    fn read(&mut self, value: &Value, counts: &mut TokenCounts) -> Result<Vec<WireEvent>, Fault> {
        if !value["error"].is_null() {
            return Err(Fault::of_value(value));
        }
        count(&value["usage"], counts);
        let mut events = Vec::new();
        let choice = &value["choices"][0];
        let delta = &choice["delta"];
        for field in ["reasoning_content", "reasoning"] {
            events.extend(text_of(&delta[field]).map(WireEvent::Thinking));
        }
        events.extend(text_of(&delta["content"]).map(WireEvent::Text));
        if let Some(refusal) = text_of(&delta["refusal"]) {
            self.refused = true;
            events.push(WireEvent::Text(refusal));
        }
        for call in delta["tool_calls"].as_array().into_iter().flatten() {
            let index = call["index"].to_string();
            let function = &call["function"];
            if let Some(name) = function["name"].as_str().filter(|name| !name.is_empty()) {
                events.extend(self.calls.begin(&index, call["id"].as_str(), name));
            }
            if let Some(piece) = function["arguments"].as_str() {
                events.extend(self.calls.arguments(&index, piece));
            }
        }
        if let Some(reason) = choice["finish_reason"].as_str() {
            // The count of tokens comes after this.
            self.stop = Some(stop(reason));
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

fn stop(reason: &str) -> StopReason {
    match reason {
        "stop" | "tool_calls" | "function_call" => StopReason::Stop,
        "length" => StopReason::Length,
        "content_filter" => StopReason::ContentFilter,
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
    let details = &usage["prompt_tokens_details"];
    replace(&mut counts.cache_read, &details["cached_tokens"]);
}

#[cfg(test)]
mod tests {
    use super::super::wire::Extras;
    use super::super::wire::tests::{ask, picture, prompt};
    use super::*;

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
        assert_eq!(
            request(&own).body,
            json!({
                "model": "m", "stream": true, "stream_options": {"include_usage": true},
                "messages": [{"role": "system", "content": "Be a fairy."}, {"role": "user", "content": "a"}],
                "max_tokens": 100,
                "response_format": {"type": "json_schema", "json_schema": {"name": "answer", "schema": prompt.schema}},
            })
        );
    }
}
