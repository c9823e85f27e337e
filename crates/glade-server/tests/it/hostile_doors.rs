//! Clients that break the rules of the wire: frames, fragments, joins, headers, not reading.

use loro_protocol::{BatchId, CrdtType, MAX_MESSAGE_SIZE, ProtocolMessage, UpdateStatusCode};
use serde_json::json;
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::Error;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;

use crate::arena::Stage;
use crate::client::{Client, Fate, Heard, OK};

#[tokio::test(flavor = "multi_thread")]
async fn frames_that_are_none_end_the_connection_alone() {
    let stage = Stage::set().await;
    let mut ann = stage.someone("ann", 1).await;
    let mut ben = stage.someone("ben", 2).await;

    let mut eve = stage.someone("eve", 3).await;
    eve.raw(vec![0xff; 40]).await;
    assert_eq!(eve.hear_end().await, Some(4400), "not of the protocol");

    let mut eve = stage.someone("eve", 4).await;
    eve.raw(vec![0; MAX_MESSAGE_SIZE + 1]).await;
    eve.hear_end().await;

    let mut eve = stage.someone("eve", 5).await;
    let for_servers = ProtocolMessage::JoinError {
        crdt: CrdtType::Loro,
        room_id: stage.page.clone(),
        code: loro_protocol::JoinErrorCode::AuthFailed,
        message: "you".to_owned(),
        receiver_version: None,
        app_code: None,
    };
    eve.say(&for_servers).await;
    assert_eq!(eve.hear_end().await, Some(4400));
    stage.goes_on(&mut ann, &mut ben).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn fragments_without_an_end_take_no_memory() {
    let stage = Stage::set().await;
    let mut ann = stage.someone("ann", 1).await;
    let mut ben = stage.someone("ben", 2).await;
    let mut eve = stage.someone("eve", 3).await;
    let header = |n: u8, total_size_bytes| ProtocolMessage::DocUpdateFragmentHeader {
        crdt: CrdtType::Loro,
        room_id: stage.page.clone(),
        batch_id: BatchId([n; 8]),
        fragment_count: 2,
        total_size_bytes,
    };
    eve.say(&header(1, 1 << 40)).await;
    assert_eq!(
        eve.fate(BatchId([1; 8])).await,
        Fate::Answered(UpdateStatusCode::PayloadTooLarge)
    );
    for n in 2..=5 {
        eve.say(&header(n, 4000)).await;
    }
    eve.say(&header(6, 4000)).await;
    assert_eq!(
        eve.fate(BatchId([6; 8])).await,
        Fate::Answered(UpdateStatusCode::RateLimited)
    );
    assert_eq!(
        eve.fate(BatchId([2; 8])).await,
        Fate::Answered(UpdateStatusCode::FragmentTimeout)
    );
    assert_eq!(eve.edit("eve", 1).await, OK);
    stage.goes_on(&mut ann, &mut ben).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_foreign_page_or_name_gets_no_socket() {
    let stage = Stage::set().await;
    let mut ann = stage.someone("ann", 1).await;
    let mut ben = stage.someone("ben", 2).await;
    for (header, value) in [("origin", "http://evil.example"), ("host", "evil.example")] {
        let url = format!("ws://{}/sync", stage.address);
        let mut request = url.into_client_request().unwrap();
        request.headers_mut().insert(header, value.parse().unwrap());
        match connect_async(request).await {
            Err(Error::Http(answer)) => assert!(answer.status().is_client_error(), "{header}"),
            other => panic!("{header}: {other:?}"),
        }
    }
    stage.goes_on(&mut ann, &mut ben).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_thousand_joins_are_only_joins() {
    let stage = Stage::set().await;
    let mut ann = stage.someone("ann", 1).await;
    let mut ben = stage.someone("ben", 2).await;
    let joins = if std::env::var_os("GLADE_SOAK").is_some() {
        10_000
    } else {
        1_000
    };
    for n in 0..joins / 50 {
        let token = stage
            .token(json!({ "subject": format!("person:eve{n}") }))
            .await;
        let mut eve = Client::connect(stage.address, &stage.page, 100 + n).await;
        for _ in 0..50 {
            eve.join(&token).await.unwrap();
        }
        assert_eq!(eve.edit("eve", n as i32).await, OK);
    }
    stage.goes_on(&mut ann, &mut ben).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_asks_for_pages_that_are_not_theirs_is_shown_the_door() {
    let stage = Stage::set().await;
    let mut ann = stage.someone("ann", 1).await;
    let mut ben = stage.someone("ben", 2).await;
    let mut eve = Client::connect(stage.address, "pg_none", 3).await;
    let mut refused = 0;
    let end = loop {
        eve.ask_to_join(CrdtType::Loro, &stage.owner).await;
        match eve.hear().await {
            Heard::Message(ProtocolMessage::JoinError { .. }) => refused += 1,
            Heard::Closed(code) => break code,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(end, Some(4002));
    assert!((499..=500).contains(&refused), "{refused}");
    stage.goes_on(&mut ann, &mut ben).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reader_that_does_not_read_is_let_go() {
    let stage = Stage::set().await;
    let mut ann = stage.someone("ann", 1).await;
    let mut ben = stage.someone("ben", 2).await;
    // A page of some size, so that every join asks for much.
    for n in 0..4 {
        let blob = large(&ann, &format!("large{n}"));
        assert_eq!(ann.update(blob).await, OK);
    }
    ben.sees("large3", 1).await;
    let mut eve = stage.someone("eve", 3).await;
    let token = stage.token(json!({ "subject": "person:eve" })).await;
    eve.doc = glade_doc::PageDoc::new();
    // Nothing is read in between: 600 KB each time.
    for _ in 0..300 {
        eve.ask_to_join(CrdtType::Loro, &token).await;
    }
    stage.goes_on(&mut ann, &mut ben).await;
    assert_eq!(eve.hear_end().await, None, "cut without a word");
    stage.goes_on(&mut ann, &mut ben).await;
}

fn large(client: &Client, id: &str) -> Vec<u8> {
    let noise: String = (0..150_000)
        .map(|_| char::from(rand::random_range(b'a'..=b'z')))
        .collect();
    let edit = glade_doc::Edit::Put {
        id: id.into(),
        props: json!({ "x": 1, "customData": noise })
            .as_object()
            .unwrap()
            .clone(),
    };
    let commit = client.doc.commit(client.peer, None, &[edit]).unwrap();
    commit.unwrap().update
}
