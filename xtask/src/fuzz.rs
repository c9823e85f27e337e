//! `cargo xtask soak fuzz`: files, pictures, Markdown, models' answers, tokens, frames, joins, fragments, updates, presence
//! and backups that libFuzzer makes up, led by coverage.
//!
//! The targets are in `fuzz/`, a workspace of its own. Each does what the tests of its crate do with the files of a
//! committed corpus, and begins with those; what it comes to on its way is kept in `fuzz/corpus`, outside of git, for
//! the next time.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::{licences, shell, tools};

/// A target of `fuzz/`.
struct Target {
    name: &'static str,
    /// Where the committed corpus is.
    corpus: &'static str,
    /// The most bytes of a case: enough to say anything, and few enough for thousands of cases a second.
    max_len: u32,
}

const TARGETS: [Target; 11] = [
    Target {
        name: "open",
        corpus: "crates/glade-canvas/tests/corpus",
        max_len: 16_384,
    },
    Target {
        name: "picture",
        corpus: "crates/glade-canvas/tests/pictures",
        max_len: 8_192,
    },
    Target {
        name: "markdown",
        corpus: "crates/glade-text/tests/corpus",
        max_len: 2_048,
    },
    Target {
        name: "actions",
        corpus: "crates/glade-agent/tests/corpus",
        max_len: 2_048,
    },
    Target {
        name: "updates",
        corpus: "crates/glade-doc/tests/corpus/updates",
        max_len: 4_096,
    },
    Target {
        name: "presence",
        corpus: "crates/glade-doc/tests/corpus/presence",
        max_len: 1_024,
    },
    Target {
        name: "tokens",
        corpus: "crates/glade-access/tests/corpus",
        max_len: 2_048,
    },
    Target {
        name: "frames",
        corpus: "crates/glade-server/tests/corpus/frames",
        max_len: 8_192,
    },
    Target {
        name: "joins",
        corpus: "crates/glade-server/tests/corpus/joins",
        max_len: 8_192,
    },
    Target {
        name: "fragments",
        corpus: "crates/glade-server/tests/corpus/fragments",
        max_len: 2_048,
    },
    Target {
        name: "restore",
        corpus: "crates/glade-store/tests/corpus/restore",
        max_len: 1_024,
    },
];

/// No case may take longer, in seconds; one that takes two is said and kept.
const PATIENCE: u32 = 10;
/// Nor more memory than this, in MB, with all that is remembered from case to case.
const MEMORY: u32 = 1_024;

/// Every target in turn, for so many minutes together.
pub fn run(minutes: f64) -> Result<()> {
    licences::check_fuzz()?;
    let cargo_fuzz = tools::need_cargo_fuzz()?;
    let seconds = seconds_each(minutes);
    println!("{} targets, {seconds} s each", TARGETS.len());
    for target in &TARGETS {
        fs::create_dir_all(shell::root().join(found(target)))
            .with_context(|| format!("making {}", found(target)))?;
    }
    let finds: Vec<String> = TARGETS
        .iter()
        .filter_map(|target| shell::run(&mut command(&cargo_fuzz, target, seconds)).err())
        .map(|error| error.to_string())
        .collect();
    if !finds.is_empty() {
        bail!(
            "{}\nA case that does harm is in fuzz/artifacts. Make it small with `cargo fuzz tmin --sanitizer none \
             TARGET FILE`, and put it into the corpus of its target with the mend",
            finds.join("\n")
        );
    }
    Ok(())
}

fn seconds_each(minutes: f64) -> u64 {
    // Never negative, and far from the largest number, by the clamp.
    (minutes * 60.0 / TARGETS.len() as f64).clamp(1.0, 1e9) as u64
}

fn command(cargo_fuzz: &Path, target: &Target, seconds: u64) -> Command {
    // Without a sanitizer it runs on the stable compiler: there is no unsafe code of ours for one to watch.
    let mut command = Command::new(cargo_fuzz);
    command
        .current_dir(shell::root())
        .args(["run", "--sanitizer", "none", target.name])
        .arg(found(target))
        .args([target.corpus, "--"])
        .args([
            format!("-max_total_time={seconds}"),
            format!("-max_len={}", target.max_len),
            format!("-timeout={PATIENCE}"),
            format!("-rss_limit_mb={MEMORY}"),
            "-report_slow_units=2".to_owned(),
            "-print_final_stats=1".to_owned(),
        ]);
    command
}

/// Where libFuzzer keeps what it came to.
fn found(target: &Target) -> String {
    format!("fuzz/corpus/{}", target.name)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn read(path: &str) -> toml::Table {
        let text = fs::read_to_string(shell::root().join(path)).unwrap();
        text.parse().unwrap()
    }

    /// Each package of a lock file with its version.
    fn locked(path: &str) -> BTreeSet<String> {
        let lock = read(path);
        let packages = lock["package"].as_array().unwrap();
        let name = |it: &toml::Value| {
            let [name, version] = ["name", "version"].map(|key| it[key].as_str().unwrap());
            format!("{name} {version}")
        };
        packages.iter().map(name).collect()
    }

    #[test]
    fn every_target_that_is_there_is_run_from_a_corpus_that_is_there() {
        let manifest = read("fuzz/Cargo.toml");
        let there: Vec<&str> = manifest["bin"]
            .as_array()
            .unwrap()
            .iter()
            .map(|bin| bin["name"].as_str().unwrap())
            .collect();
        assert_eq!(TARGETS.map(|target| target.name).to_vec(), there);
        for target in &TARGETS {
            let corpus = shell::root().join(target.corpus);
            assert!(fs::read_dir(corpus).unwrap().next().is_some());
        }
    }

    /// What is fuzzed is what is shipped. After a change to Cargo.lock: copy it to fuzz/ and let `cargo metadata` in
    /// there add the rest.
    #[test]
    fn the_fuzzers_are_built_of_the_versions_that_are_shipped() {
        let more: Vec<String> = locked("fuzz/Cargo.lock")
            .difference(&locked("Cargo.lock"))
            .map(|it| it.split(' ').next().unwrap_or_default().to_owned())
            .collect();
        assert_eq!(more, ["glade-fuzz", "jobserver", "libfuzzer-sys"]);
    }

    #[test]
    fn the_minutes_are_shared_out() {
        assert_eq!(seconds_each(TARGETS.len() as f64), 60);
        assert_eq!(seconds_each(0.0), 1);
    }
}
