//! The fairy through its public doors.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod arranging;
mod budgets;
mod catalogue;
mod commenting;
mod conversation;
mod defects;
mod diagram_gallery;
mod diagrams;
mod drawing;
mod finding_out;
mod hands;
mod interrupt;
mod looping;
mod modes_page;
mod parser;
mod parts;
mod plugins;
mod project_memory;
mod projects;
mod prompt;
mod room;
mod rounds;
mod snapshots;
#[path = "../hostile/stream.rs"]
mod stream;
mod team_sim;
mod tidying;
mod truth;
mod waiting;
mod writing;
