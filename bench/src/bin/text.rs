//! Text pages: a keystroke on 5,000 blocks beside hocuspocus, people beside 20 streaming fairies, rewriting 100 KB.
//!
//! `cargo xtask bench text` installs hocuspocus, builds the server for release and measures both in
//! turn, the server on one core and the clients on the other. Writes bench/results/text.md and .svg; takes
//! about two minutes. `--quick`, for a first look, half a minute, and writes nothing.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use clap::Parser;
use glade_bench::chart::{Lines, Scale, Series, Sheet};
use glade_bench::fairies;
use glade_bench::http::Api;
use glade_bench::sync::load::{self, Load, Outcome};
use glade_bench::sync::rest;
use glade_bench::sync::server::{Programs, Server, Which, pin_client};
use glade_bench::table::Table;
use glade_bench::{line, publish};
use glade_doc::{Edit, ElementId, GuardedPage, PageDoc, Surface};
use serde_json::json;

const BLOCKS: usize = 5_000;
/// People who type on a page, and keystrokes a second of all of them.
const PEOPLE: usize = 4;
const KEYS: usize = 40;
const FAIRIES: usize = 20;
/// Words a second of each fairy.
const PACE: usize = 50;
/// The page that is rewritten.
const PAGE_BYTES: usize = 100_000;

#[derive(Parser)]
struct Args {
    /// Shorter, once each, nothing written
    #[arg(long)]
    quick: bool,
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
    let (repeats, seconds) = if args.quick { (1, 2.0) } else { (3, 6.0) };
    let measured = Duration::from_secs_f64(seconds);
    let typing = typing(&programs, repeats, measured)?;
    let company = company(&programs, measured)?;
    let rewriting = rewriting(if args.quick { 3 } else { 15 })?;
    let text = report(&typing, &company, &rewriting);
    line(&text);
    if !args.quick {
        publish(&args.results, "text", &text, &picture(&company))?;
    }
    Ok(())
}

fn load(measured: Duration) -> Load {
    Load {
        rooms: 1,
        clients: PEOPLE,
        rate: KEYS,
        warm_up: Duration::from_secs(1),
        measured,
    }
}

/// What came of one server on a page of so many blocks, once for each repeat.
struct Typing {
    which: Which,
    blocks: usize,
    outcomes: Vec<Outcome>,
}

/// Both servers in turn, on an empty page and on a long one.
fn typing(programs: &Programs, repeats: usize, measured: Duration) -> Result<Vec<Typing>> {
    let cases = [
        (Which::Glade, 1),
        (Which::Hocuspocus, 1),
        (Which::Glade, BLOCKS),
        (Which::Hocuspocus, BLOCKS),
    ];
    let mut all: Vec<Typing> = cases
        .into_iter()
        .map(|(which, blocks)| Typing {
            which,
            blocks,
            outcomes: Vec::new(),
        })
        .collect();
    for _ in 0..repeats {
        for case in &mut all {
            let server = Server::start(case.which, programs)?.on_text();
            let filled = rest::fill(&server, case.blocks)?;
            let rooms = [filled.room.clone()];
            let outcome = load::run_in(&server, &rooms, load(measured))?;
            line(&format!(
                "{:<12} {:>5} blocks: p50 {:.1} ms, p99 {:.1} ms, lost {:.3}",
                case.which.name(),
                case.blocks,
                outcome.p50,
                outcome.p99,
                outcome.lost
            ));
            case.outcomes.push(outcome);
        }
    }
    Ok(all)
}

/// People who type while so many fairies stream into the same page.
struct Company {
    fairies: usize,
    words: f64,
    outcome: Outcome,
}

fn company(programs: &Programs, measured: Duration) -> Result<Vec<Company>> {
    let mut all = Vec::new();
    for count in [0, FAIRIES / 4, FAIRIES] {
        let pace = PACE.to_string();
        let server = Server::glade_with(programs, &["--sketch-pace", &pace])?.on_text();
        let filled = rest::fill(&server, 200)?;
        let api = server.api().context("ours has an HTTP interface")?;
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        // Enough to write until long after the people are done.
        let words = (measured.as_secs_f64() + 20.0) * PACE as f64;
        runtime.block_on(set_on(&api, &filled.room, count, words as usize))?;
        let before = runtime.block_on(words_on(&api, &filled.room))?;
        let began = Instant::now();
        let rooms = [filled.room.clone()];
        let outcome = load::run_in(&server, &rooms, load(measured))?;
        let written = runtime.block_on(words_on(&api, &filled.room))? - before;
        let rate = written as f64 / began.elapsed().as_secs_f64();
        line(&format!(
            "{count:>3} fairies: p50 {:.1} ms, p99 {:.1} ms, {rate:.0} words a second",
            outcome.p50, outcome.p99
        ));
        all.push(Company {
            fairies: count,
            words: rate,
            outcome,
        });
    }
    Ok(all)
}

