//! Rows that are added or replaced whole. Always an upsert: see the note in the schema.

use std::collections::BTreeSet;

use rusqlite::{Connection, OptionalExtension, params};

use super::{Parent, run as execute, run_under};
use crate::error::StoreError;
use crate::peer;
use crate::rows::{FairyRow, MessageRow, PageRow, RunRow, StepRow, TaskRow, TouchKey, TouchRow};

pub(super) fn setting(db: &Connection, key: &str, value: &str) -> Result<(), StoreError> {
    execute(
        db,
        "put a setting",
        "INSERT INTO setting (key, value) VALUES (?1, ?2)
         ON CONFLICT (key) DO UPDATE SET value = excluded.value",
        params![key, value],
    )
}

pub(super) fn page(db: &Connection, row: &PageRow) -> Result<(), StoreError> {
    if !row.position.is_finite() {
        return Err(StoreError::Invalid(format!(
            "page {} at position {}",
            row.id, row.position
        )));
    }
    execute(
        db,
        "put a page",
        "INSERT INTO page (id, name, kind, tier, position, created_ms)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6)
         ON CONFLICT (id) DO UPDATE SET name = excluded.name, kind = excluded.kind,
             tier = excluded.tier, position = excluded.position, created_ms = excluded.created_ms",
        params![
            row.id,
            row.name,
            row.kind,
            row.tier,
            row.position,
            row.created_ms
        ],
    )
}

pub(super) fn fairy(db: &Connection, row: &FairyRow) -> Result<(), StoreError> {
    execute(
        db,
        "put a fairy",
        "INSERT INTO fairy (id, name, page, model, sign, hat, hat_color, color, state_json,
             position_json, created_ms, settings_json)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)
         ON CONFLICT (id) DO UPDATE SET name = excluded.name, page = excluded.page,
             model = excluded.model, sign = excluded.sign, hat = excluded.hat,
             hat_color = excluded.hat_color, color = excluded.color,
             state_json = excluded.state_json, position_json = excluded.position_json,
             created_ms = excluded.created_ms, settings_json = excluded.settings_json",
        params![
            row.id,
            row.name,
            row.page,
            row.model,
            row.sign,
            row.hat,
            row.hat_color,
            row.color,
            row.state_json,
            row.position_json,
            row.created_ms,
            row.settings_json
        ],
    )
}

pub(super) fn run(db: &Connection, row: &RunRow) -> Result<(), StoreError> {
    execute(
        db,
        "put a run",
        "INSERT INTO run (id, fairy, page, message, status, settled, started_ms, ended_ms,
             cost_json, error, elements_json)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
         ON CONFLICT (id) DO UPDATE SET fairy = excluded.fairy, page = excluded.page,
             message = excluded.message, status = excluded.status, settled = excluded.settled,
             started_ms = excluded.started_ms, ended_ms = excluded.ended_ms,
             cost_json = excluded.cost_json, error = excluded.error,
             elements_json = excluded.elements_json",
        params![
            row.id,
            row.owner.column(),
            row.target.name(),
            row.message,
            row.status.as_str(),
            row.settled,
            row.started_ms,
            row.ended_ms,
            row.cost_json,
            row.error,
            row.elements_json
        ],
    )
}

pub(super) fn step(db: &Connection, row: &StepRow) -> Result<(), StoreError> {
    run_under(
        db,
        "put a step",
        &[Parent::Run(&row.run)],
        "INSERT INTO step (run, idx, model, prompt_json, answer, started_ms, ended_ms,
             input_tokens, output_tokens, error)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
         ON CONFLICT (run, idx) DO UPDATE SET model = excluded.model,
             prompt_json = excluded.prompt_json, answer = excluded.answer,
             started_ms = excluded.started_ms, ended_ms = excluded.ended_ms,
             input_tokens = excluded.input_tokens, output_tokens = excluded.output_tokens,
             error = excluded.error",
        params![
            row.run,
            row.index,
            row.model,
            row.prompt_json,
            row.answer,
            row.started_ms,
            row.ended_ms,
            row.input_tokens,
            row.output_tokens,
            row.error
        ],
    )
}

