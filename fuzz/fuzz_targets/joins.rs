//! Any frames of one connection to `/sync` in a row: nothing gets past its door that it may not send.
#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../crates/glade-server/src/sync/door.rs"]
#[allow(dead_code, reason = "what a step means is for the socket")]
mod door;
#[path = "../../crates/glade-server/src/sync/fragments.rs"]
#[allow(dead_code, reason = "its own tests ask for more")]
mod fragments;
#[path = "../../crates/glade-server/tests/hostile/joins.rs"]
mod hostile_joins;
#[path = "../../crates/glade-server/src/sync/limit.rs"]
mod limit;
#[path = "../memory.rs"]
mod memory;
#[path = "../../crates/glade-server/src/sync/wire.rs"]
mod wire;

fuzz_target!(init: memory::limit(), |bytes: &[u8]| hostile_joins::play(bytes));