async fn set_on(api: &Api, page: &str, count: usize, words: usize) -> Result<()> {
    for n in 0..count {
        let fairy = fairies::make(api, page).await?;
        let paragraph = format!("fairy{n} writes on and on about moss and fern. ").repeat(10);
        let paragraphs = words.div_ceil(90).max(1);
        let message = format!("Write: {}", vec![paragraph.trim(); paragraphs].join("\n\n"));
        let body = json!({"input": {"message": message, "page": page}});
        api.post(&format!("/api/fairies/{fairy}/interrupt"), &body)
            .await?;
    }
    Ok(())
}

/// Words that fairies have written.
async fn words_on(api: &Api, page: &str) -> Result<usize> {
    let text = api
        .text(&format!("/api/pages/{page}/export?format=markdown"))
        .await?;
    let lines = text.lines().filter(|line| line.starts_with("fairy"));
    Ok(lines.map(|line| line.split_whitespace().count()).sum())
}

/// One way to rewrite a page of 100 KB in which one word of ten changes.
struct Rewriting {
    what: &'static str,
    /// Milliseconds, the median: making the change, and checking and merging it.
    made: f64,
    merged: f64,
    bytes: usize,
}

fn rewriting(repeats: usize) -> Result<Vec<Rewriting>> {
    let words: Vec<String> = (0..PAGE_BYTES / 6)
        .map(|n| format!("w{:04}", n % 7919))
        .collect();
    let changed: Vec<String> = words
        .iter()
        .enumerate()
        .map(|(at, word)| match at % 10 {
            3 => format!("{word}!"),
            _ => word.clone(),
        })
        .collect();
    let cut = |words: &[String], blocks: usize| -> Vec<String> {
        let size = words.len().div_ceil(blocks);
        words.chunks(size).map(|some| some.join(" ")).collect()
    };
    let mut all = Vec::new();
    for (what, blocks) in [("200 blocks, by words", 200), ("one block, by words", 1)] {
        let (old, new) = (cut(&words, blocks), cut(&changed, blocks));
        let (mut made, mut merged, mut bytes) = (Vec::new(), Vec::new(), 0);
        for _ in 0..repeats {
            let doc = PageDoc::blank(Surface::Text);
            let puts: Vec<Edit> = old
                .iter()
                .enumerate()
                .map(|(at, text)| put(at, text))
                .collect();
            doc.commit(1, None, &puts)?;
            let replica = doc.fork();
            let mut page = GuardedPage::open(doc, Vec::new())?;
            page.prepare_spare();
            let edits: Vec<Edit> = old
                .iter()
                .zip(&new)
                .enumerate()
                .map(|(at, (base, text))| Edit::Rewrite {
                    id: id(at),
                    base: base.clone(),
                    text: text.clone(),
                    marks: None,
                })
                .collect();
            let began = Instant::now();
            let commit = replica.commit(2, None, &edits)?.context("a change")?;
            made.push(began.elapsed());
            bytes = commit.update.len();
            let began = Instant::now();
            page.admit(&commit.update, &mut |_, _| Ok(()))?;
            merged.push(began.elapsed());
            ensure!(
                page.doc().elements() == replica.elements(),
                "not the same page"
            );
        }
        all.push(Rewriting {
            what,
            made: median(&mut made),
            merged: median(&mut merged),
            bytes,
        });
    }
    // What deleting all and typing it anew would send.
    let doc = PageDoc::blank(Surface::Text);
    doc.commit(1, None, &[put(0, &words.join(" "))])?;
    let before = doc.version();
    doc.commit(2, None, &[put(0, "")])?;
    doc.commit(2, None, &[put(0, &changed.join(" "))])?;
    let anew = doc.updates_since(&before)?.len();
    all.push(Rewriting {
        what: "deleted and typed anew, for comparison",
        made: f64::NAN,
        merged: f64::NAN,
        bytes: anew,
    });
    for one in &all {
        line(&format!(
            "{}: made in {:.1} ms, merged in {:.1} ms, {} bytes",
            one.what, one.made, one.merged, one.bytes
        ));
    }
    Ok(all)
}

