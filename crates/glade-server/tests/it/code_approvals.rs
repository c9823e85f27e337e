//! A yes is a yes to what was asked, by somebody who may write it, and to nothing else.

use reqwest::Method;
use serde_json::{Value, json};

use crate::code_chat::{Chat, file, get, kinds, let_go_of, project};
use crate::stage::Stage;

const FILES: &[(&str, &str)] = &[
    ("src/a.rs", "fn foo() {}\n"),
    ("docs/b.md", "foo in words\n"),
    ("notes.txt", "nothing to see\n"),
];

fn yes(reach: Value) -> Value {
    json!({"allow": true, "reach": reach})
}

async fn allowed(stage: &Stage, chat: &Chat<'_>) -> Value {
    let chats = get(stage, "/api/code").await["chats"].clone();
    let chats = chats.as_array().unwrap().clone();
    let found = chats.into_iter().find(|it| it["id"] == chat.id.as_str());
    found.unwrap()["allowed"].clone()
}

fn reaches() -> [Value; 3] {
    [
        json!({"scope": "run"}),
        json!({"scope": "chat"}),
        json!({"scope": "paths", "paths": ["**"]}),
    ]
}

#[tokio::test]
async fn a_no_with_a_reach_allows_nothing() {
    for reach in reaches() {
        let stage = project(FILES, 0.0).await;
        let chat = Chat::open(&stage).await;
        let no = json!({"allow": false, "reach": reach});
        let chunks = chat.ask("rename foo to bar", Some(no)).await;
        let asked = kinds(&chunks);
        assert!(asked.contains(&"tool-approval-request"), "{asked:?}");
        assert_eq!(file(&stage, "src/a.rs"), FILES[0].1, "{reach}");
        assert_eq!(file(&stage, "docs/b.md"), FILES[1].1, "{reach}");
        assert_eq!(allowed(&stage, &chat).await, json!([]), "{reach}");
    }
}

#[tokio::test]
async fn the_reason_for_a_no_is_told_to_the_model() {
    let stage = project(FILES, 0.0).await;
    let chat = Chat::open(&stage).await;
    let no = json!({"allow": false, "reason": " The name is right as it is: leave it. "});
    let chunks = chat.ask("rename foo to bar", Some(no)).await;
    let told = |chunk: &Value| chunk["errorText"].as_str().map(str::to_owned);
    let told: Vec<String> = chunks.iter().filter_map(told).collect();
    let wanted = "NOT_ALLOWED: The person did not allow the change, and says: The name is right as it is: leave it.\nDo as they say, and go on.";
    assert!(
        !told.is_empty() && told.iter().all(|words| words == wanted),
        "{told:?}"
    );
    assert!(
        kinds(&chunks).contains(&"finish"),
        "the run goes on to its end"
    );
    assert_eq!(file(&stage, "src/a.rs"), FILES[0].1);
}

#[tokio::test]
async fn a_move_needs_both_of_its_ends() {
    let stage = project(FILES, 0.0).await;
    let limits = json!({"project": true, "paths": ["src"], "subject": "person:a"});
    let guest = stage.attenuate(&stage.owner, limits).await;
    let chat = Chat::open_as(&stage, &guest).await;
    for wish in [
        "rename src/a.rs to docs/a.rs",
        "rename notes.txt to src/notes.txt",
    ] {
        let told = Value::from(chat.ask(wish, None).await).to_string();
        assert!(told.contains("may not reach this part"), "{wish}: {told}");
    }
    assert_eq!(file(&stage, "src/a.rs"), FILES[0].1);
    assert_eq!(file(&stage, "notes.txt"), FILES[2].1);
    let yes_to_edits = yes(json!({"scope": "chat"}));
    chat.ask(
        "replace \"foo\" with \"bar\" in src/a.rs",
        Some(yes_to_edits),
    )
    .await;
    let chunks = chat
        .ask(
            "rename src/a.rs to src/c.rs",
            Some(yes(json!({"scope": "once"}))),
        )
        .await;
    assert!(
        kinds(&chunks).contains(&"tool-approval-request"),
        "a move is asked for on its own"
    );
}

