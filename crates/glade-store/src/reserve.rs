//! Space on the disk that is held back for taking rights away.
//!
//! A full disk must not keep a stolen link alive. A file of real bytes lies beside the database; when
//! a revocation does not fit on the disk any more, the file is let go and the revocation is written
//! again. From then on nothing else is written until the file could be made anew: the space that
//! came free is for revocations alone. A power cut in between loses nothing that was acknowledged.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::{folder, private};

pub(crate) const FILE: &str = "reserve";
/// Room for some dozens of revocations, one commit each.
const BYTES: usize = 1024 * 1024;
/// How often a reserve that was let go is tried to be made again.
const TRY_EVERY: Duration = Duration::from_millis(500);

pub(crate) struct Reserve {
    path: PathBuf,
    whole: bool,
    tried: Option<Instant>,
}

impl Reserve {
    /// Makes the file if it is not there. Where there is no space for it there is no reserve, and
    /// nothing but revocations is written until there is.
    pub(crate) fn open(dir: &Path) -> Reserve {
        let mut reserve = Reserve {
            path: dir.join(FILE),
            whole: false,
            tried: None,
        };
        let size = fs::symlink_metadata(&reserve.path).map_or(0, |found| found.len());
        reserve.whole = size == BYTES as u64;
        if !reserve.whole {
            reserve.refill();
        }
        reserve
    }

    /// Whether other things than revocations may be written. A reserve that was let go is made
    /// again first, if it can be.
    pub(crate) fn is_whole(&mut self) -> bool {
        let due = self.tried.is_none_or(|tried| tried.elapsed() >= TRY_EVERY);
        if !self.whole && due {
            self.refill();
        }
        self.whole
    }

    /// Whether the disk takes as much again as is held back.
    pub(crate) fn has_space_beside(&mut self) -> bool {
        let probe = self.path.with_extension("probe");
        let fits = self.is_whole() && make(&probe).is_ok();
        drop(fs::remove_file(&probe));
        fits
    }

    /// Gives the space back to the disk; false when there was none left to give.
    pub(crate) fn release(&mut self) -> bool {
        if !self.whole {
            return false;
        }
        tracing::error!("the disk is full: the reserve is used for revocations");
        self.whole = false;
        self.tried = Some(Instant::now());
        if let Err(error) = fs::remove_file(&self.path) {
            tracing::error!(%error, "the reserve could not be let go");
            return false;
        }
        true
    }

    fn refill(&mut self) {
        self.tried = Some(Instant::now());
        match make(&self.path) {
            Ok(()) => self.whole = true,
            Err(error) => {
                tracing::warn!(%error, path = %self.path.display(), "no space could be held back for revocations");
                // A part of it would hold space that nobody can use.
                drop(fs::remove_file(&self.path));
            }
        }
    }
}

/// Bytes that no file system stores as a hole or in less space.
fn make(path: &Path) -> std::io::Result<()> {
    match fs::remove_file(path) {
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => return Err(e),
        _ => {}
    }
    let mut file: File = private::create_new(path)?;
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut block = Vec::with_capacity(64 * 1024);
    for _ in 0..BYTES / (64 * 1024) {
        block.clear();
        for _ in 0..64 * 1024 / 8 {
            // Xorshift: not random, but nothing that compresses.
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            block.extend_from_slice(&state.to_le_bytes());
        }
        file.write_all(&block)?;
    }
    file.sync_all()?;
    folder::sync_parent(path)
}
