//! `cargo xtask soak`: the property tests and the simulator, for much longer.

use anyhow::{Result, bail};
use clap::Args;

use crate::{fuzz, shell, tools};

#[derive(Args)]
pub struct Soak {
    /// How many cases each property is tried with
    #[arg(long, default_value_t = 5_000)]
    cases: u32,
    /// How many worlds the simulator of rooms lives through
    #[arg(long, default_value_t = 10_000)]
    seeds: u64,
    /// How many mangled files are tried
    #[arg(long, default_value_t = 100_000)]
    mangled: u64,
    /// How many minutes `soak fuzz` takes
    #[arg(long, default_value_t = 20.0)]
    minutes: f64,
    /// Only tests whose name holds this; `fuzz` is the fuzz targets
    filter: Option<String>,
}

impl Soak {
    pub fn run(self) -> Result<()> {
        if self.filter.as_deref() == Some("fuzz") {
            return fuzz::run(self.minutes);
        }
        if !tools::has_cargo_command("nextest") {
            bail!("soak needs cargo-nextest: cargo install cargo-nextest --locked");
        }
        println!(
            "Every property with {} cases, {} simulated worlds, {} mangled files; a failing case is printed with its seed",
            self.cases, self.seeds, self.mangled
        );
        let mut command = shell::cargo(["nextest", "run", "--workspace", "--profile", "soak"]);
        command.args(self.filter);
        command.env("PROPTEST_CASES", self.cases.to_string());
        command.env("GLADE_SIM_SEEDS", self.seeds.to_string());
        command.env("GLADE_MANGLED", self.mangled.to_string());
        command.env("GLADE_SOAK", "1");
        shell::run(&mut command)
    }
}
