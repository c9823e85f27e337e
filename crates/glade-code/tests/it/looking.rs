//! Reading, listing and searching.

use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use glade_code::Code;
use serde_json::json;

use crate::support::TestProject;

#[test]
fn a_file_is_read_whole_or_by_lines() {
    let project = TestProject::with(&[("a.txt", "one\ntwo\nthree\nfour")]);
    let range = |start: usize, end: usize| {
        project.call(
            "read-file",
            json!({"target_file": "a.txt", "should_read_entire_file": false, "start_line": start, "end_line": end}),
        )
    };
    assert_eq!(
        project.read("a.txt"),
        Ok(json!({"path": "a.txt", "content": "one\ntwo\nthree\nfour", "totalLines": 4}))
    );
    assert_eq!(
        range(2, 3),
        Ok(
            json!({"path": "a.txt", "content": "two\nthree\n", "totalLines": 4, "startLine": 2, "endLine": 3})
        )
    );
    assert_eq!(
        range(4, 99),
        Ok(
            json!({"path": "a.txt", "content": "four", "totalLines": 4, "startLine": 4, "endLine": 4})
        )
    );
    assert_eq!(range(3, 2), Err(Code::InvalidLineRange));
    assert_eq!(range(5, 9), Err(Code::Invalid("start_line")));
    assert_eq!(range(0, 2), Err(Code::Invalid("start_line")));
    assert_eq!(range(1, 0), Err(Code::Invalid("end_line")));
    assert_eq!(project.read("b.txt"), Err(Code::FileNotFound));
    assert_eq!(
        project.call("read-file", json!({})),
        Err(Code::Missing("target_file"))
    );
    assert_eq!(
        project.words("read-file", json!({})),
        "MISSING_TARGET_FILE: The parameter target_file is missing."
    );
}

#[test]
fn a_file_over_ten_megabytes_is_read_by_lines_only() {
    let project = TestProject::with(&[]);
    let line = format!("{}\n", "x".repeat(1023));
    project.put("big.txt", &line.repeat(11 * 1024));
    assert_eq!(project.read("big.txt"), Err(Code::FileTooLarge));
    let some = project
        .call(
            "read-file",
            json!({"target_file": "big.txt", "should_read_entire_file": false, "start_line": 11000, "end_line": 11001}),
        )
        .unwrap();
    assert_eq!(some["totalLines"], 11 * 1024);
    assert_eq!(some["content"], line.repeat(2));
}

#[test]
fn a_binary_file_is_not_read_as_text() {
    let project = TestProject::with(&[]);
    fs::write(project.root().join("x.bin"), b"\x00\x01\x02").unwrap();
    fs::write(project.root().join("latin.txt"), b"caf\xe9").unwrap();
    assert_eq!(project.read("x.bin"), Err(Code::Binary));
    assert_eq!(project.read("latin.txt"), Err(Code::Binary));
}

#[test]
fn a_listing_leaves_out_what_is_ignored_and_says_what_is_what() {
    let project = TestProject::with(&[
        (".ignore", "target\n*.log\n"),
        ("src/main.rs", ""),
        ("src/deep/x.rs", ""),
        ("target/out", ""),
        ("a.log", ""),
        (".env.example", ""),
    ]);
    assert_eq!(
        project.call("list-files", json!({})),
        Ok(json!({
            "files": [
                {"path": ".env.example", "type": "file"},
                {"path": ".ignore", "type": "file"},
                {"path": "src", "type": "directory"},
            ],
            "totalFiles": 3,
            "truncated": false,
        }))
    );
    assert_eq!(
        project.call(
            "list-files",
            json!({"recursive": true, "pattern": "*.rs", "includeDirectories": false})
        ),
        Ok(json!({
            "files": [
                {"path": "src/deep/x.rs", "type": "file"},
                {"path": "src/main.rs", "type": "file"},
            ],
            "totalFiles": 2,
            "truncated": false,
        }))
    );
    assert_eq!(
        project.call(
            "list-files",
            json!({"path": "src", "recursive": true, "maxDepth": 1, "includeFiles": false})
        ),
        Ok(json!({
            "files": [{"path": "src/deep", "type": "directory"}],
            "totalFiles": 1,
            "truncated": false,
        }))
    );
    let refused = [
        (json!({"path": "nowhere"}), Code::PathNotFound),
        (json!({"path": "src/main.rs"}), Code::NotADirectory),
        (json!({"maxDepth": 0}), Code::Invalid("maxDepth")),
        (
            json!({"includeFiles": false, "includeDirectories": false}),
            Code::InvalidIncludeOptions,
        ),
    ];
    for (input, code) in refused {
        assert_eq!(
            project.call("list-files", input.clone()),
            Err(code),
            "{input}"
        );
    }
}

