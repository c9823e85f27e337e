//! Reading. Each method is one query, or several inside one read transaction, so that what it
//! answers was all true at the same moment.

mod code;
mod pages;
mod runs;

use std::ops::Deref;

use rusqlite::types::Type;
use rusqlite::{Connection, Params, Row};

use crate::audit::{digest, rights};
use crate::backend::ReadRest;
use crate::blob::{Blob, BlobKind};
use crate::error::StoreError;
use crate::rows::{FairyRow, LinkRow, MessageRow, PersonRow, ProjectRow, SessionRow, TaskRow};
use crate::unreadable::{Listed, Source, Unreadable};

pub(crate) use pages::{document, epoch, kinds, last_seq, snapshot_seq};
pub(crate) use runs::why;

/// A chat is read as far back as this: whoever goes on talking must not make it more than memory holds.
const MOST_CHAT_BYTES: i64 = 16 << 20;

impl<R: Reader> ReadRest for R {
    fn setting(&self, key: &str) -> Result<Option<String>, StoreError> {
        one(
            &self.reader(),
            source("setting", &["key"], "read a setting"),
            "SELECT value FROM setting WHERE key = ?1",
            [key],
            |row| row.get(0),
        )
    }

    fn setting_keys(&self) -> Result<Vec<String>, StoreError> {
        all(
            &self.reader(),
            source("setting", &["key"], "read the settings"),
            "SELECT key FROM setting",
            [],
            |row| row.get(0),
        )
    }

    fn blob(&self, id: &str) -> Result<Option<Blob>, StoreError> {
        let found: Option<(String, Vec<u8>)> = one(
            &self.reader(),
            source("blob", &["id"], "read a picture"),
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
            source("blob", &[], "weigh the pictures"),
            "SELECT COALESCE(SUM(LENGTH(bytes)), 0) FROM blob",
            [],
            |row| row.get(0),
        )?;
        Ok(sum.map_or(0, |sum| sum.try_into().unwrap_or(0)))
    }

    fn revoked(&self) -> Result<Vec<String>, StoreError> {
        let db = self.reader();
        let mut revoked = all(
            &db,
            source("revoked", &["id"], "read the revoked tokens"),
            "SELECT id FROM revoked",
            [],
            |row| row.get::<_, String>(0),
        )?;
        // What the chain says was taken back stays taken back, whatever became of its row.
        for id in rights::read(&db)?.revoked {
            if !revoked.contains(&id) {
                tracing::error!(
                    "the revocation of token {id} is in the audit chain and no longer in its table: it holds all the same. Run `glade audit verify`"
                );
                revoked.push(id);
            }
        }
        Ok(revoked)
    }

    fn contradicted(&self) -> Result<Vec<Unreadable>, StoreError> {
        let db = self.reader();
        let differing = rights::read(&db)?.differing(&db);
        let differing =
            differing.map_err(|e| StoreError::database("read what decides rights", e))?;
        let named = differing.into_iter().map(|one| {
            let reason = format!("{} (the audit chain says otherwise)", one.how);
            Unreadable::new(&one.row.0, &one.row.1, "row", reason)
        });
        Ok(named.collect())
    }

