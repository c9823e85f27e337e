//! What a fairy's errands in a terminal (`draw`, `write`, `code`) have in common: the mind that it
//! thinks with, its work until the end, and an end by Ctrl-C.

use std::path::PathBuf;

use anyhow::{Context as _, bail};
use clap::Args;
use futures_util::{StreamExt as _, pin_mut};
use glade_canvas::Rect;
use glade_server::{Headless, Outcome};
use tokio::runtime::Runtime;

use crate::draw::Teller;
use crate::signals::stop_signal;

/// What a shell calls the end by Ctrl-C.
pub const INTERRUPTED: i32 = 130;

#[derive(Args)]
pub struct Mind {
    /// The model that the fairy thinks with
    #[arg(
        long,
        default_value = "sketch",
        env = "GLADE_MODEL",
        value_name = "NAME"
    )]
    pub model: String,
    /// The folder whose models.json sets models up; it is only read
    #[arg(long, default_value = "glade-data", env = "GLADE_DATA")]
    pub data: PathBuf,
}

pub fn runtime() -> anyhow::Result<Runtime> {
    tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .context("the runtime could not start")
}

/// Does the work, unless Ctrl-C comes first: then nothing is written.
pub fn until_stopped(work: impl Future<Output = anyhow::Result<()>>) -> anyhow::Result<()> {
    let runtime = runtime()?;
    let finished = runtime.block_on(async {
        tokio::select! {
            // First, so that Ctrl-C is heard before there is a scratch folder that it could leave behind.
            biased;
            () = stop_signal() => None,
            done = work => Some(done),
        }
    });
    drop(runtime);
    finished.unwrap_or_else(|| {
        eprintln!("\nglade: stopped; nothing was written");
        std::process::exit(INTERRUPTED)
    })
}

/// Asks the fairy and tells of what it does until it is done.
pub async fn work(headless: &Headless, what: &str, view: Rect) -> anyhow::Result<Outcome> {
    let (run, heard) = headless.ask(what, view).await?;
    let mut teller = Teller::default();
    pin_mut!(heard);
    while let Some(heard) = heard.next().await {
        teller.tell(heard);
    }
    let outcome = headless
        .outcome(&run)
        .await
        .context("the fairy's work has no end")?;
    if let Some(error) = &outcome.error {
        bail!("{error}\nNothing was written.");
    }
    Ok(outcome)
}
