//! `cargo xtask types`: the studio's types of what the server says, printed from the OpenAPI document.
//!
//! The test that holds them to be current (`glade-server/tests/it/studio_types.rs`) also writes them.

use anyhow::Result;

use crate::shell;

pub fn write() -> Result<()> {
    let test = [
        "test",
        "--locked",
        "--package",
        "glade-server",
        "--test",
        "it",
    ];
    let mut command = shell::cargo(test);
    command.arg("studio_types").env("GLADE_WRITE_TYPES", "1");
    shell::run(&mut command)
}
