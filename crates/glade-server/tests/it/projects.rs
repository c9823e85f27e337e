//! Projects over HTTP, with the built-in model: three fairies and a duo, disbanding, stopping, areas.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};

use crate::stage::Stage;

const PROJECTS: &str = "/api/workspaces/main/projects";

const BOARD: &str = "A launch board:\n1. Draw a flow: Plan -> Build -> Ship\n2. Mind map of Launch: people, press, party\n\
    3. Timeline: 2024 Idea, 2025 Beta, 2026 Launch\n4. Sticky notes: cake, balloons, speeches";

async fn workspace(stage: &Stage) -> Value {
    let answer = stage.get(&stage.owner, "/api/workspaces/main").await;
    answer.json().await.unwrap()
}

/// The workspace's fairies, made up to `count`.
async fn fairies(stage: &Stage, count: usize) -> Vec<String> {
    let mut ids: Vec<String> = Vec::new();
    for fairy in workspace(stage).await["fairies"].as_array().unwrap() {
        ids.push(fairy["id"].as_str().unwrap().to_owned());
    }
    while ids.len() < count {
        let path = "/api/workspaces/main/fairies";
        let page = stage.page().await;
        let (status, made) = stage
            .send(Method::POST, &stage.owner, path, json!({"page": page}))
            .await;
        assert_eq!(status, 201, "{made}");
        ids.push(made["id"].as_str().unwrap().to_owned());
    }
    ids
}

async fn start(stage: &Stage, fairies: &[String], message: &str) -> Value {
    let page = stage.page().await;
    let body = json!({"fairies": fairies, "page": page, "message": message});
    let (status, project) = stage.send(Method::POST, &stage.owner, PROJECTS, body).await;
    assert_eq!(status, 201, "{project}");
    project
}

async fn project(stage: &Stage, id: &str) -> Value {
    let all = workspace(stage).await;
    let found = all["projects"]
        .as_array()
        .unwrap()
        .iter()
        .find(|one| one["id"] == id);
    found.cloned().unwrap()
}

