//! Any bytes as the picture that an image element shows.
#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../quiet.rs"]
mod quiet;
#[path = "../../crates/glade-canvas/tests/hostile/work.rs"]
#[allow(dead_code, reason = "files are a target of their own")]
mod work;

fuzz_target!(init: quiet::let_panics_unwind(), |bytes: &[u8]| work::picture(bytes));
