//! Projects with their members and waits, replaced whole.

use rusqlite::{Connection, params};

use super::{Parent, run, run_under};
use crate::error::StoreError;
use crate::rows::ProjectRow;

pub(super) fn project(db: &Connection, row: &ProjectRow) -> Result<(), StoreError> {
    run_under(
        db,
        "put a project",
        &[Parent::Page(&row.page)],
        "INSERT INTO project (id, page, status, created_ms, ended_ms, body_json)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6)
         ON CONFLICT (id) DO UPDATE SET page = excluded.page, status = excluded.status,
             created_ms = excluded.created_ms, ended_ms = excluded.ended_ms,
             body_json = excluded.body_json",
        params![
            row.id,
            row.page,
            row.status,
            row.created_ms,
            row.ended_ms,
            row.body_json
        ],
    )?;
    run(
        db,
        "replace a project's members",
        "DELETE FROM project_member WHERE project = ?1",
        params![row.id],
    )?;
    for (position, (fairy, role)) in (0_i64..).zip(&row.members) {
        run(
            db,
            "put a project's member",
            "INSERT INTO project_member (project, position, fairy, role) VALUES (?1, ?2, ?3, ?4)",
            params![row.id, position, fairy, role],
        )?;
    }
    run(
        db,
        "replace a project's waits",
        "DELETE FROM wait WHERE project = ?1",
        params![row.id],
    )?;
    for (position, (fairy, body)) in (0_i64..).zip(&row.waits) {
        run(
            db,
            "put a wait",
            "INSERT INTO wait (project, position, fairy, body_json) VALUES (?1, ?2, ?3, ?4)",
            params![row.id, position, fairy, body],
        )?;
    }
    Ok(())
}
