//! Files that something went wrong with: every file of `tests/corpus`, mangled in seeded random ways, is read and
//! everything is done with it that is ever done with a file. The same for pictures, with those of `tests/pictures`.
//!
//! A few hundred cases run with the tests; `cargo xtask soak mangled` runs many more (`GLADE_MANGLED`), and
//! `cargo xtask soak fuzz` does the same work led by coverage. A file that was found to do harm is written to the folder
//! that the failure names: put it into the corpus.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::Instant;

use glade_canvas::file::{read_png, read_svg};

use crate::hostile_mangle::{Dice, mangle};
use crate::hostile_work::{open, picture};

/// Longer than any file may take, on a busy machine and without optimisation.
const PATIENCE: u64 = 60;

/// Each file of a folder by its name.
fn corpus(name: &str) -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests")
        .join(name);
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
    files
}

fn try_it(work: fn(&[u8]), name: &str, seed: u64, bytes: &[u8]) {
    let started = Instant::now();
    let outcome = catch_unwind(AssertUnwindSafe(|| work(bytes)));
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

/// How many files, and from which seed on.
fn seeds() -> std::ops::Range<u64> {
    let asked = |name: &str| -> Option<u64> { std::env::var(name).ok()?.parse().ok() };
    let first = asked("GLADE_MANGLED_FROM").unwrap_or(1);
    first..first + asked("GLADE_MANGLED").unwrap_or(150)
}

fn try_mangled(work: fn(&[u8]), folder: &str) {
    let corpus = corpus(folder);
    for seed in seeds() {
        let mut dice = Dice(seed);
        let (name, bytes) = &corpus[dice.below(corpus.len())];
        let bytes = mangle(&mut dice, bytes);
        try_it(work, name, seed, &bytes);
    }
}

#[test]
fn whole_files_are_read_without_harm() {
    for (name, bytes) in corpus("corpus") {
        try_it(open, &name, 0, &bytes);
    }
    assert!(read_png(b"\x89PNG").is_err());
    assert!(read_svg(b"<svg").is_err());
}

#[test]
fn mangled_files_do_no_harm() {
    try_mangled(open, "corpus");
}

#[test]
fn whole_pictures_are_drawn_without_harm() {
    for (name, bytes) in corpus("pictures") {
        try_it(picture, &name, 0, &bytes);
    }
}

#[test]
fn mangled_pictures_do_no_harm() {
    try_mangled(picture, "pictures");
}
