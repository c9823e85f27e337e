//! Version vectors, as clients send them when they join.

use crate::{Counter, DocError};

use super::bytes::{Reader, narrow};
use super::values::fits;
use super::{Checked, Flaw};

/// Largest version that is looked at: that of a page with some sixty thousand writers.
pub const MAX_VERSION_BYTES: usize = 1024 * 1024;

/// Whether bytes are a version that can be given to Loro: as many writers as are claimed, and
/// counters that can be.
pub fn check_version(bytes: &[u8]) -> Result<(), DocError> {
    check(bytes).map_err(|_| DocError::BadVersion(bytes.iter().copied().take(64).collect()))
}

fn check(bytes: &[u8]) -> Checked<()> {
    if bytes.len() > MAX_VERSION_BYTES {
        return Err(Flaw::Broken("it is too long"));
    }
    let mut bytes = Reader(bytes);
    let writers = bytes.count()?;
    fits(writers, 2, &bytes)?;
    for _ in 0..writers {
        bytes.number()?;
        let counter: Counter = narrow(bytes.signed()?)?;
        if counter < 0 {
            return Err(Flaw::Broken("a counter in it is negative"));
        }
    }
    bytes.finished("bytes follow on it")
}
