#![allow(clippy::unwrap_used, clippy::expect_used)]

mod commonmark;
mod growth;
mod hostile;
mod html;
mod markdown;
#[path = "../hostile/work.rs"]
mod work;
