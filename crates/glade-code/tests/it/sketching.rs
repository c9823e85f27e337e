//! `sketch` on a project, from words to files.

use std::time::Duration;

use glade_code::carry_out;
use glade_code::sketch::Sketch;

use crate::support::ActionContext;

/// Lets it work until it makes no more calls; its last words.
fn work(ctx: &ActionContext, message: &str) -> String {
    let mut sketch = Sketch::new(message);
    let mut results = Vec::new();
    for _ in 0..20 {
        let answer = sketch.answer(&results);
        if answer.calls.is_empty() {
            return answer.words;
        }
        results = carry_out(
            ctx.bench(),
            &answer.calls,
            Duration::from_secs(20),
            &|_, _| Ok(()),
        );
    }
    panic!("{message:?} does not come to an end");
}

#[test]
fn it_finds_lists_and_shows() {
    let ctx = ActionContext::with(&[("a.rs", "fn total() {}\n"), ("src/b.rs", "total();\n")]);
    assert_eq!(
        work(&ctx, "find total"),
        "\"total\" is on 2 lines:\na.rs:1: fn total() {}\nsrc/b.rs:1: total();"
    );
    assert_eq!(
        work(&ctx, "find fn"),
        "\"fn\" is on 1 line:\na.rs:1: fn total() {}"
    );
    assert_eq!(
        work(&ctx, "find nothing(here"),
        "I found no \"nothing(here\"."
    );
    assert_eq!(work(&ctx, "list files in src"), "1 file:\nsrc/b.rs");
    assert_eq!(work(&ctx, "show a.rs"), "fn total() {}\n");
}

#[test]
fn it_replaces_everywhere_more_often_than_a_search_shows() {
    let ctx = ActionContext::with(&[]);
    let names: Vec<String> = ["a,b{c}[d]!*?\\.txt".to_owned()]
        .into_iter()
        .chain((0..6).map(|n| format!("{n}.txt")))
        .collect();
    for name in &names {
        ctx.put(name, &"old and old\n".repeat(30));
    }
    assert_eq!(
        work(&ctx, "replace old with older"),
        "Changed \"old\" to \"older\" in 420 places of 7 files."
    );
    for name in &names {
        assert_eq!(ctx.on_disk(name).unwrap(), "older and older\n".repeat(30));
    }
}

#[test]
fn it_renames_a_word_and_leaves_longer_words_alone() {
    let ctx = ActionContext::with(&[
        ("a.rs", "let sum = sums + my_sum;\nsum"),
        ("b.rs", "sums\n"),
    ]);
    assert_eq!(
        work(&ctx, "rename sum to total"),
        "Changed \"sum\" to \"total\" in 2 places of 1 file."
    );
    assert_eq!(
        ctx.on_disk("a.rs").unwrap(),
        "let total = sums + my_sum;\ntotal"
    );
    assert_eq!(ctx.on_disk("b.rs").unwrap(), "sums\n");
}

#[test]
fn it_makes_moves_and_deletes_files_and_says_why_not() {
    let ctx = ActionContext::with(&[("keep.txt", "kept\n")]);
    assert_eq!(
        work(&ctx, "add a file new/a.txt with hello"),
        "Made new/a.txt."
    );
    assert_eq!(
        work(&ctx, "rename new/a.txt to b.txt"),
        "Renamed new/a.txt to b.txt."
    );
    assert_eq!(
        (
            ctx.on_disk("new/a.txt"),
            ctx.on_disk("b.txt").unwrap().as_str()
        ),
        (None, "hello\n")
    );
    assert_eq!(work(&ctx, "delete b.txt"), "Deleted b.txt.");
    assert_eq!(ctx.on_disk("b.txt"), None);
    let words = work(&ctx, "add a file keep.txt with mine");
    assert!(
        words.starts_with("I could not do it: keep.txt exists"),
        "{words}"
    );
    assert_eq!(ctx.on_disk("keep.txt").unwrap(), "kept\n");
    assert!(work(&ctx, "make it faster").starts_with("I am sketch"));
}
