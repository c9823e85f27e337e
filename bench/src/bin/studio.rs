//! The studio in Chromium: frames, keystrokes to the other's pixels, the first load, beside the editor alone.
//!
//! `cargo xtask bench studio [ROUNDS] [--part load|frames|keys]`: boards of 1,000 and 5,000 elements in the studio and in
//! plain Excalidraw of the same size in the same browser, taking turns ROUNDS times (3 if none is said), the first turn
//! left out. A frame's time is from one animation frame to the next while a wheel pans the canvas; with fairies drawing,
//! the editor alone is given what they have drawn before each of its turns, and has nothing but its own panning to do.
//! `web/tests/bench/studio.mjs` measures, this tells. Each part is kept in target/, and the page is made of the newest of
//! each: one part measured alone renews its own lines.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use clap::{Parser, ValueEnum};
use glade_bench::chart::{Bar, Bars, Sheet};
use glade_bench::publish;
use glade_bench::table::Table;
use serde_json::{Map, Value};

/// How much longer than the editor alone a frame may take.
const MOST: f64 = 1.2;

#[derive(Parser)]
struct Asked {
    /// How often each turn is repeated
    #[arg(default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// Measure this alone
    #[arg(long)]
    part: Option<Part>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Part {
    /// From the link to a canvas
    Load,
    /// From one animation frame to the next
    Frames,
    /// From a keystroke to the other browser's pixels
    Keys,
}

impl Part {
    fn name(self) -> &'static str {
        match self {
            Self::Load => "load",
            Self::Frames => "frames",
            Self::Keys => "keys",
        }
    }
}

fn main() -> Result<()> {
    let asked = Asked::parse();
    let kept = root().join("target/bench/studio");
    fs::create_dir_all(&kept)?;
    let file = |part: Part| kept.join(part.name()).with_extension("json");
    for part in Part::value_variants() {
        if asked.part.is_none_or(|only| only.name() == part.name()) {
            eprintln!("{}", part.name());
            fs::write(file(*part), measure(*part, asked.rounds)?.to_string())?;
        }
    }
    let mut measured = Map::new();
    for part in Part::value_variants() {
        let Ok(text) = fs::read(file(*part)) else {
            glade_bench::line(&format!(
                "{} was never measured here: no page is written",
                part.name()
            ));
            return Ok(());
        };
        measured.insert(part.name().to_owned(), serde_json::from_slice(&text)?);
    }
    let measured = Value::Object(measured);
    let report = report(&measured)?;
    glade_bench::line(&report);
    let results = root().join("bench").join("results");
    publish(&results, "studio", &report, &chart(&measured)?)?;
    Ok(())
}

fn measure(part: Part, rounds: u32) -> Result<Value> {
    // Beside this program, built with it; unless another is named.
    let server = match std::env::var_os("GLADE_BIN") {
        Some(path) => PathBuf::from(path),
        None => std::env::current_exe()?.with_file_name("glade"),
    };
    // The one that package-lock.json pins.
    let answer = Command::new(root().join("web/node_modules/node/bin/node"))
        .arg("tests/bench/studio.mjs")
        .current_dir(root().join("web"))
        .env("GLADE_BIN", server)
        .env("PART", part.name())
        .env("ROUNDS", rounds.to_string())
        .stderr(Stdio::inherit())
        .output()
        .context("Node.js could not be started; `cargo xtask test web` installs it with the studio's packages")?;
    ensure!(
        answer.status.success(),
        "measuring failed; the complaint stands above"
    );
    serde_json::from_slice(&answer.stdout).context("what was measured cannot be read")
}

/// One comparison of frames.
struct Frames {
    size: u64,
    what: String,
    zoom: String,
    ours: f64,
    theirs: f64,
    ours_p95: f64,
    theirs_p95: f64,
}

impl Frames {
    fn all(measured: &Value) -> Result<Vec<Self>> {
        let rows = measured["frames"]["rows"].as_array().context("no frames")?;
        rows.iter()
            .map(|row| {
                Ok(Self {
                    size: row["size"].as_u64().context("no size")?,
                    what: row["what"].as_str().unwrap_or_default().to_owned(),
                    zoom: row["zoom"].as_str().unwrap_or_default().to_owned(),
                    ours: number(row, "/ours/mean")?,
                    theirs: number(row, "/theirs/mean")?,
                    ours_p95: number(row, "/ours/p95")?,
                    theirs_p95: number(row, "/theirs/p95")?,
                })
            })
            .collect()
    }

    fn share(&self) -> f64 {
        self.ours / self.theirs
    }

