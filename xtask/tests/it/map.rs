//! The map of the house names files that are there.

use std::fs;

use crate::sources::{read, root};

/// Paths in backticks: with a folder in front, or the name alone, to be found beside the one before.
fn named(text: &str) -> Vec<String> {
    let in_ticks = text.split('`').skip(1).step_by(2);
    let is_path = |word: &&str| {
        let ends = [".rs", ".ts", ".tsx"];
        ends.iter().any(|end| word.ends_with(end)) && !word.contains([' ', '*'])
    };
    in_ticks.filter(is_path).map(str::to_owned).collect()
}

fn files(folder: &str, into: &mut Vec<String>) {
    for entry in fs::read_dir(root().join(folder)).unwrap() {
        let entry = entry.unwrap();
        let path = format!("{folder}/{}", entry.file_name().into_string().unwrap());
        if !entry.file_type().unwrap().is_dir() {
            into.push(path);
        } else if !path.ends_with("node_modules") {
            files(&path, into);
        }
    }
}

#[test]
fn every_file_on_the_map_is_there() {
    let mut there = Vec::new();
    for folder in ["crates", "web/src", "web/tests", "xtask/src"] {
        files(folder, &mut there);
    }
    let named = named(&read("docs/architecture.md"));
    assert!(named.len() > 50, "only {} are named", named.len());
    let is_there = |name: &&String| {
        let inside = format!("/{name}");
        there
            .iter()
            .any(|path| path == *name || path.ends_with(&inside))
    };
    let gone: Vec<_> = named.iter().filter(|name| !is_there(name)).collect();
    assert!(gone.is_empty(), "{gone:?}");
}

#[test]
fn paths_are_told_from_other_words() {
    let text = "`web/a.ts`, `b.rs`: `GET /x.rs` and `parts/*.rs` and `Room`";
    assert_eq!(named(text), ["web/a.ts", "b.rs"]);
}
