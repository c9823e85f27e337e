//! What there is to know of an action but how it is carried out, as data: every table, schema, menu
//! and catalogue is derived from it, and none of it is written down a second time.

use serde::Serialize;

use glade_doc::Surface;

use crate::budget::MAX_MADE;
use crate::mode::Mode;
use crate::plugins::Plugin;

/// The facts of one action. What has no safe default is asked for by [`Facts::new`].
#[derive(Debug, Clone)]
pub struct Facts {
    /// As models, scopes and tokens name it.
    pub name: &'static str,
    /// Shown beside it where there is no drawing of it.
    pub icon: &'static str,
    /// One line for a prompt.
    pub about: &'static str,
    pub on: On,
    pub work: Work,
    pub impact: Impact,
    pub runs: Runs,
    pub shows: Shows,
    pub remembered: Remember,
    /// The plugin of text pages that it belongs to.
    pub plugin: Option<&'static Plugin>,
    /// The modes that it leads from and to.
    pub leads: &'static [(Mode, Mode)],
    /// Partials are carried out; otherwise only the whole action is.
    pub live: bool,
    /// A refusal of it ends the answer at once: what follows would build on what is not so.
    pub interrupts: bool,
    /// A person may want to be asked first.
    pub asks_first: bool,
    /// The same again in one run is a repetition, and left out.
    pub once: bool,
    /// After it the same may well be done again: elsewhere, or where it was taken away.
    pub makes_room: bool,
    /// The most that one of it may make.
    pub most_made: usize,
    /// Names that it had: what is stored under them, and allowed by them, is still understood.
    pub formerly: &'static [&'static str],
}

/// Where an action makes sense.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum On {
    /// Any page.
    Any,
    Canvas,
    Text,
    /// The code project.
    Code,
}

/// What an action is part of. A mode says which kinds of work it has: that makes its menu.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Work {
    Think,
    Speak,
    /// Looking around, here and elsewhere.
    Look,
    /// What answers a single request, besides editing.
    Answer,
    KeepTodos,
    Edit,
    /// Planning alone.
    Plan,
    /// A task of its own plan.
    OwnTask,
    /// A task of a project that another leads.
    ProjectTask,
    /// A task of the duo that it leads itself.
    DuoTask,
    Lead,
    LeadDuo,
    Await,
    /// A kind that a binary of one's own adds, for modes of its own.
    Added(&'static str),
}

/// What an action does to the world; what it needs of a capability follows from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Impact {
    /// It speaks, or keeps the fairy's own notes.
    Own,
    Reads,
    Comments,
    Edits,
    /// It reaches outside of the machine.
    Reaches,
}

/// What an action needs of a capability, besides the right to be there at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Need {
    Nothing,
    Read,
    /// To comment, with this tool.
    Comment,
    /// To edit, with this tool.
    Edit,
}

/// Where an action is carried out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Runs {
    Server,
    Browser,
    Elsewhere,
}

/// How a chat shows an action.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Shows {
    /// As words to the person.
    Words,
    /// As words to itself.
    Thought,
    /// As a note of what was done.
    Note,
    /// As a tool, with what it found out.
    Tool,
}

/// Whether the history keeps an action.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Remember {
    /// As what it shows as: words, thoughts, or the action as it was written with what it changed.
    AsShown,
    /// Not: every prompt shows what it changed.
    No,
}

impl Facts {
    /// An action of the server that is noted in the chat, remembered, and carried out once it is whole.
    pub const fn new(
        name: &'static str,
        icon: &'static str,
        about: &'static str,
        on: On,
        work: Work,
        impact: Impact,
    ) -> Self {
        Self {
            name,
            icon,
            about,
            on,
            work,
            impact,
            runs: Runs::Server,
            shows: Shows::Note,
            remembered: Remember::AsShown,
            plugin: None,
            leads: &[],
            live: false,
            interrupts: false,
            asks_first: false,
            once: false,
            makes_room: false,
            most_made: MAX_MADE,
            formerly: &[],
        }
    }

    #[must_use]
    pub const fn shows(mut self, shows: Shows) -> Self {
        self.shows = shows;
        self
    }

    #[must_use]
    pub const fn remembered(mut self, remembered: Remember) -> Self {
        self.remembered = remembered;
        self
    }

    #[must_use]
    pub const fn plugin(mut self, plugin: &'static Plugin) -> Self {
        self.plugin = Some(plugin);
        self
    }

    #[must_use]
    pub const fn leads(mut self, leads: &'static [(Mode, Mode)]) -> Self {
        self.leads = leads;
        self
    }

    #[must_use]
    pub const fn live(mut self) -> Self {
        self.live = true;
        self
    }

    #[must_use]
    pub const fn interrupts(mut self) -> Self {
        self.interrupts = true;
        self
    }

    #[must_use]
    pub const fn asks_first(mut self) -> Self {
        self.asks_first = true;
        self
    }

    #[must_use]
    pub const fn once(mut self) -> Self {
        self.once = true;
        self
    }

    #[must_use]
    pub const fn makes_room(mut self) -> Self {
        self.makes_room = true;
        self
    }

    #[must_use]
    pub const fn formerly(mut self, names: &'static [&'static str]) -> Self {
        self.formerly = names;
        self
    }

    /// Whether a fairy's scope decides about it: it changes a page or the workspace, or reaches
    /// outside. The rest only speaks, looks around or keeps the fairy's own notes.
    pub fn is_scoped(&self) -> bool {
        matches!(
            self.impact,
            Impact::Comments | Impact::Edits | Impact::Reaches
        )
    }

    pub fn needs(&self) -> Need {
        match self.impact {
            Impact::Own => Need::Nothing,
            Impact::Reads => Need::Read,
            Impact::Comments => Need::Comment,
            Impact::Edits | Impact::Reaches => Need::Edit,
        }
    }

    /// Whether it is called so, or was.
    pub fn is_called(&self, name: &str) -> bool {
        self.name == name || self.formerly.contains(&name)
    }

    /// Whether it only says something.
    pub fn speaks(&self) -> bool {
        matches!(self.shows, Shows::Words | Shows::Thought)
    }
}

impl On {
    /// Whether it makes sense on such a page.
    pub fn fits(self, surface: Surface) -> bool {
        match (self, surface) {
            (On::Any, _) | (On::Canvas, Surface::Canvas) | (On::Text, Surface::Text) => true,
            (On::Canvas | On::Text | On::Code, _) => false,
        }
    }
}
