//! What the fuzzer of backups begins with, and what it found.

use std::path::Path;

use crate::hostile_restore::restore;

#[test]
fn every_backup_of_the_corpus_is_restored_or_leaves_nothing() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus/restore");
    let mut taken: Vec<String> = Vec::new();
    let mut count = 0;
    for file in std::fs::read_dir(folder).unwrap() {
        let file = file.unwrap();
        count += 1;
        if restore(&std::fs::read(file.path()).unwrap()) {
            taken.push(file.file_name().into_string().unwrap());
        }
    }
    assert!(count > 10);
    taken.sort();
    // Rows of which the record says otherwise are read, and a restore that sees to the record refuses them.
    // Files that no data folder has are left out.
    let wanted = [
        "folder",
        "folder-and-file",
        "numbers",
        "page-not-text",
        "sound",
    ];
    assert_eq!(taken, wanted);
}
