//! The scene: reading a large file, moving one element of it, and finding what is at a place.
//!
//! `cargo xtask bench index [ELEMENTS]`: a page of ELEMENTS (10,000 if none is said) of every kind: boxes with
//! labels, ellipses, turned diamonds, curved arrows between them, lines, freehand strokes. One element at a time
//! is moved: its bounds are worked out anew and it is put into its new place in the index and the z order. The figures
//! for 10,000 go to bench/results/index.md.

use std::hint::black_box;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use glade_bench::Times;
use glade_bench::table::Table;
use glade_canvas::hit::{Pick, Within, at_point, in_rect};
use glade_canvas::{Element, Point, Rect, Scene, file, view};
use serde_json::{Value, json};

const USUAL: usize = 10_000;
/// What moving one element of [`USUAL`] may take.
const MOVE_LIMIT: Duration = Duration::from_micros(20);
const MOVES: usize = 20_000;
const QUERIES: usize = 5_000;
const READS: usize = 10;

fn main() -> Result<()> {
    let count = match std::env::args().nth(1) {
        Some(text) => text
            .parse()
            .with_context(|| format!("{text} is not a number of elements"))?,
        None => USUAL,
    };
    ensure!(count > 0, "a page without elements has nothing to move");
    let bytes = serde_json::to_vec(&json!({
        "type": "excalidraw", "version": 2, "source": "bench", "appState": {}, "files": {},
        "elements": (0..count).map(one).collect::<Vec<Value>>(),
    }))?;

    let mut parse = Times::default();
    for _ in 0..READS {
        let loaded = parse.of(|| file::from_any(&bytes))?;
        ensure!(
            loaded.elements.len() == count,
            "the file was not read whole"
        );
    }
    let loaded = file::from_any(&bytes)?;
    let mut build = Times::default();
    for _ in 0..READS {
        black_box(build.of(|| loaded.scene()));
    }

    let mut scene = loaded.scene();
    let mut moved = Times::default();
    for round in 0..MOVES {
        let element = &loaded.elements[round * 7919 % count];
        let mut element = element.clone();
        element.props.insert("x".to_owned(), json!(place(round).x));
        element.props.insert("y".to_owned(), json!(place(round).y));
        moved.of(|| scene.put(element));
    }
    ensure!(scene.live_count() == count, "moving lost an element");

    let (mut points, mut rects) = (Times::default(), Times::default());
    let (mut views, mut scans) = (Times::default(), Times::default());
    let mut hits = 0;
    for round in 0..QUERIES {
        let at = place(round);
        let hit = points.of(|| at_point(&scene, at, Pick::default()).is_some());
        hits += usize::from(hit);
        let area = Rect::new(at.x, at.y, 400.0, 300.0);
        black_box(rects.of(|| in_rect(&scene, &area, Within::Touching).len()));
        let screen = Rect::new(at.x, at.y, 1280.0, 800.0);
        black_box(views.of(|| view::blurry(&scene, &screen).len()));
    }
    for round in 0..50 {
        black_box(scans.of(|| scan(&scene, place(round))));
    }

    let head = format!(
        "A page of {count} elements of every kind, a file of {} KB; {hits} of {QUERIES} points hit something.",
        bytes.len() / 1024
    );
    glade_bench::line(&head);
    let rows = [
        ("reading the file", &parse),
        ("building the scene and its index", &build),
        ("moving one element, bounds and index", &moved),
        ("what is at a point", &points),
        ("what shows in 400 × 300", &rects),
        ("a view of 1280 × 800 for a model", &views),
        ("(the same point by looking at everything)", &scans),
    ];
    for (what, times) in rows {
        times.print(what);
    }
    if count == USUAL {
        write_results(&head, &rows, moved.at(0.5))?;
    }
    Ok(())
}

fn write_results(head: &str, rows: &[(&str, &Times)], moved: Duration) -> Result<()> {
    let mut table = Table::new(&["what", "times", "median µs", "99 % µs"]);
    for (what, times) in rows {
        let micros = |share: f64| format!("{:.1}", times.at(share).as_secs_f64() * 1e6);
        let count = times.count().to_string();
        table.row([(*what).to_owned(), count, micros(0.5), micros(0.99)]);
    }
    let reached = if moved < MOVE_LIMIT {
        "reached"
    } else {
        "**missed**"
    };
    let text = format!(
        "# The scene and its index\n\n{head} `cargo xtask bench index` writes this page anew.\n\n{}\n\
        - To reach: moving one element of {USUAL} in under {} µs (median): {reached}.\n",
        table.markdown(),
        MOVE_LIMIT.as_micros()
    );
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("results/index.md");
    std::fs::write(&path, text).with_context(|| format!("writing {}", path.display()))
}

/// What finding costs without an index.
fn scan(scene: &Scene, point: Point) -> usize {
    let spot = Rect::new(point.x, point.y, 0.0, 0.0);
    let touches = |element: &&Element| glade_canvas::bounds::ink(element).touches(&spot);
    scene.live().filter(touches).count()
}

/// Spread over the page without repeating soon.
fn place(round: usize) -> Point {
    Point::new(
        (round * 6271 % 19_000) as f64,
        (round * 3571 % 13_000) as f64,
    )
}

fn one(at: usize) -> Value {
    let (x, y) = ((at % 100) * 190, (at / 100) * 130);
    let mut element = json!({
        "id": format!("e{at}"), "x": x, "y": y, "width": 120, "height": 60, "angle": 0,
        "strokeColor": "#1e1e1e", "backgroundColor": "#ffc9c9", "fillStyle": "solid", "strokeWidth": 2,
        "strokeStyle": "solid", "roundness": {"type": 3}, "roughness": 1, "opacity": 100, "seed": at + 1,
        "version": 3, "versionNonce": at, "index": null, "isDeleted": false, "groupIds": [], "frameId": null,
        "boundElements": null, "updated": 1, "link": null, "locked": false,
    });
    let more = match at % 6 {
        0 => json!({"type": "rectangle"}),
        1 => {
            json!({"type": "text", "containerId": format!("e{}", at - 1), "text": "a label", "originalText": "a label",
            "fontSize": 20, "fontFamily": 5, "textAlign": "center", "verticalAlign": "middle", "lineHeight": 1.25})
        }
        2 => json!({"type": "ellipse"}),
        3 => json!({"type": "diamond", "angle": 0.4}),
        4 => {
            json!({"type": "arrow", "points": [[0, 0], [60, -40], [120, 30]], "endArrowhead": "arrow",
            "startBinding": {"elementId": format!("e{}", at - 2), "fixedPoint": [0.5001, 0.5001], "mode": "orbit"}})
        }
        _ => json!({"type": "freedraw", "pressures": [], "simulatePressure": true,
            "points": (0..40).map(|step| json!([step * 3, (step * step) % 37])).collect::<Vec<_>>()}),
    };
    if let (Some(element), Some(more)) = (element.as_object_mut(), more.as_object()) {
        element.extend(more.clone());
    }
    element
}
