//! Any bytes as a token, and what a holder can make of a real one.
#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../memory.rs"]
mod memory;
#[path = "../../crates/glade-access/tests/hostile/work.rs"]
mod work;

fuzz_target!(init: memory::limit(), |bytes: &[u8]| work::try_token(bytes));
