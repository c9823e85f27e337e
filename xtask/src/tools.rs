//! The programs that must be there, and what to do when they are not.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::shell;

/// The oldest Node that Vite and the tests run on.
const NODE_MAJOR: u32 = 20;

/// Node and npm, or a message that says what to install.
pub fn need_node() -> Result<()> {
    let version = shell::output(Command::new("node").arg("--version")).with_context(|| {
        format!("the studio needs Node.js {NODE_MAJOR} or newer with npm; install it (https://nodejs.org, or your system's packages) and run this again")
    })?;
    if node_major(&version).is_none_or(|major| major < NODE_MAJOR) {
        bail!(
            "the studio needs Node.js {NODE_MAJOR} or newer; `node --version` says {}",
            version.trim()
        );
    }
    shell::output(&mut shell::npm(["--version"]))
        .context("Node.js is here but npm is not; install npm and run this again")?;
    Ok(())
}

fn node_major(version: &str) -> Option<u32> {
    let version = version.trim().strip_prefix('v')?;
    version.split('.').next()?.parse().ok()
}

/// A Chromium for the browser tests. `CHROMIUM` names one; otherwise it is
/// looked for, and installed where that is plainly wanted: as root on a machine
/// with apt-get, which is what CI is.
pub fn need_chromium() -> Result<PathBuf> {
    if let Some(chosen) = env::var_os("CHROMIUM") {
        let chosen = PathBuf::from(chosen);
        if !chosen.is_file() {
            bail!("CHROMIUM is {}, which is no file", chosen.display());
        }
        return Ok(chosen);
    }
    if let Some(found) = find_chromium() {
        return Ok(found);
    }
    if may_install() {
        install(&["chromium"])?;
        if let Some(found) = find_chromium() {
            return Ok(found);
        }
    }
    bail!(
        "the browser tests need Chromium or Chrome; install it (on Debian: apt-get install chromium), \
         or set CHROMIUM to its path"
    )
}

/// Whether packages of the system can be installed without asking: as root, where there is apt-get.
fn may_install() -> bool {
    find("apt-get").is_some() && is_root()
}

fn install(packages: &[&str]) -> Result<()> {
    let apt = |args: &[&str]| {
        let mut command = Command::new("apt-get");
        command.args(args).env("DEBIAN_FRONTEND", "noninteractive");
        shell::run(&mut command)
    };
    apt(&["update", "-q"])?;
    apt(&[
        &["install", "-q", "-y", "--no-install-recommends"],
        packages,
    ]
    .concat())
}

/// Valgrind, which counts instructions; `None` where it is not and cannot be installed.
pub fn find_valgrind() -> Result<Option<PathBuf>> {
    if find("valgrind").is_none() && may_install() {
        install(&["valgrind"])?;
    }
    Ok(find("valgrind"))
}

fn find_chromium() -> Option<PathBuf> {
    let mac = Path::new("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome");
    let names = [
        "chromium",
        "chromium-browser",
        "google-chrome",
        "google-chrome-stable",
    ];
    names
        .into_iter()
        .find_map(find)
        .or_else(|| mac.is_file().then(|| mac.to_owned()))
}

/// The cargo-fuzz that is installed where there is none.
const CARGO_FUZZ: &str = "0.13.2";

/// cargo-fuzz: the person's own, or one in the target folder.
pub fn need_cargo_fuzz() -> Result<PathBuf> {
    let root = shell::root().join("target").join("tools");
    let ours = root
        .join("bin")
        .join(format!("cargo-fuzz{}", env::consts::EXE_SUFFIX));
    if let Some(found) = find("cargo-fuzz").or_else(|| ours.is_file().then(|| ours.clone())) {
        return Ok(found);
    }
    let install = ["install", "--locked", "cargo-fuzz", "--version", CARGO_FUZZ];
    shell::run(shell::cargo(install).arg("--root").arg(root))?;
    Ok(ours)
}

/// Whether `cargo NAME` is there.
pub fn has_cargo_command(name: &str) -> bool {
    find(&format!("cargo-{name}")).is_some()
}

/// A program on the path.
fn find(program: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    let name = format!("{program}{}", env::consts::EXE_SUFFIX);
    env::split_paths(&path)
        .map(|folder| folder.join(&name))
        .find(|file| file.is_file())
}

fn is_root() -> bool {
    shell::output(Command::new("id").arg("-u")).is_ok_and(|id| id.trim() == "0")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_major_version_of_node_is_read_from_what_it_prints() {
        assert_eq!(node_major("v20.20.2\n"), Some(20));
        assert_eq!(node_major("v9.11.0"), Some(9));
        assert_eq!(node_major("nonsense"), None);
    }
}
