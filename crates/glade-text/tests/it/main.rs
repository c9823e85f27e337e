#![allow(clippy::unwrap_used, clippy::expect_used)]

mod commonmark;
mod growth;
mod hostile;
mod html;
mod markdown;
mod tables;
mod vectors;
#[path = "../hostile/work.rs"]
mod work;
