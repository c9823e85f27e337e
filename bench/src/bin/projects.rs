//! Projects at work: 1 to 50 of them, four fairies each, with the built-in model; tasks a second, hand-over, memory.
//!
//! `cargo xtask bench projects [--most N] [--bin FILE]`: the server has the machine to itself. Every project has a page of its own,
//! six drawings and three fairies to draw them. Measured twice: as fast as `sketch` can, all begun at once, and at the
//! pace that people watch, begun within three seconds. Writes bench/results/projects.md and .svg.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use clap::Parser;
use glade_bench::chart::{Lines, Scale, Series, Sheet};
use glade_bench::fairies;
use glade_bench::sync::server::{Programs, Server};
use glade_bench::table::Table;
use glade_bench::{line, publish};
use serde_json::json;

const MEMBERS: usize = 4;
const TASKS: usize = 6;
const REQUEST: &str = "A board:\n1. Draw a flow: Order -> Pack -> Ship\n2. Sticky notes: one, two, three\n\
    3. Timeline: 2024 Idea, 2025 Beta, 2026 Launch\n4. Mind map of Launch: people, press, party\n\
    5. Table: Who, What; Ann, Press; Bob, Food\n6. Draw a flow: Ask -> Answer -> Thank";
const HAND_OVER: &str = "glade_project_hand_over_seconds";
const LIMIT_MS: f64 = 10.0;
const PATIENCE: Duration = Duration::from_secs(300);
/// As fast as it can, all at once; and as people watch it, who do not all press a button in the same moment.
const PACES: [Pace; 2] = [
    Pace {
        words: "0",
        name: "at full speed",
        begun_within: Duration::ZERO,
    },
    Pace {
        words: "18",
        name: "as people watch it",
        begun_within: Duration::from_secs(3),
    },
];

struct Pace {
    /// A second; 0 is as fast as it can.
    words: &'static str,
    name: &'static str,
    begun_within: Duration,
}

#[derive(Parser)]
struct Args {
    #[arg(long, default_value_t = 50)]
    most: usize,
    /// The folder of the build
    #[arg(long, default_value = "target")]
    target: PathBuf,
    /// The server, if it is not that of the release build
    #[arg(long)]
    bin: Option<PathBuf>,
    /// Where the results go
    #[arg(long, default_value = "bench/results")]
    results: PathBuf,
}

