//! What the server's doors enter into the audit chain, and who signs its checkpoints.
//!
//! Updates, runs and steps are entered by the store itself; see `glade_store::audit`.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use glade_access::{AccessError, AuditKey};
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

/// Refusals of one subject that are entered one by one in an hour; after them only every power of
/// two, with the count, so that being refused is no way to fill the disk.
const ONE_BY_ONE: u64 = 64;
const HOUR_MS: i64 = 60 * 60 * 1000;
/// Subjects that are counted at once.
const MOST_SUBJECTS: usize = 1024;
const LONGEST_REASON: usize = 500;
/// Who nobody has proved to be.
pub const UNKNOWN: &str = "unknown";

/// Says which refusals are worth an entry.
#[derive(Default)]
pub struct RateLimiter {
    since_ms: i64,
    counts: HashMap<String, u64>,
}

impl RateLimiter {
    /// The body of a refusal's entry, if it is to have one. `about` is an object that says what
    /// was asked for.
    pub fn refusal(
        &mut self,
        subject: &str,
        reason: &str,
        mut about: Value,
        now_ms: i64,
    ) -> Option<Value> {
        let count = self.count(subject, now_ms)?;
        about["reason"] = reason
            .chars()
            .take(LONGEST_REASON)
            .collect::<String>()
            .into();
        about["count"] = count.into();
        Some(about)
    }

    /// How many refusals the subject has had this hour, if this one is to be entered.
    fn count(&mut self, subject: &str, now_ms: i64) -> Option<u64> {
        if now_ms.saturating_sub(self.since_ms) >= HOUR_MS {
            self.since_ms = now_ms;
            self.counts.clear();
        }
        if self.counts.len() >= MOST_SUBJECTS && !self.counts.contains_key(subject) {
            self.counts.clear();
        }
        let count = self.counts.entry(subject.to_owned()).or_default();
        *count += 1;
        (*count <= ONE_BY_ONE || count.is_power_of_two()).then_some(*count)
    }
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
        if let Some(body) = limiter.refusal(subject, reason, about, now_ms()) {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flood_of_refusals_is_entered_in_ever_wider_steps_each_hour() {
        let mut limiter = RateLimiter::default();
        let mut flood = |subject: &str, now| -> Vec<u64> {
            (0..1000)
                .filter_map(|_| limiter.count(subject, now))
                .collect()
        };
        let expected: Vec<u64> = (1..=64).chain([128, 256, 512]).collect();
        assert_eq!(flood("person:x", 1), expected);
        assert_eq!(flood("person:x", 2), Vec::<u64>::from([1024]));
        assert_eq!(flood("person:y", 3), expected);
        assert_eq!(flood("person:x", HOUR_MS + 1), expected);
    }

    #[test]
    fn many_subjects_are_not_kept_for_ever() {
        let mut limiter = RateLimiter::default();
        for n in 0..3 * MOST_SUBJECTS {
            limiter.count(&format!("person:{n}"), 1);
        }
        assert!(limiter.counts.len() <= MOST_SUBJECTS);
    }
}
