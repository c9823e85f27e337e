//! The command line: `glade serve` and what goes with it.
//!
//! A binary of one's own calls [`main_with`] with actions, parts, modes and plugins to have beside those
//! that there are.
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod audit;
mod backup;
mod code;
mod config;
mod draw;
mod errand;
mod export_import;
mod log;
mod owner;
mod render;
mod replay;
mod serve;
mod signals;
mod switches;
mod token;
mod try_pages;
mod write;

use std::io::Write as _;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use glade_agent::Extensions;

/// Glade: people and AI agents (fairies) in the same live documents.
#[derive(Parser)]
#[command(version, about)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Let a fairy work on the files of a folder
    Code(code::Code),
    /// Let a fairy work on an Excalidraw file
    Draw(draw::Draw),
    /// Let a fairy work on a Markdown file
    Write(write::Write),
    /// Draw Excalidraw files as SVG, PNG or JPEG
    Render(render::Render),
    /// Step the recording of a room again, and compare (see `serve --record-rooms`)
    Replay(replay::Replay),
    /// Serve the studio and everything behind it
    Serve(serve::Serve),
    /// Print every setting, its value here and where that comes from
    Config(config::Flags),
    /// Copy everything a server holds into one file, while it runs
    Backup(backup::Backup),
    /// Make a data folder from a backup, once it has been checked
    Restore(backup::Restore),
    /// Write a workspace, or one page, as files
    Export(export_import::Export),
    /// Bring files in as pages, or onto one
    Import(export_import::Import),
    /// Make and look at tokens
    #[command(subcommand)]
    Token(token::Token),
    /// Check the record of what happened, and ask it why
    #[command(subcommand)]
    Audit(audit::Audit),
    /// Open every page of a folder, for a restore
    #[command(hide = true, name = try_pages::NAME)]
    TryPages(try_pages::TryPages),
}

/// All of Glade, with what is added to it. To be called first in `main`.
pub fn main_with(extensions: Extensions) -> ExitCode {
    if let Err(error) = glade_agent::extensions::add(extensions) {
        eprintln!("glade: {error}");
        return ExitCode::FAILURE;
    }
    glade_canvas::text::provide_cjk(glade_studio::cjk_font);
    let result = match Cli::parse().command {
        Command::Code(code) => code::run(code),
        Command::Draw(draw) => draw::run(draw),
        Command::Write(write) => write::run(write),
        Command::Render(render) => render::run(render),
        Command::Replay(args) => replay::run(&args),
        Command::Serve(serve) => serve::run(serve),
        Command::Config(flags) => print_config(flags),
        Command::Backup(args) => backup::backup(&args),
        Command::Restore(args) => backup::restore(&args),
        Command::Export(args) => export_import::export(&args),
        Command::Import(args) => export_import::import(&args),
        Command::Token(token) => token::run(token),
        Command::Audit(audit) => audit::run(audit),
        Command::TryPages(args) => try_pages::run(&args),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("glade: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn print_config(flags: config::Flags) -> anyhow::Result<()> {
    write!(std::io::stdout(), "{}", config::Settled::of(flags)?.print())?;
    Ok(())
}
