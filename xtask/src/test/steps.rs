//! The steps of `cargo xtask test`: their order, what they need, what they run.

use anyhow::Result;

use super::{Part, browser, interop, real_model};
use crate::compare::Compare;
use crate::drags::Drags;
use crate::instructions::Instructions;
use crate::{binary, licences, shell, tools, web};

/// One step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    Format,
    Licences,
    Tools,
    Packages,
    Studio,
    WebLint,
    Types,
    WebTests,
    Clippy,
    Build,
    RustTests,
    Instructions,
    Interop,
    Browser,
    Picture,
    RealModel,
}

impl Step {
    /// All steps of a check, in the order they run. A real model is not among them: it is a
    /// download of 100 MB.
    pub const ALL: [Self; 15] = [
        Self::Format,
        Self::Tools,
        Self::Packages,
        Self::Licences,
        Self::Studio,
        Self::WebLint,
        Self::Types,
        Self::WebTests,
        Self::Clippy,
        Self::Build,
        Self::RustTests,
        Self::Instructions,
        Self::Interop,
        Self::Browser,
        Self::Picture,
    ];

    /// The steps that check these parts, with those they need, in order.
    pub fn plan(parts: &[Part]) -> Vec<Self> {
        if parts.is_empty() {
            return Self::ALL.to_vec();
        }
        let known = Self::ALL.into_iter().chain([Self::RealModel]);
        let wanted: Vec<Self> = parts.iter().flat_map(|part| Self::of(*part)).collect();
        known
            .filter(|step| {
                wanted
                    .iter()
                    .any(|it| it == step || it.needs().contains(step))
            })
            .collect()
    }

    /// The steps a part is made of.
    fn of(part: Part) -> Vec<Self> {
        match part {
            Part::Format => vec![Self::Format],
            Part::Clippy => vec![Self::Clippy],
            Part::Licences => vec![Self::Licences],
            Part::Rust => vec![Self::RustTests],
            Part::Instructions => vec![Self::Instructions],
            Part::Web => vec![Self::WebLint, Self::Types, Self::WebTests],
            Part::Interop => vec![Self::Interop],
            Part::Browser => vec![Self::Browser],
            Part::Picture => vec![Self::Picture],
            Part::RealModel => vec![Self::RealModel],
        }
    }

    /// The steps that must come before, all of them.
    fn needs(self) -> &'static [Self] {
        match self {
            Self::Format
            | Self::Licences
            | Self::Tools
            | Self::Packages
            | Self::Clippy
            | Self::Build
            | Self::Instructions => &[],
            Self::Studio | Self::WebLint | Self::Types | Self::WebTests => &[Self::Packages],
            // The simulator of rooms runs the studio's sessions in Node.
            Self::RustTests => &[Self::Packages, Self::Build],
            Self::Interop | Self::RealModel => &[Self::Packages, Self::Studio, Self::Build],
            Self::Browser | Self::Picture => {
                &[Self::Tools, Self::Packages, Self::Studio, Self::Build]
            }
        }
    }

    /// The name under which a person can repeat this step.
    pub fn part(self) -> &'static str {
        match self {
            Self::Format => "format",
            Self::Clippy => "clippy",
            Self::Licences => "licences",
            Self::Build | Self::RustTests => "rust",
            Self::Instructions => "instructions",
            Self::Packages | Self::WebLint | Self::Types | Self::WebTests => "web",
            Self::Interop => "interop",
            Self::RealModel => "real-model",
            Self::Tools | Self::Studio | Self::Browser => "browser",
            Self::Picture => "picture",
        }
    }

    pub fn title(self) -> &'static str {
        match self {
            Self::Format => "formatting",
            Self::Licences => "licences and sources of dependencies",
            Self::Tools => "a browser for the browser tests",
            Self::Packages => "the studio's packages",
            Self::Studio => "the studio's build",
            Self::WebLint => "the studio's formatting and lints",
            Self::Types => "the studio's types",
            Self::WebTests => "the studio's unit tests",
            Self::Clippy => "lints",
            Self::Build => "the build of everything",
            Self::RustTests => "Rust tests",
            Self::Instructions => "instructions of the hottest paths",
            Self::Interop => "npm Loro clients and a fake provider against the server",
            Self::Browser => "the story in a browser",
            Self::Picture => "our pictures and drags beside the editor's",
            Self::RealModel => "a real model draws",
        }
    }

    pub fn run(self) -> Result<()> {
        match self {
            Self::Format => ["Cargo.toml", "fuzz/Cargo.toml"]
                .iter()
                .try_for_each(|manifest| {
                    let args = ["fmt", "--all", "--check", "--manifest-path", manifest];
                    shell::run(&mut shell::cargo(args))
                }),
            Self::Licences => licences::check(),
            Self::Tools => tools::need_chromium().map(|chromium| {
                println!("  using {}", chromium.display());
            }),
            Self::Packages => web::install(),
            Self::Studio => web::build(),
            Self::WebLint => shell::run(&mut shell::npm(["run", "--silent", "lint"])),
            Self::Types => shell::run(&mut shell::npm(["run", "--silent", "typecheck"])),
            Self::WebTests => shell::run(&mut shell::npm(["run", "--silent", "test"])),
            Self::Clippy => shell::run(&mut shell::cargo([
                "clippy",
                "--workspace",
                "--all-targets",
                "--locked",
                "--",
                "-D",
                "warnings",
            ])),
            Self::Build => binary::build_everything(),
            Self::RustTests => rust_tests(),
            Self::Instructions => Instructions::check(),
            Self::Interop => interop(),
            Self::Browser => browser(),
            Self::Picture => Compare::quick()
                .judge()
                .and_then(|()| Drags::quick().judge()),
            Self::RealModel => real_model::run(),
        }
    }
}

