//! The code project is a right of its own, and of its files some are closed to everybody.

use reqwest::Method;
use serde_json::{Value, json};

use crate::code_chat::{Chat, file, project, question, run_of};
use crate::stage::Stage;

const FILES: &[(&str, &str)] = &[
    ("src/a.rs", "fn foo() {}\n"),
    ("docs/plan.md", "zanzibar foo\n"),
    ("notes.txt", "nothing to see\n"),
    (".gitignore", "private/\n"),
    (".env", "KEY=serengeti\n"),
    ("private/diary.txt", "serengeti\n"),
];

async fn status(stage: &Stage, token: &str, method: Method, path: &str) -> u16 {
    stage.send(method, token, path, json!({})).await.0
}

#[tokio::test]
async fn a_link_that_does_not_name_the_project_has_none_of_it() {
    let stage = project(FILES, 0.0).await;
    let chat = Chat::open(&stage).await;
    let run = run_of(&chat.ask("find \"foo\"", None).await);
    let mut doors = vec![
        (Method::GET, "/api/code".to_owned()),
        (Method::GET, "/api/code/files?path=".to_owned()),
        (Method::GET, "/api/code/file?path=notes.txt".to_owned()),
        (Method::POST, "/api/code/chats".to_owned()),
        (Method::GET, format!("/api/code/runs/{run}/changes")),
        (Method::GET, format!("/api/runs/{run}")),
        (Method::POST, format!("/api/runs/{run}/keep")),
        (Method::POST, format!("/api/runs/{run}/undo")),
        (Method::POST, format!("/api/runs/{run}/reopen")),
        (Method::GET, format!("/api/ai/chat/{}", chat.id)),
        (Method::GET, format!("/api/ai/chat/{}/stream", chat.id)),
        (Method::DELETE, format!("/api/code/chats/{}", chat.id)),
    ];
    for what in ["abort", "approve", "take-back", "undo"] {
        doors.push((Method::POST, format!("/api/code/chats/{}/{what}", chat.id)));
    }
    let body = json!({"approvalId": "x", "allow": true, "scope": "chat", "title": "x"});
    for limits in [
        json!({"subject": "person:a"}),
        json!({"ops": ["read", "command"], "subject": "person:a"}),
        json!({"ops": ["read"], "project": false, "subject": "person:a"}),
        json!({"paths": ["src"], "subject": "person:a"}),
    ] {
        let token = stage.attenuate(&stage.owner, limits.clone()).await;
        for (method, path) in &doors {
            let body = if path.starts_with("/api/runs") {
                json!({})
            } else {
                body.clone()
            };
            let (said, why) = stage.send(method.clone(), &token, path, body).await;
            assert_eq!(said, 404, "{limits} {method} {path}: {why}");
        }
        let asked = stage
            .post(&token, "/api/ai/chat", question(&chat.id, "list files"))
            .await;
        assert_eq!(asked.status(), 404, "{limits}");
        let (_, seen) = stage
            .send(Method::GET, &token, "/api/workspaces/main", json!({}))
            .await;
        assert_eq!((&seen["code"], &seen["runs"]), (&Value::Null, &json!([])));
        // Nor can it hand on what it has not.
        let more = stage.attenuate(&token, json!({"project": true})).await;
        assert_eq!(status(&stage, &more, Method::GET, "/api/code").await, 404);
    }
}

#[tokio::test]
async fn code_is_no_name_of_a_page_in_a_link() {
    let stage = project(FILES, 0.0).await;
    let limits = json!({"pages": ["code"]});
    let refused = stage
        .post(&stage.owner, "/api/tokens/attenuate", limits)
        .await;
    assert_eq!(refused.status(), 400);
    let why = refused.text().await.unwrap();
    assert!(why.contains("`project`"), "{why}");
}

