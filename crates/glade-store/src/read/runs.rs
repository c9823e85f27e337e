//! Runs, their steps and spans, and what they touched.

use std::collections::BTreeSet;

use rusqlite::{Connection, Row, named_params};

use super::{Reader, all, listed, one, source, unfit};
use crate::backend::ReadRuns;
use crate::error::StoreError;
use crate::peer;
use crate::rows::{RunFilter, RunRow, RunStatus, SpanRow, StepRow, TouchRow, WhyRow};
use crate::run::{RunOwner, RunTarget};
use crate::unreadable::{Listed, Source};

const RUN: Source = source("run", &["id"], "read the runs");
const STEP: Source = source("step", &["run", "idx"], "read a run's steps");
const SPAN: Source = source(
    "span",
    &["run", "page", "peer", "start"],
    "read a run's spans",
);
const READ: Source = source("run_read", &["run", "page"], "read where a run looked");
const TOUCH: Source = source(
    "touch",
    &["page", "element", "run", "action", "property"],
    "read what runs touched",
);

impl<R: Reader> ReadRuns for R {
    fn runs(&self, filter: RunFilter) -> Result<Listed<RunRow>, StoreError> {
        listed(
            &self.reader(),
            RUN,
            "SELECT * FROM run
             WHERE (:fairy IS NULL OR fairy = :fairy) AND (:page IS NULL OR page = :page)
               AND (:status IS NULL OR status = :status)
               AND (:settled IS NULL OR settled = :settled)
               AND (:since IS NULL OR started_ms >= :since)
               AND (:until IS NULL OR started_ms <= :until)
             ORDER BY started_ms DESC, ord DESC LIMIT :limit",
            named_params! {
                ":fairy": filter.fairy,
                ":page": filter.target.as_ref().map(RunTarget::name),
                ":status": filter.status.map(RunStatus::as_str),
                ":settled": filter.settled,
                ":since": filter.since_ms,
                ":until": filter.until_ms,
                ":limit": filter.limit.map_or(-1, i64::from),
            },
            run,
        )
    }

    fn run(&self, id: &str) -> Result<Option<RunRow>, StoreError> {
        one(
            &self.reader(),
            RUN,
            "SELECT * FROM run WHERE id = ?1",
            [id],
            run,
        )
    }

    fn steps_of_run(&self, run: &str) -> Result<Vec<StepRow>, StoreError> {
        all(
            &self.reader(),
            STEP,
            "SELECT * FROM step WHERE run = ?1 ORDER BY idx",
            [run],
            step,
        )
    }

    fn steps_in_short(&self, run: &str) -> Result<Vec<StepRow>, StoreError> {
        all(
            &self.reader(),
            STEP,
            "SELECT run, idx, model, '' AS prompt_json, '' AS answer, started_ms, ended_ms, input_tokens,
                    output_tokens, error
             FROM step WHERE run = ?1 ORDER BY idx",
            [run],
            step,
        )
    }

    fn spans_of_run(&self, run: &str) -> Result<Vec<SpanRow>, StoreError> {
        let mut spans = all(
            &self.reader(),
            SPAN,
            "SELECT * FROM span WHERE run = ?1",
            [run],
            span,
        )?;
        spans.sort();
        Ok(spans)
    }

    fn pages_read_by(&self, run: &str) -> Result<BTreeSet<String>, StoreError> {
        let pages = all(
            &self.reader(),
            READ,
            "SELECT * FROM run_read WHERE run = ?1",
            [run],
            |row| row.get("page"),
        )?;
        Ok(pages.into_iter().collect())
    }

    fn pending_spans(&self, page: &str) -> Result<Vec<SpanRow>, StoreError> {
        let mut spans = all(
            &self.reader(),
            SPAN,
            // What an undo did has the highest number as its action: taking it back needs no past.
            "SELECT * FROM span WHERE page = ?1 AND run IN
                (SELECT run FROM touch WHERE page = ?1 AND pending = 1 AND action < 4294967295
                 UNION SELECT id FROM run WHERE settled = 0 AND status = 'running')",
            [page],
            span,
        )?;
        spans.sort();
        Ok(spans)
    }

