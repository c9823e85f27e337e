//! Files and folders that only their owner can read.
//!
//! A data folder holds keys and everything that people wrote. It is made for its owner alone; one
//! that others can look into (made by hand, copied, unpacked) is closed to them when it is opened.
//! What lies in it is never reached through a link: somebody else may have put that there.

use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Read};
use std::path::Path;

use crate::error::StoreError;

/// Makes a folder, and those above it that are missing, that only its owner can enter.
pub fn make_folder(dir: &Path) -> std::io::Result<()> {
    if dir.is_dir() {
        return Ok(());
    }
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(dir)?;
    // The folder's own entry must survive a power cut as well as what is in it.
    crate::folder::sync_parent(dir)
}

/// Options for a file that only its owner can read. A link in its place is not followed.
pub fn options() -> OpenOptions {
    let mut options = File::options();
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(0o600).custom_flags(no_follow());
    }
    options
}

/// Makes a file that was not there.
pub fn create_new(path: &Path) -> std::io::Result<File> {
    options().write(true).create_new(true).open(path)
}

/// Opens an ordinary file for reading: no link, no folder, no device, no pipe. Answers its size too.
pub fn open(path: &Path) -> std::io::Result<(File, u64)> {
    let refuse = |what: &str| Err(std::io::Error::new(ErrorKind::InvalidInput, what));
    // Before it is opened: opening a device or a pipe may already do something.
    let kind = fs::symlink_metadata(path)?.file_type();
    if kind.is_symlink() {
        return refuse("it is a link; name the file that it leads to");
    }
    if !kind.is_file() {
        return refuse("it is not an ordinary file");
    }
    let file = options().read(true).open(path)?;
    let found = file.metadata()?;
    if !found.is_file() {
        return refuse("it is not an ordinary file");
    }
    Ok((file, found.len()))
}

/// All of an ordinary file that has at most so many bytes, whatever it claims to have.
pub fn read(path: &Path, limit: u64) -> std::io::Result<Vec<u8>> {
    let (file, size) = open(path)?;
    let too_large = || {
        let why = format!("it has more than the {limit} bytes that are taken");
        Err(std::io::Error::new(ErrorKind::InvalidInput, why))
    };
    if size > limit {
        return too_large();
    }
    let mut bytes = Vec::new();
    file.take(limit + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit {
        too_large()
    } else {
        Ok(bytes)
    }
}

#[cfg(unix)]
fn no_follow() -> i32 {
    use rustix::fs::OFlags;
    // Not to wait for the other end of a pipe that took the file's place.
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
    // Flags of `open` fit into its own argument.
    i32::try_from(flags.bits()).unwrap_or(0)
}

/// Closes a data folder to everybody but its owner, and says so where it had to. Files that are
/// links are refused.
#[cfg(unix)]
pub(crate) fn close_to_others(dir: &Path) -> Result<(), StoreError> {
    use std::os::unix::fs::PermissionsExt as _;

    let close = |path: &Path, found: &fs::Metadata, keep: u32| -> Result<(), StoreError> {
        let mode = found.permissions().mode();
        if mode & 0o077 == 0 {
            return Ok(());
        }
        let closed = fs::Permissions::from_mode(mode & keep);
        fs::set_permissions(path, closed).map_err(|e| StoreError::Exposed {
            path: path.to_owned(),
            reason: format!("mode {:o}, and it could not be changed: {e}", mode & 0o777),
        })?;
        tracing::warn!(
            path = %path.display(),
            mode = format!("{:o}", mode & 0o777),
            "other users could read this; it is closed to them now"
        );
        Ok(())
    };
    let looking = |e| StoreError::io("look at", dir, e);
    close(dir, &fs::metadata(dir).map_err(looking)?, 0o700)?;
    for entry in fs::read_dir(dir).map_err(looking)? {
        let entry = entry.map_err(looking)?;
        let path = entry.path();
        let found = match entry.metadata() {
            Ok(found) => found,
            Err(e) if e.kind() == ErrorKind::NotFound => continue,
            Err(e) => return Err(StoreError::io("look at", &path, e)),
        };
        let ours = is_ours(&entry.file_name());
        if ours && found.file_type().is_symlink() {
            return Err(StoreError::Exposed {
                path,
                reason: "it is a link, which somebody else may have put there".to_owned(),
            });
        }
        if ours && found.is_file() {
            close(&path, &found, 0o600)?;
        }
    }
    Ok(())
}

#[cfg(not(unix))]
pub(crate) fn close_to_others(_: &Path) -> Result<(), StoreError> {
    Ok(())
}

/// What the store itself writes. A key that others could read is not repaired but refused, by
/// whoever reads it: it may have been copied.
#[cfg(unix)]
fn is_ours(name: &std::ffi::OsStr) -> bool {
    let name = name.to_string_lossy();
    name.starts_with("glade.") || name == crate::reserve::FILE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_ordinary_file_of_the_right_size_is_read() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        fs::write(at("file"), "12345").unwrap();
        assert_eq!(read(&at("file"), 5).unwrap(), b"12345");
        assert!(read(&at("file"), 4).is_err());
        assert!(read(dir.path(), 100).is_err());
        // A file that claims a terabyte and has none of it.
        let sparse = File::create(at("sparse")).unwrap();
        sparse.set_len(1 << 40).unwrap();
        assert!(read(&at("sparse"), 1 << 20).is_err());
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(at("file"), at("link")).unwrap();
            let error = read(&at("link"), 100).unwrap_err();
            assert!(error.to_string().contains("link"), "{error}");
            assert!(options().write(true).open(at("link")).is_err());
            assert!(read(Path::new("/dev/zero"), 100).is_err());
        }
    }
}
