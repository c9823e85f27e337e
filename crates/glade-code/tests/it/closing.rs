//! What is ignored or secret is closed, to every tool, under every name.

use std::collections::BTreeSet;
use std::fs;

use glade_code::{Code, Project, ProjectInfo, ProjectPath};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::support::ActionContext;

const WORD: &str = "zanzibar";

fn ctx() -> ActionContext {
    ActionContext::with(&[
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
    let ctx = ctx();
    for path in CLOSED {
        let refused = [
            ctx.read(path),
            ctx.call(
                "multiEdit",
                json!({"file_path": path, "edits": [{"old_string": WORD, "new_string": "x"}]}),
            ),
            ctx.call("overwriteFile", json!({"path": path, "content": "x"})),
            ctx.call("deleteFile", json!({"path": path})),
        ];
        let was = fs::read_to_string(ctx.root().join(path)).ok();
        for outcome in refused {
            assert_eq!(outcome, Err(Code::ProtectedPath), "{path}");
        }
        assert_eq!(ctx.on_disk(path), was, "{path}");
    }
    for path in OPEN {
        assert!(ctx.read(path).is_ok(), "{path}");
    }
}

#[test]
fn no_search_and_no_listing_tells_of_what_is_closed() {
    let ctx = ctx();
    let found = ctx.call("grepSearch", json!({"query": WORD})).unwrap();
    let paths = |told: &Value, list: &str| -> Vec<String> {
        let listed = told[list].as_array().unwrap();
        let path = |one: &Value| one["path"].as_str().or(one.as_str()).unwrap().to_owned();
        listed.iter().map(path).collect()
    };
    assert_eq!(paths(&found, "matches"), OPEN);
    let globbed = ctx.call("glob", json!({"pattern": "**/*"})).unwrap();
    let listed = ctx
        .call(
            "listFiles",
            json!({"recursive": true, "includeDirectories": false}),
        )
        .unwrap();
    let shown = [".gitignore", "keep.log", "src/main.rs", "sub/.ignore"];
    assert_eq!(paths(&globbed, "paths"), shown);
    assert_eq!(paths(&listed, "files"), shown);
    for folder in ["private", "sub/build", ".aws"] {
        for tool in ["listFiles", "glob"] {
            let input = json!({"path": folder, "pattern": "*"});
            assert_eq!(ctx.call(tool, input), Err(Code::ProtectedPath), "{folder}");
        }
    }
    let told = format!("{:?}", ProjectInfo::look(&ctx.project));
    for name in ["plan.md", "run.log", ".env", "server.pem"] {
        assert!(!told.contains(name), "{name} in {told}");
    }
}

#[cfg(unix)]
#[test]
fn a_link_opens_nothing_that_is_closed() {
    let ctx = ctx();
    let link = |to: &str, name: &str| {
        std::os::unix::fs::symlink(to, ctx.root().join(name)).unwrap();
    };
    link("../.env", "src/settings.txt");
    link("../private", "src/open");
    for path in ["src/settings.txt", "src/open/plan.md", "src/open/new.md"] {
        assert_eq!(ctx.read(path), Err(Code::ProtectedPath), "{path}");
        let write = json!({"path": path, "content": "x"});
        assert_eq!(ctx.call("overwriteFile", write), Err(Code::ProtectedPath));
    }
}

#[test]
fn a_folder_of_the_servers_own_is_no_part_of_the_project() {
    let ctx = ActionContext::with(&[("glade-data/glade.db", WORD), ("a.txt", WORD)]);
    let project = Project::open(ctx.root()).unwrap();
    let project = project.without(&ctx.root().join("glade-data"));
    let ctx = ActionContext { project, ..ctx };
    assert_eq!(ctx.read("glade-data/glade.db"), Err(Code::ProtectedPath));
    let found = ctx.call("grepSearch", json!({"query": WORD})).unwrap();
    assert_eq!(found["totalMatches"], 1);
}

#[test]
fn who_reaches_some_paths_is_told_of_no_others() {
    let ctx = ctx();
    let within = BTreeSet::from(["src".to_owned()]);
    let info = ProjectInfo::look_within(&ctx.project, Some(&within));
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
        let ctx = ActionContext::with(&[]);
        for names in &files {
            let path = ctx.root().join(names.join("/"));
            // A name may be a file in one path and a folder in another.
            if fs::create_dir_all(path.parent().unwrap()).is_ok() {
                let _taken = fs::write(path, "x");
            }
        }
        for (place, lines) in &rules {
            let folder = ctx.root().join(["", "a", "a/b"][*place]);
            if folder.is_dir() {
                fs::write(folder.join(".gitignore"), lines.join("\n")).unwrap();
            }
        }
        if in_git {
            fs::create_dir(ctx.root().join(".git")).unwrap();
        }
        let listed = ctx.call("listFiles", json!({"recursive": true, "includeDirectories": false})).unwrap();
        let listed: BTreeSet<&str> = listed["files"].as_array().unwrap().iter().map(|it| it["path"].as_str().unwrap()).collect();
        for names in &files {
            let path = names.join("/");
            if ctx.root().join(&path).is_file() {
                let named = ProjectPath::parse(&path, ctx.root()).unwrap();
                prop_assert_eq!(ctx.project.is_open(&named), listed.contains(path.as_str()), "{}", path);
            }
        }
    }
}

#[test]
fn no_tool_opens_what_is_ignored_by_changing_the_rules() {
    let ctx = ctx();
    std::os::unix::fs::symlink(".gitignore", ctx.root().join("rules.txt")).unwrap();
    for path in [
        ".gitignore",
        ".ignore",
        "sub/.ignore",
        "new/.GITIGNORE",
        "rules.txt",
    ] {
        let was = fs::read_to_string(ctx.root().join(path)).ok();
        let refused = [
            ctx.call("overwriteFile", json!({"path": path, "content": "!*\n"})),
            ctx.call("deleteFile", json!({"path": path})),
            ctx.call(
                "multiEdit",
                json!({"file_path": path, "edits": [{"old_string": "notes.md", "new_string": "x"}]}),
            ),
        ];
        for outcome in refused {
            let error = outcome.unwrap_err();
            assert!(
                matches!(error.code, Code::ProtectedPath | Code::NotFound),
                "{path}: {error:?}"
            );
        }
        assert_eq!(
            fs::read_to_string(ctx.root().join(path)).ok(),
            was,
            "{path}"
        );
    }
}