    fn touches_of_run(&self, run: &str) -> Result<Vec<TouchRow>, StoreError> {
        all(
            &self.reader(),
            TOUCH,
            "SELECT * FROM touch WHERE run = ?1 ORDER BY action, page, element, property",
            [run],
            touch,
        )
    }

    fn run_of_op(&self, page: &str, peer: u64, counter: i32) -> Result<Option<RunRow>, StoreError> {
        one(
            &self.reader(),
            RUN,
            "SELECT run.* FROM run JOIN span ON span.run = run.id
             WHERE span.page = ?1 AND span.peer = ?2 AND span.start <= ?3 AND span.stop > ?3",
            rusqlite::params![page, peer::to_sql(peer), counter],
            run,
        )
    }

    fn why(&self, page: &str, element: &str) -> Result<Vec<WhyRow>, StoreError> {
        why(&self.reader(), page, element)
    }
}

pub(crate) fn why(
    reader: &Connection,
    page: &str,
    element: &str,
) -> Result<Vec<WhyRow>, StoreError> {
    let db = reader
        .unchecked_transaction()
        .map_err(|e| StoreError::database("begin to read", e))?;
    let runs = all(
        &db,
        RUN,
        "SELECT * FROM run
         WHERE id IN (SELECT run FROM touch WHERE page = ?1 AND element = ?2)
         ORDER BY started_ms, ord",
        [page, element],
        run,
    )?;
    runs.into_iter()
        .map(|run| {
            let touches = all(
                &db,
                TOUCH,
                "SELECT * FROM touch WHERE page = ?1 AND element = ?2 AND run = ?3
                 ORDER BY action, property",
                [page, element, &run.id],
                touch,
            )?;
            Ok(WhyRow { run, touches })
        })
        .collect()
}

/// The pending touches of a page, in the order of runs and, inside a run, of actions.
pub(super) fn touches_of_page(db: &Connection, page: &str) -> Result<Vec<TouchRow>, StoreError> {
    all(
        db,
        TOUCH,
        "SELECT touch.* FROM touch JOIN run ON run.id = touch.run WHERE touch.page = ?1 AND touch.pending = 1
         ORDER BY run.started_ms, run.ord, touch.action, touch.element, touch.property",
        [page],
        touch,
    )
}

fn run(row: &Row<'_>) -> rusqlite::Result<RunRow> {
    Ok(RunRow {
        id: row.get("id")?,
        owner: typed(row, "fairy", RunOwner::parse)?,
        target: typed(row, "page", RunTarget::parse)?,
        status: typed(row, "status", RunStatus::parse)?,
        message: row.get("message")?,
        settled: row.get("settled")?,
        started_ms: row.get("started_ms")?,
        ended_ms: row.get("ended_ms")?,
        cost_json: row.get("cost_json")?,
        error: row.get("error")?,
        elements_json: row.get("elements_json")?,
    })
}

/// A column that only some texts make sense in.
fn typed<T>(row: &Row<'_>, column: &str, parse: fn(&str) -> Option<T>) -> rusqlite::Result<T> {
    let text: String = row.get(column)?;
    parse(&text).ok_or_else(|| unfit(row, column, format!("is {text:?}")))
}

fn span(row: &Row<'_>) -> rusqlite::Result<SpanRow> {
    Ok(SpanRow {
        run: row.get("run")?,
        page: row.get("page")?,
        peer: peer::from_sql(row.get("peer")?),
        from: row.get("start")?,
        to: row.get("stop")?,
    })
}

fn step(row: &Row<'_>) -> rusqlite::Result<StepRow> {
    Ok(StepRow {
        run: row.get("run")?,
        index: row.get("idx")?,
        model: row.get("model")?,
        prompt_json: row.get("prompt_json")?,
        answer: row.get("answer")?,
        started_ms: row.get("started_ms")?,
        ended_ms: row.get("ended_ms")?,
        input_tokens: row.get("input_tokens")?,
        output_tokens: row.get("output_tokens")?,
        error: row.get("error")?,
    })
}

fn touch(row: &Row<'_>) -> rusqlite::Result<TouchRow> {
    Ok(TouchRow {
        run: row.get("run")?,
        page: row.get("page")?,
        action: row.get("action")?,
        element: row.get("element")?,
        property: row.get("property")?,
        body_json: row.get("body_json")?,
    })
}
