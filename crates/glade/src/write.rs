//! `glade write`: one fairy works on a Markdown file, without a server or a browser. What it does not
//! touch stays as it stood, to the byte.

use std::io::ErrorKind;
use std::path::PathBuf;

use anyhow::{Context as _, bail};
use clap::Args;
use glade_canvas::Rect;
use glade_doc::Surface;
use glade_server::Headless;
use glade_text::Page;
use glade_text::markdown::Source;

use crate::draw::replace;
use crate::errand::{Mind, until_stopped, work};

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
    #[command(flatten)]
    mind: Mind,
}

pub fn run(args: Write) -> anyhow::Result<()> {
    if args.what.trim().is_empty() {
        bail!("say what to do, as in: glade write notes.md \"tidy this page\"");
    }
    crate::log::to_stderr("error");
    until_stopped(write(&args))
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
    let edits = source.edits();
    let scratch = tempfile::Builder::new()
        .prefix("glade-write-")
        .tempdir()
        .context("no folder for the work could be made")?;
    let headless = Headless::start(
        scratch.path(),
        &args.mind.data,
        &args.mind.model,
        Surface::Text,
        &edits,
    )
    .await?;
    let outcome = work(&headless, &args.what, Rect::new(0.0, 0.0, 1.0, 1.0)).await?;
    let scene = headless.scene().await?;
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
