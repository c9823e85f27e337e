//! What the entries tell of other rows, held against those rows.

use std::collections::{BTreeMap, BTreeSet};

use rusqlite::{Connection, OptionalExtension};
use serde_json::Value;

use super::derive::session_digest;
use super::{Finding, Report, digest, rights};
use crate::error::StoreError;
use crate::run::RunOwner;

/// The first format in which what decides rights is entered.
const RIGHTS: i64 = 14;

/// The last word of the chain on each row that it tells of.
#[derive(Default)]
pub(super) struct ChainClaims {
    /// By page and number: the update's digest.
    updates: BTreeMap<(String, i64), String>,
    /// By page: the digest of the snapshot, and through which update.
    snapshots: BTreeMap<String, (String, i64)>,
    /// By page and epoch: the digest of what was archived.
    archives: BTreeMap<(String, i64), String>,
    blobs: BTreeSet<String>,
    /// By run and number: the digests of prompt and answer.
    steps: BTreeMap<(String, i64), (String, String)>,
    runs: BTreeMap<String, Asked>,
    /// Those that were opened and not ended; `None` in entries from before there was a digest.
    sessions: BTreeMap<String, Option<String>>,
    rights: rights::ChainRights,
    /// The first of the entries that tell of the rights of rows from before such were kept.
    baseline: Option<i64>,
}

/// What a run was asked, by whom and where, as its entries have it.
#[derive(PartialEq)]
struct Asked {
    message_sha256: String,
    page: String,
    author: String,
}

impl ChainClaims {
    pub(super) fn hear(&mut self, seq: i64, bytes: &[u8]) {
        let told: Value = serde_json::from_slice(bytes).unwrap_or_default();
        self.rights.hear(&told);
        let body = &told["body"];
        let text = |key: &str| body[key].as_str().unwrap_or_default().to_owned();
        let number = |key: &str| body[key].as_i64().unwrap_or_default();
        match told["kind"].as_str().unwrap_or_default() {
            "update" => {
                self.updates
                    .insert((text("page"), number("seq")), text("sha256"));
            }
            "snapshot" => {
                let (page, through) = (text("page"), number("through"));
                // The updates that the snapshot holds leave the log.
                self.updates
                    .retain(|(on, seq), _| *on != page || *seq > through);
                if let Some(epoch) = body["archived"]["epoch"].as_i64() {
                    let archived = body["archived"]["sha256"].as_str().unwrap_or_default();
                    self.archives
                        .insert((page.clone(), epoch), archived.to_owned());
                }
                self.snapshots.insert(page, (text("sha256"), through));
            }
            "blob" => {
                self.blobs.insert(text("blob"));
            }
            "step" => {
                self.steps.insert(
                    (text("run"), number("step")),
                    (text("promptSha256"), text("answerSha256")),
                );
            }
            "run-begun" | "run-changed" | "run-ended" => {
                let asked = Asked {
                    message_sha256: text("messageSha256"),
                    page: text("page"),
                    author: told["subject"].as_str().unwrap_or_default().to_owned(),
                };
                self.runs.insert(text("run"), asked);
            }
            "session-opened" => {
                let sha256 = body["sha256"].as_str().map(str::to_owned);
                self.sessions.insert(text("session"), sha256);
            }
            "sessions-ended" => {
                let ended = body["sessions"].as_array().into_iter().flatten();
                for id in ended.filter_map(Value::as_str) {
                    self.sessions.remove(id);
                }
            }
            "rights" if body["baseline"] == true => {
                self.baseline.get_or_insert(seq);
            }
            "page-deleted" => {
                let page = text("page");
                self.updates.retain(|(on, _), _| *on != page);
                self.archives.retain(|(on, _), _| *on != page);
                self.snapshots.remove(&page);
            }
            _ => {}
        }
    }

