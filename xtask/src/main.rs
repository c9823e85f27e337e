//! This repository's own commands: `cargo xtask NAME`.
//!
//! Everything a newcomer, a contributor or CI needs to do with this repository
//! is a subcommand here, so that there is one way to do it and it works from a
//! clean clone. Nothing here is part of the product.
//!
//! - [`serve`]: build all and run the server.
//! - [`mod@test`]: everything CI checks, in order, stopping at the first failure.
//! - [`mod@bench`], [`soak`]: measurements, long property runs and fuzzing ([`fuzz`]).
//! - [`instructions`]: what the hottest paths cost, beside what they cost when it was last recorded.
//! - [`types`]: the studio's types, printed from the OpenAPI document.
//! - [`compare`], [`drags`]: our pictures, and what follows from a drag, beside the editor's own.
//! - [`pictures`]: the pictures in the documentation, taken of the real thing.

#![allow(clippy::print_stdout)] // its output is for the person at the terminal
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod bench;
mod binary;
mod compare;
mod drags;
mod fuzz;
mod instructions;
mod licences;
mod pictures;
mod serve;
mod shell;
mod soak;
mod stamp;
mod test;
mod tools;
mod types;
mod web;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(
    name = "cargo xtask",
    bin_name = "cargo xtask",
    about = "Glade's own tasks"
)]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Build the studio and the server, and run `glade serve` with ARGS
    Serve(serve::Serve),
    /// Check everything CI checks, or only the parts named
    Test(test::Test),
    /// Run a measurement from bench/, or list them
    Bench(bench::Bench),
    /// Count the instructions of the hottest paths, and hold them against what was recorded
    Instructions(instructions::Instructions),
    /// Print the studio's types of the server's answers from the OpenAPI document
    Types,
    /// Run the property tests for much longer than `test` does
    Soak(soak::Soak),
    /// Draw scenes with the editor and with ours, and say how alike they are
    Compare(compare::Compare),
    /// Drag shapes in the real editor, and say whether ours follow as its do
    Drags(drags::Drags),
    /// Take the pictures in docs/pictures again
    Pictures(pictures::Pictures),
}

fn main() -> ExitCode {
    let outcome = match Cli::parse().task {
        Task::Serve(task) => task.run(),
        Task::Test(task) => task.run(),
        Task::Bench(task) => task.run(),
        Task::Instructions(task) => task.run(),
        Task::Types => types::write(),
        Task::Soak(task) => task.run(),
        Task::Compare(task) => task.run(),
        Task::Drags(task) => task.run(),
        Task::Pictures(task) => task.run(),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("\nxtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}
