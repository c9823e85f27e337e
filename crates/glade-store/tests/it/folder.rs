//! Folders that must not be opened, and what is left of them: all.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use glade_store::{Change, Store, StoreError};
use rusqlite::Connection;

use crate::{new_store, page, setting};

/// The folder's files with their bytes, but for those that hold nothing durable: the lock, SQLite's
/// scratch file for readers, and an empty log, which says the same as none.
fn files(dir: &Path) -> BTreeMap<String, Vec<u8>> {
    fs::read_dir(dir)
        .unwrap()
        .map(|entry| entry.unwrap())
        .map(|entry| {
            let name = entry.file_name().into_string().unwrap();
            (name, fs::read(entry.path()).unwrap())
        })
        .filter(|(name, bytes)| match name.as_str() {
            "glade.lock" | "glade.db-shm" => false,
            "glade.db-wal" => !bytes.is_empty(),
            _ => true,
        })
        .collect()
}

/// Opens, expects an error, and holds the files to what they were.
fn refused(dir: &Path) -> StoreError {
    let before = files(dir);
    let error = Store::open(dir).unwrap_err();
    assert!(before == files(dir), "files changed: {error}");
    error
}

#[test]
fn a_second_server_on_the_same_folder_is_refused_until_the_first_is_gone() {
    let (dir, store) = new_store();
    let error = Store::open(dir.path()).unwrap_err();
    assert!(matches!(error, StoreError::InUse { .. }), "{error}");
    assert!(error.to_string().contains("--data"), "{error}");
    let clone = store.clone();
    drop(store);
    assert!(Store::open(dir.path()).is_err());
    drop(clone);
    Store::open(dir.path()).unwrap();
}

#[test]
fn a_folder_from_a_newer_version_is_refused_and_unchanged() {
    let (dir, store) = new_store();
    store.write_blocking(vec![setting("a", "1")]).unwrap();
    drop(store);
    let database = Connection::open(dir.path().join("glade.db")).unwrap();
    database.pragma_update(None, "user_version", 99).unwrap();
    drop(database);
    let error = refused(dir.path());
    assert!(
        matches!(error, StoreError::Newer { found: 99, .. }),
        "{error}"
    );
}

#[test]
fn a_log_left_by_a_newer_version_is_not_folded_in() {
    let (dir, store) = new_store();
    drop(store);
    let crashed = Connection::open(dir.path().join("glade.db")).unwrap();
    crashed.pragma_update(None, "user_version", 99).unwrap();
    let copy = tempfile::tempdir().unwrap();
    for name in ["glade.db", "glade.db-wal"] {
        fs::copy(dir.path().join(name), copy.path().join(name)).unwrap();
    }
    assert!(files(copy.path()).contains_key("glade.db-wal"));
    assert!(matches!(
        refused(copy.path()),
        StoreError::Newer { found: 99, .. }
    ));
}

#[test]
fn a_file_that_is_no_database_is_refused_and_unchanged() {
    for garbage in [&b"x"[..], b"hello, this is a letter\n", &[0; 8192]] {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("glade.db"), garbage).unwrap();
        let error = refused(dir.path());
        assert!(matches!(error, StoreError::NotOurs { .. }), "{error}");
    }
}

#[test]
fn another_programs_database_is_refused_and_unchanged() {
    let dir = tempfile::tempdir().unwrap();
    let database = Connection::open(dir.path().join("glade.db")).unwrap();
    database.execute_batch("CREATE TABLE cookies (a)").unwrap();
    drop(database);
    let error = refused(dir.path());
    assert!(matches!(error, StoreError::NotOurs { .. }), "{error}");
}

#[test]
fn a_database_cut_anywhere_is_refused_and_unchanged() {
    let (dir, store) = new_store();
    store
        .write_blocking(vec![Change::PutPage(page("pg_1"))])
        .unwrap();
    drop(store);
    let whole = fs::read(dir.path().join("glade.db")).unwrap();
    let copy = tempfile::tempdir().unwrap();
    for length in [
        1,
        15,
        16,
        99,
        100,
        511,
        4095,
        4096,
        whole.len() / 2,
        whole.len() - 1,
    ] {
        fs::write(copy.path().join("glade.db"), &whole[..length]).unwrap();
        let error = refused(copy.path());
        assert!(
            matches!(
                error,
                StoreError::Damaged { .. } | StoreError::NotOurs { .. }
            ),
            "{length}: {error}"
        );
    }
}

#[test]
fn a_log_whose_database_is_gone_is_not_thrown_away() {
    let (dir, store) = new_store();
    store.write_blocking(vec![setting("a", "1")]).unwrap();
    let log = fs::read(dir.path().join("glade.db-wal")).unwrap();
    for emptied in [true, false] {
        let copy = tempfile::tempdir().unwrap();
        fs::write(copy.path().join("glade.db-wal"), &log).unwrap();
        if emptied {
            fs::write(copy.path().join("glade.db"), b"").unwrap();
        }
        let error = refused(copy.path());
        assert!(matches!(error, StoreError::Damaged { .. }), "{error}");
    }
}

#[test]
fn a_start_cut_off_before_the_first_table_is_taken_up_again() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("glade.db"), b"").unwrap();
    drop(Store::open(dir.path()).unwrap());

    let dir = tempfile::tempdir().unwrap();
    let database = Connection::open(dir.path().join("glade.db")).unwrap();
    database.pragma_update(None, "journal_mode", "wal").unwrap();
    drop(database);
    assert!(!files(dir.path())["glade.db"].is_empty());
    let store = Store::open(dir.path()).unwrap();
    store.write_blocking(vec![setting("a", "1")]).unwrap();
}

#[test]
fn a_folder_that_is_a_file_says_so() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("data");
    fs::write(&path, b"a file").unwrap();
    let error = Store::open(&path).unwrap_err();
    assert!(matches!(error, StoreError::Io { .. }), "{error}");
    assert!(error.to_string().contains("data"), "{error}");
}

#[test]
fn a_new_folder_is_made_for_its_owner_only() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("deep").join("data");
    drop(Store::open(&path).unwrap());
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o700);
    }
}