    fn name(&self) -> String {
        let view = if self.zoom == "all" {
            "all in view"
        } else {
            "at 100 %"
        };
        format!("{}, {view}: {}", self.size, self.what)
    }
}

fn number(value: &Value, pointer: &str) -> Result<f64> {
    value
        .pointer(pointer)
        .and_then(Value::as_f64)
        .with_context(|| format!("{pointer} was not measured"))
}

fn report(measured: &Value) -> Result<String> {
    let frames = Frames::all(measured)?;
    let mut table = Table::new(&[
        "elements, view: what",
        "studio, mean",
        "editor alone",
        "share",
        "studio, p95",
        "editor alone",
    ]);
    for row in &frames {
        table.row([
            row.name(),
            format!("{:.1} ms", row.ours),
            format!("{:.1} ms", row.theirs),
            format!("{:.2}", row.share()),
            format!("{:.1} ms", row.ours_p95),
            format!("{:.1} ms", row.theirs_p95),
        ]);
    }
    let missed: Vec<String> = frames
        .iter()
        .filter(|row| row.share() > MOST)
        .map(|row| format!("{} ({:.2})", row.name(), row.share()))
        .collect();
    let verdict = if missed.is_empty() {
        "reached everywhere".to_owned()
    } else {
        format!("**missed**: {}", missed.join("; "))
    };
    let get = |pointer: &str| number(measured, pointer);
    let kb = |pointer: &str| Ok::<_, anyhow::Error>(get(pointer)? / 1000.0);
    let largest: Vec<String> = measured["load"]["largest"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|part| {
            let size = part["size"].as_f64().unwrap_or_default() / 1000.0;
            format!("{} {size:.0} kB", part["name"].as_str().unwrap_or_default())
        })
        .collect();
    Ok(format!(
        "# The studio in a browser\n\n`cargo xtask bench studio` writes this page and [a chart](studio.svg) anew. \
         {rounds} rounds, the studio and plain Excalidraw of the same canvas size taking turns in one Chromium \
         without a graphics card. A frame's time is from one animation frame to the next, 16.7 ms at the least.\n\n\
         ## Frames\n\n{table}\n- With fairies: {fairies} at once, each writing {pace} words a second; the editor alone \
         is given what they have drawn before each of its turns, and nothing else happens there.\n- To reach: at most {MOST} times the editor's mean frame: \
         {verdict}.\n\n\
         ## A keystroke, until the other browser's pixels show it\n\np50 {k50:.0} ms, p99 {k99:.0} ms, of {keys} \
         letters typed one by one, each when the last one's pixels had come to rest: through the editor, the document, \
         the server's disk and the other's next frame.\n\n\
         ## The first load\n\n- From the link to a canvas that can be drawn on, nothing cached, all on one machine: \
         {ours:.0} ms; the editor alone, with no page to fetch and nobody to meet: {theirs:.0} ms.\n- Over the line until \
         then: {line:.0} kB. Of the build, gzipped: {first:.0} kB in {files} files.\n- Loaded late, when first \
         needed: code {late:.0} kB ({largest}), fonts {fonts:.0} kB.\n",
        rounds = get("/frames/rounds")?,
        table = table.markdown(),
        fairies = get("/frames/fairies")?,
        pace = get("/frames/pace")?,
        k50 = get("/keys/p50")?,
        k99 = get("/keys/p99")?,
        keys = get("/keys/count")?,
        ours = get("/load/ours/p50")?,
        theirs = get("/load/theirs/p50")?,
        line = kb("/load/line")?,
        first = kb("/load/first/size")?,
        files = get("/load/first/files")?,
        late = kb("/load/lateCode/size")?,
        largest = largest.join(", "),
        fonts = kb("/load/lateFonts/size")?,
    ))
}

fn chart(measured: &Value) -> Result<String> {
    let mut sheet = Sheet::default();
    for row in Frames::all(measured)? {
        let bar = |name: &str, value: f64| Bar {
            name: name.to_owned(),
            value,
            label: format!("{value:.1} ms"),
        };
        sheet.bars(&Bars {
            title: format!("{}: mean frame", row.name()),
            bars: vec![bar("studio", row.ours), bar("editor alone", row.theirs)],
        });
    }
    let key = |share: &str| {
        number(measured, &format!("/keys/{share}")).map(|value| Bar {
            name: share.to_owned(),
            value,
            label: format!("{value:.0} ms"),
        })
    };
    sheet.bars(&Bars {
        title: "A keystroke, until the other browser's pixels show it".to_owned(),
        bars: vec![key("p50")?, key("p99")?],
    });
    Ok(sheet.svg())
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}
