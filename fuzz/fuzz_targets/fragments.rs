//! Any fragments of two connections: what comes out whole is what was sent, and nothing is held that was not.
#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../crates/glade-server/src/sync/fragments.rs"]
#[allow(dead_code, reason = "its own tests ask for more")]
mod fragments;
#[path = "../../crates/glade-server/tests/hostile/fragments.rs"]
mod hostile_fragments;
#[path = "../memory.rs"]
mod memory;

fuzz_target!(init: memory::limit(), |bytes: &[u8]| hostile_fragments::put_together(bytes));
