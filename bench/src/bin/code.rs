//! The code project's tools: grep-search beside ripgrep over a large tree of sources, multi-edit on 5 MB.
//!
//! The tree is what cargo fetched from crates.io for this workspace. Each question is asked of both,
//! first to compare every match that is shown and all counts, then by turns to compare times. Ends with
//! an error if anything differs. Writes bench/results/code.md and .svg.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use clap::Parser;
use glade_bench::chart::{Bar, Bars, Sheet};
use glade_bench::table::Table;
use glade_bench::{line, publish};
use glade_code::{Call, Cancel, Project, Seen, ToolContext, run_calls};
use serde_json::{Value, json};

#[derive(Parser)]
struct Args {
    /// The ripgrep to compare with
    #[arg(long, default_value = "rg")]
    ripgrep: PathBuf,
    /// The tree to search; what cargo fetched for this workspace when left out
    #[arg(long)]
    tree: Option<PathBuf>,
    /// How often each question is timed
    #[arg(long, default_value_t = 7)]
    rounds: usize,
}

/// A question, and whether the letters' case counts.
const QUESTIONS: [(&str, bool); 12] = [
    ("TODO", true),
    ("unsafe", true),
    ("deserialize_any", true),
    ("^use std::", true),
    ("[[:space:]]unwrap\\(\\);$", true),
    ("fn [a-z_]+_unchecked", true),
    ("licen[cs]e", false),
    ("überall|größe|naïve", false),
    ("\\bimpl<'[a-z]+> ", true),
    ("[0-9]{4}-[0-9]{2}-[0-9]{2}", true),
    ("\\w+Error::\\w+", true),
    ("no such words are anywhere in it", false),
];
/// What the issue allows.
const ALLOWED: f64 = 1.3;
/// What grep-search shows at most.
const SHOWN: usize = 100;
/// Where it cuts a line.
const LINE: usize = 400;

fn main() -> Result<()> {
    let args = Args::parse();
    let tree = match args.tree {
        Some(tree) => tree,
        None => fetched()?,
    };
    let project = Project::open(&tree)?;
    let mut table = Table::new(&["question", "matches", "ripgrep, ms", "glade, ms", "ratio"]);
    let (mut ratios, mut worst) = (Vec::new(), 0.0_f64);
    let mut searched = 0;
    for (question, sensitive) in QUESTIONS {
        let theirs = theirs(&args.ripgrep, &tree, question, sensitive)?;
        let (ours, _) = ours(&project, question, sensitive)?;
        searched = searched.max(same(question, &ours, &theirs)?);
        // The first of each warmed the disk's cache.
        let (mut them, mut us) = (Vec::new(), Vec::new());
        for _ in 0..args.rounds {
            them.push(time_theirs(&args.ripgrep, &tree, question, sensitive)?);
            us.push(self::ours(&project, question, sensitive)?.1);
        }
        let (them, us) = (median(&mut them), median(&mut us));
        let ratio = us.as_secs_f64() / them.as_secs_f64();
        ratios.push(ratio);
        worst = worst.max(ratio);
        table.row([
            format!("`{}`", question.replace('|', "\\|")),
            theirs.total.to_string(),
            ms(them),
            ms(us),
            format!("{ratio:.2}"),
        ]);
        line(&format!(
            "{question:<36} {:>8} matches  ripgrep {:>8} ms  glade {:>8} ms  {ratio:.2}",
            theirs.total,
            ms(them),
            ms(us)
        ));
    }
    let all = ratios
        .iter()
        .product::<f64>()
        .powf(1.0 / ratios.len() as f64);
    let edits = edits()?;
    let mut sheet = Sheet::default();
    sheet.bars(&Bars {
        title: format!("grep-search, as a multiple of ripgrep's time (allowed: {ALLOWED})"),
        bars: QUESTIONS
            .iter()
            .zip(&ratios)
            .map(|((question, _), ratio)| Bar {
                name: question.chars().take(24).collect(),
                value: *ratio,
                label: format!("{ratio:.2}"),
            })
            .collect(),
    });
    let version = Command::new(&args.ripgrep).arg("--version").output()?;
    let version = String::from_utf8_lossy(&version.stdout);
    let text = format!(
        "# The code project's tools\n\n\
         `cargo xtask bench code`: {} over {searched} files of sources from crates.io, warm, by turns with grep-search inside \
         this process; the median of {} each. Counts and shown matches were equal for every question. All questions \
         together: {all:.2} times ripgrep's time (allowed: {ALLOWED}); the slowest one {worst:.2}.\n\n\
         {}\n![Beside ripgrep](code.svg)\n\n\
         multi-edit on a file of 5 MB, planned, checked and written durably:\n\n{}",
        version.lines().next().unwrap_or_default(),
        args.rounds,
        table.markdown(),
        edits.markdown()
    );
    let results = Path::new("bench/results");
    publish(results, "code", &text, &sheet.svg())?;
    line(&format!("\n{text}"));
    ensure!(
        all <= ALLOWED,
        "{all:.2} times ripgrep's time is more than {ALLOWED}"
    );
    Ok(())
}

