//! What a room enters into the audit chain besides the updates, which the store enters by itself.

use std::collections::HashMap;

use glade_store::AuditKind;
use serde_json::{Value, json};

use super::core::RoomCore;
use crate::{audit, metrics};

/// Refusals of one subject that are entered one by one; after them only every power of two, with
/// the count, so that being refused is no way to fill the disk.
const ONE_BY_ONE: u64 = 64;
/// Subjects whose refusals are counted at once.
const MOST_SUBJECTS: usize = 1024;
const LONGEST_REASON: usize = 500;

#[derive(Default)]
pub(super) struct Ledger {
    refusals: HashMap<String, u64>,
}

impl Ledger {
    /// How many refusals the subject has had, if this one is to be entered.
    fn count(&mut self, subject: &str) -> Option<u64> {
        if self.refusals.len() >= MOST_SUBJECTS && !self.refusals.contains_key(subject) {
            self.refusals.clear();
        }
        let count = self.refusals.entry(subject.to_owned()).or_default();
        *count += 1;
        (*count <= ONE_BY_ONE || count.is_power_of_two()).then_some(*count)
    }
}

impl RoomCore {
    pub(super) fn record(&mut self, kind: AuditKind, subject: &str, body: Value) {
        self.append(vec![audit::entry(kind, subject, body)]);
    }

    pub(super) fn record_refusal(&mut self, subject: &str, code: &str, reason: &str) {
        metrics::REFUSED.add();
        let Some(count) = self.ledger.count(subject) else {
            return;
        };
        let reason: String = reason.chars().take(LONGEST_REASON).collect();
        let body = json!({
            "page": self.page.as_str(),
            "code": code,
            "reason": reason,
            "count": count,
        });
        self.record(AuditKind::Refusal, subject, body);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flood_of_refusals_is_entered_in_ever_wider_steps() {
        let mut ledger = Ledger::default();
        let entered: Vec<u64> = (0..1000).filter_map(|_| ledger.count("person:x")).collect();
        let expected: Vec<u64> = (1..=64).chain([128, 256, 512]).collect();
        assert_eq!(entered, expected);
        assert_eq!(ledger.count("person:y"), Some(1));
    }
}