fn id(at: usize) -> ElementId {
    ElementId::from(format!("b{at}"))
}

fn put(at: usize, text: &str) -> Edit {
    let props = json!({
        "nodeName": "paragraph", "parent": null, "index": format!("a{at:04}"), "originalText": text,
    });
    Edit::Put {
        id: id(at),
        props: props.as_object().cloned().unwrap_or_default(),
    }
}

fn median(times: &mut [Duration]) -> f64 {
    times.sort_unstable();
    times
        .get(times.len() / 2)
        .map_or(f64::NAN, |time| time.as_secs_f64() * 1000.0)
}

fn report(typing: &[Typing], company: &[Company], rewriting: &[Rewriting]) -> String {
    let ms = |value: f64| format!("{value:.1}");
    let middle = |case: &Typing, of: fn(&Outcome) -> f64| {
        let mut values: Vec<f64> = case.outcomes.iter().map(of).collect();
        values.sort_by(f64::total_cmp);
        values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
    };
    let mut first = Table::new(&[
        "server",
        "blocks",
        "p50 ms",
        "p99 ms",
        "on disk p99 ms",
        "µs of the server's core",
    ]);
    for case in typing {
        let ack = middle(case, |one| one.ack.map_or(f64::NAN, |(_, p99)| p99));
        first.row(vec![
            case.which.name().to_owned(),
            case.blocks.to_string(),
            ms(middle(case, |one| one.p50)),
            ms(middle(case, |one| one.p99)),
            if ack.is_nan() {
                "–".to_owned()
            } else {
                ms(ack)
            },
            format!("{:.0}", middle(case, |one| one.cpu_per_delivery)),
        ]);
    }
    let mut second = Table::new(&[
        "fairies",
        "their words a second",
        "a person's echo p50 ms",
        "p99 ms",
        "on disk p99 ms",
        "lost",
    ]);
    for one in company {
        second.row(vec![
            one.fairies.to_string(),
            format!("{:.0}", one.words),
            ms(one.outcome.p50),
            ms(one.outcome.p99),
            one.outcome
                .ack
                .map_or_else(|| "–".to_owned(), |(_, p99)| ms(p99)),
            format!("{:.3} %", one.outcome.lost * 100.0),
        ]);
    }
    let mut third = Table::new(&[
        "rewriting",
        "made in ms",
        "checked and merged in ms",
        "bytes sent",
    ]);
    for one in rewriting {
        let time = |value: f64| {
            if value.is_nan() {
                "–".to_owned()
            } else {
                ms(value)
            }
        };
        third.row(vec![
            one.what.to_owned(),
            time(one.made),
            time(one.merged),
            one.bytes.to_string(),
        ]);
    }
    format!(
        "# Text pages\n\n\
         `cargo xtask bench text`: the server on one core, all clients on the other.\n\n\
         ## A keystroke to the others\n\n\
         {PEOPLE} people type {KEYS} times a second in all, each in a paragraph of their own; from the keystroke being due to \
         the others having it, medians of the repeats. Ours checks each with the gate and has it on disk before anybody is told; \
         hocuspocus runs as its documentation starts it, in memory, with documents as y-prosemirror (Tiptap) makes them.\n\n{}\n\
         ## Beside fairies\n\n\
         The same people on a page of 200 blocks while fairies stream {PACE} words a second each into it.\n\n{}\n\
         ![A person's echo by the number of fairies](text.svg)\n\n\
         ## Rewriting {PAGE_BYTES} bytes\n\n\
         One word of ten changes.\n\n{}",
        first.markdown(),
        second.markdown(),
        third.markdown()
    )
}

fn picture(company: &[Company]) -> String {
    let points = |of: fn(&Outcome) -> f64| -> Vec<(f64, f64)> {
        let at = |one: &Company| (one.fairies as f64, of(&one.outcome));
        company.iter().map(at).collect()
    };
    let mut sheet = Sheet::default();
    sheet.lines(&Lines {
        title: "A person's echo beside streaming fairies".to_owned(),
        x: "fairies".to_owned(),
        y: "ms".to_owned(),
        scale: Scale::Linear,
        limit: None,
        series: vec![
            Series {
                name: "p50".to_owned(),
                points: points(|one| one.p50),
            },
            Series {
                name: "p99".to_owned(),
                points: points(|one| one.p99),
            },
        ],
    });
    sheet.svg()
}
