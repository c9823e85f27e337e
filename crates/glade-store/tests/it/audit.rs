//! The chain tells everything, and every way of tampering with it is found and named.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use glade_store::audit::{Finding, Report, Signer};
use glade_store::{
    Archive, AuditEntry, AuditKind, Blob, Change, FairyRow, LinkRow, RunStatus, SessionRow,
    StepRow, Store,
};
use proptest::prelude::*;
use rusqlite::{Connection, params};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tempfile::TempDir;

use crate::{new_store, page, run, snapshot, update};

/// Stands in for Ed25519: who knows the key can sign. The real one is tested with its key.
struct Seal;

impl Signer for Seal {
    fn public_key(&self) -> [u8; 32] {
        [7; 32]
    }

    fn sign(&self, message: &[u8]) -> [u8; 64] {
        let half: [u8; 32] = Sha256::new()
            .chain_update(b"secret")
            .chain_update(message)
            .finalize()
            .into();
        let mut whole = [0; 64];
        whole[..32].copy_from_slice(&half);
        whole
    }
}

fn holds(key: &[u8; 32], message: &[u8], signature: &[u8; 64]) -> bool {
    *key == Seal.public_key() && Seal.sign(message) == *signature
}

fn verify(dir: &Path) -> Report {
    Archive::open(dir)
        .unwrap()
        .verify(Some(Seal.public_key()), &holds)
        .unwrap()
}

fn step(run: &str, index: i64) -> Change {
    Change::PutStep(StepRow {
        run: run.to_owned(),
        index,
        model: "sketch".to_owned(),
        prompt_json: "{\"system\":\"be kind\"}".to_owned(),
        answer: "drawn".to_owned(),
        started_ms: 3,
        ended_ms: Some(4),
        input_tokens: 1,
        output_tokens: 1,
        error: None,
    })
}

fn join(at_ms: i64) -> Change {
    Change::Audit(AuditEntry {
        at_ms,
        kind: AuditKind::Join,
        subject: "person:anna".to_owned(),
        body: json!({"page": "pg_1"}),
    })
}

fn database(dir: &Path) -> Connection {
    Connection::open(dir.join("glade.db")).unwrap()
}

fn told(dir: &Path) -> Vec<Value> {
    let db = database(dir);
    let mut statement = db.prepare("SELECT body FROM audit ORDER BY seq").unwrap();
    let rows = statement
        .query_map([], |row| row.get::<_, Vec<u8>>(0))
        .unwrap();
    rows.map(|bytes| serde_json::from_slice(&bytes.unwrap()).unwrap())
        .collect()
}

/// A folder with two lives: entries 1 to 9 under checkpoint 1, 10 to 15 under checkpoint 2.
static FOLDER: LazyLock<TempDir> = LazyLock::new(|| {
    let (dir, store) = new_store();
    store.keep_checkpoints("main", Box::new(Seal)).unwrap();
    store
        .write_blocking(vec![Change::PutPage(page("pg_1"))])
        .unwrap();
    for n in 0..6 {
        store.write_blocking(vec![update("pg_1", &[n])]).unwrap();
    }
    store
        .write_blocking(vec![Change::PutRun(run("run_1", 3)), step("run_1", 1)])
        .unwrap();
    drop(store);
    let store = Store::open(dir.path()).unwrap();
    store.keep_checkpoints("main", Box::new(Seal)).unwrap();
    store
        .write_blocking(vec![snapshot("pg_1", b"all", 3)])
        .unwrap();
    store
        .write_blocking(vec![Change::PutBlob {
            blob: Blob::new(PICTURE.to_vec()).unwrap(),
            subject: "person:anna".to_owned(),
            at_ms: 6,
        }])
        .unwrap();
    for at in 0..4 {
        store.write_blocking(vec![join(at)]).unwrap();
    }
    drop(store);
    dir
});

const SIZE: i64 = 15;
const PICTURE: &[u8] = b"<svg></svg>";

/// A copy to do harm to.
fn copy() -> TempDir {
    let copy = tempfile::tempdir().unwrap();
    for folder in ["", "checkpoints"] {
        fs::create_dir_all(copy.path().join(folder)).unwrap();
        for entry in fs::read_dir(FOLDER.path().join(folder)).unwrap() {
            let path = entry.unwrap().path();
            if path.is_file() {
                let name = path.file_name().unwrap();
                fs::copy(&path, copy.path().join(folder).join(name)).unwrap();
            }
        }
    }
    copy
}

