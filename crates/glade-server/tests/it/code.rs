//! The code project through its doors: chats with `sketch`, questions before writing, undo.

use std::fs;
use std::time::{Duration, Instant};

use reqwest::Method;
use serde_json::{Value, json};

use crate::code_chat::{Chat, file, get, kinds, project, run_of};
use crate::stage::Stage;

const FILES: &[(&str, &str)] = &[
    (
        "src/a.rs",
        "fn foo() {}\n\nfn other() {}\n\nfn calls() { foo() }\n",
    ),
    ("src/b.rs", "use a::foo;\n"),
    ("notes.txt", "nothing to see\n"),
];

async fn stage(pace: f64) -> Stage {
    project(FILES, pace).await
}

fn edit(stage: &Stage, name: &str, change: impl FnOnce(String) -> String) {
    let text = change(file(stage, name));
    fs::write(stage.data().join("project").join(name), text).unwrap();
}

async fn run(stage: &Stage, id: &str) -> Value {
    let told = get(stage, "/api/code").await;
    let runs = told["runs"].as_array().unwrap().clone();
    runs.into_iter().find(|run| run["id"] == id).unwrap()
}

#[tokio::test]
async fn a_rename_asks_first_changes_files_and_is_undone_around_a_persons_work() {
    let stage = stage(0.0).await;
    let chat = Chat::open(&stage).await;
    let yes = json!({"allow": true, "reach": {"scope": "run"}});
    let chunks = chat.ask("rename foo to bar", Some(yes)).await;
    let told = kinds(&chunks);
    for kind in [
        "tool-input-start",
        "tool-input-available",
        "tool-approval-request",
        "data-approval",
        "tool-output-available",
        "data-call",
        "finish",
    ] {
        assert!(told.contains(&kind), "no {kind} in {told:?}");
    }
    assert_eq!(file(&stage, "src/a.rs"), FILES[0].1.replace("foo", "bar"));
    assert_eq!(file(&stage, "src/b.rs"), "use a::bar;\n");

    let id = run_of(&chunks);
    let made = run(&stage, &id).await;
    assert_eq!(
        (&made["status"], &made["elements"], &made["settled"]),
        (
            &json!("pending"),
            &json!(["src/a.rs", "src/b.rs"]),
            &json!(false)
        )
    );
    let shown = get(&stage, "/api/code/file?path=src/a.rs").await;
    let authors = shown["authors"].as_array().unwrap();
    assert_eq!((&authors[0], &authors[2]), (&json!(id), &Value::Null));

    edit(&stage, "src/a.rs", |text| {
        text.replace("fn other() {}", "fn mine() { /* by hand */ }")
    });
    let path = format!("/api/runs/{id}/undo");
    let (status, undone) = stage
        .send(Method::POST, &stage.owner, &path, json!({}))
        .await;
    assert_eq!((status, &undone["kept"]), (200, &json!([])));
    let theirs = FILES[0]
        .1
        .replace("fn other() {}", "fn mine() { /* by hand */ }");
    assert_eq!(file(&stage, "src/a.rs"), theirs);
    assert_eq!(file(&stage, "src/b.rs"), FILES[1].1);
    assert_eq!(run(&stage, &id).await["status"], "undone");

    let reopen = format!("/api/runs/{id}/reopen");
    let settle = async |path: &str| {
        let token = &stage.owner;
        stage.send(Method::POST, token, path, json!({})).await
    };
    let (status, reopened) = settle(&reopen).await;
    assert_eq!((status, &reopened["kept"]), (200, &json!([])), "{reopened}");
    assert_eq!(file(&stage, "src/a.rs"), theirs.replace("foo", "bar"));
    assert_eq!(file(&stage, "src/b.rs"), "use a::bar;\n");
    let made = run(&stage, &id).await;
    assert_eq!(
        (&made["status"], &made["elements"]),
        (&json!("pending"), &json!(["src/a.rs", "src/b.rs"]))
    );
    assert_eq!(settle(&path).await.0, 200);
    assert_eq!(file(&stage, "src/a.rs"), theirs);
    assert_eq!(file(&stage, "src/b.rs"), FILES[1].1);
    assert_eq!(settle(&reopen).await.0, 200);
    edit(&stage, "src/b.rs", |_| "use a::quux;\n".to_owned());
    let (_, undone) = settle(&path).await;
    assert_eq!(undone["kept"][0]["what"], "src/b.rs", "{undone}");
    let chats = get(&stage, "/api/code").await;
    assert_eq!(chats["chats"][0]["title"], "rename foo to bar");
}

