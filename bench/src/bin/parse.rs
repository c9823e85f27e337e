//! Answers of a model read piece by piece: ours beside npm's ai, jsonriver, partial-json, and jiter.
//!
//! Each reader gets the same text in pieces of 4 bytes and has the value so far at hand after each.
//! Peers are stopped after a while; how far they came is told. Writes bench/results/parse.md and .svg.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use glade_agent::parser::{Parsed, Parser};
use glade_bench::chart::{Lines, Scale, Series, Sheet};
use glade_bench::fixtures::answer;
use glade_bench::table::Table;
use glade_bench::{line, publish};
use serde_json::Value;

const SIZES: [usize; 6] = [4 << 10, 16 << 10, 64 << 10, 256 << 10, 1 << 20, 4 << 20];
const PIECE: usize = 4;
/// What a peer may take for one size; beyond it, larger sizes are not tried.
const PATIENCE: Duration = Duration::from_secs(12);
const WANTED: f64 = 100.0;

/// How far a reader came.
#[derive(Debug, Clone, Copy)]
struct Came {
    seconds: f64,
    bytes: usize,
}

fn main() -> Result<()> {
    let scratch = tempfile::tempdir()?;
    let readers = ["glade", "jsonriver", "jiter", "ai", "partial-json"];
    let mut head = vec!["text".to_owned()];
    head.extend(readers.iter().map(|name| format!("{name}, ms")));
    let mut table = Table::new(&head.iter().map(String::as_str).collect::<Vec<_>>());
    let mut series: Vec<Series> = readers
        .iter()
        .map(|name| Series {
            name: (*name).to_owned(),
            points: Vec::new(),
        })
        .collect();
    let mut tired = [false; 5];
    for size in SIZES {
        let text = answer(size);
        let file = scratch.path().join("answer.json");
        fs::write(&file, &text)?;
        let mut row = vec![format!("{} KB", size >> 10)];
        for (at, reader) in readers.iter().enumerate() {
            if tired[at] {
                row.push("-".to_owned());
                continue;
            }
            let came = if at == 0 {
                best_of(5, || ours(&text, PIECE))?
            } else {
                peer(reader, &file)?
            };
            let whole = came.bytes >= text.len();
            tired[at] = !whole;
            let share = 100.0 * came.bytes as f64 / text.len() as f64;
            row.push(if whole {
                series[at]
                    .points
                    .push((size as f64 / 1024.0, came.seconds * 1e3));
                format!("{:.1}", came.seconds * 1e3)
            } else {
                format!("stopped after {:.0} s at {share:.0} %", came.seconds)
            });
            line(&format!(
                "{:>6} KB  {reader:<13} {}",
                size >> 10,
                row[at + 1]
            ));
        }
        table.row(row);
    }
    let speeds = speeds()?;
    let mut sheet = Sheet::default();
    sheet.lines(&Lines {
        title: "An answer read in pieces of 4 bytes".to_owned(),
        x: "size of the answer, KB".to_owned(),
        y: "ms".to_owned(),
        scale: Scale::Log,
        limit: None,
        series,
    });
    let text = format!(
        "# Reading an answer while it is written\n\n\
         `cargo xtask bench parse`: milliseconds to read an answer of many actions in pieces of {PIECE} bytes, with the value \
         so far at hand after each piece. A peer is stopped after {} seconds; larger answers are then not tried on it (`-`).\n\n\
         {}\n![The growth of each](parse.svg)\n\n\
         Ours by the size of a piece, on an answer of 4 MB:\n\n{}",
        PATIENCE.as_secs(),
        table.markdown(),
        speeds.markdown()
    );
    let results = Path::new("bench/results");
    publish(results, "parse", &text, &sheet.svg())?;
    line(&format!("\n{text}"));
    Ok(())
}

/// Ours at several sizes of a piece, in megabytes a second.
fn speeds() -> Result<Table> {
    let text = answer(4 << 20);
    let mut table = Table::new(&["piece, bytes", "MB/s"]);
    for piece in [1, 4, 16, 64, 256, 4096] {
        let came = best_of(5, || ours(&text, piece))?;
        let speed = came.bytes as f64 / came.seconds / 1e6;
        if piece == 64 && speed < WANTED {
            line(&format!(
                "{speed:.0} MB/s at pieces of 64 bytes is below the wanted {WANTED}"
            ));
        }
        table.row([piece.to_string(), format!("{speed:.0}")]);
    }
    Ok(table)
}

fn best_of(times: usize, mut work: impl FnMut() -> Result<Came>) -> Result<Came> {
    let mut best = work()?;
    for _ in 1..times {
        let next = work()?;
        if next.seconds < best.seconds {
            best = next;
        }
    }
    Ok(best)
}

fn ours(text: &str, piece: usize) -> Result<Came> {
    let began = Instant::now();
    let mut parser = Parser::new();
    let (mut whole, mut seen) = (0_usize, 0_usize);
    let mut at = 0;
    while at < text.len() {
        let mut end = (at + piece).min(text.len());
        while !text.is_char_boundary(end) {
            end += 1;
        }
        for parsed in parser.push(&text[at..end]) {
            match parsed {
                Parsed::Complete { .. } => whole += 1,
                Parsed::Partial { .. } => seen += usize::from(parser.current().is_some()),
                Parsed::Broken { reason, .. } => anyhow::bail!("the answer broke: {reason}"),
            }
        }
        at = end;
    }
    let seconds = began.elapsed().as_secs_f64();
    ensure!(whole > 0 && seen > 0, "nothing was read");
    Ok(Came {
        seconds,
        bytes: text.len(),
    })
}

fn peer(reader: &str, file: &Path) -> Result<Came> {
    let home = PathBuf::from("target/bench-peers").canonicalize().context(
        "the peers are not installed: run this with `cargo xtask bench parse`, which does it",
    )?;
    let mut command = if reader == "jiter" {
        let mut python = Command::new(home.join("venv/bin/python"));
        python.arg("parse.py");
        python
    } else {
        let mut node = Command::new(home.join("node_modules/node/bin/node"));
        node.args(["parse.mjs", reader]);
        node
    };
    let output = command
        .arg(file)
        .args([PIECE.to_string(), PATIENCE.as_secs().to_string()])
        .current_dir(&home)
        .output()
        .with_context(|| format!("starting {reader}"))?;
    let wrong = String::from_utf8_lossy(&output.stderr).into_owned();
    ensure!(output.status.success(), "{reader} failed: {wrong}");
    let came: Value = serde_json::from_slice(&output.stdout)?;
    let seconds = came["seconds"].as_f64().context("seconds")?;
    let bytes = came["bytes"].as_u64().context("bytes")?;
    Ok(Came {
        seconds,
        bytes: usize::try_from(bytes)?,
    })
}
