//! Whether the pages of a folder can be opened, found out in a process of its own.
//!
//! A backup may come from anywhere, and Loro believes what a snapshot claims: one that asks for more
//! memory than there is ends the process that reads it. So a restore lets another process, with
//! little memory and little time, open every page first. A server then only reads what was read.

use std::fs::File;
use std::io::{Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use clap::Args;
use glade_doc::{PageDoc, Surface};
use glade_store::Archive;

/// What the command is called.
pub const NAME: &str = "try-pages";

/// Enough for the largest pages that people have made, many times over.
#[cfg(unix)]
const MEMORY: u64 = 2 << 30;
/// No restore takes longer than this beside copying.
const PATIENCE: Duration = Duration::from_secs(600);
const LOOK: Duration = Duration::from_millis(20);

#[derive(Args)]
pub struct TryPages {
    data: PathBuf,
}

/// Opens every page of the folder; says its id before it does.
pub fn run(args: &TryPages) -> anyhow::Result<()> {
    limit_memory()?;
    let archive = Archive::open(&args.data)?;
    let mut out = std::io::stdout();
    for (page, kind) in archive.kinds()? {
        writeln!(out, "{page}")?;
        out.flush()?;
        let stored = archive.document(&page)?;
        let snapshot = stored.snapshot.as_deref();
        let surface =
            Surface::of_kind(&kind).with_context(|| format!("page {page} is a {kind:?}"))?;
        let doc = PageDoc::open(surface, snapshot, &stored.updates)?;
        doc.elements();
        doc.comments();
    }
    Ok(())
}

/// Has another process open every page of the folder.
pub fn check(folder: &Path) -> anyhow::Result<()> {
    let own = std::env::current_exe().context("this program does not know where it is")?;
    let mut said = tempfile::tempfile().context("no scratch file could be made")?;
    let mut child = Command::new(own)
        .arg(NAME)
        .arg(folder)
        .stdin(Stdio::null())
        .stdout(said.try_clone()?)
        .stderr(Stdio::null())
        .spawn()
        .context("the pages could not be tried")?;
    let started = Instant::now();
    let ended = loop {
        match child.try_wait()? {
            Some(ended) => break Some(ended),
            None if started.elapsed() > PATIENCE => break None,
            None => std::thread::sleep(LOOK),
        }
    };
    if ended.is_none() {
        child.kill()?;
        child.wait()?;
    }
    match ended {
        Some(ended) if ended.success() => Ok(()),
        _ => bail!("page {} in it cannot be opened", last_line(&mut said)?),
    }
}

fn last_line(said: &mut File) -> anyhow::Result<String> {
    let mut text = String::new();
    said.rewind()?;
    said.read_to_string(&mut text)?;
    Ok(text.lines().last().unwrap_or("?").to_owned())
}

#[cfg(unix)]
fn limit_memory() -> anyhow::Result<()> {
    use rustix::process::{Resource, Rlimit, setrlimit};
    let limit = Rlimit {
        current: Some(MEMORY),
        maximum: Some(MEMORY),
    };
    setrlimit(Resource::As, limit).context("memory could not be limited")
}

#[cfg(not(unix))]
fn limit_memory() -> anyhow::Result<()> {
    Ok(())
}
