//! Nobody but its owner reads a data folder, and nothing in it is reached through a link.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;

use glade_store::{Change, Restoring, Settings, Store, StoreError, backup};

use crate::{new_store, page, setting};

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

/// The modes of all files of a folder.
fn modes(dir: &Path) -> Vec<(String, u32)> {
    let entries = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap());
    let mut modes: Vec<(String, u32)> = entries
        .map(|entry| {
            let name = entry.file_name().into_string().unwrap();
            (name, mode(&entry.path()))
        })
        .collect();
    modes.sort();
    modes
}

fn all_private() -> Vec<(String, u32)> {
    let names = [
        "glade.db",
        "glade.db-shm",
        "glade.db-wal",
        "glade.lock",
        "reserve",
    ];
    names.map(|name| (name.to_owned(), 0o600)).to_vec()
}

#[test]
fn a_new_folder_and_all_that_is_made_in_it_is_its_owners_alone() {
    let parent = tempfile::tempdir().unwrap();
    let dir = parent.path().join("data");
    let store = Store::open(&dir).unwrap();
    store.write_blocking(vec![setting("a", "1")]).unwrap();
    assert_eq!(mode(&dir), 0o700);
    assert_eq!(modes(&dir), all_private());
    let copy = parent.path().join("copy");
    backup(&dir, &copy).unwrap();
    assert_eq!(mode(&copy), 0o600);
    let again = parent.path().join("again");
    Restoring::begin(&copy, &again, Settings::LeftOut)
        .unwrap()
        .finish()
        .unwrap();
    assert_eq!(mode(&again), 0o700);
    assert_eq!(modes(&again), [("glade.db".to_owned(), 0o600)]);
}

#[test]
fn a_folder_that_others_could_read_is_closed_to_them() {
    let (dir, store) = new_store();
    store.write_blocking(vec![setting("a", "1")]).unwrap();
    drop(store);
    set_mode(dir.path(), 0o755);
    set_mode(&dir.path().join("glade.db"), 0o644);
    set_mode(&dir.path().join("glade.lock"), 0o666);
    let store = Store::open(dir.path()).unwrap();
    store.write_blocking(vec![setting("b", "2")]).unwrap();
    assert_eq!(mode(dir.path()), 0o700);
    assert_eq!(modes(dir.path()), all_private());
}

