//! What is logged can be read by a machine, and holds no secret.

use std::fs::File;

use serde_json::{Value, json};

use crate::client::Client;
use crate::crash::page;
use crate::server::Server;

#[tokio::test(flavor = "multi_thread")]
async fn no_token_key_or_link_is_ever_logged_even_at_debug_level() {
    let data = tempfile::tempdir().unwrap();
    Server::start(data.path()).kill();
    let page = page(data.path());
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("log");
    let flags = [
        "--log",
        "debug",
        "--log-format",
        "json",
        "--sketch-pace",
        "0",
    ];
    let server = Server::with(data.path(), &flags, File::create(&path).unwrap().into());
    let owner = server.token.clone();
    let (status, _) = server.ask("POST", "/api/session", &owner, &json!({"key": owner}));
    assert_eq!(status, 200);
    let (_, narrow) = server.ask(
        "POST",
        "/api/tokens/attenuate",
        &owner,
        &json!({"ops": ["read"], "subject": "person:ann"}),
    );
    let narrow = narrow["token"].as_str().unwrap().to_owned();
    let mut guest = Client::connect(server.address, &page, 3).await;
    guest.join(&narrow).await.unwrap();
    guest.edit("e", 1).await;
    // A token that is cut off is a secret all the same: the rest can be guessed at.
    let cut = &narrow[..narrow.len() - 9];
    let mut wrong = Client::connect(server.address, &page, 4).await;
    assert!(wrong.join(cut).await.is_err());
    assert_eq!(
        server.ask("GET", "/api/workspaces/main", cut, &json!({})).0,
        401
    );
    let settings = json!({"providers": {"openai": {"key": "sk-not-to-be-seen"}}});
    server.ask("PUT", "/api/models", &owner, &settings);
    let (_, workspace) = server.ask("GET", "/api/workspaces/main", &owner, &json!({}));
    let fairy = workspace["fairies"][0]["id"].as_str().unwrap().to_owned();
    let message = json!({"input": {"message": "A -> B", "page": page}});
    server.ask(
        "POST",
        &format!("/api/fairies/{fairy}/interrupt"),
        &owner,
        &message,
    );
    let (status, _) = server.ask(
        "POST",
        "/api/tokens/revoke",
        &owner,
        &json!({"token": narrow}),
    );
    assert_eq!(status, 204);
    let mut again = Client::connect(server.address, &page, 5).await;
    assert!(again.join(&narrow).await.is_err());
    assert_eq!(
        tokio::task::block_in_place(|| server.terminate()).0,
        Some(0)
    );

    let log = std::fs::read_to_string(&path).unwrap();
    let lines: Vec<Value> = log
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("not JSON: {line}")))
        .collect();
    // How much more there is depends on how far the fairy came.
    for said in ["update refused", "the server stops"] {
        assert!(lines.iter().any(|line| line["message"] == said), "{log}");
    }
    assert!(
        lines
            .iter()
            .all(|line| line["timestamp"].is_string() && line["level"].is_string())
    );
    let key = |name: &str| {
        let text = std::fs::read_to_string(data.path().join(name)).unwrap();
        text.trim()
            .rsplit(|c: char| !c.is_ascii_hexdigit())
            .next()
            .unwrap()
            .to_owned()
    };
    for (what, secret) in [
        ("the owner's token", owner.as_str()),
        ("a narrower token", &narrow),
        ("the end of a token", &narrow[narrow.len() - 60..]),
        ("a token that is cut off", cut),
        ("the root key", &key("owner.key")),
        ("the audit key", &key("audit.key")),
        ("the link", "#key="),
        ("a model's key", "sk-not-to-be-seen"),
    ] {
        assert!(secret.len() >= 5, "{what}");
        assert!(!log.contains(secret), "{what} was logged");
    }
}
