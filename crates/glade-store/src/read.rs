//! Reading. Each method is one query, or several inside one read transaction, so that what it
//! answers was all true at the same moment.

mod code;
mod pages;
mod runs;

use rusqlite::{Connection, OptionalExtension, Params, Row};

use crate::audit::digest;
use crate::backend::ReadRest;
use crate::blob::{Blob, BlobKind};
use crate::error::StoreError;
use crate::rows::{FairyRow, LinkRow, MessageRow, PersonRow, ProjectRow, SessionRow, TaskRow};
use crate::sqlite::Sqlite;

pub(crate) use pages::{document, epoch, kinds, last_seq, snapshot_seq};
pub(crate) use runs::why;

impl ReadRest for Sqlite {
    fn setting(&self, key: &str) -> Result<Option<String>, StoreError> {
        one(
            &self.reader(),
            "read a setting",
            "SELECT value FROM setting WHERE key = ?1",
            [key],
            |row| row.get(0),
        )
    }

    fn blob(&self, id: &str) -> Result<Option<Blob>, StoreError> {
        let found: Option<(String, Vec<u8>)> = one(
            &self.reader(),
            "read a picture",
            "SELECT kind, bytes FROM blob WHERE id = ?1",
            [id],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )?;
        found
            .map(|(kind, bytes)| match BlobKind::parse(&kind) {
                Some(kind) if digest(&bytes) == id => Ok(Blob::stored(id.to_owned(), kind, bytes)),
                _ => Err(StoreError::Invalid(format!("picture {id} is damaged"))),
            })
            .transpose()
    }

    fn blob_bytes(&self) -> Result<u64, StoreError> {
        let sum: Option<i64> = one(
            &self.reader(),
            "weigh the pictures",
            "SELECT COALESCE(SUM(LENGTH(bytes)), 0) FROM blob",
            [],
            |row| row.get(0),
        )?;
        Ok(sum.map_or(0, |sum| sum.try_into().unwrap_or(0)))
    }

    fn revoked(&self) -> Result<Vec<String>, StoreError> {
        all(
            &self.reader(),
            "read the revoked tokens",
            "SELECT id FROM revoked",
            [],
            |row| row.get(0),
        )
    }

    fn people(&self) -> Result<Vec<PersonRow>, StoreError> {
        all(
            &self.reader(),
            "read the people",
            "SELECT * FROM person ORDER BY subject",
            [],
            |row| {
                Ok(PersonRow {
                    subject: row.get("subject")?,
                    name: row.get("name")?,
                    rights_json: row.get("rights_json")?,
                    seen_ms: row.get("seen_ms")?,
                })
            },
        )
    }

    fn links(&self) -> Result<Vec<LinkRow>, StoreError> {
        all(
            &self.reader(),
            "read the tokens that were handed on",
            "SELECT * FROM link ORDER BY created_ms, id",
            [],
            |row| {
                Ok(LinkRow {
                    id: row.get("id")?,
                    label: row.get("label")?,
                    maker: row.get("maker")?,
                    chain_json: row.get("chain_json")?,
                    limits_json: row.get("limits_json")?,
                    created_ms: row.get("created_ms")?,
                })
            },
        )
    }

    fn sessions(&self) -> Result<Vec<SessionRow>, StoreError> {
        all(
            &self.reader(),
            "read the sessions",
            "SELECT * FROM session ORDER BY created_ms, id",
            [],
            |row| {
                Ok(SessionRow {
                    id: row.get("id")?,
                    subject: row.get("subject")?,
                    chain_json: row.get("chain_json")?,
                    sealed: row.get("sealed")?,
                    client: row.get("client")?,
                    created_ms: row.get("created_ms")?,
                    seen_ms: row.get("seen_ms")?,
                })
            },
        )
    }

    fn fairies(&self) -> Result<Vec<FairyRow>, StoreError> {
        all(
            &self.reader(),
            "read the fairies",
            "SELECT * FROM fairy WHERE dismissed_ms IS NULL ORDER BY created_ms, id",
            [],
            fairy,
        )
    }