async fn until_over(stage: &Stage, id: &str) -> Value {
    for _ in 0..1500 {
        let now = project(stage, id).await;
        if now["status"] != "active" {
            return now;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("never over: {}", workspace(stage).await);
}

async fn until_idle(stage: &Stage) {
    for _ in 0..500 {
        let all = workspace(stage).await;
        let idle = |one: &Value| one["mode"] == "idling";
        if all["fairies"].as_array().unwrap().iter().all(idle) {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("not idle: {}", workspace(stage).await["fairies"]);
}

fn tasks_of(all: &Value, project: &str) -> Vec<Value> {
    let tasks = all["tasks"].as_array().unwrap().iter();
    tasks
        .filter(|task| task["project"] == project)
        .cloned()
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn three_fairies_plan_draw_review_and_end() {
    let stage = Stage::open().await;
    let team = fairies(&stage, 3).await;
    let begun = start(&stage, &team, BOARD).await;
    let id = begun["id"].as_str().unwrap();
    assert!(id.starts_with("pj_"));
    assert_eq!(
        begun["members"],
        json!([
            {"fairy": team[0], "role": "orchestrator"},
            {"fairy": team[1], "role": "drone"},
            {"fairy": team[2], "role": "drone"},
        ])
    );
    let over = until_over(&stage, id).await;
    assert_eq!(over["status"], "done", "{over}");
    assert_eq!(over["name"], "A launch board");
    assert_eq!(over["awaited"], json!([]));
    assert!(
        over["summary"].as_str().unwrap().starts_with("Done: "),
        "{over}"
    );
    assert!(over["cost"]["outputTokens"].as_u64().unwrap() > 0);
    until_idle(&stage).await;
    let all = workspace(&stage).await;
    let tasks = tasks_of(&all, id);
    assert_eq!(tasks.len(), 4);
    assert!(
        tasks.iter().all(|task| task["status"] == "done"),
        "{tasks:?}"
    );
    // Both drones had work, and what each drew lies in its tasks' areas.
    for drone in &team[1..] {
        assert!(
            tasks.iter().any(|task| task["assignee"] == **drone),
            "{tasks:?}"
        );
    }
    let page = stage.page().await;
    let path = format!("/api/pages/{page}/export?format=excalidraw");
    let drawn: Value = stage.get(&stage.owner, &path).await.json().await.unwrap();
    let elements = drawn["elements"].as_array().unwrap();
    assert!(elements.len() > 20, "{} elements", elements.len());
    for element in elements {
        let inside = tasks.iter().any(|task| {
            let side = |of: &Value, key: &str| of[key].as_f64().unwrap();
            let (x, y) = (side(element, "x"), side(element, "y"));
            let area = &task["bounds"];
            x >= side(area, "x") - 16.0
                && y >= side(area, "y") - 16.0
                && x + side(element, "width") <= side(area, "x") + side(area, "w") + 16.0
                && y + side(element, "height") <= side(area, "y") + side(area, "h") + 16.0
        });
        assert!(inside, "{element} is in no task's area");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_projects_runs_are_told_from_its_beginning_to_its_end_and_no_others() {
    let stage = Stage::open().await;
    let team = fairies(&stage, 4).await;
    let ask = async |fairy: &str| {
        let path = format!("/api/fairies/{fairy}/interrupt");
        let body = json!({"input": {"message": "Draw a flow: Sun -> Moon"}});
        let (status, told) = stage.send(Method::POST, &stage.owner, &path, body).await;
        assert_eq!(status, 202, "{told}");
        until_idle(&stage).await;
    };
    // Before it, beside it and after it.
    ask(&team[0]).await;
    let begun = start(&stage, &team[..3], BOARD).await;
    let id = begun["id"].as_str().unwrap();
    ask(&team[3]).await;
    let over = until_over(&stage, id).await;
    until_idle(&stage).await;
    tokio::time::sleep(Duration::from_millis(5)).await;
    ask(&team[1]).await;

    let stage = Stage::in_folder(stage.close().await).await;
    let path = format!("/api/projects/{id}/runs");
    let told: Value = stage.get(&stage.owner, &path).await.json().await.unwrap();
    let runs = told.as_array().unwrap();
    for fairy in &team[..3] {
        assert!(runs.iter().any(|run| run["fairy"] == **fairy), "{told}");
    }
    let at = |value: &Value| value.as_i64().unwrap();
    let span = at(&over["createdAt"])..=at(&over["endedAt"]);
    for run in runs {
        assert!(
            run["fairy"] != team[3] && run["message"] != "Draw a flow: Sun -> Moon",
            "{run}"
        );
        assert!(span.contains(&at(&run["startedAt"])), "{run}");
    }
    assert!(runs.is_sorted_by_key(|run| at(&run["startedAt"])));
    let narrow = json!({"ops": ["read"], "pages": ["pg_elsewhere"]});
    let stranger = stage.attenuate(&stage.owner, narrow).await;
    assert_eq!(stage.get(&stranger, &path).await.status().as_u16(), 404);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_leader_of_a_duo_works_too() {
    let stage = Stage::open().await;
    let team = fairies(&stage, 2).await;
    let begun = start(
        &stage,
        &team,
        "Draw a flow: A -> B -> C; Timeline: 1999 One, 2000 Two",
    )
    .await;
    assert_eq!(begun["members"][0]["role"], "duo-orchestrator");
    let over = until_over(&stage, begun["id"].as_str().unwrap()).await;
    assert_eq!(over["status"], "done", "{over}");
    let all = workspace(&stage).await;
    let mut hands: Vec<String> = tasks_of(&all, over["id"].as_str().unwrap())
        .iter()
        .map(|task| task["assignee"].as_str().unwrap().to_owned())
        .collect();
    hands.sort();
    let mut both = team.clone();
    both.sort();
    assert_eq!(hands, both);
    until_idle(&stage).await;
    // And what each was to draw is there.
    let path = format!("/api/pages/{}/export?format=json", stage.page().await);
    let drawn: Value = stage.get(&stage.owner, &path).await.json().await.unwrap();
    let texts: Vec<&str> = drawn["elements"]
        .as_object()
        .unwrap()
        .values()
        .filter(|one| one["isDeleted"] != true)
        .filter_map(|one| one["originalText"].as_str())
        .collect();
    for word in ["A", "B", "C", "One", "Two"] {
        assert!(texts.contains(&word), "{word}: {texts:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_nobody_can_draw_is_aborted_and_wrong_requests_are_refused() {
    let stage = Stage::open().await;
    let team = fairies(&stage, 3).await;
    let begun = start(&stage, &team, "Sing me a song").await;
    let over = until_over(&stage, begun["id"].as_str().unwrap()).await;
    assert_eq!(over["status"], "aborted", "{over}");
    let page = stage.page().await;
    for (wrong, status) in [
        (
            json!({"fairies": [team[0]], "page": page, "message": "x"}),
            400,
        ),
        (
            json!({"fairies": [team[0], team[0]], "page": page, "message": "x"}),
            400,
        ),
        (
            json!({"fairies": [team[0], "fy_nobody"], "page": page, "message": "x"}),
            404,
        ),
        (
            json!({"fairies": team, "page": "pg_no", "message": "x"}),
            404,
        ),
        (json!({"fairies": team, "page": page, "message": "  "}), 400),
    ] {
        let (found, body) = stage
            .send(Method::POST, &stage.owner, PROJECTS, wrong)
            .await;
        assert_eq!(found, status, "{body}");
    }
    let (found, _) = stage
        .send(
            Method::POST,
            &stage.owner,
            "/api/projects/pj_no/disband",
            json!({}),
        )
        .await;
    assert_eq!(found, 404);
}

async fn until_at_work(stage: &Stage, fairy: &str) {
    for _ in 0..1000 {
        let all = workspace(stage).await;
        let found = all["fairies"]
            .as_array()
            .unwrap()
            .iter()
            .find(|one| one["id"] == fairy);
        if found.unwrap()["mode"] == "working-drone" {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("never at work: {}", workspace(stage).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_disbands_a_project_in_the_middle_and_everyone_is_free() {
    let stage = Stage::paced(60.0).await;
    let team = fairies(&stage, 3).await;
    let begun = start(&stage, &team, BOARD).await;
    let id = begun["id"].as_str().unwrap();
    until_at_work(&stage, &team[1]).await;
    // Nobody can be in two projects.
    let page = stage.page().await;
    let again = json!({"fairies": team, "page": page, "message": BOARD});
    let (status, _) = stage
        .send(Method::POST, &stage.owner, PROJECTS, again)
        .await;
    assert_eq!(status, 409);
    let path = format!("/api/projects/{id}/disband");
    let (status, over) = stage
        .send(Method::POST, &stage.owner, &path, json!({}))
        .await;
    assert_eq!(
        (status, &over["status"]),
        (200, &json!("disbanded")),
        "{over}"
    );
    let all = workspace(&stage).await;
    for fairy in all["fairies"].as_array().unwrap() {
        assert_eq!(fairy["mode"], "idling");
    }
    assert!(
        tasks_of(&all, id)
            .iter()
            .all(|task| task["status"] != "in-progress")
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stopped_drone_gives_its_task_back_and_the_others_finish() {
    let stage = Stage::paced(200.0).await;
    let team = fairies(&stage, 3).await;
    let begun = start(&stage, &team, BOARD).await;
    let id = begun["id"].as_str().unwrap();
    until_at_work(&stage, &team[1]).await;
    let path = format!("/api/fairies/{}/stop", team[1]);
    let (status, stopped) = stage
        .send(Method::POST, &stage.owner, &path, json!({}))
        .await;
    assert_eq!((status, &stopped["mode"]), (200, &json!("idling")));
    let over = until_over(&stage, id).await;
    assert_eq!(over["status"], "done", "{over}");
    assert_eq!(over["members"].as_array().unwrap().len(), 2);
    let all = workspace(&stage).await;
    let tasks = tasks_of(&all, id);
    assert!(
        tasks.iter().all(|task| task["status"] == "done"),
        "{tasks:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn stopping_the_orchestrator_disbands() {
    let stage = Stage::paced(60.0).await;
    let team = fairies(&stage, 3).await;
    let begun = start(&stage, &team, BOARD).await;
    until_at_work(&stage, &team[2]).await;
    let path = format!("/api/fairies/{}/stop", team[0]);
    stage
        .send(Method::POST, &stage.owner, &path, json!({}))
        .await;
    let over = project(&stage, begun["id"].as_str().unwrap()).await;
    assert_eq!(over["status"], "disbanded", "{over}");
    until_idle(&stage).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn words_to_a_project_are_heard_by_whoever_leads_it() {
    let stage = Stage::paced(120.0).await;
    let team = fairies(&stage, 3).await;
    let begun = start(&stage, &team, BOARD).await;
    let id = begun["id"].as_str().unwrap();
    until_at_work(&stage, &team[1]).await;
    let messages = format!("/api/projects/{id}/messages");
    let events = format!("/api/projects/{id}/events");
    let more = json!({"message": "Table: Who, What; Ann, Press"});
    let (status, told) = stage
        .send(Method::POST, &stage.owner, &messages, more.clone())
        .await;
    assert_eq!(status, 202, "{told}");
    let tea = json!({"name": "tea", "data": {"sugar": 2}});
    for (path, body, expected) in [
        (&messages, json!({"message": " "}), 400),
        (&events, tea.clone(), 202),
        (&events, json!({"name": " "}), 400),
        (&events, json!({"name": "x", "data": [1]}), 422),
    ] {
        let (status, body) = stage.send(Method::POST, &stage.owner, path, body).await;
        assert_eq!(status, expected, "{body}");
    }
    let over = until_over(&stage, id).await;
    assert_eq!(over["status"], "done", "{over}");
    let all = workspace(&stage).await;
    let asked = all["runs"]
        .as_array()
        .unwrap()
        .iter()
        .find(|run| run["id"] == told["run"]);
    assert_eq!(asked.unwrap()["fairy"], *team[0]);
    let tasks = tasks_of(&all, id);
    assert_eq!(tasks.len(), 5, "{tasks:?}");
    let last = tasks.iter().find(|task| task["title"] == "Table").unwrap();
    assert_eq!(last["status"], "done");
    // Nobody is there any more who could hear it.
    for (path, body) in [(&messages, more), (&events, tea)] {
        let (status, _) = stage.send(Method::POST, &stage.owner, path, body).await;
        assert_eq!(status, 409);
    }
    for path in ["/api/projects/pj_no/messages", "/api/projects/pj_no/events"] {
        let body = json!({"message": "x"});
        let body = if path.ends_with("events") {
            json!({"name": "x"})
        } else {
            body
        };
        let (status, _) = stage.send(Method::POST, &stage.owner, path, body).await;
        assert_eq!(status, 404);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_limited_token_starts_projects_within_the_servers_budget() {
    let stage = Stage::open().await;
    let page = stage.page().await;
    let fairies = fairies(&stage, 2).await;
    let limits = json!({"pages": [page], "subject": "person:eve"});
    let guest = stage.attenuate(&stage.owner, limits).await;
    let most = json!({"tokens": u32::MAX, "usd": 1e6, "steps": 1_000_000});
    let body = |budget: &Value| json!({"fairies": fairies, "page": page, "message": "Draw A -> B", "budget": budget});
    let post = async |token: &str, budget: &Value| {
        let (status, told) = stage
            .send(Method::POST, token, PROJECTS, body(budget))
            .await;
        (status, told)
    };
    let (status, told) = post(&guest, &most).await;
    assert_eq!(status, 403, "{told}");
    let (status, told) = post(&guest, &json!({"tokens": 1000, "usd": 1.0, "steps": 2})).await;
    assert_eq!(status, 201, "{told}");
    until_over(&stage, told["id"].as_str().unwrap()).await;
    let (status, told) = post(&stage.owner, &most).await;
    assert_eq!(status, 201, "{told}");
}

#[tokio::test(flavor = "multi_thread")]
async fn who_may_less_than_a_projects_starter_says_nothing_to_it() {
    let stage = Stage::open().await;
    let page = stage.page().await;
    let fairies = fairies(&stage, 3).await;
    let pages = json!({"pages": [page], "subject": "person:ada"});
    let starter = stage.attenuate(&stage.owner, pages).await;
    let body = json!({"fairies": fairies, "page": page, "message": BOARD});
    let (status, started) = stage.send(Method::POST, &starter, PROJECTS, body).await;
    assert_eq!(status, 201, "{started}");
    let id = started["id"].as_str().unwrap();
    let region = json!({"x": 0, "y": 0, "w": 50, "h": 50});
    let say = async |token: &str| {
        let mut told = Vec::new();
        for (what, body) in [
            ("messages", json!({"message": "Also a note saying mine"})),
            ("events", json!({"name": "mine"})),
        ] {
            let path = format!("/api/projects/{id}/{what}");
            told.push(stage.send(Method::POST, token, &path, body).await.0);
        }
        told
    };
    for fewer in [
        json!({"ops": ["read", "command"], "pages": [page]}),
        json!({"pages": [page], "region": region}),
        json!({"pages": [page], "tools": ["message"]}),
    ] {
        let mut limits = fewer.clone();
        limits["subject"] = json!("person:eve");
        let guest = stage.attenuate(&stage.owner, limits).await;
        assert_eq!(say(&guest).await, [403, 403], "{fewer}");
    }
    let equal = json!({"pages": [page], "subject": "person:bo"});
    let equal = stage.attenuate(&stage.owner, equal).await;
    for token in [&starter, &equal, &stage.owner] {
        assert_eq!(say(token).await, [202, 202]);
    }
}
