//! Pages and their logs.

use rusqlite::{Connection, Row};

use super::{Reader, all, listed, one, source};
use crate::backend::ReadPages;
use crate::error::StoreError;
use crate::peer;
use crate::rows::{PageRow, PeerRow, StoredDocument, StoredPage, UpdateRow};
use crate::unreadable::{Listed, Source};

const PAGE: Source = source("page", &["id"], "read the pages");
const PEER: Source = source("page_peer", &["page", "peer"], "read a page's peers");
const LOG: Source = source("page_update", &["page", "seq"], "read a page's log");
const SNAPSHOT: Source = source("page_snapshot", &["page"], "read a snapshot");

impl<R: Reader> ReadPages for R {
    fn pages(&self) -> Result<Listed<PageRow>, StoreError> {
        listed(
            &self.reader(),
            PAGE,
            "SELECT * FROM page WHERE id NOT IN (SELECT page FROM trash) ORDER BY position, id",
            [],
            page,
        )
    }

    fn page(&self, id: &str) -> Result<Option<PageRow>, StoreError> {
        one(
            &self.reader(),
            PAGE,
            "SELECT * FROM page WHERE id = ?1 AND id NOT IN (SELECT page FROM trash)",
            [id],
            page,
        )
    }

    fn trashed_page(&self, id: &str) -> Result<Option<PageRow>, StoreError> {
        one(
            &self.reader(),
            PAGE,
            "SELECT * FROM page WHERE id = ?1 AND id IN (SELECT page FROM trash)",
            [id],
            page,
        )
    }

    fn subject_of_peer(&self, page: &str, peer: u64) -> Result<Option<String>, StoreError> {
        one(
            &self.reader(),
            PEER,
            "SELECT subject FROM page_peer WHERE page = ?1 AND peer = ?2",
            rusqlite::params![page, peer::to_sql(peer)],
            |row| row.get(0),
        )
    }

    fn load_page(&self, id: &str) -> Result<StoredPage, StoreError> {
        let reader = self.reader();
        let db = reader
            .unchecked_transaction()
            .map_err(|e| StoreError::database("begin to read", e))?;
        let known = one(&db, PAGE, "SELECT 1 FROM page WHERE id = ?1", [id], |_| {
            Ok(())
        })?;
        if known.is_none() {
            return Err(StoreError::Missing {
                kind: "page",
                id: id.to_owned(),
            });
        }
        let mut peers = all(
            &db,
            PEER,
            "SELECT peer, subject FROM page_peer WHERE page = ?1",
            [id],
            |row| {
                Ok(PeerRow {
                    peer: peer::from_sql(row.get("peer")?),
                    subject: row.get("subject")?,
                })
            },
        )?;
        peers.sort();
        let StoredDocument { snapshot, updates } = document(&db, id)?;
        Ok(StoredPage {
            snapshot,
            updates,
            peers,
            touches: super::runs::touches_of_page(&db, id)?,
            last_seq: last_seq(&db, id)?,
            epoch: epoch(&db, id)?,
        })
    }

    fn last_seq(&self, page: &str) -> Result<i64, StoreError> {
        last_seq(&self.reader(), page)
    }

    fn updates_after(&self, page: &str, seq: i64) -> Result<Vec<UpdateRow>, StoreError> {
        all(
            &self.reader(),
            LOG,
            "SELECT * FROM page_update WHERE page = ?1 AND seq > ?2 ORDER BY seq",
            (page, seq),
            |row| {
                Ok(UpdateRow {
                    seq: row.get("seq")?,
                    peer_spans: spans(row.get_ref("spans")?.as_blob()?),
                    blob: row.get("blob")?,
                    subject: row.get("subject")?,
                    at_ms: row.get("at_ms")?,
                })
            },
        )
    }
}

/// Every page with its kind, those in the trash too.
pub(crate) fn kinds(db: &Connection) -> Result<Vec<(String, String)>, StoreError> {
    all(
        db,
        PAGE,
        "SELECT id, kind FROM page ORDER BY id",
        [],
        |row| Ok((row.get(0)?, row.get(1)?)),
    )
}

/// A page's last snapshot, and what was logged since.
pub(crate) fn document(db: &Connection, page: &str) -> Result<StoredDocument, StoreError> {
    let snapshot = one(
        db,
        SNAPSHOT,
        "SELECT blob FROM page_snapshot WHERE page = ?1",
        [page],
        |row| row.get(0),
    )?;
    let updates = all(
        db,
        LOG,
        "SELECT blob FROM page_update WHERE page = ?1 ORDER BY seq",
        [page],
        |row| row.get(0),
    )?;
    Ok(StoredDocument { snapshot, updates })
}

pub(crate) fn last_seq(db: &Connection, page: &str) -> Result<i64, StoreError> {
    let logged: Option<i64> = one(
        db,
        LOG,
        "SELECT max(seq) FROM page_update WHERE page = ?1",
        [page],
        |row| row.get(0),
    )?
    .flatten();
    match logged {
        Some(seq) => Ok(seq),
        None => Ok(snapshot_seq(db, page)?.unwrap_or(0)),
    }
}

/// How often a page's past was let go of.
pub(crate) fn epoch(db: &Connection, page: &str) -> Result<i64, StoreError> {
    let epoch = one(
        db,
        SNAPSHOT,
        "SELECT epoch FROM page_snapshot WHERE page = ?1",
        [page],
        |row| row.get(0),
    )?;
    Ok(epoch.unwrap_or(0))
}

pub(crate) fn snapshot_seq(db: &Connection, page: &str) -> Result<Option<i64>, StoreError> {
    one(
        db,
        SNAPSHOT,
        "SELECT through_seq FROM page_snapshot WHERE page = ?1",
        [page],
        |row| row.get(0),
    )
}

fn page(row: &Row<'_>) -> rusqlite::Result<PageRow> {
    Ok(PageRow {
        id: row.get("id")?,
        name: row.get("name")?,
        kind: row.get("kind")?,
        tier: row.get("tier")?,
        position: row.get("position")?,
        created_ms: row.get("created_ms")?,
    })
}

/// The inverse of what `AppendUpdate` wrote; see the schema.
fn spans(bytes: &[u8]) -> Vec<(u64, i32, i32)> {
    let (spans, _) = bytes.as_chunks::<16>();
    spans
        .iter()
        .map(|span| {
            let whole = u128::from_le_bytes(*span);
            let number = |shift: u32| ((whole >> shift) as u32).cast_signed();
            (whole as u64, number(64), number(96))
        })
        .collect()
}
