//! Rows that decide who may do what, as the chain has them: the digest of their deciding columns is
//! entered whenever it changes, so that a row that was changed by other means can be told.

use std::collections::BTreeMap;

use rusqlite::types::ValueRef;
use rusqlite::{Connection, OptionalExtension, Row};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::{AuditEntry, AuditKind, Chain, derive, hex};
use crate::change::Change;
use crate::error::StoreError;
use crate::unreadable::Unreadable;

/// The tables that decide, with their keys and what in them does.
pub(crate) const TABLES: [Table; 4] = [
    Table {
        name: "page",
        key: "id",
        columns: "kind, tier, id IN (SELECT page FROM trash)",
        only: "1",
    },
    Table {
        name: "fairy",
        key: "id",
        columns: "settings_json, dismissed_ms IS NOT NULL",
        only: "1",
    },
    Table {
        name: "link",
        key: "id",
        columns: "label, maker, chain_json, limits_json, created_ms",
        only: "1",
    },
    Table {
        name: "setting",
        key: "key",
        columns: "value",
        // The others are of the moment.
        only: "key = 'plugins'",
    },
];

pub(crate) struct Table {
    pub(crate) name: &'static str,
    key: &'static str,
    columns: &'static str,
    only: &'static str,
}

/// The digests of rows, by table and key. `None`: the row is gone.
pub(crate) type Digests = BTreeMap<(String, String), Option<String>>;

impl Table {
    fn named(name: &str) -> Option<&'static Table> {
        TABLES.iter().find(|table| table.name == name)
    }

    /// What decides in all rows.
    pub(crate) fn digests(&self, db: &Connection) -> rusqlite::Result<Digests> {
        let Table {
            name,
            key,
            columns,
            only,
        } = self;
        let mut all =
            db.prepare_cached(&format!("SELECT {columns}, {key} FROM {name} WHERE {only}"))?;
        let count = all.column_count() - 1;
        let mut rows = all.query([])?;
        let mut digests = Digests::new();
        while let Some(row) = rows.next()? {
            let key = String::from_utf8_lossy(row.get_ref(count)?.as_bytes()?).into_owned();
            digests.insert(((*name).to_owned(), key), Some(digest(row, count)?));
        }
        Ok(digests)
    }

    fn digest_of(&self, db: &Connection, id: &str) -> Result<Option<String>, StoreError> {
        let Table {
            name,
            key,
            columns,
            only,
        } = self;
        db.prepare_cached(&format!(
            "SELECT {columns} FROM {name} WHERE {key} = ?1 AND {only}"
        ))
        .and_then(|mut one| {
            let count = one.column_count();
            one.query_row([id], |row| digest(row, count)).optional()
        })
        .map_err(|e| StoreError::database("look up what decides rights", e))
    }
}

fn digest(row: &Row<'_>, columns: usize) -> rusqlite::Result<String> {
    let mut all = Sha256::new();
    for at in 0..columns {
        let (kind, bytes) = match row.get_ref(at)? {
            ValueRef::Null => (0u8, Vec::new()),
            ValueRef::Integer(number) => (1, number.to_be_bytes().to_vec()),
            ValueRef::Real(number) => (2, number.to_be_bytes().to_vec()),
            ValueRef::Text(bytes) => (3, bytes.to_vec()),
            ValueRef::Blob(bytes) => (4, bytes.to_vec()),
        };
        all.update([kind]);
        all.update((bytes.len() as u64).to_be_bytes());
        all.update(bytes);
    }
    Ok(hex(&all.finalize()))
}

/// A row that a change may give other rights, and what it decided before.
pub(crate) struct Watched<'a> {
    table: &'static Table,
    key: &'a str,
    before: Option<String>,
}

impl<'a> Watched<'a> {
    /// To be asked before the change is made.
    pub(crate) fn by(
        db: &Connection,
        change: &'a Change,
    ) -> Result<Option<Watched<'a>>, StoreError> {
        let (table, key) = match change {
            Change::PutPage(row) => ("page", row.id.as_str()),
            Change::TrashPage { id, .. } | Change::RestorePage { id } => ("page", id.as_str()),
            Change::PutFairy(row) => ("fairy", row.id.as_str()),
            Change::DismissFairy { id, .. } => ("fairy", id.as_str()),
            Change::PutLink(row) => ("link", row.id.as_str()),
            Change::PutSetting { key, .. } => ("setting", key.as_str()),
            _ => return Ok(None),
        };
        let Some(table) = Table::named(table) else {
            return Ok(None);
        };
        let before = table.digest_of(db, key)?;
        Ok(Some(Watched { table, key, before }))
    }

    /// The entry, if the change made a difference.
    pub(crate) fn entry(self, db: &Connection) -> Result<Option<AuditEntry>, StoreError> {
        let after = self.table.digest_of(db, self.key)?;
        let changed = after != self.before;
        Ok(changed.then(|| {
            derive::by_server(
                AuditKind::Rights,
                json!({"table": self.table.name, "key": self.key, "sha256": after}),
            )
        }))
    }
}

