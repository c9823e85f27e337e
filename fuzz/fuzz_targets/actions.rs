//! Any text as a model's answer.
#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../crates/glade-agent/tests/hostile/stream.rs"]
mod stream;

fuzz_target!(|bytes: &[u8]| {
    stream::whole(&String::from_utf8_lossy(bytes));
});
