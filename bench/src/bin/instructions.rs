//! Instructions of the hottest paths: walks one of them, for a counter to watch (`cargo xtask instructions`).
//!
//! Without a name, lists them.

use anyhow::{Context, Result};
use glade_bench::instructions::{PATHS, counted};
use glade_bench::line;

fn main() -> Result<()> {
    let Some(name) = std::env::args().nth(1) else {
        PATHS.iter().for_each(|path| line(path.name));
        return Ok(());
    };
    let path = PATHS.iter().find(|path| path.name == name);
    let path = path.with_context(|| format!("there is no path {name:?}"))?;
    let mut work = (path.prepare)()?;
    counted(&mut work)
}
