//! Running other programs: shown before they run, checked after.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

/// The root of the repository, wherever xtask is called from. `cargo run` says which checkout it
/// runs for; what was compiled in may be another one's, where checkouts share a target folder.
pub fn root() -> PathBuf {
    let xtask = std::env::var_os("CARGO_MANIFEST_DIR")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    xtask.parent().unwrap_or(&xtask).to_owned()
}

/// The studio's folder.
pub fn web() -> PathBuf {
    root().join("web")
}

/// The cargo that runs us, in the root of the repository.
///
/// Without what it told us of ourselves: build scripts that ask for it (ring's does) would run again whenever cargo is
/// called from here after it was called by hand, and everything above them would be compiled again.
pub fn cargo<I: AsRef<OsStr>>(args: impl IntoIterator<Item = I>) -> Command {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(args).current_dir(root());
    for (name, _) in std::env::vars_os() {
        let told = name.to_string_lossy();
        if told.starts_with("CARGO_PKG_") || told.starts_with("CARGO_MANIFEST_") {
            command.env_remove(name);
        }
    }
    command
}

/// npm, in the studio's folder.
pub fn npm<I: AsRef<OsStr>>(args: impl IntoIterator<Item = I>) -> Command {
    let mut command = Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" });
    command.args(args).current_dir(web());
    command
}

/// A program from the studio's packages, never one fetched on the fly.
pub fn npx<I: AsRef<OsStr>>(args: impl IntoIterator<Item = I>) -> Command {
    let mut command = Command::new(if cfg!(windows) { "npx.cmd" } else { "npx" });
    command.arg("--no-install").args(args).current_dir(web());
    command
}

/// The Node that package-lock.json pins, in the studio's folder.
pub fn node() -> Command {
    let node = web()
        .join("node_modules")
        .join("node")
        .join("bin")
        .join(format!("node{}", std::env::consts::EXE_SUFFIX));
    let mut command = Command::new(node);
    command.current_dir(web());
    command
}

/// Shows a command, runs it to its end, and fails if it fails.
pub fn run(command: &mut Command) -> Result<()> {
    let line = show(command);
    println!("  $ {line}");
    let status = command
        .status()
        .with_context(|| format!("could not start `{line}`"))?;
    if !status.success() {
        bail!("`{line}` failed ({status})");
    }
    Ok(())
}

/// What a command prints; fails, with its complaint, if it fails.
pub fn output(command: &mut Command) -> Result<String> {
    let line = show(command);
    let output = command
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("could not start `{line}`"))?;
    if !output.status.success() {
        let complaint = String::from_utf8_lossy(&output.stderr);
        bail!("`{line}` failed ({}): {}", output.status, complaint.trim());
    }
    String::from_utf8(output.stdout).with_context(|| format!("`{line}` printed no text"))
}

/// A command as a person would type it: the program by its name, not its path.
fn show(command: &Command) -> String {
    let program = Path::new(command.get_program());
    let mut words = vec![
        program
            .file_stem()
            .unwrap_or(program.as_os_str())
            .to_string_lossy()
            .into_owned(),
    ];
    words.extend(
        command
            .get_args()
            .map(|arg| arg.to_string_lossy().into_owned()),
    );
    words.join(" ")
}
