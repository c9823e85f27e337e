#![allow(clippy::unwrap_used, clippy::expect_used)]

mod commonmark;
mod files;
mod growth;
mod hostile;
mod html;
mod markdown;
mod models;
mod tables;
mod vectors;
#[path = "../hostile/work.rs"]
mod work;
