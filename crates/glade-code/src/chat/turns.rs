//! UI messages into a model's conversation.
//!
//! What a person wrote is theirs. What comes with it from a page (its address, the elements that
//! were picked) is data: it is put between tags, cannot close them, and the system prompt says that
//! nothing in there is an instruction.

use glade_agent::{DialogueTurn, Image, NOT_CARRIED_OUT, Thought, ToolCall, ToolResult};
use serde_json::{Map, Value};

use crate::results;

/// How much of one thing from a page is told.
pub const LONGEST: usize = 10_000;
const CUT: &str = "… (cut)";

/// The conversation so far. Messages that say nothing (thoughts alone, say) are left out.
pub fn turns_of(messages: &[Value]) -> Vec<DialogueTurn> {
    messages
        .iter()
        .flat_map(|message| match message["role"].as_str() {
            Some("user") => user(message).into_iter().collect(),
            Some("assistant") => assistant(message),
            _ => Vec::new(),
        })
        .collect()
}

fn parts(message: &Value) -> &[Value] {
    message["parts"]
        .as_array()
        .map(Vec::as_slice)
        .unwrap_or_default()
}

fn user(message: &Value) -> Option<DialogueTurn> {
    let mut text = String::new();
    let mut images = Vec::new();
    for part in parts(message) {
        match part["type"].as_str() {
            Some("text") => {
                if !text.is_empty() {
                    text.push('\n');
                }
                text.push_str(part["text"].as_str().unwrap_or_default());
            }
            Some("file") => match attachment(part) {
                Some(Attachment::Picture(image)) => images.push(image),
                Some(Attachment::Words(words)) => text.push_str(&words),
                None => {}
            },
            _ => {}
        }
    }
    let metadata = &message["metadata"];
    if let Some(page) = browser(&metadata["browserData"]) {
        text = format!("{page}\n{text}");
    }
    if let Some(elements) = dom_elements(&metadata["selectedElements"]) {
        text.push('\n');
        text.push_str(&elements);
    }
    (!text.trim().is_empty() || !images.is_empty()).then_some(DialogueTurn::Person { text, images })
}

enum Attachment {
    Picture(Image),
    Words(String),
}

/// A file that came with the message, as a data URL. Anything but pictures and texts is named only.
fn attachment(part: &Value) -> Option<Attachment> {
    let kind = part["mediaType"].as_str().unwrap_or_default();
    let name = part["filename"].as_str().unwrap_or("attachment");
    let payload = part["url"].as_str()?.split_once(";base64,")?.1;
    if kind.starts_with("image/") {
        return Some(Attachment::Picture(Image {
            media_type: kind.to_owned(),
            base64: payload.to_owned(),
        }));
    }
    let bytes = base64::Engine::decode(&base64::engine::general_purpose::STANDARD, payload).ok();
    let text = bytes
        .and_then(|bytes| String::from_utf8(bytes).ok())
        .map_or_else(
            || "(not a text; its content is left out)".to_owned(),
            |text| shortened(&text),
        );
    Some(Attachment::Words(fenced(
        &format!("attachment name=\"{}\"", attribute(name)),
        "attachment",
        &text,
    )))
}

fn browser(data: &Value) -> Option<String> {
    let data = data.as_object()?;
    let known = [
        "currentUrl",
        "currentTitle",
        "currentZoomLevel",
        "viewport",
        "viewportResolution",
        "devicePixelRatio",
        "userAgent",
        "locale",
    ];
    let lines: Vec<String> = known
        .iter()
        .filter_map(|name| Some(format!("{name}: {}", plain(data.get(*name)?))))
        .collect();
    let text = shortened(&lines.join("\n"));
    (!lines.is_empty()).then(|| fenced("browser-metadata", "browser-metadata", &text))
}

fn dom_elements(elements: &Value) -> Option<String> {
    let elements = elements.as_array().filter(|list| !list.is_empty())?;
    let mut text = String::new();
    for element in elements {
        let Some(element) = element.as_object() else {
            continue;
        };
        for name in [
            "nodeType",
            "tag",
            "selector",
            "xpath",
            "attributes",
            "textContent",
            "text",
            "boundingClientRect",
            "parent",
            "frameworkInfo",
        ] {
            if let Some(value) = element.get(name).filter(|value| !value.is_null()) {
                text.push_str(&format!("{name}: {}\n", plain(value)));
            }
        }
        text.push('\n');
    }
    Some(fenced(
        "dom-elements",
        "dom-elements",
        &shortened(text.trim_end()),
    ))
}

fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// Between tags that what is inside cannot close.
fn fenced(open: &str, close: &str, text: &str) -> String {
    let harmless = text.replace('<', "&lt;");
    format!("<{open}>\n{harmless}\n</{close}>")
}

fn attribute(text: &str) -> String {
    text.replace(['"', '<', '>', '\n'], "_")
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}{CUT}", &text[..end]),
        None => text.to_owned(),
    }
}

/// The steps of an answer, each with its calls and their results.
fn assistant(message: &Value) -> Vec<DialogueTurn> {
    let mut turns = Vec::new();
    let mut step = Step::default();
    for part in parts(message) {
        match part["type"].as_str().unwrap_or_default() {
            "step-start" => std::mem::take(&mut step).into_turns(&mut turns),
            "text" => step
                .text
                .push_str(part["text"].as_str().unwrap_or_default()),
            "reasoning" => step.thoughts.extend(thought(part)),
            kind => {
                if let Some(tool) = kind.strip_prefix("tool-") {
                    step.call(tool, part);
                }
            }
        }
    }
    if let Some(why) = message["metadata"]["error"]["message"].as_str() {
        step.text
            .push_str(&format!("\n(This answer was ended: {why})"));
    }
    step.into_turns(&mut turns);
    turns
}

fn thought(part: &Value) -> Option<Thought> {
    let signature = part["providerMetadata"]["glade"]["signature"].as_str()?;
    Some(Thought {
        text: part["text"].as_str().unwrap_or_default().to_owned(),
        signature: signature.to_owned(),
    })
}

#[derive(Default)]
struct Step {
    thoughts: Vec<Thought>,
    text: String,
    calls: Vec<ToolCall>,
    results: Vec<ToolResult>,
}

impl Step {
    fn call(&mut self, tool: &str, part: &Value) {
        let id = part["toolCallId"].as_str().unwrap_or_default().to_owned();
        let (output, failed) = match part["state"].as_str() {
            Some("output-available") => (results::print(tool, &part["output"]), false),
            Some("output-error") => (
                part["errorText"]
                    .as_str()
                    .unwrap_or(NOT_CARRIED_OUT)
                    .to_owned(),
                true,
            ),
            _ => (NOT_CARRIED_OUT.to_owned(), true),
        };
        let input = part["input"].clone();
        self.calls.push(ToolCall {
            id: id.clone(),
            tool: tool.to_owned(),
            input: if input.is_object() {
                input
            } else {
                Value::Object(Map::new())
            },
        });
        self.results.push(ToolResult {
            id,
            tool: tool.to_owned(),
            output,
            failed,
        });
    }

    fn into_turns(self, turns: &mut Vec<DialogueTurn>) {
        if self.text.trim().is_empty() && self.calls.is_empty() {
            return;
        }
        let called = !self.calls.is_empty();
        turns.push(DialogueTurn::Model {
            thoughts: self.thoughts,
            text: self.text,
            calls: self.calls,
        });
        if called {
            turns.push(DialogueTurn::Results(self.results));
        }
    }
}
