//! `glade replay`: steps the recording of a room again, and says whether it does what it did.

use std::fs::File;
use std::io::{BufReader, Write as _};
use std::path::PathBuf;

use anyhow::Context as _;
use clap::Args;
use glade_room::recording::{End, replay};

#[derive(Args)]
pub struct Replay {
    /// A file that `glade serve --record-rooms` wrote
    file: PathBuf,
}

pub fn run(args: &Replay) -> anyhow::Result<()> {
    let name = args.file.display();
    let file = File::open(&args.file).with_context(|| format!("{name} could not be opened"))?;
    let replayed = replay(BufReader::new(file)).with_context(|| format!("{name} differs"))?;
    let inputs = replayed.inputs;
    let end = match replayed.end {
        End::Left => "the same outputs and the same page",
        End::BrokenOff => "the same outputs as far as it goes; it breaks off there",
    };
    writeln!(std::io::stdout(), "{inputs} inputs replayed: {end}")?;
    Ok(())
}
