//! The servers that ours is measured beside: packages at exact versions, named in bench/peers and
//! installed under target/, where they are neither shipped nor checked in.

use std::fs;
use std::process::Command;

use anyhow::{Context, Result};

use crate::shell;
use crate::tools;

/// What is copied beside the packages.
const FILES: [&str; 6] = [
    "package.json",
    "package-lock.json",
    ".npmrc",
    "hocuspocus.mjs",
    "y-websocket.mjs",
    "tldraw.mjs",
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
