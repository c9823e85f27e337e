#![allow(clippy::unwrap_used, clippy::expect_used)]

mod admitting;
mod batches;
mod comments;
mod compacting;
mod corpus;
mod editing;
mod happenings;
mod hostile;
mod judging;
mod laws;
mod page_load;
mod refusing;
mod reopening;
mod support;
mod text_pages;
mod undoing;
mod undoing_layers;
mod undoing_text;
mod whole;
#[path = "../hostile/work.rs"]
mod work;
mod world;
