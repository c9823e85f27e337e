//! Fairies at work: 200 of them with the built-in model, what they do in a second, what each weighs.
//!
//! `cargo xtask bench fairies [--fairies N]`: the server has one core. Every fairy draws one flow,
//! ten fairies to a page, all at once. Writes bench/results/fairies.md and .svg.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use clap::Parser;
use glade_bench::chart::{Lines, Scale, Series, Sheet};
use glade_bench::fairies;
use glade_bench::http::Api;
use glade_bench::sync::server::{Programs, Server, pin_client};
use glade_bench::table::Table;
use glade_bench::{line, publish};

const TO_A_PAGE: usize = 10;
/// Boxes of the flow that each draws, with arrows between them.
const BOXES: usize = 20;
const ACTIONS: &str = "glade_fairy_actions_total ";
const PATIENCE: Duration = Duration::from_secs(120);

#[derive(Parser)]
struct Args {
    #[arg(long, default_value_t = 200)]
    fairies: usize,
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
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let mut table = Table::new(&[
        "fairies",
        "actions",
        "seconds",
        "actions a second",
        "processor s",
        "KB each, idle",
        "KB each, at work (peak)",
        "KB each, after",
    ]);
    let (mut rates, mut weights) = (Vec::new(), Vec::new());
    let mut counts: Vec<usize> = [25, 50, 100]
        .into_iter()
        .filter(|count| *count < args.fairies)
        .collect();
    counts.push(args.fairies);
    for count in counts {
        let server = Server::glade_with(&programs, &["--sketch-pace", "0"])?;
        let measured = runtime.block_on(measure(&server, count))?;
        rates.push((count as f64, measured.actions / measured.seconds));
        weights.push((count as f64, measured.peak));
        let row = measured.row(count);
        line(&row.join("  "));
        table.row(row);
    }
    let mut sheet = Sheet::default();
    for (title, y, points) in [
        ("Actions a second, all fairies together", "actions/s", rates),
        ("Memory for each fairy at work", "KB", weights),
    ] {
        sheet.lines(&Lines {
            title: title.to_owned(),
            x: "fairies".to_owned(),
            y: y.to_owned(),
            scale: Scale::Linear,
            limit: None,
            series: vec![Series {
                name: "glade".to_owned(),
                points,
            }],
        });
    }
    let text = format!(
        "# Many fairies at once\n\n\
         `cargo xtask bench fairies`: each fairy draws a flow of {BOXES} boxes with arrows between them, all at the same time, \
         {TO_A_PAGE} fairies to a page, with `sketch` as fast as it can, the server on one core. A fairy may commit 30 times a \
         second. Memory is the server's resident memory beyond that of a new server with its pages open, shared out among \
         the fairies: it holds their chats, prompts, and what they drew.\n\n{}\n![By the number of fairies](fairies.svg)\n",
        table.markdown()
    );
    line(&text);
    publish(&args.results, "fairies", &text, &sheet.svg())?;
    Ok(())
}

struct Measured {
    actions: f64,
    seconds: f64,
    processor: f64,
    idle: f64,
    peak: f64,
    after: f64,
}

impl Measured {
    fn row(&self, count: usize) -> Vec<String> {
        vec![
            count.to_string(),
            format!("{:.0}", self.actions),
            format!("{:.1}", self.seconds),
            format!("{:.0}", self.actions / self.seconds),
            format!("{:.1}", self.processor),
            format!("{:.0}", self.idle),
            format!("{:.0}", self.peak),
            format!("{:.0}", self.after),
        ]
    }
}

async fn measure(server: &Server, count: usize) -> Result<Measured> {
    let api = server.api().context("ours has an HTTP interface")?;
    let pages = server.rooms(count.div_ceil(TO_A_PAGE)).await?;
    for page in &pages {
        // Reading a page opens its room.
        api.get(&format!("/api/pages/{page}/export?format=json"))
            .await?;
    }
    let empty = server.memory()?;
    let each = |now: u64| now.saturating_sub(empty) as f64 / 1024.0 / count as f64;
    let mut fairies = Vec::new();
    for n in 0..count {
        let page = pages[n / TO_A_PAGE].clone();
        fairies.push((fairies::make(&api, &page).await?, page));
    }
    let idle = each(server.memory()?);
    let (before, processor) = (actions(&api).await?, server.cpu()?);
    let began = Instant::now();
    let mut runs = Vec::new();
    for (fairy, page) in &fairies {
        runs.push(fairies::draw(&api, fairy, page, BOXES).await?);
    }
    let mut peak = 0.0_f64;
    while !runs.is_empty() {
        ensure!(
            began.elapsed() < PATIENCE,
            "{} fairies are not done",
            runs.len()
        );
        tokio::time::sleep(Duration::from_millis(100)).await;
        peak = peak.max(each(server.memory()?));
        // Only the last is asked about, so that asking weighs nothing.
        while let Some(run) = runs.last() {
            let run = api.get(&format!("/api/runs/{run}")).await?;
            if run["status"] == "running" {
                break;
            }
            ensure!(run["status"] == "pending", "a run ended otherwise: {run}");
            runs.pop();
        }
    }
    Ok(Measured {
        seconds: began.elapsed().as_secs_f64(),
        actions: actions(&api).await? - before,
        processor: (server.cpu()? - processor).as_secs_f64(),
        idle,
        peak,
        after: each(server.memory()?),
    })
}

/// How many actions fairies have done since the server started.
async fn actions(api: &Api) -> Result<f64> {
    let metrics = api.text("/metrics").await?;
    let line = metrics.lines().find_map(|line| line.strip_prefix(ACTIONS));
    Ok(line.context("the actions are counted")?.trim().parse()?)
}
