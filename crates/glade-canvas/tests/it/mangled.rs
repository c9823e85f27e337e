//! Files that something went wrong with: every file of `tests/corpus`, mangled in seeded random ways, is read and
//! everything is done with it that is ever done with a file. Nothing may panic, hang or make numbers that are none.
//!
//! A few hundred cases run with the tests; `cargo xtask soak` runs many more (`GLADE_MANGLED`). A file that was
//! found to do harm is written to the folder that the failure names: put it into the corpus.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::Instant;

use glade_canvas::file::{
    self, FileError, Loaded, Onto, from_any, from_library, read_png, svg_metadata, to_excalidraw,
    write_png,
};
use glade_canvas::hit::{Pick, Within, at_point, in_rect};
use glade_canvas::render::{Options, to_svg};
use glade_canvas::{Point, Rect, Scene, bounds, derive, lint, view};
use glade_doc::{CanvasDoc, ElementId};
use serde_json::{Value, json};

use crate::support::PIXEL;

/// Longer than any file may take, on a busy machine and without optimisation.
const PATIENCE: u64 = 60;

/// A stream of numbers from a seed (SplitMix64): the same on every machine.
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.roll() % limit.max(1) as u64) as usize
    }
}

/// Each file by its name.
fn corpus() -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    let mut files: Vec<(String, Vec<u8>)> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| {
            (
                path.file_name().unwrap().to_string_lossy().into_owned(),
                std::fs::read(&path).unwrap(),
            )
        })
        .collect();
    files.sort();
    let scene = files
        .iter()
        .find(|(name, _)| name == "pinned.excalidraw")
        .unwrap()
        .1
        .clone();
    files.push(("scene.png".to_owned(), write_png(PIXEL, &scene).unwrap()));
    let svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\">{}</svg>",
        svg_metadata(&scene)
    );
    files.push(("scene.svg".to_owned(), svg.into_bytes()));
    files
}

/// Something that was never meant to be there.
fn oddity(dice: &mut Dice, whole: &Value) -> Value {
    match dice.below(12) {
        0 => json!(1e300),
        1 => json!(-1e300),
        2 => json!(5e-324),
        3 => json!(u64::MAX),
        4 => Value::Null,
        5 => json!([]),
        6 => json!({}),
        7 => json!("\u{0}\u{202e}🤝:\u{feff}"),
        8 => json!("x".repeat(dice.below(3000))),
        9 => json!(
            (0..dice.below(3000))
                .map(|at| json!([at, 1e9]))
                .collect::<Vec<_>>()
        ),
        10 => (0..dice.below(60)).fold(json!(1), |inner, _| json!([inner])),
        // Another part of the same file: ids that lead in circles, shapes in place of numbers.
        _ => pick(dice, whole).clone(),
    }
}

/// A part of the value, by a random walk down.
fn pick<'a>(dice: &mut Dice, value: &'a Value) -> &'a Value {
    let inside: Vec<&Value> = match value {
        Value::Array(items) => items.iter().collect(),
        Value::Object(entries) => entries.values().collect(),
        _ => Vec::new(),
    };
    if inside.is_empty() || dice.below(6) == 0 {
        return value;
    }
    let at = dice.below(inside.len());
    pick(dice, inside[at])
}

fn replace(dice: &mut Dice, value: &mut Value, new: Value) {
    let inside: Vec<&mut Value> = match value {
        Value::Array(items) => items.iter_mut().collect(),
        Value::Object(entries) => entries.values_mut().collect(),
        _ => Vec::new(),
    };
    if inside.is_empty() || dice.below(8) == 0 {
        *value = new;
        return;
    }
    let at = dice.below(inside.len());
    if let Some(next) = inside.into_iter().nth(at) {
        replace(dice, next, new);
    }
}

fn mangle(dice: &mut Dice, bytes: &[u8]) -> Vec<u8> {
    let parsed: Option<Value> = serde_json::from_slice(bytes).ok();
    if let Some(whole) = parsed.filter(|_| dice.below(4) > 0) {
        let mut value = whole.clone();
        for _ in 0..=dice.below(6) {
            let new = oddity(dice, &whole);
            replace(dice, &mut value, new);
        }
        return value.to_string().into_bytes();
    }
    let mut bytes = bytes.to_vec();
    for _ in 0..=dice.below(8) {
        let at = dice.below(bytes.len());
        let end = (at + 1 + dice.below(64)).min(bytes.len());
        match dice.below(5) {
            0 => bytes.truncate(at),
            1 if at < bytes.len() => bytes[at] = dice.roll() as u8,
            2 => drop(bytes.drain(at..end)),
            3 => {
                let copy = bytes[at..end].to_vec();
                bytes.splice(at..at, copy);
            }
            _ => {
                let word: &[u8] = [
                    &b"1e999"[..],
                    b"NaN",
                    b"[[[[[[[[",
                    b"\"\\ud800\"",
                    b"\x00",
                    b"-0",
                ][dice.below(6)];
                bytes.splice(at..at, word.iter().copied());
            }
        }
        if bytes.is_empty() {
            break;
        }
    }
    bytes
}

