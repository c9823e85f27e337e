//! A token without a tier learns nothing of its pages through any door.
//!
//! The doors are those of the router: every operation of the OpenAPI document is tried with what
//! belongs to the hidden page, besides the socket and the event stream. An endpoint that is added
//! later is tried as soon as it is described.

use std::collections::BTreeMap;
use std::time::Duration;

use glade_doc::Edit;
use loro_protocol::{CrdtType, JoinErrorCode, ProtocolMessage};
use reqwest::Method;
use serde_json::{Value, json};

use crate::arena::Stage;
use crate::client::{Client, Heard, OK};

const COMMENT: &str = "cm_zanzibar0001";

/// A page of tier `secret` with everything that a page can have, and what would give it away.
struct Hidden {
    page: String,
    run: String,
    fairy: String,
    task: String,
    ids: Vec<String>,
    words: Vec<String>,
}

async fn ended(stage: &Stage, run: &str) -> Value {
    for _ in 0..400 {
        let shown = stage.get(&stage.owner, &format!("/api/runs/{run}")).await;
        if shown.value["status"] != "running" {
            return shown.value;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("{run} does not end");
}

async fn ask(stage: &Stage, fairy: &str, page: &str, message: &str) -> Value {
    let input = json!({ "input": { "message": message, "page": page } });
    let path = format!("/api/fairies/{fairy}/interrupt");
    let begun = stage.post(&stage.owner, &path, input).await;
    assert_eq!(begun.status, 202, "{begun:?}");
    ended(stage, begun.value["run"].as_str().unwrap()).await
}

async fn hide(stage: &Stage) -> Hidden {
    hide_on(stage, "canvas", "Kilimanjaro -> Serengeti").await
}

async fn hide_on(stage: &Stage, kind: &str, message: &str) -> Hidden {
    let new = json!({ "name": "Zanzibar plans", "kind": kind, "tier": "secret" });
    let made = stage
        .post(&stage.owner, "/api/workspaces/main/pages", new)
        .await;
    let page = made.value["id"].as_str().unwrap().to_owned();
    let workspace = stage.get(&stage.owner, "/api/workspaces/main").await.value;
    let fairy = workspace["fairies"][0]["id"].as_str().unwrap().to_owned();
    let run = ask(stage, &fairy, &page, message).await;
    assert!(!run["elements"].as_array().unwrap().is_empty(), "{run}");
    // Back among the others, with what it did there in its luggage.
    ask(stage, &fairy, &stage.page, "Apples -> Pears").await;

    let task = json!({ "title": "Visit Dodoma", "page": page, "assignee": fairy });
    let tasks = "/api/workspaces/main/tasks";
    let task = stage.post(&stage.owner, tasks, task).await.value;
    let task = task["id"].as_str().unwrap().to_owned();

    let mole = json!({ "subject": "person:mole", "tiers": ["secret"] });
    let token = stage.token(mole).await;
    let name = json!({ "name": "Mombasa Mole" });
    stage
        .call(&token, Method::PATCH, "/api/session", name)
        .await;
    let mut mole = Client::connect(stage.address, &page, 41).await;
    mole.join(&token).await.unwrap();
    let said = json!({
        "author": "person:mole", "authorName": "Mombasa Mole", "createdAt": 1, "x": 0, "y": 0,
        "text": "Nairobi is next",
    });
    assert_eq!(mole.comment(COMMENT, said).await, OK);
    let mut ids = vec![
        page.clone(),
        run["id"].as_str().unwrap().to_owned(),
        COMMENT.to_owned(),
        task.clone(),
    ];
    let elements = run["elements"].as_array().unwrap();
    ids.extend(elements.iter().map(|id| id.as_str().unwrap().to_owned()));
    let words = [
        "Zanzibar",
        "Kilimanjaro",
        "Serengeti",
        "Nairobi",
        "Dodoma",
        "Mombasa",
        "person:mole",
    ];
    Hidden {
        run: run["id"].as_str().unwrap().to_owned(),
        page,
        fairy,
        task,
        ids,
        words: words.map(str::to_owned).to_vec(),
    }
}

impl Hidden {
    /// What gives the page away in an answer, beyond what the question itself named.
    fn found_in(&self, answer: &str, asked: &str) -> Vec<&str> {
        let secrets = self.ids.iter().chain(&self.words);
        secrets
            .map(String::as_str)
            .filter(|secret| answer.contains(secret) && !asked.contains(secret))
            .collect()
    }
}

async fn guest(stage: &Stage) -> String {
    let limits = json!({ "subject": "person:guest", "tiers": ["internal"] });
    stage.token(limits).await
}

/// What came of trying every door.
#[derive(Default)]
struct Tried {
    count: usize,
    /// The doors, as the description names them, that gave something away, and how.
    leaks: BTreeMap<String, String>,
}

/// Which operations are tried.
#[derive(Clone, Copy, PartialEq)]
enum Doors {
    All,
    Reading,
}

/// Tries every operation that the router describes with what belongs to the hidden page.
async fn try_doors(stage: &Stage, hidden: &Hidden, token: &str, doors: Doors) -> Tried {
    let element = hidden.ids.last().unwrap();
    let described = stage.get(&stage.owner, "/api/openapi.json").await.value;
    let mut tried = Tried::default();
    for (path, operations) in described["paths"].as_object().unwrap() {
        for name in operations.as_object().unwrap().keys() {
            let method: Method = name.to_uppercase().parse().unwrap();
            let real = path
                .replace("{ws}", "main")
                .replace("{page}", &hidden.page)
                .replace("{run}", &hidden.run)
                .replace(
                    "/api/fairies/{id}",
                    &format!("/api/fairies/{}", hidden.fairy),
                )
                .replace(
                    "/api/ai/chat/{id}",
                    &format!("/api/ai/chat/{}", hidden.fairy),
                )
                .replace("/api/tasks/{id}", &format!("/api/tasks/{}", hidden.task))
                .replace("{id}", &hidden.run);
            let about_hidden = [&hidden.page, &hidden.run, &hidden.task]
                .iter()
                .any(|id| real.contains(id.as_str()));
            // Streams do not end; another test listens to them.
            let endless = real.ends_with("/events");
            let changes = method != Method::GET;
            if endless || (changes && (!about_hidden || doors == Doors::Reading)) {
                continue;
            }
            for query in [
                "",
                "?format=json",
                "?format=excalidraw",
                "?format=svg",
                "?format=markdown",
                "?q=kilimanj",
                "?page=",
                "?element=",
            ] {
                let query = match query {
                    "?page=" => format!("?page={}", hidden.page),
                    "?element=" => format!("?element={element}"),
                    other => other.to_owned(),
                };
                let asked = format!("{real}{query}");
                let answer = stage.call(token, method.clone(), &asked, json!({})).await;
                let found = hidden.found_in(&answer.text, &asked);
                if !found.is_empty() || (about_hidden && answer.status < 400) {
                    let how = format!("{asked}: {} {found:?} {}", answer.status, answer.text);
                    tried.leaks.insert(format!("{method} {path}"), how);
                }
                tried.count += 1;
            }
        }
    }
    tried
}

#[tokio::test(flavor = "multi_thread")]
async fn no_operation_of_the_api_tells_of_a_hidden_page() {
    let stage = Stage::set().await;
    let hidden = hide(&stage).await;
    let guest = guest(&stage).await;
    let tried = try_doors(&stage, &hidden, &guest, Doors::All).await;
    assert_eq!(tried.leaks, BTreeMap::new());
    assert!(tried.count > 100, "only {} doors", tried.count);
    // The owner finds all of it, so that there was something to find.
    let seen = stage.get(&stage.owner, "/api/workspaces/main").await.text;
    let history = format!("/api/ai/chat/{}", hidden.fairy);
    let said = stage.get(&stage.owner, &history).await.text;
    let export = format!("/api/pages/{}/export?format=json", hidden.page);
    let drawn = stage.get(&stage.owner, &export).await.text;
    let all = seen + &said + &drawn;
    let missing: Vec<_> = hidden
        .ids
        .iter()
        .chain(&hidden.words)
        .filter(|secret| !all.contains(*secret))
        .collect();
    assert_eq!(missing, Vec::<&String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn no_operation_of_the_api_tells_of_a_hidden_text_page() {
    let stage = Stage::set().await;
    let hidden = hide_on(&stage, "text", "Write: Kilimanjaro and Serengeti").await;
    let path = "/api/workspaces/main/search?q=kilimanj";
    let found = stage.get(&stage.owner, path).await.text;
    assert!(found.contains("Kilimanjaro"), "{found}");
    let guest = guest(&stage).await;
    let tried = try_doors(&stage, &hidden, &guest, Doors::All).await;
    assert_eq!(tried.leaks, BTreeMap::new());
}

/// The same doors with a token that lacks the limit: every one that has something to tell is found
/// to tell it. So would be one that forgot to ask.
#[tokio::test(flavor = "multi_thread")]
async fn a_door_that_leaks_is_found() {
    let stage = Stage::set().await;
    let hidden = hide(&stage).await;
    let anyone = stage.token(json!({ "subject": "person:anyone" })).await;
    let tried = try_doors(&stage, &hidden, &anyone, Doors::Reading).await;
    let found: Vec<&str> = tried.leaks.keys().map(String::as_str).collect();
    for door in [
        "GET /api/ai/chat/{id}",
        "GET /api/fairies/{id}/debug",
        "GET /api/pages/{page}/export",
        "GET /api/runs/{run}",
        "GET /api/workspaces/{ws}",
        "GET /api/workspaces/{ws}/tasks",
    ] {
        assert!(found.contains(&door), "{door} is not among {found:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_socket_answers_for_a_hidden_page_as_for_one_that_is_not_there() {
    let stage = Stage::set().await;
    let hidden = hide(&stage).await;
    let guest = guest(&stage).await;
    for crdt in [CrdtType::Loro, CrdtType::LoroEphemeralStore] {
        let mut answers = Vec::new();
        for page in [hidden.page.as_str(), "pg_nowhere"] {
            let mut client = Client::connect(stage.address, page, 9).await;
            client.ask_to_join(crdt, &guest).await;
            match client.hear().await {
                Heard::Message(ProtocolMessage::JoinError {
                    code,
                    message,
                    receiver_version,
                    app_code,
                    ..
                }) => {
                    assert_eq!(code, JoinErrorCode::AuthFailed);
                    answers.push((message, receiver_version, app_code));
                }
                other => panic!("{other:?}"),
            }
        }
        assert_eq!(answers[0], answers[1]);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_event_stream_is_silent_about_what_happens_on_a_hidden_page() {
    let stage = Stage::set().await;
    let guest = guest(&stage).await;
    let mut events = stage.events(&guest).await;
    let hidden = hide(&stage).await;
    // Somebody who may read both goes there, draws, and the page is renamed.
    let token = stage.token(json!({ "subject": "person:ann" })).await;
    let mut ann = Client::connect(stage.address, &hidden.page, 51).await;
    ann.join(&token).await.unwrap();
    let edit = Edit::Put {
        id: "mara".into(),
        props: json!({ "type": "rectangle", "x": 1 })
            .as_object()
            .unwrap()
            .clone(),
    };
    let update = ann.doc.commit(51, None, &[edit]).unwrap().unwrap().update;
    assert_eq!(ann.update(update).await, OK);
    let name = json!({ "name": "Zanzibar again" });
    let path = format!("/api/pages/{}", hidden.page);
    stage.call(&stage.owner, Method::PATCH, &path, name).await;
    let path = format!("/api/tasks/{}", hidden.task);
    for method in [Method::PATCH, Method::DELETE] {
        let done = json!({ "status": "done" });
        stage.call(&stage.owner, method, &path, done).await;
    }
    drop(ann);
    // The last thing to hear: by then everything before it has gone by.
    let mark = json!({ "name": "The end", "kind": "canvas" });
    stage
        .post(&stage.owner, "/api/workspaces/main/pages", mark)
        .await;
    let mut heard = String::new();
    while !heard.contains("The end") {
        let next = tokio::time::timeout(Duration::from_secs(20), events.chunk()).await;
        heard += &String::from_utf8_lossy(&next.unwrap().unwrap().unwrap());
    }
    assert_eq!(hidden.found_in(&heard, ""), Vec::<&str>::new(), "{heard}");
    assert!(heard.contains("Apples"), "what happens elsewhere is told");
}
