//! A page's update log: appending to it, whose peers write in it, and folding it into a snapshot.

use rusqlite::{Connection, params};

use super::{Logs, Parent, run, run_under};
use crate::error::StoreError;
use crate::peer;
use crate::read;

pub(super) fn append(
    db: &Connection,
    logs: &mut Logs,
    page: &str,
    peer_spans: &[(u64, i32, i32)],
    blob: &[u8],
    subject: &str,
    at_ms: i64,
) -> Result<(), StoreError> {
    let mut spans = Vec::with_capacity(16 * peer_spans.len());
    for &(peer, from, to) in peer_spans {
        if from < 0 || to <= from {
            return Err(StoreError::Invalid(format!(
                "an update of page {page} carries the counters {from}..{to} of peer {peer}"
            )));
        }
        spans.extend(peer.to_le_bytes());
        spans.extend(from.to_le_bytes());
        spans.extend(to.to_le_bytes());
    }
    let seq = logs.next(db, page)?;
    run_under(
        db,
        "append an update",
        &[Parent::Page(page)],
        "INSERT INTO page_update (page, seq, spans, subject, at_ms, blob)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        params![page, seq, spans, subject, at_ms, blob],
    )?;
    logs.append(page, seq);
    Ok(())
}

pub(super) fn bind_peer(
    db: &Connection,
    page: &str,
    peer: u64,
    subject: &str,
) -> Result<(), StoreError> {
    run_under(
        db,
        "bind a peer",
        &[Parent::Page(page)],
        "INSERT INTO page_peer (page, peer, subject) VALUES (?1, ?2, ?3)
         ON CONFLICT (page, peer) DO NOTHING",
        params![page, peer::to_sql(peer), subject],
    )?;
    let owner: String = db
        .prepare_cached("SELECT subject FROM page_peer WHERE page = ?1 AND peer = ?2")
        .and_then(|mut statement| {
            statement.query_row(params![page, peer::to_sql(peer)], |row| row.get(0))
        })
        .map_err(|e| StoreError::database("look a peer up", e))?;
    if owner == subject {
        return Ok(());
    }
    Err(StoreError::PeerTaken {
        page: page.to_owned(),
        peer,
        owner,
        subject: subject.to_owned(),
    })
}

pub(super) fn put_snapshot(
    db: &Connection,
    page: &str,
    blob: &[u8],
    through_seq: i64,
) -> Result<(), StoreError> {
    let already = read::snapshot_seq(db, page)?.unwrap_or(0);
    let last = read::last_seq(db, page)?;
    if !(already..=last).contains(&through_seq) {
        return Err(StoreError::Invalid(format!(
            "a snapshot of page {page} through update {through_seq}, where {already} to {last} are possible"
        )));
    }
    run_under(
        db,
        "put a snapshot",
        &[Parent::Page(page)],
        "INSERT INTO page_snapshot (page, through_seq, blob) VALUES (?1, ?2, ?3)
         ON CONFLICT (page) DO UPDATE SET through_seq = excluded.through_seq, blob = excluded.blob",
        params![page, through_seq, blob],
    )?;
    run(
        db,
        "fold the log",
        "DELETE FROM page_update WHERE page = ?1 AND seq <= ?2",
        params![page, through_seq],
    )
}

pub(super) fn compact(
    db: &Connection,
    page: &str,
    blob: &[u8],
    whole: &[u8],
    through_seq: i64,
) -> Result<(), StoreError> {
    let epoch = read::epoch(db, page)?;
    put_snapshot(db, page, blob, through_seq)?;
    run(
        db,
        "archive a page's past",
        "INSERT INTO page_archive (page, epoch, through_seq, blob) VALUES (?1, ?2, ?3, ?4)",
        params![page, epoch, through_seq, whole],
    )?;
    run(
        db,
        "begin an epoch",
        "UPDATE page_snapshot SET epoch = ?2 WHERE page = ?1",
        params![page, epoch + 1],
    )
}
