//! Parts: the things a model sees, one file each under `parts/`, listed in [`REGISTRY`].
//!
//! A part gathers data (typed, serialisable, in the model's own ids and coordinates), prints it as
//! messages, and may add a paragraph to the system prompt. Which parts a prompt has, the mode says.

use glade_canvas::Rect;
use glade_doc::Surface;
use serde::{Deserialize, Serialize};

use crate::agenda::Agenda;
use crate::agent::AgentConfig;
use crate::coords::Coords;
use crate::event::{Input, Lint, World};
use crate::format::whole_numbers;
use crate::history::History;
use crate::ids::IdMap;
use crate::menu::Menu;
use crate::mode::ModeRow;
use crate::parts;
use crate::prompt::{PromptMessage, Role};
use crate::request::Request;

/// All parts, in the order in which a prompt prints them: first what stays the same from step to step
/// (history only grows at its end), so that providers find the beginning of a prompt in their caches;
/// then what is so now; last what matters most.
pub static REGISTRY: &[&dyn Part] = &[
    &parts::mode::ModePart,
    &parts::sign::SignPart,
    &parts::chat_history::ChatHistoryPart,
    &parts::time::TimePart,
    &parts::user_viewport::UserViewportPart,
    &parts::agent_viewport::AgentViewportPart,
    &parts::blurry_shapes::BlurryShapesPart,
    &parts::peripheral_shapes::PeripheralShapesPart,
    &parts::text_blocks::TextBlocksPart,
    &parts::comments::CommentsPart,
    &parts::pages::PagesPart,
    &parts::selected_shapes::SelectedShapesPart,
    &parts::context_items::ContextItemsPart,
    &parts::canvas_lints::CanvasLintsPart,
    &parts::screenshot::ScreenshotPart,
    &parts::user_action_history::UserActionHistoryPart,
    &parts::other_fairies::OtherFairiesPart,
    &parts::current_project::CurrentProjectPart,
    &parts::tasks::TasksPart,
    &parts::todo_list::TodoListPart,
    &parts::data::DataPart,
    &parts::messages::MessagesPart,
];

/// The parts that show a canvas, and what stands in their place on a text page: a mode that has the
/// shapes in view has the blocks there.
const OF_CANVAS: &[&str] = &[
    "user-viewport",
    "agent-viewport",
    "blurry-shapes",
    "peripheral-shapes",
    "selected-shapes",
    "screenshot",
    "canvas-lints",
];

/// What shows a text page.
const OF_TEXT: &[&str] = &["text-blocks", "comments"];

/// Whether a prompt of this mode, on this surface, has the part.
pub fn belongs(name: &str, row: &ModeRow, surface: Surface) -> bool {
    match surface {
        Surface::Canvas => row.parts.contains(&name),
        Surface::Text if OF_TEXT.contains(&name) => row.parts.contains(&"blurry-shapes"),
        Surface::Text => row.parts.contains(&name) && !OF_CANVAS.contains(&name),
    }
}

/// The part that no prompt is without.
pub const MESSAGES: &str = "messages";

/// One thing a model sees.
pub trait Part: Sync {
    /// The name by which modes ask for it.
    fn name(&self) -> &'static str;
    /// What there is to show now; `None`: nothing, and the part is left out.
    fn gather(&self, view: &mut View<'_, '_>) -> Option<PartData>;
    /// The messages that show it.
    fn print(&self, data: &PartData) -> Vec<PromptMessage>;
    /// A paragraph for the system prompt of every mode that has the part, whether or not there is
    /// something to show now: the system prompt stays the same from step to step.
    fn about(&self) -> Option<&'static str> {
        None
    }
}

/// What a part may look at. Showing an element gives it a name and may round its numbers, so the
/// tables of both are writable.
pub struct View<'a, 'w> {
    pub row: &'static ModeRow,
    /// What it may do now.
    pub menu: Menu<'a>,
    pub world: &'a World<'w>,
    /// What the run was started with.
    pub input: &'a Input,
    /// What this step is told.
    pub request: &'a Request,
    /// What was not pointed out before.
    pub lints: &'a [Lint],
    pub agenda: &'a Agenda,
    pub config: &'a AgentConfig,
    /// The part of the page that the fairy looks at.
    pub area: Rect,
    pub ids: &'a mut IdMap,
    pub coords: &'a mut Coords,
    pub history: &'a History,
}

/// The data of any part.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum PartData {
    Mode(parts::mode::ModeData),
    UserViewport(parts::user_viewport::UserViewport),
    AgentViewport(parts::agent_viewport::AgentViewport),
    BlurryShapes(parts::blurry_shapes::BlurryShapes),
    PeripheralShapes(parts::peripheral_shapes::PeripheralShapes),
    SelectedShapes(parts::selected_shapes::SelectedShapes),
    ChatHistory(parts::chat_history::ChatHistory),
    Messages(parts::messages::Messages),
    Sign(parts::sign::Sign),
    Time(parts::time::Time),
    Pages(parts::pages::Pages),
    ContextItems(parts::context_items::ContextItems),
    CanvasLints(parts::canvas_lints::CanvasLints),
    UserActionHistory(parts::user_action_history::UserActionHistory),
    Tasks(parts::tasks::Tasks),
    CurrentProject(parts::current_project::CurrentProject),
    TodoList(parts::todo_list::TodoList),
    Data(parts::data::Data),
    OtherFairies(parts::other_fairies::OtherFairies),
    Screenshot(parts::screenshot::Screenshot),
    TextBlocks(parts::text_blocks::TextBlocks),
    Comments(parts::comments::Comments),
    /// Of a part that a host added.
    Custom(Custom),
}

/// The data of a part that a host added.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Custom {
    pub name: String,
    pub value: serde_json::Value,
}

/// A message of the person's side.
pub fn told(content: String) -> Vec<PromptMessage> {
    vec![PromptMessage {
        role: Role::User,
        content,
    }]
}

/// Lines of JSON, fenced as data: what stands in a document never speaks to the model.
pub fn fenced<T: Serialize>(items: &[T]) -> String {
    let mut out = String::from("```data\n");
    for item in items {
        if let Ok(mut line) = serde_json::to_value(item) {
            whole_numbers(&mut line);
            // No text of a document can close the fence.
            out.push_str(&line.to_string().replace("```", "'''"));
            out.push('\n');
        }
    }
    out.push_str("```");
    out
}
