//! OpenAI Responses.

use glade_agent::form::shared;
use glade_agent::{DialogueTurn, Role, StopReason, ToolSpec};
use serde_json::{Value, json};

use super::fault::Fault;
use super::output_items::OutputItems;
use super::wire::{
    DialogueParams, PromptParams, Reader, Request, TokenCounts, Tool, Turn, WireEvent, strict,
    system, tools, turns,
};

pub fn request(ask: &PromptParams<'_>) -> Request {
    let prompt = ask.prompt;
    let mut body = json!({
        "model": ask.model,
        "stream": true,
        // The page is the person's: nothing of it stays with the provider by our doing.
        "store": false,
        "instructions": system(ask),
        "input": turns(ask).iter().map(message).collect::<Vec<_>>(),
        "max_output_tokens": prompt.max_output_tokens,
    });
    if ask.extras.temperature {
        body["temperature"] = json!(prompt.temperature);
    }
    let tools = tools(ask);
    if !tools.is_empty() {
        let tool = |tool: &Tool<'_>| {
            // Not strict: optional fields stay optional.
            json!({"type": "function", "name": tool.name, "description": tool.about, "parameters": tool.input, "strict": false})
        };
        body["tools"] = tools.iter().map(tool).collect();
        body["tool_choice"] = json!("required");
    } else if ask.extras.schema {
        let mut format = json!({"type": "json_schema", "name": "answer", "schema": prompt.schema});
        if !ask.compatible {
            format["strict"] = json!(true);
            format["schema"] = shared(&strict(&prompt.schema));
        }
        body["text"] = json!({"format": format});
    }
    if ask.extras.thinking.is_some() {
        body["reasoning"] = json!({"summary": "auto"});
    }
    Request {
        path: "/responses".to_owned(),
        headers: Vec::new(),
        body,
    }
}

fn message(turn: &Turn<'_>) -> Value {
    let (role, kind) = match turn.role {
        Role::User => ("user", "input_text"),
        Role::Assistant => ("assistant", "output_text"),
    };
    let images = turn
        .images
        .iter()
        .map(|image| json!({"type": "input_image", "image_url": image.data_url()}));
    let content: Vec<Value> = images
        .chain([json!({"type": kind, "text": turn.text})])
        .collect();
    json!({"role": role, "content": content})
}

/// A request of a conversation with tools.
pub fn dialogue(params: &DialogueParams<'_>) -> Request {
    let dialogue = params.dialogue;
    let input: Vec<Value> = dialogue.turns.iter().flat_map(turn).collect();
    let mut body = json!({
        "model": params.model,
        "stream": true,
        "store": false,
        "instructions": dialogue.system,
        "input": input,
        "max_output_tokens": dialogue.max_output_tokens,
    });
    if params.extras.temperature {
        body["temperature"] = json!(dialogue.temperature);
    }
    if !dialogue.tools.is_empty() {
        let tool = |offer: &ToolSpec| {
            json!({"type": "function", "name": offer.name, "description": offer.about,
                "parameters": offer.input, "strict": false})
        };
        body["tools"] = dialogue.tools.iter().map(tool).collect();
    }
    if params.extras.thinking.is_some() {
        body["reasoning"] = json!({"summary": "auto"});
    }
    Request {
        path: "/responses".to_owned(),
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
            let words = (!text.trim().is_empty()).then(|| {
                message(&Turn {
                    role: Role::Assistant,
                    text,
                    images: &[],
                })
            });
            let calls = calls.iter().map(|call| {
                json!({"type": "function_call", "call_id": call.id, "name": call.tool,
                    "arguments": call.input.to_string()})
            });
            words.into_iter().chain(calls).collect()
        }
        DialogueTurn::Results(results) => results
            .iter()
            .map(|result| {
                json!({"type": "function_call_output", "call_id": result.id, "output": result.output})
            })
            .collect(),
    }
}

pub struct Responses {
    items: OutputItems,
}

impl Responses {
    pub fn new(native: bool) -> Self {
        Self {
            items: OutputItems::new(native),
        }
    }

    fn ended(&mut self, response: &Value, counts: &mut TokenCounts) -> Vec<WireEvent> {
        count(&response["usage"], counts);
        let mut events = self.items.all(&response["output"]);
        let stop = if self.items.refused() {
            StopReason::ContentFilter
        } else {
            stop(response)
        };
        events.extend(self.items.end_all(stop));
        events.push(WireEvent::Ended(stop));
        events
    }
}

impl Reader for Responses {
    fn read(&mut self, value: &Value, counts: &mut TokenCounts) -> Result<Vec<WireEvent>, Fault> {
        match value["type"].as_str().unwrap_or_default() {
            "response.completed" | "response.incomplete" | "response.done" => {
                let response = &value["response"];
                if response["status"] == "failed" {
                    return Err(Fault::of_value(response));
                }
                Ok(self.ended(response, counts))
            }
            "response.failed" => Err(Fault::of_value(&value["response"])),
            kind => Ok(self.items.read(kind, value)),
        }
    }
}

fn stop(response: &Value) -> StopReason {
    match response["incomplete_details"]["reason"].as_str() {
        None if response["status"] == "incomplete" => StopReason::Other,
        None => StopReason::Stop,
        Some("max_output_tokens") => StopReason::Length,
        Some("content_filter") => StopReason::ContentFilter,
        Some(_) => StopReason::Other,
    }
}

fn count(usage: &Value, counts: &mut TokenCounts) {
    counts.input = usage["input_tokens"].as_u64().unwrap_or(0);
    counts.output = usage["output_tokens"].as_u64().unwrap_or(0);
    let cached = &usage["input_tokens_details"]["cached_tokens"];
    counts.cache_read = cached.as_u64().unwrap_or(0);
}

#[cfg(test)]
mod tests {
    use super::super::wire::Extras;
    use super::super::wire::tests::{ask, picture, prompt};
    use super::*;

    #[test]
    fn the_request_keeps_nothing_with_the_provider() {
        let prompt = prompt(&[(Role::User, "a"), (Role::Assistant, "b"), (Role::User, "c")]);
        let images = [picture()];
        assert_eq!(
            request(&ask(&prompt, &images, Extras::default())).body,
            json!({
                "model": "m", "stream": true, "store": false, "instructions": "Be a fairy.",
                "input": [
                    {"role": "user", "content": [{"type": "input_text", "text": "a"}]},
                    {"role": "assistant", "content": [{"type": "output_text", "text": "b"}]},
                    {"role": "user", "content": [
                        {"type": "input_image", "image_url": "data:image/png;base64,iVBO"},
                        {"type": "input_text", "text": "c"},
                    ]},
                ],
                "max_output_tokens": 100, "temperature": 0.0,
                "text": {"format": {"type": "json_schema", "name": "answer", "schema": strict(&prompt.schema), "strict": true}},
            })
        );
    }
}
