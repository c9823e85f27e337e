//! `cargo xtask bench --beside CHECKOUT`: every measurement of this checkout and of another one, in turn.
//!
//! One after the other, so that what slows a machine down for a while slows both. What is compared is what the
//! measurements say of themselves, the numbers of their tables and lines; the pages that they write are put back.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::shell;

/// What is measured where nothing is named: those that say the same thing again on a quiet machine. Of the rest, `sync`
/// has pairs of its own, which it is asked for.
const CHOSEN: &[(&str, &[&str])] = &[
    ("gate", &[]),
    ("index", &[]),
    ("prompt", &[]),
    ("render", &["ours"]),
    ("text", &["--quick"]),
    ("fairies", &[]),
    ("projects", &["--most", "10"]),
];
/// What the new one may cost, beside the old.
const MOST: f64 = 1.05;

/// Numbers by what they are of.
type Numbers = BTreeMap<String, f64>;

pub fn run(other: &Path, pairs: usize, name: Option<&str>) -> Result<()> {
    let other = other
        .canonicalize()
        .with_context(|| format!("looking for {}", other.display()))?;
    let chosen: Vec<_> = CHOSEN
        .iter()
        .filter(|(known, _)| name.is_none_or(|name| name == *known))
        .collect();
    if chosen.is_empty() && name != Some("sync") {
        bail!("{name:?} has nothing that could be compared in turn");
    }
    let both = [other.clone(), shell::root()];
    for checkout in &both {
        build(checkout)?;
    }
    let mut over = 0;
    for (name, args) in chosen {
        let mut ratios: BTreeMap<String, Vec<f64>> = BTreeMap::new();
        for pair in 0..pairs {
            println!("  {name}, pair {} of {pairs}", pair + 1);
            let [old, new] = [
                measure(&both[0], name, args)?,
                measure(&both[1], name, args)?,
            ];
            for (what, ratio) in compare(&old, &new) {
                ratios.entry(what).or_default().push(ratio);
            }
        }
        over += tell(name, &mut ratios);
    }
    if name.is_none_or(|name| name == "sync") {
        let sync = Path::new("target/release/sync");
        let pairs = pairs.to_string();
        let mut command = Command::new(both[1].join(sync));
        command
            .args(["--repeats", &pairs, "--beside"])
            .arg(other.join("target"));
        shell::run(command.current_dir(&both[1]))?;
    }
    println!("{over} of the medians are over {MOST}");
    Ok(())
}

fn build(checkout: &Path) -> Result<()> {
    let mut command = shell::cargo([
        "build",
        "--release",
        "--package",
        "glade",
        "--package",
        "glade-bench",
    ]);
    shell::run(command.current_dir(checkout))
}

/// One run of one measurement, and the numbers that it says.
fn measure(checkout: &Path, name: &str, args: &[&str]) -> Result<Numbers> {
    let pages = ["md", "svg"].map(|end| checkout.join(format!("bench/results/{name}.{end}")));
    let before = pages.each_ref().map(|page| fs::read(page).ok());
    let mut command = Command::new(checkout.join("target/release").join(name));
    let said = shell::output(command.args(args).current_dir(checkout));
    let page = fs::read_to_string(&pages[0]).unwrap_or_default();
    put_back(&pages, &before)?;
    let is_new = before[0].as_deref() != Some(page.as_bytes());
    Ok(numbers(&if is_new {
        format!("{}\n{page}", said?)
    } else {
        said?
    }))
}

fn put_back(pages: &[PathBuf; 2], before: &[Option<Vec<u8>>; 2]) -> Result<()> {
    for (page, bytes) in pages.iter().zip(before) {
        match bytes {
            Some(bytes) => fs::write(page, bytes)?,
            None if page.is_file() => fs::remove_file(page)?,
            None => {}
        }
    }
    Ok(())
}

