//! Whoever comes without a right, through real sockets of the real binary: nothing ends, nothing
//! fills up, and the owner gets in.

use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, SocketAddr};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use futures_util::{SinkExt as _, StreamExt as _};
use loro_protocol::{BatchId, CrdtType, ProtocolMessage, UpdateStatusCode, encode};
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpSocket, TcpStream};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{WebSocketStream, client_async};

use crate::client::{Client, Fate, OK};
use crate::server::{Server, glade, said};

/// What a server may grow by, in MB, whatever strangers do here.
const GROWTH: u64 = 60;

/// A connection from one of this machine's own addresses, 127.0.0.`last`.
async fn from(last: u8, server: SocketAddr) -> Option<TcpStream> {
    let socket = TcpSocket::new_v4().unwrap();
    let source = SocketAddr::from((Ipv4Addr::new(127, 0, 0, last), 0));
    socket.bind(source).unwrap();
    let connected = tokio::time::timeout(Duration::from_secs(5), socket.connect(server));
    connected.await.ok()?.ok()
}

async fn socket_from(last: u8, server: SocketAddr) -> WebSocketStream<TcpStream> {
    let stream = from(last, server).await.unwrap();
    let url = format!("ws://{server}/sync");
    client_async(url, stream).await.unwrap().0
}

/// Until the other side ends it.
async fn is_ended(socket: &mut WebSocketStream<TcpStream>) -> bool {
    let end = async { while let Some(Ok(_)) = socket.next().await {} };
    tokio::time::timeout(Duration::from_secs(10), end)
        .await
        .is_ok()
}

fn owner_gets_in(server: &Server) {
    let answer = server.ask("GET", "/api/workspaces/main", &server.token, &json!({}));
    assert_eq!(answer.0, 200);
}

fn first_page(server: &Server) -> String {
    let (_, workspace) = server.ask("GET", "/api/workspaces/main", &server.token, &json!({}));
    workspace["pages"][0]["id"].as_str().unwrap().to_owned()
}

fn token(server: &Server, limits: serde_json::Value) -> String {
    let path = "/api/tokens/attenuate";
    let (status, made) = server.ask("POST", path, &server.token, &limits);
    assert_eq!(status, 201, "{made}");
    made["token"].as_str().unwrap().to_owned()
}