fn rust_tests() -> Result<()> {
    if tools::has_cargo_command("nextest") {
        shell::run(&mut shell::cargo([
            "nextest",
            "run",
            "--workspace",
            "--locked",
            "--profile",
            "ci",
        ]))?;
    } else {
        println!("  cargo-nextest is not here: using cargo test, which is slower");
        shell::run(&mut shell::cargo([
            "test",
            "--workspace",
            "--all-targets",
            "--locked",
        ]))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_named_means_everything_in_order() {
        assert_eq!(Step::plan(&[]), Step::ALL);
    }

    #[test]
    fn a_part_brings_what_it_needs_and_no_more() {
        assert_eq!(
            Step::plan(&[Part::Rust]),
            [Step::Packages, Step::Build, Step::RustTests]
        );
        assert_eq!(
            Step::plan(&[Part::Web]),
            [Step::Packages, Step::WebLint, Step::Types, Step::WebTests]
        );
        assert_eq!(
            Step::plan(&[Part::Browser]),
            [
                Step::Tools,
                Step::Packages,
                Step::Studio,
                Step::Build,
                Step::Browser
            ]
        );
    }

    #[test]
    fn a_real_model_is_asked_only_when_named() {
        assert!(!Step::ALL.contains(&Step::RealModel));
        let steps = Step::plan(&[Part::RealModel]);
        assert_eq!(steps.last(), Some(&Step::RealModel));
    }

    #[test]
    fn parts_named_together_share_their_steps() {
        assert_eq!(
            Step::plan(&[Part::Browser, Part::Interop, Part::Rust]),
            [
                Step::Tools,
                Step::Packages,
                Step::Studio,
                Step::Build,
                Step::RustTests,
                Step::Interop,
                Step::Browser
            ]
        );
    }

    #[test]
    fn every_step_comes_after_what_it_needs_and_belongs_to_a_part() {
        for (at, step) in Step::ALL.iter().enumerate() {
            for needed in step.needs() {
                assert!(
                    Step::ALL[..at].contains(needed),
                    "{step:?} before {needed:?}"
                );
            }
            let part = <Part as clap::ValueEnum>::from_str(step.part(), false).unwrap();
            assert!(
                Step::plan(&[part]).contains(step),
                "{step:?} is not in {part:?}"
            );
        }
    }
}
