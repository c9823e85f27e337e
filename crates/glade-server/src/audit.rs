//! What the server's doors enter into the audit chain, and who signs its checkpoints.
//!
//! Updates, runs and steps are entered by the store itself; see `glade_store::audit`.

use std::path::Path;

use glade_access::{AccessError, AuditKey};
use glade_store::audit::Signer;
use glade_store::{AuditEntry, AuditKind, Change};
use serde_json::Value;

use crate::clock::now_ms;

pub fn entry(kind: AuditKind, subject: &str, body: Value) -> Change {
    Change::Audit(AuditEntry {
        at_ms: now_ms(),
        kind,
        subject: subject.to_owned(),
        body,
    })
}

/// Signs checkpoints with the data folder's audit key.
pub struct Notary(AuditKey);

impl Notary {
    pub fn of(data: &Path) -> Result<Self, AccessError> {
        AuditKey::load_or_create(&data.join("audit.key")).map(Self)
    }
}

impl Signer for Notary {
    fn public_key(&self) -> [u8; 32] {
        self.0.public_key()
    }

    fn sign(&self, message: &[u8]) -> [u8; 64] {
        self.0.sign(message)
    }
}
