//! Any file that may hold a scene: `.excalidraw`, `.excalidrawlib`, `.tldr`, PNG, SVG.
#![no_main]

use libfuzzer_sys::{fuzz_mutator, fuzz_target, fuzzer_mutate};

#[path = "../../crates/glade-canvas/tests/hostile/mangle.rs"]
mod mangle;
#[path = "../quiet.rs"]
mod quiet;
#[path = "../../crates/glade-canvas/tests/hostile/work.rs"]
#[allow(dead_code, reason = "pictures are a target of their own")]
mod work;

fuzz_target!(init: quiet::let_panics_unwind(), |bytes: &[u8]| work::open(bytes));

// libFuzzer's own changes rarely leave JSON whole; ours do, and know what is packed in a picture.
fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    let mut dice = mangle::Dice(u64::from(seed));
    if dice.below(2) == 0 {
        return fuzzer_mutate(data, size, max_size);
    }
    let mangled = mangle::mangle(&mut dice, &data[..size]);
    let size = mangled.len().min(max_size);
    data[..size].copy_from_slice(&mangled[..size]);
    size
});