/// One request over the owner's socket.
fn over_unix(data: &Path, token: &str, path: &str) -> String {
    let mut line = UnixStream::connect(data.join("glade.sock")).unwrap();
    let request = format!(
        "GET {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\nConnection: close\r\n\r\n"
    );
    line.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    line.read_to_string(&mut answer).unwrap();
    answer.lines().next().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn frames_that_claim_more_than_they_hold_end_one_connection_each() {
    let data = tempfile::tempdir().unwrap();
    let server = Server::start(data.path());
    let page = first_page(&server);
    let before = server.memory();
    let numbers: [&[u8]; 3] = [
        // 2^45, 2^63 and more than 64 bits.
        &[0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x08],
        &[0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01],
        &[0xff; 11],
    ];
    let read = token(&server, json!({"ops": ["read"], "subject": "person:eve"}));
    for number in numbers {
        for kind in 0..=9u8 {
            for joined in [false, true] {
                let mut eve = Client::connect(server.address, &page, 3).await;
                if joined {
                    eve.join(&read).await.unwrap();
                }
                let mut frame = b"%LOR".to_vec();
                frame.push(page.len() as u8);
                frame.extend(page.as_bytes());
                frame.push(kind);
                frame.extend(number);
                eve.raw(frame.clone()).await;
                frame.splice(4..5 + page.len(), number.iter().copied());
                eve.raw(frame).await;
                assert!(matches!(eve.hear_end().await, Some(4400 | 4002)));
            }
        }
    }
    owner_gets_in(&server);
    let grown = server.memory().saturating_sub(before);
    assert!(grown < GROWTH, "{grown} MB");
    server.kill();
}

#[tokio::test(flavor = "multi_thread")]
async fn fragments_that_are_never_finished_fill_nothing() {
    let data = tempfile::tempdir().unwrap();
    let server = Server::start(data.path());
    let page = first_page(&server);
    let before = server.memory();
    let header = |n: u8| ProtocolMessage::DocUpdateFragmentHeader {
        crdt: CrdtType::Loro,
        room_id: page.clone(),
        batch_id: BatchId([n; 8]),
        fragment_count: 100,
        total_size_bytes: 15 << 20,
    };
    let fragment = |index: u64| ProtocolMessage::DocUpdateFragment {
        crdt: CrdtType::Loro,
        room_id: page.clone(),
        batch_id: BatchId([1; 8]),
        index,
        fragment: vec![7; 250_000],
    };
    // Without a token: cut off before a second frame of this size.
    for _ in 0..8 {
        let mut eve = Client::connect(server.address, &page, 3).await;
        eve.say(&header(1)).await;
        for index in 0..40 {
            eve.say(&fragment(index)).await;
        }
        eve.hear_end().await;
    }
    // Who may only look: refused, and not kept.
    let read = token(&server, json!({"ops": ["read"], "subject": "person:eve"}));
    let mut eve = Client::connect(server.address, &page, 4).await;
    eve.join(&read).await.unwrap();
    eve.say(&header(1)).await;
    eve.say(&fragment(0)).await;
    let denied = Fate::Answered(UpdateStatusCode::PermissionDenied);
    assert_eq!(eve.fate(BatchId([1; 8])).await, denied);
    // Who may write, on many connections: as much as one address may have half-sent.
    let write = token(&server, json!({"subject": "person:ann"}));
    let mut half_sent = Vec::new();
    for peer in 0..8 {
        let mut ann = Client::connect(server.address, &page, 10 + peer).await;
        ann.join(&write).await.unwrap();
        ann.say(&header(1)).await;
        for index in 0..60 {
            ann.say(&fragment(index)).await;
        }
        half_sent.push(ann);
    }
    let mut ben = Client::connect(server.address, &page, 30).await;
    ben.join(&server.token).await.unwrap();
    assert_eq!(ben.edit("ben", 1).await, OK);
    let grown = server.memory().saturating_sub(before);
    assert!(grown < GROWTH + 32, "{grown} MB");
    server.kill();
}

#[tokio::test(flavor = "multi_thread")]
async fn strangers_beyond_the_limits_make_room_for_whoever_has_a_token() {
    let data = tempfile::tempdir().unwrap();
    let limits = [
        "--max-connections",
        "60",
        "--max-connections-per-address",
        "10",
    ];
    let server = Server::with(data.path(), &limits, Stdio::null());
    let page = first_page(&server);
    let guest = token(&server, json!({"subject": "person:ann"}));
    let mut ann = Client::connect(server.address, &page, 1).await;
    ann.join(&guest).await.unwrap();
    let mut strangers = Vec::new();
    for round in 0..200u8 {
        strangers.push(from(2 + round % 8, server.address).await.unwrap());
    }
    owner_gets_in(&server);
    assert_eq!(ann.edit("ann", 1).await, OK, "who was there stays");
    let mut ben = Client::connect(server.address, &page, 2).await;
    ben.join(&server.token).await.unwrap();
    ben.sees("ann", 1).await;
    let mut left = 0;
    for stranger in &mut strangers {
        let mut byte = [0];
        let read = tokio::time::timeout(Duration::from_millis(5), stranger.read(&mut byte));
        left += usize::from(read.await.is_err());
    }
    assert!(left <= 60, "{left} strangers are left");

    assert!(over_unix(data.path(), &server.token, "/api/session").contains(" 200 "));
    let revoked = glade(&["token", "revoke", &guest, "--data"], &[data.path()]);
    assert!(said(&revoked).contains("the running server has closed its sessions"));
    assert_eq!(ann.hear_end().await, Some(4001));
    server.kill();
}

#[tokio::test(flavor = "multi_thread")]
async fn where_few_files_may_be_open_the_owner_and_the_store_keep_theirs() {
    let data = tempfile::tempdir().unwrap();
    let server = Server::with_open_files(data.path(), 260);
    let page = first_page(&server);
    let guest = token(&server, json!({"subject": "person:ann"}));
    let mut strangers = Vec::new();
    for round in 0..400u16 {
        let from = from(2 + (round % 100) as u8, server.address).await;
        strangers.extend(from);
    }
    owner_gets_in(&server);
    let mut ann = Client::connect(server.address, &page, 1).await;
    ann.join(&guest).await.unwrap();
    assert_eq!(ann.edit("ann", 1).await, OK);
    assert!(over_unix(data.path(), &server.token, "/readyz").contains(" 200 "));
    let revoked = glade(&["token", "revoke", &guest, "--data"], &[data.path()]);
    assert!(said(&revoked).contains("has closed its sessions"));
    assert_eq!(ann.hear_end().await, Some(4001));
    server.kill();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_socket_on_which_strangers_send_much_is_ended() {
    let data = tempfile::tempdir().unwrap();
    let server = Server::start(data.path());
    let before = server.memory();
    let mut eves = Vec::new();
    for last in 1..=100 {
        let mut eve = socket_from(last, server.address).await;
        // One message of 250 KB, of which the last byte never comes.
        let mut head = vec![0x82, 0x80 | 127];
        head.extend(250_001u64.to_be_bytes());
        head.extend([0; 4]);
        let stream = eve.get_mut();
        let _cut = stream.write_all(&head).await;
        let _cut = stream.write_all(&vec![0; 250_000]).await;
        eves.push(eve);
    }
    assert!(is_ended(&mut eves[0]).await);
    owner_gets_in(&server);
    let grown = server.memory().saturating_sub(before);
    assert!(grown < 30, "{grown} MB");
    server.kill();
}

#[tokio::test(flavor = "multi_thread")]
async fn strangers_that_flood_a_socket_are_closed_soon() {
    let data = tempfile::tempdir().unwrap();
    let server = Server::start(data.path());
    let page = first_page(&server);
    for message in [
        ProtocolMessage::JoinRequest {
            crdt: CrdtType::Loro,
            room_id: page.clone(),
            auth: b"nonsense".to_vec(),
            version: Vec::new(),
        },
        ProtocolMessage::DocUpdate {
            crdt: CrdtType::Loro,
            room_id: page.clone(),
            updates: vec![vec![1; 100]],
            batch_id: BatchId([1; 8]),
        },
    ] {
        let frame = encode(&message).unwrap();
        let mut eve = socket_from(2, server.address).await;
        for _ in 0..100 {
            let _closed = eve.send(Message::Binary(frame.clone().into())).await;
        }
        assert!(is_ended(&mut eve).await);
    }
    owner_gets_in(&server);
    server.kill();
}

#[tokio::test(flavor = "multi_thread")]
async fn the_clients_of_a_trusted_proxy_are_counted_one_by_one() {
    let data = tempfile::tempdir().unwrap();
    let flags = [
        "--trusted-proxy",
        "127.0.0.1,::1",
        "--max-connections-per-address",
        "3",
    ];
    let server = Server::with(data.path(), &flags, Stdio::null());
    let events = async |source: u8, client: &str| {
        let mut line = from(source, server.address).await.unwrap();
        let request = format!(
            "GET /api/workspaces/main/events HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\n\
             X-Forwarded-For: {client}\r\n\r\n",
            server.address, server.token
        );
        line.write_all(request.as_bytes()).await.unwrap();
        let mut status = [0; 12];
        line.read_exact(&mut status).await.unwrap();
        (line, String::from_utf8_lossy(&status[9..]).into_owned())
    };
    let mut held = Vec::new();
    let mut statuses = Vec::new();
    for client in ["9.9.9.9", "9.9.9.9", "9.9.9.9", "9.9.9.9", "8.8.8.8"] {
        let (line, status) = events(1, client).await;
        held.push(line);
        statuses.push(status);
    }
    assert_eq!(statuses, ["200", "200", "200", "429", "200"]);
    // Of anybody else the header is worth nothing: these are all from one address.
    for _ in 0..3 {
        let (line, status) = events(7, "9.9.9.9").await;
        held.push(line);
        assert_eq!(status, "200");
    }
    server.kill();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_revocation_without_a_server_is_heeded_at_its_next_start() {
    let data = tempfile::tempdir().unwrap();
    let server = Server::start(data.path());
    let page = first_page(&server);
    let guest = token(&server, json!({"subject": "person:ann"}));
    server.kill();
    assert!(data.path().join("glade.sock").exists(), "left behind");
    let revoked = glade(&["token", "revoke", &guest, "--data"], &[data.path()]);
    assert!(said(&revoked).contains("from its next start"));
    let server = Server::start(data.path());
    let mut ann = Client::connect(server.address, &page, 1).await;
    assert!(ann.join(&guest).await.is_err());
    let answer = over_unix(data.path(), &server.token, "/api/session");
    assert!(answer.contains(" 200 "), "the socket was replaced");
    server.kill();
}
