//! The entries that follow from a change itself.

use std::time::{SystemTime, UNIX_EPOCH};

use rusqlite::{Connection, OptionalExtension};
use serde_json::json;

use super::{AuditEntry, AuditKind, digest};
use crate::apply::Logs;
use crate::change::Change;
use crate::error::StoreError;
use crate::read;
use crate::rows::{RunRow, RunStatus, StepRow};
use crate::run::RunOwner;

/// What `change`, not yet applied, will have to be entered as. `after` follows it in its write.
pub(crate) fn entry(
    db: &Connection,
    logs: &mut Logs,
    change: &Change,
    after: &[Change],
) -> Result<Option<AuditEntry>, StoreError> {
    Ok(match change {
        Change::Audit(entry) => Some(entry.clone()),
        Change::AppendUpdate {
            page,
            peer_spans,
            blob,
            subject,
            at_ms,
        } => {
            let spans: Vec<_> = peer_spans
                .iter()
                // Peers do not fit into the numbers of every JSON reader.
                .map(|(peer, from, to)| json!([peer.to_string(), from, to]))
                .collect();
            let mut body = json!({
                "page": page,
                "seq": logs.next(db, page)?,
                "spans": spans,
                "sha256": digest(blob),
            });
            if let Some(run) = run_of(after, page) {
                body["run"] = json!(run);
            }
            Some(AuditEntry {
                at_ms: *at_ms,
                kind: AuditKind::Update,
                subject: subject.clone(),
                body,
            })
        }
        Change::PutSnapshot {
            page,
            blob,
            through_seq,
        } => Some(by_server(
            AuditKind::Snapshot,
            json!({"page": page, "through": through_seq, "sha256": digest(blob)}),
        )),
        Change::CompactPage {
            page,
            blob,
            whole,
            through_seq,
        } => Some(by_server(
            AuditKind::Snapshot,
            json!({
                "page": page,
                "through": through_seq,
                "sha256": digest(blob),
                "archived": {"epoch": read::epoch(db, page)?, "sha256": digest(whole)},
            }),
        )),
        Change::DeletePage { id } => Some(by_server(AuditKind::PageDeleted, json!({"page": id}))),
        Change::PutBlob {
            blob,
            subject,
            at_ms,
        } => Some(AuditEntry {
            at_ms: *at_ms,
            kind: AuditKind::Blob,
            subject: subject.clone(),
            body: json!({
                "blob": blob.id(),
                "type": blob.kind().mime(),
                "size": blob.bytes().len(),
            }),
        }),
        Change::Revoke { id, subject, at_ms } => Some(AuditEntry {
            at_ms: *at_ms,
            kind: AuditKind::TokenRevoked,
            subject: subject.clone(),
            body: json!({"token": id}),
        }),
        Change::PutSession(row) => Some(AuditEntry {
            at_ms: row.created_ms,
            kind: AuditKind::SessionOpened,
            subject: row.subject.clone(),
            body: json!({"session": row.id, "sha256": session_digest(&row.subject, &row.chain_json, &row.sealed)}),
        }),
        Change::EndSessions {
            ids,
            subject,
            at_ms,
        } => Some(AuditEntry {
            at_ms: *at_ms,
            kind: AuditKind::SessionsEnded,
            subject: subject.clone(),
            body: json!({"sessions": ids}),
        }),
        Change::PutRun(row) => run_entry(db, row)?,
        Change::PutStep(row) => step_entry(db, row)?,
        _ => None,
    })
}

/// What a session opens, and for whom.
pub(super) fn session_digest(subject: &str, chain_json: &str, sealed: &[u8]) -> String {
    digest(format!("{subject}\n{chain_json}\n{}", digest(sealed)).as_bytes())
}

/// The run whose spans follow an update, before the next one.
fn run_of<'a>(after: &'a [Change], page: &str) -> Option<&'a str> {
    let its_own = after
        .iter()
        .take_while(|change| !matches!(change, Change::AppendUpdate { .. }));
    its_own.into_iter().find_map(|change| match change {
        Change::PutSpan { run, page: on, .. } if on == page => Some(run.as_str()),
        _ => None,
    })
}

pub(crate) fn now_ms() -> i64 {
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| since.as_millis());
    i64::try_from(now).unwrap_or(i64::MAX)
}

pub(super) fn by_server(kind: AuditKind, body: serde_json::Value) -> AuditEntry {
    AuditEntry {
        at_ms: now_ms(),
        kind,
        subject: "server".to_owned(),
        body,
    }
}

/// A run's beginning and its end. Who kept or undid it is for the door to say.
fn run_entry(db: &Connection, row: &RunRow) -> Result<Option<AuditEntry>, StoreError> {
    let before = look_up(db, "SELECT status FROM run WHERE id = ?1", &row.id)?;
    let kind = match before.as_deref() {
        None => AuditKind::RunBegun,
        Some("running") if row.status != RunStatus::Running => AuditKind::RunEnded,
        Some(_) if is_as_asked(db, row)? => return Ok(None),
        Some(_) => AuditKind::RunChanged,
    };
    Ok(Some(AuditEntry {
        at_ms: row.ended_ms.unwrap_or(row.started_ms),
        kind,
        subject: row.owner.subject(),
        body: json!({
            "run": row.id,
            "page": row.target.name(),
            "status": row.status.as_str(),
            "messageSha256": digest(row.message.as_bytes()),
        }),
    }))
}

/// Whether what `why` tells of a run stays as it is.
fn is_as_asked(db: &Connection, row: &RunRow) -> Result<bool, StoreError> {
    db.prepare_cached("SELECT message = ?2 AND page = ?3 AND fairy = ?4 FROM run WHERE id = ?1")
        .and_then(|mut one| {
            let asked = [&row.id, &row.message, row.target.name(), row.owner.column()];
            one.query_row(asked, |row| row.get(0))
        })
        .map_err(|e| StoreError::database("look a run up", e))
}

/// A step that has ended; one that has only begun has said nothing yet.
fn step_entry(db: &Connection, row: &StepRow) -> Result<Option<AuditEntry>, StoreError> {
    if row.ended_ms.is_none() {
        return Ok(None);
    }
    let Some(column) = look_up(db, "SELECT fairy FROM run WHERE id = ?1", &row.run)? else {
        // Without its run the change itself is about to fail.
        return Ok(None);
    };
    let owner = RunOwner::parse(&column).ok_or_else(|| {
        StoreError::Invalid(format!("the fairy of run {} is {column:?}", row.run))
    })?;
    Ok(Some(AuditEntry {
        at_ms: row.ended_ms.unwrap_or(row.started_ms),
        kind: AuditKind::Step,
        subject: owner.subject(),
        body: json!({
            "run": row.run,
            "step": row.index,
            "model": row.model,
            "promptSha256": digest(row.prompt_json.as_bytes()),
            "answerSha256": digest(row.answer.as_bytes()),
        }),
    }))
}

fn look_up(db: &Connection, sql: &str, id: &str) -> Result<Option<String>, StoreError> {
    db.prepare_cached(sql)
        .and_then(|mut statement| statement.query_row([id], |row| row.get(0)).optional())
        .map_err(|e| StoreError::database("look a run up", e))
}
