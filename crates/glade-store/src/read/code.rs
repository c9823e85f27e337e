//! The code project: conversations, and what runs did to files.

use rusqlite::Row;

use super::{Reader, all, listed, source, unfit};
use crate::audit::digest;
use crate::backend::ReadCode;
use crate::error::StoreError;
use crate::rows::{CodeChatRow, FileWriteRow, WriteState};
use crate::unreadable::{Listed, Source};

const WRITE: Source = source(
    "file_write",
    &["run", "path", "idx"],
    "read what runs did to files",
);

impl<R: Reader> ReadCode for R {
    fn code_chats(&self) -> Result<Listed<CodeChatRow>, StoreError> {
        listed(
            &self.reader(),
            source("code_chat", &["id"], "read the conversations"),
            "SELECT * FROM code_chat ORDER BY created_ms, id",
            [],
            |row| {
                Ok(CodeChatRow {
                    id: row.get("id")?,
                    title: row.get("title")?,
                    settings_json: row.get("settings_json")?,
                    created_ms: row.get("created_ms")?,
                    changed_ms: row.get("changed_ms")?,
                })
            },
        )
    }

    fn file_writes_of_run(&self, run: &str) -> Result<Vec<FileWriteRow>, StoreError> {
        all(
            &self.reader(),
            WRITE,
            "SELECT w.*, b.bytes AS bytes_before, a.bytes AS bytes_after
             FROM file_write w
             LEFT JOIN file_image b ON b.id = w.before
             LEFT JOIN file_image a ON a.id = w.after
             WHERE w.run = ?1 ORDER BY w.path, w.idx",
            [run],
            file_write,
        )
    }

    fn file_writes_of_path(&self, path: &str) -> Result<Vec<FileWriteRow>, StoreError> {
        all(
            &self.reader(),
            WRITE,
            "SELECT w.*, b.bytes AS bytes_before, a.bytes AS bytes_after
             FROM file_write w JOIN run r ON r.id = w.run
             LEFT JOIN file_image b ON b.id = w.before
             LEFT JOIN file_image a ON a.id = w.after
             WHERE w.path = ?1 ORDER BY r.ord, w.idx",
            [path],
            file_write,
        )
    }
}

fn file_write(row: &Row<'_>) -> rusqlite::Result<FileWriteRow> {
    Ok(FileWriteRow {
        run: row.get("run")?,
        path: row.get("path")?,
        index: row.get("idx")?,
        before: image(row, "before", "bytes_before")?,
        after: image(row, "after", "bytes_after")?,
        state: state(row)?,
    })
}

fn state(row: &Row<'_>) -> rusqlite::Result<WriteState> {
    let number: i64 = row.get("pending")?;
    WriteState::from_sql(number)
        .ok_or_else(|| unfit(row, "pending", format!("is {number}, which says nothing")))
}

/// The bytes under a digest. Missing or changed ones are an error: without them, undoing a write
/// would take the file to be new and delete it.
fn image(row: &Row<'_>, column: &str, bytes: &str) -> rusqlite::Result<Option<Vec<u8>>> {
    let Some(id) = row.get::<_, Option<String>>(column)? else {
        return Ok(None);
    };
    match row.get::<_, Option<Vec<u8>>>(bytes)? {
        Some(bytes) if digest(&bytes) == id => Ok(Some(bytes)),
        _ => Err(unfit(
            row,
            column,
            format!("names bytes ({id}) that are gone or changed"),
        )),
    }
}
