//! Pictures: a view as JPEG and a page as SVG, ours beside the editor's in Chromium.
//!
//! `cargo xtask bench render [ROUNDS]`: boards of 100, 1,000 and 5,000 elements (boxes with words, ellipses and
//! diamonds in all fills, curved arrows, freehand strokes) in a view of 1280 × 800 pixels. Ours and the editor's
//! `exportToBlob` and `exportToSvg` take turns, ROUNDS times (5 if none is said), the first turn left out: starting
//! a browser or decoding a font for the first time is nobody's drawing. Both start from a page already in memory. Before
//! each turn is a rest, since a browser tidies up for a while after it has drawn, which is not for the next one to wait
//! for; and in each turn it is drawn twice, the first time with a processor that slept and caches that hold something
//! else, which is told by itself. Then ours alone: reading a file of 10,000 elements, and putting one that moved back
//! into a page of as many.
//! `cargo xtask bench render ours [ROUNDS]` draws ours only and writes no results: what one holds a profiler to.
//! The studio's packages must be installed and CHROMIUM name the browser: `cargo xtask bench` sees to both.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use glade_bench::chart::{Lines, Scale, Series, Sheet};
use glade_bench::publish;
use glade_bench::table::Table;
use glade_canvas::render::{self, Options};
use glade_canvas::{Rect, Scene, file};
use serde_json::{Value, json};

