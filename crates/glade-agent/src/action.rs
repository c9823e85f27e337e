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
use crate::extensions;
use crate::facts::{Facts, Remember, Shows};
use crate::history::Remembered;
use crate::mode::ModeRow;
use crate::partial_object::PartialObject;
use glade_canvas::{Rect, Size};
use glade_doc::ElementId;

/// All actions but those that a binary of one's own adds, in the order in which prompts list them.
pub static REGISTRY: &[&dyn AnyAction] = &[
    &actions::message::Message,
    &actions::think::Think,
    &actions::diagram::Draw,
    &actions::create::Create,
    &actions::update::Update,
    &actions::label::Label,
    &actions::move_shape::Move,
    &actions::delete::Delete,
    &actions::place::Place,
    &actions::align::Align,
    &actions::distribute::Distribute,
    &actions::stack::Stack,
    &actions::tidy::Tidy,
    &actions::rotate::Rotate,
    &actions::resize::Resize,
    &actions::bring_to_front::BringToFront,
    &actions::send_to_back::SendToBack,
    &actions::pen::Pen,
    &actions::text::text_insert::TextInsert,
    &actions::text::text_rewrite::TextRewrite,
    &actions::text::mark_set::MarkSet,
    &actions::text::block_insert::BlockInsert,
    &actions::text::block_move::BlockMove,
    &actions::text::block_delete::BlockDelete,
    &actions::text::block_set_kind::BlockSetKind,
    &actions::text::list_set::ListSet,
    &actions::text::table_add_row::TableAddRow,
    &actions::text::table_add_column::TableAddColumn,
    &actions::text::table_set_cell::TableSetCell,
    &actions::text::math_insert_formula::MathInsertFormula,
    &actions::text::mention_insert::MentionInsert,
    &actions::text::embed_fetch_and_insert::EmbedFetchAndInsert,
    &actions::text::read_blocks::ReadBlocks,
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

/// The actions of the code project, in the order in which prompts list them.
pub static OF_CODE: &[&dyn Described] = &[
    &actions::code::read_file::ReadFile,
    &actions::code::list_files::ListFiles,
    &actions::code::grep_search::GrepSearch,
    &actions::code::glob::Glob,
    &actions::code::multi_edit::MultiEdit,
    &actions::code::overwrite_file::OverwriteFile,
    &actions::code::move_file::MoveFile,
    &actions::code::delete_file::DeleteFile,
];

/// All actions there are, of whatever surface.
pub fn described() -> impl Iterator<Item = &'static dyn Described> {
    let pages = all().map(|action| action as &dyn Described);
    pages.chain(OF_CODE.iter().copied())
}

/// All actions of pages.
pub fn all() -> impl Iterator<Item = &'static dyn AnyAction> {
    REGISTRY.iter().chain(extensions::added().actions).copied()
}

/// The action that is called so, or was.
pub fn find(name: &str) -> Option<&'static dyn AnyAction> {
    all().find(|action| action.facts().is_called(name))
}

/// The actions that a scope decides about.
pub fn scoped() -> impl Iterator<Item = &'static dyn Described> {
    described().filter(|action| action.facts().is_scoped())
}

/// The actions that a mode allows.
pub fn allowed(row: &ModeRow) -> impl Iterator<Item = &'static dyn AnyAction> {
    all().filter(|action| row.allows(action.facts()))
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
    /// How what it does differs from what was asked for, worded for the model.
    pub adjusted: Vec<String>,
    /// The size that a shape was asked to have: it may come to another one.
    pub asked: Option<(ElementId, Size)>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Words {
    Text(String),
    Thought(String),
}

/// What there is to know of an action: its facts, what goes in, what comes out.
pub trait Described: Sync {
    fn facts(&self) -> &Facts;
    /// Fields and their schemas, in the order in which a partial becomes drawable early.
    fn fields(&self) -> Vec<(&'static str, Value)>;
    /// Fields that may be left out.
    fn optional(&self) -> &'static [&'static str] {
        &[]
    }
    /// The schema of what comes back: of most nothing does but that it was done.
    fn output(&self) -> Value {
        json!({"type": "null"})
    }
}

impl dyn Described + '_ {
    /// The schema of its fields.
    pub fn input(&self) -> Value {
        object(Map::new(), self)
    }
}

/// One kind of action that the fairy's core carries out.
pub trait Action: Described {
    /// What sanitising makes of the model's words.
    type Clean;

    /// `None`: too little is known yet. Of a whole action that means that something is missing.
    fn sanitise(
        &self,
        given: PartialObject<'_>,
        ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Option<Self::Clean>, Refusal>;
    fn apply(&self, clean: &Self::Clean, ctx: &mut ActionContext<'_, '_>)
    -> Result<Shown, Refusal>;
}

/// An [`Action`] whose clean type is nobody else's business.
pub trait AnyAction: Described {
    /// Sanitises and applies as much as is known.
    fn run(
        &self,
        given: PartialObject<'_>,
        ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Option<Shown>, Refusal>;
}

impl<A: Action> AnyAction for A {
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
}

impl dyn AnyAction + '_ {
    pub fn name(&self) -> &'static str {
        self.facts().name
    }

    /// The schema of the action in an answer, told apart by `_type`, with what it is for.
    pub fn schema(&self) -> Value {
        let tag = Map::from_iter([("_type".to_owned(), json!({"const": self.name()}))]);
        let mut schema = object(tag, self);
        schema["description"] = json!(self.facts().about);
        schema
    }

    /// What history keeps of the whole action; `None`: nothing.
    pub fn remember(&self, raw: &Value) -> Option<Remembered> {
        let text = || Some(raw.get("text")?.as_str()?.to_owned());
        let facts = self.facts();
        match (facts.remembered, facts.shows) {
            (Remember::No, _) => None,
            (Remember::AsShown, Shows::Words) => Some(Remembered::Message { text: text()? }),
            (Remember::AsShown, Shows::Thought) => Some(Remembered::Thought { text: text()? }),
            (Remember::AsShown, Shows::Note | Shows::Tool) => {
                Some(Remembered::action(raw.to_string()))
            }
        }
    }
}

impl std::fmt::Debug for dyn AnyAction + '_ {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// Why something is done, which no action needs.
pub const INTENT: &str = "intent";

fn object(mut properties: Map<String, Value>, action: &(impl Described + ?Sized)) -> Value {
    for (field, schema) in action.fields() {
        properties.insert(field.to_owned(), schema);
    }
    let required: Vec<&String> = properties
        .keys()
        .filter(|key| key.as_str() != INTENT && !action.optional().contains(&key.as_str()))
        .collect();
    json!({
        "type": "object",
        "required": required,
        "properties": properties,
        "additionalProperties": false,
    })
}
