//! `sketch` on a project, from words to files.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use glade_code::{Cancel, Project, Seen, ToolContext, run_calls};
use glade_sketch::code::CodeSketch;
use tempfile::TempDir;

struct Folder(TempDir);

impl Folder {
    fn with(files: &[(&str, &str)]) -> Self {
        let folder = Self(TempDir::new().unwrap());
        for (name, text) in files {
            folder.write(name, text);
        }
        folder
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn read(&self, name: &str) -> Option<String> {
        fs::read_to_string(self.path(name)).ok()
    }
}

/// Lets it work until it makes no more calls; its last words.
fn work(folder: &Folder, message: &str) -> String {
    let project = Project::open(folder.0.path()).unwrap();
    let context = ToolContext {
        project: &project,
        seen: &Seen::new(),
        cancel: &Cancel::new(),
    };
    let mut sketch = CodeSketch::new(message);
    let mut results = Vec::new();
    for _ in 0..20 {
        let answer = sketch.answer(&results);
        if answer.calls.is_empty() {
            return answer.words;
        }
        results = run_calls(context, &answer.calls, Duration::from_secs(20), &|_, _| {
            Ok(())
        });
    }
    panic!("{message:?} does not come to an end");
}

#[test]
fn it_finds_lists_and_shows() {
    let folder = Folder::with(&[("a.rs", "fn total() {}\n"), ("src/b.rs", "total();\n")]);
    assert_eq!(
        work(&folder, "find total"),
        "\"total\" is on 2 lines:\n- a.rs:1: `fn total() {}`\n- src/b.rs:1: `total();`"
    );
    assert_eq!(
        work(&folder, "find fn"),
        "\"fn\" is on 1 line:\n- a.rs:1: `fn total() {}`"
    );
    assert_eq!(
        work(&folder, "find nothing(here"),
        "I found no \"nothing(here\"."
    );
    assert_eq!(work(&folder, "list files in src"), "1 file:\n- src/b.rs");
    assert_eq!(work(&folder, "show a.rs"), "```rs\nfn total() {}\n```");
}

#[test]
fn it_replaces_everywhere_more_often_than_a_search_shows() {
    let folder = Folder::with(&[]);
    let names: Vec<String> = ["a,b{c}[d]!*?\\.txt".to_owned()]
        .into_iter()
        .chain((0..6).map(|n| format!("{n}.txt")))
        .collect();
    for name in &names {
        folder.write(name, &"old and old\n".repeat(30));
    }
    assert_eq!(
        work(&folder, "replace old with older"),
        "Changed \"old\" to \"older\" in 420 places of 7 files."
    );
    for name in &names {
        assert_eq!(folder.read(name).unwrap(), "older and older\n".repeat(30));
    }
}

#[test]
fn it_renames_a_word_and_leaves_longer_words_alone() {
    let folder = Folder::with(&[
        ("a.rs", "let sum = sums + my_sum;\nsum"),
        ("b.rs", "sums\n"),
    ]);
    assert_eq!(
        work(&folder, "rename sum to total"),
        "Changed \"sum\" to \"total\" in 2 places of 1 file."
    );
    assert_eq!(
        folder.read("a.rs").unwrap(),
        "let total = sums + my_sum;\ntotal"
    );
    assert_eq!(folder.read("b.rs").unwrap(), "sums\n");
}

#[test]
fn it_makes_moves_and_deletes_files_and_says_why_not() {
    let folder = Folder::with(&[("keep.txt", "kept\n")]);
    assert_eq!(
        work(&folder, "add a file new/a.txt with hello"),
        "Made new/a.txt."
    );
    assert_eq!(
        work(&folder, "rename new/a.txt to b.txt"),
        "Renamed new/a.txt to b.txt."
    );
    assert_eq!(
        (
            folder.read("new/a.txt"),
            folder.read("b.txt").unwrap().as_str()
        ),
        (None, "hello\n")
    );
    assert_eq!(work(&folder, "delete b.txt"), "Deleted b.txt.");
    assert_eq!(folder.read("b.txt"), None);
    let words = work(&folder, "add a file keep.txt with mine");
    assert!(
        words.starts_with("I could not do it: keep.txt exists"),
        "{words}"
    );
    assert_eq!(folder.read("keep.txt").unwrap(), "kept\n");
    assert!(work(&folder, "make it faster").starts_with("I am sketch"));
}
