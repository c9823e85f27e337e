//! Strangers at the door: 5,000 silent and 500 hostile connections while two people edit.
//!
//! `cargo xtask bench strangers` runs the server on one core and the strangers, in a process of
//! their own that lets others go first, on the other, where the two people are too. It fails if the
//! server takes 500 MB, if the p99 of an edit's way is 100 ms, or if the owner does not get in.

use std::io::{BufRead, BufReader, Read as _, Write as _};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use clap::Parser;
use glade_bench::http::Api;
use glade_bench::line;
use glade_bench::strangers::{Hostile, Target, do_harm, stay_silent};
use glade_bench::sync::load::{self, Load, Outcome};
use glade_bench::sync::rest;
use glade_bench::sync::server::{Programs, Server, pin_client};
use glade_bench::table::Table;
use serde_json::json;

/// The server's memory, at the most, in MB.
const MEMORY: u64 = 500;
/// The p99 of an edit's way to the other person, in milliseconds.
const P99: f64 = 100.0;
/// Elements of the page that slow readers ask for.
const ELEMENTS: usize = 2_000;

#[derive(Parser)]
struct Args {
    /// Connections that say nothing
    #[arg(long, default_value_t = 5_000)]
    silent: usize,
    /// Connections that do harm
    #[arg(long, default_value_t = 500)]
    hostile: usize,
    /// How long the two people edit, in seconds
    #[arg(long, default_value_t = 45.0)]
    seconds: f64,
    /// The folder of the build
    #[arg(long, default_value = "target")]
    target: PathBuf,
    /// Where the results go; nothing is written when left out
    #[arg(long)]
    results: Option<PathBuf>,
    /// Be the strangers: ADDRESS PAGE WRITE-TOKEN READ-TOKEN
    #[arg(long, hide = true, num_args = 4)]
    be: Option<Vec<String>>,
}

fn main() -> Result<()> {
    let args = Args::parse();
    match &args.be {
        Some(whom) => be_strangers(&args, whom),
        None => measure(&args),
    }
}

fn be_strangers(args: &Args, whom: &[String]) -> Result<()> {
    let [address, page, write, read] = whom else {
        anyhow::bail!("four values are needed");
    };
    let target = Target {
        address: address.parse()?,
        page: page.clone(),
        write: write.clone(),
        read: read.clone(),
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let (there, mut all_there) = tokio::sync::mpsc::channel(args.silent.max(1));
        for who in 0..args.silent {
            tokio::spawn(stay_silent(who, target.address, there.clone()));
        }
        for _ in 0..args.silent {
            all_there.recv().await;
        }
        line("silent");
        // Whoever measures says when to go on.
        let mut go_on = String::new();
        std::io::stdin().read_line(&mut go_on)?;
        for who in 0..args.hostile {
            let what = Hostile::ALL[who % Hostile::ALL.len()];
            tokio::spawn(do_harm(who, what, target.clone()));
        }
        line("hostile");
        std::future::pending().await
    })
}

/// The strangers' process. Dropping it ends them.
struct Strangers {
    process: Child,
    says: BufReader<ChildStdout>,
}

