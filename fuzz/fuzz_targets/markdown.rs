//! Any text as a Markdown file.
#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../crates/glade-text/tests/hostile/work.rs"]
mod work;

fuzz_target!(|bytes: &[u8]| work::read_and_write(bytes));