#[tokio::test]
async fn a_no_changes_nothing_and_a_yes_for_paths_is_remembered() {
    let stage = stage(0.0).await;
    let chat = Chat::open(&stage).await;
    let chunks = chat
        .ask("rename foo to bar", Some(json!({"allow": false})))
        .await;
    assert_eq!(file(&stage, "src/a.rs"), FILES[0].1);
    let refused = chunks
        .iter()
        .filter_map(|chunk| chunk["errorText"].as_str());
    assert!(
        refused
            .into_iter()
            .any(|text| text.starts_with("NOT_ALLOWED"))
    );
    let made = run(&stage, &run_of(&chunks)).await;
    assert_eq!(
        (&made["settled"], &made["elements"]),
        (&json!(true), &json!([]))
    );

    let paths = json!({"allow": true, "reach": {"scope": "paths", "paths": ["src/**"]}});
    chat.ask("rename foo to bar", Some(paths)).await;
    assert_eq!(file(&stage, "src/b.rs"), "use a::bar;\n");
    // Nobody is asked now, and nobody would answer.
    let chunks = chat.ask("rename bar to baz", None).await;
    assert!(!kinds(&chunks).contains(&"tool-approval-request"));
    assert_eq!(file(&stage, "src/b.rs"), "use a::baz;\n");
}

#[tokio::test]
async fn what_was_allowed_for_good_is_taken_back_and_asked_for_again() {
    let stage = stage(0.0).await;
    let chat = Chat::open(&stage).await;
    let yes = json!({"allow": true, "reach": {"scope": "chat"}});
    chat.ask("rename foo to bar", Some(yes)).await;
    let chunks = chat.ask("rename bar to baz", None).await;
    assert!(!kinds(&chunks).contains(&"tool-approval-request"));

    let (status, told) = chat.post("take-back", json!({"scope": "chat"})).await;
    let none = json!([]);
    assert_eq!((status, &told["allowed"]), (200, &none));
    let no = json!({"allow": false});
    let chunks = chat.ask("rename baz to foo", Some(no)).await;
    assert!(kinds(&chunks).contains(&"tool-approval-request"));
    assert_eq!(file(&stage, "src/b.rs"), "use a::baz;\n");

    // For good, too: a restart does not bring it back.
    let id = chat.id.clone();
    let stage = Stage::in_folder(stage.close().await).await;
    let chats = get(&stage, "/api/code").await["chats"].clone();
    let mut of_chat = chats.as_array().unwrap().iter();
    let kept = of_chat.find(|chat| chat["id"] == id.as_str()).unwrap();
    assert_eq!(kept["allowed"], none);
}

#[tokio::test]
async fn two_chats_at_once_never_mix() {
    let stage = stage(60.0).await;
    let (one, two) = (Chat::open(&stage).await, Chat::open(&stage).await);
    let (first, second) = tokio::join!(
        one.ask("find \"nothing to see\"", None),
        two.ask("list files", None)
    );
    let text = |chunks: &[Value]| -> String {
        let deltas = chunks.iter().filter(|chunk| chunk["type"] == "text-delta");
        deltas
            .map(|chunk| chunk["delta"].as_str().unwrap())
            .collect()
    };
    assert!(text(&first).contains("notes.txt"), "{}", text(&first));
    assert!(text(&second).contains("src/a.rs"), "{}", text(&second));
    for (chat, question) in [(&one, "find"), (&two, "list")] {
        let history = chat.history().await;
        let roles: Vec<&str> = history
            .iter()
            .map(|it| it["role"].as_str().unwrap())
            .collect();
        assert_eq!(roles, ["user", "assistant"]);
        let asked = history[0]["parts"][0]["text"].as_str().unwrap();
        assert!(asked.starts_with(question));
        assert_ne!(history[0]["id"], "m", "ids of clients are not taken over");
        let asker = json!({"subject": "person:owner", "name": "Owner"});
        assert_eq!(history[0]["metadata"]["asker"], asker);
    }
}

