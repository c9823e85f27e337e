//! People, the tokens that they handed on, and the browsers where they are signed in.

use rusqlite::{Connection, params};

use super::run;
use crate::error::StoreError;
use crate::rows::{LinkRow, PersonRow, SessionRow};

pub(super) fn person(db: &Connection, row: &PersonRow) -> Result<(), StoreError> {
    run(
        db,
        "put a person",
        "INSERT INTO person (subject, name, rights_json, seen_ms) VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT (subject) DO UPDATE SET name = excluded.name,
             rights_json = excluded.rights_json, seen_ms = excluded.seen_ms",
        params![row.subject, row.name, row.rights_json, row.seen_ms],
    )
}

pub(super) fn link(db: &Connection, row: &LinkRow) -> Result<(), StoreError> {
    run(
        db,
        "remember a token",
        "INSERT INTO link (id, label, maker, chain_json, limits_json, created_ms)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (id) DO NOTHING",
        params![
            row.id,
            row.label,
            row.maker,
            row.chain_json,
            row.limits_json,
            row.created_ms
        ],
    )
}

pub(super) fn session(db: &Connection, row: &SessionRow) -> Result<(), StoreError> {
    run(
        db,
        "open a session",
        "INSERT INTO session (id, subject, chain_json, sealed, client, created_ms, seen_ms)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        params![
            row.id,
            row.subject,
            row.chain_json,
            row.sealed,
            row.client,
            row.created_ms,
            row.seen_ms
        ],
    )
}

pub(super) fn end_sessions(db: &Connection, ids: &[String]) -> Result<(), StoreError> {
    ids.iter().try_for_each(|id| {
        run(
            db,
            "end a session",
            "DELETE FROM session WHERE id = ?1",
            params![id],
        )
    })
}
