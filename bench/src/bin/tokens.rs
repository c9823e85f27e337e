//! Tokens: how many a request is on several pages and in code, beside the recorded state of before.
//!
//! Counted with the vocabulary `o200k_base`. `--record FILE` writes the counts to compare with later.
//! Writes bench/results/tokens.md.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Parser;
use glade_bench::line;
use glade_bench::table::Table;
use glade_bench::tokens::{Count, Counter, code, pages};

#[derive(Parser)]
struct Args {
    /// What was recorded before
    #[arg(long, default_value = "bench/tokens-before.csv")]
    before: PathBuf,
    /// Writes the counts there, and compares nothing
    #[arg(long)]
    record: Option<PathBuf>,
}

fn main() -> Result<()> {
    let args = Args::parse();
    let counter = Counter::new()?;
    let rows = [
        ("empty canvas, first request", pages::empty_canvas()),
        ("empty text page, first request", pages::empty_text()),
        ("1,000 shapes in view", pages::shapes(1_000)),
        ("400 paragraphs", pages::paragraphs(400)),
        (
            "second step: a review of twelve shapes",
            pages::second_step()?,
        ),
        ("tenth message on 200 shapes", pages::chat_on_canvas()),
        ("tenth message on 400 paragraphs", pages::chat_on_text()?),
        ("code, fifth round", code::five_rounds(false)?),
        (
            "code, fifth round, a lock file was read",
            code::five_rounds(true)?,
        ),
    ];
    let counts: Vec<(&str, Count)> = rows
        .iter()
        .map(|(name, requests)| (*name, counter.count(requests)))
        .collect();
    if let Some(path) = args.record {
        let row = |(name, count): &(&str, Count)| {
            let same = count
                .same
                .map(|same| format!("{same:.1}"))
                .unwrap_or_default();
            format!("{name};{};{};{same}\n", count.with_form, count.text)
        };
        let text: String = counts.iter().map(row).collect();
        fs::write(&path, format!("request;with form;text;same\n{text}"))?;
        return Ok(());
    }
    let before = recorded(&fs::read_to_string(&args.before).context("reading what was recorded")?);
    let mut table = Table::new(&[
        "request",
        "before",
        "now",
        "",
        "before, compatible server",
        "now, compatible server",
        "",
        "same as the request before, before",
        "now",
    ]);
    let share = |same: Option<f64>| same.map(|same| format!("{same:.1} %")).unwrap_or_default();
    for (name, now) in &counts {
        let before = before.get(*name);
        let was = |of: fn(&Count) -> usize| before.map(|it| of(it).to_string()).unwrap_or_default();
        let change = |of: fn(&Count) -> usize| {
            let change = before.map(|before| 100.0 * (of(now) as f64 / of(before) as f64 - 1.0));
            change
                .map(|change| format!("{change:+.1} %"))
                .unwrap_or_default()
        };
        table.row([
            (*name).to_owned(),
            was(|it| it.with_form),
            now.with_form.to_string(),
            change(|it| it.with_form),
            was(|it| it.text),
            now.text.to_string(),
            change(|it| it.text),
            share(before.and_then(|before| before.same)),
            share(now.same),
        ]);
    }
    line(&table.markdown());
    let text = format!(
        "# Tokens\n\n`cargo xtask bench tokens`. Tokens of one request, counted with `{}`; `before` is what \
         `bench/tokens-before.csv` recorded on the commit before requests were shortened. On a maker's own server the model \
         reads the form of the answer (or the tools) beside the text; a compatible server only holds it to them. \"Same as the \
         request before\" is the share of tokens, from the beginning, that a provider's cache may know from the request \
         before, over all requests of the row.\n\n{}",
        Counter::NAME,
        table.markdown()
    );
    fs::create_dir_all("bench/results")?;
    fs::write("bench/results/tokens.md", text)?;
    Ok(())
}

fn recorded(text: &str) -> BTreeMap<String, Count> {
    let read = |row: &str| {
        let mut cells = row.split(';');
        let name = cells.next()?.to_owned();
        Some((
            name,
            Count {
                with_form: cells.next()?.parse().ok()?,
                text: cells.next()?.parse().ok()?,
                same: cells.next()?.parse().ok(),
            },
        ))
    };
    text.lines().filter_map(read).collect()
}
