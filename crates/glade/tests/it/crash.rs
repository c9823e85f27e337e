//! kill -9 under load: whatever was acknowledged is there afterwards.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::Path;
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use glade_store::Store;
use serde_json::json;

use crate::client::{Client, Fate, OK};
use crate::server::Server;

pub const WRITERS: u64 = 4;

/// What was acknowledged: the last place of each writer's element.
pub type Acknowledged = Arc<Mutex<BTreeMap<u64, i32>>>;

fn rounds() -> u64 {
    if std::env::var_os("GLADE_SOAK").is_some() {
        50
    } else {
        4
    }
}

pub fn page(data: &Path) -> String {
    Store::open(data)
        .unwrap()
        .pages()
        .unwrap()
        .rows
        .remove(0)
        .id
}

/// Moves one element on and on, until the server is gone.
pub async fn work(address: SocketAddr, token: String, page: String, n: u64, done: Acknowledged) {
    let peer = rand::random_range(1..u64::MAX);
    let mut client = Client::connect(address, &page, peer).await;
    client.join(&token).await.unwrap();
    let last = done.lock().unwrap().get(&n).copied().unwrap_or(0);
    let id = format!("e{n}");
    // Who writes before it has read what is there may lose to it, as any late-comer does.
    while last > 0
        && client
            .doc
            .element(&id.as_str().into())
            .is_none_or(|own| own["x"] != json!(last))
    {
        client.hear().await;
    }
    for x in last + 1.. {
        match client.edit(&id, x).await {
            OK => done.lock().unwrap().insert(n, x),
            Fate::Closed(_) => return,
            refused => panic!("writer {n} was refused: {refused:?}"),
        };
    }
}

/// The audit chain holds on what the killed server left, before another one touches it.
fn verify_chain(data: &Path, round: u64) {
    let verified = Command::new(env!("CARGO_BIN_EXE_glade"))
        .args(["audit", "verify", "--data"])
        .arg(data)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&verified.stdout).into_owned();
    assert!(verified.status.success(), "round {round}: {said}");
}

#[tokio::test(flavor = "multi_thread")]
async fn whatever_was_acknowledged_survives_kill_9() {
    let data = tempfile::tempdir().unwrap();
    Server::start(data.path()).kill();
    let page = page(data.path());
    let done = Acknowledged::default();
    for round in 0..rounds() {
        let server = Server::start(data.path());
        let before = done.lock().unwrap().clone();
        let work: Vec<_> = (0..WRITERS)
            .map(|n| {
                let token = server.token.clone();
                tokio::spawn(work(server.address, token, page.clone(), n, done.clone()))
            })
            .collect();
        // On a busy machine some are still coming in when others have long been at work.
        let at_work = || {
            let now = done.lock().unwrap();
            (0..WRITERS).all(|n| now.get(&n) > before.get(&n))
        };
        let patience = Instant::now() + Duration::from_secs(60);
        while !at_work() {
            assert!(
                Instant::now() < patience,
                "nothing was done in round {round}"
            );
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        tokio::time::sleep(Duration::from_millis(37 * (round % 7))).await;
        server.kill();
        for writer in work {
            writer.await.unwrap();
        }
        verify_chain(data.path(), round);

        let server = Server::start(data.path());
        let mut reader = Client::connect(server.address, &page, 1).await;
        reader.join(&server.token).await.unwrap();
        let acknowledged = done.lock().unwrap().clone();
        while reader.doc.elements().len() < acknowledged.len() {
            reader.hear().await;
        }
        for (n, x) in &acknowledged {
            let id = format!("e{n}");
            let found = reader.doc.element(&id.as_str().into()).unwrap()["x"].clone();
            // One more may have been on its way: stored, but not acknowledged.
            assert!(
                found == json!(x) || found == json!(x + 1),
                "round {round}: {id} was acknowledged at {x} and is at {found}"
            );
        }
        done.lock().unwrap().iter_mut().for_each(|(n, x)| {
            let id = format!("e{n}");
            let found = reader.doc.element(&id.as_str().into()).unwrap()["x"].clone();
            *x = found.as_i64().and_then(|x| i32::try_from(x).ok()).unwrap();
        });
        server.kill();
    }
}
