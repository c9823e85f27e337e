//! What a room enters into the audit chain besides the updates, which the store enters by itself.

use glade_store::AuditKind;
use serde_json::{Value, json};

use super::core::RoomCore;
use crate::{audit, metrics};

impl RoomCore {
    pub(super) fn record(&mut self, kind: AuditKind, subject: &str, body: Value) {
        self.append(vec![audit::entry(kind, subject, body)]);
    }

    pub(super) fn record_refusal(&mut self, subject: &str, code: &str, reason: &str) {
        metrics::REFUSED.add();
        #[cfg(test)]
        if self.faults.forget_refusals {
            return;
        }
        let about = json!({ "page": self.page.as_str(), "code": code });
        let entry = self.refusals.refusal(subject, reason, about, self.now_ms);
        if let Some(body) = entry {
            self.record(AuditKind::Refusal, subject, body);
        }
    }
}