#[tokio::test]
async fn what_is_ignored_or_secret_is_closed_to_people_too() {
    let stage = project(FILES, 0.0).await;
    for path in [
        ".env",
        "private/diary.txt",
        "private",
        ".ENV",
        "new/.env.local",
    ] {
        for door in ["file", "files"] {
            let path = format!("/api/code/{door}?path={path}");
            let (said, why) = stage
                .send(Method::GET, &stage.owner, &path, json!({}))
                .await;
            assert_eq!(said, 404, "{path}");
            assert!(!why.to_string().contains("serengeti"));
        }
    }
    let (_, listed) = stage
        .send(
            Method::GET,
            &stage.owner,
            "/api/code/files?path=",
            json!({}),
        )
        .await;
    let listed = listed.to_string();
    assert!(
        listed.contains("notes.txt") && !listed.contains(".env\""),
        "{listed}"
    );
    assert!(!listed.contains("private"), "{listed}");
    let chat = Chat::open(&stage).await;
    let yes = json!({"allow": true, "reach": {"scope": "chat"}});
    for wish in [
        "find \"serengeti\"",
        "show .env",
        "delete .env",
        "replace \"serengeti\" with \"x\"",
    ] {
        let told = Value::from(chat.ask(wish, Some(yes.clone())).await).to_string();
        assert!(!told.contains("KEY="), "{wish}: {told}");
        assert!(!told.contains("diary"), "{wish}: {told}");
    }
    assert_eq!(file(&stage, ".env"), "KEY=serengeti\n");
    assert_eq!(file(&stage, "private/diary.txt"), "serengeti\n");
}

#[tokio::test]
async fn rights_in_the_project_are_each_their_own() {
    let stage = project(FILES, 0.0).await;
    let as_person = |project: Value| json!({"project": project, "subject": "person:a"});
    let reader = stage
        .attenuate(&stage.owner, as_person(json!(["read"])))
        .await;
    let asker = stage
        .attenuate(&stage.owner, as_person(json!(["read", "command"])))
        .await;
    assert_eq!(
        status(
            &stage,
            &reader,
            Method::GET,
            "/api/code/file?path=notes.txt"
        )
        .await,
        200
    );
    assert_eq!(
        status(&stage, &reader, Method::POST, "/api/code/chats").await,
        403
    );
    let chat = Chat::open_as(&stage, &asker).await;
    let run = run_of(&chat.ask("find \"foo\"", None).await);
    for token in [&reader, &asker] {
        let keep = format!("/api/runs/{run}/keep");
        assert_eq!(status(&stage, token, Method::POST, &keep).await, 403);
        assert_eq!(chat.with(token).post("undo", json!({})).await.0, 403);
    }
    for path in ["../outside", "/etc/passwd", ".git/config"] {
        let path = format!("/api/code/file?path={path}");
        assert_eq!(
            status(&stage, &stage.owner, Method::GET, &path).await,
            400,
            "{path}"
        );
    }
}