const SIZES: [usize; 3] = [100, 1_000, 5_000];
const WIDTH: f64 = 1280.0;
const HEIGHT: f64 = 800.0;
/// Before each turn.
const REST: Duration = Duration::from_millis(300);

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1).peekable();
    let ours_only = arguments.next_if(|word| word == "ours").is_some();
    let rounds: usize = match arguments.next() {
        Some(text) => text
            .parse()
            .with_context(|| format!("{text} is not a number of rounds"))?,
        None => 5,
    };
    ensure!(rounds > 0, "no rounds measure nothing");
    if ours_only {
        return ours(rounds);
    }
    let folder = std::env::temp_dir().join(format!("glade-bench-render-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let outcome = measure(rounds, &folder);
    std::fs::remove_dir_all(&folder)?;
    let measured = outcome?;
    let report = report(&measured, &alone(rounds)?, rounds);
    glade_bench::line(&report);
    let results = root().join("bench").join("results");
    publish(&results, "render", &report, &chart(&measured.warm))?;
    Ok(())
}

/// Medians, in milliseconds.
struct Pair {
    ours: f64,
    theirs: f64,
}

impl Pair {
    fn share(&self) -> f64 {
        self.ours / self.theirs
    }

    fn times(&self) -> f64 {
        self.theirs / self.ours
    }
}

/// What one page took.
struct Row {
    count: usize,
    jpeg: Pair,
    svg: Pair,
}

/// What all took right after another drawing, and what they took first thing after a rest.
struct Measured {
    warm: Vec<Row>,
    rested: Vec<Row>,
}

fn measure(rounds: usize, folder: &Path) -> Result<Measured> {
    let mut editor = Editor::start()?;
    let mut measured = Measured {
        warm: Vec::new(),
        rested: Vec::new(),
    };
    for count in SIZES {
        let path = folder.join(format!("{count}.excalidraw"));
        let bytes = serde_json::to_vec(&board(count))?;
        std::fs::write(&path, &bytes)?;
        let scene = file::from_any(&bytes)?.as_drawn();
        let (mut our_jpegs, mut their_jpegs) = (Turns::default(), Turns::default());
        let (mut our_svgs, mut their_svgs) = (Turns::default(), Turns::default());
        for _ in 0..=rounds {
            our_jpegs.turn(|| timed(|| our_jpeg(&scene)))?;
            their_jpegs.turn(|| editor.draw(&path, "jpeg"))?;
            our_svgs.turn(|| timed(|| Ok(render::to_svg(&scene, &Options::default()))))?;
            their_svgs.turn(|| editor.draw(&path, "svg"))?;
        }
        let row = |of: fn(&Turns) -> &[f64]| {
            let pair = |ours: &Turns, theirs: &Turns| Pair {
                ours: median(&of(ours)[1..]),
                theirs: median(&of(theirs)[1..]),
            };
            Row {
                count,
                jpeg: pair(&our_jpegs, &their_jpegs),
                svg: pair(&our_svgs, &their_svgs),
            }
        };
        measured.warm.push(row(|turns| &turns.warm));
        measured.rested.push(row(|turns| &turns.rested));
    }
    Ok(measured)
}

/// What each turn's two drawings took, in milliseconds.
#[derive(Default)]
struct Turns {
    rested: Vec<f64>,
    warm: Vec<f64>,
}

impl Turns {
    fn turn(&mut self, mut draw: impl FnMut() -> Result<f64>) -> Result<()> {
        std::thread::sleep(REST);
        self.rested.push(draw()?);
        self.warm.push(draw()?);
        Ok(())
    }
}

/// Without the editor, to the standard output.
fn ours(rounds: usize) -> Result<()> {
    let mut table = Table::new(&["elements", "JPEG", "SVG", "of bytes"]);
    for count in SIZES {
        let scene = file::from_any(&serde_json::to_vec(&board(count))?)?.as_drawn();
        let svg = || render::to_svg(&scene, &Options::default());
        let size = svg().len();
        let median_of = |work: &dyn Fn() -> Result<usize>| -> Result<f64> {
            let times = (0..=rounds).map(|_| timed(work));
            Ok(median(&times.collect::<Result<Vec<f64>>>()?[1..]))
        };
        table.row([
            count.to_string(),
            format!("{:.2} ms", median_of(&|| Ok(our_jpeg(&scene)?.len()))?),
            format!("{:.2} ms", median_of(&|| Ok(svg().len()))?),
            size.to_string(),
        ]);
    }
    glade_bench::line(&table.markdown());
    Ok(())
}

/// A page of this many elements is read, and one of them moved.
const MANY: usize = 10_000;
const MOVES: usize = 2_000;

/// What the editor is not asked for.
struct Alone {
    megabytes: f64,
    reading_ms: f64,
    moving_us: f64,
}

fn alone(rounds: usize) -> Result<Alone> {
    let bytes = serde_json::to_vec(&board(MANY))?;
    let read = |_| timed(|| Ok(file::from_any(&bytes)?.as_drawn()));
    let times = (0..=rounds).map(read).collect::<Result<Vec<f64>>>()?;
    let mut scene = file::from_any(&bytes)?.as_drawn();
    let moved: Vec<_> = scene
        .live()
        .step_by(MANY / MOVES)
        .map(|element| {
            let mut element = element.clone();
            let x = element.x() + 7.0;
            element.props.insert("x".to_owned(), json!(x));
            element
        })
        .collect();
    let count = moved.len() as f64;
    let moving = timed(|| {
        for element in moved {
            scene.put(element);
        }
        Ok(())
    })?;
    Ok(Alone {
        megabytes: bytes.len() as f64 / 1e6,
        reading_ms: median(&times[1..]),
        moving_us: moving * 1e3 / count,
    })
}

fn median(times: &[f64]) -> f64 {
    let mut sorted = times.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted[sorted.len() / 2]
}

fn timed<T>(work: impl FnOnce() -> Result<T>) -> Result<f64> {
    let started = Instant::now();
    std::hint::black_box(work()?);
    Ok(started.elapsed().as_secs_f64() * 1e3)
}

fn our_jpeg(scene: &Scene) -> Result<Vec<u8>> {
    let all = scene
        .live()
        .map(glade_canvas::bounds::bounds)
        .reduce(|all, one| all.union(&one))
        .unwrap_or_default();
    let scale = (WIDTH / all.w).min(HEIGHT / all.h);
    let options = Options {
        bounds: Some(Rect::new(all.x, all.y, WIDTH / scale, HEIGHT / scale)),
        scale,
        ..Options::default()
    };
    Ok(render::to_jpeg(scene, &options)?)
}

fn table(rows: &[Row]) -> String {
    let mut table = Table::new(&[
        "elements",
        "JPEG 1280 × 800, ours",
        "exportToBlob",
        "share of its time",
        "SVG, ours",
        "exportToSvg",
        "times faster",
    ]);
    for Row { count, jpeg, svg } in rows {
        table.row([
            count.to_string(),
            format!("{:.1} ms", jpeg.ours),
            format!("{:.1} ms", jpeg.theirs),
            format!("{:.2}", jpeg.share()),
            format!("{:.2} ms", svg.ours),
            format!("{:.0} ms", svg.theirs),
            format!("{:.0}", svg.times()),
        ]);
    }
    table.markdown()
}

fn report(measured: &Measured, alone: &Alone, rounds: usize) -> String {
    let memory = peak_memory().map_or("not known here".to_owned(), |mb| format!("{mb} MB"));
    let verdict = |rows: &[Row]| match missed(rows).as_slice() {
        [] => "all reached".to_owned(),
        missed => format!("**missed**: {}", missed.join("; ")),
    };
    let Alone {
        megabytes,
        reading_ms,
        moving_us,
    } = alone;
    let verdict_of_moving = if *moving_us < 20.0 {
        "reached"
    } else {
        "**missed**"
    };
    format!(
        "# Pictures\n\nBoards of boxes, ellipses, diamonds, words, arrows and freehand strokes, already in memory; \
         `cargo xtask bench render` writes this page and [a chart](render.svg) anew. Medians of {rounds} rounds, ours \
         and the editor's in Chromium taking turns in one run, the first round left out. Each turn is a rest of {} ms \
         and two drawings.\n\nThe second drawing, cold starts aside:\n\n{}\nThe first one, after the rest:\n\n{}\n- To \
         reach, cold starts aside: a JPEG in at most half of `exportToBlob`'s time, an SVG 50 times faster than \
         `exportToSvg`: {}. After a rest: {}.\n- A file of {MANY} elements ({megabytes:.1} MB) is read in \
         {reading_ms:.0} ms.\n- One moved element of {MANY} is put back and indexed in {moving_us:.1} µs (to reach: under \
         20, {verdict_of_moving}).\n- Our whole process at its peak: {memory}.\n",
        REST.as_millis(),
        table(&measured.warm),
        table(&measured.rested),
        verdict(&measured.warm),
        verdict(&measured.rested),
    )
}

/// What was to be reached and was not, in words.
fn missed(rows: &[Row]) -> Vec<String> {
    let mut missed = Vec::new();
    for Row { count, jpeg, svg } in rows {
        if jpeg.share() > 0.5 {
            missed.push(format!("the JPEG of {count} elements"));
        }
        if svg.times() < 50.0 {
            missed.push(format!("the SVG of {count} elements"));
        }
    }
    missed
}

fn chart(rows: &[Row]) -> String {
    let mut sheet = Sheet::default();
    let mut panel = |title: &str, of: fn(&Row) -> &Pair| {
        let series = |name: &str, value: fn(&Pair) -> f64| {
            let points = rows.iter().map(|row| (row.count as f64, value(of(row))));
            Series {
                name: name.to_owned(),
                points: points.collect(),
            }
        };
        sheet.lines(&Lines {
            title: title.to_owned(),
            x: "elements".to_owned(),
            y: "ms".to_owned(),
            scale: Scale::Log,
            limit: None,
            series: vec![
                series("glade", |pair| pair.ours),
                series("the editor", |pair| pair.theirs),
            ],
        });
    };
    panel("A view as JPEG, 1280 × 800", |row| &row.jpeg);
    panel("A page as SVG", |row| &row.svg);
    sheet.svg()
}

/// The most memory that this process has held, in megabytes.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes / 1024)
}

