//! A limit on what may be asked for. libFuzzer watches the memory that is used: what is reserved
//! because somebody claims a size is not used, and would pass.

use rustix::process::{Resource, Rlimit, setrlimit};

/// Enough for libFuzzer and its corpus.
const BYTES: u64 = 768 << 20;

/// From now on more cannot be had: asking for it ends the process, which is a find.
pub fn limit() {
    let limit = Rlimit {
        current: Some(BYTES),
        maximum: Some(BYTES),
    };
    if let Err(error) = setrlimit(Resource::As, limit) {
        eprintln!("memory is not limited: {error}");
    }
}