#[test]
fn an_honest_folder_verifies_to_its_last_entry() {
    let report = verify(copy().path());
    let expected = Report {
        entries: SIZE,
        checkpoints: 2,
        vouched: SIZE,
        uncovered_before: None,
        findings: vec![],
    };
    assert_eq!(report, expected);
}

#[test]
fn every_change_that_matters_is_entered_without_being_asked_for() {
    let (dir, store) = new_store();
    let mut ended = run("run_1", 3);
    ended.status = RunStatus::Pending;
    ended.ended_ms = Some(9);
    let span = Change::PutSpan {
        run: "run_1".to_owned(),
        page: "pg_1".to_owned(),
        peer: 7,
        from: 0,
        to: 1,
    };
    for write in [
        vec![Change::PutPage(page("pg_1"))],
        vec![Change::PutRun(run("run_1", 3))],
        vec![update("pg_1", b"one"), span],
        vec![update("pg_1", b"two"), step("run_1", 1)],
        vec![Change::PutRun(ended.clone())],
        vec![Change::PutRun(ended)],
        vec![snapshot("pg_1", b"all", 2)],
        vec![Change::DeletePage {
            id: "pg_1".to_owned(),
        }],
    ] {
        store.write_blocking(write).unwrap();
    }
    drop(store);
    let told = told(dir.path());
    let kinds: Vec<_> = told.iter().map(|t| t["kind"].as_str().unwrap()).collect();
    assert_eq!(
        kinds,
        [
            "rights",
            "run-begun",
            "update",
            "update",
            "step",
            "run-ended",
            "snapshot",
            "page-deleted"
        ]
    );
    let sha = "7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed";
    assert_eq!(
        told[2],
        json!({
            "at": 5,
            "body": {"page": "pg_1", "run": "run_1", "seq": 1, "sha256": sha, "spans": [["7", 0, 1]]},
            "kind": "update",
            "subject": "person:owner",
        })
    );
    assert_eq!(told[3]["body"].get("run"), None);
    assert_eq!(told[5]["body"]["status"], "pending");
    let report = Archive::open(dir.path())
        .unwrap()
        .verify(None, &holds)
        .unwrap();
    assert_eq!((report.entries, report.findings), (8, vec![]));
}

#[tokio::test]
async fn a_write_that_fails_leaves_no_entry_and_no_gap() {
    let (dir, store) = new_store();
    store
        .write(vec![Change::PutPage(page("pg_1"))])
        .await
        .unwrap();
    let writes: Vec<_> = (0..30u8)
        .map(|n| {
            let on = if n % 3 == 0 { "pg_none" } else { "pg_1" };
            store.write(vec![join(1), update(on, &[n])])
        })
        .collect();
    for write in writes {
        drop(write.await);
    }
    let report = verify(dir.path());
    assert_eq!((report.entries, report.findings), (41, vec![]));
}

#[test]
fn a_running_servers_folder_can_be_verified() {
    let (dir, store) = new_store();
    store.keep_checkpoints("main", Box::new(Seal)).unwrap();
    let writing = std::thread::spawn(move || {
        for at in 0..3000 {
            drop(store.write(vec![join(at)]));
        }
        store.write_blocking(vec![join(1)]).unwrap();
        store
    });
    while !writing.is_finished() {
        assert_eq!(verify(dir.path()).findings, []);
    }
    drop(writing.join().unwrap());
    let report = verify(dir.path());
    assert_eq!((report.entries, report.vouched), (3001, 3001));
    // At least one came by number alone, in the middle of the writing.
    assert!(report.checkpoints >= 3, "{report:?}");
}

