#![allow(clippy::unwrap_used, clippy::expect_used, clippy::disallowed_methods)]

mod draw;
mod gallery;
mod laws;
mod odd;
mod plain;
mod speed;
