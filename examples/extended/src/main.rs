//! Glade with what this crate adds.

// docs: main
use std::process::ExitCode;

fn main() -> ExitCode {
    glade::main_with(extended::EXTENSIONS)
}
// docs: end
