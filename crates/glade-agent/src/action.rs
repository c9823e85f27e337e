//! Actions: the things a fairy can do, one file each under `actions/`, listed in [`REGISTRY`].
//!
//! An action goes through two doors. *Sanitise* turns what the model gave into a clean, typed value:
//! ids resolved, numbers coerced, clamped and put into page space, or a [`Refusal`] with a reason
//! that the model can act on. *Apply* says what the page should hold because of it. Both are called
//! again for every partial, from the beginning; the [`ActionContext`] works out what differs from last time,
//! so no action ever deals with "what I drew before".

use serde_json::{Map, Value, json};

use crate::action_context::ActionContext;
use crate::actions;
use crate::history::Remembered;
use crate::mode::ModeRow;
use crate::partial_object::PartialObject;
use glade_canvas::Rect;
use glade_doc::{ElementId, Surface};

/// All actions, in the order in which prompts list them.
pub static REGISTRY: &[&dyn AnyAction] = &[
    &actions::message::Message,
    &actions::think::Think,
    &actions::create::Create,
    &actions::update::Update,
    &actions::label::Label,
    &actions::move_shape::Move,
    &actions::delete::Delete,
    &actions::place::Place,
    &actions::align::Align,
    &actions::distribute::Distribute,
    &actions::stack::Stack,
    &actions::rotate::Rotate,
    &actions::resize::Resize,
    &actions::bring_to_front::BringToFront,
    &actions::send_to_back::SendToBack,
    &actions::pen::Pen,
    &actions::text::text_insert::TextInsert,
    &actions::text::text_rewrite::TextRewrite,
    &actions::text::mark_toggle::MarkToggle,
    &actions::text::block_insert::BlockInsert,
    &actions::text::block_move::BlockMove,
    &actions::text::block_delete::BlockDelete,
    &actions::text::block_set_kind::BlockSetKind,
    &actions::text::bullet_list_toggle::BulletListToggle,
    &actions::text::table_add_row::TableAddRow,
    &actions::text::table_add_column::TableAddColumn,
    &actions::text::table_set_cell::TableSetCell,
    &actions::text::math_insert_formula::MathInsertFormula,
    &actions::text::mention_insert::MentionInsert,
    &actions::text::embed_fetch_and_insert::EmbedFetchAndInsert,
    &actions::text::comment_add::CommentAdd,
    &actions::text::comment_reply::CommentReply,
    &actions::text::comment_resolve::CommentResolve,
    &actions::clear::Clear,
    &actions::fly_to_bounds::FlyToBounds,
    &actions::review::Review,
    &actions::change_page::ChangePage,
    &actions::create_page::CreatePage,
    &actions::add_detail::AddDetail,
    &actions::count::Count,
    &actions::search::Search,
    &actions::upsert_personal_todo_item::UpsertPersonalTodoItem,
    &actions::delete_personal_todo_items::DeletePersonalTodoItems,
    &actions::claim_todo_item::ClaimTodoItem,
    &actions::random_wikipedia_article::RandomWikipediaArticle,
    &actions::country_info::CountryInfo,
    &actions::create_task::CreateTask,
    &actions::start_task::StartTask,
    &actions::mark_task_done::MarkTaskDone,
    &actions::start_project::PROJECT,
    &actions::start_project::DUO,
    &actions::end_project::PROJECT,
    &actions::end_project::DUO,
    &actions::abort_project::PROJECT,
    &actions::abort_project::DUO,
    &actions::create_project_task::PROJECT,
    &actions::create_project_task::DUO,
    &actions::delete_project_task::PROJECT,
    &actions::delete_project_task::DUO,
    &actions::direct_to_start_project_task::PROJECT,
    &actions::direct_to_start_project_task::DUO,
    &actions::start_duo_task::StartDuoTask,
    &actions::await_tasks_completion::PROJECT,
    &actions::await_tasks_completion::DUO,
    &actions::await_mode_transition::AwaitModeTransition,
    &actions::await_event::AwaitEvent,
    &actions::raise_event::RaiseEvent,
    &actions::mark_my_task_done::DRONE,
    &actions::mark_my_task_done::DUO,
];

/// The editing actions of a canvas.
pub const EDIT: &[&str] = &[
    "create",
    "update",
    "label",
    "move",
    "delete",
    "place",
    "align",
    "distribute",
    "stack",
    "rotate",
    "resize",
    "bring-to-front",
    "send-to-back",
    "pen",
];

/// The editing actions of a text page.
pub const TEXT_EDIT: &[&str] = &[
    "text-insert",
    "text-rewrite",
    "mark-toggle",
    "block-insert",
    "block-move",
    "block-delete",
    "block-set-kind",
    "bullet-list-toggle",
    "table-add-row",
    "table-add-column",
    "table-set-cell",
    "math-insert-formula",
    "mention-insert",
    "embed-fetch-and-insert",
    "comment-add",
    "comment-reply",
    "comment-resolve",
];

/// What makes sense on a canvas only, besides editing it.
const CANVAS_ONLY: &[&str] = &["clear", "fly-to-bounds", "review", "add-detail", "count"];

/// Whether an action makes sense on a surface. EDIT means the editing actions of the surface at hand.
pub fn fits(name: &str, surface: Surface) -> bool {
    match surface {
        Surface::Canvas => !TEXT_EDIT.contains(&name),
        Surface::Text => !EDIT.contains(&name) && !CANVAS_ONLY.contains(&name),
    }
}

