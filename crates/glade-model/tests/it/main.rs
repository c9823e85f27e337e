//! The embedded model through the agent core, onto a page.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod changes;
mod flows;
mod page;
mod sticky;
mod streaming;
