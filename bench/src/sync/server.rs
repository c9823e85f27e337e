//! A server under measurement: its process on a core of its own, what it uses, how it is called.

use std::fs;
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use glade_doc::Surface;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::http::Api;

use super::wire::{Glade, Hocuspocus, HocuspocusText, Tldraw, Wire, YWebsocket};

/// The core of the server; the client has the other.
const SERVER_CORE: &str = "0";
const CLIENT_CORE: &str = "1";
/// The kernel counts processor time in hundredths of a second.
const TICK: Duration = Duration::from_millis(10);

/// Which server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Which {
    Glade,
    Hocuspocus,
    YWebsocket,
    Tldraw,
}

impl Which {
    pub const ALL: [Self; 4] = [
        Self::Glade,
        Self::Hocuspocus,
        Self::YWebsocket,
        Self::Tldraw,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::Glade => "glade",
            Self::Hocuspocus => "hocuspocus",
            Self::YWebsocket => "y-websocket",
            Self::Tldraw => "tldraw sync",
        }
    }
}

/// Where the programs are.
#[derive(Debug, Clone)]
pub struct Programs {
    /// The shipped binary, built for release.
    pub glade: PathBuf,
    /// The folder with the peers' packages and start scripts.
    pub peers: PathBuf,
    /// Where data folders are made: a disk, not memory.
    pub scratch: PathBuf,
}

impl Programs {
    /// Where `cargo xtask bench` puts them, below the folder of the build.
    pub fn built_in(target: &Path) -> Self {
        Self {
            glade: target.join("release/glade"),
            peers: target.join("bench-peers"),
            scratch: target.join("bench-data"),
        }
    }

    /// A new folder for a server's data.
    fn folder(&self) -> Result<TempDir> {
        fs::create_dir_all(&self.scratch)?;
        Ok(TempDir::new_in(&self.scratch)?)
    }
}

/// Keeps this process, and what it starts from now on, off the server's core.
pub fn pin_client() -> Result<()> {
    let own = std::process::id().to_string();
    let status = Command::new("taskset")
        .args(["-a", "-p", "-c", CLIENT_CORE, &own])
        .stdout(Stdio::null())
        .status()
        .context("taskset is needed to give the server a core of its own")?;
    ensure!(status.success(), "taskset could not pin the client");
    Ok(())
}

/// A running server. Dropping it kills it.
pub struct Server {
    pub address: SocketAddr,
    pub wire: Box<dyn Wire>,
    process: Child,
    data: Option<TempDir>,
}

impl Server {
    pub fn start(which: Which, programs: &Programs) -> Result<Self> {
        match which {
            Which::Glade => {
                let mut command = on_its_core(&programs.glade);
                // Everybody in a measurement comes from one address.
                for limit in ["GLADE_MAX_CONNECTIONS", "GLADE_MAX_CONNECTIONS_PER_ADDRESS"] {
                    command.env(limit, "20000");
                }
                Self::glade(command, programs.folder()?, &[])
            }
            Which::Hocuspocus => Self::peer(programs, "hocuspocus.mjs", |_| Box::new(Hocuspocus)),
            Which::YWebsocket => Self::peer(programs, "y-websocket.mjs", |_| Box::new(YWebsocket)),
            Which::Tldraw => Self::peer(programs, "tldraw.mjs", |said| {
                Box::new(Tldraw {
                    schema: said["schema"].clone(),
                })
            }),
        }
    }

    /// Ours, with flags of its own.
    pub fn glade_with(programs: &Programs, flags: &[&str]) -> Result<Self> {
        Self::glade(on_its_core(&programs.glade), programs.folder()?, flags)
    }

    /// Ours with all the machine: for a client that does next to nothing.
    pub fn glade_at_large(programs: &Programs, flags: &[&str]) -> Result<Self> {
        Self::glade(Command::new(&programs.glade), programs.folder()?, flags)
    }

    fn glade(mut command: Command, data: TempDir, flags: &[&str]) -> Result<Self> {
        command
            .args(["serve", "--listen", "127.0.0.1:0", "--no-open", "--data"])
            .arg(data.path())
            .args(flags);
        let (process, line) = spawn(command)?;
        let link = line
            .split("http://")
            .nth(1)
            .context("no link was printed")?;
        let (address, key) = link.trim().split_once("/#key=").context("no key")?;
        Ok(Self {
            address: address.parse()?,
            wire: Box::new(Glade {
                token: key.to_owned(),
                surface: Surface::Canvas,
            }),
            process,
            data: Some(data),
        })
    }

