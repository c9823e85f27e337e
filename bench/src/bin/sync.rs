//! Rooms under load: ours (gate, audit, durable acknowledgement) beside hocuspocus, y-websocket and tldraw sync.
//!
//! `cargo xtask bench sync` installs the peers, builds the server for release and measures all of
//! them in turn, again and again, the server on one core and the client on the other. The results
//! go to `bench/results/sync.md` and `sync.svg`. Once everything is built this takes about twelve
//! minutes; `--quick`, for a first look, about four, and writes nothing.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use clap::Parser;
use glade_bench::sync::load::{self, Load, Outcome};
use glade_bench::sync::pairs;
use glade_bench::sync::report::{Opening, Report, Results};
use glade_bench::sync::rest;
use glade_bench::sync::server::{Programs, Server, Which, pin_client};
use glade_bench::{line, publish};

/// People in the room.
const PEOPLE: usize = 50;
/// The rate at which everyone is compared.
const COMPARED: usize = 2_000;
/// Edits a second that a room is tried with.
const RUNGS: [usize; 26] = [
    250, 500, 750, 1_000, 1_250, 1_500, 1_750, 2_000, 2_250, 2_500, 2_750, 3_000, 3_500, 4_000,
    4_500, 5_000, 5_500, 6_000, 7_000, 8_000, 9_000, 10_000, 11_000, 12_000, 14_000, 16_000,
];
/// A rung holds if p99 stays below this, in milliseconds.
const LIMIT: f64 = 100.0;

#[derive(Parser)]
struct Args {
    /// Fewer repeats, smaller pages, nothing written
    #[arg(long)]
    quick: bool,
    /// How often each server is measured
    #[arg(long)]
    repeats: Option<usize>,
    /// Only these servers
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    /// Only one room of 50 at this rate, printed
    #[arg(long)]
    rate: Option<usize>,
    /// Another build of the server: both in turn, and what an edit costs the new one for what it cost the old
    #[arg(long)]
    beside: Option<PathBuf>,
    /// How long each measurement lasts, in seconds
    #[arg(long, default_value_t = 1.5)]
    seconds: f64,
    /// The folder of the build
    #[arg(long, default_value = "target")]
    target: PathBuf,
    /// Where the results go
    #[arg(long, default_value = "bench/results")]
    results: PathBuf,
}

fn main() -> Result<()> {
    let args = Args::parse();
    let programs = Programs::built_in(&args.target);
    pin_client()?;
    let chosen = |which: &Which| {
        args.only.is_empty() || args.only.iter().any(|name| which.name().starts_with(name))
    };
    let servers: Vec<Which> = Which::ALL.into_iter().filter(chosen).collect();
    let bench = Bench {
        measured: Duration::from_secs_f64(args.seconds),
        programs,
    };
    if let Some(old) = args.beside {
        return bench.beside(
            old,
            args.repeats.unwrap_or(10),
            args.rate.unwrap_or(COMPARED),
        );
    }
    if let Some(rate) = args.rate {
        for _ in 0..args.repeats.unwrap_or(1) {
            for &which in &servers {
                let server = Server::start(which, &bench.programs)?;
                bench.room(&server, which, rate)?;
            }
        }
        return Ok(());
    }
    let repeats = args.repeats.unwrap_or(if args.quick { 2 } else { 5 });
    let started = Instant::now();
    let mut report = Report::new(&servers, repeats, bench.measured);
    for repeat in 0..repeats {
        line(&format!("repeat {} of {repeats}", repeat + 1));
        for results in &mut report.servers {
            bench.repeat(results)?;
        }
    }
    for results in &mut report.servers {
        // The larger ones of ours alone: the others would take longer than all the rest.
        let (rooms, pages): (&[usize], &[usize]) = if args.quick || results.which != Which::Glade {
            (&[1_000], &[10_000])
        } else {
            (&[1_000, 10_000], &[10_000, 100_000])
        };
        if let Err(problem) = bench.rest(results, rooms, pages) {
            line(&format!(
                "{:<12} at rest: {problem:#}",
                results.which.name()
            ));
        }
    }
    report.took = started.elapsed();
    line(&report.markdown());
    if !args.quick {
        publish(&args.results, "sync", &report.markdown(), &report.svg())?;
    }
    Ok(())
}

struct Bench {
    measured: Duration,
    programs: Programs,
}

impl Bench {
    /// One server once: the compared rate, how high it goes, a hundred small rooms.
    fn repeat(&self, results: &mut Results) -> Result<()> {
        let which = results.which;
        let server = Server::start(which, &self.programs)?;
        // Not counted: a just-in-time compiler gets to see what it will have to do.
        let warm_up = Bench {
            measured: Duration::from_millis(500),
            programs: self.programs.clone(),
        };
        warm_up.load(&server, 1, PEOPLE, COMPARED)?;
        let compared = self.room(&server, which, COMPARED)?;
        results.compared.push(compared);
        results.tried.push((COMPARED, compared));
        let top = self.top(&server, results)?;
        results.top.push(top);
        line(&format!("{:<12} holds {top} edits/s", which.name()));
        drop(server);
        let server = Server::start(which, &self.programs)?;
        let small = self.load(&server, 100, 2, COMPARED)?;
        show(which, "100 rooms of 2", COMPARED, &small);
        results.small_rooms.push(small);
        Ok(())
    }

