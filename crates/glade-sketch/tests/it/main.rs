//! The built-in model through the agent core, onto a page, and on the files of a project.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod changes;
mod code;
mod drawings;
mod flows;
mod page;
mod sticky;
mod streaming;