#[tokio::test]
async fn stop_ends_a_run_that_waits_for_a_word_and_nothing_is_written() {
    let stage = stage(0.0).await;
    let chat = Chat::open(&stage).await;
    let stopping = async {
        // Until it asks.
        loop {
            tokio::time::sleep(Duration::from_millis(20)).await;
            let running = get(&stage, "/api/code").await["chats"][0]["running"].is_string();
            let steps = get(&stage, "/api/code").await;
            if running && !steps["runs"][0]["id"].is_null() {
                break;
            }
        }
        tokio::time::sleep(Duration::from_millis(300)).await;
        let (status, busy) = stage
            .send(
                Method::DELETE,
                &stage.owner,
                &format!("/api/code/chats/{}", chat.id),
                json!({}),
            )
            .await;
        assert_eq!(status, 409, "{busy}");
        let began = Instant::now();
        let (status, told) = chat.post("abort", json!({})).await;
        assert_eq!((status, &told["running"]), (200, &Value::Null));
        began.elapsed()
    };
    let (chunks, took) = tokio::join!(chat.ask("rename foo to bar", None), stopping);
    assert!(took < Duration::from_secs(2), "{took:?}");
    assert!(kinds(&chunks).contains(&"abort"));
    assert_eq!(file(&stage, "src/a.rs"), FILES[0].1);
    let made = run(&stage, &run_of(&chunks)).await;
    assert_eq!(
        (&made["status"], &made["settled"]),
        (&json!("cancelled"), &json!(true))
    );
}

#[tokio::test]
async fn new_words_in_the_middle_of_a_call_change_its_course() {
    let stage = stage(0.0).await;
    let chat = Chat::open(&stage).await;
    let mut first = chat.begin_asking("rename foo to bar").await;
    let approval = first.question().await.expect("it asks before it writes");
    let second = chat.ask("find foo", None).await;
    let first = first.rest().await;
    assert!(kinds(&first).contains(&"abort"), "{first:?}");
    assert_eq!(kinds(&second).last(), Some(&"finish"), "{second:?}");
    // Nobody answers a question that was asked in what is over, and nothing was written.
    assert_eq!(chat.answer(&approval, json!({"allow": true})).await.0, 409);
    assert_eq!(file(&stage, "src/a.rs"), FILES[0].1);
    let roles: Vec<Value> = chat
        .history()
        .await
        .into_iter()
        .map(|it| it["role"].clone())
        .collect();
    assert_eq!(roles, ["user", "assistant", "user", "assistant"]);
    let ended = run(&stage, &run_of(&first)).await;
    assert_eq!(ended["status"], "cancelled");
}

#[tokio::test]
async fn after_a_restart_a_run_is_still_there_to_be_undone_place_by_place() {
    let stage = stage(0.0).await;
    let chat = Chat::open(&stage).await;
    let yes = json!({"allow": true, "reach": {"scope": "chat"}});
    let chunks = chat.ask("rename foo to bar", Some(yes)).await;
    let (id, chat_id) = (run_of(&chunks), chat.id.clone());
    let stage = Stage::in_folder(stage.close().await).await;
    let chat = Chat {
        stage: &stage,
        token: stage.owner.clone(),
        id: chat_id,
    };
    assert_eq!(chat.history().await.len(), 2);

    let changes = get(&stage, &format!("/api/code/runs/{id}/changes")).await;
    assert_eq!(changes[0]["path"], "src/a.rs");
    assert_eq!(
        changes[0]["hunks"],
        json!([{"old": [0, 1], "new": [0, 1]}, {"old": [4, 5], "new": [4, 5]}])
    );
    let undo = format!("/api/runs/{id}/undo");
    // A part that no run of code has is not the whole of it.
    let after = file(&stage, "src/a.rs");
    for part in [json!({"elements": ["a"]}), json!({"action": 0})] {
        let (status, _) = stage.send(Method::POST, &stage.owner, &undo, part).await;
        assert_eq!((status, file(&stage, "src/a.rs")), (422, after.clone()));
    }
    let part = json!({"hunks": {"src/a.rs": [1]}});
    let (status, _) = stage.send(Method::POST, &stage.owner, &undo, part).await;
    assert_eq!(status, 200);
    assert_eq!(
        file(&stage, "src/a.rs"),
        "fn bar() {}\n\nfn other() {}\n\nfn calls() { foo() }\n"
    );
    let keep = format!("/api/runs/{id}/keep");
    let part = json!({"files": ["src/b.rs"]});
    let (_, kept) = stage.send(Method::POST, &stage.owner, &keep, part).await;
    assert_eq!(
        (&kept["elements"], &kept["settled"]),
        (&json!(["src/a.rs"]), &json!(false))
    );
    let (_, _) = stage
        .send(Method::POST, &stage.owner, &undo, json!({}))
        .await;
    assert_eq!(file(&stage, "src/a.rs"), FILES[0].1);
    assert_eq!(file(&stage, "src/b.rs"), "use a::bar;\n");
    assert_eq!(run(&stage, &id).await["settled"], true);
    // What was allowed in the chat is still allowed.
    let chunks = chat.ask("rename other to another", None).await;
    assert!(!kinds(&chunks).contains(&"tool-approval-request"));
}