#[tokio::test]
async fn an_answer_to_no_question_of_this_chat_allows_nothing() {
    for reach in reaches() {
        let stage = project(FILES, 0.0).await;
        let (chat, other) = (Chat::open(&stage).await, Chat::open(&stage).await);
        let mut run = chat.begin_asking("delete notes.txt").await;
        let approval = run.question().await.unwrap();
        let mut second = other.begin_asking("delete src/a.rs").await;
        let elsewhere = second.question().await.unwrap();
        for unknown in ["apr_nobody", "", elsewhere.as_str()] {
            let (status, said) = chat.answer(unknown, yes(reach.clone())).await;
            assert_eq!(status, 409, "{unknown}: {said}");
        }
        assert_eq!(allowed(&stage, &chat).await, json!([]));
        // Still asked, and still to be answered.
        assert_eq!(file(&stage, "notes.txt"), FILES[2].1);
        let (status, _) = chat.answer(&approval, json!({"allow": false})).await;
        assert_eq!(status, 204);
        let (status, _) = chat.answer(&approval, yes(reach.clone())).await;
        assert_eq!(status, 409, "answered already");
        run.rest().await;
        let (status, _) = chat.answer(&approval, yes(reach.clone())).await;
        assert_eq!(status, 409, "nothing is asked");
        other.answer(&elsewhere, json!({"allow": false})).await;
        second.rest().await;
        for one in [&chat, &other] {
            assert_eq!(allowed(&stage, one).await, json!([]));
        }
        assert_eq!(file(&stage, "notes.txt"), FILES[2].1);
        assert_eq!(file(&stage, "src/a.rs"), FILES[0].1);
    }
}

#[tokio::test]
async fn a_reach_that_is_none_leaves_the_question_open() {
    let stage = project(FILES, 0.0).await;
    let chat = Chat::open(&stage).await;
    let mut run = chat.begin_asking("delete notes.txt").await;
    let approval = run.question().await.unwrap();
    let bad = yes(json!({"scope": "paths", "paths": ["a{"]}));
    assert_eq!(chat.answer(&approval, bad).await.0, 409);
    assert_eq!(allowed(&stage, &chat).await, json!([]));
    assert_eq!(chat.answer(&approval, json!({"allow": true})).await.0, 204);
    run.rest().await;
    assert!(!stage.data().join("project/notes.txt").exists());
}

#[tokio::test]
async fn a_yes_to_edits_is_no_yes_to_deleting_or_making_files() {
    for reach in &reaches()[1..] {
        let stage = project(FILES, 0.0).await;
        let chat = Chat::open(&stage).await;
        chat.ask("rename foo to bar", Some(yes(reach.clone())))
            .await;
        assert_eq!(file(&stage, "src/a.rs"), "fn bar() {}\n");
        let given = allowed(&stage, &chat).await;
        assert_eq!(given[0]["kind"], "edit", "{given}");
        for wish in ["delete notes.txt", "add file new.txt: hello"] {
            let chunks = chat.ask(wish, Some(json!({"allow": false}))).await;
            assert!(kinds(&chunks).contains(&"tool-approval-request"), "{wish}");
        }
        assert_eq!(file(&stage, "notes.txt"), FILES[2].1);
        assert!(!stage.data().join("project/new.txt").exists());
        let chunks = chat.ask("rename bar to baz", None).await;
        assert!(!kinds(&chunks).contains(&"tool-approval-request"));
        assert_eq!(file(&stage, "src/a.rs"), "fn baz() {}\n");
    }
}

#[tokio::test]
async fn a_yes_ends_when_the_message_that_it_answered_is_taken_back() {
    for reach in &reaches()[1..] {
        let stage = project(FILES, 0.0).await;
        let chat = Chat::open(&stage).await;
        chat.ask("rename foo to bar", Some(yes(reach.clone())))
            .await;
        assert_eq!(chat.post("undo", json!({})).await.0, 200);
        assert_eq!(allowed(&stage, &chat).await, json!([]));
        let no = json!({"allow": false});
        let chunks = chat.ask("rename foo to bar", Some(no)).await;
        assert!(kinds(&chunks).contains(&"tool-approval-request"));
        assert_eq!(file(&stage, "src/a.rs"), FILES[0].1);
    }
}

