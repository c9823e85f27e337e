//! A browser's session: random, listed, ended, and never a token.

use std::time::{Duration, Instant};

use futures_util::StreamExt;
use reqwest::{Method, Response};
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::{Error, Message};

use crate::stage::Stage;

/// A browser: it keeps the cookie that it is given.
struct Browser<'a> {
    stage: &'a Stage,
    cookie: String,
}

impl<'a> Browser<'a> {
    fn new(stage: &'a Stage) -> Self {
        Self {
            stage,
            cookie: String::new(),
        }
    }

    async fn call(&self, method: Method, path: &str, body: Option<Value>) -> Response {
        let mut request = self.stage.http.request(method, self.stage.url(path));
        if !self.cookie.is_empty() {
            request = request.header("cookie", &self.cookie);
        }
        if let Some(body) = body {
            request = request.json(&body);
        }
        let request = request.header("user-agent", "Test/1.0 (a browser)");
        request.send().await.unwrap()
    }

    async fn get(&self, path: &str) -> (u16, Value) {
        let answer = self.call(Method::GET, path, None).await;
        let status = answer.status().as_u16();
        (status, answer.json().await.unwrap_or_default())
    }

    async fn delete(&self, path: &str) -> u16 {
        let answer = self.call(Method::DELETE, path, None).await;
        answer.status().as_u16()
    }

    /// Opens a link, keeping the cookie that comes back.
    async fn open(&mut self, body: Value) -> (u16, Value) {
        let answer = self.call(Method::POST, "/api/session", Some(body)).await;
        let status = answer.status().as_u16();
        if let Some(set) = answer.headers().get("set-cookie") {
            let set = set.to_str().unwrap();
            self.cookie = set.split(';').next().unwrap().to_owned();
        }
        (status, answer.json().await.unwrap_or_default())
    }

    async fn signed_in(stage: &'a Stage, token: &str) -> Self {
        let mut browser = Self::new(stage);
        assert_eq!(browser.open(json!({"key": token})).await.0, 200);
        browser
    }

