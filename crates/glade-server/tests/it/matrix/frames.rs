//! Every kind of frame of `/sync`, with every kind of token.

use glade_doc::Edit;
use loro::LoroValue;
use loro::awareness::EphemeralStore;
use loro_protocol::{BatchId, CrdtType, ProtocolMessage};
use serde_json::json;

use super::kinds::Kind;
use super::world::World;
use crate::client::{Client, DENIED, Fate, Heard, OK};

/// A place in the region of those who are limited to one.
const INSIDE: i64 = 90_100;

/// Whether the server let somebody into a room.
async fn joins(world: &World, kind: &Kind, page: &str, crdt: CrdtType, peer: u64) -> bool {
    let mut client = connect(world, page, peer).await;
    client
        .ask_to_join(crdt, kind.token.as_deref().unwrap_or_default())
        .await;
    loop {
        match client.hear().await {
            Heard::Message(ProtocolMessage::JoinResponseOk { .. }) => return true,
            Heard::Message(ProtocolMessage::JoinError { .. }) | Heard::Closed(_) => return false,
            Heard::Message(_) => {}
        }
    }
}

async fn connect(world: &World, page: &str, peer: u64) -> Client {
    Client::connect(world.stage.address.parse().unwrap(), page, peer).await
}

/// A box at a place, as an update.
fn drawing(client: &Client, at: i64) -> Vec<u8> {
    let peer = client.peer;
    let props = json!({"type": "rectangle", "x": at, "y": at, "width": 10, "height": 10});
    let edit = Edit::Put {
        id: format!("box{peer}").as_str().into(),
        props: props.as_object().unwrap().clone(),
    };
    let commit = client.doc.commit(peer, None, &[edit]).unwrap();
    commit.unwrap().update
}

async fn joined(world: &World, token: &str, peer: u64) -> Client {
    let mut client = connect(world, &world.page, peer).await;
    client.join(token).await.unwrap();
    client
}

/// What became of a drawing at a place.
async fn draws(world: &World, token: &str, at: i64, peer: u64) -> Fate {
    let mut client = joined(world, token, peer).await;
    let blob = drawing(&client, at);
    client.update(blob).await
}

async fn comments(world: &World, kind: &Kind, at: i64, peer: u64) -> Fate {
    let token = kind.token.as_deref().unwrap();
    let (_, session) = world
        .stage
        .send(reqwest::Method::GET, token, "/api/session", json!({}))
        .await;
    let mut client = joined(world, token, peer).await;
    let said = json!({
        "author": session["subject"], "authorName": "A", "createdAt": 1, "x": at, "y": at, "text": "hm",
    });
    client.comment(&format!("cm_{peer:012}"), said).await
}

/// What became of showing oneself.
async fn shows(client: &mut Client) -> Fate {
    let store = EphemeralStore::new(30_000);
    let here = LoroValue::from(json!({ "cursor": { "x": INSIDE, "y": INSIDE } }));
    store.set(&client.peer.to_string(), here);
    let bytes = store.encode_all();
    let batch = client.send(CrdtType::LoroEphemeralStore, bytes).await;
    client.fate(batch).await
}

/// What became of a drawing that was sent as a fragment.
async fn draws_by_fragment(world: &World, token: &str, peer: u64) -> Fate {
    let mut client = joined(world, token, peer).await;
    let fragment = drawing(&client, INSIDE);
    let (crdt, room_id) = (CrdtType::Loro, world.page.clone());
    let batch_id = BatchId(peer.to_be_bytes());
    client
        .say(&ProtocolMessage::DocUpdateFragmentHeader {
            crdt,
            room_id: room_id.clone(),
            batch_id,
            fragment_count: 1,
            total_size_bytes: fragment.len() as u64,
        })
        .await;
    client
        .say(&ProtocolMessage::DocUpdateFragment {
            crdt,
            room_id,
            batch_id,
            index: 0,
            fragment,
        })
        .await;
    client.fate(batch_id).await
}

/// What became of a drawing by somebody who has left the page.
async fn draws_after_leaving(world: &World, token: &str, peer: u64) -> Fate {
    let mut client = joined(world, token, peer).await;
    client
        .say(&ProtocolMessage::Leave {
            crdt: CrdtType::Loro,
            room_id: world.page.clone(),
        })
        .await;
    let blob = drawing(&client, INSIDE);
    client.update(blob).await
}

pub async fn try_all(world: &World, kind: &Kind, peer: u64, failures: &mut Vec<String>) {
    let mut check = |frame: &str, wanted: bool, was: bool| {
        if wanted != was {
            failures.push(format!("{frame} as {}: {was}, not {wanted}", kind.name));
        }
    };
    let rights = kind.rights.as_ref();
    let reads = rights.is_some_and(|it| it.may("read"));
    let reads_hidden = rights.is_some_and(|it| it.sees_all_pages());
    for (name, crdt) in [
        ("document", CrdtType::Loro),
        ("presence", CrdtType::LoroEphemeralStore),
    ] {
        let open = joins(world, kind, &world.page, crdt, peer).await;
        check(&format!("join {name}"), reads, open);
        let hidden = joins(world, kind, world.hidden(), crdt, peer).await;
        check(
            &format!("join {name} of a hidden page"),
            reads_hidden,
            hidden,
        );
        let code = joins(world, kind, "code", crdt, peer).await;
        check(&format!("join {name} of `code`"), false, code);
    }
    let Some(rights) = rights.filter(|it| it.may("read")) else {
        return;
    };
    let token = kind.token.as_deref().unwrap();
    let mut client = joined(world, token, peer + 5).await;
    let was = shows(&mut client).await;
    check(&format!("presence unjoined ({was:?})"), true, was == DENIED);
    client
        .ask_to_join(CrdtType::LoroEphemeralStore, token)
        .await;
    let was = shows(&mut client).await;
    check(&format!("presence ({was:?})"), true, was == OK);
    let was = draws_after_leaving(world, token, peer + 6).await;
    check(
        &format!("draw after leaving ({was:?})"),
        true,
        was == DENIED,
    );
    let draws_at = rights.may("edit") || rights.may("suggest");
    let wanted = if draws_at { OK } else { DENIED };
    let was = draws_by_fragment(world, token, peer + 7).await;
    check(
        &format!("draw by a fragment ({was:?})"),
        true,
        was == wanted,
    );
    for (at, inside) in [(INSIDE, true), (10, false)] {
        let wanted = if draws_at && (inside || !rights.region) {
            OK
        } else {
            DENIED
        };
        let was = draws(world, token, at, peer + 1 + u64::from(inside)).await;
        check(&format!("draw at {at} ({was:?})"), true, was == wanted);
        let says = (rights.may("comment") || rights.may("edit")) && (inside || !rights.region);
        let wanted = if says { OK } else { DENIED };
        let was = comments(world, kind, at, peer + 3 + u64::from(inside)).await;
        check(&format!("comment at {at} ({was:?})"), true, was == wanted);
    }
}
