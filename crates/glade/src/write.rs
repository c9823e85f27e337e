//! `glade write`: one fairy works on a Markdown file, without a server or a browser. What it does not
//! touch stays as it stood, to the byte.

use std::io::ErrorKind;
use std::path::PathBuf;

use anyhow::{Context as _, bail};
use clap::Args;
use futures_util::{StreamExt as _, pin_mut};
use glade_canvas::Rect;
use glade_doc::Surface;
use glade_server::Alone;
use glade_text::markdown::Source;
use glade_text::{Page, Place};

use crate::draw::{INTERRUPTED, Teller, replace};
use crate::signals::stop_signal;

#[derive(Args)]
pub struct Write {
    /// The Markdown file; a new one is made when there is none
    file: PathBuf,
    /// What to do, in your words
    what: String,
    /// Leave FILE as it is and write here
    #[arg(long, value_name = "F.md")]
    out: Option<PathBuf>,
    /// Say what would change, and change nothing
    #[arg(long)]
    dry_run: bool,
    /// The model that the fairy thinks with
    #[arg(
        long,
        default_value = "sketch",
        env = "GLADE_MODEL",
        value_name = "NAME"
    )]
    model: String,
    /// The folder whose models.json sets models up; it is only read
    #[arg(long, default_value = "glade-data", env = "GLADE_DATA")]
    data: PathBuf,
}

pub fn run(args: Write) -> anyhow::Result<()> {
    if args.what.trim().is_empty() {
        bail!("say what to do, as in: glade write notes.md \"tidy this page\"");
    }
    crate::log::to_stderr("error");
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .context("the runtime could not start")?;
    let finished = runtime.block_on(async {
        tokio::select! {
            biased;
            () = stop_signal() => None,
            written = write(&args) => Some(written),
        }
    });
    drop(runtime);
    finished.unwrap_or_else(|| {
        eprintln!("\nglade: stopped; nothing was written");
        std::process::exit(INTERRUPTED)
    })
}

async fn write(args: &Write) -> anyhow::Result<()> {
    let before = match std::fs::read(&args.file) {
        Ok(bytes) => String::from_utf8(bytes)
            .with_context(|| format!("{} is not text in UTF-8", args.file.display()))?,
        Err(error) if error.kind() == ErrorKind::NotFound => {
            eprintln!(
                "{} is not there yet: this begins with an empty page",
                args.file.display()
            );
            String::new()
        }
        Err(error) => {
            return Err(error)
                .with_context(|| format!("{} could not be read", args.file.display()));
        }
    };
    let source = Source::new(&before);
    let mut number = 0;
    let mut id = || {
        number += 1;
        format!("b{number}")
    };
    let edits = glade_text::write(&Page::default(), Place::End, &source.blocks(), &mut id);
    let scratch = tempfile::Builder::new()
        .prefix("glade-write-")
        .tempdir()
        .context("no folder for the work could be made")?;
    let alone = Alone::start(
        scratch.path(),
        &args.data,
        &args.model,
        Surface::Text,
        &edits,
    )
    .await?;
    let (run, heard) = alone.ask(&args.what, Rect::new(0.0, 0.0, 1.0, 1.0)).await?;
    let mut teller = Teller::default();
    pin_mut!(heard);
    while let Some(heard) = heard.next().await {
        teller.tell(heard);
    }
    let outcome = alone
        .outcome(&run)
        .await
        .context("the fairy's work has no end")?;
    if let Some(error) = outcome.error {
        bail!("{error}\nNothing was written.");
    }
    let scene = alone.scene().await?;
    let page = Page::read(scene.live().map(|element| (&element.id, &element.props)));
    let after = source.write(&page);
    let (gone, come) = lines(&before, &after);
    eprintln!(
        "{} lines changed, {} came ({}: {} tokens in, {} out).",
        gone.len(),
        come.len(),
        outcome.model,
        outcome.cost.input_tokens,
        outcome.cost.output_tokens
    );
    if args.dry_run {
        for line in gone {
            eprintln!("  - {line}");
        }
        for line in come {
            eprintln!("  + {line}");
        }
        eprintln!("A dry run: nothing was written.");
        return Ok(());
    }
    if before == after && args.out.is_none() {
        eprintln!("Nothing was written.");
        return Ok(());
    }
    let path = args.out.as_ref().unwrap_or(&args.file);
    replace(path, after.as_bytes())?;
    eprintln!("Wrote {}.", path.display());
    Ok(())
}

/// The lines that only one of two texts has.
fn lines<'t>(before: &'t str, after: &'t str) -> (Vec<&'t str>, Vec<&'t str>) {
    let only = |a: &'t str, b: &str| -> Vec<&'t str> {
        let mut known: Vec<&str> = b.lines().collect();
        let new = a
            .lines()
            .filter(|line| match known.iter().position(|other| other == line) {
                Some(at) => {
                    known.remove(at);
                    false
                }
                None => true,
            });
        new.collect()
    };
    (only(before, after), only(after, before))
}
