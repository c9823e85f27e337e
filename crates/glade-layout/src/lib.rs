//! Where the boxes and lines of a diagram go.
//!
//! [`Structure`] says what there is: nodes with their measured sizes, edges with their labels, nested groups, a [`Kind`]
//! and a [`Direction`]. [`layout()`] says where everything goes, as a [`Layout`]; [`update()`] does so after another layout,
//! so that little moves. What cannot be done as it was asked for is said ([`Problem`]).
//!
//! # How it works
//!
//! 1. [`graph`] resolves every name, or refuses: from there on all is by index.
//! 2. An engine for the kind ([`flow`], [`tree`], [`sequence`], [`timeline`], [`grid`]) places nodes and groups, and says
//!    how lines would best run: a [`draft`]. Engines flow downwards; [`turn`] makes the other directions of it.
//! 3. [`pins`] puts what must stay where it must be, and [`overlap`] moves what is then in the way.
//! 4. [`route`] is one router for all of them: what an engine proposed if it is clear of boxes, else a way that is searched;
//!    then labels, on their lines and on nothing else.
//!
//! The layered engine ([`layered`]) is the largest: cycles ([`layered::acyclic`]), layers ([`layered::rank`]), order,
//! places across and along the flow.
//!
//! - *Invariant:* pure: no clock, no chance, no trigonometry of the platform in what decides. The same structure has the
//!   same layout, and names decide nothing: a tie goes to what was given first.
//! - *Invariant:* what the engines place does not overlap, what is in a group lies in it, and no edge goes through a box.
//!   Where that cannot be (pins), it is among the problems.
//! - *Invariant:* sizes are given, never guessed; numbers that are none are refused where they are made.
#![deny(clippy::disallowed_methods)]
#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, clippy::unwrap_used, clippy::expect_used)
)]

mod block;
mod chance;
pub mod curve;
mod draft;
mod error;
mod flow;
mod geometry;
mod graph;
mod grid;
mod layered;
mod outcome;
mod overlap;
mod pack;
mod parts;
mod pins;
mod place;
mod route;
mod separate;
mod sequence;
mod structure;
mod timeline;
mod tree;
mod turn;

pub use error::LayoutError;
pub use geometry::{FARTHEST, Point, Rect, Side, Size};
pub use outcome::{
    Frame, Label, Layout, Placed, PlacedEdge, PlacedGroup, Problem, Route, SequenceMarks,
};
pub use place::{layout, update};
pub use structure::{
    Beside, Direction, Edge, End, Group, Id, Kind, Node, Port, Routing, Spacing, Step, Structure,
};
