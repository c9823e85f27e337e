//! `cargo xtask drags`: what follows from a drag in the real editor, and what we make of it.
//!
//! A mouse and a keyboard work on random scenes in the pinned editor, in a browser; the Rust test that compares reads
//! what came of it. The tests run a recording that is committed; this makes a new one, of any seed.

use anyhow::Result;
use clap::Args;

use crate::{shell, tools, web};

#[derive(Args)]
pub struct Drags {
    /// Which random scenes and gestures
    #[arg(long, default_value_t = 4711)]
    seed: u32,
    /// How many gestures
    #[arg(long, default_value_t = 90)]
    rounds: u32,
    /// Keep the recording as the one that the tests run
    #[arg(long)]
    keep: bool,
}

impl Drags {
    /// A few gestures of a seed that the committed recording does not have.
    pub fn quick() -> Self {
        Self {
            seed: 815,
            rounds: 20,
            keep: false,
        }
    }

    pub fn run(self) -> Result<()> {
        web::install()?;
        self.judge()
    }

    /// With the studio's packages there.
    pub fn judge(&self) -> Result<()> {
        let chromium = tools::need_chromium()?;
        let tests = shell::root().join("crates/glade-canvas/tests");
        let recording = if self.keep {
            tests.join("it/fixtures/drags.json")
        } else {
            shell::root().join("target/drags.json")
        };
        let mut record = shell::node();
        record
            .arg(tests.join("oracle/drag.mjs"))
            .arg(&recording)
            .args([self.seed.to_string(), self.rounds.to_string()])
            .env("CHROMIUM", chromium);
        shell::run(&mut record)?;
        // The whole workspace, of which everything is built already: alone, the crate would want its
        // dependencies with other features, and minutes for them.
        let mut compare = shell::cargo(["test", "--quiet", "--workspace", "--test", "it"]);
        compare
            .arg("what_follows_from_a_drag")
            .env("GLADE_DRAGS", recording);
        shell::run(&mut compare)
    }
}