#[test]
fn a_link_in_the_place_of_a_file_is_refused_and_what_it_leads_to_stays() {
    for name in ["glade.db", "glade.db-wal", "glade.lock", "reserve"] {
        let (dir, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let target = elsewhere.path().join("file");
        fs::write(&target, "somebody else's").unwrap();
        symlink(&target, dir.path().join(name)).unwrap();
        let error = Store::open(dir.path()).unwrap_err();
        assert!(
            matches!(error, StoreError::Exposed { .. }),
            "{name}: {error}"
        );
        assert_eq!(fs::read(&target).unwrap(), b"somebody else's");
    }
}

#[test]
fn a_backup_is_restored_from_an_ordinary_file_into_a_folder_and_through_no_link() {
    let (dir, store) = new_store();
    store
        .write_blocking(vec![Change::PutPage(page("pg_1"))])
        .unwrap();
    let place = tempfile::tempdir().unwrap();
    let at = |name: &str| place.path().join(name);
    backup(dir.path(), &at("file")).unwrap();
    symlink(at("file"), at("link")).unwrap();
    fs::create_dir(at("folder")).unwrap();
    symlink(at("folder"), at("link-to-folder")).unwrap();
    symlink(at("nowhere"), at("dangling")).unwrap();
    let refused = |file: &Path, dir: &Path| {
        Restoring::begin(file, dir, Settings::LeftOut)
            .err()
            .map(|e| e.to_string())
    };
    for (file, dir) in [
        (at("link"), at("new")),
        (at("folder"), at("new")),
        (Path::new("/dev/zero").to_owned(), at("new")),
        (at("file"), at("link-to-folder")),
        (at("file"), at("dangling")),
    ] {
        assert!(refused(&file, &dir).is_some(), "{file:?} into {dir:?}");
    }
    // A backup that claims more than the disk has, all of it a hole.
    let mut huge = fs::read(at("file")).unwrap();
    huge[28..32].copy_from_slice(&(u32::MAX - 1).to_be_bytes());
    fs::write(at("huge"), &huge).unwrap();
    let file = fs::File::options().write(true).open(at("huge")).unwrap();
    if file.set_len(4096 * u64::from(u32::MAX - 1)).is_ok() {
        assert!(refused(&at("huge"), &at("new")).is_some());
    }
    // Nor is a backup written through a link.
    let error = backup(dir.path(), &at("dangling")).unwrap_err();
    assert!(matches!(error, StoreError::Taken { .. }), "{error}");
    assert!(!at("nowhere").exists() && !at("new").exists());
    Restoring::begin(&at("file"), &at("new"), Settings::LeftOut)
        .unwrap()
        .finish()
        .unwrap();
}

#[test]
fn a_backup_with_a_trigger_or_a_name_that_leads_out_of_it_is_refused() {
    let (dir, store) = new_store();
    store.write_blocking(vec![setting("a", "1")]).unwrap();
    let place = tempfile::tempdir().unwrap();
    let changes = [
        "CREATE TRIGGER revive AFTER INSERT ON revoked BEGIN DELETE FROM revoked; END",
        "CREATE VIEW seen AS SELECT * FROM setting",
        "INSERT INTO backup_file VALUES ('../out', x'00')",
        "INSERT INTO backup_file VALUES ('/tmp/glade-restored-outside', x'00')",
        "INSERT INTO backup_file VALUES ('a/../../out', x'00')",
        "INSERT INTO backup_file VALUES ('glade.lock', x'00')",
        "INSERT INTO backup_file VALUES ('', x'00')",
        "INSERT INTO backup_file VALUES ('glade.db-journal', x'00')",
        "INSERT INTO backup_file VALUES ('Glade.DB-wal', x'00')",
        "INSERT INTO backup_file VALUES ('glade.db-shm/x', x'00')",
        "INSERT INTO backup_file VALUES ('glade.db-mj00000000', x'00')",
        "INSERT INTO backup_file VALUES ('.files/owner.key', x'00')",
        "INSERT INTO backup_file VALUES ('owner' || char(0) || '.key', x'00')",
    ];
    for (at, change) in changes.iter().enumerate() {
        let file = place.path().join(format!("{at}"));
        backup(dir.path(), &file).unwrap();
        let db = rusqlite::Connection::open(&file).unwrap();
        db.execute_batch(change).unwrap();
        drop(db);
        let target = place.path().join("data");
        let Err(error) = Restoring::begin(&file, &target, Settings::LeftOut) else {
            panic!("{change} was restored");
        };
        assert!(matches!(error, StoreError::NotABackup { .. }), "{error}");
        assert!(!target.exists() && !place.path().join("out").exists());
    }
    let left = fs::read_dir(place.path()).unwrap().count();
    assert_eq!(left, changes.len(), "nothing is left behind");
}

#[test]
fn a_backup_brings_the_files_of_a_data_folder_and_no_others() {
    let (dir, store) = new_store();
    store.write_blocking(vec![setting("a", "1")]).unwrap();
    let write = |name: &str| {
        let path = dir.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, name).unwrap();
    };
    let ours = [
        "audit.key",
        "checkpoints/00000001.json",
        "owner.key",
        "revoke/0af9",
    ];
    let others = ["notes.txt", "checkpoints/last.json", "revoke/x.sh", "a/b"];
    ours.iter().chain(&others).for_each(|name| write(name));
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("file");
    backup(dir.path(), &file).unwrap();
    // As an older version, which took everything, would have made it.
    let db = rusqlite::Connection::open(&file).unwrap();
    for name in others {
        let put = "INSERT INTO backup_file VALUES (?1, x'00')";
        db.execute(put, [name]).unwrap();
    }
    drop(db);
    let data = place.path().join("data");
    Restoring::begin(&file, &data, Settings::LeftOut)
        .unwrap()
        .finish()
        .unwrap();
    for name in ours {
        assert_eq!(fs::read_to_string(data.join(name)).unwrap(), name);
    }
    let mut there: Vec<String> = fs::read_dir(&data)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    there.sort();
    let wanted = [
        "audit.key",
        "checkpoints",
        "glade.db",
        "owner.key",
        "revoke",
    ];
    assert_eq!(there, wanted);
    for folder in ["checkpoints", "revoke"] {
        assert_eq!(fs::read_dir(data.join(folder)).unwrap().count(), 1);
    }
}

#[test]
fn a_folder_whose_database_would_do_something_by_itself_is_not_opened() {
    let (dir, store) = new_store();
    store.write_blocking(vec![setting("a", "1")]).unwrap();
    drop(store);
    let db = rusqlite::Connection::open(dir.path().join("glade.db")).unwrap();
    let trigger = "CREATE TRIGGER t AFTER INSERT ON revoked BEGIN DELETE FROM revoked; END";
    db.execute_batch(trigger).unwrap();
    let error = Store::open(dir.path()).err().unwrap();
    assert!(matches!(error, StoreError::NotOurs { .. }), "{error}");
    db.execute_batch("DROP TRIGGER t").unwrap();
    drop(db);
    Store::open(dir.path()).unwrap();
}

#[test]
fn a_backup_holds_no_sessions() {
    let (dir, store) = new_store();
    let row = glade_store::SessionRow {
        id: "a".repeat(64),
        subject: "person:anna".to_owned(),
        chain_json: "[]".to_owned(),
        sealed: b"a sealed token".to_vec(),
        client: "Test".to_owned(),
        created_ms: 1,
        seen_ms: 2,
    };
    store
        .write_blocking(vec![Change::PutSession(row.clone())])
        .unwrap();
    assert_eq!(store.sessions().unwrap().rows, std::slice::from_ref(&row));
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("file");
    backup(dir.path(), &file).unwrap();
    let bytes = fs::read(&file).unwrap();
    assert!(!bytes.windows(14).any(|part| part == row.sealed));
    let data = place.path().join("data");
    Restoring::begin(&file, &data, Settings::LeftOut)
        .unwrap()
        .finish()
        .unwrap();
    let restored = Store::open(&data).unwrap();
    assert_eq!(restored.sessions().unwrap().rows, []);
}
