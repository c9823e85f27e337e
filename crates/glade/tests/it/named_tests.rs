//! The threat model and the map of the tests name tests: they are there.

use std::collections::BTreeSet;
use std::path::Path;

/// Names of tests in a page: in backticks, of three words and more.
fn named(page: &str) -> BTreeSet<&str> {
    let quoted = page.split('`').skip(1).step_by(2);
    let letters = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    quoted
        .filter(|name| name.matches('_').count() >= 2 && name.chars().all(letters))
        .collect()
}

/// Functions that a test runner runs, in all Rust files below a folder.
fn tests_below(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.ends_with("target") {
            tests_below(&path, found);
        } else if path.extension().is_some_and(|kind| kind == "rs") {
            tests_in(&std::fs::read_to_string(path).unwrap(), found);
        }
    }
}

fn tests_in(source: &str, found: &mut BTreeSet<String>) {
    let mut marked = false;
    for line in source.lines().map(str::trim) {
        if line.starts_with("#[test]") || line.starts_with("#[tokio::test") {
            marked = true;
        } else if let Some(rest) = line
            .strip_prefix("async fn ")
            .or(line.strip_prefix("fn "))
            .filter(|_| marked)
        {
            let name = rest.split(['(', '<']).next().unwrap_or_default();
            found.insert(name.to_owned());
            marked = false;
        }
    }
}

#[test]
fn every_test_that_these_pages_name_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut there = BTreeSet::new();
    for folder in ["crates", "examples", "xtask"] {
        tests_below(&root.join(folder), &mut there);
    }
    for (page, at_least) in [("docs/threats.md", 50), ("docs/tests.md", 25)] {
        let text = std::fs::read_to_string(root.join(page)).unwrap();
        let named = named(&text);
        assert!(named.len() > at_least, "{page}: {}", named.len());
        let missing: Vec<&&str> = named
            .iter()
            .filter(|name| !there.contains(**name))
            .collect();
        assert_eq!(missing, Vec::<&&str>::new(), "{page}");
    }
}

#[test]
fn only_what_a_runner_runs_counts_as_a_test() {
    let source = "#[test]\nfn a_real_test() {}\nfn not_a_test() {}\n#[tokio::test(flavor = \"x\")]\n#[cfg(unix)]\nasync fn one_more_test() {}";
    let mut found = BTreeSet::new();
    tests_in(source, &mut found);
    let expected = ["a_real_test", "one_more_test"].map(str::to_owned);
    assert_eq!(found, expected.into());
    let page = "`a_real_test` and `models.json`, `a_b`, `one_more_test`";
    assert_eq!(named(page), ["a_real_test", "one_more_test"].into());
}
