//! Applies [`Change`]s inside the transaction at hand. An error leaves the undoing to the
//! caller's savepoint.

mod code;
mod log;
mod people;
mod projects;
mod put;

use std::collections::HashMap;

use rusqlite::{Connection, ErrorCode, OptionalExtension, params};

use crate::audit::rights::Watched;
use crate::audit::{Chain, derive};
use crate::change::Change;
use crate::error::StoreError;
use crate::read;
use crate::unreadable::Unreadable;

/// Where the logs of pages end, as far as the writer knows by heart.
#[derive(Default)]
pub(crate) struct Logs(HashMap<String, i64>);

impl Logs {
    /// So many pages are kept in mind.
    const PAGES: usize = 4096;

    /// The number of a page's next update.
    pub(crate) fn next(&mut self, db: &Connection, page: &str) -> Result<i64, StoreError> {
        let last = match self.0.get(page) {
            Some(last) => Some(*last),
            None => Some(read::last_seq(db, page)?),
        };
        last.and_then(|last| last.checked_add(1)).ok_or_else(|| {
            let reason = "leaves no number for another update";
            Unreadable::new("page_update", page, "seq", reason).into()
        })
    }

    fn append(&mut self, page: &str, seq: i64) {
        match self.0.get_mut(page) {
            Some(last) => *last = seq,
            None => {
                if self.0.len() >= Self::PAGES {
                    self.forget();
                }
                self.0.insert(page.to_owned(), seq);
            }
        }
    }

    /// After anything that may have made it wrong.
    pub(crate) fn forget(&mut self) {
        self.0.clear();
    }
}

/// Applies a whole write and enters what it does into the chain.
pub(crate) fn write(
    db: &Connection,
    chain: &mut Chain,
    logs: &mut Logs,
    write: &[Change],
) -> Result<(), StoreError> {
    let mut rest = write;
    while let [one, after @ ..] = rest {
        let watched = Watched::by(db, one)?;
        if let Some(entry) = derive::entry(db, logs, one, after)? {
            chain.append(db, &entry)?;
        }
        change(db, logs, one)?;
        if let Some(watched) = watched
            && let Some(entry) = watched.entry(db)?
        {
            chain.append(db, &entry)?;
        }
        rest = after;
    }
    Ok(())
}

fn change(db: &Connection, logs: &mut Logs, change: &Change) -> Result<(), StoreError> {
    match change {
        Change::PutSetting { key, value } => put::setting(db, key, value),
        Change::PutPage(row) => put::page(db, row),
        Change::DeletePage { id } => {
            logs.forget();
            run(
                db,
                "delete a page",
                "DELETE FROM page WHERE id = ?1",
                params![id],
            )
        }
        Change::TrashPage { id, at_ms } => run_under(
            db,
            "put a page into the trash",
            &[Parent::Page(id)],
            "INSERT INTO trash (page, at_ms) VALUES (?1, ?2) ON CONFLICT (page) DO NOTHING",
            params![id, at_ms],
        ),
        Change::RestorePage { id } => run(
            db,
            "take a page out of the trash",
            "DELETE FROM trash WHERE page = ?1",
            params![id],
        ),
        Change::AppendUpdate {
            page,
            peer_spans,
            blob,
            subject,
            at_ms,
        } => log::append(db, logs, page, peer_spans, blob, subject, *at_ms),
        Change::BindPeer {
            page,
            peer,
            subject,
        } => log::bind_peer(db, page, *peer, subject),
        Change::PutSnapshot {
            page,
            blob,
            through_seq,
        } => log::put_snapshot(db, page, blob, *through_seq),
        Change::CompactPage {
            page,
            blob,
            whole,
            through_seq,
        } => log::compact(db, page, blob, whole, *through_seq),
        Change::PutFairy(row) => put::fairy(db, row),
        Change::DismissFairy { id, at_ms } => run(
            db,
            "dismiss a fairy",
            "UPDATE fairy SET dismissed_ms = ?2 WHERE id = ?1",
            params![id, at_ms],
        ),
        Change::PutRun(row) => put::run(db, row),
        Change::PutStep(row) => put::step(db, row),
        Change::PutSpan {
            run,
            page,
            peer,
            from,
            to,
        } => put::span(db, run, page, *peer, *from, *to),
        Change::NoteRead { run, pages } => put::read(db, run, pages),
        Change::PutTouches { page, rows } => put::touches(db, page, rows),
        Change::CloseTouches { keys } => put::close_touches(db, keys),
        Change::PutMessage(row) => put::message(db, row),
        Change::DeleteMessages { chat, ids } => code::delete_messages(db, chat, ids),
        Change::PutCodeChat(row) => code::put_chat(db, row),
        Change::DeleteCodeChat { id } => code::delete_chat(db, id),
        Change::PutFileWrite(row) => code::put_write(db, row),
        Change::SetFileWrites { run, path, rows } => code::set_writes(db, run, path, rows),
        Change::PutTask(row) => put::task(db, row),
        Change::DeleteTask { id } => run(
            db,
            "delete a task",
            "DELETE FROM task WHERE id = ?1",
            params![id],
        ),
        Change::PutProject(row) => projects::project(db, row),
        Change::PutPerson(row) => people::person(db, row),
        Change::PutLink(row) => people::link(db, row),
        Change::Revoke { id, subject, at_ms } => run(
            db,
            "revoke a token",
            "INSERT INTO revoked (id, at_ms, subject) VALUES (?1, ?2, ?3)
             ON CONFLICT (id) DO NOTHING",
            params![id, at_ms, subject],
        ),
        Change::PutSession(row) => people::session(db, row),
        Change::SeeSession { id, at_ms } => run(
            db,
            "see a session",
            "UPDATE session SET seen_ms = ?2 WHERE id = ?1",
            params![id, at_ms],
        ),
        Change::EndSessions { ids, .. } => people::end_sessions(db, ids),
        Change::PutBlob {
            blob,
            subject,
            at_ms,
        } => run(
            db,
            "keep a picture",
            "INSERT INTO blob (id, kind, subject, created_ms, bytes) VALUES (?1, ?2, ?3, ?4, ?5)
             ON CONFLICT (id) DO NOTHING",
            params![blob.id(), blob.kind().mime(), subject, at_ms, blob.bytes()],
        ),
        // Its entry is all there is of it.
        Change::Audit(_) => Ok(()),
    }
}

