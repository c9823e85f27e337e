//! `cargo xtask bench [NAME]`: the measurements in bench/.
//!
//! Each is a program, `bench/src/bin/NAME.rs`, whose first documentation line
//! says what it measures. They print what they measured; some also write it to
//! bench/results/. What a measurement needs besides itself is in [`peers`]; two
//! checkouts are measured in turn by [`beside`].

mod beside;
mod peers;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use clap::Args;

use crate::{shell, tools, web};

#[derive(Args)]
pub struct Bench {
    /// Which measurement to run; without it, lists them
    name: Option<String>,
    /// Another checkout, an older one: both in turn, and what ours costs for what that one did
    #[arg(long, value_name = "CHECKOUT")]
    beside: Option<PathBuf>,
    /// How often, with --beside
    #[arg(long, default_value_t = 10)]
    pairs: usize,
    /// Handed on to the measurement
    #[arg(
        trailing_var_arg = true,
        allow_hyphen_values = true,
        value_name = "ARGS"
    )]
    args: Vec<String>,
}

/// One program in bench/.
#[derive(Debug, PartialEq, Eq)]
struct Measurement {
    name: String,
    about: String,
}

impl Bench {
    pub fn run(self) -> Result<()> {
        if let Some(other) = &self.beside {
            return beside::run(other, self.pairs, self.name.as_deref());
        }
        let folder = shell::root().join("bench").join("src").join("bin");
        let measurements = list(&folder)?;
        let Some(name) = self.name.clone() else {
            println!("Measurements (run one with `cargo xtask bench NAME`):");
            for Measurement { name, about } in measurements {
                println!("  {name:<16} {about}");
            }
            return Ok(());
        };
        if !measurements.iter().any(|it| it.name == name) {
            bail!("there is no measurement {name:?}; `cargo xtask bench` lists them");
        }
        let mut needs = Vec::new();
        match name.as_str() {
            "sync" | "text" => peers::install()?,
            "parse" => {
                peers::install()?;
                peers::install_jiter()?;
            }
            "code" => needs = vec!["--ripgrep".into(), peers::ripgrep()?.into_os_string()],
            "render" => web::install()?,
            "studio" => {
                web::install()?;
                web::build()?;
            }
            _ => {}
        }
        // Together: apart, each would choose features of its own for what both need.
        let both = ["--package", "glade", "--package", "glade-bench"];
        shell::run(shell::cargo(["build", "--release"]).args(both))?;
        let mut command = Command::new(shell::root().join("target/release").join(&name));
        if ["render", "studio"].contains(&name.as_str()) {
            command.env("CHROMIUM", tools::need_chromium()?);
        }
        command.args(needs).args(self.args);
        shell::run(command.current_dir(shell::root()))
    }
}

fn list(folder: &Path) -> Result<Vec<Measurement>> {
    if !folder.is_dir() {
        bail!("there are no measurements yet: bench/src/bin does not exist");
    }
    let entries = fs::read_dir(folder).context("reading bench/src/bin")?;
    let mut found = Vec::new();
    for entry in entries {
        let path = entry?.path();
        let Some(name) = path.file_stem().and_then(|stem| stem.to_str()) else {
            continue;
        };
        if path.extension().is_some_and(|extension| extension == "rs") {
            let source = fs::read_to_string(&path)?;
            found.push(Measurement {
                name: name.to_owned(),
                about: about(&source),
            });
        }
    }
    found.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(found)
}

/// The first line of a program's documentation.
fn about(source: &str) -> String {
    let line = source.lines().find_map(|line| line.strip_prefix("//! "));
    line.unwrap_or("(says nothing about itself)").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measurements_are_listed_by_name_with_their_first_line() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
        write("sync.rs", "//! Updates a second.\n//! More.\n");
        write("parse.rs", "fn main() {}\n");
        write("notes.md", "//! not a program");
        let expected = [
            ("parse", "(says nothing about itself)"),
            ("sync", "Updates a second."),
        ];
        let expected = expected.map(|(name, about)| Measurement {
            name: name.to_owned(),
            about: about.to_owned(),
        });
        assert_eq!(list(folder.path()).unwrap(), expected);
    }

    #[test]
    fn no_measurements_is_an_error_that_says_where_they_go() {
        let folder = tempfile::tempdir().unwrap();
        let error = list(&folder.path().join("bin")).unwrap_err();
        assert!(error.to_string().contains("no measurements yet"));
    }
}
