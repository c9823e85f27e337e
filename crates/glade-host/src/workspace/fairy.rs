//! A fairy as people see and set it, and how that lies in its row.

use std::collections::BTreeSet;
use std::time::{Duration, UNIX_EPOCH};

use glade_access::{AccessError, Capability, Narrower, Op, Region, WORKSPACE};
use glade_agent::{Agenda, Limits, action};
use glade_canvas::{Point, Rect};
use glade_store::{FairyRow, Unreadable};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

use crate::rooms::TextRange;
use crate::stored::{self, Cell};

#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Fairy {
    pub id: String,
    pub name: String,
    /// What it is doing now: `idling`, `one-shotting`, …
    pub mode: String,
    pub page: String,
    pub model: String,
    /// The model in words for people.
    pub model_label: String,
    pub sign: String,
    pub hat: String,
    pub hat_color: String,
    pub color: String,
    pub position: Point,
    #[schema(value_type = Vec<glade_agent::agenda::Todo>)]
    pub todos: Vec<serde_json::Value>,
    #[schema(value_type = Vec<Object>)]
    pub tasks: Vec<serde_json::Value>,
    pub runs: Vec<String>,
    #[serde(flatten)]
    pub settings: FairySettings,
}

/// What people set about a fairy, beside how it looks.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct FairySettings {
    /// Its character, in a sentence or two.
    #[schema(required)]
    pub personality: String,
    /// It plans a request as tasks before it draws.
    #[schema(required)]
    pub plan_first: bool,
    /// What it does needs nobody to keep it.
    #[schema(required)]
    pub keep_at_once: bool,
    #[schema(required)]
    pub scope: Scope,
    /// What one run of it may cost.
    #[schema(required)]
    pub limits: Limits,
}

/// The limits of a fairy: each that is absent limits nothing. They are a capability, which the room
/// asks for every change.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct Scope {
    /// The pages that it may see and change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pages: Option<BTreeSet<String>>,
    /// Where on a page it may change something.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub region: Option<Rect>,
    /// The actions that change a page or reach outside which it may use.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub actions: Option<BTreeSet<String>>,
    /// The only part of a text page that it may change: it moves with the text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub range: Option<TextRange>,
    /// The only files and folders of the code project that it may reach.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub paths: Option<BTreeSet<String>>,
    /// Milliseconds since 1970; from then on it may change nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<i64>,
}

impl FairySettings {
    pub fn of(row: &FairyRow) -> Result<Self, Unreadable> {
        let cell = Cell {
            table: "fairy",
            key: &row.id,
            column: "settings_json",
        };
        cell.exact(&row.settings_json)
    }

    /// As the row has them.
    pub fn written(&self) -> String {
        stored::written(self)
    }
}

impl Scope {
    /// What a fairy of this scope may do, under its own name: read, edit and comment, and no more than this.
    pub fn capability(&self, fairy: &str) -> Result<Capability, AccessError> {
        let expires_at = self.expires_at.map(|ms| {
            let since = u64::try_from(ms).unwrap_or(0);
            UNIX_EPOCH + Duration::from_millis(since)
        });
        let narrower = Narrower {
            ops: Some([Op::Read, Op::Edit, Op::Comment].into()),
            pages: self.pages.clone(),
            tools: self.actions.clone(),
            region: self
                .region
                .map(|rect| Region::around(rect.x, rect.y, rect.w, rect.h)),
            expires_at,
            ..Narrower::default()
        };
        Capability::local(WORKSPACE, &format!("fairy:{fairy}"))?.narrow(&narrower)
    }

    /// The same in the code project: the files that it may reach there, and what it may do to them.
    pub fn capability_on_code(&self, fairy: &str, now_ms: i64) -> Result<Capability, AccessError> {
        let mut project = BTreeSet::from(Op::PROJECT);
        if self.expires_at.is_some_and(|at| at <= now_ms) {
            project.remove(&Op::Edit);
        }
        let usable = |only: &BTreeSet<String>| {
            let facts = action::OF_CODE.iter().map(|action| action.facts());
            let may = facts.filter(|it| !it.is_scoped() || only.contains(it.name));
            may.map(|it| it.name.to_owned()).collect()
        };
        let narrower = Narrower {
            project,
            paths: self.paths.clone(),
            tools: self.actions.as_ref().map(usable),
            ..Narrower::default()
        };
        Capability::local(WORKSPACE, &format!("fairy:{fairy}"))?.narrow(&narrower)
    }

    pub fn has_page(&self, page: &str) -> bool {
        self.pages.as_ref().is_none_or(|pages| pages.contains(page))
    }
}

impl Fairy {
    /// Shows what the fairy means to do, after a start as while it works.
    pub fn show_agenda(&mut self, agenda: &Agenda) {
        self.todos = agenda.todos.iter().map(|todo| json!(todo.told())).collect();
        self.tasks = agenda.tasks.iter().map(|task| json!(task)).collect();
    }

    pub fn from_row(row: &FairyRow) -> Result<Self, Unreadable> {
        Ok(Self {
            id: row.id.clone(),
            name: row.name.clone(),
            mode: "idling".to_owned(),
            page: row.page.clone(),
            model: row.model.clone(),
            model_label: row.model.clone(),
            sign: row.sign.clone(),
            hat: row.hat.clone(),
            hat_color: row.hat_color.clone(),
            color: row.color.clone(),
            position: Unreadable::json("fairy", &row.id, "position_json", &row.position_json)?,
            todos: Vec::new(),
            tasks: Vec::new(),
            runs: Vec::new(),
            settings: FairySettings::of(row)?,
        })
    }

    /// What the model is told of its character.
    pub fn character(&self) -> &str {
        match self.settings.personality.as_str() {
            "" => &self.sign,
            personality => personality,
        }
    }
}
