//! The body of an update, through the walk and the gate into a page.
#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../memory.rs"]
mod memory;
#[path = "../quiet.rs"]
mod quiet;
#[path = "../../crates/glade-doc/tests/hostile/work.rs"]
#[allow(dead_code, reason = "each target does one kind of work")]
mod work;

fuzz_target!(init: {
    memory::limit();
    quiet::let_panics_unwind();
}, |bytes: &[u8]| {
    work::update(bytes);
});
