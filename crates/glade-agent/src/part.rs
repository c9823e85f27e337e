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
use crate::extensions;
use crate::facts::On;
use crate::format::whole_numbers;
use crate::history::History;
use crate::ids::IdMap;
use crate::menu::Menu;
use crate::mode::ModeRow;
use crate::parts;
use crate::prompt::{Picture, PromptMessage, Role};
use crate::reading::Reading;
use crate::request::Request;
use crate::steady::Steady;

/// Lists the parts: one line each, from which the registry and the type of their data are made. A
/// part's data is its own type, so no part can be given another's.
macro_rules! parts {
    ($($variant:ident: $module:ident::$part:ident => $data:ident,)*) => {
        /// All parts but those that a binary of one's own adds, in the order in which a prompt prints
        /// them: first what stays the same from step to step (history only grows at its end), so that
        /// providers find the beginning of a prompt in their caches; then what is so now; last what
        /// matters most.
        pub static REGISTRY: &[&dyn AnyPart] = &[$(&parts::$module::$part,)*];

        /// The data of any part.
        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
        #[serde(tag = "type", rename_all = "kebab-case")]
        pub enum PartData {
            $($variant(parts::$module::$data),)*
            /// Of a part that a binary of one's own adds.
            Custom(Custom),
        }

        $(impl From<parts::$module::$data> for PartData {
            fn from(data: parts::$module::$data) -> Self {
                PartData::$variant(data)
            }
        })*
    };
}

parts! {
    Mode: mode::ModePart => ModeData,
    Sign: sign::SignPart => Sign,
    ChatHistory: chat_history::ChatHistoryPart => ChatHistory,
    Time: time::TimePart => Time,
    UserViewport: user_viewport::UserViewportPart => UserViewport,
    AgentViewport: agent_viewport::AgentViewportPart => AgentViewport,
    BlurryShapes: blurry_shapes::BlurryShapesPart => BlurryShapes,
    Diagrams: diagrams::DiagramsPart => Diagrams,
    PeripheralShapes: peripheral_shapes::PeripheralShapesPart => PeripheralShapes,
    TextBlocks: text_blocks::TextBlocksPart => TextBlocks,
    TextChanges: text_changes::TextChangesPart => TextChanges,
    Comments: comments::CommentsPart => Comments,
    Pages: pages::PagesPart => Pages,
    SelectedShapes: selected_shapes::SelectedShapesPart => SelectedShapes,
    ContextItems: context_items::ContextItemsPart => ContextItems,
    CanvasLints: canvas_lints::CanvasLintsPart => CanvasLints,
    Screenshot: screenshot::ScreenshotPart => Screenshot,
    UserActionHistory: user_action_history::UserActionHistoryPart => UserActionHistory,
    OtherFairies: other_fairies::OtherFairiesPart => OtherFairies,
    CurrentProject: current_project::CurrentProjectPart => CurrentProject,
    Tasks: tasks::TasksPart => Tasks,
    TodoList: todo_list::TodoListPart => TodoList,
    Data: data::DataPart => Data,
    Messages: messages::MessagesPart => Messages,
}

/// The part that no prompt is without, and the last of all.
static LAST: &dyn AnyPart = &parts::messages::MessagesPart;

/// All parts there are; what matters most stays last.
pub fn all() -> impl Iterator<Item = &'static dyn AnyPart> {
    let own = REGISTRY.iter().filter(|part| !part.is_last()).copied();
    let added = extensions::added().parts.iter().copied();
    own.chain(added).chain([LAST])
}

/// What a part tells of. A mode says which of these its prompts have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Topic {
    /// Who it is, what was said, and what it is asked now.
    Run,
    /// What it works on.
    InView,
    /// What lies around it, and who is there.
    Around,
    /// Other pages, and what the person points at.
    Pages,
    Lints,
    /// What people have done.
    UserActions,
    Tasks,
    Project,
    Todos,
    /// One that a binary of one's own adds, for modes of its own.
    Added(&'static str),
}

/// What there is to know of a part but how it is gathered and printed.
#[derive(Debug, Clone)]
pub struct PartFacts {
    /// As callers ask for it, and as its data is tagged.
    pub name: &'static str,
    pub topic: Topic,
    /// Where it has something to tell.
    pub on: On,
    /// A paragraph for the system prompt of every mode that has the part, whether or not there is
    /// something to show now: the system prompt stays the same from step to step.
    pub about: Option<&'static str>,
    /// It is most of a prompt and changes little: told at the beginning, and then by what is different.
    pub steady: bool,
}

impl PartFacts {
    pub const fn new(name: &'static str, topic: Topic, on: On) -> Self {
        Self {
            name,
            topic,
            on,
            about: None,
            steady: false,
        }
    }

    #[must_use]
    pub const fn steady(mut self) -> Self {
        self.steady = true;
        self
    }

    #[must_use]
    pub const fn about(mut self, about: &'static str) -> Self {
        self.about = Some(about);
        self
    }

    /// Whether a prompt of this mode, on this surface, has the part.
    pub fn belongs(&self, row: &ModeRow, surface: Surface) -> bool {
        row.sees.contains(&self.topic) && self.on.fits(surface)
    }
}

/// One thing a model sees.
pub trait Part: Sync {
    /// What it gathers and prints: a type of its own.
    type Data: Into<PartData>;

    fn facts(&self) -> &PartFacts;
    /// What there is to show now; `None`: nothing, and the part is left out.
    fn gather(&self, view: &mut View<'_, '_>) -> Option<Self::Data>;
    /// The messages that show it.
    fn print(&self, data: &Self::Data) -> Vec<PromptMessage>;
    /// The picture that goes with it.
    fn picture(&self, _data: &Self::Data) -> Option<Picture> {
        None
    }
}

/// A part as a prompt has it.
pub struct Gathered {
    pub data: PartData,
    pub messages: Vec<PromptMessage>,
    pub picture: Option<Picture>,
}

/// A [`Part`] whose data is nobody else's business.
pub trait AnyPart: Sync {
    fn facts(&self) -> &PartFacts;
    fn show(&self, view: &mut View<'_, '_>) -> Option<Gathered>;
}

impl<P: Part> AnyPart for P {
    fn facts(&self) -> &PartFacts {
        Part::facts(self)
    }

    fn show(&self, view: &mut View<'_, '_>) -> Option<Gathered> {
        let data = self.gather(view)?;
        Some(Gathered {
            messages: self.print(&data),
            picture: self.picture(&data),
            data: data.into(),
        })
    }
}

impl dyn AnyPart + '_ {
    /// No prompt is without it, and it comes after all others.
    pub fn is_last(&self) -> bool {
        self.facts().name == LAST.facts().name
    }
}

impl std::fmt::Debug for dyn AnyPart + '_ {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.facts().name)
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
    /// What the fairy has before its eyes of a text page.
    pub reading: &'a mut Reading,
    pub history: &'a History,
    pub steady: &'a mut Steady,
}

/// The data of a part that a binary of one's own adds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Custom {
    pub name: String,
    pub value: serde_json::Value,
}

impl PartData {
    /// The data of a part that a binary of one's own adds.
    pub fn custom(facts: &PartFacts, data: &impl Serialize) -> Self {
        PartData::Custom(Custom {
            name: facts.name.to_owned(),
            // What cannot be written as JSON is shown all the same: its print is a message.
            value: serde_json::to_value(data).unwrap_or_default(),
        })
    }
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