    fn people(&self) -> Result<Listed<PersonRow>, StoreError> {
        listed(
            &self.reader(),
            source("person", &["subject"], "read the people"),
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

    fn links(&self) -> Result<Listed<LinkRow>, StoreError> {
        listed(
            &self.reader(),
            source("link", &["id"], "read the tokens that were handed on"),
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

    fn sessions(&self) -> Result<Listed<SessionRow>, StoreError> {
        listed(
            &self.reader(),
            source("session", &["id"], "read the sessions"),
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

    fn fairies(&self) -> Result<Listed<FairyRow>, StoreError> {
        listed(
            &self.reader(),
            source("fairy", &["id"], "read the fairies"),
            "SELECT * FROM fairy WHERE dismissed_ms IS NULL ORDER BY created_ms, id",
            [],
            fairy,
        )
    }

    fn fairy(&self, id: &str) -> Result<Option<FairyRow>, StoreError> {
        one(
            &self.reader(),
            source("fairy", &["id"], "read a fairy"),
            "SELECT * FROM fairy WHERE id = ?1",
            [id],
            fairy,
        )
    }

    fn messages(&self, chat: &str) -> Result<Vec<MessageRow>, StoreError> {
        all(
            &self.reader(),
            source("message", &["id"], "read a chat"),
            "SELECT * FROM (
                SELECT *, SUM(length(CAST(body_json AS BLOB))) OVER (ORDER BY ord DESC) AS bytes
                FROM message WHERE chat = ?1
            ) WHERE bytes <= ?2 ORDER BY ord",
            (chat, MOST_CHAT_BYTES),
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

    fn tasks(&self) -> Result<Listed<TaskRow>, StoreError> {
        listed(
            &self.reader(),
            source("task", &["id"], "read the tasks"),
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

    fn projects(&self, most_ended: u32) -> Result<Listed<ProjectRow>, StoreError> {
        let db = self.reader();
        let found = listed(
            &db,
            source("project", &["id"], "read the projects"),
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
        let (mut rows, mut unreadable) = (Vec::new(), found.unreadable);
        for mut project in found.rows {
            match members_and_waits(&db, &mut project) {
                Ok(()) => rows.push(project),
                Err(StoreError::Unreadable(part)) => unreadable.push(part),
                Err(error) => return Err(error),
            }
        }
        Ok(Listed { rows, unreadable })
    }
}

fn members_and_waits(db: &Connection, project: &mut ProjectRow) -> Result<(), StoreError> {
    project.members = all(
        db,
        source(
            "project_member",
            &["project", "position"],
            "read a project's members",
        ),
        "SELECT * FROM project_member WHERE project = ?1 ORDER BY position",
        [&project.id],
        |row| Ok((row.get("fairy")?, row.get("role")?)),
    )?;
    project.waits = all(
        db,
        source("wait", &["project", "position"], "read a project's waits"),
        "SELECT * FROM wait WHERE project = ?1 ORDER BY position",
        [&project.id],
        |row| Ok((row.get("fairy")?, row.get("body_json")?)),
    )?;
    Ok(())
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

/// Something whose database can be read.
pub(crate) trait Reader {
    fn reader(&self) -> impl Deref<Target = Connection>;
}

const fn source(table: &'static str, key: &'static [&'static str], doing: &'static str) -> Source {
    Source { table, key, doing }
}

/// An error about what lies in a column; the column's number is the one that is read from.
fn unfit(row: &Row<'_>, column: &str, reason: String) -> rusqlite::Error {
    let at = row.as_ref().column_index(column).unwrap_or(usize::MAX);
    rusqlite::Error::FromSqlConversionFailure(at, Type::Text, reason.into())
}

/// The rows that can be read, and the others by name.
fn listed<T>(
    db: &Connection,
    from: Source,
    sql: &str,
    values: impl Params,
    mut read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
) -> Result<Listed<T>, StoreError> {
    let failed = |e| StoreError::database(from.doing, e);
    let mut found = Listed {
        rows: Vec::new(),
        unreadable: Vec::new(),
    };
    let mut statement = db.prepare_cached(sql).map_err(failed)?;
    let mut rows = statement.query(values).map_err(failed)?;
    while let Some(row) = rows.next().map_err(failed)? {
        match read(row) {
            Ok(value) => found.rows.push(value),
            Err(error) => found.unreadable.push(from.unreadable(row, error)?),
        }
    }
    Ok(found)
}

/// All rows; an error that names the first that cannot be read.
fn all<T>(
    db: &Connection,
    from: Source,
    sql: &str,
    values: impl Params,
    read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
) -> Result<Vec<T>, StoreError> {
    listed(db, from, sql, values, read)?.whole()
}

fn one<T>(
    db: &Connection,
    from: Source,
    sql: &str,
    values: impl Params,
    read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
) -> Result<Option<T>, StoreError> {
    Ok(all(db, from, sql, values, read)?.into_iter().next())
}
