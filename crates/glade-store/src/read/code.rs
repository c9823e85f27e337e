//! The code project: conversations, and what runs did to files.

use rusqlite::Row;

use super::all;
use crate::backend::ReadCode;
use crate::error::StoreError;
use crate::rows::{CodeChatRow, FileWriteRow};
use crate::sqlite::Sqlite;

impl ReadCode for Sqlite {
    fn code_chats(&self) -> Result<Vec<CodeChatRow>, StoreError> {
        all(
            &self.reader(),
            "read the conversations",
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
            "read what a run did to files",
            "SELECT w.run, w.path, w.idx, w.pending, b.bytes AS before, a.bytes AS after
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
            "read what runs did to a file",
            "SELECT w.run, w.path, w.idx, w.pending, b.bytes AS before, a.bytes AS after
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
        before: row.get("before")?,
        after: row.get("after")?,
        pending: row.get("pending")?,
    })
}
