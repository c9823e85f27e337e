//! `glade serve`

use std::io::Write as _;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::Context as _;
use clap::Args;
use glade_server::{Config, Server};

use crate::log;
use crate::signals::stop_signal;

#[derive(Args)]
pub struct Serve {
    /// Address and port; port 0 takes any free one
    #[arg(long, default_value = "127.0.0.1:7878", env = "GLADE_LISTEN")]
    listen: SocketAddr,
    /// The folder that holds everything
    #[arg(long, default_value = "glade-data", env = "GLADE_DATA")]
    data: PathBuf,
    /// The model that fairies think with
    #[arg(long, default_value = "sketch", env = "GLADE_MODEL")]
    model: String,
    /// Words a second of the built-in model; 0 is as fast as it can
    #[arg(long, default_value_t = glade_server::SKETCH_PACE, value_name = "WORDS_PER_SECOND")]
    sketch_pace: f64,
    /// A further name under which browsers may call this server
    #[arg(long = "host-name", value_name = "NAME")]
    host_names: Vec<String>,
    /// Do not open a browser
    #[arg(long)]
    no_open: bool,
}

pub fn run(args: Serve) -> anyhow::Result<()> {
    log::to_stderr("warn,glade=info");
    anyhow::ensure!(
        args.sketch_pace.is_finite() && args.sketch_pace >= 0.0,
        "--sketch-pace must be 0 or more words a second"
    );
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .context("the runtime could not start")?;
    runtime.block_on(serve(args))
}

async fn serve(args: Serve) -> anyhow::Result<()> {
    let server = Server::start(Config {
        listen: args.listen,
        data: args.data,
        model: args.model,
        sketch_pace: args.sketch_pace,
        host_names: args.host_names,
    })
    .await?;
    let link = server.owner_link();
    {
        let mut out = std::io::stdout().lock();
        writeln!(out, "Glade is at {link}")?;
        out.flush()?;
    }
    if !args.no_open {
        open_browser(&link);
    }
    server.run(stop_signal()).await?;
    Ok(())
}

/// Opens the link where there is a desktop to open it on; otherwise the printed line is enough.
fn open_browser(link: &str) {
    let has_desktop = cfg!(target_os = "macos")
        || std::env::var_os("DISPLAY").is_some()
        || std::env::var_os("WAYLAND_DISPLAY").is_some();
    if !has_desktop {
        return;
    }
    let program = if cfg!(target_os = "macos") {
        "open"
    } else {
        "xdg-open"
    };
    let opened = Command::new(program)
        .arg(link)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    if let Err(error) = opened {
        tracing::debug!(%error, "no browser was opened");
    }
}
