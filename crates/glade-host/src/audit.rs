//! What the server's doors enter into the audit chain, and who signs its checkpoints.
//!
//! Updates, runs and steps are entered by the store itself; see `glade_store::audit`.

use std::path::Path;
use std::sync::{Mutex, PoisonError};

use glade_access::{AccessError, AuditKey};
use glade_room::{RateLimiter, UNKNOWN};
use glade_store::audit::Signer;
use glade_store::{AuditEntry, AuditKind, Change, Store};
use serde_json::{Value, json};

use crate::clock::now_ms;
use crate::metrics;

pub fn entry(kind: AuditKind, subject: &str, body: Value) -> Change {
    Change::Audit(AuditEntry {
        at_ms: now_ms(),
        kind,
        subject: subject.to_owned(),
        body,
    })
}

/// The body of a refusal's entry. `about` is an object that says what was asked for.
pub fn refusal_body(mut about: Value, reason: String, count: u64) -> Value {
    about["reason"] = reason.into();
    about["count"] = count.into();
    about
}

/// Enters what was refused before any room heard of it: joins, frames, requests.
pub struct Refusals {
    store: Store,
    limiter: Mutex<RateLimiter>,
}

impl Refusals {
    pub fn new(store: Store) -> Self {
        Self {
            store,
            limiter: Mutex::default(),
        }
    }

    /// `subject` is `None` where nobody knows who it was.
    pub fn enter(&self, subject: Option<&str>, reason: &str, about: Value) {
        metrics::REFUSED.add();
        let subject = subject.unwrap_or(UNKNOWN);
        // Counters cannot be left half-changed.
        let mut limiter = self.limiter.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = limiter.count(subject, now_ms()) {
            let body = refusal_body(about, RateLimiter::shortened(reason), count);
            // The call itself queues it; nobody waits for it.
            drop(
                self.store
                    .write(vec![entry(AuditKind::Refusal, subject, body)]),
            );
        }
    }

    pub fn frame(&self, subject: Option<&str>, page: &str, reason: &str) {
        let page: String = page.chars().take(32).collect();
        self.enter(subject, reason, json!({ "page": page, "code": "frame" }));
    }

    pub fn join(&self, subject: Option<&str>, page: &str, reason: &str) {
        let page: String = page.chars().take(32).collect();
        self.enter(subject, reason, json!({ "page": page, "code": "join" }));
    }
}

/// Signs checkpoints with the data folder's audit key.
pub struct CheckpointSigner(AuditKey);

impl CheckpointSigner {
    pub fn of(data: &Path) -> Result<Self, AccessError> {
        AuditKey::load_or_create(&data.join("audit.key")).map(Self)
    }
}

impl Signer for CheckpointSigner {
    fn public_key(&self) -> [u8; 32] {
        self.0.public_key()
    }

    fn sign(&self, message: &[u8]) -> [u8; 64] {
        self.0.sign(message)
    }
}
