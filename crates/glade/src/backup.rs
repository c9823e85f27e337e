//! `glade backup` and `glade restore`.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::Args;
use glade_access::{AuditKey, Keys, signature_holds};
use glade_store::audit::Report;
use glade_store::{Archive, Restoring, Settings};

use crate::{switches, try_pages};

#[derive(Args)]
pub struct Backup {
    /// The server's data folder; the server may be running
    #[arg(long, default_value = "glade-data", env = "GLADE_DATA")]
    data: PathBuf,
    /// The file to make. It holds the keys: keep it where only you can read it
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

#[derive(Args)]
pub struct Restore {
    /// A file that `glade backup` made
    file: PathBuf,
    /// The folder to make; it must be empty or not there
    #[arg(long, value_name = "DIR")]
    data: PathBuf,
    /// Take over what makes the server run commands, ask others or open up: models.json, glade.toml,
    /// the hosts that cards come from. Otherwise that is listed and left out
    #[arg(long)]
    with_settings: bool,
}

pub fn backup(args: &Backup) -> anyhow::Result<()> {
    let bytes = glade_store::backup(&args.data, &args.out)?;
    writeln!(
        std::io::stdout(),
        "{} holds everything that {} held when this began ({bytes} bytes, keys included)",
        args.out.display(),
        args.data.display(),
    )?;
    Ok(())
}

pub fn restore(args: &Restore) -> anyhow::Result<()> {
    let settings = if args.with_settings {
        Settings::TakenOver
    } else {
        Settings::LeftOut
    };
    let restoring = Restoring::begin(&args.file, &args.data, settings)?;
    let report = check(restoring.path())
        .and_then(|report| try_pages::check(restoring.path()).map(|()| report))
        .with_context(|| format!("{} was not restored", args.file.display()))?;
    let mut switched = switches::of_files(restoring.switches());
    switched.extend(switches::of_hosts(restoring.path(), settings)?);
    restoring.finish()?;
    let mut out = std::io::stdout();
    if !switched.is_empty() {
        let what = match settings {
            Settings::TakenOver => "These settings of the backup are switched on",
            Settings::LeftOut => {
                "These settings of the backup were left out (--with-settings takes them over)"
            }
        };
        writeln!(out, "{what}:\n  {}", switched.join("\n  "))?;
    }
    writeln!(
        out,
        "{} is ready: {} entries of the audit chain and {} checkpoints hold. Start it with `glade serve --data {}`",
        args.data.display(),
        report.entries,
        report.checkpoints,
        args.data.display(),
    )?;
    Ok(())
}

/// Whether the folder is one that a server can start on, with nothing changed in it.
fn check(folder: &Path) -> anyhow::Result<Report> {
    let key = |name: &str| {
        let path = folder.join(name);
        anyhow::ensure!(path.is_file(), "the backup has no {name}");
        Ok(path)
    };
    Keys::load_or_create(&key("owner.key")?).context("owner.key in the backup")?;
    let audit = AuditKey::load_or_create(&key("audit.key")?).context("audit.key in the backup")?;
    let report = Archive::open(folder)?.verify(Some(audit.public_key()), &signature_holds)?;
    if !report.findings.is_empty() {
        let findings: Vec<String> = report.findings.iter().map(ToString::to_string).collect();
        anyhow::bail!(
            "the record in it is not as it was written: {}",
            findings.join("; ")
        );
    }
    Ok(report)
}
