//! Anything done to a backup before it is restored.
#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../crates/glade-store/tests/hostile/restore.rs"]
mod hostile_restore;
#[path = "../memory.rs"]
mod memory;

fuzz_target!(init: memory::limit(), |bytes: &[u8]| {
    hostile_restore::restore(bytes);
});