#[tokio::test]
async fn places_are_numbered_anew_once_some_are_settled() {
    let stage = stage(0.0).await;
    let chat = Chat::open(&stage).await;
    let yes = json!({"allow": true, "reach": {"scope": "run"}});
    let id = run_of(&chat.ask("rename foo to bar", Some(yes)).await);
    let post = async |what: &str, part: Value| {
        let path = format!("/api/runs/{id}/{what}");
        stage.send(Method::POST, &stage.owner, &path, part).await
    };
    post("keep", json!({"files": ["src/b.rs"]})).await;
    post("keep", json!({"hunks": {"src/a.rs": [0]}})).await;
    let changes = get(&stage, &format!("/api/code/runs/{id}/changes")).await;
    assert_eq!(
        (&changes[0]["hunks"], &changes[0]["pending"]),
        (&json!([{"old": [4, 5], "new": [4, 5]}]), &json!(true))
    );
    // The place that was second is the first now.
    edit(&stage, "src/a.rs", |text| {
        text.replace("{ bar() }", "{ baz() }")
    });
    let (_, undone) = post("undo", json!({"hunks": {"src/a.rs": [0]}})).await;
    assert_eq!(
        undone,
        json!({"undone": 0, "kept": [{
            "what": "src/a.rs",
            "by": "person",
            "why": "somebody changed the same lines since",
            "clash": {
                "line": 5,
                "before": "fn calls() { foo() }\n",
                "after": "fn calls() { bar() }\n",
                "now": "fn calls() { baz() }\n",
            },
        }]})
    );
    assert_eq!(
        file(&stage, "src/a.rs"),
        "fn bar() {}\n\nfn other() {}\n\nfn calls() { baz() }\n"
    );
    assert_eq!(run(&stage, &id).await["settled"], true);
}