/// The numbers of all tables, by row and column, and of lines such as `an edit   n = 20   p50  12 µs`.
fn numbers(text: &str) -> Numbers {
    let mut found = Numbers::new();
    let mut head: Option<Vec<&str>> = None;
    let mut row_number = 0;
    for line in text.lines() {
        let Some(row) = line.strip_prefix('|') else {
            head = None;
            found.extend(of_line(line));
            continue;
        };
        let cells: Vec<&str> = row
            .trim_end_matches('|')
            .split(" | ")
            .map(str::trim)
            .collect();
        match &head {
            None => head = Some(cells),
            Some(_) if line.contains("---") => row_number = 0,
            Some(head) => {
                row_number += 1;
                for (column, cell) in head.iter().zip(&cells).skip(1) {
                    let what = format!("{row_number}. {}: {column}", cells[0]);
                    found.extend(first_number(cell).map(|number| (what, number)));
                }
            }
        }
    }
    found
}

fn of_line(line: &str) -> Option<(String, f64)> {
    let (what, rest) = line.split_once(" n = ")?;
    let (_, median) = rest.split_once("p50")?;
    Some((what.trim().to_owned(), first_number(median)?))
}

fn first_number(cell: &str) -> Option<f64> {
    let start = cell.find(|ch: char| ch.is_ascii_digit())?;
    let number = &cell[start..];
    let end = number.find(|ch: char| !ch.is_ascii_digit() && ch != '.');
    number[..end.unwrap_or(number.len())]
        .trim_end_matches('.')
        .parse()
        .ok()
}

/// New beside old, so that more than one is worse. What is much when it is good is turned round.
fn compare(old: &Numbers, new: &Numbers) -> Vec<(String, f64)> {
    let in_both = new
        .iter()
        .filter_map(|(what, new)| Some((what, old.get(what)?, new)));
    in_both
        .filter(|(_, old, new)| **old > 0.0 && **new > 0.0)
        .map(|(what, old, new)| {
            let good = ["a second", "/s", "per second", "hold"]
                .iter()
                .any(|it| what.contains(it));
            (what.clone(), if good { old / new } else { new / old })
        })
        .collect()
}

/// How many medians are over what is allowed.
fn tell(name: &str, ratios: &mut BTreeMap<String, Vec<f64>>) -> usize {
    println!("\n{name}: new for old, the median of the pairs, the least, the most");
    let mut over = 0;
    for (what, ratios) in ratios {
        ratios.sort_by(f64::total_cmp);
        let median = ratios[ratios.len() / 2];
        over += usize::from(median > MOST);
        let mark = if median > MOST { "OVER" } else { "" };
        println!(
            "  {median:>7.3} {:>7.3} {:>7.3}  {what} {mark}",
            ratios[0],
            ratios[ratios.len() - 1]
        );
    }
    over
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_found_in_tables_and_lines() {
        let text = "\
## A table
| what          | median µs | places |
| ------------- | --------: | -----: |
| an edit       |      13.9 | 4755 of 5000 |
| a keystroke   |         – |      2 |

the gate, admitted        n = 1980   p50        12 µs   p99        40 µs
";
        let expected = [
            ("1. an edit: median µs", 13.9),
            ("1. an edit: places", 4755.0),
            ("2. a keystroke: places", 2.0),
            ("the gate, admitted", 12.0),
        ];
        let expected = expected.map(|(what, number)| (what.to_owned(), number));
        assert_eq!(numbers(text), Numbers::from(expected));
    }

    #[test]
    fn more_than_one_is_worse_for_times_and_for_rates() {
        let numbers = |time: f64, rate: f64| {
            Numbers::from([("a: ms".to_owned(), time), ("a: edits/s".to_owned(), rate)])
        };
        let compared = compare(&numbers(2.0, 100.0), &numbers(3.0, 50.0));
        assert_eq!(
            compared,
            [("a: edits/s".to_owned(), 2.0), ("a: ms".to_owned(), 1.5)]
        );
    }
}
