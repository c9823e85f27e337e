//! Any bytes as a token, and what a holder can make of a real one.
#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../crates/glade-access/tests/hostile/work.rs"]
mod work;

fuzz_target!(|bytes: &[u8]| work::try_token(bytes));
