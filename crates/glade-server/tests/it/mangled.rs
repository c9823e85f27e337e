//! Any cell of a data folder may be spoilt. A server on it starts, or says which row it cannot read;
//! nobody may do more than before, and what could not be read stays as it is.
//!
//! Tables and columns are those of the database itself, so a new one is tried by itself. A part of all
//! cases is tried each time; `PROPTEST_CASES` says how many.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Duration;

use glade_server::{Config, Server};
use reqwest::Method;
use rusqlite::Connection;
use rusqlite::types::Value as Sql;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::code_chat::Chat;
use crate::stage::Stage;

/// Tried each time; all of them take some minutes.
const CASES: usize = 40;
/// Bodies that are read when somebody asks for them, and that are an error then.
const READ_LATER: [&str; 3] = ["message", "step", "touch"];

/// Tables without a row in the folder: what fills them takes a page long enough for an epoch, or a fairy that waits just
/// when the server ends.
const WITHOUT_ROWS: [&str; 2] = ["page_archive", "wait"];

/// A folder with a bit of everything, and the tokens and cookies that people have to it.
struct Folder {
    dir: TempDir,
    tokens: Vec<String>,
    pages: Vec<String>,
}

async fn furnished() -> Folder {
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir(dir.path().join("project")).unwrap();
    std::fs::write(dir.path().join("project/a.txt"), "foo\n").unwrap();
    let stage = Stage::in_folder(dir).await;
    let owner = stage.owner.clone();
    let post = async |path: &str, body: Value| {
        let answer = stage.post(&owner, path, body).await;
        let status = answer.status().as_u16();
        let said = answer.text().await.unwrap();
        assert!((200..300).contains(&status), "{path}: {said}");
        serde_json::from_str::<Value>(&said).unwrap_or_default()
    };
    let first = stage.page().await;
    let mut pages = vec![first.clone()];
    for (name, kind) in [("Hidden", "canvas"), ("Words", "text"), ("Gone", "canvas")] {
        let made = json!({"name": name, "kind": kind, "tier": "secret"});
        let page = post("/api/workspaces/main/pages", made).await;
        pages.push(page["id"].as_str().unwrap().to_owned());
    }
    let gone = format!("/api/pages/{}", pages[3]);
    stage.send(Method::DELETE, &owner, &gone, json!({})).await;
    let tokens = vec![
        stage
            .attenuate(&owner, json!({"tiers": ["internal"], "label": "Anna"}))
            .await,
        stage
            .attenuate(
                &owner,
                json!({"pages": [first], "ops": ["read"], "subject": "person:ben"}),
            )
            .await,
        stage
            .attenuate(&owner, json!({"subject": "person:eve"}))
            .await,
    ];
    post("/api/tokens/revoke", json!({"token": tokens[2]})).await;
    let limited = json!({"page": first, "scope": {"pages": [first], "actions": ["create"]}});
    post("/api/workspaces/main/fairies", limited).await;
    let let_go = post("/api/workspaces/main/fairies", json!({"page": first})).await;
    let path = format!("/api/fairies/{}", let_go["id"].as_str().unwrap());
    stage.send(Method::DELETE, &owner, &path, json!({})).await;
    let task =
        json!({"title": "Tidy up", "page": first, "bounds": {"x": 0, "y": 0, "w": 9, "h": 9}});
    post("/api/workspaces/main/tasks", task).await;
    let yes = json!({"allow": true, "reach": {"scope": "run"}});
    let chat = Chat::open(&stage).await;
    chat.ask("replace foo with bar", Some(yes)).await;
    let picture = stage.http.post(stage.url("/api/blobs"));
    let picture = picture
        .bearer_auth(&owner)
        .body("<svg xmlns=\"http://www.w3.org/2000/svg\"/>");
    assert_eq!(picture.send().await.unwrap().status(), 201);
    let mut members = Vec::new();
    for _ in 0..2 {
        let made = post("/api/workspaces/main/fairies", json!({"page": first})).await;
        members.push(made["id"].clone());
    }
    let board =
        json!({"fairies": members, "page": first, "message": "Draw two flows: A -> B and C -> D"});
    post("/api/workspaces/main/projects", board).await;
    stage
        .send(
            Method::PUT,
            &owner,
            "/api/workspaces/main/plugins",
            json!({"plugins": {"tables": false}}),
        )
        .await;
    let workspace: Value = stage
        .get(&owner, "/api/workspaces/main")
        .await
        .json()
        .await
        .unwrap();
    let fairies = workspace["fairies"].as_array().unwrap();
    let free = fairies.iter().find(|it| it["name"] == "Wisp").unwrap();
    let asked = json!({"input": {"message": "Draw a flow: Order -> Pay"}});
    let path = format!("/api/fairies/{}/interrupt", free["id"].as_str().unwrap());
    let run = post(&path, asked).await["run"].as_str().unwrap().to_owned();
    for _ in 0..500 {
        let shown: Value = stage
            .get(&owner, &format!("/api/runs/{run}"))
            .await
            .json()
            .await
            .unwrap();
        if shown["status"] != "running" {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    // A browser of Ben's.
    let key = json!({"key": tokens[1]});
    let signed_in = stage.http.post(stage.url("/api/session")).json(&key);
    let signed_in = signed_in.send().await.unwrap();
    let cookie = signed_in.headers()["set-cookie"].to_str().unwrap();
    let cookie = cookie.split(';').next().unwrap().to_owned();
    let tokens = [tokens, vec![cookie]].concat();
    let dir = stage.close().await;
    // It looked at another page as well.
    let db = Connection::open(dir.path().join("glade.db")).unwrap();
    let read = "INSERT INTO run_read (run, page) VALUES (?1, ?2)";
    db.execute(read, (&run, &pages[1])).unwrap();
    drop(db);
    Folder { dir, tokens, pages }
}

fn copy_of(from: &Path) -> TempDir {
    let to = tempfile::tempdir().unwrap();
    for folder in ["", "checkpoints", "project"] {
        std::fs::create_dir_all(to.path().join(folder)).unwrap();
        for entry in std::fs::read_dir(from.join(folder)).unwrap() {
            let path = entry.unwrap().path();
            if path.is_file() {
                let name = path.file_name().unwrap();
                std::fs::copy(&path, to.path().join(folder).join(name)).unwrap();
            }
        }
    }
    to
}

/// What a server on a folder lets everybody do.
#[derive(Debug, PartialEq)]
struct Allowed {
    /// For the owner and each token: the pages that can be read.
    pages: Vec<BTreeSet<String>>,
    /// What each fairy is limited to.
    fairies: BTreeMap<String, Value>,
    plugins_off: Value,
    unreadable: Vec<(String, String)>,
}

/// `Err`: it does not start, and why.
async fn served(folder: &Folder, dir: &Path) -> Result<Allowed, String> {
    let config = Config {
        project: Some(dir.join("project")),
        ..Config::in_folder(dir)
    };
    let server = Server::start(config).await.map_err(|it| it.to_string())?;
    let (address, owner) = (server.address(), server.owner_token().to_owned());
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let running = tokio::spawn(server.run(async {
        drop(stopped.await);
    }));
    let http = crate::http_client();
    let get = async |token: &str, path: &str| {
        let asked = http.get(format!("http://{address}{path}"));
        let asked = if token.starts_with("glade") {
            asked.header("cookie", token)
        } else {
            asked.bearer_auth(token)
        };
        asked.send().await.unwrap()
    };
    let mut pages = Vec::new();
    for token in [&owner].into_iter().chain(&folder.tokens) {
        let mut readable = BTreeSet::new();
        for page in &folder.pages {
            let path = format!("/api/pages/{page}/export?format=json");
            if get(token, &path).await.status() == 200 {
                readable.insert(page.clone());
            }
        }
        pages.push(readable);
    }
    let shown: Value = get(&owner, "/api/workspaces/main")
        .await
        .json()
        .await
        .unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let fairies = shown["fairies"].as_array().unwrap().iter();
    let limits = |it: &Value| json!([it["scope"], it["limits"], it["keepAtOnce"]]);
    let unreadable = shown["unreadable"].as_array().into_iter().flatten();
    let allowed = Allowed {
        pages,
        fairies: fairies.map(|it| (text(&it["id"]), limits(it))).collect(),
        plugins_off: shown["pluginsOff"].clone(),
        unreadable: unreadable
            .map(|it| (text(&it["table"]), text(&it["column"])))
            .collect(),
    };
    drop(http);
    stop.send(()).unwrap();
    running.await.unwrap().map_err(|it| it.to_string())?;
    Ok(allowed)
}

struct Case {
    table: String,
    column: String,
    /// What the cell becomes, as SQL over what it is.
    mangle: &'static str,
}

const MANGLES: [&str; 11] = [
    "'{\"v\":'",
    "'[]'",
    "'{}'",
    "''",
    "NULL",
    "CAST(x'ff00fe' AS TEXT)",
    "substr(CELL, 1, length(CELL) / 2)",
    "replace(CELL, '\"v\":1', '\"v\":99')",
    "9223372036854775807",
    "-1",
    "CAST(zeroblob(300000) AS TEXT)",
];

fn cases(dir: &Path) -> Vec<Case> {
    let db = Connection::open(dir.join("glade.db")).unwrap();
    let mut tables = db
        .prepare("SELECT m.name, c.name FROM sqlite_master m, pragma_table_info(m.name) c WHERE m.type = 'table'")
        .unwrap();
    let columns: Vec<(String, String)> = tables
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))
        .unwrap()
        .map(Result::unwrap)
        .collect();
    let each = columns.iter().flat_map(|(table, column)| {
        MANGLES.iter().map(|mangle| Case {
            table: table.clone(),
            column: column.clone(),
            mangle,
        })
    });
    each.collect()
}

