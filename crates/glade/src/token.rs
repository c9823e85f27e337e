//! `glade token`: tokens without a server.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::path::PathBuf;
use std::time::SystemTime;

use anyhow::Context as _;
use clap::{Args, Subcommand};
use glade_access::{Capability, Keys, NarrowerRequest, Op, ProjectRequest, Region};

use crate::owner;

#[derive(Subcommand)]
pub enum Token {
    /// Print the owner's token
    Owner(Folder),
    /// Print a token with less rights than another
    Attenuate(Attenuate),
    /// Print what a token may do
    Inspect(Inspect),
    /// Take a token back, and every token made from it; a running server heeds it within a second
    Revoke(Inspect),
}

#[derive(Args)]
pub struct Folder {
    /// The server's data folder
    #[arg(long, default_value = "glade-data", env = "GLADE_DATA")]
    data: PathBuf,
}

#[derive(Args)]
pub struct Attenuate {
    #[command(flatten)]
    folder: Folder,
    /// The token to narrow; the owner's when left out
    #[arg(long)]
    token: Option<String>,
    /// What it may do: read, comment, suggest, edit, command
    #[arg(long, value_delimiter = ',', value_parser = op)]
    ops: Vec<Op>,
    /// Only these pages
    #[arg(long, value_delimiter = ',')]
    pages: Vec<String>,
    /// Only in this part of a page, in whole units
    #[arg(long, value_name = "X,Y,W,H", value_parser = region, allow_hyphen_values = true)]
    region: Option<Region>,
    /// What is left of the code project: read, command (ask in chats), edit (approve, keep, undo).
    /// Left out, nothing; without a value, as much as --ops leaves of pages
    #[arg(long, value_delimiter = ',', value_parser = op, num_args = 0.., require_equals = true)]
    project: Option<Vec<Op>>,
    /// Only these files and folders of the code project
    #[arg(long, value_delimiter = ',')]
    paths: Vec<String>,
    /// Seconds until it expires
    #[arg(long)]
    expires_in: Option<u64>,
    /// Who uses it, such as person:ann
    #[arg(long)]
    subject: Option<String>,
}

#[derive(Args)]
pub struct Inspect {
    #[command(flatten)]
    folder: Folder,
    token: String,
}

pub fn run(command: Token) -> anyhow::Result<()> {
    let answer = match command {
        Token::Owner(folder) => keys(&folder)?.owner_token()?,
        Token::Attenuate(args) => attenuate(args)?,
        Token::Inspect(args) => {
            let capability = keys(&args.folder)?.verify(&args.token, SystemTime::now())?;
            serde_json::to_string_pretty(&describe(&capability))?
        }
        Token::Revoke(args) => revoke(&args)?,
    };
    writeln!(std::io::stdout(), "{answer}")?;
    Ok(())
}

fn describe(capability: &Capability) -> serde_json::Value {
    let names = |ops: &BTreeSet<Op>| ops.iter().map(|op| op.as_str()).collect::<Vec<_>>();
    let expires = capability
        .expires_at()
        .and_then(|at| at.duration_since(SystemTime::UNIX_EPOCH).ok())
        .map(|since| since.as_secs());
    serde_json::json!({
        "subject": capability.subject,
        "workspace": capability.workspace,
        "ops": names(capability.ops()),
        "pages": capability.pages(),
        "tiers": capability.tiers(),
        "project": names(capability.project()),
        "paths": capability.paths(),
        "region": capability.region(),
        "expiresAtUnixSeconds": expires,
        "revocationIds": capability.revocation_ids(),
    })
}

fn keys(folder: &Folder) -> anyhow::Result<Keys> {
    let path = folder.data.join("owner.key");
    anyhow::ensure!(
        path.exists(),
        "there is no key in {}: start `glade serve --data {}` once, or name the right folder with --data",
        folder.data.display(),
        folder.data.display()
    );
    Keys::load_or_create(&path).context("the key could not be read")
}

fn attenuate(args: Attenuate) -> anyhow::Result<String> {
    let keys = keys(&args.folder)?;
    let token = match args.token {
        Some(token) => token,
        None => keys.owner_token()?,
    };
    let project = args.project.map(|ops| match some(ops) {
        Some(ops) => ProjectRequest::Ops(ops),
        None => ProjectRequest::AsOps(true),
    });
    let request = NarrowerRequest {
        ops: some(args.ops),
        pages: some(args.pages),
        region: args.region,
        project,
        paths: some(args.paths),
        subject: args.subject,
        expires_in: args.expires_in,
        ..NarrowerRequest::default()
    };
    Ok(keys.attenuate(&token, &request.at(SystemTime::now()))?)
}

/// Tells the running server through the owner's socket, where no stranger takes a place. Without
/// one, leaves word in the data folder, where a server looks while it runs and when it starts.
fn revoke(args: &Inspect) -> anyhow::Result<String> {
    let keys = keys(&args.folder)?;
    let capability = keys.verify(&args.token, SystemTime::now())?;
    let [_, .., id] = capability.revocation_ids() else {
        anyhow::bail!(
            "the owner's token cannot be revoked: move owner.key out of the data folder and restart the server, which makes a new one"
        );
    };
    let body = serde_json::json!({ "token": args.token });
    match owner::post(&args.folder.data, &keys, "/api/tokens/revoke", &body) {
        Ok(()) => {
            return Ok(format!(
                "revoked the token of {}: the running server has closed its sessions",
                capability.subject
            ));
        }
        Err(owner::Unheard::NoServer) => {}
        Err(owner::Unheard::Refused(answer)) => {
            eprintln!("glade: the running server did not revoke it: {answer}");
        }
    }
    let folder = args.folder.data.join(glade_server::REVOKE_FOLDER);
    glade_store::private::make_folder(&folder)
        .and_then(|()| {
            glade_store::private::options()
                .write(true)
                .create(true)
                .truncate(true)
                .open(folder.join(id))
        })
        // A power cut must not give the right back.
        .and_then(|file| file.sync_all())
        .and_then(|()| std::fs::File::open(&folder)?.sync_all())
        .and_then(|()| std::fs::File::open(&args.folder.data)?.sync_all())
        .with_context(|| format!("could not leave word in {}", folder.display()))?;
    Ok(format!(
        "revoked the token of {}: a running server closes its sessions now, a stopped one refuses it from its next start",
        capability.subject
    ))
}

/// Nothing named means no limit.
fn some<T: Ord>(values: Vec<T>) -> Option<BTreeSet<T>> {
    (!values.is_empty()).then(|| values.into_iter().collect())
}

fn region(text: &str) -> Result<Region, String> {
    let numbers: Vec<i64> = text
        .split(',')
        .map(|part| part.trim().parse().ok())
        .collect::<Option<_>>()
        .unwrap_or_default();
    match numbers[..] {
        [x, y, w, h] => Region::new(x, y, w, h),
        _ => None,
    }
    .ok_or_else(|| "a region is four whole numbers x,y,w,h, the last two above 0".to_owned())
}

fn op(name: &str) -> Result<Op, String> {
    serde_json::from_value(serde_json::Value::String(name.to_owned()))
        .map_err(|_| format!("`{name}` is none of read, comment, suggest, edit, command"))
}
