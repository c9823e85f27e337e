//! A refusal says why, and how to go on.

use glade_doc::PageDoc;
use serde_json::{Value, json};

use crate::arena::Stage;
use crate::client::{Client, DENIED, INVALID, OK, write};

fn told(client: &mut Client) -> (String, String) {
    let notice = client.notices.pop().expect("a reason");
    let text = |name: &str| notice["refused"][name].as_str().unwrap().to_owned();
    assert!(!text("reason").is_empty(), "{notice}");
    (text("code"), text("recover"))
}

#[tokio::test(flavor = "multi_thread")]
async fn every_refusal_names_its_batch_its_reason_and_a_way_on() {
    let stage = Stage::set().await;
    let mut ann = stage.someone("ann", 1).await;
    assert_eq!(ann.edit("box", 1).await, OK);
    let mut eve = stage.someone("eve", 3).await;
    eve.sees("box", 1).await;

    let foreign = write(&eve.doc.fork(), 1, "evil", 1);
    assert_eq!(eve.update(foreign).await, DENIED);
    let room: Value = eve.notices[0]["refused"]["room"].clone();
    assert_eq!(room, json!(stage.page));
    assert_eq!(eve.notices[0]["refused"]["batch"], "0x0000000000000001");
    assert_eq!(told(&mut eve), ("foreign-peer".into(), "new-peer".into()));

    let fork = eve.doc.fork();
    write(&fork, 31, "evil", 1);
    assert_eq!(eve.update(write(&fork, 31, "evil", 2)).await, INVALID);
    assert_eq!(
        told(&mut eve),
        ("counter-mismatch".into(), "new-peer".into())
    );

    assert_eq!(eve.update(fork.snapshot().unwrap()).await, INVALID);
    assert_eq!(told(&mut eve), ("snapshot".into(), "discard".into()));

    let limits = json!({ "subject": "person:reader", "ops": ["read"] });
    let token = stage.token(limits).await;
    let mut reader = Client::connect(stage.address, &stage.page, 5).await;
    reader.join(&token).await.unwrap();
    assert_eq!(reader.edit("evil", 1).await, DENIED);
    assert_eq!(told(&mut reader), ("read-only".into(), "ask".into()));
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_follows_the_hint_goes_on() {
    let stage = Stage::set().await;
    let mut ann = stage.someone("ann", 1).await;
    assert_eq!(ann.edit("box", 1).await, OK);
    let mut eve = stage.someone("eve", 1).await;
    assert_eq!(eve.edit("own", 7).await, DENIED, "the id is Ann's");
    assert_eq!(told(&mut eve), ("foreign-peer".into(), "new-peer".into()));

    // The server's state, the same difference, a new id.
    let token = stage.token(json!({ "subject": "person:eve" })).await;
    eve.doc = PageDoc::new();
    eve.peer = 77;
    eve.join(&token).await.unwrap();
    eve.sees("box", 1).await;
    assert_eq!(eve.edit("own", 7).await, OK);
    ann.sees("own", 7).await;
}
