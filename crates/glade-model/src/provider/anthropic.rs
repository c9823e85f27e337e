//! Anthropic Messages.

use glade_agent::{DialogueTurn, Image, Role, StopReason, ToolResult, ToolSpec};
use serde_json::{Value, json};

use super::calls::Calls;
use super::fault::Fault;
use super::wire::{
    DialogueParams, PREFILL, PromptParams, Reader, Request, TokenCounts, Tool, Turn, WireEvent,
    format, system, text_of, tools, turns,
};

pub fn request(ask: &PromptParams<'_>) -> Request {
    let prompt = ask.prompt;
    let turns = turns(ask);
    // The system text is the same at every step, and what was said before the last message at every
    // further one: marks at both let the provider read on from there.
    let marked = turns.len().checked_sub(2).filter(|at| *at > 0);
    let mut messages: Vec<Value> = turns
        .iter()
        .enumerate()
        .map(|(at, turn)| message(turn, marked == Some(at)))
        .collect();
    if ask.extras.prefill {
        messages.push(json!({"role": "assistant", "content": PREFILL}));
    }
    let mut body = json!({
        "model": ask.model,
        "max_tokens": prompt.max_output_tokens,
        "stream": true,
        "system": [{"type": "text", "text": system(ask), "cache_control": {"type": "ephemeral"}}],
        "messages": messages,
    });
    if let Some(tokens) = ask.extras.thinking {
        // Thinking counts as output there, and goes with no temperature but the usual one.
        body["thinking"] = json!({"type": "enabled", "budget_tokens": tokens});
        body["max_tokens"] = json!(prompt.max_output_tokens.saturating_add(tokens));
    } else if ask.extras.temperature {
        body["temperature"] = json!(prompt.temperature);
    }
    let tools = tools(ask);
    if !tools.is_empty() {
        let tool = |tool: &Tool<'_>| json!({"name": tool.name, "description": tool.about, "input_schema": tool.input});
        body["tools"] = tools.iter().map(tool).collect();
        body["tool_choice"] = json!({"type": "any"});
    } else if ask.extras.schema && !ask.extras.prefill {
        body["output_config"] =
            json!({"format": {"type": "json_schema", "schema": format(ask, &prompt.schema)}});
    }
    Request {
        path: "/v1/messages".to_owned(),
        headers: vec![("anthropic-version", "2023-06-01")],
        body,
    }
}

fn message(turn: &Turn<'_>, marked: bool) -> Value {
    let role = match turn.role {
        Role::User => "user",
        Role::Assistant => "assistant",
    };
    let mut content: Vec<Value> = turn.images.iter().map(picture).collect();
    let mut text = json!({"type": "text", "text": turn.text});
    if marked {
        text["cache_control"] = json!({"type": "ephemeral"});
    }
    content.push(text);
    json!({"role": role, "content": content})
}

/// A request of a conversation with tools.
pub fn dialogue(params: &DialogueParams<'_>) -> Request {
    let dialogue = params.dialogue;
    let mut messages: Vec<Value> = dialogue
        .turns
        .iter()
        .map(|said| turn(said, params.extras.thinking.is_some()))
        .collect();
    // Everything up to here will be read again with the next results.
    let newest = messages
        .last_mut()
        .and_then(|message| message["content"].as_array_mut()?.last_mut());
    if let Some(block) = newest {
        block["cache_control"] = json!({"type": "ephemeral"});
    }
    let tool = |offer: &ToolSpec| json!({"name": offer.name, "description": offer.about, "input_schema": offer.input});
    let mut body = json!({
        "model": params.model,
        "max_tokens": dialogue.max_output_tokens,
        "stream": true,
        "system": [{"type": "text", "text": dialogue.system, "cache_control": {"type": "ephemeral"}}],
        "messages": messages,
    });
    if !dialogue.tools.is_empty() {
        body["tools"] = dialogue.tools.iter().map(tool).collect();
    }
    if let Some(tokens) = params.extras.thinking {
        body["thinking"] = json!({"type": "enabled", "budget_tokens": tokens});
        body["max_tokens"] = json!(dialogue.max_output_tokens.saturating_add(tokens));
    } else if params.extras.temperature {
        body["temperature"] = json!(dialogue.temperature);
    }
    Request {
        path: "/v1/messages".to_owned(),
        headers: vec![("anthropic-version", "2023-06-01")],
        body,
    }
}

