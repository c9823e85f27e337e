#![allow(clippy::unwrap_used, clippy::expect_used)]

mod audit;
mod code;
mod durability;
mod folder;
mod history;
#[path = "../hostile/restore.rs"]
mod hostile_restore;
mod pages;
mod private;
mod restoring;
mod suite;
mod writing;

use glade_store::{Change, PageRow, RunOwner, RunRow, RunStatus, RunTarget, Store, TouchRow};
use tempfile::TempDir;

/// An open store in a folder that goes away with the test.
fn new_store() -> (TempDir, Store) {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path()).unwrap();
    (dir, store)
}

fn page(id: &str) -> PageRow {
    PageRow {
        id: id.to_owned(),
        name: format!("Page {id}"),
        kind: "canvas".to_owned(),
        tier: "internal".to_owned(),
        position: 1.0,
        created_ms: 1,
    }
}

fn run(id: &str, started_ms: i64) -> RunRow {
    RunRow {
        id: id.to_owned(),
        owner: RunOwner::Fairy("fy_1".to_owned()),
        target: RunTarget::Pages("pg_1".to_owned()),
        message: "Draw a flow".to_owned(),
        status: RunStatus::Running,
        settled: false,
        started_ms,
        ended_ms: None,
        cost_json: "{}".to_owned(),
        error: None,
        elements_json: "[]".to_owned(),
    }
}

fn touch(run: &str, action: i64, element: &str, property: &str) -> TouchRow {
    TouchRow {
        run: run.to_owned(),
        page: "pg_1".to_owned(),
        action,
        element: element.to_owned(),
        property: property.to_owned(),
        body_json: format!("\"{action}\""),
    }
}

fn update(page: &str, blob: &[u8]) -> Change {
    Change::AppendUpdate {
        page: page.to_owned(),
        peer_spans: vec![(7, 0, 1)],
        blob: blob.to_vec(),
        subject: "person:owner".to_owned(),
        at_ms: 5,
    }
}

fn bind(page: &str, peer: u64, subject: &str) -> Change {
    Change::BindPeer {
        page: page.to_owned(),
        peer,
        subject: subject.to_owned(),
    }
}

fn snapshot(page: &str, blob: &[u8], through_seq: i64) -> Change {
    Change::PutSnapshot {
        page: page.to_owned(),
        blob: blob.to_vec(),
        through_seq,
    }
}

fn setting(key: &str, value: &str) -> Change {
    Change::PutSetting {
        key: key.to_owned(),
        value: value.to_owned(),
    }
}
