#![allow(clippy::unwrap_used, clippy::expect_used)]

mod agreement;
mod corpus;
mod hostile;
mod keys;
mod tokens;

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use glade_access::{Keys, Narrower, Op};

/// A moment to ask at, in seconds.
fn at(seconds: u64) -> SystemTime {
    UNIX_EPOCH + Duration::from_secs(seconds)
}

const NOW: u64 = 1_790_000_000;

fn now() -> SystemTime {
    at(NOW)
}

fn new_keys() -> Keys {
    let dir = tempfile::tempdir().unwrap();
    Keys::load_or_create(&dir.path().join("glade.key")).unwrap()
}

fn read_only() -> Narrower {
    Narrower {
        ops: Some([Op::Read].into()),
        ..Narrower::default()
    }
}

fn subject(name: &str) -> Narrower {
    Narrower {
        subject: Some(name.to_owned()),
        ..Narrower::default()
    }
}
