//! What ours is measured beside: packages at exact versions, named in bench/peers and
//! installed under target/, where they are neither shipped nor checked in.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};

use crate::shell;
use crate::tools;

/// What is copied beside the packages.
const FILES: [&str; 8] = [
    "package.json",
    "package-lock.json",
    ".npmrc",
    "hocuspocus.mjs",
    "y-websocket.mjs",
    "tldraw.mjs",
    "parse.mjs",
    "parse.py",
];

/// Installs them if they are not there as bench/peers says.
pub fn install() -> Result<()> {
    tools::need_node()?;
    let from = shell::root().join("bench").join("peers");
    let to = shell::root().join("target").join("bench-peers");
    fs::create_dir_all(&to).with_context(|| format!("making {}", to.display()))?;
    let lock = "package-lock.json";
    let installed = to.join("node_modules").is_dir()
        && fs::read(from.join(lock)).ok() == fs::read(to.join(lock)).ok();
    for file in FILES {
        fs::copy(from.join(file), to.join(file))
            .with_context(|| format!("copying bench/peers/{file}"))?;
    }
    if installed {
        return Ok(());
    }
    let mut npm = Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" });
    npm.args([
        "install",
        "--no-save",
        "--legacy-peer-deps",
        "--no-audit",
        "--no-fund",
    ]);
    shell::run(npm.current_dir(to))
}

/// jiter, from PyPI, in a Python of its own.
pub fn install_jiter() -> Result<()> {
    let home = shell::root()
        .join("target")
        .join("bench-peers")
        .join("venv");
    let python = home.join("bin").join("python");
    if !python.is_file() {
        shell::run(Command::new("python3").args(["-m", "venv"]).arg(&home))?;
    }
    let mut pip = Command::new(python);
    pip.args([
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
    ]);
    shell::run(pip.args(["--only-binary", ":all:", "jiter==0.19.0"]))
}

/// The version that searches are compared with.
const RIPGREP: &str = "15.2.0";

/// ripgrep, built by cargo from crates.io as its makers release it.
pub fn ripgrep() -> Result<PathBuf> {
    let home = shell::root()
        .join("target")
        .join("bench-peers")
        .join("ripgrep");
    let rg = home
        .join("bin")
        .join(if cfg!(windows) { "rg.exe" } else { "rg" });
    if !rg.is_file() {
        let mut install = shell::cargo([
            "install",
            "ripgrep",
            "--locked",
            "--version",
            RIPGREP,
            "--root",
        ]);
        shell::run(install.arg(&home))?;
    }
    Ok(rg)
}