    fn fairy(&self, id: &str) -> Result<Option<FairyRow>, StoreError> {
        one(
            &self.reader(),
            "read a fairy",
            "SELECT * FROM fairy WHERE id = ?1",
            [id],
            fairy,
        )
    }

    fn messages(&self, chat: &str) -> Result<Vec<MessageRow>, StoreError> {
        all(
            &self.reader(),
            "read a chat",
            "SELECT * FROM message WHERE chat = ?1 ORDER BY ord",
            [chat],
            |row| {
                Ok(MessageRow {
                    id: row.get("id")?,
                    chat: row.get("chat")?,
                    role: row.get("role")?,
                    body_json: row.get("body_json")?,
                    created_ms: row.get("created_ms")?,
                })
            },
        )
    }

    fn tasks(&self) -> Result<Vec<TaskRow>, StoreError> {
        all(
            &self.reader(),
            "read the tasks",
            "SELECT * FROM task ORDER BY position, id",
            [],
            |row| {
                Ok(TaskRow {
                    id: row.get("id")?,
                    title: row.get("title")?,
                    text: row.get("text")?,
                    page: row.get("page")?,
                    bounds_json: row.get("bounds_json")?,
                    status: row.get("status")?,
                    assignee: row.get("assignee")?,
                    project: row.get("project")?,
                    created_by: row.get("created_by")?,
                    created_ms: row.get("created_ms")?,
                    position: row.get("position")?,
                })
            },
        )
    }

    fn projects(&self, most_ended: u32) -> Result<Vec<ProjectRow>, StoreError> {
        let db = self.reader();
        let mut projects = all(
            &db,
            "read the projects",
            "SELECT * FROM project WHERE status = 'active' OR id IN
                 (SELECT id FROM project WHERE status <> 'active'
                  ORDER BY created_ms DESC, id LIMIT ?1)
             ORDER BY created_ms, id",
            [most_ended],
            |row| {
                Ok(ProjectRow {
                    id: row.get("id")?,
                    page: row.get("page")?,
                    status: row.get("status")?,
                    created_ms: row.get("created_ms")?,
                    ended_ms: row.get("ended_ms")?,
                    body_json: row.get("body_json")?,
                    members: Vec::new(),
                    waits: Vec::new(),
                })
            },
        )?;
        for project in &mut projects {
            project.members = all(
                &db,
                "read a project's members",
                "SELECT fairy, role FROM project_member WHERE project = ?1 ORDER BY position",
                [&project.id],
                |row| Ok((row.get(0)?, row.get(1)?)),
            )?;
            project.waits = all(
                &db,
                "read a project's waits",
                "SELECT fairy, body_json FROM wait WHERE project = ?1 ORDER BY position",
                [&project.id],
                |row| Ok((row.get(0)?, row.get(1)?)),
            )?;
        }
        Ok(projects)
    }
}

fn fairy(row: &Row<'_>) -> rusqlite::Result<FairyRow> {
    Ok(FairyRow {
        id: row.get("id")?,
        name: row.get("name")?,
        page: row.get("page")?,
        model: row.get("model")?,
        sign: row.get("sign")?,
        hat: row.get("hat")?,
        hat_color: row.get("hat_color")?,
        color: row.get("color")?,
        settings_json: row.get("settings_json")?,
        state_json: row.get("state_json")?,
        position_json: row.get("position_json")?,
        created_ms: row.get("created_ms")?,
    })
}

fn all<T>(
    db: &Connection,
    doing: &'static str,
    sql: &str,
    values: impl Params,
    row: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
) -> Result<Vec<T>, StoreError> {
    db.prepare_cached(sql)
        .and_then(|mut statement| statement.query_map(values, row)?.collect())
        .map_err(|e| StoreError::database(doing, e))
}

fn one<T>(
    db: &Connection,
    doing: &'static str,
    sql: &str,
    values: impl Params,
    row: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
) -> Result<Option<T>, StoreError> {
    db.prepare_cached(sql)
        .and_then(|mut statement| statement.query_row(values, row).optional())
        .map_err(|e| StoreError::database(doing, e))
}
