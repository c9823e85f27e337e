//! The schema and how it grows.
//!
//! `PRAGMA user_version` counts the migrations a database has had. A new one is appended to
//! [`MIGRATIONS`]; those already released never change.

use rusqlite::Connection;

/// Marks a database as Glade's own (`GLAD`).
pub(crate) const APPLICATION_ID: i64 = 0x474c_4144;

const MIGRATIONS: &[&str] = &[
    include_str!("schema/001_first_light.sql"),
    include_str!("schema/002_audit.sql"),
    include_str!("schema/003_revoked.sql"),
    include_str!("schema/004_blob.sql"),
    include_str!("schema/005_trash.sql"),
    include_str!("schema/006_fairy.sql"),
    include_str!("schema/007_task.sql"),
    include_str!("schema/008_merkle.sql"),
    include_str!("schema/009_people.sql"),
    include_str!("schema/010_code.sql"),
    include_str!("schema/011_epoch.sql"),
    include_str!("schema/012_project.sql"),
    include_str!("schema/013_session.sql"),
    include_str!("schema/014_formats.sql"),
    include_str!("schema/015_run_read.sql"),
];

/// The newest schema version that this build reads.
pub(crate) fn newest() -> i64 {
    i64::try_from(MIGRATIONS.len()).unwrap_or(i64::MAX)
}

/// Applies the migrations that the database lacks, each whole or not at all.
pub(crate) fn migrate(connection: &mut Connection, from: i64) -> rusqlite::Result<()> {
    let done = usize::try_from(from).unwrap_or(0);
    for (sql, version) in MIGRATIONS.iter().zip(1i64..).skip(done) {
        let transaction = connection.transaction()?;
        transaction.execute_batch(sql)?;
        transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
        transaction.pragma_update(None, "user_version", version)?;
        transaction.commit()?;
    }
    Ok(())
}

/// Whether a database has the tables of its version and `more`, as they are made here, and nothing
/// else: no trigger or view that somebody put there.
pub(crate) fn is_ours(connection: &Connection, more: &str) -> rusqlite::Result<bool> {
    let version: i64 = connection.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    let Some(done) = usize::try_from(version)
        .ok()
        .filter(|done| *done <= MIGRATIONS.len())
    else {
        return Ok(false);
    };
    let wanted = Connection::open_in_memory()?;
    for sql in &MIGRATIONS[..done] {
        wanted.execute_batch(sql)?;
    }
    wanted.execute_batch(more)?;
    Ok(made_of(&wanted)? == made_of(connection)?)
}

/// All that a schema consists of, but for what SQLite keeps by itself.
fn made_of(connection: &Connection) -> rusqlite::Result<Vec<(String, String, Option<String>)>> {
    let mut statement = connection.prepare(
        "SELECT type, name, sql FROM sqlite_schema
         WHERE NOT (type = 'table' AND name IN ('sqlite_stat1', 'sqlite_stat4'))
         ORDER BY type, name",
    )?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
    rows.collect()
}
