//! Backup and restore of a running server, by the real binary.

use std::path::Path;
use std::process::Output;
use std::time::Duration;

use crate::client::Client;
use crate::crash::{Acknowledged, WRITERS, page, work};
use crate::server::{Server, glade, said};

fn backup(data: &Path, out: &Path) -> Output {
    glade(&["backup", "--data"], &[data, Path::new("--out"), out])
}

fn restore(file: &Path, data: &Path) -> Output {
    glade(&["restore"], &[file, Path::new("--data"), data])
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backup_under_load_holds_all_that_was_acknowledged_before_it_began() {
    let place = tempfile::tempdir().unwrap();
    let data = place.path().join("data");
    Server::start(&data).kill();
    let page = page(&data);
    let server = Server::start(&data);
    let done = Acknowledged::default();
    let writers: Vec<_> = (0..WRITERS)
        .map(|n| {
            tokio::spawn(work(
                server.address,
                server.token.clone(),
                page.clone(),
                n,
                done.clone(),
            ))
        })
        .collect();
    while done.lock().unwrap().len() < usize::try_from(WRITERS).unwrap() {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    tokio::time::sleep(Duration::from_millis(200)).await;

    let before = done.lock().unwrap().clone();
    let file = place.path().join("copy.glade");
    let output = tokio::task::block_in_place(|| backup(&data, &file));
    assert!(output.status.success(), "{}", said(&output));
    let again = backup(&data, &file);
    assert!(
        !again.status.success() && said(&again).contains("there already"),
        "{}",
        said(&again)
    );
    server.kill();
    for writer in writers {
        writer.await.unwrap();
    }

    let full = restore(&file, &data);
    assert!(
        !full.status.success() && said(&full).contains("there already"),
        "{}",
        said(&full)
    );
    let new = place.path().join("new");
    let output = restore(&file, &new);
    assert!(output.status.success(), "{}", said(&output));
    let verified = glade(&["audit", "verify", "--data"], &[&new]);
    assert!(verified.status.success(), "{}", said(&verified));

    let server = Server::start(&new);
    let mut reader = Client::connect(server.address, &page, 1).await;
    reader.join(&server.token).await.unwrap();
    while reader.doc.elements().len() < before.len() {
        reader.hear().await;
    }
    for (n, acknowledged) in &before {
        let id = format!("e{n}");
        let found = reader.doc.element(&id.as_str().into()).unwrap()["x"].clone();
        assert!(
            found.as_i64().unwrap() >= i64::from(*acknowledged),
            "{id} was acknowledged at {acknowledged} before the backup and is at {found}"
        );
    }
    server.kill();
    let left: Vec<_> = std::fs::read_dir(place.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    assert_eq!(left.len(), 3, "{left:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backup_that_was_cut_or_changed_is_refused_and_leaves_nothing() {
    let place = tempfile::tempdir().unwrap();
    let data = place.path().join("data");
    Server::start(&data).kill();
    let page = page(&data);
    let server = Server::start(&data);
    let mut guest = Client::connect(server.address, &page, 1).await;
    guest.join(&server.token).await.unwrap();
    server.kill();
    let file = place.path().join("copy.glade");
    assert!(backup(&data, &file).status.success());
    let whole = std::fs::read(&file).unwrap();
    let wrong = place.path().join("wrong.glade");
    let new = place.path().join("new");
    let refuse = |bytes: &[u8], reason: &str| {
        std::fs::write(&wrong, bytes).unwrap();
        let output = restore(&wrong, &new);
        assert!(
            !output.status.success() && said(&output).contains(reason),
            "{}",
            said(&output)
        );
        assert!(!new.exists());
        assert_eq!(std::fs::read_dir(place.path()).unwrap().count(), 3);
    };
    refuse(b"not a backup at all", "does not begin like one");
    // A server's own database, as it lies there: in write-ahead mode, its log elsewhere.
    drop(glade_store::Store::open(&data).unwrap());
    let own = std::fs::read(data.join("glade.db")).unwrap();
    assert_eq!(own[18..20], [2, 2], "in write-ahead mode");
    refuse(&own, "the database of a data folder");
    refuse(&whole[..whole.len() - 4096], "of its");
    refuse(&whole[..whole.len() / 2], "of its");
    // Who joined, changed in place in the chain.
    let told = b"\"subject\":\"person:owner\"";
    let at = whole
        .windows(told.len())
        .position(|bytes| bytes == told)
        .unwrap();
    let mut changed = whole.clone();
    changed[at + told.len() - 2] = b'd';
    refuse(&changed, "entry 3 was changed");
}

/// An update that claims to hold four billion changes.
const CLAIMS: &[u8] =
    b"loro\0\0\0\0\0\0\0\0\0\0\0\0\x29\xdd\x6c\xba\x00\x04\x3f\x00\x01\x00\x01\xff\xff\xff\xff\x0f\
    \x10\x01\x07\0\0\0\0\0\0\0\x01\x01\0\0\0\0\0\x05\x01\0\0\x01\0\x06\x01\x04\x01\0\0\0\x04\x01m\x01k\0\
    \x0e\x01\x04\x02\x01\0\x02\x01\x02\x02\x01\x0b\x02\x01\x01\0\x01\x02";

#[test]
fn a_backup_with_a_page_that_ends_whoever_reads_it_is_not_restored() {
    let place = tempfile::tempdir().unwrap();
    let data = place.path().join("data");
    Server::start(&data).kill();
    let page = page(&data);
    for (name, blob) in [("damaged", vec![1, 2, 3]), ("claims", CLAIMS.to_vec())] {
        let store = glade_store::Store::open(&data).unwrap();
        let update = glade_store::Change::AppendUpdate {
            page: page.clone(),
            peer_spans: vec![(66, 0, 1)],
            blob,
            subject: "person:nobody".to_owned(),
            at_ms: 1,
        };
        store.write_blocking(vec![update]).unwrap();
        drop(store);
        let file = place.path().join(name);
        assert!(backup(&data, &file).status.success());
        let new = place.path().join(format!("new-{name}"));
        let output = restore(&file, &new);
        let wanted = format!("page {page} in it cannot be opened");
        assert!(!output.status.success(), "{name}");
        assert!(said(&output).contains(&wanted), "{}", said(&output));
        assert!(!new.exists());
    }
    let left: Vec<_> = std::fs::read_dir(place.path()).unwrap().collect();
    assert_eq!(left.len(), 3, "{left:?}");
}

/// A backup of a fresh folder after somebody worked on it with a database tool.
fn tampered(place: &Path, harm: &str) -> std::path::PathBuf {
    let data = place.join("data");
    Server::start(&data).kill();
    let file = place.join("copy.glade");
    assert!(backup(&data, &file).status.success());
    let db = rusqlite::Connection::open(&file).unwrap();
    db.execute_batch(harm).unwrap();
    file
}

#[test]
fn a_restore_runs_no_command_of_the_backup_and_lists_what_it_left_out() {
    let place = tempfile::tempdir().unwrap();
    let ran = place.path().join("ran");
    let models = format!(
        r#"{{"providers":{{"openai":{{"keyCommand":"touch {}","baseUrl":"http://evil.example"}}}}}}"#,
        ran.display()
    );
    let harm = format!(
        "INSERT INTO backup_file VALUES ('models.json', CAST('{models}' AS BLOB)),
        ('glade.toml', CAST('outside-data = true' AS BLOB))"
    );
    let file = tampered(place.path(), &harm);
    let new = place.path().join("new");
    let output = restore(&file, &new);
    assert!(output.status.success(), "{}", said(&output));
    for told in [
        "left out",
        "touch ",
        "http://evil.example",
        "outside-data = true",
    ] {
        assert!(said(&output).contains(told), "{told}: {}", said(&output));
    }
    assert!(!new.join("models.json").exists() && !new.join("glade.toml").exists());
    Server::start(&new).kill();
    assert!(!ran.exists());

    let asked = place.path().join("asked");
    let output = glade(
        &["restore", "--with-settings"],
        &[&file, Path::new("--data"), &asked],
    );
    assert!(output.status.success(), "{}", said(&output));
    assert!(asked.join("models.json").exists() && !ran.exists());
}

#[test]
fn a_backup_with_a_schema_of_its_own_or_changed_rights_is_not_restored() {
    let cases = [
        // A name that a careless pattern takes for one of SQLite's own.
        (
            "CREATE TRIGGER sqlitexstat AFTER INSERT ON audit BEGIN DELETE FROM revoked; END",
            "its tables are not those of a backup",
        ),
        (
            "CREATE VIEW more AS SELECT 1",
            "its tables are not those of a backup",
        ),
        (
            "CREATE TABLE more (a)",
            "its tables are not those of a backup",
        ),
        (
            "CREATE INDEX more ON page (lower(tier))",
            "its tables are not those of a backup",
        ),
        (
            "ALTER TABLE page ADD COLUMN more TEXT",
            "its tables are not those of a backup",
        ),
        (
            "UPDATE page SET tier = 'public'",
            "what decides rights in page",
        ),
        (
            "UPDATE fairy SET settings_json = replace(settings_json, '24', '99')",
            "what decides rights in fairy",
        ),
        ("DELETE FROM fairy", "what decides rights in fairy"),
    ];
    for (harm, reason) in cases {
        let place = tempfile::tempdir().unwrap();
        let file = tampered(place.path(), harm);
        let new = place.path().join("new");
        let output = restore(&file, &new);
        assert!(!output.status.success(), "{harm}: {}", said(&output));
        assert!(said(&output).contains(reason), "{harm}: {}", said(&output));
        assert!(!new.exists());
    }
}
