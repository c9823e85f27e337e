//! What a fairy wants done. The host carries these out in order, before the next event.

use glade_canvas::{Point, Rect};
use glade_doc::{Edit, ElementId, PageId, RunId, Surface};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Remark;
use crate::agenda::Agenda;
use crate::dialogue::{CallError, Dialogue, ToolCall};
use crate::projects::ProjectCommand;
use crate::{Failure, Mode, Outside, Prompt};

/// One thing to do.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Ask the model; its answer comes back as events that carry the same `step`.
    Ask { step: u32, prompt: Box<Prompt> },
    /// Ask the model to go on with a conversation; what it says and calls comes back as events that
    /// carry the same `step`.
    Converse { step: u32, dialogue: Box<Dialogue> },
    /// Carry these calls out and come back with [`crate::Event::CallsDone`].
    RunCalls { step: u32, calls: Vec<ToolCall> },
    /// Nobody waits for the answer to `step` any more: drop the stream.
    CancelAsk { step: u32 },
    /// Write to the page through the fairy's session: only what differs from what this action has
    /// written before. `name` is the action's kind: the room asks whether the fairy may use it.
    Edit {
        action: u32,
        name: &'static str,
        edits: Vec<Edit>,
    },
    /// The action is whole; its edits stand.
    EndAction { action: u32 },
    /// Take back all that the action wrote (it was cut, or turned out to be wrong).
    Revert { action: u32 },
    /// Go to another page: edits after this one are for it. If that may not be, the host says
    /// [`crate::Event::Refused`] of the action.
    GoTo { action: u32, page: PageId },
    /// Something done in its project, for the board that counts. What ends an answer comes right
    /// before its end: with [`Effect::Wake`] or [`Effect::EndRun`] it is one change. If the board
    /// does not agree, the host says [`crate::Event::Refused`] of the action.
    Project {
        action: u32,
        command: ProjectCommand,
    },
    /// Make a page, and go there if so wished.
    MakePage {
        action: u32,
        name: String,
        surface: Surface,
        go: bool,
    },
    /// Take an item of the page's list on; if somebody else has, the host says
    /// [`crate::Event::Refused`] of the action.
    Claim { action: u32, item: String },
    /// Fetch something from outside and come back with [`crate::Event::Fetched`], in any case before
    /// the end of the answer is told.
    Fetch { action: u32, what: Outside },
    /// Look for words on all pages that it may read and come back with [`crate::Event::Fetched`], as
    /// with what is fetched.
    Search { action: u32, query: String },
    /// Say something about the page through the fairy's session, in no run. If that may not be, the
    /// host says [`crate::Event::Refused`] of the action.
    Comment {
        action: u32,
        name: &'static str,
        remark: Remark,
    },
    /// Something for the chat.
    Say(Say),
    /// The sprite changed.
    Presence(PresenceChange),
    /// Come back with [`crate::Event::Woken`] after so long. (The core has no clock; a duration is
    /// only data.) With 0: as soon as the effects before this one are carried out.
    Wake { step: u32, after_ms: u64 },
    /// The todo list or the tasks changed.
    Agenda(Agenda),
    /// The mode changed.
    Mode { from: Mode, to: Mode },
    /// The run is over.
    EndRun { run: RunId, outcome: Outcome },
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    Done,
    /// A person stopped it.
    Stopped,
    /// A new input took its place.
    Interrupted,
    /// It could not go on.
    Failed(Failure),
}

/// What the chat shows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum Say {
    /// Words to the person. Every `id` gets any number of `Delta`s and then exactly one `End`.
    Text { id: String, piece: Piece },
    /// Thoughts, in the same way.
    Thought { id: String, piece: Piece },
    /// An action, each time replacing what was said of the same action before.
    Action(ActionNote),
    /// How far an action is that finds something out.
    Tool(ToolNote),
    /// A round of tool calls begins.
    StepBegun,
    /// The model's turn in it is over.
    StepOver,
    /// How far a call of a round is.
    Call(CallNote),
}

/// A call of a tool, as the chat hears of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CallNote {
    /// As the model named the call.
    pub id: String,
    pub tool: String,
    pub state: CallState,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub enum CallState {
    Begun,
    /// More of its input.
    Input(String),
    /// Its input is whole.
    Asked(Value),
    /// Its input is nothing that a tool can take.
    Unreadable {
        raw: String,
        why: String,
    },
    Done {
        found: Result<Value, CallError>,
        took_ms: u64,
    },
    /// Nothing comes of it any more.
    GivenUp(String),
}

/// An action that finds something out, as the chat hears of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolNote {
    pub action: u32,
    pub name: String,
    pub state: ToolState,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ToolState {
    /// Its words are being written.
    Begun,
    /// It is whole; this is what it asks.
    Asked(Value),
    Found(Value),
    Failed(String),
}

/// A piece of streamed words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Piece {
    Delta(String),
    End,
    /// The end of thoughts, with the provider's seal on them.
    Sealed(String),
}

/// An action as people see it in the chat.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ActionNote {
    pub action: u32,
    pub name: String,
    pub state: ActionState,
    /// What was done, in words: "drew Order".
    pub label: String,
    pub icon: String,
    pub elements: Vec<ElementId>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ActionState {
    /// Being streamed; what is on the page may still grow or be taken back.
    Partial,
    /// Whole; its edits stand.
    Done,
    /// Not allowed or not possible; the label says why.
    Refused,
    /// Cut off and taken back.
    Reverted,
}

/// How the sprite changes; a field that is `None` stays as it is.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct PresenceChange {
    pub position: Option<Point>,
    pub view: Option<Rect>,
    pub pose: Option<Pose>,
    pub expression: Option<Expression>,
    /// True: the sprite looks to the left.
    pub flip: Option<bool>,
    pub activity: Option<Activity>,
    /// What it is doing, in words; empty: nothing.
    pub doing: Option<String>,
    pub mode: Option<Mode>,
    /// Carry this change out only after so long, and not at all if another change comes first.
    /// (The core has no clock; a duration is only data.)
    pub after_ms: Option<u32>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Pose {
    Idle,
    Thinking,
    Working,
    Celebrating,
    Sleeping,
    Waiting,
    Soaring,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Expression {
    Neutral,
    Curious,
    Focused,
    Happy,
    Sorry,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Activity {
    Generating,
    Idle,
    AwaitingToolResult,
}
