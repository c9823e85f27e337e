//! `sketch`: the built-in model. No key, no network, the same answer every time.
//!
//! It reads only the prompt, as every model does, but its typed parts rather than their print; it
//! answers with the same JSON through the same stream, a word at a time. What it can do it does by
//! rules, one file each: `flow` (boxes and arrows), `mind_map`, `table`, `timeline`, `board`, `notes`
//! (sticky notes), `one` and `several` (shapes), `writing` (text), `picture` (a house, a cat), `arrange`
//! (rows, grids, edges), `change` (recolour, rename, move, delete), `text` (on a text page), `team`
//! (leading a project, and working for one), [`code`] (in a code project). For anything else it says
//! plainly what it is.
//!
//! It is the demo for people without a key, the test double and the load generator.
//!
//! # Invariants
//!
//! - It draws nothing over what it was shown, binds both ends of every arrow, and answers the same
//!   prompt always with the same text.
//! - It knows nothing but its prompt: no page, no server, no other request.
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod answer;
mod arrange;
mod arrows;
mod board;
mod change;
pub mod code;
mod flow;
mod layout;
mod mind_map;
mod model;
mod names;
mod notes;
mod one;
mod outline;
mod picture;
mod several;
mod sight;
mod table;
mod team;
mod text;
mod timeline;
mod ways;
mod wording;
mod writing;

pub use answer::answer;
pub use model::SketchModel;
