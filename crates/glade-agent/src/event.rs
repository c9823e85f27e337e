//! What happens to a fairy. The host turns the world (chat messages, model streams, refusals of the
//! room, a person's Stop) into these values; nothing else reaches the core.

use std::collections::BTreeSet;

use glade_canvas::{Point, Rect, Scene, lint};
use glade_doc::{ElementId, PageId, RunId};
use serde::{Deserialize, Serialize};

use crate::dialogue::{CallEvent, CallResult, Dialogue};
use crate::diff::Diff;
use crate::failure::Failure;
use crate::mode::Mode;
use crate::projects::Board;
use crate::request::{ContextItem, Request};

/// Read access to the page at this instant.
///
/// The host shows the page *with* every effect of earlier steps applied (edits merged, reverts
/// rolled back), so the core never has to guess which of its own edits have landed. Edits that it
/// makes within one [`crate::Agent::step`] it remembers itself.
#[derive(Clone, Copy)]
pub struct World<'a> {
    pub scene: &'a Scene,
    pub page: &'a PageId,
    /// The time, as people write it; the core has no clock.
    pub time: Option<&'a str>,
    /// The pages of the workspace that the fairy may see.
    pub pages: &'a [PageInfo],
    /// What people did on the page since the fairy's last step, oldest first.
    pub user_actions: &'a [UserAction],
    /// The model that will be asked can look at pictures.
    pub images: bool,
    /// The other fairies that it may know of.
    pub others: &'a [OtherFairy],
    /// The project that the fairy is in, if it is in one. Most of what happens to a fairy needs none of it, so it is
    /// looked up when somebody asks.
    pub board: &'a BoardLook<'a>,
    /// What is to be done on the page and nobody has taken on.
    pub open_items: &'a [OpenItem],
    /// What was said about the page, oldest first.
    pub comments: &'a [Comment],
    /// The first and the last block that it may change, if not all of a text page.
    pub part: Option<&'a (ElementId, ElementId)>,
    /// Where on the page it may change something, if not everywhere.
    pub area: Option<Rect>,
    /// Looks for what is wrong with a page. Without one, no lints are shown.
    pub lints: Option<&'a Linter<'a>>,
    /// The runs that whoever asks may know of: what the fairy remembers of others stays out of the
    /// prompt. Absent: all.
    pub visible_runs: Option<&'a BTreeSet<RunId>>,
}

/// Looks a fairy's project up; the same one however often it is asked.
pub type BoardLook<'a> = dyn Fn() -> Option<&'a Board> + 'a;

/// Looks for what is wrong with the shapes that reach into an area of a page.
pub type Linter<'a> = dyn Fn(&Scene, &Rect) -> Vec<Lint> + 'a;

impl<'a> World<'a> {
    /// A page, and nothing known besides.
    pub fn new(scene: &'a Scene, page: &'a PageId) -> Self {
        Self {
            scene,
            page,
            time: None,
            pages: &[],
            user_actions: &[],
            images: false,
            others: &[],
            board: &|| None,
            open_items: &[],
            comments: &[],
            part: None,
            area: None,
            lints: None,
            visible_runs: None,
        }
    }
}

impl std::fmt::Debug for World<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("World")
            .field("page", &self.page)
            .finish_non_exhaustive()
    }
}

/// A page as a fairy hears of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PageInfo {
    pub id: PageId,
    pub name: String,
}

/// Another fairy, as far as this one may know.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OtherFairy {
    pub id: String,
    pub name: String,
    pub mode: String,
    pub page: PageId,
    pub position: Point,
    /// The title of the task that it works on, if any.
    pub task: String,
}

/// Something on the page's list of things to do that nobody has taken on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OpenItem {
    pub id: String,
    pub text: String,
}

/// Something that somebody said about the page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Comment {
    pub id: String,
    /// What it is pinned to.
    pub element: Option<ElementId>,
    /// The name of whoever said it.
    pub by: String,
    pub text: String,
    /// The comment that it answers.
    pub parent: Option<String>,
    pub resolved: bool,
}

/// What one person did, from the room's own attribution.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct UserAction {
    /// Their name.
    pub by: String,
    pub diff: Diff,
}

/// Something that looks wrong on a page: text that overflows, an arrow with a loose end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Lint {
    /// In a word: `text-overflow`.
    pub kind: String,
    pub shapes: Vec<ElementId>,
    /// In a sentence, for the model.
    pub message: String,
}

impl From<lint::Lint> for Lint {
    fn from(found: lint::Lint) -> Self {
        Self {
            kind: found.kind.name().to_owned(),
            shapes: found.ids,
            message: found.suggestion,
        }
    }
}

