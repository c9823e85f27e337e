//! Clients that break the rules of the document: each refused, nobody harmed.

use glade_doc::RunTag;
use loro::awareness::EphemeralStore;
use loro::{LoroMap, LoroValue};
use loro_protocol::{
    BatchId, CrdtType, JoinErrorCode, Permission, ProtocolMessage, UpdateStatusCode,
};
use serde_json::{Value, json};

use crate::arena::Stage;
use crate::client::{Client, DENIED, Fate, Heard, INVALID, OK, write};

#[tokio::test(flavor = "multi_thread")]
async fn forged_updates_are_refused_and_the_room_goes_on() {
    let stage = Stage::set().await;
    let mut ann = stage.someone("ann", 1).await;
    let mut ben = stage.someone("ben", 2).await;
    stage.goes_on(&mut ann, &mut ben).await;
    let mut eve = stage.someone("eve", 3).await;
    eve.hear().await;

    let foreign = write(&eve.doc.fork(), 1, "evil", 1);
    assert_eq!(eve.update(foreign).await, DENIED, "Ann's peer id");

    let fork = eve.doc.fork();
    write(&fork, 31, "evil", 1);
    let second = write(&fork, 31, "evil", 2);
    assert_eq!(eve.update(second).await, INVALID, "a counter gap");

    let snapshot = fork.snapshot().unwrap();
    assert_eq!(eve.update(snapshot).await, INVALID, "a snapshot");

    let tagged = eve.doc.fork();
    let tag = RunTag {
        run: "run_another".into(),
        step: 1,
        action: 1,
    };
    let edit = glade_doc::Edit::Put {
        id: "evil".into(),
        props: json!({ "x": 1 }).as_object().unwrap().clone(),
    };
    let claimed = tagged.commit(32, Some(&tag), &[edit]).unwrap().unwrap();
    assert_eq!(eve.update(claimed.update).await, DENIED, "a run's name");

    let plain = eve.doc.fork();
    let before = plain.version();
    plain.loro().set_peer_id(33).unwrap();
    let elements = plain.loro().get_map("elements");
    elements.insert_container("evil", LoroMap::new()).unwrap();
    plain.loro().commit();
    let blob = plain.updates_since(&before).unwrap();
    assert_eq!(eve.update(blob).await, INVALID, "a plain container");

    let removed = eve.doc.fork();
    removed.loro().set_peer_id(34).unwrap();
    removed.loro().get_map("elements").delete("ann").unwrap();
    removed.loro().commit();
    let blob = removed.updates_since(&before).unwrap();
    assert_eq!(eve.update(blob).await, INVALID, "a removed key");

    stage.goes_on(&mut ann, &mut ben).await;
    assert_eq!(
        eve.edit("eve", 5).await,
        OK,
        "a rule broken is not an exile"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_does_what_it_says_and_no_more() {
    let stage = Stage::set().await;
    let mut ann = stage.someone("ann", 1).await;
    let mut ben = stage.someone("ben", 2).await;

    let reader = stage
        .token(json!({ "ops": ["read"], "subject": "person:eve" }))
        .await;
    let mut eve = Client::connect(stage.address, &stage.page, 3).await;
    assert_eq!(eve.join(&reader).await, Ok(Permission::Read));
    assert_eq!(eve.edit("evil", 1).await, DENIED, "read-only");

    let elsewhere = stage.token(json!({ "pages": ["pg_elsewhere"] })).await;
    let mut eve = Client::connect(stage.address, &stage.page, 4).await;
    assert_eq!(eve.join(&elsewhere).await, Err(JoinErrorCode::AuthFailed));
    assert_eq!(eve.edit("evil", 1).await, DENIED, "not joined");

    let cut = &stage.owner[..stage.owner.len() / 2];
    assert_eq!(eve.join(cut).await, Err(JoinErrorCode::AuthFailed));
    assert_eq!(eve.join("").await, Err(JoinErrorCode::AuthFailed));

    let brief = stage
        .token(json!({ "expiresIn": 2, "subject": "person:eve" }))
        .await;
    assert_eq!(eve.join(&brief).await, Ok(Permission::Write));
    assert_eq!(
        eve.hear_end().await,
        Some(4001),
        "expired while it was open"
    );
    let mut eve = Client::connect(stage.address, &stage.page, 5).await;
    assert_eq!(eve.join(&brief).await, Err(JoinErrorCode::AuthFailed));
    stage.goes_on(&mut ann, &mut ben).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_speaks_for_another_in_the_presence() {
    let stage = Stage::set().await;
    let mut ann = stage.someone("ann", 1).await;
    let mut ben = stage.someone("ben", 2).await;
    let mut eve = stage.someone("eve", 3).await;
    let token = stage.token(json!({ "subject": "person:ann" })).await;
    ann.ask_to_join(CrdtType::LoroEphemeralStore, &token).await;
    let token = stage.token(json!({ "subject": "person:eve" })).await;
    eve.ask_to_join(CrdtType::LoroEphemeralStore, &token).await;

    let says = |icon: &str| shows("1", &json!({ "icon": icon }));
    let own = ann.send(CrdtType::LoroEphemeralStore, says("ann")).await;
    assert_eq!(ann.fate(own).await, OK);
    let foreign = eve.send(CrdtType::LoroEphemeralStore, says("eve")).await;
    assert_eq!(eve.fate(foreign).await, DENIED);
    stage.goes_on(&mut ann, &mut ben).await;
}

fn shows(key: &str, value: &Value) -> Vec<u8> {
    let store = EphemeralStore::new(30_000);
    store.set(key, LoroValue::from(value.clone()));
    store.encode_all()
}

/// By a link that may only look: it is the least that somebody can be given.
#[tokio::test(flavor = "multi_thread")]
async fn odd_presence_from_a_link_that_only_looks_reaches_nobody() {
    let stage = Stage::set().await;
    let mut ann = stage.someone("ann", 1).await;
    let mut ben = stage.someone("ben", 2).await;
    let token = stage.token(json!({ "subject": "person:ann" })).await;
    ann.ask_to_join(CrdtType::LoroEphemeralStore, &token).await;
    let look = json!({ "ops": ["read"], "subject": "person:eve" });
    let token = stage.token(look).await;
    let mut eve = Client::connect(stage.address, &stage.page, 3).await;
    eve.join(&token).await.unwrap();
    eve.ask_to_join(CrdtType::LoroEphemeralStore, &token).await;
    let long = "x".repeat(5_000);
    let many = vec!["a"; 1_500];
    for odd in [
        json!(null),
        json!("here"),
        json!([]),
        json!({ "name": null }),
        json!({ "name": { "toString": 1 } }),
        json!({ "name": long }),
        json!({ "cursor": "here" }),
        json!({ "cursor": { "x": 1e300, "y": 0 } }),
        json!({ "selection": 7 }),
        json!({ "selection": many }),
        json!({ "caret": { "head": {} } }),
        json!({ "viewport": [] }),
        json!({ "__proto__": {} }),
    ] {
        let batch = eve
            .send(CrdtType::LoroEphemeralStore, shows("3", &odd))
            .await;
        assert_eq!(eve.fate(batch).await, INVALID, "{odd}");
    }
    // Whoever she says that she is, she is seen as who she is.
    let lie = shows("3", &json!({ "name": "Owner", "color": "#d9480f" }));
    let batch = eve.send(CrdtType::LoroEphemeralStore, lie).await;
    assert_eq!(eve.fate(batch).await, OK);
    let seen = EphemeralStore::new(i64::MAX / 4);
    while seen.get("3").is_none() {
        if let Heard::Message(ProtocolMessage::DocUpdate {
            crdt: CrdtType::LoroEphemeralStore,
            updates,
            ..
        }) = ann.hear().await
        {
            updates.iter().for_each(|bytes| seen.apply(bytes).unwrap());
        }
    }
    let shown = json!({
        "subject": "person:eve", "name": "Eve", "kind": "person", "color": "#d9480f",
    });
    assert_eq!(json!(seen.get("3").unwrap()), shown);
    stage.goes_on(&mut ann, &mut ben).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_flood_of_refusals_closes_the_line_and_then_shuts_the_link_out() {
    let stage = Stage::set().await;
    let mut ann = stage.someone("ann", 1).await;
    let mut ben = stage.someone("ben", 2).await;
    let token = stage.token(json!({ "subject": "person:eve" })).await;
    for round in 0..2 {
        let mut eve = Client::connect(stage.address, &stage.page, 3 + round).await;
        eve.join(&token).await.unwrap();
        let mut refused = 0;
        let end = loop {
            match eve.update(b"nonsense".to_vec()).await {
                Fate::Answered(_) => refused += 1,
                Fate::Closed(code) => break code,
            }
        };
        assert_eq!(end, Some(4002));
        assert!((498..=500).contains(&refused), "{refused}");
        stage.goes_on(&mut ann, &mut ben).await;
    }
    let mut eve = Client::connect(stage.address, &stage.page, 9).await;
    eve.ask_to_join(CrdtType::Loro, &token).await;
    assert_eq!(eve.hear().await, crate::client::Heard::Closed(Some(4002)));
    stage.goes_on(&mut ann, &mut ben).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_joins_with_so_many_tokens_and_no_more() {
    let stage = Stage::set().await;
    let mut eve = Client::connect(stage.address, &stage.page, 3).await;
    let token = async |n: usize| {
        let named = json!({"ops": ["read"], "subject": format!("person:eve/{n}")});
        stage.token(named).await
    };
    let mut last = String::new();
    for n in 0..64 {
        last = token(n).await;
        assert_eq!(eve.join(&last).await, Ok(Permission::Read), "{n}");
    }
    assert_eq!(
        eve.join(&token(64).await).await,
        Err(JoinErrorCode::Unknown)
    );
    assert_eq!(eve.join(&last).await, Ok(Permission::Read), "a known one");
}

#[tokio::test(flavor = "multi_thread")]
async fn who_says_without_end_that_nothing_could_be_taken_is_closed() {
    let stage = Stage::set().await;
    let reader = json!({"ops": ["read"], "subject": "person:eve"});
    let reader = stage.token(reader).await;
    let mut eve = Client::connect(stage.address, &stage.page, 3).await;
    assert_eq!(eve.join(&reader).await, Ok(Permission::Read));
    let not_taken = ProtocolMessage::Ack {
        crdt: CrdtType::Loro,
        room_id: stage.page.clone(),
        ref_id: BatchId([7; 8]),
        status: UpdateStatusCode::InvalidUpdate,
    };
    for _ in 0..500 {
        eve.say(&not_taken).await;
    }
    assert_eq!(eve.hear_end().await, Some(4002));
}
