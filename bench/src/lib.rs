//! What the measurements share. Each measurement is a program in `src/bin`, run by
//! `cargo xtask bench NAME`; the first line of its documentation says what it measures.

#![allow(clippy::print_stdout)] // measurements are for the person at the terminal
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

pub mod chart;
pub mod fairies;
pub mod fixtures;
pub mod http;
pub mod instructions;
pub mod strangers;
pub mod sync;
pub mod table;
pub mod tokens;

use std::path::Path;
use std::time::{Duration, Instant};

/// As in the product: what is measured in our own process runs as it does there.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// How long something took, many times over.
#[derive(Debug, Default)]
pub struct Times(Vec<Duration>);

impl Times {
    /// Does it and notes how long it took.
    pub fn of<T>(&mut self, work: impl FnOnce() -> T) -> T {
        let started = Instant::now();
        let outcome = work();
        self.0.push(started.elapsed());
        outcome
    }

    /// Notes one that was measured elsewhere.
    pub fn note(&mut self, took: Duration) {
        self.0.push(took);
    }

    /// As [`Times::at`], in milliseconds, as tables have it.
    pub fn ms(&self, share: f64) -> f64 {
        self.at(share).as_secs_f64() * 1e3
    }

    /// One line: how often, the median, the 99th percentile, the worst.
    pub fn print(&self, what: &str) {
        println!(
            "{what:<44} n = {:<6} p50 {:>9} µs   p99 {:>9} µs   max {:>9} µs",
            self.count(),
            self.at(0.5).as_micros(),
            self.at(0.99).as_micros(),
            self.at(1.0).as_micros()
        );
    }

    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// What this share of the times does not exceed.
    pub fn at(&self, share: f64) -> Duration {
        let mut sorted = self.0.clone();
        sorted.sort();
        let rank = (share * sorted.len() as f64).ceil() as usize;
        let index = rank.clamp(1, sorted.len().max(1)) - 1;
        sorted.get(index).copied().unwrap_or_default()
    }
}

/// Writes the page and the chart of a measurement, `NAME.md` and `NAME.svg`.
pub fn publish(results: &Path, name: &str, page: &str, chart: &str) -> std::io::Result<()> {
    std::fs::create_dir_all(results)?;
    std::fs::write(results.join(format!("{name}.md")), page)?;
    std::fs::write(results.join(format!("{name}.svg")), chart)
}

/// One line for the person at the terminal.
pub fn line(text: &str) {
    println!("{text}");
}
