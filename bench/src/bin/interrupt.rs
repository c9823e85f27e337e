//! Stop: from the call to the last change of the page, while 50 fairies draw on it.
//!
//! `cargo xtask bench interrupt [--fairies N] [--calls N]`: the server has one core, the client the
//! other. Fairies draw as fast as they may (30 commits a second each). One after the other is
//! stopped and set on a new drawing. A client that has joined the page as a browser does notes when
//! the last change of each run arrives. Writes bench/results/interrupt.md and .svg.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use clap::Parser;
use glade_bench::chart::{Bar, Bars, Sheet};
use glade_bench::fairies::{self, Seen};
use glade_bench::http::Api;
use glade_bench::sync::server::{Programs, Server, pin_client};
use glade_bench::table::Table;
use glade_bench::{Times, line, publish};

/// What one run draws: more than it is given time for.
const BOXES: usize = 300;
const WANTED_MS: f64 = 5.0;
/// How long a run is listened for after it was stopped.
const SILENCE: Duration = Duration::from_millis(500);

#[derive(Parser)]
struct Args {
    #[arg(long, default_value_t = 50)]
    fairies: usize,
    #[arg(long, default_value_t = 400)]
    calls: usize,
    /// The folder of the build
    #[arg(long, default_value = "target")]
    target: PathBuf,
    /// Where the results go
    #[arg(long, default_value = "bench/results")]
    results: PathBuf,
}

/// What was measured under one load.
struct Outcome {
    pages: usize,
    to_last_change: Times,
    to_answer: Times,
    changes_a_second: f64,
}

fn main() -> Result<()> {
    let args = Args::parse();
    let programs = Programs::built_in(&args.target);
    pin_client()?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let mut outcomes = Vec::new();
    for pages in [1, 10] {
        let server = Server::glade_with(&programs, &["--sketch-pace", "0"])?;
        outcomes.push(runtime.block_on(measure(&server, &args, pages))?);
    }
    let (table, sheet) = report(&outcomes);
    let text = format!(
        "# Stopping a fairy\n\n\
         `cargo xtask bench interrupt`: milliseconds from the call of `POST /api/fairies/{{id}}/stop` to the arrival of the \
         run's last change at a client that watches the page, and to the answer, which comes once the page is quiet and the \
         half-drawn action taken back, on disk. {} fairies draw at once, each as fast as it may; {} calls. The server has one \
         core, the client the other. Wanted: p99 below {WANTED_MS} ms.\n\n{}\n![How long it takes](interrupt.svg)\n",
        args.fairies,
        args.calls,
        table.markdown()
    );
    line(&text);
    publish(&args.results, "interrupt", &text, &sheet.svg())?;
    Ok(())
}

async fn measure(server: &Server, args: &Args, pages: usize) -> Result<Outcome> {
    let api = server.api().context("ours has an HTTP interface")?;
    let rooms = server.rooms(pages).await?;
    let mut watchers = Vec::new();
    for room in &rooms {
        watchers.push(fairies::watch(server, room).await?.0);
    }
    let mut at_work = Vec::new();
    for n in 0..args.fairies {
        let page = &rooms[n % pages];
        let fairy = fairies::make(&api, page).await?;
        let run = fairies::draw(&api, &fairy, page, BOXES).await?;
        at_work.push((fairy, run, n % pages));
    }
    let total = |watchers: &[Seen]| watchers.iter().map(Seen::changes).sum::<usize>();
    let (began, before) = (Instant::now(), total(&watchers));
    let (mut to_last_change, mut to_answer) = (Times::default(), Times::default());
    let mut stopped = Vec::new();
    for call in 0..args.calls {
        let at = call % at_work.len();
        let (fairy, run, page) = at_work[at].clone();
        let seen = &watchers[page];
        working(&api, seen, &run).await?;
        let line = api.line().await?;
        let called = Instant::now();
        line.json("POST", &format!("/api/fairies/{fairy}/stop"), "")
            .await?;
        to_answer.note(called.elapsed());
        stopped.push((run, page, called));
        at_work[at].1 = fairies::draw(&api, &fairy, &rooms[page], BOXES).await?;
    }
    let seconds = began.elapsed().as_secs_f64();
    let changes_a_second = (total(&watchers) - before) as f64 / seconds;
    tokio::time::sleep(SILENCE).await;
    for (run, page, called) in stopped {
        let (_, last) = watchers[page].of(&run).context("it was at work")?;
        to_last_change.note(last.saturating_duration_since(called));
    }
    to_last_change.print(&format!("{pages} pages: to the last change"));
    to_answer.print(&format!("{pages} pages: to the answer"));
    line(&format!("{changes_a_second:.0} changes a second meanwhile"));
    Ok(Outcome {
        pages,
        to_last_change,
        to_answer,
        changes_a_second,
    })
}

/// Waits until a run is seen to draw.
async fn working(api: &Api, seen: &Seen, run: &str) -> Result<()> {
    for _ in 0..500 {
        if seen.of(run).is_some_and(|(count, _)| count >= 3) {
            let now = api.get(&format!("/api/runs/{run}")).await?;
            ensure!(
                now["status"] == "running",
                "{run} was over before it was stopped: {now}"
            );
            return Ok(());
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    anyhow::bail!("{run} does not begin to draw")
}

fn report(outcomes: &[Outcome]) -> (Table, Sheet) {
    let head = [
        "fairies on",
        "measured to",
        "p50 ms",
        "p99 ms",
        "worst ms",
        "changes a second meanwhile",
    ];
    let mut table = Table::new(&head);
    let mut bars = Vec::new();
    for outcome in outcomes {
        let pages = match outcome.pages {
            1 => "one page".to_owned(),
            many => format!("{many} pages"),
        };
        for (what, times) in [
            ("the last change", &outcome.to_last_change),
            ("the answer", &outcome.to_answer),
        ] {
            let [half, most, worst] =
                [0.5, 0.99, 1.0].map(|share| format!("{:.2}", times.ms(share)));
            let rate = format!("{:.0}", outcome.changes_a_second);
            table.row([
                pages.clone(),
                what.to_owned(),
                half,
                most.clone(),
                worst,
                rate,
            ]);
            bars.push(Bar {
                name: format!("{pages}, {}", what.trim_start_matches("the ")),
                value: times.ms(0.99),
                label: format!("{most} ms"),
            });
        }
    }
    let mut sheet = Sheet::default();
    sheet.bars(&Bars {
        title: format!("From Stop to silence, p99 (wanted: below {WANTED_MS} ms)"),
        bars,
    });
    (table, sheet)
}
