#![allow(clippy::unwrap_used, clippy::expect_used)]

mod commonmark;
mod markdown;