/// The folder that cargo unpacked this workspace's dependencies into.
fn fetched() -> Result<PathBuf> {
    let asked = Command::new("cargo")
        .args(["metadata", "--format-version", "1", "--offline"])
        .output()?;
    let metadata: Value =
        serde_json::from_slice(&asked.stdout).context("reading cargo metadata")?;
    let packages = metadata["packages"].as_array().context("no packages")?;
    let of_registry = packages.iter().find(|package| {
        package["source"]
            .as_str()
            .is_some_and(|it| it.starts_with("registry"))
    });
    let manifest = of_registry.and_then(|package| package["manifest_path"].as_str());
    let folder = manifest.and_then(|path| Path::new(path).parent()?.parent());
    Ok(folder.context("cargo has fetched nothing")?.to_owned())
}

struct Found {
    total: u64,
    searched: u64,
    /// Line and text of matches, by path: of theirs all, of ours those that are shown.
    lines: BTreeMap<String, BTreeSet<(u64, String)>>,
}

fn ripgrep(rg: &Path, question: &str, sensitive: bool) -> Command {
    let mut command = Command::new(rg);
    command
        .args(["--no-config", "--no-ignore-global", "--color", "never"])
        .args(["--hidden", "--glob", "!.git"])
        .arg(if sensitive { "-s" } else { "-i" })
        .args(["-e", question]);
    command
}

fn theirs(rg: &Path, tree: &Path, question: &str, sensitive: bool) -> Result<Found> {
    let told = ripgrep(rg, question, sensitive)
        .arg("--json")
        .arg(".")
        .current_dir(tree)
        .output()
        .with_context(|| format!("running {}", rg.display()))?;
    let mut lines: BTreeMap<String, BTreeSet<(u64, String)>> = BTreeMap::new();
    let (mut total, mut searched) = (0, 0);
    for row in told
        .stdout
        .split(|byte| *byte == b'\n')
        .filter(|row| !row.is_empty())
    {
        let row: Value = serde_json::from_slice(row)?;
        match row["type"].as_str() {
            Some("match") => {
                total += 1;
                // A line or a name that is no UTF-8 comes as bytes; such names are passed over.
                let Some(path) = row["data"]["path"]["text"].as_str() else {
                    continue;
                };
                let text = row["data"]["lines"]["text"].as_str().unwrap_or("\u{fffd}");
                let text = text
                    .trim_end_matches('\n')
                    .trim_end_matches('\r')
                    .to_owned();
                let line = row["data"]["line_number"].as_u64().unwrap_or_default();
                let path = path.trim_start_matches("./").to_owned();
                lines.entry(path).or_default().insert((line, text));
            }
            Some("summary") => {
                searched = row["data"]["stats"]["searches"]
                    .as_u64()
                    .unwrap_or_default()
            }
            _ => {}
        }
    }
    Ok(Found {
        total,
        searched,
        lines,
    })
}

fn time_theirs(rg: &Path, tree: &Path, question: &str, sensitive: bool) -> Result<Duration> {
    let began = Instant::now();
    // As grep-search does: count every line, and number those that are shown.
    ripgrep(rg, question, sensitive)
        .args(["--line-number", "--no-heading", "."])
        .current_dir(tree)
        .output()?;
    Ok(began.elapsed())
}

