//! `cargo xtask serve`: from a clean clone to a running server.

use std::num::NonZero;
use std::process::{Child, Command};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use anyhow::{Result, anyhow, bail};
use clap::Args;

use crate::{shell, tools, web};

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
        tools::need_node()?;
        if web::is_built()? {
            println!("The studio is up to date");
        } else {
            build_both()?;
        }
        println!("Starting the server");
        let mut command = glade("run");
        command.args(["--", "serve"]).args(self.args);
        // The person's folder, not ours: relative paths in ARGS are theirs.
        command.current_dir(std::env::current_dir()?);
        become_it(command)
    }
}

/// The dev profile: its dependencies are optimised a little (Cargo.toml), our own crates not at all. That runs as fast as
/// a person can notice, and a first start waits about half as long as for a release build.
fn glade(task: &str) -> Command {
    let mut command = shell::cargo([task, "--locked", "--package", "glade", "--manifest-path"]);
    command.arg(shell::root().join("Cargo.toml"));
    command
}

/// The studio and the server at once. The crate that embeds the studio waits for it; all others do not.
fn build_both() -> Result<()> {
    println!("Building the studio and, beside it, the server");
    let being_built = web::being_built()?;
    let studio = thread::spawn(move || {
        let built = web::install().and_then(|()| web::build());
        drop(being_built);
        built
    });
    // One more than there are cores: the one that waits for the studio does nothing.
    let jobs = 1 + thread::available_parallelism().map_or(1, NonZero::get);
    let mut command = glade("build");
    command.args(["--jobs", &jobs.to_string()]);
    both(studio, command.spawn()?)
}

/// Waits for both. A studio that cannot be built is said at once, and not after minutes of compiling.
fn both(studio: JoinHandle<Result<()>>, mut server: Child) -> Result<()> {
    while !studio.is_finished() && server.try_wait()?.is_none() {
        thread::sleep(Duration::from_millis(100));
    }
    let failed = server.try_wait()?.is_some_and(|status| !status.success());
    if !failed {
        let built = studio
            .join()
            .unwrap_or_else(|_| Err(anyhow!("building the studio ended in a panic")));
        if let Err(error) = built {
            server.kill()?;
            server.wait()?;
            return Err(error);
        }
    }
    if !server.wait()?.success() {
        bail!("the server could not be built");
    }
    Ok(())
}

/// Turns this process into that one, so that Ctrl-C and the exit status are the
/// server's own and nothing stands between it and the terminal.
#[cfg(unix)]
fn become_it(mut command: Command) -> Result<()> {
    use std::os::unix::process::CommandExt;
    Err(anyhow::Error::new(command.exec()).context("could not start cargo"))
}

#[cfg(not(unix))]
fn become_it(mut command: Command) -> Result<()> {
    shell::run(&mut command)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn sh(script: &str) -> Child {
        Command::new("sh").args(["-c", script]).spawn().unwrap()
    }

    #[test]
    fn whichever_fails_first_ends_the_other_and_is_said() {
        let broken = thread::spawn(|| bail!("no packages"));
        let error = both(broken, sh("exec sleep 60")).unwrap_err();
        assert_eq!(error.to_string(), "no packages");

        let slow = thread::spawn(|| {
            thread::sleep(Duration::from_secs(60));
            Ok(())
        });
        let error = both(slow, sh("exit 3")).unwrap_err();
        assert_eq!(error.to_string(), "the server could not be built");

        both(thread::spawn(|| Ok(())), sh("exit 0")).unwrap();
    }
}
