//! What the fuzzers begin with, and what they found.

use std::path::{Path, PathBuf};

use glade_doc::blob_spans;

use crate::work;

fn files(of: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/corpus")
        .join(of);
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| (path.clone(), std::fs::read(path).unwrap()))
        .collect();
    files.sort();
    files
}

#[test]
fn every_update_of_the_corpus_leaves_a_page_whole() {
    let files = files("updates");
    assert!(files.len() >= 6);
    for (path, body) in files {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        // Those of npm's own client are called so, and are sound.
        assert_eq!(
            blob_spans(&work::sealed(&body)).is_ok(),
            name.starts_with("npm-"),
            "{name}"
        );
        work::update(&body);
    }
}

#[test]
fn every_presence_of_the_corpus_is_read_or_refused() {
    let files = files("presence");
    assert!(files.len() >= 3);
    for (path, bytes) in files {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        assert_eq!(work::presence(&bytes), name.starts_with("npm-"), "{name}");
    }
}
