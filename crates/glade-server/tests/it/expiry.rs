//! A token ends what it opened, by time that passes and by a clock that nobody sets back.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use futures_util::StreamExt;
use glade_server::{Clock, Network, RoomTuning};
use loro_protocol::ProtocolMessage;
use serde_json::json;
use tempfile::TempDir;

use crate::stage::{Client, Heard, Stage};

const HOUR: i64 = 3_600_000;

/// A wall clock that is off by so many milliseconds.
#[derive(Clone, Default)]
struct Wall(Arc<AtomicI64>);

impl Wall {
    fn set(&self, off: i64) {
        self.0.store(off, Ordering::Relaxed);
    }

    async fn stage(&self, dir: TempDir, sketch_pace: f64) -> Stage {
        let off = Arc::clone(&self.0);
        let clock = Clock::following(move || {
            let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
            now.as_millis() as i64 + off.load(Ordering::Relaxed)
        });
        let network = Network {
            clock,
            ..Network::default()
        };
        Stage::behind(network, dir, sketch_pace, RoomTuning::default()).await
    }
}

async fn ends(client: &mut Client) -> Option<u16> {
    loop {
        if let Heard::Closed(code) = client.hear().await {
            return code;
        }
    }
}

async fn joined(stage: &Stage, token: &str, peer: u64) -> Client {
    let page = stage.page().await;
    let mut client = stage.connect(peer).await;
    let answer = client.join(&page, token).await;
    assert!(matches!(answer, ProtocolMessage::JoinResponseOk { .. }));
    client
}

#[tokio::test(flavor = "multi_thread")]
async fn everything_that_streams_ends_when_its_token_expires() {
    // Slow enough to be at work for a minute.
    let stage = Wall::default()
        .stage(tempfile::tempdir().unwrap(), 1.0)
        .await;
    let limits = json!({"expiresIn": 2, "subject": "person:ann"});
    let token = stage.attenuate(&stage.owner, limits).await;
    let made = Instant::now();
    let mut client = joined(&stage, &token, 1).await;
    let events = stage.get(&token, "/api/workspaces/main/events").await;
    let fairies = stage.get(&stage.owner, "/api/workspaces/main").await;
    let fairy = fairies.json::<serde_json::Value>().await.unwrap()["fairies"][0]["id"].clone();
    let words = json!({"role": "user", "parts": [{"type": "text", "text": "A -> B -> C -> D"}]});
    let chat = json!({"id": fairy, "messages": [words]});
    // The owner asks, so that the run goes on; the guest listens.
    let _asked = stage.post(&stage.owner, "/api/ai/chat", chat).await;
    let path = format!("/api/ai/chat/{}/stream", fairy.as_str().unwrap());
    let stream = stage.get(&token, &path).await;
    assert_eq!([events.status(), stream.status()], [200, 200]);

    assert_eq!(ends(&mut client).await, Some(4001));
    let mut ended = Vec::new();
    for answer in [events, stream] {
        let mut bytes = answer.bytes_stream();
        let end = async { while let Some(Ok(_)) = bytes.next().await {} };
        let in_time = tokio::time::timeout(Duration::from_secs(2), end).await;
        ended.push(in_time.is_ok());
    }
    assert_eq!(ended, [true, true]);
    let took = made.elapsed();
    assert!(took < Duration::from_millis(4500), "{took:?}");
    let again = stage.get(&token, "/api/workspaces/main").await;
    assert_eq!(again.status(), 401);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_clock_set_forth_and_back_revives_nothing_not_even_over_a_restart() {
    let wall = Wall::default();
    let stage = wall.stage(tempfile::tempdir().unwrap(), 0.0).await;
    let limits = json!({"expiresIn": 60, "subject": "person:ann"});
    let token = stage.attenuate(&stage.owner, limits).await;
    let limits = json!({"expiresIn": 86_400, "subject": "person:ben"});
    let day = stage.attenuate(&stage.owner, limits).await;
    let mut client = joined(&stage, &token, 1).await;
    let status =
        async |stage: &Stage, token: &str| stage.get(token, "/api/workspaces/main").await.status();
    assert_eq!(status(&stage, &token).await, 200);

    wall.set(HOUR);
    assert_eq!(ends(&mut client).await, Some(4001));
    assert_eq!(status(&stage, &token).await, 401);
    wall.set(-HOUR);
    assert_eq!(status(&stage, &token).await, 401);
    assert_eq!(
        status(&stage, &day).await,
        200,
        "what has not expired holds"
    );

    let stage = wall.stage(stage.close().await, 0.0).await;
    assert_eq!(status(&stage, &token).await, 401);
    assert_eq!(status(&stage, &day).await, 200);
    // A link made now is good for as long as it says.
    let limits = json!({"expiresIn": 60, "subject": "person:eve"});
    let fresh = stage.attenuate(&stage.owner, limits).await;
    assert_eq!(status(&stage, &fresh).await, 200);
}
