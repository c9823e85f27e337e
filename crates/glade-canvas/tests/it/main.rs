//! The crate through its public doors, one module a subject.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod boards;
mod derive;
mod derive_laws;
mod drags;
mod editor;
mod eras;
mod files;
mod geo;
mod hit;
#[path = "../hostile/mangle.rs"]
mod hostile_mangle;
#[path = "../hostile/work.rs"]
mod hostile_work;
mod images;
mod layout;
mod layout_laws;
mod lint;
mod lint_laws;
mod mangled;
mod measured;
mod order;
mod page;
mod render;
mod restored;
mod rough;
mod shapes_page;
mod space;
mod support;
mod text;
mod tldr;
mod vectors;
mod view;
mod widths;
