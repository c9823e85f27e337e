//! `glade audit`: the record, read beside a running server or from a copy of its folder.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::path::PathBuf;

use anyhow::Context as _;
use clap::{Args, Subcommand};
use glade_access::{AuditKey, signature_holds};
use glade_host::set_aside;
use glade_store::audit::Report;
use glade_store::{Archive, RunFilter, StoreError, Unreadable, WhyRow};

#[derive(Subcommand)]
pub enum Audit {
    /// Find entries that were changed, dropped or cut off; exit code 1 if there are any
    Verify(Verify),
    /// Print the runs that touched an element, oldest first
    Why(Why),
}

#[derive(Args)]
pub struct Verify {
    /// The server's data folder, or a copy of it
    #[arg(long, default_value = "glade-data", env = "GLADE_DATA")]
    data: PathBuf,
    /// The public key that checkpoints must be signed with; that of audit.key when left out
    #[arg(long, value_name = "HEX", value_parser = public_key)]
    key: Option<[u8; 32]>,
}

#[derive(Args)]
pub struct Why {
    /// The server's data folder, or a copy of it
    #[arg(long, default_value = "glade-data", env = "GLADE_DATA")]
    data: PathBuf,
    /// The page's id, pg_…
    page: String,
    /// The element's id
    element: String,
}

pub fn run(command: Audit) -> anyhow::Result<()> {
    match command {
        Audit::Verify(args) => verify(args),
        Audit::Why(args) => why(args),
    }
}

fn verify(args: Verify) -> anyhow::Result<()> {
    let archive = Archive::open(&args.data)?;
    let path = args.data.join("audit.key");
    let key = match args.key {
        Some(key) => Some(key),
        // A copy need not hold the private key; its checkpoints must then agree among themselves.
        None if path.exists() => Some(
            AuditKey::load_or_create(&path)
                .context("the audit key could not be read")?
                .public_key(),
        ),
        None => None,
    };
    let report = archive.verify(key, &signature_holds)?;
    write!(std::io::stdout(), "{}", printed(&report))?;
    let unreadable = unreadable(&archive)?;
    for one in &unreadable {
        writeln!(std::io::stdout(), "{one}")?;
    }
    anyhow::ensure!(
        report.findings.is_empty(),
        "the record is not as it was written: {} found (listed above). Restore the folder from a backup, and find out who could write to it",
        report.findings.len()
    );
    anyhow::ensure!(
        unreadable.is_empty(),
        "{} rows cannot be read (listed above): a server sets them aside. Restore the folder from a backup",
        unreadable.len()
    );
    Ok(())
}

/// What a server would set aside. An older folder's rows are read once its server has brought them up
/// to date.
fn unreadable(archive: &Archive) -> anyhow::Result<Vec<Unreadable>> {
    if !archive.is_up_to_date()? {
        return Ok(Vec::new());
    }
    let mut found = set_aside::find(archive)?;
    found.extend(set_aside::find_runs(archive, RunFilter::default())?);
    match set_aside::check_settings(archive) {
        Err(StoreError::Unreadable(setting)) => found.push(setting),
        checked => checked?,
    }
    found.sort();
    found.dedup();
    Ok(found)
}

fn printed(report: &Report) -> String {
    let mut text = String::new();
    for finding in &report.findings {
        text.push_str(&format!("{finding}\n"));
    }
    if report.findings.is_empty() {
        text.push_str(&format!(
            "{} entries, each following from the one before; {} checkpoints hold\n",
            report.entries, report.checkpoints
        ));
        let open = report.entries - report.vouched;
        if open > 0 {
            text.push_str(&format!(
                "the last {open} are not signed yet: cutting them off would not show\n"
            ));
        }
        if let Some(seq) = report.uncovered_before {
            text.push_str(&format!(
                "tiers, fairies' scopes, links and plugins are not covered before entry {seq}: this folder is older than that\n"
            ));
        }
    }
    text
}

fn why(args: Why) -> anyhow::Result<()> {
    let rows = Archive::open(&args.data)?.why(&args.page, &args.element)?;
    anyhow::ensure!(
        !rows.is_empty(),
        "no run touched element {} of page {}: people drew it, or there is no such element",
        args.element,
        args.page
    );
    let mut out = std::io::stdout().lock();
    for row in rows {
        writeln!(out, "{}", told(&row))?;
    }
    Ok(())
}

fn told(row: &WhyRow) -> String {
    let properties: BTreeSet<&str> = row
        .touches
        .iter()
        .map(|touch| match touch.property.as_str() {
            "" => "all of it: the run made it",
            property => property,
        })
        .collect();
    let properties: Vec<&str> = properties.into_iter().collect();
    format!(
        "{} by {} at {} ms, {}\n  asked: {}\n  touched: {}",
        row.run.id,
        row.run.owner.subject(),
        row.run.started_ms,
        row.run.status.as_str(),
        row.run.message,
        properties.join(", "),
    )
}

fn public_key(text: &str) -> Result<[u8; 32], String> {
    let wrong = || "a public key has 64 hex digits; each checkpoint names it as `key`".to_owned();
    if text.len() != 64 || !text.bytes().all(|b| b.is_ascii_hexdigit()) {
        return Err(wrong());
    }
    let mut key = [0; 32];
    for (byte, at) in key.iter_mut().zip((0..).step_by(2)) {
        *byte = u8::from_str_radix(&text[at..at + 2], 16).map_err(|_| wrong())?;
    }
    Ok(key)
}