/// The editor in its browser, asked line by line.
struct Editor {
    node: Child,
    ask: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Editor {
    fn start() -> Result<Self> {
        // The one that package-lock.json pins.
        let mut node = Command::new(root().join("web/node_modules/node/bin/node"))
            .arg("tests/compare/bench.mjs")
            .current_dir(root().join("web"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .context("Node.js could not be started; `cargo xtask test web` installs it with the studio's packages")?;
        let ask = node.stdin.take().context("the editor cannot be asked")?;
        let answers = node.stdout.take().context("the editor cannot answer")?;
        let mut editor = Self {
            node,
            ask,
            answers: BufReader::new(answers),
        };
        let ready = editor.line()?;
        ensure!(ready.trim() == "ready", "the editor did not start: {ready}");
        Ok(editor)
    }

    fn line(&mut self) -> Result<String> {
        let mut line = String::new();
        let read = self.answers.read_line(&mut line)?;
        ensure!(read > 0, "the editor ended; its complaint stands above");
        Ok(line)
    }

    fn draw(&mut self, path: &Path, kind: &str) -> Result<f64> {
        let ask = json!({"file": path, "kind": kind, "width": WIDTH, "height": HEIGHT});
        writeln!(self.ask, "{ask}")?;
        self.ask.flush()?;
        let answer: Value = serde_json::from_str(&self.line()?)?;
        answer["ms"].as_f64().context("the editor said no time")
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.node.kill();
        let _ = self.node.wait();
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn board(count: usize) -> Value {
    let columns = ((count as f64 * 1.6 * 0.6).sqrt().ceil() as usize).max(1);
    let elements: Vec<Value> = (0..count).map(|at| element(at, columns)).collect();
    json!({"type": "excalidraw", "version": 2, "source": "bench", "elements": elements,
        "appState": {"viewBackgroundColor": "#ffffff"}, "files": {}})
}

fn element(at: usize, columns: usize) -> Value {
    let (x, y) = ((at % columns) * 160, (at / columns) * 100);
    let fills = ["solid", "hachure", "cross-hatch", "zigzag"];
    let papers = ["transparent", "#a5d8ff", "#ffec99", "#b2f2bb"];
    let mut value = json!({
        "id": format!("e{at}"), "x": x, "y": y, "width": 120, "height": 60, "angle": 0, "strokeColor": "#1e1e1e",
        "backgroundColor": papers[at % 4], "fillStyle": fills[at / 4 % 4], "strokeWidth": 2, "strokeStyle": "solid",
        "roughness": 1, "opacity": 100, "groupIds": [], "frameId": null, "roundness": null, "seed": at * 7919 + 1,
        "version": 1, "versionNonce": 1, "isDeleted": false, "boundElements": null, "updated": 1, "link": null,
        "locked": false,
    });
    let more = match at % 6 {
        0 => json!({"type": "rectangle", "roundness": {"type": 3}}),
        1 => json!({"type": "ellipse"}),
        2 => json!({"type": "diamond"}),
        3 => {
            json!({"type": "text", "text": "Order the tea", "originalText": "Order the tea", "fontSize": 20,
            "fontFamily": 5, "textAlign": "left", "verticalAlign": "top", "containerId": null, "autoResize": true,
            "lineHeight": 1.25, "height": 25, "backgroundColor": "transparent"})
        }
        4 => {
            json!({"type": "arrow", "points": [[0, 0], [60, 50], [120, 10]], "roundness": {"type": 2},
            "startBinding": null, "endBinding": null, "startArrowhead": null, "endArrowhead": "arrow",
            "elbowed": false, "backgroundColor": "transparent"})
        }
        _ => {
            let points: Vec<[f64; 2]> = (0..30)
                .map(|step| {
                    let t = f64::from(step);
                    [t * 4.0, 20.0 * (t / 3.0).sin()]
                })
                .collect();
            json!({"type": "freedraw", "points": points, "pressures": [], "simulatePressure": true,
                "backgroundColor": "transparent"})
        }
    };
    if let (Some(value), Some(more)) = (value.as_object_mut(), more.as_object()) {
        value.extend(more.clone());
    }
    value
}
