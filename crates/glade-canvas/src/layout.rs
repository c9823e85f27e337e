//! Arranging shapes as a careful person would: one operation a file, all in page space.
//!
//! Every operation takes a scene and the shapes it is about, and gives the edits that carry it out, those that
//! follow from it (labels, growing containers, bound arrows) included. Nothing to do gives no edits.
//!
//! # What an id stands for
//!
//! - A label stands for its container: it follows from it.
//! - A frame takes what is in it along when it moves; its own box is what is measured.
//! - A group may be named by its id, and is then one thing. A member named by its own id is moved alone.
//! - An id that nothing live has is left out; an id named twice counts once.
//!
//! A shape is measured by the upright box around it as drawn, so a rotated shape lines up where it is seen. An
//! arrow that is bound at an end lies where its shapes are, and is not arranged for itself.

mod align;
mod distribute;
mod fit_text;
mod move_by;
mod move_to;
mod nudge_apart;
mod order;
mod place;
mod resize;
mod rotate;
mod shift;
mod stack;
mod tidy;
mod unit;

pub use align::{Alignment, align};
pub use distribute::distribute;
pub use fit_text::fit_text;
pub use move_by::{move_by, move_together};
pub use move_to::{Anchor, move_to};
pub use nudge_apart::nudge_apart;
pub use order::{above, below, bring_to_front, send_to_back};
pub use place::{AlignTo, Side, place};
pub use resize::resize;
pub use rotate::rotate;
pub use stack::stack;
pub use tidy::tidy;

use serde::{Deserialize, Serialize};

use crate::geometry::Rect;

/// Along which axis shapes are arranged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    Horizontal,
    Vertical,
}

impl Direction {
    fn start(self, rect: &Rect) -> f64 {
        match self {
            Self::Horizontal => rect.x,
            Self::Vertical => rect.y,
        }
    }

    fn length(self, rect: &Rect) -> f64 {
        match self {
            Self::Horizontal => rect.w,
            Self::Vertical => rect.h,
        }
    }

    /// A move by `distance` along this axis.
    fn along(self, distance: f64) -> (f64, f64) {
        match self {
            Self::Horizontal => (distance, 0.0),
            Self::Vertical => (0.0, distance),
        }
    }
}
