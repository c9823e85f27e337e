//! What is ignored or secret is closed, to every tool, under every name.

use std::collections::BTreeSet;
use std::fs;

use glade_code::{Code, Project, ProjectInfo, ProjectPath};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::support::TestProject;

const WORD: &str = "zanzibar";

fn project() -> TestProject {
    TestProject::with(&[
        (".gitignore", "/private/\n*.log\n!keep.log\nbuild/\n"),
        ("sub/.ignore", "notes.md\n"),
        ("src/main.rs", "fn zanzibar() {}\n"),
        ("keep.log", "zanzibar kept\n"),
        ("run.log", "zanzibar\n"),
        ("private/plan.md", "zanzibar\n"),
        ("sub/notes.md", "zanzibar\n"),
        ("sub/build/out.txt", "zanzibar\n"),
        (".env", "KEY=zanzibar\n"),
        ("sub/.env.local", "KEY=zanzibar\n"),
        (".aws/config", "zanzibar\n"),
        ("deploy/server.pem", "zanzibar\n"),
    ])
}

const OPEN: &[&str] = &["keep.log", "src/main.rs"];
const CLOSED: &[&str] = &[
    "run.log",
    "private/plan.md",
    "private/new.md",
    "sub/notes.md",
    "sub/build/out.txt",
    ".env",
    ".ENV",
    "sub/.env.local",
    "new/.env.production",
    ".aws/config",
    "deploy/server.pem",
];

#[test]
fn no_tool_reads_or_writes_what_is_closed() {
    let project = project();
    for path in CLOSED {
        let refused = [
            project.read(path),
            project.call(
                "multi-edit",
                json!({"path": path, "edits": [{"old_string": WORD, "new_string": "x"}]}),
            ),
            project.call("overwrite-file", json!({"path": path, "content": "x"})),
            project.call("delete-file", json!({"path": path})),
            project.call("move-file", json!({"path": path, "to": "open.txt"})),
            project.call("move-file", json!({"path": "keep.log", "to": path})),
        ];
        let was = fs::read_to_string(project.root().join(path)).ok();
        for outcome in refused {
            assert_eq!(outcome, Err(Code::ProtectedPath), "{path}");
        }
        assert_eq!(project.on_disk(path), was, "{path}");
    }
    for path in OPEN {
        assert!(project.read(path).is_ok(), "{path}");
    }
}

#[test]
fn no_search_and_no_listing_tells_of_what_is_closed() {
    let project = project();
    let found = project.call("grep-search", json!({"query": WORD})).unwrap();
    let paths = |told: &Value, list: &str| -> Vec<String> {
        let listed = told[list].as_array().unwrap();
        let path = |one: &Value| one["path"].as_str().or(one.as_str()).unwrap().to_owned();
        listed.iter().map(path).collect()
    };
    assert_eq!(paths(&found, "files"), OPEN);
    let globbed = project.call("glob", json!({"pattern": "**/*"})).unwrap();
    let listed = project
        .call(
            "list-files",
            json!({"recursive": true, "includeDirectories": false}),
        )
        .unwrap();
    let shown = [".gitignore", "keep.log", "src/main.rs", "sub/.ignore"];
    assert_eq!(paths(&globbed, "paths"), shown);
    assert_eq!(paths(&listed, "files"), shown);
    for folder in ["private", "sub/build", ".aws"] {
        for tool in ["list-files", "glob"] {
            let input = json!({"path": folder, "pattern": "*"});
            assert_eq!(
                project.call(tool, input),
                Err(Code::ProtectedPath),
                "{folder}"
            );
        }
    }
    let told = format!("{:?}", ProjectInfo::look(&project.project));
    for name in ["plan.md", "run.log", ".env", "server.pem"] {
        assert!(!told.contains(name), "{name} in {told}");
    }
}

#[cfg(unix)]
#[test]
fn a_link_opens_nothing_that_is_closed() {
    let project = project();
    let link = |to: &str, name: &str| {
        std::os::unix::fs::symlink(to, project.root().join(name)).unwrap();
    };
    link("../.env", "src/settings.txt");
    link("../private", "src/open");
    for path in ["src/settings.txt", "src/open/plan.md", "src/open/new.md"] {
        assert_eq!(project.read(path), Err(Code::ProtectedPath), "{path}");
        let write = json!({"path": path, "content": "x"});
        assert_eq!(
            project.call("overwrite-file", write),
            Err(Code::ProtectedPath)
        );
    }
}