/// One thing that happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum Event {
    /// A new input. It interrupts whatever runs (the host has fenced the session and rolled back the
    /// unfinished action already) and starts a run. `seed` is the host's entropy for element ids and
    /// the roughness of strokes: the core has none of its own.
    Prompt { run: RunId, input: Input, seed: u64 },
    /// An input that waits its turn: an idle fairy starts a run with it at once; a busy one merges it
    /// with what waits already and takes it up after its current answer (`run` and `seed` are unused then).
    Schedule { run: RunId, input: Input, seed: u64 },
    /// A piece of the model's answer to `step`.
    Delta { step: u32, text: String },
    /// A piece of the model's own thinking, where it has such a channel.
    Thinking { step: u32, text: String },
    /// The answer to `step` ended.
    Answered {
        step: u32,
        usage: Usage,
        stop: StopReason,
    },
    /// What `step` has cost, where that is known.
    Spent { step: u32, usd: f64 },
    /// The request of `step` failed; no more of it will come.
    Failed {
        step: u32,
        failure: Failure,
        retryable: bool,
    },
    /// A new input that is answered in rounds of tool calls. It interrupts whatever runs, as a prompt
    /// does; what the conversation was so far, and which tools there are, the host says.
    Converse {
        run: RunId,
        input: Input,
        dialogue: Box<Dialogue>,
        seed: u64,
    },
    /// The provider's seal on what was thought in `step` since the last one.
    Sealed { step: u32, signature: String },
    /// A tool is called in the answer to `step`.
    Call { step: u32, call: CallEvent },
    /// What became of the calls of [`crate::Effect::RunCalls`].
    CallsDone { step: u32, results: Vec<CallResult> },
    /// The time that [`crate::Effect::Wake`] asked for has passed.
    Woken { step: u32 },
    /// The room refused an edit of `action` and has rolled the whole action back.
    Refused { action: u32, reason: String },
    /// What [`crate::Effect::Fetch`] asked for, or why it could not be had. It comes before the
    /// answer's end.
    Fetched {
        action: u32,
        found: Result<serde_json::Value, String>,
    },
    /// A person pressed Stop. The host has fenced the session and rolled back the open action.
    Stop,
    /// The host came back after a crash and has rolled back what the step under way had done: it
    /// is asked again, as it was at its beginning. `seed` is new: ids of what was rolled back are
    /// not used twice.
    Resume { seed: u64 },
    /// A person kept what a run did, or took it back.
    Settled { run: RunId, kept: bool },
    /// Go to sleep: what runs ends as by Stop.
    Sleep,
    /// Get up again; of a fairy that is not asleep, nothing.
    GetUp,
    /// Its project wants it to rest in this mode. The host has fenced the session and rolled back the
    /// open action.
    Rest { mode: Mode },
    /// Somebody put the sprite there.
    Moved { to: Point },
    /// Begin anew: the run ends as by Stop, and the chat, its names, its origin, todos and tasks are
    /// forgotten.
    Reset,
}

/// What a run is asked to do.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Input {
    pub message: String,
    pub page: Option<PageId>,
    /// What the person sees, in page coordinates.
    pub bounds: Option<Rect>,
    pub selection: Vec<ElementId>,
    /// What the person picked for it to look at.
    pub context_items: Vec<ContextItem>,
    /// What is to be known besides, as data.
    pub data: Vec<serde_json::Value>,
    /// The only parts that the prompt may have, by name; the messages are always among them.
    pub parts: Option<Vec<String>>,
    /// The model to ask, if not the fairy's usual one.
    pub model: Option<String>,
    /// The mode to work in, if not the one that the mode table says.
    pub mode: Option<Mode>,
    pub source: Source,
    /// It is an order of the fairy's project, good for as long as the project wants it in that mode.
    pub ordered: bool,
}

impl Input {
    /// Takes in a later input for the same turn: words, selection, context items and data append;
    /// bounds, parts, model, mode and source are the later one's.
    pub fn merge(&mut self, later: Input) {
        if !self.message.is_empty() && !later.message.is_empty() {
            self.message.push_str("\n\n");
        }
        self.message.push_str(&later.message);
        let was_ordered = self.ordered;
        let mut request = Request::from(std::mem::take(self));
        let (page, mode) = (later.page.clone(), later.mode);
        let ordered = was_ordered && later.ordered;
        let message = std::mem::take(&mut request.messages).concat();
        request.merge(Request::from(Input {
            message: String::new(),
            ..later
        }));
        *self = Input {
            message,
            page,
            mode,
            bounds: request.bounds,
            selection: request.selection,
            context_items: request.context_items,
            data: request.data,
            parts: request.parts,
            model: request.model,
            source: request.source,
            ordered,
        };
    }

    /// A message from a person who points at nothing in particular.
    pub fn message(text: impl Into<String>) -> Self {
        Self {
            message: text.into(),
            ..Self::default()
        }
    }
}

/// Who asks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Source {
    #[default]
    User,
    #[serde(rename = "self")]
    Own,
    OtherAgent,
}

/// Tokens a step cost.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Usage {
    pub input_tokens: u64,
    pub output_tokens: u64,
}

/// Why a model stopped answering.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StopReason {
    #[default]
    Stop,
    Length,
    ContentFilter,
    Other,
}