    pub(super) fn hold_against(
        self,
        db: &Connection,
        report: &mut Report,
    ) -> Result<(), StoreError> {
        let failed = |e| StoreError::database("read what the entries tell of", e);
        let findings = &mut report.findings;
        compare_snapshots(db, self.snapshots, findings).map_err(failed)?;
        compare_updates(db, self.updates, findings).map_err(failed)?;
        compare_archives(db, self.archives, findings).map_err(failed)?;
        compare_blobs(db, self.blobs, findings).map_err(failed)?;
        compare_steps(db, self.steps, findings).map_err(failed)?;
        compare_runs(db, self.runs, findings).map_err(failed)?;
        report.uncovered_before = self.baseline;
        let version: i64 = db
            .query_row("PRAGMA user_version", [], |row| row.get(0))
            .map_err(failed)?;
        // The rest came with formats that the folder may not have yet.
        if version < RIGHTS {
            report.uncovered_before = Some(report.entries + 1);
            return Ok(());
        }
        compare_sessions(db, &self.sessions, findings).map_err(failed)?;
        compare_revoked(db, &self.rights.revoked, findings).map_err(failed)?;
        for one in self.rights.differing(db).map_err(failed)? {
            wrong(
                findings,
                format!("what decides rights in {} {}", one.row.0, one.row.1),
                one.how,
            );
        }
        Ok(())
    }
}

fn wrong(findings: &mut Vec<Finding>, what: String, reason: &str) {
    findings.push(Finding::Row {
        what,
        reason: reason.to_owned(),
    });
}

fn compare_snapshots(
    db: &Connection,
    mut told: BTreeMap<String, (String, i64)>,
    findings: &mut Vec<Finding>,
) -> rusqlite::Result<()> {
    let mut statement = db.prepare("SELECT page, through_seq, blob FROM page_snapshot")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let page: String = row.get(0)?;
        let found = (digest(row.get_ref(2)?.as_blob()?), row.get(1)?);
        // One that no entry tells of was made before there was an audit.
        if let Some(said) = told.remove(&page)
            && said != found
        {
            wrong(
                findings,
                format!("the snapshot of page {page}"),
                "was changed",
            );
        }
    }
    for page in told.into_keys() {
        wrong(
            findings,
            format!("the snapshot of page {page}"),
            "was dropped",
        );
    }
    Ok(())
}

fn compare_updates(
    db: &Connection,
    mut told: BTreeMap<(String, i64), String>,
    findings: &mut Vec<Finding>,
) -> rusqlite::Result<()> {
    // Backwards, so that the smallest number of each page stays.
    let first: BTreeMap<String, i64> = told
        .keys()
        .rev()
        .map(|(page, seq)| (page.clone(), *seq))
        .collect();
    let mut statement = db.prepare("SELECT page, seq, blob FROM page_update ORDER BY page, seq")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let (page, seq): (String, i64) = (row.get(0)?, row.get(1)?);
        let what = format!("update {seq} of page {page}");
        // Updates before a page's first entry are older than the audit.
        let audited = first.get(&page).is_some_and(|first| seq >= *first);
        match told.remove(&(page, seq)) {
            Some(said) if said == digest(row.get_ref(2)?.as_blob()?) => {}
            Some(_) => wrong(findings, what, "was changed"),
            None if audited => wrong(findings, what, "was slipped in: no entry tells of it"),
            None => {}
        }
    }
    for (page, seq) in told.into_keys() {
        wrong(
            findings,
            format!("update {seq} of page {page}"),
            "was dropped",
        );
    }
    Ok(())
}

/// There are none in a folder that is older than epochs.
fn compare_archives(
    db: &Connection,
    told: BTreeMap<(String, i64), String>,
    findings: &mut Vec<Finding>,
) -> rusqlite::Result<()> {
    for ((page, epoch), said) in told {
        let what = format!("the archive of page {page} before its epoch {}", epoch + 1);
        let found = db
            .query_row(
                "SELECT blob FROM page_archive WHERE page = ?1 AND epoch = ?2",
                rusqlite::params![page, epoch],
                |row| Ok(digest(row.get_ref(0)?.as_blob()?)),
            )
            .optional()?;
        match found {
            Some(found) if found == said => {}
            Some(_) => wrong(findings, what, "was changed"),
            None => wrong(findings, what, "was dropped"),
        }
    }
    Ok(())
}