fn without_rows(dir: &Path) -> Vec<String> {
    let tables: BTreeSet<String> = cases(dir).into_iter().map(|case| case.table).collect();
    let db = Connection::open(dir.join("glade.db")).unwrap();
    let has_rows = |table: &String| -> bool {
        let sql = format!("SELECT EXISTS (SELECT 1 FROM {table})");
        db.query_row(&sql, [], |row| row.get(0)).unwrap()
    };
    tables.into_iter().filter(|it| !has_rows(it)).collect()
}

/// Spoils the cell in every row that there is; answers what lies there then, or nothing if the
/// database does not take it.
fn spoil(dir: &Path, case: &Case) -> Vec<Sql> {
    let db = Connection::open(dir.join("glade.db")).unwrap();
    db.pragma_update(None, "foreign_keys", false).unwrap();
    let Case {
        table,
        column,
        mangle,
    } = case;
    let before = cells(&db, case);
    let mangle = mangle.replace("CELL", &format!("\"{column}\""));
    // One row: a key that is the same everywhere would not be taken.
    let one = format!("SELECT \"{column}\" FROM {table} ORDER BY 1 DESC LIMIT 1");
    let harm = format!("UPDATE {table} SET \"{column}\" = {mangle} WHERE \"{column}\" IS ({one})");
    match db.execute_batch(&harm) {
        Ok(()) => {
            let after = cells(&db, case);
            after
                .into_iter()
                .filter(|it| !before.contains(it))
                .collect()
        }
        Err(_) => Vec::new(),
    }
}

