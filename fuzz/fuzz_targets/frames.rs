//! Any bytes as a frame of `/sync`: read as Loro's own library reads it, or refused.
#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../crates/glade-server/tests/hostile/frames.rs"]
mod hostile_frames;
#[path = "../memory.rs"]
mod memory;
#[path = "../../crates/glade-server/src/sync/wire.rs"]
mod wire;

fuzz_target!(init: memory::limit(), |bytes: &[u8]| hostile_frames::read(bytes));