fn compare_blobs(
    db: &Connection,
    mut told: BTreeSet<String>,
    findings: &mut Vec<Finding>,
) -> rusqlite::Result<()> {
    let mut statement = db.prepare("SELECT id, bytes FROM blob")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let id: String = row.get(0)?;
        if digest(row.get_ref(1)?.as_blob()?) != id {
            wrong(findings, format!("picture {id}"), "was changed");
        } else if !told.contains(&id) {
            let reason = "was slipped in: no entry tells of it";
            wrong(findings, format!("picture {id}"), reason);
        }
        told.remove(&id);
    }
    for id in told {
        wrong(findings, format!("picture {id}"), "was dropped");
    }
    Ok(())
}

fn compare_steps(
    db: &Connection,
    mut told: BTreeMap<(String, i64), (String, String)>,
    findings: &mut Vec<Finding>,
) -> rusqlite::Result<()> {
    let mut statement = db.prepare("SELECT run, idx, prompt_json, answer FROM step")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let key: (String, i64) = (row.get(0)?, row.get(1)?);
        let found = (
            digest(row.get_ref(2)?.as_bytes()?),
            digest(row.get_ref(3)?.as_bytes()?),
        );
        let what = format!("step {} of run {}", key.1, key.0);
        if told.remove(&key).is_some_and(|said| said != found) {
            wrong(findings, what, "was changed");
        }
    }
    for (run, step) in told.into_keys() {
        wrong(findings, format!("step {step} of run {run}"), "was dropped");
    }
    Ok(())
}

fn compare_runs(
    db: &Connection,
    mut told: BTreeMap<String, Asked>,
    findings: &mut Vec<Finding>,
) -> rusqlite::Result<()> {
    let mut statement = db.prepare("SELECT id, message, page, fairy FROM run ORDER BY ord")?;
    let mut rows = statement.query([])?;
    // Runs before the first that is told of are older than the audit.
    let mut audited = false;
    while let Some(row) = rows.next()? {
        let text = |at| -> rusqlite::Result<String> {
            Ok(String::from_utf8_lossy(row.get_ref(at)?.as_bytes()?).into_owned())
        };
        let (id, what) = (text(0)?, format!("run {}", text(0)?));
        let found = Asked {
            message_sha256: digest(row.get_ref(1)?.as_bytes()?),
            page: text(2)?,
            // What names nobody differs from whoever the chain names.
            author: RunOwner::parse(&text(3)?).map_or(text(3)?, |owner| owner.subject()),
        };
        match told.remove(&id) {
            Some(said) => {
                audited = true;
                let changed = [
                    (
                        said.message_sha256 != found.message_sha256,
                        "what was asked in it was changed",
                    ),
                    (said.page != found.page, "its page was changed"),
                    (said.author != found.author, "whose it is was changed"),
                ];
                for (_, reason) in changed.into_iter().filter(|(changed, _)| *changed) {
                    wrong(findings, format!("{what}:"), reason);
                }
            }
            None if audited => wrong(findings, what, "was slipped in: no entry tells of it"),
            None => {}
        }
    }
    for run in told.into_keys() {
        wrong(findings, format!("run {run}"), "was dropped");
    }
    Ok(())
}

/// A backup has no sessions: only those that are there are looked at.
fn compare_sessions(
    db: &Connection,
    told: &BTreeMap<String, Option<String>>,
    findings: &mut Vec<Finding>,
) -> rusqlite::Result<()> {
    let mut statement = db.prepare("SELECT id, subject, chain_json, sealed FROM session")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let text = |at| -> rusqlite::Result<String> {
            Ok(String::from_utf8_lossy(row.get_ref(at)?.as_bytes()?).into_owned())
        };
        let found = session_digest(&text(1)?, &text(2)?, row.get_ref(3)?.as_blob()?);
        let what = format!("session {}", text(0)?);
        match told.get(&text(0)?) {
            Some(said) if said.as_ref().is_none_or(|said| *said == found) => {}
            Some(_) => wrong(findings, what, "was changed"),
            None => wrong(findings, what, "was slipped in: no entry tells of it"),
        }
    }
    Ok(())
}

fn compare_revoked(
    db: &Connection,
    told: &[String],
    findings: &mut Vec<Finding>,
) -> rusqlite::Result<()> {
    let mut one = db.prepare("SELECT 1 FROM revoked WHERE id = ?1")?;
    for id in told {
        if !one.exists([id])? {
            let reason = "was dropped; it holds all the same";
            wrong(findings, format!("the revocation of token {id}"), reason);
        }
    }
    Ok(())
}