    fn peer(
        programs: &Programs,
        script: &str,
        wire: impl FnOnce(&Value) -> Box<dyn Wire>,
    ) -> Result<Self> {
        let mut command = on_its_core(&programs.peers.join("node_modules/node/bin/node"));
        command.arg(programs.peers.join(script));
        command.env("NODE_ENV", "production");
        let (process, line) = spawn(command)?;
        let said: Value = serde_json::from_str(&line)
            .with_context(|| format!("{script} did not say its port but {line:?}"))?;
        let port = said["port"].as_u64().context("no port")?;
        Ok(Self {
            address: SocketAddr::from(([127, 0, 0, 1], u16::try_from(port)?)),
            wire: wire(&said),
            process,
            data: None,
        })
    }

    /// Stops it and starts it again on the same data, if it keeps any.
    pub fn restarted(mut self, programs: &Programs) -> Result<Option<Self>> {
        let Some(data) = self.data.take() else {
            return Ok(None);
        };
        drop(self);
        Self::glade(on_its_core(&programs.glade), data, &[]).map(Some)
    }

    /// From now on its rooms are pages of text.
    pub fn on_text(mut self) -> Self {
        self.wire = match self.wire.token() {
            Some(token) => Box::new(Glade {
                token: token.to_owned(),
                surface: Surface::Text,
            }),
            None => Box::new(HocuspocusText),
        };
        self
    }

    /// Its data folder; only ours has one.
    pub fn data(&self) -> Option<&Path> {
        self.data.as_ref().map(TempDir::path)
    }

    /// The way to its HTTP interface; only ours has one.
    pub fn api(&self) -> Option<Api> {
        let token = self.wire.token()?.to_owned();
        Some(Api {
            address: self.address,
            token,
        })
    }

    /// Processor time so far, in all its threads.
    pub fn cpu(&self) -> Result<Duration> {
        cpu_of(&format!("/proc/{}/stat", self.process.id()))
    }

    /// Memory in use, in bytes.
    pub fn memory(&self) -> Result<u64> {
        Self::memory_in(&self.memory_file())
    }

    /// Where the system tells it, for whoever watches from another thread.
    pub fn memory_file(&self) -> PathBuf {
        PathBuf::from(format!("/proc/{}/status", self.process.id()))
    }

    /// Memory in use by that file, in bytes.
    pub fn memory_in(file: &Path) -> Result<u64> {
        let status = fs::read_to_string(file)?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let kilobytes = line.and_then(|rest| rest.split_whitespace().next());
        Ok(kilobytes.context("no VmRSS")?.parse::<u64>()? * 1024)
    }

    /// Makes rooms and answers their names.
    pub async fn rooms(&self, count: usize) -> Result<Vec<String>> {
        let Some(api) = self.api() else {
            // A peer's room is made by whoever first asks for it.
            let pid = self.process.id();
            let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH)?;
            let names = (0..count).map(|n| format!("room-{pid}-{}-{n}", now.as_nanos()));
            return Ok(names.collect());
        };
        let mut made = Vec::with_capacity(count);
        while made.len() < count {
            let some = (count - made.len()).min(64);
            let mut asked = tokio::task::JoinSet::new();
            for _ in 0..some {
                let (api, kind) = (api.clone(), self.wire.page_kind());
                asked.spawn(async move { make_page(&api, kind).await });
            }
            while let Some(page) = asked.join_next().await {
                made.push(page??);
            }
        }
        Ok(made)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may be gone already; either way it is not left behind.
        let _killed = self.process.kill();
        let _waited = self.process.wait();
    }
}

/// Processor time of this process.
pub fn own_cpu() -> Result<Duration> {
    cpu_of("/proc/self/stat")
}

fn cpu_of(stat: &str) -> Result<Duration> {
    let text = fs::read_to_string(stat)?;
    // The name, in parentheses, may hold anything.
    let (_, rest) = text.rsplit_once(')').context("an odd stat file")?;
    let fields: Vec<&str> = rest.split_whitespace().collect();
    let ticks = |at: usize| -> Result<u32> { Ok(fields.get(at).context("a short stat")?.parse()?) };
    Ok(TICK * (ticks(11)? + ticks(12)?))
}

fn on_its_core(program: &Path) -> Command {
    let mut command = Command::new("taskset");
    command.args(["-c", SERVER_CORE]).arg(program);
    command
}

fn spawn(mut command: Command) -> Result<(Child, String)> {
    command.stdout(Stdio::piped()).stderr(Stdio::null());
    let mut process = command
        .spawn()
        .with_context(|| format!("{command:?} could not be started"))?;
    let stdout = process.stdout.take().context("no stdout")?;
    let mut line = String::new();
    BufReader::new(stdout).read_line(&mut line)?;
    ensure!(
        !line.is_empty(),
        "a server ended before it said where it is"
    );
    Ok((process, line))
}

async fn make_page(api: &Api, kind: &str) -> Result<String> {
    let new = json!({"name": "bench", "kind": kind});
    let made = api.post("/api/workspaces/main/pages", &new).await?;
    Ok(made["id"].as_str().context("no id")?.to_owned())
}