fn finite(rect: &Rect) -> bool {
    [rect.x, rect.y, rect.w, rect.h]
        .iter()
        .all(|side| side.is_finite())
}

/// All that is ever done with a file.
fn use_it(bytes: &[u8]) {
    let loaded: Loaded = match from_any(bytes) {
        Ok(loaded) => loaded,
        Err(FileError::Library) => match from_library(bytes) {
            Ok(library) => library.laid_out(),
            Err(error) => return assert!(!error.to_string().is_empty()),
        },
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    assert!(loaded.notes.iter().all(|note| !note.to_string().is_empty()));
    let mut scene = loaded.scene();
    CanvasDoc::new()
        .commit(7, None, &loaded.edits())
        .expect("what is read fits the document");
    let ids: BTreeSet<ElementId> = scene.live().map(|element| element.id.clone()).collect();
    let edits = derive(&scene, &ids);
    scene.apply(&edits);
    assert!(
        scene
            .live()
            .all(|one| finite(&bounds::bounds(one)) && finite(&bounds::drawn(&scene, one)))
    );
    let window = Rect::new(-100.0, -100.0, 500.0, 400.0);
    let seen = view::blurry(&scene, &window).len() + view::peripheral(&scene, &window).len();
    let listed: Vec<ElementId> = ids.iter().take(20).cloned().collect();
    let told = glade_canvas::full::full(&scene, &listed).len() + lint::lints(&scene).len();
    let hit = at_point(&scene, Point::new(50.0, 50.0), Pick::default()).is_some();
    let inside = in_rect(&scene, &window, Within::Touching).len();
    assert!(seen + told + inside + usize::from(hit) < usize::MAX);
    glade_canvas::layout::distribute(&scene, &listed, glade_canvas::layout::Direction::Horizontal);
    glade_canvas::layout::rotate(&scene, &listed, 30.0, Point::new(10.0, 1e6));
    let svg = to_svg(
        &scene,
        &Options {
            bounds: Some(window),
            ..Options::default()
        },
    );
    let spelt = bytes.windows(3).any(|three| three == b"NaN");
    assert!(spelt || !svg.contains("NaN"), "a number that is none");
    let written = to_excalidraw(&scene).to_string();
    let again = from_any(written.as_bytes()).expect("what is written can be read");
    assert_eq!(again.elements.len(), scene.live_count());
    let page: Scene = again.scene();
    assert!(again.edits_onto(&page, Onto::Append).len() >= again.elements.len());
}

fn try_it(name: &str, seed: u64, bytes: &[u8]) {
    let started = Instant::now();
    let outcome = catch_unwind(AssertUnwindSafe(|| use_it(bytes)));
    let slow = started.elapsed().as_secs() >= PATIENCE;
    if outcome.is_err() || slow {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("mangled-{seed}-{name}"));
        std::fs::write(&path, bytes).unwrap();
        panic!(
            "{name} mangled with seed {seed} does harm (slow: {slow}); it is kept as {}",
            path.display()
        );
    }
}

#[test]
fn whole_files_are_read_without_harm() {
    for (name, bytes) in corpus() {
        try_it(&name, 0, &bytes);
    }
    assert!(read_png(b"\x89PNG").is_err());
    assert!(file::read_svg(b"<svg").is_err());
}

#[test]
fn mangled_files_do_no_harm() {
    let rounds: u64 = std::env::var("GLADE_MANGLED")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(150);
    let first: u64 = std::env::var("GLADE_MANGLED_FROM")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(1);
    let corpus = corpus();
    for seed in first..first + rounds {
        let mut dice = Dice(seed);
        let (name, bytes) = &corpus[dice.below(corpus.len())];
        let bytes = mangle(&mut dice, bytes);
        try_it(name, seed, &bytes);
    }
}