#[tokio::test]
async fn who_has_some_paths_learns_of_no_others() {
    let stage = project(FILES, 0.0).await;
    let limits = json!({"project": true, "paths": ["src"], "subject": "person:a"});
    let guest = stage.attenuate(&stage.owner, limits).await;
    assert_eq!(
        status(&stage, &guest, Method::GET, "/api/code/file?path=notes.txt").await,
        403
    );
    assert_eq!(
        status(&stage, &guest, Method::GET, "/api/code/files?path=").await,
        403
    );
    assert_eq!(
        status(&stage, &guest, Method::GET, "/api/code/files?path=src").await,
        200
    );
    // What lies elsewhere is the same whether it is there, is not, or leads out of the folder.
    let out = stage.data().join("project/out.txt");
    std::os::unix::fs::symlink("/etc/hostname", out).unwrap();
    for name in ["out.txt", "nothing.txt"] {
        let path = format!("/api/code/file?path={name}");
        let said = stage.send(Method::GET, &guest, &path, json!({})).await;
        assert_eq!(said.0, 403, "{said:?}");
    }
    std::os::unix::fs::symlink("../notes.txt", stage.data().join("project/src/link.txt")).unwrap();
    assert_eq!(
        status(
            &stage,
            &guest,
            Method::GET,
            "/api/code/file?path=src/link.txt"
        )
        .await,
        403
    );

    let yes = json!({"allow": true, "reach": {"scope": "run"}});
    let (other, both, within) = (
        Chat::open(&stage).await,
        Chat::open(&stage).await,
        Chat::open(&stage).await,
    );
    let hidden = [
        run_of(&other.ask("show docs/plan.md", None).await),
        run_of(&both.ask("rename foo to bar", Some(yes.clone())).await),
    ];
    let shown = run_of(
        &within
            .ask("change \"bar\" to \"baz\" in src/a.rs", Some(yes))
            .await,
    );
    let get = async |path: &str| {
        let answer = stage.get(&guest, path).await;
        (answer.status().as_u16(), answer.text().await.unwrap())
    };
    for chat in [&other, &both] {
        assert_eq!(get(&format!("/api/ai/chat/{}", chat.id)).await.0, 404);
        assert_eq!(
            get(&format!("/api/ai/chat/{}/stream", chat.id)).await.0,
            404
        );
        for what in ["abort", "undo"] {
            assert_eq!(
                chat.with(&guest).post(what, json!({})).await.0,
                404,
                "{what}"
            );
        }
        let asked = stage
            .post(&guest, "/api/ai/chat", question(&chat.id, "list files"))
            .await;
        assert_eq!(asked.status(), 404);
    }
    for run in &hidden {
        assert_eq!(get(&format!("/api/runs/{run}")).await.0, 404);
        assert_eq!(get(&format!("/api/code/runs/{run}/changes")).await.0, 404);
        for what in ["keep", "undo"] {
            let path = format!("/api/runs/{run}/{what}");
            assert_eq!(status(&stage, &guest, Method::POST, &path).await, 404);
        }
    }
    assert_eq!(file(&stage, "docs/plan.md"), "zanzibar bar\n");
    for path in ["/api/code", "/api/workspaces/main"] {
        let (_, told) = get(path).await;
        for secret in [
            "zanzibar", "plan.md", &hidden[0], &hidden[1], &other.id, &both.id,
        ] {
            assert!(!told.contains(secret), "{secret} in {path}: {told}");
        }
        assert!(told.contains(&shown), "{path}: {told}");
    }
    // What lies within their paths they see, keep and undo.
    assert_eq!(get(&format!("/api/ai/chat/{}", within.id)).await.0, 200);
    let undo = format!("/api/runs/{shown}/undo");
    assert_eq!(status(&stage, &guest, Method::POST, &undo).await, 200);
    assert_eq!(file(&stage, "src/a.rs"), "fn bar() {}\n");
}

#[tokio::test]
async fn a_fairy_asked_by_who_reaches_little_reaches_as_little() {
    let stage = project(FILES, 0.0).await;
    let limits = json!({"project": true, "paths": ["docs"], "subject": "person:a"});
    let guest = stage.attenuate(&stage.owner, limits).await;
    std::os::unix::fs::symlink("../notes.txt", stage.data().join("project/docs/link.txt")).unwrap();
    let chat = Chat::open_as(&stage, &guest).await;
    for wish in [
        "find \"foo\"",
        "show src/a.rs",
        "show docs/link.txt",
        "list files",
    ] {
        let told = Value::from(chat.ask(wish, None).await).to_string();
        assert!(told.contains("NOT_ALLOWED"), "{wish}: {told}");
        assert!(
            !told.contains("fn foo") && !told.contains("nothing to see"),
            "{wish}: {told}"
        );
    }
    let told = Value::from(chat.ask("show docs/plan.md", None).await).to_string();
    assert!(told.contains("zanzibar"), "{told}");
}

#[tokio::test]
async fn the_event_stream_tells_who_has_some_paths_of_no_other_run() {
    let stage = project(FILES, 0.0).await;
    let limits = json!({"project": true, "paths": ["src"], "subject": "person:a"});
    let guest = stage.attenuate(&stage.owner, limits).await;
    let mut events = stage.events(&guest).await;
    let chat = Chat::open(&stage).await;
    chat.ask("show docs/plan.md", None).await;
    let within = Chat::open(&stage).await;
    let shown = run_of(&within.ask("show src/a.rs", None).await);
    let told = events.change("run").await;
    assert_eq!(told["value"]["id"], shown, "{told}");
}