#[test]
fn a_folder_of_the_servers_own_is_no_part_of_the_project() {
    let project = TestProject::with(&[("glade-data/glade.db", WORD), ("a.txt", WORD)]);
    let narrowed = Project::open(project.root()).unwrap();
    let narrowed = narrowed.without(&project.root().join("glade-data"));
    let project = TestProject {
        project: narrowed,
        ..project
    };
    assert_eq!(
        project.read("glade-data/glade.db"),
        Err(Code::ProtectedPath)
    );
    let found = project.call("grep-search", json!({"query": WORD})).unwrap();
    assert_eq!(found["totalMatches"], 1);
}

#[test]
fn who_reaches_some_paths_is_told_of_no_others() {
    let project = project();
    let within = BTreeSet::from(["src".to_owned()]);
    let info = ProjectInfo::look_within(&project.project, Some(&within));
    assert_eq!(info.tree, ["src/", "src/main.rs"]);
}

fn name() -> impl Strategy<Value = &'static str> {
    prop::sample::select(&["a", "b", "c.log", "d.txt", ".env"][..])
}

fn rule() -> impl Strategy<Value = &'static str> {
    prop::sample::select(
        &[
            "a", "/a", "b/", "*.log", "!c.log", "a/b", "**/d.txt", "/*", "!/b",
        ][..],
    )
}

proptest! {
    /// What is listed can be read, and what is not listed cannot.
    #[test]
    fn a_file_is_open_where_a_listing_shows_it(
        files in prop::collection::vec(prop::collection::vec(name(), 1..4), 1..12),
        rules in prop::collection::vec((0usize..3, prop::collection::vec(rule(), 0..3)), 0..3),
        in_git in any::<bool>(),
    ) {
        let project = TestProject::with(&[]);
        for names in &files {
            let path = project.root().join(names.join("/"));
            // A name may be a file in one path and a folder in another.
            if fs::create_dir_all(path.parent().unwrap()).is_ok() {
                let _taken = fs::write(path, "x");
            }
        }
        for (place, lines) in &rules {
            let folder = project.root().join(["", "a", "a/b"][*place]);
            if folder.is_dir() {
                fs::write(folder.join(".gitignore"), lines.join("\n")).unwrap();
            }
        }
        if in_git {
            fs::create_dir(project.root().join(".git")).unwrap();
        }
        let listed = project.call("list-files", json!({"recursive": true, "includeDirectories": false})).unwrap();
        let listed: BTreeSet<&str> = listed["files"].as_array().unwrap().iter().map(|it| it["path"].as_str().unwrap()).collect();
        for names in &files {
            let path = names.join("/");
            if project.root().join(&path).is_file() {
                let named = ProjectPath::parse(&path, project.root()).unwrap();
                prop_assert_eq!(project.project.is_open(&named), listed.contains(path.as_str()), "{}", path);
            }
        }
    }
}

#[test]
fn no_tool_opens_what_is_ignored_by_changing_the_rules() {
    let project = project();
    std::os::unix::fs::symlink(".gitignore", project.root().join("rules.txt")).unwrap();
    for path in [
        ".gitignore",
        ".ignore",
        "sub/.ignore",
        "new/.GITIGNORE",
        "rules.txt",
    ] {
        let was = fs::read_to_string(project.root().join(path)).ok();
        // What was read before may be written, were it any other file.
        assert_eq!(project.read(path).is_ok(), was.is_some(), "{path}");
        let refused = [
            project.call("overwrite-file", json!({"path": path, "content": "!*\n"})),
            project.call("delete-file", json!({"path": path})),
            project.call(
                "multi-edit",
                json!({"path": path, "edits": [{"old_string": was.as_deref().unwrap_or("x"), "new_string": "x"}]}),
            ),
        ];
        for outcome in refused {
            let code = outcome.unwrap_err();
            assert!(
                matches!(code, Code::ProtectedPath | Code::FileNotFound),
                "{path}: {code:?}"
            );
        }
        assert_eq!(
            fs::read_to_string(project.root().join(path)).ok(),
            was,
            "{path}"
        );
    }
}
