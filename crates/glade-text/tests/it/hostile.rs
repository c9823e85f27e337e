//! Files that once did harm, and some with much in them.

use std::path::Path;

use crate::work::read_and_write;

#[test]
fn the_files_of_the_corpus_do_no_harm() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    for entry in std::fs::read_dir(folder).unwrap() {
        read_and_write(&std::fs::read(entry.unwrap().path()).unwrap());
    }
}
