//! The geometry of a canvas page, without a browser.
//!
//! A fairy on the server must measure what people measure and arrange things where people see them. This crate
//! is how: pure functions over a [`Scene`], the elements of a page in memory. No IO, no clock, no randomness;
//! the same scene gives the same answer on every machine.
//!
//! # How it fits together
//!
//! ```text
//!  document ──refresh──▶ Scene ──▶ view, full     what a model sees
//!                          │──▶ space             where there is room
//!      an edit of mine ──▶ │──▶ derive            what follows from it: text sizes, label places,
//!                          │                      container growth, arrows that follow
//!                          │──▶ layout            the edits that arrange shapes
//!                          │──▶ lint              what to put right, in words
//!                          └──▶ repair, file      what an editor or a file is given
//!  a file ──▶ file::from_any ──▶ elements, and notes on what was repaired or left out
//! ```
//!
//! - [`element`] reads properties with the editor's defaults; [`bounds`] and [`outline`] say where an element is,
//!   [`hit`] what is at a place. A scene keeps its elements' places in a grid, so that neither costs the whole page.
//! - [`factory`] makes new elements as the editor would; [`palette`] and [`geo`] translate a model's words.
//! - [`text`] measures and wraps with the shipped fonts; [`label`] and [`note`] place text in containers.
//! - [`binding`] routes arrows between elements; [`order`] makes z-order keys.
//! - [`derive()`] runs the last three over everything near a change.
//! - [`layout`] aligns, distributes, stacks, places, resizes, rotates and orders shapes; what follows is included.
//!
//! # Invariants
//!
//! - **Nothing panics on odd input.** Missing, mistyped, NaN or huge properties read as defaults or are clamped,
//!   in [`element`], once. Unknown properties and kinds pass through untouched.
//! - **Deriving is idempotent**: after applying what [`derive()`] gives, it gives nothing.
//! - **The editor agrees.** Every rule that the editor also applies (wrapping, label places, growth, arrow ends,
//!   order keys) follows the editor's, and a difference within a font engine's or curve's tolerance is left
//!   standing, so that two writers never correct each other for ever.
//! - **Repair is a projection**: [`repair`] never produces edits.
#![deny(clippy::disallowed_methods)]
#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, clippy::unwrap_used, clippy::expect_used)
)]

pub mod binding;
pub mod bounds;
mod change;
pub mod contrast;
mod curve;
pub mod derive;
pub mod diagram;
pub mod element;
pub mod factory;
pub mod file;
mod font;
pub mod full;
pub mod geo;
pub mod geometry;
pub mod hit;
mod index;
mod kind;
pub mod label;
pub mod layout;
pub mod lint;
pub mod note;
pub mod order;
pub mod outline;
pub mod palette;
pub mod render;
pub mod repair;
pub mod scene;
pub mod space;
pub mod text;
pub mod view;
mod wrap;

pub use derive::derive;
pub use element::{
    BindMode, Binding, BindingOwner, Element, ElementKind, TextAlign, VerticalAlign,
};
pub use geo::{GeoKind, ShapeKind};
pub use geometry::{Point, Rect, Size};
pub use palette::{Color, Fill};
pub use scene::{Scene, rewritten};
pub use text::FontFamily;
