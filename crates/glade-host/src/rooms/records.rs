//! What a room keeps, as changes of the store.

use glade_doc::PageId;
use glade_room::{Record, Suggestion};
use glade_store::{AuditKind, Change, RunOwner, RunRow, RunStatus, RunTarget};
use serde_json::json;

use crate::{audit, rows};

pub(super) fn changes(page: &PageId, records: Vec<Record>) -> impl Iterator<Item = Change> {
    records.into_iter().map(|record| change(page, record))
}

fn change(page: &PageId, record: Record) -> Change {
    match record {
        Record::Peer { peer, subject } => Change::BindPeer {
            page: page.to_string(),
            peer,
            subject,
        },
        Record::Update {
            spans,
            blob,
            subject,
            at_ms,
        } => Change::AppendUpdate {
            page: page.to_string(),
            peer_spans: spans
                .iter()
                .map(|span| (span.peer, span.from, span.to))
                .collect(),
            blob,
            subject,
            at_ms,
        },
        Record::Suggestion(suggestion) => Change::PutRun(run_row(page, suggestion)),
        Record::Span { run, span } => Change::PutSpan {
            run: run.to_string(),
            page: page.to_string(),
            peer: span.peer,
            from: span.from,
            to: span.to,
        },
        Record::Touches(touches) => Change::PutTouches {
            page: page.to_string(),
            rows: touches
                .iter()
                .map(|touch| rows::touch_row(page, touch))
                .collect(),
        },
        Record::ClosedTouches(keys) => Change::CloseTouches {
            keys: keys.iter().map(|key| rows::touch_key(page, key)).collect(),
        },
        Record::Joined {
            subject,
            what,
            write,
        } => {
            let body = json!({ "page": page.as_str(), "what": what, "write": write });
            audit::entry(AuditKind::Join, &subject, body)
        }
        Record::Refused {
            subject,
            code,
            reason,
            count,
        } => {
            let about = json!({ "page": page.as_str(), "code": code });
            let body = audit::refusal_body(about, reason, count);
            audit::entry(AuditKind::Refusal, &subject, body)
        }
    }
}

/// The row of a suggester's run.
pub(super) fn run_row(page: &PageId, suggestion: Suggestion) -> RunRow {
    let elements: Vec<String> = suggestion
        .elements
        .iter()
        .map(ToString::to_string)
        .collect();
    RunRow {
        id: suggestion.run.to_string(),
        owner: RunOwner::over_a_line(&suggestion.subject),
        target: RunTarget::Pages(page.to_string()),
        message: String::new(),
        status: RunStatus::Pending,
        settled: false,
        started_ms: suggestion.started_ms,
        ended_ms: Some(suggestion.ended_ms),
        cost_json: "{}".to_owned(),
        error: None,
        elements_json: serde_json::to_string(&elements).unwrap_or_default(),
    }
}
