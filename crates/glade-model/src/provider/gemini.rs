//! Gemini. The key goes into a header, though the documents show it in the address: addresses end up
//! in logs.

use glade_agent::{DialogueTurn, Role, StopReason, ToolResult, ToolSpec};
use serde_json::{Value, json};

use super::calls::Calls;
use super::fault::Fault;
use super::partial_args::PartialArgs;
use super::wire::{
    DialogueParams, PromptParams, Reader, Request, TokenCounts, Tool, Turn, WireEvent, format,
    system, text_of, tools, turns,
};

pub fn request(ask: &PromptParams<'_>) -> Request {
    let prompt = ask.prompt;
    let mut generation = json!({"maxOutputTokens": prompt.max_output_tokens});
    if ask.extras.temperature {
        generation["temperature"] = json!(prompt.temperature);
    }
    let tools = tools(ask);
    if ask.extras.schema && tools.is_empty() {
        generation["responseMimeType"] = json!("application/json");
        generation["responseJsonSchema"] = format(ask, &prompt.schema);
    }
    if let Some(tokens) = ask.extras.thinking {
        generation["thinkingConfig"] = json!({"includeThoughts": true, "thinkingBudget": tokens});
    }
    let mut body = json!({
        "systemInstruction": {"parts": [{"text": system(ask)}]},
        "contents": turns(ask).iter().map(message).collect::<Vec<_>>(),
        "generationConfig": generation,
    });
    if !tools.is_empty() {
        let tool = |tool: &Tool<'_>| json!({"name": tool.name, "description": tool.about, "parametersJsonSchema": tool.input});
        let declared: Vec<Value> = tools.iter().map(tool).collect();
        body["tools"] = json!([{"functionDeclarations": declared}]);
        body["toolConfig"] = json!({"functionCallingConfig": {"mode": "ANY"}});
    }
    Request {
        path: format!("/models/{}:streamGenerateContent?alt=sse", ask.model),
        headers: Vec::new(),
        body,
    }
}

fn message(turn: &Turn<'_>) -> Value {
    let role = match turn.role {
        Role::User => "user",
        Role::Assistant => "model",
    };
    let images = turn
        .images
        .iter()
        .map(|image| json!({"inlineData": {"mimeType": image.media_type, "data": image.base64}}));
    let parts: Vec<Value> = images.chain([json!({"text": turn.text})]).collect();
    json!({"role": role, "parts": parts})
}

/// A request of a conversation with tools.
pub fn dialogue(params: &DialogueParams<'_>) -> Request {
    let dialogue = params.dialogue;
    let mut generation = json!({"maxOutputTokens": dialogue.max_output_tokens});
    if params.extras.temperature {
        generation["temperature"] = json!(dialogue.temperature);
    }
    if let Some(tokens) = params.extras.thinking {
        generation["thinkingConfig"] = json!({"includeThoughts": true, "thinkingBudget": tokens});
    }
    let mut body = json!({
        "systemInstruction": {"parts": [{"text": dialogue.system}]},
        "contents": dialogue.turns.iter().map(turn).collect::<Vec<_>>(),
        "generationConfig": generation,
    });
    if !dialogue.tools.is_empty() {
        let tool = |offer: &ToolSpec| json!({"name": offer.name, "description": offer.about, "parametersJsonSchema": offer.input});
        let declared: Vec<Value> = dialogue.tools.iter().map(tool).collect();
        body["tools"] = json!([{"functionDeclarations": declared}]);
    }
    Request {
        path: format!("/models/{}:streamGenerateContent?alt=sse", params.model),
        headers: Vec::new(),
        body,
    }
}

fn turn(said: &DialogueTurn) -> Value {
    match said {
        DialogueTurn::Person { text, images } => message(&Turn {
            role: Role::User,
            text,
            images,
        }),
        DialogueTurn::Model {
            thoughts,
            text,
            calls,
        } => {
            let words = (!text.trim().is_empty()).then(|| json!({"text": text}));
            // The seal belongs to the first call of an answer.
            let mut seal = thoughts.last().map(|thought| thought.signature.as_str());
            let calls = calls.iter().map(|call| {
                let mut part = json!({"functionCall": {"name": call.tool, "args": call.input}});
                if let Some(seal) = seal.take() {
                    part["thoughtSignature"] = json!(seal);
                }
                part
            });
            let parts: Vec<Value> = words.into_iter().chain(calls).collect();
            json!({"role": "model", "parts": parts})
        }
        DialogueTurn::Results(results) => {
            let part = |result: &ToolResult| {
                let kind = if result.failed { "error" } else { "output" };
                json!({"functionResponse": {"name": result.tool, "response": {kind: result.output}}})
            };
            json!({"role": "user", "parts": results.iter().map(part).collect::<Vec<_>>()})
        }
    }
}

pub struct Gemini {
    calls: Calls,
    native: bool,
    stop: Option<StopReason>,
    made: usize,
    /// Of the newest call, while its arguments come in pieces.
    partial: Option<PartialArgs>,
}

impl Gemini {
    pub fn new(native: bool) -> Self {
        Self {
            calls: Calls::native(native),
            native,
            stop: None,
            made: 0,
            partial: None,
        }
    }