fn turn(said: &DialogueTurn, thinking: bool) -> Value {
    match said {
        DialogueTurn::Person { text, images } => {
            let mut content: Vec<Value> = images.iter().map(picture).collect();
            content.push(json!({"type": "text", "text": text}));
            json!({"role": "user", "content": content})
        }
        DialogueTurn::Model {
            thoughts,
            text,
            calls,
        } => {
            let sealed = thoughts.iter().filter(|_| thinking).map(|thought| {
                json!({"type": "thinking", "thinking": thought.text, "signature": thought.signature})
            });
            let words = (!text.trim().is_empty()).then(|| json!({"type": "text", "text": text}));
            let calls = calls.iter().map(
                |call| json!({"type": "tool_use", "id": call.id, "name": call.tool, "input": call.input}),
            );
            let content: Vec<Value> = sealed.chain(words).chain(calls).collect();
            json!({"role": "assistant", "content": content})
        }
        DialogueTurn::Results(results) => {
            let result = |result: &ToolResult| {
                let mut block = json!({"type": "tool_result", "tool_use_id": result.id, "content": result.output});
                if result.failed {
                    block["is_error"] = json!(true);
                }
                block
            };
            let content: Vec<Value> = results.iter().map(result).collect();
            json!({"role": "user", "content": content})
        }
    }
}

fn picture(image: &Image) -> Value {
    json!({"type": "image", "source": {
        "type": "base64", "media_type": image.media_type, "data": image.base64,
    }})
}

pub struct Messages {
    calls: Calls,
    stop: Option<StopReason>,
    /// What was put into the model's mouth belongs to its answer.
    prefilled: bool,
    native: bool,
}

impl Messages {
    /// `prefilled`: what was put into the model's mouth. `native`: calls stay calls.
    pub fn new(prefilled: bool, native: bool) -> Self {
        Self {
            calls: Calls::native(native),
            prefilled,
            native,
            stop: None,
        }
    }

    /// A message begins; where one has begun before, a relay has asked again, and what was open is of
    /// the answer that it gave up. Calls that were decided elsewhere are in it whole.
    fn begin(&mut self, message: &Value, counts: &mut TokenCounts) -> Vec<WireEvent> {
        count(&message["usage"], counts);
        let prefilled = std::mem::take(&mut self.prefilled);
        let mouth = prefilled.then(|| WireEvent::Text(PREFILL.to_owned()));
        let mut events: Vec<WireEvent> = mouth.into_iter().collect();
        events.extend(self.calls.cut_open());
        let blocks = message["content"].as_array().into_iter().flatten();
        for (at, block) in blocks.enumerate() {
            let key = format!("given {at}");
            events.extend(self.block(&key, block));
            events.extend(self.calls.end(&key));
        }
        events
    }

    fn block(&mut self, index: &str, block: &Value) -> Vec<WireEvent> {
        let events = match block["type"].as_str() {
            Some("tool_use") => {
                let name = block["name"].as_str().unwrap_or_default();
                let mut events = self.calls.begin(index, block["id"].as_str(), name);
                // The maker sends an empty one and then the pieces; a relay may send all of it here.
                let input = &block["input"];
                if input.as_object().is_some_and(|fields| !fields.is_empty()) {
                    events.extend(self.calls.whole_arguments(index, &input.to_string()));
                }
                return events;
            }
            Some("thinking") => text_of(&block["thinking"]).map(WireEvent::Thinking),
            _ => text_of(&block["text"]).map(WireEvent::Text),
        };
        events.into_iter().collect()
    }

    fn delta(&mut self, index: &str, delta: &Value) -> Vec<WireEvent> {
        let events = match delta["type"].as_str().unwrap_or_default() {
            "text_delta" => text_of(&delta["text"]).map(WireEvent::Text),
            "thinking_delta" => text_of(&delta["thinking"]).map(WireEvent::Thinking),
            "signature_delta" if self.native => text_of(&delta["signature"]).map(WireEvent::Signed),
            "input_json_delta" => {
                let piece = delta["partial_json"].as_str().unwrap_or_default();
                return self.calls.arguments(index, piece);
            }
            _ => None,
        };
        events.into_iter().collect()
    }
}

