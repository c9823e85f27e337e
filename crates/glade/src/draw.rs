//! `glade draw`: one fairy works on a file, without a server or a browser.
//!
//! The file becomes a page in a scratch folder, the fairy works there as it does anywhere
//! ([`Headless`]), and what the page is then becomes the file: whole, at the end, or not at all.

mod files;
mod telling;

use std::path::PathBuf;

use anyhow::{Context as _, bail};
use clap::Args;
use glade_canvas::{Rect, Scene};
use glade_doc::Surface;
use glade_server::Headless;

use crate::errand::{Mind, until_stopped, work};
pub(crate) use files::replace;
use files::{SourceFile, Wanted};
pub(crate) use telling::Teller;

/// What a fairy sees of an empty page.
const VIEW: (f64, f64) = (1200.0, 900.0);
/// How far it sees beyond what is there.
const MARGIN: f64 = 200.0;

#[derive(Args)]
pub struct Draw {
    /// The .excalidraw file; a new one is made when there is none
    file: PathBuf,
    /// What to do, in your words
    what: String,
    /// Leave FILE as it is and write here: F.excalidraw, F.svg, F.png or F.jpg
    #[arg(long, value_name = "F")]
    out: Option<PathBuf>,
    /// Say what would change, and change nothing
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    mind: Mind,
}

pub fn run(args: Draw) -> anyhow::Result<()> {
    if args.what.trim().is_empty() {
        bail!(
            "say what to do, as in: glade draw plan.excalidraw \"Draw a flow: Order -> Pay -> Ship\""
        );
    }
    crate::log::to_stderr("error");
    until_stopped(draw(&args))
}

async fn draw(args: &Draw) -> anyhow::Result<()> {
    let given = SourceFile::read(&args.file)?;
    let wanted = Wanted::of(args.out.as_deref(), &given)?;
    for note in &given.loaded.notes {
        eprintln!("{}: {note}", args.file.display());
    }
    if given.bytes.is_none() {
        eprintln!(
            "{} is not there yet: this begins with an empty page",
            args.file.display()
        );
    }
    let scratch = tempfile::Builder::new()
        .prefix("glade-draw-")
        .tempdir()
        .context("no folder for the work could be made")?;
    let before = given.loaded.scene();
    let edits = given.loaded.edits();
    let headless = Headless::start(
        scratch.path(),
        &args.mind.data,
        &args.mind.model,
        Surface::Canvas,
        &edits,
    )
    .await?;
    let outcome = work(&headless, &args.what, view(&before)).await?;
    let after = headless.scene().await?;
    let changes = telling::changes(&before, &after);
    eprintln!(
        "{}",
        telling::summary(&changes, &outcome.model, &outcome.cost)
    );
    if args.dry_run {
        telling::list(&changes);
        eprintln!("A dry run: nothing was written.");
        return Ok(());
    }
    if changes.is_empty() && args.out.is_none() {
        eprintln!("Nothing was written.");
        return Ok(());
    }
    let written = files::write(&given, &wanted, &after)?;
    eprintln!("Wrote {}.", written.display());
    Ok(())
}

/// Where the fairy looks: at everything, and at some room around it.
fn view(scene: &Scene) -> Rect {
    let Some(content) = scene.content_bounds() else {
        return Rect::new(0.0, 0.0, VIEW.0, VIEW.1);
    };
    let (w, h) = (
        (content.w + 2.0 * MARGIN).max(VIEW.0),
        (content.h + 2.0 * MARGIN).max(VIEW.1),
    );
    let center = content.center();
    Rect::new(center.x - w / 2.0, center.y - h / 2.0, w, h)
}
