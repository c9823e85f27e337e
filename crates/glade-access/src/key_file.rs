//! The root key on disk: one line, readable by its owner only, made whole or not at all.

use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::Path;

use biscuit_auth::{Algorithm, KeyPair, PrivateKey};

use crate::error::AccessError;

/// Says what the file is to whoever finds it, and which version of the format it has.
const PREFIX: &str = "glade-key-1 ";

pub(crate) fn load_or_create(path: &Path) -> Result<KeyPair, AccessError> {
    match fs::read_to_string(path) {
        Ok(text) => {
            refuse_exposed(path)?;
            parse(&text).ok_or_else(|| AccessError::KeyDamaged {
                path: path.to_owned(),
            })
        }
        Err(e) if e.kind() == ErrorKind::NotFound => create(path),
        Err(e) if e.kind() == ErrorKind::InvalidData => Err(AccessError::KeyDamaged {
            path: path.to_owned(),
        }),
        Err(e) => Err(failed("read", path)(e)),
    }
}

fn parse(text: &str) -> Option<KeyPair> {
    let hex = text.strip_prefix(PREFIX)?.trim_end();
    let private = PrivateKey::from_bytes_hex(hex, Algorithm::Ed25519).ok()?;
    Some(KeyPair::from(&private))
}

/// Writes a new key beside its place, then links it there, which fails if someone else was first:
/// the file is never seen half-written, and of two servers starting at once both use one key.
fn create(path: &Path) -> Result<KeyPair, AccessError> {
    let pair = KeyPair::new();
    let mut name = path.file_name().unwrap_or_default().to_owned();
    // Named after the public key, so that drafts made at the same time do not meet.
    name.push(format!(".new-{}", pair.public().to_bytes_hex()));
    let draft = path.with_file_name(name);
    let line = format!("{PREFIX}{}\n", pair.private().to_bytes_hex());

    write_private(&draft, &line).map_err(failed("write", &draft))?;
    let placed = fs::hard_link(&draft, path).or_else(|e| match e.kind() {
        ErrorKind::AlreadyExists => Err(e),
        // A file system without hard links.
        _ => fs::rename(&draft, path),
    });
    // After a rename the draft is gone already.
    drop(fs::remove_file(&draft));
    match placed {
        Ok(()) => {
            sync_folder(path).map_err(failed("keep", path))?;
            Ok(pair)
        }
        Err(e) if e.kind() == ErrorKind::AlreadyExists => load_or_create(path),
        Err(e) => Err(failed("write", path)(e)),
    }
}

fn write_private(path: &Path, text: &str) -> std::io::Result<()> {
    let mut options = File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(path)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

#[cfg(unix)]
fn sync_folder(path: &Path) -> std::io::Result<()> {
    match path.parent().filter(|p| !p.as_os_str().is_empty()) {
        Some(folder) => File::open(folder)?.sync_all(),
        None => File::open(".")?.sync_all(),
    }
}

#[cfg(not(unix))]
fn sync_folder(_: &Path) -> std::io::Result<()> {
    Ok(())
}

#[cfg(unix)]
fn refuse_exposed(path: &Path) -> Result<(), AccessError> {
    use std::os::unix::fs::PermissionsExt;
    let mode = fs::metadata(path)
        .map_err(failed("read", path))?
        .permissions()
        .mode();
    if mode & 0o077 == 0 {
        return Ok(());
    }
    Err(AccessError::KeyExposed {
        path: path.to_owned(),
    })
}

#[cfg(not(unix))]
fn refuse_exposed(_: &Path) -> Result<(), AccessError> {
    Ok(())
}

fn failed(doing: &'static str, path: &Path) -> impl FnOnce(std::io::Error) -> AccessError {
    let path = path.to_owned();
    move |source| AccessError::KeyFile {
        doing,
        path,
        source,
    }
}