fn ours(project: &Project, question: &str, sensitive: bool) -> Result<(Found, Duration)> {
    let (seen, cancel) = (Seen::new(), Cancel::new());
    let bench = ToolContext {
        project,
        seen: &seen,
        cancel: &cancel,
    };
    let call = Call {
        id: "1".to_owned(),
        tool: "grep-search".to_owned(),
        input: json!({"query": question, "case_sensitive": sensitive}),
    };
    let began = Instant::now();
    let carried = run_calls(bench, &[call], Duration::from_secs(60), &|_, _| Ok(()));
    let took = began.elapsed();
    let outcome = carried.into_iter().next().context("no result")?.outcome?;
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let mut shown: BTreeMap<String, BTreeSet<(u64, String)>> = BTreeMap::new();
    for file in outcome["files"].as_array().context("no files")? {
        let lines = file["lines"].as_array().context("no lines")?.iter();
        let matching = lines.filter(|line| line.get("column").is_some());
        let matching = matching.map(|line| {
            (
                line["line"].as_u64().unwrap_or_default(),
                text(&line["text"]),
            )
        });
        shown.insert(text(&file["path"]), matching.collect());
    }
    let found = Found {
        total: outcome["totalMatches"].as_u64().unwrap_or_default(),
        searched: outcome["filesSearched"].as_u64().unwrap_or_default(),
        lines: shown,
    };
    Ok((found, took))
}

/// How many files both searched; an error where they differ.
fn same(question: &str, ours: &Found, theirs: &Found) -> Result<u64> {
    ensure!(
        (ours.total, ours.searched) == (theirs.total, theirs.searched),
        "{question:?}: {} matches in {} files, ripgrep has {} in {}",
        ours.total,
        ours.searched,
        theirs.total,
        theirs.searched
    );
    let shown: usize = ours.lines.values().map(BTreeSet::len).sum();
    ensure!(
        shown <= SHOWN && (shown > 0) == (theirs.total > 0),
        "{question:?}: {shown} are shown"
    );
    for (path, ours) in &ours.lines {
        let theirs = theirs
            .lines
            .get(path)
            .with_context(|| format!("{question:?}: ripgrep has none in {path}"))?;
        for (our, their) in ours.iter().zip(theirs) {
            let whole = their.1.len() <= LINE && their.1 != "\u{fffd}";
            let equal = our.0 == their.0 && (!whole || our.1 == their.1);
            ensure!(
                equal,
                "{question:?}, {path}: {our:?}, ripgrep has {their:?}"
            );
        }
    }
    Ok(ours.searched)
}

/// Edits of a file of 5 MB, the most that multi-edit takes.
fn edits() -> Result<Table> {
    let mut table = Table::new(&["edits in one call", "places", "ms"]);
    for (edits, all) in [(1, false), (100, false), (1_000, false), (1, true)] {
        let folder = tempfile::tempdir()?;
        let mut text = String::new();
        let mut at = 0;
        while text.len() < 5 * 1024 * 1024 - 80 {
            text.push_str(&format!(
                "let value_{at} = compute(value_{at}, \"some text\");\n"
            ));
            at += 1;
        }
        fs::write(folder.path().join("large.rs"), &text)?;
        let project = Project::open(folder.path())?;
        let edits: Vec<Value> = (0..edits)
            .map(|n| if all { json!({"old_string": "compute(", "new_string": "evaluate(", "replace_all": true}) } else { json!({"old_string": format!("let value_{} =", n * 60), "new_string": format!("let changed_{n} =")}) })
            .collect();
        let (count, places) = (edits.len(), if all { at } else { edits.len() });
        let (seen, cancel) = (Seen::new(), Cancel::new());
        let bench = ToolContext {
            project: &project,
            seen: &seen,
            cancel: &cancel,
        };
        let call = |tool: &str, input: Value| Call {
            id: tool.to_owned(),
            tool: tool.to_owned(),
            input,
        };
        let limit = Duration::from_secs(60);
        // Who has not read a file may not change it.
        let read = call("read-file", json!({"path": "large.rs"}));
        run_calls(bench, &[read], limit, &|_, _| Ok(()))
            .remove(0)
            .outcome?;
        let edit = call("multi-edit", json!({"path": "large.rs", "edits": edits}));
        let began = Instant::now();
        run_calls(bench, &[edit], limit, &|_, _| Ok(()))
            .remove(0)
            .outcome?;
        let took = began.elapsed();
        line(&format!(
            "multi-edit  {count:>5} edits, {places:>6} places: {} ms",
            ms(took)
        ));
        table.row([count.to_string(), places.to_string(), ms(took)]);
    }
    Ok(table)
}

fn median(times: &mut [Duration]) -> Duration {
    times.sort();
    times[times.len() / 2]
}

fn ms(time: Duration) -> String {
    format!("{:.1}", time.as_secs_f64() * 1e3)
}
