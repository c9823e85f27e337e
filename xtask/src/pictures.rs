//! `cargo xtask pictures`: the documentation's pictures, of the real thing.

use std::fs;

use anyhow::Result;
use clap::Args;

use crate::{binary, shell, test, tools, web};

#[derive(Args)]
pub struct Pictures {}

impl Pictures {
    pub fn run(self) -> Result<()> {
        let chromium = tools::need_chromium()?;
        web::install()?;
        web::build()?;
        binary::build_everything()?;
        let pictures = shell::root().join("docs").join("pictures");
        fs::create_dir_all(&pictures)?;
        let mut command = test::playwright("pictures", &chromium)?;
        command.env("GLADE_PICTURES", &pictures);
        shell::run(&mut command)
    }
}
