//! The `glade` binary, as tests and pictures use it.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};

use crate::shell;

/// Compiles the whole workspace with all its tests, `glade` among it.
///
/// One build for everything: `cargo build -p glade` would choose features for
/// that crate alone, differing from those of the tests, and so compile many
/// dependencies twice.
pub fn build_everything() -> Result<()> {
    shell::run(&mut shell::cargo([
        "build",
        "--workspace",
        "--all-targets",
        "--locked",
    ]))
}

/// Where [`build_everything`] put the binary.
pub fn glade() -> Result<PathBuf> {
    let metadata = shell::output(&mut shell::cargo([
        "metadata",
        "--format-version=1",
        "--no-deps",
        "--offline",
    ]))?;
    let metadata: serde_json::Value = serde_json::from_str(&metadata)?;
    let target = metadata["target_directory"]
        .as_str()
        .context("cargo metadata names no target_directory")?;
    let name = format!("glade{}", std::env::consts::EXE_SUFFIX);
    let binary = PathBuf::from(target).join("debug").join(name);
    if !binary.is_file() {
        bail!(
            "the build made no {}; does the crate `glade` still have its binary?",
            binary.display()
        );
    }
    Ok(binary)
}