#[test]
fn glob_finds_by_path() {
    let project = TestProject::with(&[
        ("a/one.test.ts", ""),
        ("a/b/two.test.ts", ""),
        ("a/three.ts", ""),
    ]);
    let paths = |input| project.call("glob", input).unwrap()["paths"].clone();
    assert_eq!(
        paths(json!({"pattern": "**/*.test.ts"})),
        json!(["a/b/two.test.ts", "a/one.test.ts"])
    );
    assert_eq!(
        paths(json!({"pattern": "a/*.ts"})),
        json!(["a/one.test.ts", "a/three.ts"])
    );
    assert_eq!(
        paths(json!({"pattern": "b/*", "path": "a"})),
        json!(["a/b/two.test.ts"])
    );
    assert_eq!(
        project.call("glob", json!({"pattern": "[z-a]"})),
        Err(Code::Invalid("pattern"))
    );
}

#[test]
fn a_search_counts_all_and_shows_at_most_what_was_asked_for() {
    let project = TestProject::with(&[
        ("a.rs", "let Total = 1;\nlet other = 2;\n"),
        ("b/c.rs", "total\r\ntotal total\n"),
        ("b/c.ts", "total\n"),
        (".hidden.rs", "total\n"),
    ]);
    assert_eq!(
        project.call(
            "grep-search",
            json!({"query": "total", "include_file_pattern": "*.rs", "max_matches": 2})
        ),
        Ok(json!({
            "matches": [
                {"path": "a.rs", "line": 1, "column": 5, "match": "Total", "preview": "let Total = 1;"},
                {"path": "b/c.rs", "line": 1, "column": 1, "match": "total", "preview": "total"},
            ],
            "totalMatches": 3,
            "filesSearched": 2,
            "truncated": true,
        }))
    );
    let count = |input| project.call("grep-search", input).unwrap()["totalMatches"].clone();
    assert_eq!(count(json!({"query": "total", "case_sensitive": true})), 3);
    assert_eq!(
        count(json!({"query": "total", "exclude_file_pattern": "b/**"})),
        1
    );
    assert_eq!(
        project.call("grep-search", json!({"query": "("})),
        Err(Code::Invalid("query"))
    );
}

#[test]
fn anchors_are_those_of_every_line() {
    let project = TestProject::with(&[("a.rs", "use a;\nfn b() {}\nuse c;\n // use d;\n")]);
    let lines = |query: &str| -> Vec<u64> {
        let found = project
            .call("grep-search", json!({"query": query}))
            .unwrap();
        let matches = found["matches"].as_array().unwrap().clone();
        matches
            .iter()
            .map(|one| one["line"].as_u64().unwrap())
            .collect()
    };
    assert_eq!(lines("^use "), [1, 3]);
    assert_eq!(lines("use .;$"), [1, 3, 4]);
    assert_eq!(lines("^fn b\\(\\) \\{\\}$"), [2]);
}

#[test]
fn a_search_hears_stop_in_the_middle_of_a_file_without_a_match() {
    let project = TestProject::with(&[]);
    let text = "nothing of the kind, line after line after line\n".repeat(400_000);
    for n in 0..8 {
        project.put(&format!("{n}.txt"), &text);
    }
    // Nothing in it can be looked for in one leap: every letter is read, which takes long enough.
    let query = json!({"query": "[a-z]+ [a-z]+[0-9]"});
    let stop = project.cancel.clone();
    let said = thread::spawn(move || {
        thread::sleep(Duration::from_millis(10));
        stop.cancel();
        Instant::now()
    });
    let answer = project.call("grep-search", query);
    let heard = said.join().unwrap().elapsed();
    assert_eq!(answer, Err(Code::Cancelled));
    assert!(heard < Duration::from_millis(500), "{heard:?}");
}