impl Reader for Messages {
    fn read(&mut self, value: &Value, counts: &mut TokenCounts) -> Result<Vec<WireEvent>, Fault> {
        let index = value["index"].to_string();
        let events = match value["type"].as_str().unwrap_or_default() {
            "message_start" => return Ok(self.begin(&value["message"], counts)),
            "content_block_start" => return Ok(self.block(&index, &value["content_block"])),
            "content_block_delta" => return Ok(self.delta(&index, &value["delta"])),
            "content_block_stop" => return Ok(self.calls.end(&index)),
            "message_delta" => {
                count(&value["usage"], counts);
                if let Some(reason) = value["delta"]["stop_reason"].as_str() {
                    self.stop = Some(stop(reason));
                }
                None
            }
            "message_stop" => {
                let stop = self.stop.unwrap_or(StopReason::Other);
                let rest = self.calls.end_all(stop);
                return Ok(rest.into_iter().chain([WireEvent::Ended(stop)]).collect());
            }
            _ => None,
        };
        Ok(events.into_iter().collect())
    }
}

fn stop(reason: &str) -> StopReason {
    match reason {
        "end_turn" | "stop_sequence" | "tool_use" => StopReason::Stop,
        "max_tokens" | "model_context_window_exceeded" => StopReason::Length,
        "refusal" => StopReason::ContentFilter,
        _ => StopReason::Other,
    }
}

/// The counts of a later event replace those of an earlier one.
fn count(usage: &Value, counts: &mut TokenCounts) {
    let kept = counts.cache_read.saturating_add(counts.cache_write);
    let plain_before = counts.input.saturating_sub(kept);
    if let Some(read) = usage["cache_read_input_tokens"].as_u64() {
        counts.cache_read = read;
    }
    if let Some(written) = usage["cache_creation_input_tokens"].as_u64() {
        counts.cache_write = written;
    }
    let plain = usage["input_tokens"].as_u64().unwrap_or(plain_before);
    counts.input = plain
        .saturating_add(counts.cache_read)
        .saturating_add(counts.cache_write);
    if let Some(output) = usage["output_tokens"].as_u64() {
        counts.output = output;
    }
}

#[cfg(test)]
mod tests {
    use super::super::wire::Extras;
    use super::super::wire::tests::{ask, picture, prompt};
    use super::*;

    #[test]
    fn the_request_marks_its_stable_prefix_and_shows_the_picture_with_the_last_message() {
        let prompt = prompt(&[(Role::User, "a"), (Role::Assistant, "b"), (Role::User, "c")]);
        let images = [picture()];
        let mark = json!({"type": "ephemeral"});
        assert_eq!(
            request(&ask(&prompt, &images, Extras::default())).body,
            json!({
                "model": "m", "max_tokens": 100, "stream": true,
                "system": [{"type": "text", "text": "Be a fairy.", "cache_control": mark}],
                "messages": [
                    {"role": "user", "content": [{"type": "text", "text": "a"}]},
                    {"role": "assistant", "content": [{"type": "text", "text": "b", "cache_control": mark}]},
                    {"role": "user", "content": [
                        {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBO"}},
                        {"type": "text", "text": "c"},
                    ]},
                ],
                "temperature": 0.0,
                "output_config": {"format": {"type": "json_schema", "schema": prompt.schema}},
            })
        );
    }

    #[test]
    fn thinking_has_its_own_tokens_and_prefill_goes_without_a_schema() {
        let prompt = prompt(&[(Role::User, "a")]);
        let extras = Extras {
            thinking: Some(1024),
            prefill: true,
            ..Extras::default()
        };
        let body = request(&ask(&prompt, &[], extras)).body;
        assert_eq!(body["max_tokens"], 1124);
        assert_eq!(
            body["thinking"],
            json!({"type": "enabled", "budget_tokens": 1024})
        );
        assert_eq!(
            (body.get("temperature"), body.get("output_config")),
            (None, None)
        );
        assert_eq!(
            body["messages"][1],
            json!({"role": "assistant", "content": PREFILL})
        );
    }
}