#[tokio::test]
async fn the_workspace_tells_of_the_project_and_its_runs() {
    let stage = stage(0.0).await;
    let chat = Chat::open(&stage).await;
    let id = run_of(&chat.ask("list files", None).await);
    let workspace = get(&stage, "/api/workspaces/main").await;
    assert_eq!(workspace["code"], json!({"name": "project"}));
    let ids: Vec<&Value> = workspace["runs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|run| &run["id"])
        .collect();
    assert!(ids.contains(&&json!(id)), "{ids:?}");
    let one = get(&stage, &format!("/api/runs/{id}")).await;
    assert_eq!(
        (&one["page"], &one["message"]),
        (&json!("code"), &json!("list files"))
    );
    // Who may only see a page hears nothing of it.
    let page = stage.make("Board", "public").await;
    let limits = json!({"pages": [page]});
    let (_, made) = stage
        .send(Method::POST, &stage.owner, "/api/tokens/attenuate", limits)
        .await;
    let token = made["token"].as_str().unwrap();
    let (_, seen) = stage
        .send(Method::GET, token, "/api/workspaces/main", json!({}))
        .await;
    assert_eq!((&seen["code"], &seen["runs"]), (&Value::Null, &json!([])));
    let (status, _) = stage
        .send(Method::GET, token, &format!("/api/runs/{id}"), json!({}))
        .await;
    assert_eq!(status, 404);
}

#[tokio::test]
async fn a_chat_is_taken_back_asked_again_or_asked_otherwise() {
    let stage = stage(0.0).await;
    let chat = Chat::open(&stage).await;
    let yes = json!({"allow": true, "reach": {"scope": "chat"}});
    chat.ask("find \"foo\"", None).await;
    chat.ask("rename foo to bar", Some(yes.clone())).await;
    assert_eq!(chat.history().await.len(), 4);
    let (status, undone) = chat.post("undo", json!({})).await;
    assert_eq!(status, 200, "{undone}");
    assert_eq!(file(&stage, "src/a.rs"), FILES[0].1);
    let history = chat.history().await;
    assert_eq!(history.len(), 2);

    let again = json!({"id": chat.id, "messages": [], "trigger": "regenerate-message"});
    chat.send(again, None).await;
    let once_more = chat.history().await;
    assert_eq!(
        (once_more.len(), &once_more[0]["parts"]),
        (2, &history[0]["parts"])
    );
    assert_ne!(once_more[1]["id"], history[1]["id"]);

    // Another wording in place of the first: what came after it goes, files stay.
    chat.ask("rename foo to bar", Some(yes)).await;
    let other = json!({
        "id": chat.id, "trigger": "submit-message", "messageId": once_more[0]["id"],
        "messages": [{"id": once_more[0]["id"], "role": "user", "parts": [{"type": "text", "text": "list files"}]}],
    });
    chat.send(other, None).await;
    let history = chat.history().await;
    assert_eq!(
        (history.len(), &history[0]["parts"][0]["text"]),
        (2, &json!("list files"))
    );
    assert_eq!(file(&stage, "src/b.rs"), "use a::bar;\n");
    let (status, why) = chat.post("undo", json!({"message": "msg_nobody"})).await;
    assert_eq!(status, 409, "{why}");
}

/// A count of the server's.
async fn counted(stage: &Stage, name: &str) -> u64 {
    let told = stage.get(&stage.owner, "/metrics").await;
    let text = told.text().await.unwrap();
    let line = text.lines().find_map(|line| line.strip_prefix(name));
    line.unwrap().trim().parse().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_run_on_files_asks_and_does_is_counted() {
    let stage = project(&[("a.txt", "tea\n")], 0.0).await;
    let chat = Chat::open(&stage).await;
    let names = [
        "glade_model_requests_total",
        "glade_fairy_actions_total",
        "glade_fairy_first_action_seconds_count",
    ];
    let mut before = Vec::new();
    for name in names {
        before.push(counted(&stage, name).await);
    }
    chat.ask("find \"tea\"", None).await;
    for (name, before) in names.iter().zip(before) {
        assert!(counted(&stage, name).await > before, "{name}");
    }
}

#[tokio::test]
async fn a_file_that_was_moved_goes_back_as_one() {
    let stage = stage(0.0).await;
    let chat = Chat::open(&stage).await;
    let yes = json!({"allow": true, "reach": {"scope": "chat"}});
    chat.ask(
        "replace \"nothing\" with \"something\" in notes.txt",
        Some(yes.clone()),
    )
    .await;
    let id = run_of(
        &chat
            .ask("rename notes.txt to docs/notes.md", Some(yes))
            .await,
    );
    let there = |name: &str| stage.data().join("project").join(name).exists();
    assert_eq!(file(&stage, "docs/notes.md"), "something to see\n");
    assert!(!there("notes.txt"));

    let changes = get(&stage, &format!("/api/code/runs/{id}/changes")).await;
    let [change] = changes.as_array().unwrap().as_slice() else {
        panic!("one change: {changes}");
    };
    assert_eq!(
        (&change["path"], &change["movedFrom"], &change["hunks"]),
        (&json!("docs/notes.md"), &json!("notes.txt"), &json!([]))
    );
    assert_eq!(change["before"], change["after"]);
    // Nobody wrote its line by moving it; who did before is still known.
    let shown = get(&stage, "/api/code/file?path=docs/notes.md").await;
    let author = shown["authors"][0].as_str().unwrap();
    assert_ne!(author, id);

    let settle = async |how: &str, part: Value| {
        let path = format!("/api/runs/{id}/{how}");
        let (status, told) = stage.send(Method::POST, &stage.owner, &path, part).await;
        assert_eq!(status, 200, "{told}");
        told
    };
    settle("undo", json!({"files": ["docs/notes.md"]})).await;
    assert_eq!(file(&stage, "notes.txt"), "something to see\n");
    assert!(!there("docs/notes.md"));
    settle("reopen", json!({})).await;
    assert_eq!(file(&stage, "docs/notes.md"), "something to see\n");
    assert!(!there("notes.txt"));
    // What a person wrote since stays where they wrote it.
    edit(&stage, "docs/notes.md", |text| format!("{text}mine\n"));
    settle("undo", json!({})).await;
    assert_eq!(file(&stage, "notes.txt"), "something to see\n");
    assert_eq!(file(&stage, "docs/notes.md"), "mine\n");
}