    /// The highest rung that holds. The first repeat looks everywhere; those after it begin where
    /// the last one ended.
    fn top(&self, server: &Server, results: &mut Results) -> Result<usize> {
        let mut holds = |rung: usize| -> Result<bool> {
            let rate = RUNGS[rung];
            if rate == COMPARED {
                return Ok(results.compared.last().is_some_and(|last| last.p99 < LIMIT));
            }
            let outcome = self.room(server, results.which, rate)?;
            results.tried.push((rate, outcome));
            Ok(outcome.p99 < LIMIT)
        };
        let known = results
            .top
            .last()
            .and_then(|top| RUNGS.iter().position(|rung| rung == top));
        // Below `low` all hold, from `high` on none does.
        let (mut low, mut high) = (0, RUNGS.len());
        if let Some(known) = known {
            let mut at = known;
            while at < high && holds(at)? {
                at += 1;
                low = at;
            }
            if low > 0 {
                return Ok(RUNGS[low - 1]);
            }
            high = at;
            while high > 0 && !holds(high - 1)? {
                high -= 1;
            }
            return Ok(if high > 0 { RUNGS[high - 1] } else { 0 });
        }
        while low < high {
            let middle = (low + high) / 2;
            if holds(middle)? {
                low = middle + 1
            } else {
                high = middle
            }
        }
        Ok(if low > 0 { RUNGS[low - 1] } else { 0 })
    }

    fn room(&self, server: &Server, which: Which, rate: usize) -> Result<Outcome> {
        let outcome = self.load(server, 1, PEOPLE, rate)?;
        show(which, "a room of 50", rate, &outcome);
        Ok(outcome)
    }

    /// Two builds in turn.
    fn beside(&self, old: PathBuf, pairs: usize, rate: usize) -> Result<()> {
        let pairs = pairs::measure(&self.programs, old, pairs, self.of(1, PEOPLE, rate))?;
        for pair in &pairs {
            show(Which::Glade, "old", rate, &pair.old);
            show(Which::Glade, "new", rate, &pair.new);
            line(&format!("ratio {:.3}", pair.ratio()));
        }
        let median = pairs::median_ratio(&pairs);
        line(&format!(
            "median ratio of {} pairs: {median:.3}",
            pairs.len()
        ));
        Ok(())
    }

    fn load(&self, server: &Server, rooms: usize, clients: usize, rate: usize) -> Result<Outcome> {
        load::run(server, self.of(rooms, clients, rate))
    }

    fn of(&self, rooms: usize, clients: usize, rate: usize) -> Load {
        Load {
            rooms,
            clients,
            rate,
            warm_up: Duration::from_millis(500),
            measured: self.measured,
        }
    }

    /// Memory and opening.
    fn rest(&self, results: &mut Results, rooms: &[usize], pages: &[usize]) -> Result<()> {
        let which = results.which;
        let server = Server::start(which, &self.programs)?;
        let memory = rest::idle_rooms(&server, rooms)
            .with_context(|| format!("idle rooms of {}", which.name()))?;
        drop(server);
        line(&format!(
            "{:<12} idle rooms: {memory:?} bytes",
            which.name()
        ));
        results.idle = std::iter::once(0)
            .chain(rooms.iter().copied())
            .zip(memory)
            .collect();
        for &elements in pages {
            let server = Server::start(which, &self.programs)?;
            let filled = rest::fill(&server, elements)
                .with_context(|| format!("a page of {elements} in {}", which.name()))?;
            let mut warm = Vec::new();
            for _ in 0..3 {
                warm.push(rest::opening(&server, &filled.room)?);
            }
            warm.sort();
            let (open, bytes) = warm[1];
            let cold = match server.restarted(&self.programs)? {
                Some(server) => Some(rest::opening(&server, &filled.room)?.0),
                None => None,
            };
            line(&format!(
                "{:<12} a page of {elements}: {open:?}, {bytes} bytes, cold {cold:?}",
                which.name()
            ));
            results.openings.push(Opening {
                elements,
                open,
                cold,
                bytes,
            });
        }
        Ok(())
    }
}

fn show(which: Which, what: &str, rate: usize, outcome: &Outcome) {
    let ack = outcome.ack.map_or(String::new(), |(p50, p99)| {
        format!("   ack p50 {p50:.1} p99 {p99:.1}")
    });
    line(&format!(
        "{:<12} {what} at {rate:>6}/s   p50 {:>7.1} ms   p99 {:>7.1} ms   {:>6.2} µs/delivery   client {:>3.0} %{ack}",
        which.name(),
        outcome.p50,
        outcome.p99,
        outcome.cpu_per_delivery,
        outcome.client * 100.0,
    ));
}