/// About how many bytes a write puts into the log: enough to keep groups of a sensible size.
pub(crate) fn weight(changes: &[Change]) -> usize {
    changes
        .iter()
        .map(|change| match change {
            Change::AppendUpdate { blob, .. } | Change::PutSnapshot { blob, .. } => blob.len(),
            Change::CompactPage { blob, whole, .. } => blob.len() + whole.len(),
            Change::PutBlob { blob, .. } => blob.bytes().len(),
            Change::PutStep(row) => row.prompt_json.len() + row.answer.len(),
            Change::PutTouches { rows, .. } => rows.iter().map(|r| r.body_json.len()).sum(),
            Change::PutFairy(row) => row.state_json.len(),
            Change::PutMessage(row) => row.body_json.len(),
            Change::PutFileWrite(row) => code::weight(row),
            Change::SetFileWrites { rows, .. } => rows.iter().map(code::weight).sum(),
            Change::PutTask(row) => row.text.len(),
            Change::PutProject(row) => row.body_json.len(),
            _ => 0,
        })
        .sum::<usize>()
        + 128 * changes.len()
}

fn run(
    db: &Connection,
    doing: &'static str,
    sql: &'static str,
    values: impl rusqlite::Params,
) -> Result<(), StoreError> {
    db.prepare_cached(sql)
        .and_then(|mut statement| statement.execute(values))
        .map(drop)
        .map_err(|e| StoreError::database(doing, e))
}

/// As [`run`], for a row that lies under others: names the missing one instead of saying "FOREIGN
/// KEY constraint failed".
fn run_under(
    db: &Connection,
    doing: &'static str,
    parents: &[Parent<'_>],
    sql: &'static str,
    values: impl rusqlite::Params,
) -> Result<(), StoreError> {
    run(db, doing, sql, values).or_else(|error| {
        let constraint = matches!(&error, StoreError::Database { source, .. }
            if source.downcast_ref().and_then(rusqlite::Error::sqlite_error_code)
                == Some(ErrorCode::ConstraintViolation));
        if constraint {
            parents.iter().try_for_each(|parent| parent.require(db))?;
        }
        Err(error)
    })
}

/// A row that another lies under.
#[derive(Clone, Copy)]
enum Parent<'a> {
    Page(&'a str),
    Run(&'a str),
}

impl Parent<'_> {
    fn require(self, db: &Connection) -> Result<(), StoreError> {
        let (kind, id, sql) = match self {
            Parent::Page(id) => ("page", id, "SELECT 1 FROM page WHERE id = ?1"),
            Parent::Run(id) => ("run", id, "SELECT 1 FROM run WHERE id = ?1"),
        };
        let found = db
            .prepare_cached(sql)
            .and_then(|mut statement| statement.query_row([id], |_| Ok(())).optional())
            .map_err(|e| StoreError::database("look a row up", e))?;
        match found {
            Some(()) => Ok(()),
            None => Err(StoreError::Missing {
                kind,
                id: id.to_owned(),
            }),
        }
    }
}