impl Strangers {
    fn come(args: &Args, target: &Target) -> Result<Self> {
        let own = std::env::current_exe()?;
        let mut command = Command::new("nice");
        command.args(["-n", "19"]).arg(own).args([
            "--silent".to_owned(),
            args.silent.to_string(),
            "--hostile".to_owned(),
            args.hostile.to_string(),
            "--be".to_owned(),
            target.address.to_string(),
            target.page.clone(),
            target.write.clone(),
            target.read.clone(),
        ]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = command.spawn()?;
        let says = BufReader::new(process.stdout.take().context("no stdout")?);
        Ok(Self { process, says })
    }

    fn hear(&mut self, word: &str) -> Result<()> {
        let mut said = String::new();
        self.says.read_line(&mut said)?;
        ensure!(said.trim() == word, "the strangers said {said:?}");
        Ok(())
    }

    fn go_on(&mut self) -> Result<()> {
        let stdin = self.process.stdin.as_mut().context("no stdin")?;
        Ok(stdin.write_all(b"go on\n")?)
    }
}

impl Drop for Strangers {
    fn drop(&mut self) {
        // They may be gone already.
        let _killed = self.process.kill();
        let _waited = self.process.wait();
    }
}

fn measure(args: &Args) -> Result<()> {
    pin_client()?;
    let programs = Programs::built_in(&args.target);
    let server = Server::glade_with(&programs, &[])?;
    let api = server.api().context("no interface")?;
    let data = server.data().context("no data folder")?.to_owned();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let large = rest::fill(&server, ELEMENTS)?;
    let rooms = runtime.block_on(server.rooms(1))?;
    let token = |limits| -> Result<String> {
        let made = runtime.block_on(api.post("/api/tokens/attenuate", &limits))?;
        Ok(made["token"].as_str().context("no token")?.to_owned())
    };
    let target = Target {
        address: server.address,
        page: large.room.clone(),
        write: token(json!({"subject": "person:eve", "pages": [large.room]}))?,
        read: token(json!({"subject": "person:mallory", "ops": ["read"]}))?,
    };
    let guest = token(json!({"subject": "person:ann"}))?;

    let pair = |seconds: f64| {
        let load = Load {
            rooms: 1,
            clients: 2,
            rate: 40,
            warm_up: Duration::from_secs(1),
            measured: Duration::from_secs_f64(seconds),
        };
        load::run_in(&server, &rooms, load)
    };
    let alone = pair(10.0)?;
    line(&format!("the pair alone: {alone:?}"));

    let (memory, cpu) = (server.memory()?, server.cpu()?);
    let mut strangers = Strangers::come(args, &target)?;
    strangers.hear("silent")?;
    let each = args.silent.max(1) as u64;
    let bytes_each = server.memory()?.saturating_sub(memory) / each;
    let micros_each = (server.cpu()? - cpu).as_micros() as u64 / each;
    line(&format!(
        "{} silent: {bytes_each} bytes and {micros_each} µs each",
        args.silent
    ));
    strangers.go_on()?;
    strangers.hear("hostile")?;

    let over = Arc::new(AtomicBool::new(false));
    let most = watch_memory(&server, Arc::clone(&over));
    let (busy, owner) = std::thread::scope(|scope| {
        let owner = scope.spawn(|| {
            // In the middle of it.
            std::thread::sleep(Duration::from_secs_f64(args.seconds / 2.0));
            owner_gets_in(&programs.glade, &api, &data, &guest)
        });
        let busy = pair(args.seconds);
        (busy, owner.join())
    });
    over.store(true, Ordering::Relaxed);
    let (busy, owner) = (
        busy?,
        owner.map_err(|_| anyhow::anyhow!("the owner's thread"))??,
    );
    let most = most.join().map_err(|_| anyhow::anyhow!("watching"))??;
    drop(strangers);

    let page = report(
        args,
        alone,
        busy,
        [bytes_each, micros_each, most >> 20],
        owner,
    );
    line(&page);
    if let Some(results) = &args.results {
        std::fs::create_dir_all(results)?;
        std::fs::write(results.join("strangers.md"), page)?;
    }
    ensure!(most >> 20 < MEMORY, "{} MB", most >> 20);
    ensure!(busy.p99 < P99 && busy.lost == 0.0, "{busy:?}");
    Ok(())
}

fn watch_memory(server: &Server, over: Arc<AtomicBool>) -> std::thread::JoinHandle<Result<u64>> {
    let status = server.memory_file();
    std::thread::spawn(move || {
        let mut most = 0;
        while !over.load(Ordering::Relaxed) {
            most = most.max(Server::memory_in(&status)?);
            std::thread::sleep(Duration::from_millis(100));
        }
        Ok(most)
    })
}

/// How long the owner's ways in take, in milliseconds: over TCP, over the socket in the data
/// folder, and revoking a token with the command line.
fn owner_gets_in(glade: &Path, api: &Api, data: &Path, guest: &str) -> Result<[f64; 3]> {
    let ms = |since: Instant| since.elapsed().as_secs_f64() * 1e3;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let asked = Instant::now();
    runtime.block_on(api.get("/api/workspaces/main"))?;
    let over_tcp = ms(asked);

    let asked = Instant::now();
    let mut stream = UnixStream::connect(data.join("glade.sock"))?;
    let request = format!(
        "GET /api/session HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {}\r\nConnection: close\r\n\r\n",
        api.token
    );
    stream.write_all(request.as_bytes())?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    ensure!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    let over_socket = ms(asked);

    let asked = Instant::now();
    let revoked = Command::new(glade)
        .args(["token", "revoke", guest, "--data"])
        .arg(data)
        .output()?;
    let said = String::from_utf8_lossy(&revoked.stdout).into_owned();
    ensure!(said.contains("has closed its sessions"), "{revoked:?}");
    let revoking = ms(asked);
    let api = Api {
        token: guest.to_owned(),
        ..api.clone()
    };
    let after = runtime.block_on(api.get("/api/workspaces/main"));
    ensure!(after.is_err(), "a revoked token still holds");
    Ok([over_tcp, over_socket, revoking])
}

fn report(
    args: &Args,
    alone: Outcome,
    busy: Outcome,
    [bytes, micros, most]: [u64; 3],
    [tcp, socket, revoking]: [f64; 3],
) -> String {
    let mut pair = Table::new(&["two people, 40 edits a second", "p50", "p99", "lost"]);
    for (what, outcome) in [("alone", alone), ("beside the strangers", busy)] {
        pair.row([
            what.to_owned(),
            format!("{:.1} ms", outcome.p50),
            format!("{:.1} ms", outcome.p99),
            format!("{:.1} %", outcome.lost * 100.0),
        ]);
    }
    let mut other = Table::new(&["", ""]);
    for (what, value) in [
        (
            "a silent connection costs",
            format!("{bytes} bytes, {micros} µs"),
        ),
        ("the server's memory at its most", format!("{most} MB")),
        ("the owner over TCP", format!("{tcp:.0} ms")),
        (
            "the owner over the socket in the data folder",
            format!("{socket:.0} ms"),
        ),
        ("`glade token revoke`", format!("{revoking:.0} ms")),
    ] {
        other.row([what.to_owned(), value]);
    }
    format!(
        "# Strangers\n\n`cargo xtask bench strangers`: {} connections that say nothing and {} that do harm \
         (garbage, wrong tokens, updates never finished, readers that do not read, half messages, slow heads and \
         bodies) from 60 addresses, each back as soon as it was shown the door, for {} s. The server has one core; \
         strangers and people share the other.\n\n{}\n{}",
        args.silent,
        args.hostile,
        args.seconds,
        pair.markdown(),
        other.markdown()
    )
}
