//! The audit chain of a world: all that became durable goes through the real store, which dies
//! where the world's did, and the chain that it leaves is verified.

use std::path::Path;

use futures_util::future::try_join_all;
use glade_access::signature_holds;
use glade_store::{
    Archive, Change, FairyRow, PageRow, RunOwner, RunRow, RunStatus, RunTarget, Store,
};
use rusqlite::Connection;

use super::disk::Event;
use super::laws::demand;
use super::world::World;
use super::{Breach, MAIN, PAGES, TIER};

impl World {
    /// The chain verifies, and tells of everything that somebody was told of.
    pub fn chain_holds(&self) -> Result<(), Breach> {
        let broken = |error: &dyn std::fmt::Display| Breach(format!("the store: {error}"));
        let dir = scratch().map_err(|e| broken(&e))?;
        let mut store = Store::open(dir.path()).map_err(|e| broken(&e))?;
        let mut writes = vec![store.write(self.rows())];
        let mut updates = 0;
        let waits = tokio::runtime::Builder::new_current_thread();
        let waits = { waits }.build().map_err(|e| broken(&e))?;
        for event in &self.disk.history {
            match event {
                Event::Write(changes) => {
                    let is_update =
                        |change: &&Change| matches!(change, Change::AppendUpdate { .. });
                    updates += changes.iter().filter(is_update).count() as u64;
                    writes.push(store.write(changes.clone()));
                }
                Event::Crash => {
                    let done = waits.block_on(try_join_all(std::mem::take(&mut writes)));
                    done.map_err(|e| broken(&e))?;
                    drop(store);
                    store = Store::open(dir.path()).map_err(|e| broken(&e))?;
                }
            }
        }
        let done = waits.block_on(try_join_all(writes));
        done.map_err(|e| broken(&e))?;
        drop(store);
        if self.faults.rewrite_history {
            rewrite(dir.path());
        }
        let archive = Archive::open(dir.path()).map_err(|e| broken(&e))?;
        let report = archive
            .verify(None, &signature_holds)
            .map_err(|e| broken(&e))?;
        demand(report.findings.is_empty(), || {
            format!("the chain is not intact: {:?}", report.findings)
        })?;
        let entries = |kind: &str| count(dir.path(), kind);
        demand(entries("update") == updates, || {
            format!(
                "{} of {updates} updates are in the chain",
                entries("update")
            )
        })?;
        demand(entries("join") >= self.told.joins, || {
            format!(
                "{} of {} joins are in the chain",
                entries("join"),
                self.told.joins
            )
        })?;
        demand(entries("refusal") >= self.told.refusals, || {
            let told = self.told.refusals;
            format!("{} of {told} refusals are in the chain", entries("refusal"))
        })
    }

    /// What the rooms' own rows lie under.
    fn rows(&self) -> Vec<Change> {
        let pages = PAGES.map(|page| {
            Change::PutPage(PageRow {
                id: page.to_owned(),
                name: page.to_owned(),
                kind: "canvas".to_owned(),
                tier: TIER.to_owned(),
                position: 1.0,
                created_ms: 1,
            })
        });
        let fairies = self.fairies.iter().map(|fairy| {
            Change::PutFairy(FairyRow {
                id: fairy.id.clone(),
                page: PAGES[MAIN].to_owned(),
                ..FairyRow::default()
            })
        });
        let runs = self.runs.keys().map(|run| {
            Change::PutRun(RunRow {
                id: run.to_string(),
                owner: RunOwner::Fairy(self.fairies[0].id.clone()),
                target: RunTarget::Pages(PAGES[MAIN].to_owned()),
                message: String::new(),
                status: RunStatus::Running,
                settled: false,
                started_ms: 1,
                ended_ms: None,
                cost_json: "{}".to_owned(),
                error: None,
                elements_json: "[]".to_owned(),
            })
        });
        pages.into_iter().chain(fairies).chain(runs).collect()
    }
}

/// A folder in memory, where there is such a thing: what a real disk forgets is tested elsewhere, and
/// waiting for it would be most of the time.
fn scratch() -> std::io::Result<tempfile::TempDir> {
    let memory = Path::new("/dev/shm");
    if memory.is_dir() {
        tempfile::tempdir_in(memory).or_else(|_| tempfile::tempdir())
    } else {
        tempfile::tempdir()
    }
}

fn database(dir: &Path) -> Connection {
    Connection::open(dir.join("glade.db")).unwrap()
}

fn count(dir: &Path, kind: &str) -> u64 {
    let sql = "SELECT count(*) FROM audit WHERE kind = ?1";
    let count: i64 = database(dir)
        .query_row(sql, [kind], |row| row.get(0))
        .unwrap();
    count.unsigned_abs()
}

/// Somebody with a hand on the disk says that another did it.
fn rewrite(dir: &Path) {
    let sql = "UPDATE audit SET subject = 'person:nobody' WHERE seq = (SELECT max(seq) / 2 + 1 FROM audit)";
    database(dir).execute(sql, []).unwrap();
}