    fn secret(&self) -> &str {
        self.cookie.split_once('=').unwrap().1
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cookie_holds_a_random_session_and_neither_stands_in_for_a_token() {
    let stage = Stage::open().await;
    let first = Browser::signed_in(&stage, &stage.owner).await;
    let second = Browser::signed_in(&stage, &stage.owner).await;
    assert_ne!(first.secret(), second.secret());
    assert!(!stage.owner.contains(first.secret()));
    // 256 bits, in base64url.
    assert_eq!(first.secret().len(), 43);
    assert_eq!(first.get("/api/session").await.0, 200);

    // A token in the cookie, as it was before, opens nothing; nor does a secret as a bearer.
    let name = first.cookie.split_once('=').unwrap().0;
    let old = Browser {
        stage: &stage,
        cookie: format!("{name}={}", stage.owner),
    };
    assert_eq!(old.get("/api/session").await.0, 401);
    let bearer = stage.get(first.secret(), "/api/session").await;
    assert_eq!(bearer.status(), 401);

    // The database holds neither.
    let folder = std::fs::read_dir(stage.data()).unwrap();
    for file in folder.map(|entry| entry.unwrap().path()) {
        let bytes = std::fs::read(&file).unwrap_or_default();
        let holds = |what: &str| {
            let mut parts = bytes.windows(what.len());
            parts.any(|part| part == what.as_bytes())
        };
        assert!(!holds(first.secret()), "{}", file.display());
        assert!(!holds(&stage.owner), "{}", file.display());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_replaces_somebody_elses_session_only_when_told_to() {
    let stage = Stage::open().await;
    let eve = stage
        .attenuate(&stage.owner, json!({"subject": "person:eve"}))
        .await;
    let mut browser = Browser::signed_in(&stage, &stage.owner).await;
    let before = browser.cookie.clone();

    let (status, asked) = browser.open(json!({"key": eve})).await;
    assert_eq!(status, 409);
    assert_eq!(
        (&asked["current"]["name"], &asked["offered"]["name"]),
        (&json!("Owner"), &json!("Eve"))
    );
    assert_eq!(browser.cookie, before);
    let (_, session) = browser.get("/api/session").await;
    assert_eq!(session["subject"], "person:owner");

    // Another server of this host may have set a cookie of the same name, which comes first and means nothing.
    let name = before.split_once('=').unwrap().0;
    let mut planted = Browser {
        stage: &stage,
        cookie: format!("{name}=nonsense; {before}"),
    };
    assert_eq!(planted.open(json!({"key": eve})).await.0, 409);

    // The same link in a second tab goes on with the same session.
    assert_eq!(browser.open(json!({"key": stage.owner})).await.0, 200);
    assert_eq!(browser.cookie, before);

    let (status, session) = browser.open(json!({"key": eve, "replace": true})).await;
    assert_eq!((status, &session["subject"]), (200, &json!("person:eve")));
    let old = Browser {
        stage: &stage,
        cookie: before,
    };
    assert_eq!(old.get("/api/session").await.0, 401, "it has ended");

    // A session that no longer holds is nobody's: nothing is asked.
    let revoked = stage
        .post(&stage.owner, "/api/tokens/revoke", json!({"token": eve}))
        .await;
    assert_eq!(revoked.status(), 204);
    assert_eq!(browser.get("/api/session").await.0, 401);
    assert_eq!(browser.open(json!({"key": stage.owner})).await.0, 200);
}

/// Listens on the socket until it closes; the code.
async fn socket_of(browser: &Browser<'_>) -> impl Future<Output = Option<u16>> + use<> {
    let url = format!("ws://{}/sync", browser.stage.address);
    let mut request = url.into_client_request().unwrap();
    let cookie = browser.cookie.parse().unwrap();
    request.headers_mut().insert("cookie", cookie);
    let (mut socket, _) = tokio_tungstenite::connect_async(request).await.unwrap();
    async move {
        loop {
            match socket.next().await {
                Some(Ok(Message::Close(frame))) => return frame.map(|frame| frame.code.into()),
                Some(Ok(_)) => {}
                None | Some(Err(Error::ConnectionClosed | _)) => return None,
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn sessions_are_listed_and_ended_and_what_they_had_open_closes_within_a_second() {
    let stage = Stage::open().await;
    let anna = stage
        .attenuate(&stage.owner, json!({"subject": "person:anna"}))
        .await;
    let owner = Browser::signed_in(&stage, &stage.owner).await;
    let laptop = Browser::signed_in(&stage, &anna).await;
    let phone = Browser::signed_in(&stage, &anna).await;

    let (_, listed) = laptop.get("/api/sessions").await;
    let seen: Vec<(&Value, &Value, &Value)> = listed
        .as_array()
        .unwrap()
        .iter()
        .map(|it| (&it["subject"], &it["client"], &it["current"]))
        .collect();
    let (anna_is, client) = (json!("person:anna"), json!("Test/1.0 (a browser)"));
    assert_eq!(seen.len(), 2, "Anna sees her own: {listed}");
    assert!(seen.contains(&(&anna_is, &client, &json!(true))));
    assert!(seen.contains(&(&anna_is, &client, &json!(false))));
    let (_, all) = owner.get("/api/sessions").await;
    assert_eq!(all.as_array().unwrap().len(), 3);
    assert!(!all.to_string().contains(owner.secret()));
    let id_of_current = |list: &Value| {
        let list = list.as_array().unwrap();
        let current = list.iter().find(|it| it["current"] == true).unwrap();
        current["id"].as_str().unwrap().to_owned()
    };
    let owners = id_of_current(&all);
    let tried = laptop.delete(&format!("/api/sessions/{owners}")).await;
    assert_eq!(tried, 404, "nobody ends what is not theirs");

    let socket = socket_of(&phone).await;
    let events = phone.call(Method::GET, "/api/workspaces/main/events", None);
    let mut events = events.await.bytes_stream();
    assert!(events.next().await.is_some());
    let phones = id_of_current(&phone.get("/api/sessions").await.1);
    let started = Instant::now();
    assert_eq!(laptop.delete(&format!("/api/sessions/{phones}")).await, 204);
    let second = Duration::from_secs(1);
    let closed = tokio::time::timeout(second, socket).await.unwrap();
    assert_eq!(closed, Some(4001));
    let end = async { while let Some(Ok(_)) = events.next().await {} };
    tokio::time::timeout(second, end).await.unwrap();
    assert!(started.elapsed() < second);
    let (status, problem) = phone.get("/api/session").await;
    assert_eq!((status, &problem["code"]), (401, &json!("session_ended")));
    let (status, session) = laptop.get("/api/session").await;
    let laptops = id_of_current(&laptop.get("/api/sessions").await.1);
    assert_eq!((status, &session["session"]), (200, &json!(laptops)));

    // The owner ends all others, then signs out.
    assert_eq!(owner.delete("/api/sessions?others=true").await, 204);
    assert_eq!(laptop.get("/api/session").await.0, 401);
    assert_eq!(owner.get("/api/session").await.0, 200);
    let answer = owner.call(Method::DELETE, "/api/session", None).await;
    let cleared = answer.headers()["set-cookie"].to_str().unwrap();
    assert!(cleared.contains("Max-Age=0"), "{cleared}");
    assert_eq!(answer.status(), 204);
    assert_eq!(owner.get("/api/session").await.0, 401);
    // The link itself goes on working.
    assert_eq!(stage.get(&stage.owner, "/api/session").await.status(), 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_survives_a_restart_with_its_tokens_rights_and_no_others() {
    let stage = Stage::open().await;
    let reader = json!({"subject": "person:rita", "ops": ["read"]});
    let reader = stage.attenuate(&stage.owner, reader).await;
    let rita = Browser::signed_in(&stage, &reader).await;
    let gone = Browser::signed_in(&stage, &reader).await;
    assert_eq!(gone.delete("/api/session").await, 204);
    let id = rita.get("/api/sessions").await.1[0]["id"].clone();
    let cookies = (rita.cookie.clone(), gone.cookie.clone());

    let stage = Stage::in_folder(stage.close().await).await;
    let rita = Browser {
        stage: &stage,
        cookie: cookies.0,
    };
    let gone = Browser {
        stage: &stage,
        cookie: cookies.1,
    };
    assert_eq!(gone.get("/api/session").await.0, 401);
    let (_, session) = rita.get("/api/session").await;
    assert_eq!(
        session,
        json!({"subject": "person:rita", "name": "Rita", "permission": "read", "ops": ["read"], "project": [], "limits": [], "session": id})
    );
    // A link made in a session is no wider than the session.
    let wish = json!({"label": "for Sam", "ops": ["read", "edit"]});
    let made = rita
        .call(Method::POST, "/api/tokens/attenuate", Some(wish))
        .await;
    assert_eq!(made.status(), 201);
    let made: Value = made.json().await.unwrap();
    let token = made["token"].as_str().unwrap();
    let session = stage.get(token, "/api/session").await;
    let session: Value = session.json().await.unwrap();
    assert_eq!(session["ops"], json!(["read"]));
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_is_refused_is_told_why_in_a_word_that_stays_the_same() {
    let stage = Stage::open().await;
    let brief = json!({"subject": "person:anna", "expiresIn": 2});
    let brief = stage.attenuate(&stage.owner, brief).await;
    tokio::time::sleep(Duration::from_millis(3_100)).await;
    for (key, code) in [(brief.as_str(), "expired"), ("nonsense", "unknown")] {
        let (status, problem) = Browser::new(&stage).open(json!({ "key": key })).await;
        assert_eq!((status, &problem["code"]), (401, &json!(code)));
        let problem: Value = stage.get(key, "/api/session").await.json().await.unwrap();
        assert_eq!(problem["code"], code);
    }
    let (status, problem) = Browser::new(&stage).get("/api/session").await;
    assert_eq!((status, &problem["code"]), (401, &json!("unknown")));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_says_its_own_id_and_the_region_of_its_link() {
    let stage = Stage::open().await;
    let region = json!({"x": 0, "y": -5, "w": 100, "h": 50});
    let link = json!({"subject": "person:anna", "region": region});
    let link = stage.attenuate(&stage.owner, link).await;
    let mut browser = Browser::new(&stage);
    let (_, opened) = browser.open(json!({ "key": link })).await;
    assert_eq!(opened["region"], region);
    let (_, listed) = browser.get("/api/sessions").await;
    assert_eq!(opened["session"], listed[0]["id"]);
    let (_, shown) = browser.get("/api/session").await;
    assert_eq!(shown, opened);
    let (_, owners) = Browser::signed_in(&stage, &stage.owner)
        .await
        .get("/api/session")
        .await;
    assert_eq!(owners.get("region"), None);
}
