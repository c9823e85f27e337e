//! `cargo xtask instructions`: what the hottest paths cost, in instructions.
//!
//! Each path of `bench/src/instructions.rs` is walked under callgrind. The counts are held against
//! `bench/instructions.toml`: more than [`SLACK`] above fails and names the path. `--record` writes the file anew,
//! for a commit that says why.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;

use anyhow::{Context, Result, bail};
use clap::Args;

use crate::{shell, tools};

#[derive(Args)]
pub struct Instructions {
    /// Write down what the paths cost now
    #[arg(long)]
    record: bool,
}

/// By how much a path may cost more than recorded.
const SLACK: f64 = 0.03;
/// As [`SLACK`], for what is better and worth recording.
const BETTER: f64 = -0.03;
const RECORDED: &str = "bench/instructions.toml";
/// The function of `glade-bench` whose instructions are counted.
const COUNTED: &str = "*glade_bench::instructions::counted*";

type Counts = BTreeMap<String, u64>;

impl Instructions {
    /// Without recording, as `cargo xtask test` does it.
    pub fn check() -> Result<()> {
        Self { record: false }.run()
    }

    pub fn run(self) -> Result<()> {
        if cfg!(not(all(target_os = "linux", target_arch = "x86_64"))) {
            println!("  skipped: the recorded counts are of x86-64 on Linux");
            return Ok(());
        }
        let Some(valgrind) = tools::find_valgrind()? else {
            println!("  skipped: there is no valgrind here (on Debian: apt-get install valgrind)");
            return Ok(());
        };
        let counts = count(&valgrind, &build()?)?;
        if self.record {
            return record(&counts);
        }
        let recorded = fs::read_to_string(shell::root().join(RECORDED))
            .with_context(|| format!("reading {RECORDED}"))?;
        let recorded: Counts = toml::from_str(&recorded)?;
        println!("{}", table(&counts, &recorded));
        let dearer = dearer(&counts, &recorded);
        if !dearer.is_empty() {
            bail!(
                "dearer than recorded: {}. If that is meant, record it with `cargo xtask instructions --record`, in a commit \
                 that says why",
                dearer.join(", ")
            );
        }
        Ok(())
    }
}

/// The program that walks the paths, with our own crates optimised as their dependencies are.
///
/// The features are those of everything together, so that no dependency is compiled a second time.
fn build() -> Result<PathBuf> {
    let args = ["build", "--workspace", "--bin", "instructions", "--locked"];
    shell::run(
        shell::cargo(args)
            .env("CARGO_PROFILE_DEV_OPT_LEVEL", "1")
            .env("CARGO_PROFILE_DEV_DEBUG", "false"),
    )?;
    Ok(shell::root().join("target/debug/instructions"))
}

/// Walks every path, as many at a time as there are cores, up to two.
fn count(valgrind: &Path, program: &Path) -> Result<Counts> {
    let cores = thread::available_parallelism().map_or(1, |cores| cores.get().min(2));
    let names = shell::output(&mut Command::new(program))?;
    let names: Vec<&str> = names.lines().collect();
    let mut counts = Counts::new();
    for pair in names.chunks(cores) {
        let found: Vec<Result<u64>> = thread::scope(|scope| {
            let walks: Vec<_> = pair
                .iter()
                .enumerate()
                .map(|(core, name)| scope.spawn(move || count_one(valgrind, program, core, name)))
                .collect();
            let join = |walk: thread::ScopedJoinHandle<'_, Result<u64>>| {
                walk.join().unwrap_or_else(|_| bail!("counting panicked"))
            };
            walks.into_iter().map(join).collect()
        });
        for (name, found) in pair.iter().zip(found) {
            counts.insert((*name).to_owned(), found?);
        }
    }
    Ok(counts)
}

/// On one core: a path that finds more shares its work with threads that are not counted.
fn count_one(valgrind: &Path, program: &Path, core: usize, name: &str) -> Result<u64> {
    let mut command = Command::new("taskset");
    command
        .args(["--cpu-list", &core.to_string()])
        .arg(valgrind)
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(format!("--toggle-collect={COUNTED}"))
        .arg(program)
        .arg(name);
    let output = command
        .output()
        .with_context(|| format!("counting {name}"))?;
    let said = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        bail!("{name} failed under valgrind:\n{said}");
    }
    let count = collected(&said).filter(|count| *count > 0);
    count.with_context(|| format!("valgrind counted nothing for {name}:\n{said}"))
}

/// The line `==7== Collected : 1234` of what callgrind says.
fn collected(said: &str) -> Option<u64> {
    let line = said.lines().find_map(|line| line.split_once("Collected :"));
    line?.1.trim().parse().ok()
}

fn record(counts: &Counts) -> Result<()> {
    let mut text = "# Instructions of the hottest paths; `cargo xtask instructions --record` writes this file.\n".to_owned();
    for (name, count) in counts {
        text.push_str(&format!("{name} = {count}\n"));
    }
    fs::write(shell::root().join(RECORDED), text).with_context(|| format!("writing {RECORDED}"))
}

/// How much more a path costs than recorded, as a share.
fn change(count: u64, recorded: u64) -> f64 {
    count as f64 / recorded as f64 - 1.0
}

/// The paths that cost too much, or of which nothing is recorded.
fn dearer(counts: &Counts, recorded: &Counts) -> Vec<String> {
    let too_much = |name: &str, count: u64| match recorded.get(name) {
        None => Some(format!("{name} (nothing recorded)")),
        Some(recorded) => {
            let change = change(count, *recorded);
            (change > SLACK).then(|| format!("{name} ({:+.1} %)", 100.0 * change))
        }
    };
    let paths = counts.iter();
    paths
        .filter_map(|(name, count)| too_much(name, *count))
        .collect()
}

fn table(counts: &Counts, recorded: &Counts) -> String {
    let row = |(name, count): (&String, &u64)| match recorded.get(name) {
        None => format!("  {name:<24} {count:>14}"),
        Some(before) => {
            let change = change(*count, *before);
            let note = if change < BETTER {
                "  better: worth recording"
            } else {
                ""
            };
            format!("  {name:<24} {count:>14}  {:+.2} %{note}", 100.0 * change)
        }
    };
    counts.iter().map(row).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(of: &[(&str, u64)]) -> Counts {
        of.iter()
            .map(|(name, count)| ((*name).to_owned(), *count))
            .collect()
    }

    #[test]
    fn the_count_is_read_from_what_callgrind_says() {
        let said = "==7== Events    : Ir\n==7== Collected : 123456\n==7==\n";
        assert_eq!(collected(said), Some(123_456));
        assert_eq!(collected("==7== no such line"), None);
    }

    #[test]
    fn a_path_may_cost_a_little_more_and_no_more_than_that() {
        let recorded = counts(&[("a", 1_000), ("b", 1_000), ("c", 1_000)]);
        let now = counts(&[("a", 1_029), ("b", 1_031), ("c", 500), ("d", 1)]);
        assert_eq!(
            dearer(&now, &recorded),
            ["b (+3.1 %)", "d (nothing recorded)"]
        );
    }
}
