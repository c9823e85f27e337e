//! What follows from a change of a board, for whoever holds it.

use glade_canvas::Rect;

use crate::mode::Mode;

/// One thing to do with a member.
#[derive(Debug, Clone, PartialEq)]
pub enum Order {
    /// Interrupt it: it works on this from now on, a task or (an orchestrator) the whole project.
    Work {
        fairy: String,
        mode: Mode,
        task: Option<String>,
        message: String,
        page: String,
        bounds: Option<Rect>,
    },
    /// Let it know: at once when it rests, after its current answer when it is at work.
    Wake {
        fairy: String,
        mode: Mode,
        message: String,
        bounds: Option<Rect>,
    },
    /// Stop what it does; it rests in this mode.
    Rest { fairy: String, mode: Mode },
    /// The task that it works on lies elsewhere now.
    Rescope { fairy: String },
}

impl Order {
    pub fn fairy(&self) -> &str {
        match self {
            Order::Work { fairy, .. }
            | Order::Wake { fairy, .. }
            | Order::Rest { fairy, .. }
            | Order::Rescope { fairy } => fairy,
        }
    }
}