#[tokio::test]
async fn a_run_ends_with_the_token_that_asked_for_it() {
    let stage = project(FILES, 0.0).await;
    let limits = json!({"project": true, "label": "Guest"});
    let guest = stage.attenuate(&stage.owner, limits).await;
    let chat = Chat::open_as(&stage, &guest).await;
    let mut run = chat.begin_asking("delete notes.txt").await;
    let approval = run.question().await.unwrap();
    let (status, _) = stage
        .send(
            Method::POST,
            &stage.owner,
            "/api/tokens/revoke",
            json!({"token": guest}),
        )
        .await;
    assert_eq!(status, 204);
    for _ in 0..100 {
        let told = stage.get(&stage.owner, "/api/code").await;
        let told: Value = told.json().await.unwrap();
        if told["chats"][0]["running"].is_null() {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    let owners = chat.with(&stage.owner);
    assert_eq!(
        owners.answer(&approval, json!({"allow": true})).await.0,
        409
    );
    assert_eq!(file(&stage, "notes.txt"), "nothing to see\n");
}

#[tokio::test]
async fn where_the_folder_lies_is_told_to_the_owner_alone() {
    let stage = project(FILES, 0.0).await;
    let guest = json!({"ops": ["read"], "project": true, "subject": "person:a"});
    let guest = stage.attenuate(&stage.owner, guest).await;
    let (_, owners) = stage
        .send(Method::GET, &stage.owner, "/api/code", json!({}))
        .await;
    let folder = owners["path"].as_str().unwrap();
    let (status, guests) = stage
        .send(Method::GET, &guest, "/api/code", json!({}))
        .await;
    assert_eq!(
        (status, guests["name"].clone()),
        (200, owners["name"].clone())
    );
    assert!(!guests.to_string().contains(folder), "{guests}");
}

#[tokio::test]
async fn a_link_that_names_tools_as_they_were_called_still_allows_those_alone() {
    let stage = project(FILES, 0.0).await;
    for (tools, may) in [
        (json!(["listFiles"]), true),
        (json!(["list-files"]), true),
        (json!(["readFile"]), false),
    ] {
        let limits = json!({"project": true, "tools": tools, "subject": "person:a"});
        let token = stage.attenuate(&stage.owner, limits).await;
        let chunks = Chat::open_as(&stage, &token)
            .await
            .ask("list files", None)
            .await;
        let found = chunks
            .iter()
            .any(|chunk| chunk["type"] == "tool-output-available");
        assert_eq!(found, may, "{tools}: {chunks:?}");
    }
}

#[tokio::test]
async fn who_may_only_ask_takes_back_no_more_than_their_own_last_words() {
    let stage = project(FILES, 0.0).await;
    let chat = Chat::open(&stage).await;
    chat.ask("list files", None).await;
    let first = chat.history().await[0]["id"].clone();
    let limits = json!({"subject": "person:eve", "project": ["read", "command"]});
    let chat = chat.with(&stage.attenuate(&stage.owner, limits).await);
    let instead = |message: &Value| {
        json!({
            "id": chat.id, "trigger": "submit-message", "messageId": message,
            "messages": [{"id": message, "role": "user", "parts": [{"type": "text", "text": "find \"foo\""}]}],
        })
    };
    let refused = stage
        .post(&chat.token, "/api/ai/chat", instead(&first))
        .await;
    assert_eq!(refused.status(), 403);
    assert_eq!(chat.history().await.len(), 2, "what others said stays");

    chat.ask("find \"foo\"", None).await;
    let own = chat.history().await[2]["id"].clone();
    let again = stage.post(&chat.token, "/api/ai/chat", instead(&own)).await;
    assert_eq!(again.status(), 200);
    again.text().await.unwrap();
    assert_eq!(chat.history().await.len(), 4, "their own were replaced");
}
