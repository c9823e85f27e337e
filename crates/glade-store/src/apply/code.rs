//! The code project: conversations, and what runs did to files.

use rusqlite::{Connection, params};

use super::{Parent, run as execute, run_under};
use crate::audit::digest;
use crate::error::StoreError;
use crate::rows::{CodeChatRow, FileWriteRow};

pub(super) fn delete_messages(
    db: &Connection,
    chat: &str,
    ids: &[String],
) -> Result<(), StoreError> {
    ids.iter().try_for_each(|id| {
        execute(
            db,
            "delete a message",
            "DELETE FROM message WHERE id = ?1 AND chat = ?2",
            params![id, chat],
        )
    })
}

pub(super) fn put_chat(db: &Connection, row: &CodeChatRow) -> Result<(), StoreError> {
    execute(
        db,
        "put a conversation",
        "INSERT INTO code_chat (id, title, settings_json, created_ms, changed_ms)
         VALUES (?1, ?2, ?3, ?4, ?5)
         ON CONFLICT (id) DO UPDATE SET title = excluded.title,
             settings_json = excluded.settings_json, created_ms = excluded.created_ms,
             changed_ms = excluded.changed_ms",
        params![
            row.id,
            row.title,
            row.settings_json,
            row.created_ms,
            row.changed_ms
        ],
    )
}

pub(super) fn delete_chat(db: &Connection, id: &str) -> Result<(), StoreError> {
    execute(
        db,
        "delete a conversation's messages",
        "DELETE FROM message WHERE chat = ?1",
        params![id],
    )?;
    execute(
        db,
        "delete a conversation",
        "DELETE FROM code_chat WHERE id = ?1",
        params![id],
    )
}

pub(super) fn put_write(db: &Connection, row: &FileWriteRow) -> Result<(), StoreError> {
    let before = image(db, row.before.as_deref())?;
    let after = image(db, row.after.as_deref())?;
    run_under(
        db,
        "keep what a file was",
        &[Parent::Run(&row.run)],
        "INSERT INTO file_write (run, path, idx, before, after, pending)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6)
         ON CONFLICT (run, path, idx) DO UPDATE SET before = excluded.before,
             after = excluded.after, pending = excluded.pending",
        params![
            row.run,
            row.path,
            row.index,
            before,
            after,
            row.state.to_sql()
        ],
    )
}

pub(super) fn set_writes(
    db: &Connection,
    run: &str,
    path: &str,
    rows: &[FileWriteRow],
) -> Result<(), StoreError> {
    execute(
        db,
        "replace what a run did to a file",
        "DELETE FROM file_write WHERE run = ?1 AND path = ?2",
        params![run, path],
    )?;
    rows.iter().try_for_each(|row| put_write(db, row))
}

/// Keeps the bytes under their digest, once.
fn image(db: &Connection, bytes: Option<&[u8]>) -> Result<Option<String>, StoreError> {
    let Some(bytes) = bytes else { return Ok(None) };
    let id = digest(bytes);
    execute(
        db,
        "keep the bytes of a file",
        "INSERT INTO file_image (id, bytes) VALUES (?1, ?2) ON CONFLICT (id) DO NOTHING",
        params![id, bytes],
    )?;
    Ok(Some(id))
}

pub(super) fn weight(row: &FileWriteRow) -> usize {
    let length = |side: &Option<Vec<u8>>| side.as_ref().map_or(0, Vec::len);
    length(&row.before) + length(&row.after)
}
