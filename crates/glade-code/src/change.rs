//! One file, before and after.

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use utoipa::ToSchema;

use crate::diff::{UnifiedDiff, unified};
use crate::path::ProjectPath;

/// What a call wants to do to one file. `None`: there is no file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedChange {
    pub path: ProjectPath,
    pub before: Option<Vec<u8>>,
    pub after: Option<Vec<u8>>,
    /// Where the file is now, with the bytes of `after`; there is nothing at `path`.
    pub moved_from: Option<ProjectPath>,
}

/// What a change does to its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ChangeKind {
    Create,
    Edit,
    Delete,
    /// To another place or name.
    Move,
}

impl PlannedChange {
    pub fn kind(&self) -> ChangeKind {
        match (&self.before, &self.after) {
            _ if self.moved_from.is_some() => ChangeKind::Move,
            (None, _) => ChangeKind::Create,
            (Some(_), Some(_)) => ChangeKind::Edit,
            (Some(_), None) => ChangeKind::Delete,
        }
    }

    /// The paths that it changes: where it takes a file from, and where it writes.
    pub fn paths(&self) -> impl Iterator<Item = &ProjectPath> {
        self.moved_from.iter().chain([&self.path])
    }

    /// What happens to each of its paths.
    pub fn writes(&self) -> Vec<FileWrite<'_>> {
        let taken = self.moved_from.as_ref().map(|from| FileWrite {
            path: from,
            before: self.after.as_deref(),
            after: None,
        });
        let written = FileWrite {
            path: &self.path,
            before: self.before.as_deref(),
            after: self.after.as_deref(),
        };
        taken.into_iter().chain([written]).collect()
    }

    /// As people read it.
    pub fn diff(&self) -> UnifiedDiff {
        match &self.moved_from {
            Some(from) => {
                UnifiedDiff::Text(format!("rename from {from}\nrename to {}\n", self.path))
            }
            None => unified(&self.path, self.before.as_deref(), self.after.as_deref()),
        }
    }
}

/// One path, before and after. `None`: there is no file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileWrite<'a> {
    pub path: &'a ProjectPath,
    pub before: Option<&'a [u8]>,
    pub after: Option<&'a [u8]>,
}

/// The name of some bytes: their SHA-256 in hexadecimal, as the store names its blobs.
pub fn digest(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes
        .iter()
        .fold(String::with_capacity(64), |mut text, byte| {
            // Writing to a string cannot fail.
            let _ = write!(text, "{byte:02x}");
            text
        })
}
