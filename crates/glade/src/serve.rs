//! `glade serve`

use std::io::Write as _;
use std::net::IpAddr;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::Context as _;
use clap::Args;
use glade_server::{
    AtOnce, Budget, Config, Connections, Network, RoomTuning, Server, TeamRules, Teams,
    TrustedProxies,
};

use crate::config::{Flags, Settled, unknown_variables};
use crate::log;
use crate::signals::stop_signal;

/// How long work on threads of its own may take to end when the server stops.
const LAST_WORK: Duration = Duration::from_secs(1);

#[derive(Args)]
pub struct Serve {
    #[command(flatten)]
    flags: Flags,
    /// Do not open a browser
    #[arg(long)]
    no_open: bool,
    /// Record what every page's room is given, for `glade replay`; what people write is in it
    #[arg(long, value_name = "DIR")]
    record_rooms: Option<PathBuf>,
}

pub fn run(args: Serve) -> anyhow::Result<()> {
    let settled = Settled::of(args.flags)?;
    log::as_set(&settled)?;
    for word in unknown_variables(std::env::vars().map(|(name, _)| name)) {
        tracing::warn!("{word}");
    }
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .context("the runtime could not start")?;
    let open = settled.one("open")? && !args.no_open;
    let served = runtime.block_on(serve(&settled, open, args.record_rooms));
    // What a person asked for may still be read or drawn on a thread of its own: nobody waits for it.
    runtime.shutdown_timeout(LAST_WORK);
    served
}

async fn serve(settled: &Settled, open: bool, record_rooms: Option<PathBuf>) -> anyhow::Result<()> {
    let server = Server::start(Config {
        listen: settled.one("listen")?,
        data: settled.data.clone(),
        model: settled.one("model")?,
        sketch_pace: settled.one("sketch-pace")?,
        host_names: settled.all("host-name"),
        project: settled
            .all("project")
            .pop()
            .filter(|folder| !folder.is_empty())
            .map(PathBuf::from),
        outside_data: settled.one("outside-data")?,
        rooms: RoomTuning {
            idle: Duration::from_secs(settled.one("room-idle-seconds")?),
            log_updates: settled.one("fold-updates")?,
            log_bytes: settled.one("fold-bytes")?,
            compact_operations: settled.one("compact-operations")?,
            compact_quiet: Duration::from_secs(settled.one("compact-quiet-seconds")?),
            ..RoomTuning::default()
        },
        record_rooms,
        teams: teams(settled)?,
        at_once: AtOnce {
            to_one_provider: settled.one("requests-to-one-provider")?,
            in_all: settled.one("requests-at-once")?,
        },
        network: network(settled)?,
        studio: glade_studio::file,
    })
    .await?;
    let link = server.owner_link();
    {
        let mut out = std::io::stdout().lock();
        writeln!(out, "Glade is at {link}")?;
        out.flush()?;
    }
    if open {
        open_browser(&link);
    }
    server.run(stop_signal()).await?;
    Ok(())
}

fn network(settled: &Settled) -> anyhow::Result<Network> {
    let proxies: Result<Vec<IpAddr>, _> = settled
        .all("trusted-proxy")
        .iter()
        .map(|address| address.parse())
        .collect();
    Ok(Network {
        trusted_proxies: TrustedProxies::new(proxies.context("trusted-proxy")?),
        connections: Connections {
            in_all: settled.one("max-connections")?,
            per_address: settled.one("max-connections-per-address")?,
        },
        ..Network::default()
    })
}

fn teams(settled: &Settled) -> anyhow::Result<Teams> {
    let seconds: u32 = settled.one("team-wait-seconds")?;
    Ok(Teams {
        rules: TeamRules {
            margin: settled.one("team-margin")?,
            wait_ms: i64::from(seconds) * 1000,
            tasks: settled.one("team-tasks")?,
            tries: settled.one("team-tries")?,
        },
        budget: Budget {
            tokens: settled.one("team-tokens")?,
            usd: settled.one("team-usd")?,
            steps: settled.one("team-requests")?,
        },
    })
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