fn cells(db: &Connection, case: &Case) -> Vec<Sql> {
    let sql = format!(
        "SELECT CAST(\"{}\" AS BLOB) FROM {}",
        case.column, case.table
    );
    let mut all = db.prepare(&sql).unwrap();
    let rows = all.query_map([], |row| row.get(0)).unwrap();
    rows.map(Result::unwrap).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_spoilt_cell_gives_nobody_a_right_and_stays_as_it_is() {
    let folder = furnished().await;
    let sound = served(&folder, copy_of(folder.dir.path()).path())
        .await
        .unwrap();
    assert_eq!(sound.unreadable, []);
    assert!(sound.pages[3].is_empty(), "it was revoked");
    assert_eq!(sound.pages[4], sound.pages[2], "the cookie is Ben's");
    assert_eq!(without_rows(folder.dir.path()), WITHOUT_ROWS);
    let mut cases = cases(folder.dir.path());
    let seed: u64 = rand::random();
    eprintln!("seed {seed}");
    let mut rng = <rand::rngs::SmallRng as rand::SeedableRng>::seed_from_u64(seed);
    rand::seq::SliceRandom::shuffle(cases.as_mut_slice(), &mut rng);
    let asked = std::env::var("PROPTEST_CASES").ok();
    let most = asked.map_or(CASES, |count| count.parse().unwrap());
    let mut tried = 0;
    for case in cases {
        if tried >= most {
            break;
        }
        let dir = copy_of(folder.dir.path());
        let spoilt = spoil(dir.path(), &case);
        if spoilt.is_empty() {
            continue;
        }
        tried += 1;
        let named = format!("{}.{} = {}", case.table, case.column, case.mangle);
        let set_aside = match served(&folder, dir.path()).await {
            Ok(allowed) => {
                for (before, after) in sound.pages.iter().zip(&allowed.pages) {
                    assert!(after.is_subset(before), "{named}: {allowed:?}");
                }
                for (fairy, limits) in &allowed.fairies {
                    let is_new = case.table == "setting" && !sound.fairies.contains_key(fairy);
                    assert!(!is_new, "{named}: there is another fairy");
                    let known = sound.fairies.get(fairy);
                    assert!(
                        known == Some(limits) || case.column == "id",
                        "{named}: {fairy} may do {limits}"
                    );
                }
                assert_eq!(allowed.plugins_off, sound.plugins_off, "{named}");
                allowed
                    .unreadable
                    .iter()
                    .any(|(table, _)| *table == case.table)
            }
            Err(why) => {
                assert!(
                    why.contains(&case.table)
                        || why.contains("audit chain")
                        || why.contains("last used"),
                    "{named}: it does not start, and names no row: {why}"
                );
                true
            }
        };
        let body = case.column.ends_with("_json") && !READ_LATER.contains(&case.table.as_str());
        let no_json = ["'{\"v\":'", "''", "substr(CELL, 1, length(CELL) / 2)"];
        if body && no_json.contains(&case.mangle) {
            assert!(set_aside, "{named}: nobody says that it cannot be read");
        }
        if set_aside {
            let db = Connection::open(dir.path().join("glade.db")).unwrap();
            let left = cells(&db, &case);
            for cell in spoilt {
                assert!(left.contains(&cell), "{named}: it was written over");
            }
        }
    }
    assert!(tried > 0);
}
