//! Skipping work whose inputs have not changed.
//!
//! A stamp is a hash of what went into a step, kept after the step succeeded.
//! Hashes rather than times: a checkout or a copied folder changes times at will.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::shell;

/// A hash of files and folders, contents and names. Not a cryptographic one: it
/// guards against forgetting, not against an enemy. What is missing counts as
/// missing rather than as an error.
pub fn hash(paths: &[PathBuf]) -> Result<String> {
    let mut hasher = DefaultHasher::new();
    for path in paths {
        hash_path(path, &mut hasher)?;
    }
    Ok(format!("{:016x}", hasher.finish()))
}

fn hash_path(path: &Path, hasher: &mut DefaultHasher) -> Result<()> {
    path.file_name().hash(hasher);
    if path.is_dir() {
        let entries = fs::read_dir(path).with_context(|| format!("reading {}", path.display()))?;
        let mut children = entries
            .map(|entry| entry.map(|entry| entry.path()))
            .collect::<Result<Vec<_>, _>>()?;
        children.sort();
        children.len().hash(hasher);
        for child in children {
            hash_path(&child, hasher)?;
        }
    } else if path.is_file() {
        let bytes = fs::read(path).with_context(|| format!("reading {}", path.display()))?;
        bytes.hash(hasher);
    }
    Ok(())
}

/// Where stamps are kept: among the installed packages, so that they go when those go.
pub fn folder() -> PathBuf {
    shell::web().join("node_modules").join(".glade")
}

fn place(step: &str) -> PathBuf {
    folder().join(format!("{step}.stamp"))
}

/// Whether a step last succeeded with exactly this hash.
pub fn is_current(step: &str, hash: &str) -> bool {
    fs::read_to_string(place(step)).is_ok_and(|kept| kept == hash)
}

/// Remembers that a step succeeded with this hash.
pub fn keep(step: &str, hash: &str) -> Result<()> {
    let place = place(step);
    if let Some(folder) = place.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(&place, hash).with_context(|| format!("writing {}", place.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_changes_with_contents_names_and_places_and_with_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let sources = folder.path().join("src");
        fs::create_dir_all(sources.join("deep")).unwrap();
        fs::write(sources.join("a.ts"), "one").unwrap();
        let of = || hash(std::slice::from_ref(&sources)).unwrap();

        let first = of();
        fs::write(sources.join("a.ts"), "one").unwrap();
        assert_eq!(of(), first, "writing the same bytes changes nothing");

        fs::write(sources.join("a.ts"), "two").unwrap();
        let changed = of();
        assert_ne!(changed, first);

        fs::rename(sources.join("a.ts"), sources.join("b.ts")).unwrap();
        let renamed = of();
        assert_ne!(renamed, changed);

        fs::rename(sources.join("b.ts"), sources.join("deep/b.ts")).unwrap();
        assert_ne!(of(), renamed);
    }
}