#[test]
fn a_quiet_moment_is_used_to_sign() {
    let (dir, store) = new_store();
    store.keep_checkpoints("main", Box::new(Seal)).unwrap();
    store.write_blocking(vec![join(1)]).unwrap();
    for _ in 0..100 {
        if verify(dir.path()).vouched == 1 {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    panic!("nothing was signed");
}

#[test]
fn a_file_that_a_crash_held_back_is_written_at_the_next_start() {
    let dir = copy();
    let file = dir.path().join("checkpoints/00000002.json");
    let body = fs::read(&file).unwrap();
    fs::remove_file(&file).unwrap();
    assert_eq!(verify(dir.path()).findings, []);
    let store = Store::open(dir.path()).unwrap();
    store.keep_checkpoints("main", Box::new(Seal)).unwrap();
    drop(store);
    assert_eq!(fs::read(&file).unwrap(), body);
    assert_eq!(verify(dir.path()).findings, []);
}

#[test]
fn going_on_after_the_end_was_cut_off_does_not_hide_it() {
    let dir = copy();
    database(dir.path())
        .execute_batch("DELETE FROM audit WHERE seq > 10; DELETE FROM checkpoint WHERE number = 2")
        .unwrap();
    let store = Store::open(dir.path()).unwrap();
    store.keep_checkpoints("main", Box::new(Seal)).unwrap();
    for at in 0..10 {
        store.write_blocking(vec![join(100 + at)]).unwrap();
    }
    drop(store);
    let findings = verify(dir.path()).findings;
    assert!(
        findings.contains(&Finding::Rewritten {
            size: SIZE,
            checkpoint: 2
        }),
        "{findings:?}"
    );
}

#[test]
fn what_the_entries_tell_of_is_compared_too() {
    let cases = [
        (
            "UPDATE page_update SET blob = x'ff' WHERE seq = 5",
            "update 5 of page pg_1 was changed",
        ),
        (
            "DELETE FROM page_update WHERE seq = 6",
            "update 6 of page pg_1 was dropped",
        ),
        (
            "INSERT INTO page_update VALUES ('pg_1', 7, x'', 'person:x', 1, x'00')",
            "update 7 of page pg_1 was slipped in: no entry tells of it",
        ),
        (
            "UPDATE page_snapshot SET blob = x'00'",
            "the snapshot of page pg_1 was changed",
        ),
        (
            "DELETE FROM page_snapshot",
            "the snapshot of page pg_1 was dropped",
        ),
        (
            "UPDATE step SET prompt_json = '{}'",
            "step 1 of run run_1 was changed",
        ),
        (
            "UPDATE blob SET bytes = x'00'",
            "picture PICTURE was changed",
        ),
        ("DELETE FROM blob", "picture PICTURE was dropped"),
        (
            "UPDATE blob SET id = 'f00'",
            "picture f00 was changed|picture PICTURE was dropped",
        ),
        ("DELETE FROM step", "step 1 of run run_1 was dropped"),
    ];
    for (harm, expected) in cases {
        let dir = copy();
        database(dir.path()).execute_batch(harm).unwrap();
        let findings: Vec<_> = verify(dir.path())
            .findings
            .iter()
            .map(ToString::to_string)
            .collect();
        let expected = expected.replace("PICTURE", &glade_store::audit::digest(PICTURE));
        assert_eq!(findings.join("|"), expected, "{harm}");
    }
}

/// A folder with something of all that decides rights, or answers why.
fn with_rights() -> TempDir {
    let (dir, store) = new_store();
    store.keep_checkpoints("main", Box::new(Seal)).unwrap();
    let fairy = FairyRow {
        id: "fy_1".to_owned(),
        settings_json: "{\"scope\":1}".to_owned(),
        ..FairyRow::default()
    };
    let dismissed = FairyRow {
        id: "fy_2".to_owned(),
        ..FairyRow::default()
    };
    let link = LinkRow {
        id: "aa".to_owned(),
        label: "Anna".to_owned(),
        maker: "person:owner".to_owned(),
        chain_json: "[\"00\",\"aa\"]".to_owned(),
        limits_json: "{}".to_owned(),
        created_ms: 1,
    };
    let session = SessionRow {
        id: "se_1".to_owned(),
        subject: "person:anna".to_owned(),
        chain_json: "[\"00\"]".to_owned(),
        sealed: vec![1, 2],
        client: "a browser".to_owned(),
        created_ms: 1,
        seen_ms: 1,
    };
    store
        .write_blocking(vec![
            Change::PutPage(page("pg_1")),
            Change::PutPage(page("pg_2")),
            Change::TrashPage {
                id: "pg_2".to_owned(),
                at_ms: 2,
            },
            Change::PutFairy(fairy),
            Change::PutFairy(dismissed),
            Change::DismissFairy {
                id: "fy_2".to_owned(),
                at_ms: 3,
            },
            Change::PutLink(link),
            Change::PutSession(session),
            Change::PutSetting {
                key: "plugins".to_owned(),
                value: "{}".to_owned(),
            },
            Change::Revoke {
                id: "bb".to_owned(),
                subject: "person:owner".to_owned(),
                at_ms: 4,
            },
            Change::PutRun(run("run_1", 3)),
        ])
        .unwrap();
    drop(store);
    dir
}

#[test]
fn what_decides_rights_or_answers_why_is_compared_with_the_chain() {
    let slipped = "was slipped in: no entry tells of it";
    let cases = [
        (
            "UPDATE run SET message = 'something else'",
            "run run_1: what was asked in it was changed".to_owned(),
        ),
        (
            "UPDATE run SET page = 'pg_2'",
            "run run_1: its page was changed".to_owned(),
        ),
        (
            "UPDATE run SET fairy = 'fy_9'",
            "run run_1: whose it is was changed".to_owned(),
        ),
        ("DELETE FROM run", "run run_1 was dropped".to_owned()),
        (
            "INSERT INTO run (id, fairy, page, message, status, settled, started_ms, cost_json, elements_json)
             VALUES ('run_9', 'fy_1', 'pg_1', 'do it', 'kept', 1, 1, '{}', '[]')",
            format!("run run_9 {slipped}"),
        ),
        (
            "DELETE FROM revoked",
            "the revocation of token bb was dropped; it holds all the same".to_owned(),
        ),
        (
            "UPDATE page SET tier = 'public' WHERE id = 'pg_1'",
            "what decides rights in page pg_1 was changed".to_owned(),
        ),
        (
            "DELETE FROM page WHERE id = 'pg_1'",
            "what decides rights in page pg_1 was dropped".to_owned(),
        ),
        (
            "DELETE FROM trash",
            "what decides rights in page pg_2 was changed".to_owned(),
        ),
        (
            "UPDATE fairy SET settings_json = '{}' WHERE id = 'fy_1'",
            "what decides rights in fairy fy_1 was changed".to_owned(),
        ),
        (
            "UPDATE fairy SET dismissed_ms = NULL",
            "what decides rights in fairy fy_2 was changed".to_owned(),
        ),
        (
            "UPDATE link SET maker = 'person:eve'",
            "what decides rights in link aa was changed".to_owned(),
        ),
        (
            "UPDATE setting SET value = '{\"embedHosts\":[\"a.org\"]}' WHERE key = 'plugins'",
            "what decides rights in setting plugins was changed".to_owned(),
        ),
        (
            "UPDATE session SET subject = 'person:owner'",
            "session se_1 was changed".to_owned(),
        ),
        (
            "INSERT INTO session VALUES ('se_9', 'person:owner', '[]', x'00', '', 1, 1)",
            format!("session se_9 {slipped}"),
        ),
    ];
    assert_eq!(verify(with_rights().path()).findings, []);
    for (harm, expected) in cases {
        let dir = with_rights();
        let db = database(dir.path());
        db.pragma_update(None, "foreign_keys", false).unwrap();
        db.execute_batch(harm).unwrap();
        drop(db);
        let findings: Vec<_> = verify(dir.path())
            .findings
            .iter()
            .map(ToString::to_string)
            .collect();
        assert_eq!(findings, [expected], "{harm}");
    }
}

#[test]
fn a_revocation_holds_although_its_row_is_gone() {
    let dir = with_rights();
    database(dir.path())
        .execute_batch("DELETE FROM revoked")
        .unwrap();
    let store = Store::open(dir.path()).unwrap();
    assert_eq!(store.revoked().unwrap(), ["bb"]);
}

#[test]
fn a_folder_from_before_is_covered_from_its_next_start_on_and_says_so() {
    let dir = with_rights();
    // As it was before rights were entered: without such entries, and in the format before.
    database(dir.path())
        .execute_batch(
            "DELETE FROM audit; DELETE FROM checkpoint; DELETE FROM merkle; DELETE FROM run;
             DELETE FROM session; DELETE FROM revoked; DROP INDEX audit_rights;
             DROP TABLE run_read; PRAGMA user_version = 13",
        )
        .unwrap();
    fs::remove_dir_all(dir.path().join("checkpoints")).unwrap();
    let report = verify(dir.path());
    assert_eq!(
        (report.uncovered_before, report.findings),
        (Some(1), vec![])
    );
    let store = Store::open(dir.path()).unwrap();
    assert_eq!(store.contradicted().unwrap(), []);
    drop(store);
    let report = verify(dir.path());
    assert_eq!(
        (report.uncovered_before, report.findings),
        (Some(1), vec![])
    );
    database(dir.path())
        .execute_batch("UPDATE page SET tier = 'public' WHERE id = 'pg_1'")
        .unwrap();
    let findings = verify(dir.path()).findings;
    assert_eq!(
        findings[0].to_string(),
        "what decides rights in page pg_1 was changed"
    );
}

#[test]
fn checkpoints_that_were_touched_are_named() {
    let second = |dir: &Path| dir.join("checkpoints/00000002.json");
    let first = |dir: &Path| dir.join("checkpoints/00000001.json");
    let named = |harm: &dyn Fn(&Path), number: i64| {
        let dir = copy();
        harm(dir.path());
        let findings = verify(dir.path()).findings;
        assert!(
            findings
                .iter()
                .any(|f| matches!(f, Finding::Checkpoint { number: n, .. } if *n == number)),
            "{findings:?}"
        );
    };
    named(&|dir| fs::remove_file(first(dir)).unwrap(), 1);
    named(
        &|dir| {
            let text = fs::read_to_string(second(dir)).unwrap();
            fs::write(second(dir), text.replace("\"size\":15", "\"size\":13")).unwrap();
        },
        2,
    );
    named(&|dir| fs::write(second(dir), "{}").unwrap(), 2);
    named(
        &|dir| {
            fs::copy(first(dir), second(dir)).unwrap();
        },
        2,
    );
    named(
        &|dir| {
            database(dir)
                .execute_batch("DELETE FROM checkpoint WHERE number = 1")
                .unwrap();
        },
        1,
    );
    // Signed well, but by somebody else.
    let dir = copy();
    let report = Archive::open(dir.path())
        .unwrap()
        .verify(Some([8; 32]), &holds)
        .unwrap();
    assert_eq!(report.checkpoints, 0);
    assert_eq!(report.findings.len(), 4, "{:?}", report.findings);
}

#[derive(Clone, Debug)]
enum Harm {
    /// Changes one byte (or the number) of one column.
    Change {
        seq: i64,
        column: usize,
        at: usize,
        bits: u8,
    },
    Drop {
        from: i64,
        to: i64,
    },
    Swap {
        one: i64,
        other: i64,
    },
    /// Writes another entry with the right hash for its place.
    Replace {
        seq: i64,
    },
    /// Rewrites the chain from there to its end, every hash right.
    RewriteTail {
        seq: i64,
    },
    /// Cuts off the end, and the database's own checkpoints with it.
    Truncate {
        after: i64,
    },
}

fn harm() -> impl Strategy<Value = Harm> {
    let seq = || 1..=SIZE;
    prop_oneof![
        4 => (seq(), 0..6usize, any::<usize>(), 1..=255u8)
            .prop_map(|(seq, column, at, bits)| Harm::Change { seq, column, at, bits }),
        1 => (1..SIZE, 0..4i64).prop_map(|(from, more)| Harm::Drop { from, to: (from + more).min(SIZE - 1) }),
        1 => (1..SIZE, 1..SIZE).prop_map(|(one, more)| Harm::Swap { one, other: (one + more).min(SIZE) }),
        1 => (1..SIZE).prop_map(|seq| Harm::Replace { seq }),
        1 => seq().prop_map(|seq| Harm::RewriteTail { seq }),
        1 => (0..SIZE).prop_map(|after| Harm::Truncate { after }),
    ]
}

fn link(previous: &[u8], seq: i64, body: &[u8]) -> Vec<u8> {
    Sha256::new()
        .chain_update([0])
        .chain_update(previous)
        .chain_update(seq.to_be_bytes())
        .chain_update(body)
        .finalize()
        .to_vec()
}

/// Puts a made-up entry at `seq` that follows from the one before; answers its hash.
fn forge(db: &Connection, seq: i64) -> Vec<u8> {
    let previous: Vec<u8> = db
        .query_row("SELECT hash FROM audit WHERE seq = ?1", [seq - 1], |r| {
            r.get(0)
        })
        .unwrap_or_else(|_| vec![0; 32]);
    let body = br#"{"at":1,"body":{},"kind":"join","subject":"person:nobody"}"#;
    let hash = link(&previous, seq, body);
    db.execute(
        "UPDATE audit SET at_ms = 1, kind = 'join', subject = 'person:nobody', body = ?2,
         prev_hash = ?3, hash = ?4 WHERE seq = ?1",
        params![seq, body, previous, hash],
    )
    .unwrap();
    hash
}

/// Does the harm; answers what must be found.
fn inflict(db: &Connection, harm: &Harm) -> Vec<Finding> {
    match *harm {
        Harm::Change {
            seq,
            column: 0,
            bits,
            ..
        } => {
            db.execute(
                "UPDATE audit SET at_ms = at_ms + ?2 WHERE seq = ?1",
                params![seq, bits],
            )
            .unwrap();
            vec![Finding::Changed { seq }]
        }
        Harm::Change {
            seq,
            column,
            at,
            bits,
        } => {
            let column = ["", "kind", "subject", "body", "prev_hash", "hash"][column];
            let mut bytes: Vec<u8> = db
                .query_row(
                    &format!("SELECT CAST({column} AS BLOB) FROM audit WHERE seq = ?1"),
                    [seq],
                    |r| r.get(0),
                )
                .unwrap();
            let at = at % bytes.len();
            bytes[at] ^= bits;
            let kind = if matches!(column, "kind" | "subject") {
                "TEXT"
            } else {
                "BLOB"
            };
            db.execute(
                &format!("UPDATE audit SET {column} = CAST(?2 AS {kind}) WHERE seq = ?1"),
                params![seq, bytes],
            )
            .unwrap();
            vec![Finding::Changed { seq }]
        }
        Harm::Drop { from, to } => {
            db.execute("DELETE FROM audit WHERE seq BETWEEN ?1 AND ?2", [from, to])
                .unwrap();
            vec![Finding::Dropped { from, to }]
        }
        Harm::Swap { one, other } => {
            for (from, to) in [(one, -1), (other, one), (-1, other)] {
                db.execute("UPDATE audit SET seq = ?2 WHERE seq = ?1", [from, to])
                    .unwrap();
            }
            vec![
                Finding::Changed { seq: one },
                Finding::Changed { seq: other },
            ]
        }
        Harm::Replace { seq } => {
            forge(db, seq);
            vec![Finding::Unlinked { seq: seq + 1 }]
        }
        Harm::RewriteTail { seq } => {
            (seq..=SIZE).for_each(|seq| drop(forge(db, seq)));
            vec![Finding::Rewritten {
                size: SIZE,
                checkpoint: 2,
            }]
        }
        Harm::Truncate { after } => {
            db.execute("DELETE FROM audit WHERE seq > ?1", [after])
                .unwrap();
            db.execute("DELETE FROM checkpoint", []).unwrap();
            vec![Finding::Truncated {
                from: after + 1,
                to: SIZE,
                checkpoint: 2,
            }]
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(160))]

    #[test]
    fn every_tampering_is_found_and_names_the_row(harm in harm()) {
        let dir = copy();
        let expected = inflict(&database(dir.path()), &harm);
        let findings = verify(dir.path()).findings;
        for finding in expected {
            prop_assert!(findings.contains(&finding), "{:?} not in {:?}", finding, findings);
        }
        // One changed entry is one finding about entries, not a cascade to the end.
        if matches!(harm, Harm::Change { .. }) {
            let about: Vec<_> = findings
                .iter()
                .filter(|f| matches!(f, Finding::Changed { .. } | Finding::Unlinked { .. } | Finding::Dropped { .. }))
                .collect();
            prop_assert_eq!(about.len(), 1, "{:?}", findings);
        }
    }
}

/// The root of RFC 6962 over these, by its definition.
fn merkle_root(entries: &[Vec<u8>]) -> Vec<u8> {
    let hash = |parts: &[&[u8]]| Sha256::digest(parts.concat()).to_vec();
    match entries {
        [] => hash(&[]),
        [one] => hash(&[&[0], one]),
        many => {
            let (left, right) = many.split_at(1 << (many.len() - 1).ilog2());
            hash(&[&[1], &merkle_root(left), &merkle_root(right)])
        }
    }
}

/// What the newest checkpoint states, and the root over the entries it was signed for.
fn newest_checkpoint(dir: &Path) -> (Value, String) {
    let db = database(dir);
    let body: Vec<u8> = db
        .query_row(
            "SELECT body FROM checkpoint ORDER BY number DESC LIMIT 1",
            [],
            |row| row.get(0),
        )
        .unwrap();
    let checkpoint: Value = serde_json::from_slice(&body).unwrap();
    let size = checkpoint["statement"]["size"].as_i64().unwrap();
    let mut entries = db
        .prepare("SELECT hash FROM audit WHERE seq <= ?1 ORDER BY seq")
        .unwrap();
    let entries: Vec<Vec<u8>> = entries
        .query_map([size], |row| row.get(0))
        .unwrap()
        .collect::<Result<_, _>>()
        .unwrap();
    let root = merkle_root(&entries)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    (checkpoint["statement"].clone(), root)
}

#[test]
fn a_checkpoint_states_the_merkle_root_over_all_entries_across_restarts() {
    let (dir, mut store) = new_store();
    for round in 1..6 {
        store.keep_checkpoints("main", Box::new(Seal)).unwrap();
        for at in 0..round {
            store.write_blocking(vec![join(at)]).unwrap();
        }
        store.seal().unwrap();
        let (statement, root) = newest_checkpoint(dir.path());
        assert_eq!(statement["root"], json!(root));
        assert_eq!(statement["origin"], "main");
        assert_eq!(statement["size"], round * (round + 1) / 2);
        drop(store);
        store = Store::open(dir.path()).unwrap();
    }
    assert_eq!(verify(dir.path()).findings, []);
}

fn signed(statement: &Value) -> Vec<u8> {
    let hex = |bytes: &[u8]| {
        bytes
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect::<String>()
    };
    let sorted: BTreeMap<String, Value> = serde_json::from_value(statement.clone()).unwrap();
    let statement = serde_json::to_string(&sorted).unwrap();
    let signature = Seal.sign(format!("glade checkpoint 1\0{statement}").as_bytes());
    format!(
        "{{\"key\":\"{}\",\"signature\":\"{}\",\"statement\":{statement}}}",
        hex(&Seal.public_key()),
        hex(&signature)
    )
    .into_bytes()
}

#[test]
fn a_folder_signed_before_there_were_roots_goes_on_and_verifies() {
    let (dir, store) = new_store();
    store.keep_checkpoints("main", Box::new(Seal)).unwrap();
    store.write_blocking(vec![join(1), join(2)]).unwrap();
    drop(store);
    // As the version before would have signed it.
    let db = database(dir.path());
    db.execute_batch("DELETE FROM merkle").unwrap();
    let (mut statement, _) = newest_checkpoint(dir.path());
    statement.as_object_mut().unwrap().remove("root").unwrap();
    let number = statement["number"].as_i64().unwrap();
    let old = signed(&statement);
    db.execute(
        "UPDATE checkpoint SET body = ?1 WHERE number = ?2",
        (&old, number),
    )
    .unwrap();
    std::fs::write(
        dir.path().join(format!("checkpoints/{number:08}.json")),
        &old,
    )
    .unwrap();
    drop(db);
    assert_eq!(verify(dir.path()).findings, []);

    let store = Store::open(dir.path()).unwrap();
    store.keep_checkpoints("main", Box::new(Seal)).unwrap();
    store.write_blocking(vec![join(3)]).unwrap();
    drop(store);
    let (statement, root) = newest_checkpoint(dir.path());
    assert_eq!(
        (&statement["root"], &statement["size"]),
        (&json!(root), &json!(3))
    );
    let report = verify(dir.path());
    assert_eq!((report.findings, report.vouched), (vec![], 3));
}

#[test]
fn a_changed_or_dropped_archive_is_found_and_named() {
    let (dir, store) = new_store();
    let compact = Change::CompactPage {
        page: "pg_1".to_owned(),
        blob: b"present".to_vec(),
        whole: b"past and present".to_vec(),
        through_seq: 0,
    };
    let epochs = vec![Change::PutPage(page("pg_1")), compact.clone(), compact];
    store.write_blocking(epochs).unwrap();
    drop(store);
    assert_eq!(verify(dir.path()).findings, []);

    let db = database(dir.path());
    db.execute("UPDATE page_archive SET blob = x'00' WHERE epoch = 0", [])
        .unwrap();
    db.execute("DELETE FROM page_archive WHERE epoch = 1", [])
        .unwrap();
    drop(db);
    let row = |what: &str, reason: &str| Finding::Row {
        what: what.to_owned(),
        reason: reason.to_owned(),
    };
    assert_eq!(
        verify(dir.path()).findings,
        [
            row("the archive of page pg_1 before its epoch 1", "was changed"),
            row("the archive of page pg_1 before its epoch 2", "was dropped"),
        ]
    );
}
