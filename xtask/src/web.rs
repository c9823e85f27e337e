//! The studio: its packages and its build.

use std::fs::{self, File};
use std::path::PathBuf;

use anyhow::{Context, Result, bail};

use crate::{shell, stamp, tools};

const INSTALL: &str = "install";
const BUILD: &str = "build";

/// Installs exactly what package-lock.json says, unless that is there already.
pub fn install() -> Result<()> {
    tools::need_node()?;
    let web = shell::web();
    let hash = stamp::hash(&[web.join("package-lock.json"), web.join("package.json")])?;
    if stamp::is_current(INSTALL, &hash) {
        println!("  the studio's packages are up to date");
        return Ok(());
    }
    // Not `npm ci`: it refuses a lock file without the builds of optional packages for all other
    // systems, which a registry's mirror may not have. This installs the locked versions as well,
    // checks them against the same hashes, and leaves the lock file as it is.
    shell::run(&mut shell::npm([
        "install",
        "--no-save",
        "--no-audit",
        "--no-fund",
        "--loglevel=error",
    ]))?;
    stamp::keep(INSTALL, &hash)
}

/// Whether the studio is built from the sources as they are.
pub fn is_built() -> Result<bool> {
    Ok(stamp::is_current(BUILD, &built_from(&sources()?)?))
}

/// While this is held, whoever wants to embed the studio waits (`crates/glade-studio/build.rs`).
pub fn being_built() -> Result<File> {
    let lock = stamp::folder().join("build.lock");
    fs::create_dir_all(stamp::folder())?;
    let lock = File::create(&lock).with_context(|| format!("making {}", lock.display()))?;
    lock.lock()?;
    Ok(lock)
}

/// Builds web/dist, unless it was built from these very sources.
pub fn build() -> Result<()> {
    let sources = sources()?;
    if stamp::is_current(BUILD, &built_from(&sources)?) {
        println!("  the studio's build is up to date");
        return Ok(());
    }
    shell::run(&mut shell::npm([
        "run",
        "--silent",
        "build",
        "--",
        "--logLevel",
        "warn",
    ]))?;
    let page = shell::web().join("dist").join("index.html");
    if !page.is_file() {
        bail!("the studio's build succeeded but made no web/dist/index.html");
    }
    stamp::keep(BUILD, &built_from(&sources)?)
}

/// The sources together with the page that was made of them: the server's build
/// script may have put a placeholder there, and someone may have built by hand.
fn built_from(sources: &[PathBuf]) -> Result<String> {
    let page = shell::web().join("dist").join("index.html");
    Ok(format!(
        "{}-{}",
        stamp::hash(sources)?,
        stamp::hash(&[page])?
    ))
}

/// Everything in web/ that can change the build: all of it but what is
/// installed, made or only for tests.
fn sources() -> Result<Vec<PathBuf>> {
    let web = shell::web();
    let entries = fs::read_dir(&web).with_context(|| format!("reading {}", web.display()))?;
    // The rules for elements are the server's too, and lie there.
    let mut sources = vec![shell::root().join("crates/glade-doc/src/element-rules.json")];
    for entry in entries {
        let entry = entry?;
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let made = ["node_modules", "dist", "tests", "test-results"].contains(&name.as_ref());
        if !made && !name.starts_with('.') {
            sources.push(entry.path());
        }
    }
    sources.sort();
    Ok(sources)
}
