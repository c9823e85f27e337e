//! Panics inside of Loro, and what becomes of what they caught.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::{PageDoc, Refusal};

/// Done with a replica that refused something. One that panicked is left where it is: a panic may
/// have caught it between two steps that belong together, and not even dropping it is then sure to
/// be sound. Who sends such updates is shut out before that adds up.
pub(crate) fn discard_refused(replica: Option<PageDoc>, refusal: &Refusal) {
    match refusal {
        Refusal::ReaderPanicked => std::mem::forget(replica),
        _ => discard(replica),
    }
}

pub(crate) fn discard(replica: Option<PageDoc>) {
    let _ = catch_unwind(AssertUnwindSafe(move || drop(replica)));
}

static CONTAINED: AtomicU64 = AtomicU64::new(0);

/// How often damaged bytes made Loro panic in this process. Each time a replica was thrown away
/// and an update refused; nothing else came of it.
pub fn contained_panics() -> u64 {
    CONTAINED.load(Ordering::Relaxed)
}

/// Run what hostile bytes may make panic. Whatever it touched must be [discarded](discard_refused) after
/// an error.
pub(crate) fn catching_panics<T>(work: impl FnOnce() -> T) -> Result<T, Refusal> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|_| {
        CONTAINED.fetch_add(1, Ordering::Relaxed);
        Refusal::ReaderPanicked
    })
}
