//! The key file.

use std::collections::BTreeSet;
use std::fs;

use glade_access::{AccessError, AuditKey, Keys, signature_holds};

use crate::now;

#[test]
fn a_key_file_gives_the_same_owner_token_at_every_start() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("glade.key");
    let first = Keys::load_or_create(&path).unwrap();
    let second = Keys::load_or_create(&path).unwrap();
    assert_eq!(first.owner_token().unwrap(), second.owner_token().unwrap());
    assert_eq!(first.fingerprint(), second.fingerprint());
    assert_eq!(first.fingerprint().len(), 8);
    assert!(second.verify(&first.owner_token().unwrap(), now()).is_ok());
}

#[test]
fn two_key_files_give_different_keys() {
    let (one, other) = (crate::new_keys(), crate::new_keys());
    assert_ne!(one.fingerprint(), other.fingerprint());
    assert_ne!(one.owner_token().unwrap(), other.owner_token().unwrap());
}

#[test]
fn only_the_key_is_left_behind_and_only_its_owner_can_read_it() {
    let dir = tempfile::tempdir().unwrap();
    Keys::load_or_create(&dir.path().join("glade.key")).unwrap();
    let names: Vec<_> = fs::read_dir(dir.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    assert_eq!(names, ["glade.key"]);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = fs::metadata(dir.path().join("glade.key"))
            .unwrap()
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o600);
    }
}

#[cfg(unix)]
#[test]
fn a_key_that_others_can_read_is_refused() {
    use std::os::unix::fs::PermissionsExt;
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("glade.key");
    Keys::load_or_create(&path).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    let error = Keys::load_or_create(&path).unwrap_err();
    assert!(matches!(error, AccessError::KeyExposed { .. }), "{error}");
    assert!(error.to_string().contains("chmod 600"), "{error}");
}

#[test]
fn a_damaged_key_is_refused_and_stays_as_it_was() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("glade.key");
    Keys::load_or_create(&path).unwrap();
    let whole = fs::read(&path).unwrap();
    for damaged in [
        Vec::new(),
        whole[..whole.len() / 2].to_vec(),
        b"something else".to_vec(),
        vec![0xff; 40],
    ] {
        fs::write(&path, &damaged).unwrap();
        let error = Keys::load_or_create(&path).unwrap_err();
        assert!(matches!(error, AccessError::KeyDamaged { .. }), "{error}");
        assert_eq!(fs::read(&path).unwrap(), damaged);
    }
}

#[test]
fn of_many_that_start_at_once_all_use_one_key() {
    for _ in 0..10 {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("glade.key");
        let together = std::sync::Barrier::new(8);
        let found: BTreeSet<_> = std::thread::scope(|scope| {
            let starting: Vec<_> = (0..8)
                .map(|_| {
                    scope.spawn(|| {
                        together.wait();
                        Keys::load_or_create(&path).unwrap().fingerprint()
                    })
                })
                .collect();
            starting.into_iter().map(|s| s.join().unwrap()).collect()
        });
        assert_eq!(found.len(), 1);
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
    }
}

#[test]
fn debug_output_shows_no_key() {
    let keys = crate::new_keys();
    assert_eq!(format!("{keys:?}"), format!("Keys({})", keys.fingerprint()));
}

#[test]
fn the_audit_key_signs_and_stays_the_same() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("audit.key");
    let key = AuditKey::load_or_create(&path).unwrap();
    let signature = key.sign(b"three entries");
    let again = AuditKey::load_or_create(&path).unwrap();
    assert_eq!(again.public_key(), key.public_key());
    let holds = |message: &[u8], signature: &[u8; 64]| {
        signature_holds(&key.public_key(), message, signature)
    };
    assert!(holds(b"three entries", &signature));
    assert!(!holds(b"two entries", &signature));
    let mut forged = signature;
    forged[5] ^= 1;
    assert!(!holds(b"three entries", &forged));
    let other = AuditKey::load_or_create(&dir.path().join("other.key")).unwrap();
    assert!(!holds(b"three entries", &other.sign(b"three entries")));
}