/// Enters the rows of a folder from before this was kept. What they were earlier nobody can tell.
pub(crate) fn cover(db: &Connection, chain: &mut Chain) -> Result<(), StoreError> {
    let failed = |e| StoreError::database("enter what decides rights", e);
    if read(db)?.any {
        return Ok(());
    }
    let transaction = db.unchecked_transaction().map_err(failed)?;
    let before = *chain;
    let entered = TABLES.iter().try_for_each(|table| {
        for ((table, key), sha256) in table.digests(db).map_err(failed)? {
            let body = json!({"table": table, "key": key, "sha256": sha256, "baseline": true});
            chain.append(db, &derive::by_server(AuditKind::Rights, body))?;
        }
        Ok(())
    });
    let kept = entered.and_then(|()| transaction.commit().map_err(failed));
    if kept.is_err() {
        *chain = before;
    }
    kept
}

/// What the chain says of rights.
#[derive(Default)]
pub(crate) struct ChainRights {
    pub(crate) digests: Digests,
    pub(crate) revoked: Vec<String>,
    /// Whether rights were ever entered: if so, every row that decides is told of.
    any: bool,
}

/// Reads the entries about rights by an index of their own.
pub(crate) fn read(db: &Connection) -> Result<ChainRights, StoreError> {
    let failed = |e| StoreError::database("read what the audit chain says of rights", e);
    let mut told = ChainRights::default();
    let mut all = db
        .prepare_cached(
            "SELECT seq, body FROM audit
             WHERE kind IN ('rights', 'token-revoked', 'page-deleted') ORDER BY seq",
        )
        .map_err(failed)?;
    let mut rows = all.query([]).map_err(failed)?;
    while let Some(row) = rows.next().map_err(failed)? {
        let seq: i64 = row.get(0).map_err(failed)?;
        let entry = row.get_ref(1).map_err(failed)?.as_blob().ok();
        let entry = entry.and_then(|bytes| serde_json::from_slice::<Value>(bytes).ok());
        // An entry that cannot be read may have taken a right away.
        if !entry.is_some_and(|entry| told.hear(&entry)) {
            let reason = "is not as it was written";
            return Err(Unreadable::new("audit", &seq.to_string(), "body", reason).into());
        }
    }
    Ok(told)
}

impl ChainRights {
    /// Whether the entry makes sense.
    pub(crate) fn hear(&mut self, entry: &Value) -> bool {
        let text = |key: &str| entry["body"][key].as_str().map(str::to_owned);
        match entry["kind"].as_str() {
            Some("rights") => {
                self.any = true;
                let row = text("table").zip(text("key"));
                row.map(|row| self.digests.insert(row, text("sha256")))
                    .is_some()
            }
            Some("token-revoked") => text("token").map(|id| self.revoked.push(id)).is_some(),
            Some("page-deleted") => {
                let page = text("page").map(|page| ("page".to_owned(), page));
                page.map(|page| self.digests.insert(page, None)).is_some()
            }
            _ => true,
        }
    }

    /// The rows that are not what the chain says, each with how.
    pub(crate) fn differing(&self, db: &Connection) -> rusqlite::Result<Vec<Differing>> {
        let mut differing = Vec::new();
        // In a folder from before, nothing is told of any row.
        if !self.any {
            return Ok(differing);
        }
        let mut found = Digests::new();
        for table in &TABLES {
            found.extend(table.digests(db)?);
        }
        for (row, sha256) in &found {
            let how = match self.digests.get(row) {
                Some(said) if said == sha256 => continue,
                Some(_) => "was changed",
                None => "was slipped in: no entry tells of it",
            };
            differing.push(Differing {
                row: row.clone(),
                how,
            });
        }
        for (row, said) in &self.digests {
            if said.is_some() && !found.contains_key(row) {
                differing.push(Differing {
                    row: row.clone(),
                    how: "was dropped",
                });
            }
        }
        Ok(differing)
    }
}

/// A row that decides otherwise than the chain says.
pub(crate) struct Differing {
    /// Its table and key.
    pub(crate) row: (String, String),
    pub(crate) how: &'static str,
}