/// What a scope can leave out, besides editing: what changes the page or the workspace, or reaches
/// outside of it. The rest only speaks, looks around or keeps the fairy's own notes.
const ALSO_SCOPED: &[&str] = &[
    "clear",
    "create-page",
    "random-wikipedia-article",
    "country-info",
];

/// The names of the actions that a scope decides about.
pub fn scoped() -> impl Iterator<Item = &'static str> {
    EDIT.iter().chain(TEXT_EDIT).chain(ALSO_SCOPED).copied()
}

/// Whether a fairy's scope decides about this action.
pub fn is_scoped(name: &str) -> bool {
    scoped().any(|one| one == name)
}

pub fn find(name: &str) -> Option<&'static dyn AnyAction> {
    REGISTRY
        .iter()
        .find(|action| action.name() == name)
        .copied()
}

/// The actions that a mode allows.
pub fn allowed(row: &ModeRow) -> impl Iterator<Item = &'static dyn AnyAction> {
    REGISTRY
        .iter()
        .filter(|action| row.allows(action.name()))
        .copied()
}

/// Why an action was not carried out, worded for the model.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Refusal(pub String);

impl Refusal {
    pub fn new(reason: impl Into<String>) -> Self {
        Self(reason.into())
    }
}

/// What people get to see of an action.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Shown {
    /// While it streams, as in "drawing Order"; also what the sprite says it is doing.
    pub doing: String,
    /// When it is whole: "drew Order".
    pub done: String,
    /// Where it happens: the sprite goes there.
    pub place: Option<Rect>,
    pub elements: Vec<ElementId>,
    /// Words to the person or to itself, instead of a note that something was done.
    pub words: Option<Words>,
    /// What the action found out, if that is known at once.
    pub found: Option<Value>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Words {
    Text(String),
    Thought(String),
}

/// One kind of action.
pub trait Action: Sync {
    /// What sanitising makes of the model's words.
    type Clean;

    fn name(&self) -> &'static str;
    fn icon(&self) -> &'static str;
    /// One line for the system prompt.
    fn about(&self) -> &'static str;
    /// Fields and their schemas, in the order in which a partial becomes drawable early.
    fn fields(&self) -> Vec<(&'static str, Value)>;
    /// Fields that may be left out.
    fn optional(&self) -> &'static [&'static str] {
        &[]
    }
    /// Whether partials are carried out; otherwise only the whole action is.
    fn live(&self) -> bool {
        false
    }
    /// `None`: too little is known yet. Of a whole action that means that something is missing.
    fn sanitise(
        &self,
        given: PartialObject<'_>,
        ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Option<Self::Clean>, Refusal>;
    fn apply(&self, clean: &Self::Clean, ctx: &mut ActionContext<'_, '_>)
    -> Result<Shown, Refusal>;
    /// What history keeps of the whole action; `None`: nothing.
    fn remember(&self, raw: &Value) -> Option<Remembered> {
        Some(Remembered::Action {
            json: raw.to_string(),
            diff: None,
        })
    }
    /// Whether a refusal of it ends the answer at once: what follows would build on what is not so.
    fn interrupts(&self) -> bool {
        false
    }
    /// Whether it brings something back: the chat shows such an action as a tool with its result.
    fn finds_out(&self) -> bool {
        false
    }
}

/// An [`Action`] whose clean type is nobody else's business.
pub trait AnyAction: Sync {
    fn name(&self) -> &'static str;
    fn icon(&self) -> &'static str;
    fn about(&self) -> &'static str;
    fn schema(&self) -> Value;
    fn live(&self) -> bool;
    /// Sanitises and applies as much as is known.
    fn run(
        &self,
        given: PartialObject<'_>,
        ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Option<Shown>, Refusal>;
    fn remember(&self, raw: &Value) -> Option<Remembered>;
    fn interrupts(&self) -> bool;
    fn finds_out(&self) -> bool;
}

impl<A: Action> AnyAction for A {
    fn name(&self) -> &'static str {
        Action::name(self)
    }

    fn icon(&self) -> &'static str {
        Action::icon(self)
    }

    fn about(&self) -> &'static str {
        Action::about(self)
    }

    fn schema(&self) -> Value {
        let mut properties = Map::new();
        properties.insert("_type".to_owned(), json!({"const": Action::name(self)}));
        for (field, schema) in self.fields() {
            properties.insert(field.to_owned(), schema);
        }
        let required: Vec<&String> = properties
            .keys()
            .filter(|key| !self.optional().contains(&key.as_str()))
            .collect();
        json!({
            "type": "object",
            "required": required,
            "properties": properties,
            "additionalProperties": false,
        })
    }

    fn live(&self) -> bool {
        Action::live(self)
    }

    fn run(
        &self,
        given: PartialObject<'_>,
        ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Option<Shown>, Refusal> {
        match self.sanitise(given, ctx)? {
            Some(clean) => self.apply(&clean, ctx).map(Some),
            None => Ok(None),
        }
    }

    fn remember(&self, raw: &Value) -> Option<Remembered> {
        Action::remember(self, raw)
    }

    fn interrupts(&self) -> bool {
        Action::interrupts(self)
    }

    fn finds_out(&self) -> bool {
        Action::finds_out(self)
    }
}