/// Joins the new span with those it touches, so that a run's spans stay disjoint and few.
pub(super) fn span(
    db: &Connection,
    run: &str,
    page: &str,
    peer: u64,
    from: i32,
    to: i32,
) -> Result<(), StoreError> {
    if from < 0 || to <= from {
        return Err(StoreError::Invalid(format!(
            "run {run} with the counters {from}..{to} of peer {peer}"
        )));
    }
    let peer = peer::to_sql(peer);
    let touching = "run = ?1 AND page = ?2 AND peer = ?3 AND start <= ?5 AND stop >= ?4";
    let joined: Option<(i32, i32)> = db
        .prepare_cached(&format!(
            "SELECT min(start), max(stop) FROM span WHERE {touching} HAVING count(*) > 0"
        ))
        .and_then(|mut statement| {
            statement
                .query_row(params![run, page, peer, from, to], |row| {
                    Ok((row.get(0)?, row.get(1)?))
                })
                .optional()
        })
        .map_err(|e| StoreError::database("look a run's spans up", e))?;
    let (start, stop) = match joined {
        Some((start, stop)) => (from.min(start), to.max(stop)),
        None => (from, to),
    };
    db.prepare_cached(&format!("DELETE FROM span WHERE {touching}"))
        .and_then(|mut statement| statement.execute(params![run, page, peer, from, to]))
        .map_err(|e| StoreError::database("join a run's spans", e))?;
    run_under(
        db,
        "put a span",
        &[Parent::Run(run)],
        "INSERT INTO span (run, page, peer, start, stop) VALUES (?1, ?2, ?3, ?4, ?5)",
        params![run, page, peer, start, stop],
    )
}

pub(super) fn read(db: &Connection, run: &str, pages: &BTreeSet<String>) -> Result<(), StoreError> {
    for page in pages {
        run_under(
            db,
            "note what a run read",
            &[Parent::Run(run)],
            "INSERT INTO run_read (run, page) VALUES (?1, ?2) ON CONFLICT (run, page) DO NOTHING",
            params![run, page],
        )?;
    }
    Ok(())
}

pub(super) fn touches(db: &Connection, page: &str, rows: &[TouchRow]) -> Result<(), StoreError> {
    for row in rows {
        if row.page != page {
            return Err(StoreError::Invalid(format!(
                "a touch of page {} among those of page {page}",
                row.page
            )));
        }
        run_under(
            db,
            "put a touch",
            &[Parent::Page(page), Parent::Run(&row.run)],
            "INSERT INTO touch (page, element, run, action, property, body_json)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6)
             ON CONFLICT (page, element, run, action, property)
             DO UPDATE SET body_json = excluded.body_json, pending = 1",
            params![
                row.page,
                row.element,
                row.run,
                row.action,
                row.property,
                row.body_json
            ],
        )?;
    }
    Ok(())
}

pub(super) fn close_touches(db: &Connection, keys: &[TouchKey]) -> Result<(), StoreError> {
    keys.iter().try_for_each(|key| {
        execute(
            db,
            "close a touch",
            "UPDATE touch SET pending = 0
             WHERE page = ?1 AND element = ?2 AND run = ?3 AND action = ?4 AND property = ?5",
            params![key.page, key.element, key.run, key.action, key.property],
        )
    })
}

pub(super) fn message(db: &Connection, row: &MessageRow) -> Result<(), StoreError> {
    execute(
        db,
        "put a message",
        "INSERT INTO message (id, chat, role, body_json, created_ms) VALUES (?1, ?2, ?3, ?4, ?5)
         ON CONFLICT (id) DO UPDATE SET chat = excluded.chat, role = excluded.role,
             body_json = excluded.body_json, created_ms = excluded.created_ms",
        params![row.id, row.chat, row.role, row.body_json, row.created_ms],
    )
}

pub(super) fn task(db: &Connection, row: &TaskRow) -> Result<(), StoreError> {
    if !row.position.is_finite() {
        return Err(StoreError::Invalid(format!(
            "task {} at position {}",
            row.id, row.position
        )));
    }
    run_under(
        db,
        "put a task",
        &[Parent::Page(&row.page)],
        "INSERT INTO task (id, title, text, page, bounds_json, status, assignee, project,
             created_by, created_ms, position)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
         ON CONFLICT (id) DO UPDATE SET title = excluded.title, text = excluded.text,
             page = excluded.page, bounds_json = excluded.bounds_json, status = excluded.status,
             assignee = excluded.assignee, project = excluded.project,
             created_by = excluded.created_by, created_ms = excluded.created_ms,
             position = excluded.position",
        params![
            row.id,
            row.title,
            row.text,
            row.page,
            row.bounds_json,
            row.status,
            row.assignee,
            row.project,
            row.created_by,
            row.created_ms,
            row.position
        ],
    )
}
