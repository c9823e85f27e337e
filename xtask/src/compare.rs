//! `cargo xtask compare [--boards FOLDER] [FILES]`: our pictures beside the editor's own, pixel by pixel.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::Args;

use crate::{binary, shell, tools, web};

#[derive(Args, Default)]
pub struct Compare {
    /// Only each kind of thing once, as `cargo xtask test picture` does
    #[arg(long)]
    quick: bool,
    /// How many random boards to draw
    #[arg(long, default_value_t = 40)]
    seeds: u32,
    /// Only scenes whose name holds this
    #[arg(long)]
    only: Option<String>,
    /// In the dark theme (files only)
    #[arg(long)]
    dark: bool,
    /// Every board in this folder: .excalidraw files, and PNGs and SVGs with the scene in them
    #[arg(long)]
    boards: Option<PathBuf>,
    /// Files to compare; without any, the scenes that this repository makes up
    files: Vec<PathBuf>,
}

impl Compare {
    pub fn run(self) -> Result<()> {
        tools::need_chromium()?;
        web::install()?;
        web::build()?;
        binary::build_everything()?;
        self.judge()
    }

    /// With everything built.
    pub fn judge(&self) -> Result<()> {
        let chromium = tools::need_chromium()?;
        let mut command = shell::node();
        command.arg("tests/compare/run.mjs");
        command.args(["--seeds", &self.seeds.to_string()]);
        if self.quick {
            command.arg("--quick");
        }
        if self.dark {
            command.arg("--dark");
        }
        if let Some(only) = &self.only {
            command.args(["--only", only]);
        }
        if let Some(folder) = &self.boards {
            command.arg("--boards").arg(whole(folder)?);
        }
        for file in &self.files {
            command.arg(whole(file)?);
        }
        command
            .env("GLADE_BIN", binary::glade()?)
            .env("CHROMIUM", chromium);
        shell::run(&mut command)
    }

    /// Each kind of thing once.
    pub fn quick() -> Self {
        Self {
            quick: true,
            seeds: 7,
            ..Self::default()
        }
    }
}

/// The script runs in another folder.
fn whole(path: &Path) -> Result<PathBuf> {
    path.canonicalize()
        .with_context(|| format!("{} could not be read", path.display()))
}