fn main() -> Result<()> {
    let args = Args::parse();
    let programs = Programs {
        glade: args.bin.unwrap_or(args.target.join("release/glade")),
        peers: args.target.join("bench-peers"),
        scratch: args.target.join("bench-data"),
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let mut table = Table::new(&[
        "pace",
        "projects",
        "tasks",
        "seconds",
        "tasks a second",
        "processor s",
        "hand-overs",
        "p50 ms",
        "p99 ms",
        "KB a fairy, idle",
        "KB a fairy, at work (peak)",
    ]);
    let mut counts: Vec<usize> = [1, 5, 10, 25]
        .into_iter()
        .filter(|count| *count < args.most)
        .collect();
    counts.push(args.most);
    let (mut rates, mut late, mut weights) = (Vec::new(), Vec::new(), Vec::new());
    for pace in PACES {
        let name = pace.name;
        let series = |points: Vec<(f64, f64)>| Series {
            name: name.to_owned(),
            points,
        };
        let (mut rate, mut hand_over, mut weight) = (Vec::new(), Vec::new(), Vec::new());
        for &count in &counts {
            let server = Server::glade_at_large(&programs, &["--sketch-pace", pace.words])?;
            let measured = runtime.block_on(measure(&server, count, pace.begun_within))?;
            let x = count as f64;
            rate.push((x, measured.rate()));
            hand_over.push((x, measured.hand_overs.quantile(0.99)));
            weight.push((x, measured.peak));
            let row = measured.row(name, count);
            line(&row.join("  "));
            table.row(row);
        }
        rates.push(series(rate));
        late.push(series(hand_over));
        weights.push(series(weight));
    }
    let limit = Some((LIMIT_MS, format!("{LIMIT_MS} ms")));
    let mut sheet = Sheet::default();
    for (title, y, limit, series) in [
        (
            "Tasks a second, all projects together",
            "tasks/s",
            None,
            rates,
        ),
        (
            "From done to the orchestrator awake, p99",
            "ms",
            limit,
            late,
        ),
        ("Memory for each fairy at work", "KB", None, weights),
    ] {
        sheet.lines(&Lines {
            title: title.to_owned(),
            x: "projects".to_owned(),
            y: y.to_owned(),
            scale: Scale::Linear,
            limit,
            series,
        });
    }
    let cores = std::thread::available_parallelism()?;
    let text = format!(
        "# Projects\n\n\
         `cargo xtask bench projects`: every project has {MEMBERS} fairies, a page and {TASKS} drawings to make; \
         the server has the machine's {cores} cores to itself but for a client that reads its metrics twenty times a second. At full \
         speed all begin at once, `sketch` answers at once and no core is ever idle, so a hand-over also waits for its turn there; \
         at 18 words a second, as it comes, begun within three seconds, it is what people watch. A hand-over is the time from a fairy's \"done\", before \
         that is stored, to the next request of the orchestrator that waited for it; read from the server's own histogram \
         (`glade_project_hand_over_seconds`), between its bounds by a straight line. The goal is {LIMIT_MS} ms at p99. Memory is \
         the server's resident memory beyond that of a new server with its pages open, shared out among the fairies.\n\n{}\n\
         ![By the number of projects](projects.svg)\n",
        table.markdown()
    );
    line(&text);
    publish(&args.results, "projects", &text, &sheet.svg())?;
    Ok(())
}

struct Measured {
    tasks: f64,
    seconds: f64,
    processor: f64,
    hand_overs: Histogram,
    idle: f64,
    peak: f64,
}

impl Measured {
    fn rate(&self) -> f64 {
        self.tasks / self.seconds
    }

    fn row(&self, pace: &str, count: usize) -> Vec<String> {
        vec![
            pace.to_owned(),
            count.to_string(),
            format!("{:.0}", self.tasks),
            format!("{:.1}", self.seconds),
            format!("{:.1}", self.rate()),
            format!("{:.1}", self.processor),
            format!("{:.0}", self.hand_overs.count()),
            format!("{:.1}", self.hand_overs.quantile(0.5)),
            format!("{:.1}", self.hand_overs.quantile(0.99)),
            format!("{:.0}", self.idle),
            format!("{:.0}", self.peak),
        ]
    }
}

async fn measure(server: &Server, count: usize, begun_within: Duration) -> Result<Measured> {
    let api = server.api().context("ours has an HTTP interface")?;
    let pages = server.rooms(count).await?;
    for page in &pages {
        // Reading a page opens its room.
        api.get(&format!("/api/pages/{page}/export?format=json"))
            .await?;
    }
    let empty = server.memory()?;
    let each = |now: u64| now.saturating_sub(empty) as f64 / 1024.0 / (count * MEMBERS) as f64;
    let mut teams = Vec::new();
    for page in &pages {
        let mut team = Vec::new();
        for _ in 0..MEMBERS {
            team.push(fairies::make(&api, page).await?);
        }
        teams.push((page, team));
    }
    let idle = each(server.memory()?);
    let processor = server.cpu()?;
    let began = Instant::now();
    for (page, team) in &teams {
        let body = json!({"fairies": team, "page": page, "message": REQUEST});
        api.post("/api/workspaces/main/projects", &body).await?;
        tokio::time::sleep(begun_within / u32::try_from(count)?).await;
    }
    let mut peak = 0.0_f64;
    let metrics = loop {
        tokio::time::sleep(Duration::from_millis(50)).await;
        peak = peak.max(each(server.memory()?));
        let metrics = api.text("/metrics").await?;
        if number(&metrics, "glade_projects_ended_total")? >= count as f64 {
            break metrics;
        }
        ensure!(
            began.elapsed() < PATIENCE,
            "projects that never end: {metrics}"
        );
    };
    let tasks = number(&metrics, "glade_project_tasks_done_total")?;
    ensure!(
        tasks == (count * TASKS) as f64,
        "{tasks} tasks were done in {count} projects"
    );
    Ok(Measured {
        tasks,
        seconds: began.elapsed().as_secs_f64(),
        processor: (server.cpu()? - processor).as_secs_f64(),
        hand_overs: Histogram::read(&metrics, HAND_OVER)?,
        idle,
        peak,
    })
}

/// A counter of the server.
fn number(metrics: &str, name: &str) -> Result<f64> {
    let line = metrics.lines().find_map(|line| line.strip_prefix(name));
    let line = line.with_context(|| format!("{name} is counted"))?;
    Ok(line.trim().parse()?)
}

/// Upper bounds in milliseconds, and how many were at most that.
struct Histogram(Vec<(f64, f64)>);

impl Histogram {
    fn read(metrics: &str, name: &str) -> Result<Self> {
        let start = format!("{name}_bucket{{le=\"");
        let mut bounds = Vec::new();
        for line in metrics.lines() {
            let Some((bound, count)) = line
                .strip_prefix(&start)
                .and_then(|rest| rest.split_once("\"} "))
            else {
                continue;
            };
            let bound = if bound == "+Inf" {
                f64::INFINITY
            } else {
                bound.parse::<f64>()? * 1000.0
            };
            bounds.push((bound, count.trim().parse()?));
        }
        ensure!(!bounds.is_empty(), "{name} is measured");
        Ok(Self(bounds))
    }

    fn count(&self) -> f64 {
        self.0.last().map_or(0.0, |(_, count)| *count)
    }

    /// The time that so large a part took at the most.
    fn quantile(&self, part: f64) -> f64 {
        let wanted = part * self.count();
        let (mut from, mut below) = (0.0, 0.0);
        for &(to, count) in &self.0 {
            if count >= wanted && count > below {
                let share = (wanted - below) / (count - below);
                return if to.is_finite() {
                    from + share * (to - from)
                } else {
                    from
                };
            }
            (from, below) = (to, count);
        }
        from
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_lie_between_the_bounds_that_hold_them() -> Result<()> {
        let text = "x_bucket{le=\"0.001000\"} 50\nx_bucket{le=\"0.002000\"} 100\nx_bucket{le=\"+Inf\"} 100\nx_sum 1\nx_count 100";
        let histogram = Histogram::read(text, "x")?;
        assert_eq!(histogram.count(), 100.0);
        assert_eq!(histogram.quantile(0.5), 1.0);
        assert_eq!(histogram.quantile(0.75), 1.5);
        assert!(Histogram::read(text, "y").is_err());
        Ok(())
    }
}
