//! `cargo xtask serve`: from a clean clone to a running server.

use anyhow::Result;
use clap::Args;

use crate::{shell, web};

#[derive(Args)]
pub struct Serve {
    /// Handed on to `glade serve`, for example --listen 127.0.0.1:0
    #[arg(
        trailing_var_arg = true,
        allow_hyphen_values = true,
        value_name = "ARGS"
    )]
    args: Vec<String>,
}

impl Serve {
    pub fn run(self) -> Result<()> {
        if !shell::root().join("target/debug/glade").is_file() {
            println!(
                "The first start builds everything, which takes some minutes; later ones take seconds.\n\
                 Meanwhile: docs/guide.md says what one can do, docs/architecture.md how it works.\n"
            );
        }
        println!("Preparing the studio");
        web::install()?;
        web::build()?;

        println!("Building and starting the server");
        // The dev profile: its dependencies are optimised a little (Cargo.toml),
        // our own crates not at all. That runs as fast as a person can notice,
        // and a first start waits about half as long as for a release build.
        let manifest = shell::root().join("Cargo.toml");
        let mut command =
            shell::cargo(["run", "--locked", "--package", "glade", "--manifest-path"]);
        command.arg(manifest).args(["--", "serve"]).args(self.args);
        // The person's folder, not ours: relative paths in ARGS are theirs.
        command.current_dir(std::env::current_dir()?);
        become_it(command)
    }
}

/// Turns this process into that one, so that Ctrl-C and the exit status are the
/// server's own and nothing stands between it and the terminal.
#[cfg(unix)]
fn become_it(mut command: std::process::Command) -> Result<()> {
    use std::os::unix::process::CommandExt;
    Err(anyhow::Error::new(command.exec()).context("could not start cargo"))
}

#[cfg(not(unix))]
fn become_it(mut command: std::process::Command) -> Result<()> {
    shell::run(&mut command)
}
