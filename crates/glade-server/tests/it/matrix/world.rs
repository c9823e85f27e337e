//! A server with an open page, a hidden one, a project, and a word in everything that is hidden.

use std::time::Duration;

use glade_store::{Change, Store};
use reqwest::Method;
use serde_json::{Value, json};

use super::doors::{Door, Fresh};
use crate::code_chat::{Chat, project, run_of};
use crate::stage::Stage;

/// What only who reads every page may know.
pub const SECRET_PAGE: [&str; 5] = ["Zanzibar", "Kilimanjaro", "Serengeti", "Mombasa", "Dodoma"];
/// What only who reads the project may know.
pub const OF_PROJECT: [&str; 1] = ["Kampala"];
/// What of it only who reads more than `src` may know.
pub const OTHER_FILES: [&str; 2] = ["Lusaka", "lusaka"];
/// All that somebody is told somewhere.
pub const WORDS: [&str; 7] = [
    "Zanzibar",
    "Kilimanjaro",
    "Serengeti",
    "Mombasa",
    "Dodoma",
    "Kampala",
    "Lusaka",
];
const FILES: &[(&str, &str)] = &[
    ("src/a.rs", "fn kampala() {} // Kampala\n"),
    ("docs/lusaka.md", "Lusaka kampala\n"),
];

/// What a path is about.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum About {
    /// Nothing that is hidden from anybody.
    Open,
    /// The hidden page, or what is on it.
    Hidden,
    /// Both pages at once: a run that was on both.
    Both,
    /// The project, within `src`.
    Within,
    /// The project, beyond `src`.
    Beyond,
}

pub struct Path {
    pub text: String,
    pub about: About,
}

pub struct World {
    pub stage: Stage,
    pub page: String,
    hidden: String,
    fairy: String,
    hidden_fairy: String,
    run: String,
    hidden_run: String,
    both_run: String,
    task: String,
    hidden_task: String,
    team: String,
    hidden_team: String,
    chat: String,
    other_chat: String,
    code_run: String,
    other_run: String,
    blob: String,
}

fn id(value: &Value) -> String {
    value["id"]
        .as_str()
        .unwrap_or_else(|| panic!("{value}"))
        .to_owned()
}

async fn post(stage: &Stage, path: &str, body: Value) -> Value {
    let (status, made) = stage.send(Method::POST, &stage.owner, path, body).await;
    assert!((200..300).contains(&status), "{path}: {status} {made}");
    made
}

