//! A fairy's presence: what its sprite shows, kept whole and sent when it changes.

use glade_agent::{Activity, Expression, Mode, Pose, PresenceChange};
use glade_canvas::{Point, Rect};
use loro::LoroValue;
use serde::Serialize;

use crate::workspace::Fairy;

#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FairyPresence {
    subject: String,
    name: String,
    kind: &'static str,
    color: String,
    fairy: String,
    hat: String,
    hat_color: String,
    cursor: Point,
    pub position: Point,
    viewport: Option<Rect>,
    selection: Vec<String>,
    pose: Pose,
    expression: Expression,
    flip: bool,
    activity: Activity,
    doing: String,
    mode: Mode,
}

impl FairyPresence {
    pub fn new(fairy: &Fairy) -> Self {
        Self {
            subject: format!("fairy:{}", fairy.id),
            name: fairy.name.clone(),
            kind: "fairy",
            color: fairy.color.clone(),
            fairy: fairy.id.clone(),
            hat: fairy.hat.clone(),
            hat_color: fairy.hat_color.clone(),
            cursor: fairy.position,
            position: fairy.position,
            viewport: None,
            selection: Vec::new(),
            pose: Pose::Idle,
            expression: Expression::Neutral,
            flip: false,
            activity: Activity::Idle,
            doing: String::new(),
            mode: Mode::Idling,
        }
    }

    /// Takes over how the fairy looks.
    pub fn dress(&mut self, fairy: &Fairy) {
        self.name.clone_from(&fairy.name);
        self.color.clone_from(&fairy.color);
        self.hat.clone_from(&fairy.hat);
        self.hat_color.clone_from(&fairy.hat_color);
    }

    pub fn change(&mut self, change: PresenceChange) {
        let PresenceChange {
            position,
            view,
            pose,
            expression,
            flip,
            activity,
            doing,
            mode,
            after_ms: _,
        } = change;
        if let Some(position) = position {
            self.position = position;
            self.cursor = position;
        }
        if view.is_some() {
            self.viewport = view;
        }
        set(&mut self.pose, pose);
        set(&mut self.expression, expression);
        set(&mut self.flip, flip);
        set(&mut self.activity, activity);
        set(&mut self.doing, doing);
        set(&mut self.mode, mode);
    }

    pub fn value(&self) -> LoroValue {
        serde_json::to_value(self).map_or(LoroValue::Null, LoroValue::from)
    }
}

fn set<T>(field: &mut T, value: Option<T>) {
    if let Some(value) = value {
        *field = value;
    }
}
