//! `cargo xtask soak`: the property tests, for much longer.

use anyhow::{Result, bail};
use clap::Args;

use crate::{shell, tools};

#[derive(Args)]
pub struct Soak {
    /// How many cases each property is tried with
    #[arg(long, default_value_t = 5_000)]
    cases: u32,
    /// Only tests whose name holds this
    filter: Option<String>,
}

impl Soak {
    pub fn run(self) -> Result<()> {
        if !tools::has_cargo_command("nextest") {
            bail!("soak needs cargo-nextest: cargo install cargo-nextest --locked");
        }
        println!(
            "Every property with {} cases; a failing case is printed with its seed and kept",
            self.cases
        );
        let mut command = shell::cargo(["nextest", "run", "--workspace", "--profile", "soak"]);
        command.args(self.filter);
        command.env("PROPTEST_CASES", self.cases.to_string());
        shell::run(&mut command)
    }
}
