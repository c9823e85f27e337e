//! The audit chain of simulated worlds: all that became durable in one goes through the real store,
//! which dies where the world's did, and the chain that it leaves is verified.

use std::path::Path;

use futures_util::future::try_join_all;
use glade_access::signature_holds;
use glade_doc::PageId;
use glade_room::Record;
use glade_room::sim::disk::Event;
use glade_room::sim::{Faults, MAIN, PAGES, Story, TIER, live};
use glade_store::{
    Archive, Change, FairyRow, PageRow, RunOwner, RunRow, RunStatus, RunTarget, Store,
};
use rusqlite::Connection;

use super::records;

/// Puts a world through a store in this folder.
async fn write(story: &Story, dir: &Path) {
    let mut store = Store::open(dir).unwrap();
    let mut writes = vec![store.write(rows(story))];
    for event in &story.history {
        match event {
            Event::Write { room, records } => {
                let page = PageId::from(PAGES[*room]);
                let changes = records::changes(&page, records.clone()).collect();
                writes.push(store.write(changes));
            }
            Event::Fold {
                room,
                snapshot,
                through,
            } => writes.push(store.write(vec![Change::PutSnapshot {
                page: PAGES[*room].to_owned(),
                blob: snapshot.clone(),
                through_seq: *through,
            }])),
            Event::Crash => {
                try_join_all(std::mem::take(&mut writes)).await.unwrap();
                drop(store);
                store = Store::open(dir).unwrap();
            }
        }
    }
    try_join_all(writes).await.unwrap();
}

/// What is wrong with the chain in this folder.
fn findings(dir: &Path) -> Vec<String> {
    let archive = Archive::open(dir).unwrap();
    let report = archive.verify(None, &signature_holds).unwrap();
    let findings = report.findings.iter();
    findings.map(|finding| format!("{finding:?}")).collect()
}

/// How many records of a kind became durable.
fn recorded(story: &Story, such: impl Fn(&Record) -> bool) -> u64 {
    let writes = story.history.iter().filter_map(|event| match event {
        Event::Write { records, .. } => Some(records),
        _ => None,
    });
    writes.flatten().filter(|record| such(record)).count() as u64
}

async fn chunk(n: u64) {
    let seeds = std::env::var("GLADE_SIM_SEEDS").ok();
    let seeds = seeds.and_then(|seeds| seeds.parse().ok()).unwrap_or(SEEDS);
    for seed in (0..seeds).filter(|seed| seed % CHUNKS == n) {
        let story = live(seed, Faults::default()).unwrap_or_else(|story| panic!("{story}"));
        let dir = scratch();
        write(&story, dir.path()).await;
        assert_eq!(findings(dir.path()), Vec::<String>::new(), "seed {seed}");
        let expected = [
            recorded(&story, |it| matches!(it, Record::Update { .. })),
            recorded(&story, |it| matches!(it, Record::Joined { .. })),
            recorded(&story, |it| matches!(it, Record::Refused { .. })),
        ];
        let entered = ["update", "join", "refusal"].map(|kind| count(dir.path(), kind));
        assert_eq!(entered, expected, "seed {seed}");
    }
}

/// As many worlds as the simulator itself tries.
const SEEDS: u64 = 300;
const CHUNKS: u64 = 6;

macro_rules! chunks {
    ($($name:ident $n:literal)*) => {
        $(#[tokio::test] async fn $name() { chunk($n).await; })*
    };
}
chunks!(every_chain_is_whole_0 0 every_chain_is_whole_1 1 every_chain_is_whole_2 2
        every_chain_is_whole_3 3 every_chain_is_whole_4 4 every_chain_is_whole_5 5);

#[tokio::test]
async fn a_chain_that_was_rewritten_is_caught() {
    let story = live(0, Faults::default()).unwrap_or_else(|story| panic!("{story}"));
    let dir = scratch();
    write(&story, dir.path()).await;
    rewrite(dir.path());
    assert!(!findings(dir.path()).is_empty());
}

/// What the rooms' own rows lie under.
fn rows(story: &Story) -> Vec<Change> {
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
    let fairies = story.fairies.iter().map(|fairy| {
        Change::PutFairy(FairyRow {
            id: fairy.clone(),
            page: PAGES[MAIN].to_owned(),
            ..FairyRow::default()
        })
    });
    let runs = story.runs.iter().map(|run| {
        Change::PutRun(RunRow {
            id: run.to_string(),
            owner: RunOwner::Fairy(story.fairies[0].clone()),
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

/// A folder in memory, where there is such a thing: what a real disk forgets is tested elsewhere, and
/// waiting for it would be most of the time.
fn scratch() -> tempfile::TempDir {
    let memory = Path::new("/dev/shm");
    let there = memory.is_dir().then(|| tempfile::tempdir_in(memory).ok());
    there
        .flatten()
        .unwrap_or_else(|| tempfile::tempdir().unwrap())
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