async fn ended(stage: &Stage, run: &str) {
    for _ in 0..400 {
        let path = format!("/api/runs/{run}");
        let (_, shown) = stage
            .send(Method::GET, &stage.owner, &path, json!({}))
            .await;
        if shown["status"] != "running" {
            return;
        }
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    panic!("{run} does not end");
}

async fn ask(stage: &Stage, fairy: &str, page: &str, message: &str) -> String {
    let input = json!({"input": {"message": message, "page": page}});
    let begun = post(stage, &format!("/api/fairies/{fairy}/interrupt"), input).await;
    let run = begun["run"].as_str().unwrap().to_owned();
    ended(stage, &run).await;
    run
}

impl World {
    pub async fn make() -> Self {
        let stage = project(FILES, 0.0).await;
        let page = stage.page().await;
        let hidden = stage.make("Zanzibar plans", "secret").await;
        let (_, workspace) = stage
            .send(Method::GET, &stage.owner, "/api/workspaces/main", json!({}))
            .await;
        let fairy = id(&workspace["fairies"][0]);
        let fairies = "/api/workspaces/main/fairies";
        let new = json!({"name": "Mombasa", "page": hidden});
        let hidden_fairy = id(&post(&stage, fairies, new).await);
        let hidden_run = ask(&stage, &fairy, &hidden, "Kilimanjaro -> Serengeti").await;
        let both_run = ask(&stage, &fairy, &page, "Cherries -> Pears").await;
        let run = ask(&stage, &fairy, &page, "Apples -> Plums").await;
        let tasks = "/api/workspaces/main/tasks";
        let task = id(&post(&stage, tasks, json!({"title": "Open", "page": page})).await);
        let hidden_task = json!({"title": "Visit Dodoma", "page": hidden});
        let hidden_task = id(&post(&stage, tasks, hidden_task).await);
        let team = async |page: &str, message: &str| {
            let mut members = Vec::new();
            for _ in 0..2 {
                members.push(id(&post(&stage, fairies, json!({"page": page})).await));
            }
            let new = json!({"fairies": members, "page": page, "message": message});
            let team = id(&post(&stage, "/api/workspaces/main/projects", new).await);
            post(&stage, &format!("/api/projects/{team}/disband"), json!({})).await;
            for member in members {
                let away = format!("/api/fairies/{member}");
                stage
                    .send(Method::DELETE, &stage.owner, &away, json!({}))
                    .await;
            }
            team
        };
        let hidden_team = team(&hidden, "Draw Serengeti").await;
        let team = team(&page, "Draw apples").await;

        let within = Chat::open(&stage).await;
        let beyond = Chat::open(&stage).await;
        let code_run = run_of(&within.ask("show src/a.rs", None).await);
        let other_run = run_of(&beyond.ask("show docs/lusaka.md", None).await);
        let (chat, other_chat) = (within.id.clone(), beyond.id.clone());
        let picture = stage
            .http
            .post(stage.url("/api/blobs"))
            .bearer_auth(&stage.owner)
            .body("<svg xmlns=\"http://www.w3.org/2000/svg\"/>")
            .send()
            .await
            .unwrap();
        let blob = id(&picture.json().await.unwrap());

        // A run that was on both pages.
        let dir = stage.close().await;
        {
            let store = crate::code_chat::let_go_of(dir.path()).await;
            put_span(&store, &both_run, &hidden);
        }
        let stage = Stage::in_folder(dir).await;
        Self {
            stage,
            page,
            hidden,
            fairy,
            hidden_fairy,
            run,
            hidden_run,
            both_run,
            task,
            hidden_task,
            team,
            hidden_team,
            chat,
            other_chat,
            code_run,
            other_run,
            blob,
        }
    }

    pub fn hidden(&self) -> &str {
        &self.hidden
    }

    /// The ids of what was done or lies on the hidden page.
    pub fn of_hidden(&self) -> Vec<String> {
        let ids = [
            &self.hidden,
            &self.hidden_run,
            &self.both_run,
            &self.hidden_task,
        ];
        ids.into_iter()
            .chain([&self.hidden_team])
            .cloned()
            .collect()
    }

    /// The ids of what was said and done in the project; beyond `src`, and within.
    pub fn of_project(&self) -> (Vec<String>, Vec<String>) {
        (
            vec![self.other_chat.clone(), self.other_run.clone()],
            vec![self.chat.clone(), self.code_run.clone()],
        )
    }

    /// A body with what it names.
    pub fn filled_in(&self, body: &str) -> Value {
        let body = body.replace("{page}", &self.page);
        serde_json::from_str(&body).unwrap()
    }

    /// The paths of a door: about what is open, and about what is hidden.
    pub async fn paths(&self, door: &Door) -> Vec<Path> {
        let fresh = self.fresh(door.fresh).await;
        let of = |names: [(&str, &str); 7], about: About| {
            let mut text = format!("{}{}", door.route, door.query).replace("{ws}", "main");
            for (name, id) in names {
                text = text.replace(name, id);
            }
            Path { text, about }
        };
        let filled = |page: &str, run: &str, id: &str, chat: &str, path: &str, about| {
            let names = [
                ("{page}", page),
                ("{run}", run),
                ("{id}", id),
                ("{chat}", chat),
                ("{path}", path),
                ("{hidden}", self.hidden.as_str()),
                ("{fresh}", fresh.as_str()),
            ];
            of(names, about)
        };
        let kind = |route: &str| door.route.starts_with(route);
        if door.fresh != Fresh::None {
            let about = match door.fresh {
                Fresh::Chat => About::Beyond,
                _ => About::Open,
            };
            return vec![filled(&fresh, "", &fresh, &fresh, "", about)];
        }
        if kind("/api/code/runs") || kind("/api/code/chats/{chat}") {
            return vec![
                filled("", &self.code_run, "", &self.chat, "", About::Within),
                filled("", &self.other_run, "", &self.other_chat, "", About::Beyond),
            ];
        }
        if kind("/api/code/file") {
            return vec![
                filled("", "", "", "", door.within, About::Within),
                filled("", "", "", "", door.beyond, About::Beyond),
            ];
        }
        if kind("/api/ai/chat/{id}") {
            return vec![
                filled("", "", &self.fairy, "", "", About::Open),
                filled("", "", &self.hidden_fairy, "", "", About::Hidden),
                filled("", "", &self.chat, "", "", About::Within),
                filled("", "", &self.other_chat, "", "", About::Beyond),
            ];
        }
        if kind("/api/runs") {
            return vec![
                filled("", &self.run, "", "", "", About::Open),
                filled("", &self.hidden_run, "", "", "", About::Hidden),
                filled("", &self.both_run, "", "", "", About::Both),
                filled("", &self.code_run, "", "", "", About::Within),
                filled("", &self.other_run, "", "", "", About::Beyond),
            ];
        }
        let pair = |open: &str, hidden: &str| {
            vec![
                filled(&self.page, "", open, "", "", About::Open),
                filled(&self.hidden, "", hidden, "", "", About::Hidden),
            ]
        };
        match door.route {
            route if route.starts_with("/api/pages") => pair("", ""),
            route if route.starts_with("/api/fairies") => pair(&self.fairy, &self.hidden_fairy),
            route if route.starts_with("/api/tasks") => pair(&self.task, &self.hidden_task),
            route if route.starts_with("/api/projects") => pair(&self.team, &self.hidden_team),
            route if route.starts_with("/api/blobs") => {
                vec![filled("", "", &self.blob, "", "", About::Open)]
            }
            _ => vec![filled("", "", "nobody", "", "", About::Open)],
        }
    }

    /// Something for a door to use up.
    async fn fresh(&self, what: Fresh) -> String {
        let make = async |path: &str, body: Value| id(&post(&self.stage, path, body).await);
        match what {
            Fresh::None => String::new(),
            Fresh::Page | Fresh::Trashed => {
                let page = self.stage.make("For one", "internal").await;
                if what == Fresh::Trashed {
                    let path = format!("/api/pages/{page}");
                    self.stage
                        .send(Method::DELETE, &self.stage.owner, &path, json!({}))
                        .await;
                }
                page
            }
            Fresh::Fairy => make("/api/workspaces/main/fairies", json!({"page": self.page})).await,
            Fresh::Task => {
                let task = json!({"title": "For one", "page": self.page});
                make("/api/workspaces/main/tasks", task).await
            }
            Fresh::Chat => make("/api/code/chats", json!({})).await,
        }
    }
}

fn put_span(store: &Store, run: &str, page: &str) {
    let span = Change::PutSpan {
        run: run.to_owned(),
        page: page.to_owned(),
        peer: 77,
        from: 0,
        to: 1,
    };
    store.write_blocking(vec![span]).unwrap();
}