    fn part(&mut self, part: &Value) -> Vec<WireEvent> {
        let text = text_of(&part["text"]);
        if part["thought"] == true {
            return text.map(WireEvent::Thinking).into_iter().collect();
        }
        let mut events: Vec<WireEvent> = text.map(WireEvent::Text).into_iter().collect();
        let call = &part["functionCall"];
        if call.is_object() {
            let seal = text_of(&part["thoughtSignature"]).filter(|_| self.native);
            events.extend(seal.map(WireEvent::Signed));
            events.extend(self.call(call));
        }
        events
    }

    /// Arguments come whole, unless the call says that it will go on.
    fn call(&mut self, call: &Value) -> Vec<WireEvent> {
        let mut events = Vec::new();
        if let Some(name) = call["name"].as_str().filter(|name| !name.is_empty()) {
            if self.partial.take().is_some() {
                events.extend(self.calls.cut_open());
            }
            self.made += 1;
            let key = self.made.to_string();
            events.extend(self.calls.begin(&key, call["id"].as_str(), name));
            self.partial = Some(PartialArgs::new(&call["args"]));
        }
        if let Some(partial) = &mut self.partial {
            partial.add(&call["partialArgs"]);
        }
        if call["willContinue"] != true
            && let Some(partial) = self.partial.take()
        {
            events.extend(self.call_over(partial));
        }
        events
    }

    fn call_over(&mut self, partial: PartialArgs) -> Vec<WireEvent> {
        let Some(args) = partial.whole() else {
            return self.calls.cut_open();
        };
        let key = self.made.to_string();
        let mut events = self.calls.whole_arguments(&key, &args.to_string());
        events.extend(self.calls.end(&key));
        events
    }
}

impl Reader for Gemini {
    fn read(&mut self, value: &Value, counts: &mut TokenCounts) -> Result<Vec<WireEvent>, Fault> {
        count(&value["usageMetadata"], counts);
        if value["promptFeedback"]["blockReason"].is_string() {
            self.stop = Some(StopReason::ContentFilter);
        }
        let candidates = value["candidates"].as_array().into_iter().flatten();
        let mut first = candidates.filter(|one| one["index"].as_u64().unwrap_or(0) == 0);
        let candidate = first.next().unwrap_or(&Value::Null);
        let parts = candidate["content"]["parts"].as_array();
        let mut events = Vec::new();
        for part in parts.into_iter().flatten() {
            events.extend(self.part(part));
        }
        let reason = candidate["finishReason"].as_str();
        if let Some(reason) = reason.filter(|reason| !UNFINISHED.contains(reason)) {
            self.stop = Some(stop(reason));
        }
        Ok(events)
    }

    /// There is no last event: the reason to finish makes an answer whole.
    fn at_end(&mut self) -> Vec<WireEvent> {
        let Some(stop) = self.stop else {
            return Vec::new();
        };
        let mut events = Vec::new();
        if self.partial.take().is_some() {
            events.extend(self.calls.cut_open());
        }
        events.extend(self.calls.end_all(stop));
        events.push(WireEvent::Ended(stop));
        events
    }
}

/// Said of an answer that goes on.
const UNFINISHED: [&str; 2] = ["", "FINISH_REASON_UNSPECIFIED"];

fn stop(reason: &str) -> StopReason {
    match reason {
        // The second is a stand-in's word; Google says STOP after a call too.
        "STOP" | "FUNCTION_CALL" => StopReason::Stop,
        "MAX_TOKENS" => StopReason::Length,
        "SAFETY" | "RECITATION" | "BLOCKLIST" | "PROHIBITED_CONTENT" | "SPII" | "IMAGE_SAFETY" => {
            StopReason::ContentFilter
        }
        _ => StopReason::Other,
    }
}

fn count(usage: &Value, counts: &mut TokenCounts) {
    if usage.is_null() {
        return;
    }
    let tokens = |name: &str| usage[name].as_u64().unwrap_or(0);
    // What the provider's own tools brought in was read too.
    counts.input = tokens("promptTokenCount").saturating_add(tokens("toolUsePromptTokenCount"));
    counts.output = tokens("candidatesTokenCount").saturating_add(tokens("thoughtsTokenCount"));
    counts.cache_read = tokens("cachedContentTokenCount");
}

#[cfg(test)]
mod tests {
    use super::super::wire::Extras;
    use super::super::wire::tests::{ask, picture, prompt};
    use super::*;

    #[test]
    fn the_request_has_no_key_in_its_address() {
        let prompt = prompt(&[(Role::User, "a"), (Role::Assistant, "b"), (Role::User, "c")]);
        let images = [picture()];
        let extras = Extras {
            thinking: Some(512),
            ..Extras::default()
        };
        let request = request(&ask(&prompt, &images, extras));
        assert_eq!(request.path, "/models/m:streamGenerateContent?alt=sse");
        assert_eq!(
            request.body,
            json!({
                "systemInstruction": {"parts": [{"text": "Be a fairy."}]},
                "contents": [
                    {"role": "user", "parts": [{"text": "a"}]},
                    {"role": "model", "parts": [{"text": "b"}]},
                    {"role": "user", "parts": [{"inlineData": {"mimeType": "image/png", "data": "iVBO"}}, {"text": "c"}]},
                ],
                "generationConfig": {
                    "maxOutputTokens": 100, "temperature": 0.0,
                    "responseMimeType": "application/json", "responseJsonSchema": prompt.schema,
                    "thinkingConfig": {"includeThoughts": true, "thinkingBudget": 512},
                },
            })
        );
    }
}