#[tokio::test]
async fn only_who_may_write_a_file_says_yes_to_it() {
    let stage = project(FILES, 0.0).await;
    let chat = Chat::open(&stage).await;
    let mut run = chat.begin_asking("delete notes.txt").await;
    let approval = run.question().await.unwrap();
    for (limits, status) in [
        (json!({"subject": "person:a"}), 404),
        (json!({"project": ["read"], "subject": "person:a"}), 403),
        (
            json!({"project": ["read", "command"], "subject": "person:a"}),
            403,
        ),
        (
            json!({"ops": ["read", "command"], "project": true, "subject": "person:a"}),
            403,
        ),
        (
            json!({"project": true, "paths": ["src"], "subject": "person:a"}),
            404,
        ),
        (json!({"project": true, "subject": "agent:a"}), 403),
        (json!({"project": true, "subject": "fairy:a"}), 403),
    ] {
        let token = stage.attenuate(&stage.owner, limits.clone()).await;
        let chat = chat.with(&token);
        for reach in reaches() {
            let (said, why) = chat.answer(&approval, yes(reach)).await;
            assert_eq!(said, status, "{limits}: {why}");
        }
        for (what, body) in [("take-back", json!({"scope": "chat"})), ("undo", json!({}))] {
            let (said, why) = chat.post(what, body).await;
            let agent = limits["subject"] != "person:a" && what == "take-back";
            assert!(said == status || agent, "{what} {limits}: {said} {why}");
        }
    }
    assert_eq!(allowed(&stage, &chat).await, json!([]));
    chat.answer(&approval, json!({"allow": false})).await;
    run.rest().await;
    assert_eq!(file(&stage, "notes.txt"), FILES[2].1);
}

#[tokio::test]
async fn who_may_only_ask_writes_nothing_though_the_chat_allows_it() {
    let stage = project(FILES, 0.0).await;
    let chat = Chat::open(&stage).await;
    let all = yes(json!({"scope": "chat"}));
    chat.ask("rename foo to bar", Some(all)).await;
    let limits = json!({"ops": ["read", "command"], "project": true, "subject": "person:a"});
    let asker = stage.attenuate(&stage.owner, limits).await;
    let chunks = chat.with(&asker).ask("rename bar to baz", None).await;
    let told = Value::from(chunks).to_string();
    assert!(told.contains("NOT_ALLOWED"), "{told}");
    assert_eq!(file(&stage, "src/a.rs"), "fn bar() {}\n");
}

#[tokio::test]
async fn a_yes_reaches_no_further_than_the_paths_of_who_said_it() {
    let stage = project(FILES, 0.0).await;
    let limits = json!({"project": true, "paths": ["src"], "subject": "person:a"});
    let guest = stage.attenuate(&stage.owner, limits).await;
    let own = Chat::open_as(&stage, &guest).await;
    let all = yes(json!({"scope": "chat"}));
    own.ask("add file src/new.txt: hello", Some(all)).await;
    assert_eq!(file(&stage, "src/new.txt"), "hello\n");
    // The owner goes on in the same chat: only there nobody is asked.
    let owners = own.with(&stage.owner);
    let chunks = owners.ask("add file src/newer.txt: hello", None).await;
    assert!(!kinds(&chunks).contains(&"tool-approval-request"));
    let mut run = owners.begin_asking("add file docs/new.txt: hello").await;
    let approval = run.question().await.unwrap();
    let (status, _) = own.answer(&approval, json!({"allow": true})).await;
    assert_eq!(status, 404, "the chat is about other files now");
    owners.answer(&approval, json!({"allow": false})).await;
    run.rest().await;
    assert!(!stage.data().join("project/docs/new.txt").exists());
}

#[tokio::test]
async fn what_was_allowed_before_kinds_were_kept_is_asked_for_again() {
    let stage = project(FILES, 0.0).await;
    let chat = Chat::open(&stage).await;
    let id = chat.id.clone();
    let dir = stage.close().await;
    {
        let store = let_go_of(dir.path()).await;
        let mut row = store.code_chats().unwrap().rows.remove(0);
        row.settings_json = json!({"v": 0, "allowed": {"chat": true, "paths": ["**"]}}).to_string();
        let put = glade_store::Change::PutCodeChat(row);
        store.write_blocking(vec![put]).unwrap();
    }
    let stage = Stage::in_folder(dir).await;
    let token = stage.owner.clone();
    let chat = Chat {
        stage: &stage,
        token,
        id,
    };
    assert_eq!(allowed(&stage, &chat).await, json!([]));
    let no = json!({"allow": false});
    let chunks = chat.ask("delete notes.txt", Some(no)).await;
    assert!(kinds(&chunks).contains(&"tool-approval-request"));
    let (status, _) = stage
        .send(
            Method::GET,
            &stage.owner,
            "/api/code/file?path=notes.txt",
            json!({}),
        )
        .await;
    assert_eq!(status, 200);
}
