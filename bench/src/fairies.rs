//! Fairies of a server under measurement, and somebody who watches what they do to a page.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use anyhow::{Context, Result};
use serde_json::json;
use tokio::io::AsyncWriteExt;
use tokio::task::JoinHandle;

use crate::http::Api;
use crate::sync::server::Server;
use crate::sync::websocket;

const RUN: &[u8] = b"run_";
const RUN_LENGTH: usize = 16;

/// The id of the page that a new server has.
pub async fn first_page(api: &Api) -> Result<String> {
    let workspace = api.get("/api/workspaces/main").await?;
    let page = workspace["pages"][0]["id"].as_str();
    Ok(page.context("a new server has a page")?.to_owned())
}

/// Makes a fairy on a page.
pub async fn make(api: &Api, page: &str) -> Result<String> {
    let fairy = api
        .post("/api/workspaces/main/fairies", &json!({"page": page}))
        .await?;
    Ok(fairy["id"]
        .as_str()
        .context("a new fairy has an id")?
        .to_owned())
}

/// Sets a fairy on a flow of so many boxes; answers the run.
pub async fn draw(api: &Api, fairy: &str, page: &str, boxes: usize) -> Result<String> {
    let steps: Vec<String> = (0..boxes).map(|n| format!("Step {n}")).collect();
    let message = format!("Draw this flow: {}", steps.join(" -> "));
    let body = json!({"input": {"message": message, "page": page}});
    let begun = api
        .post(&format!("/api/fairies/{fairy}/interrupt"), &body)
        .await?;
    Ok(begun["run"].as_str().context("a run has begun")?.to_owned())
}

/// How often each run was seen to change the page, and when last.
#[derive(Debug, Default, Clone)]
pub struct Seen(Arc<Mutex<HashMap<String, (usize, Instant)>>>);

impl Seen {
    pub fn of(&self, run: &str) -> Option<(usize, Instant)> {
        let seen = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        seen.get(run).copied()
    }

    pub fn changes(&self) -> usize {
        let seen = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        seen.values().map(|(count, _)| count).sum()
    }
}

/// Joins a page as a browser does and notes which run each update belongs to: a fairy's commits
/// carry their run as a message, which is found by looking at the bytes.
pub async fn watch(server: &Server, page: &str) -> Result<(Seen, JoinHandle<()>)> {
    let wire = &server.wire;
    let (mut stream, mut inbox) = websocket::connect(server.address, &wire.path(page)).await?;
    for message in wire.greeting(page)? {
        let frame = websocket::frame(wire.kind(), &message);
        stream.write_all(&frame).await?;
    }
    let seen = Seen::default();
    let noted = seen.clone();
    let watching = tokio::spawn(async move {
        // Ends with the server.
        let _over = websocket::read_until(&mut stream, &mut inbox, |frame| {
            let now = Instant::now();
            let mut seen = noted.0.lock().unwrap_or_else(PoisonError::into_inner);
            for run in runs(frame) {
                let entry = seen.entry(run.to_owned()).or_insert((0, now));
                *entry = (entry.0 + 1, now);
            }
            Ok(false)
        })
        .await;
    });
    Ok((seen, watching))
}

fn runs(frame: &[u8]) -> impl Iterator<Item = &str> {
    let starts = frame.windows(RUN.len()).enumerate();
    let starts = starts.filter(|(_, bytes)| *bytes == RUN);
    starts.filter_map(|(at, _)| std::str::from_utf8(frame.get(at..at + RUN_LENGTH)?).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_found_among_anything() {
        let bytes = [
            b"\0\xff{\"run\":\"run_abcdefghijkl\"}run_".as_slice(),
            b"short",
        ]
        .concat();
        assert_eq!(runs(&bytes).collect::<Vec<_>>(), ["run_abcdefghijkl"]);
    }
}
