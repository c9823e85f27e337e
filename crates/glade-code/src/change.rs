//! One file, before and after.

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use utoipa::ToSchema;

use crate::path::ProjectPath;

/// What a call wants to do to one file. `None`: there is no file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedChange {
    pub path: ProjectPath,
    pub before: Option<Vec<u8>>,
    pub after: Option<Vec<u8>>,
}

/// What a change does to its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ChangeKind {
    Create,
    Edit,
    Delete,
}

impl PlannedChange {
    pub fn kind(&self) -> ChangeKind {
        match (&self.before, &self.after) {
            (None, _) => ChangeKind::Create,
            (Some(_), Some(_)) => ChangeKind::Edit,
            (Some(_), None) => ChangeKind::Delete,
        }
    }
}

/// The name of some bytes: their SHA-256 in hexadecimal, as the store names its blobs.
pub fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes)
        .iter()
        .fold(String::with_capacity(64), |mut text, byte| {
            // Writing to a string cannot fail.
            let _ = write!(text, "{byte:02x}");
            text
        })
}
