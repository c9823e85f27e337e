//! A panic on a thread that is there to catch it (SVG images are drawn on one) is no find.

/// Takes libFuzzer's hook away, which ends the process at every panic. One that nobody catches still ends it.
pub fn let_panics_unwind() {
    drop(std::panic::take_hook());
}
