//! Which refusals are worth an entry in the audit chain.

use std::collections::HashMap;

use crate::output::Record;
use crate::room::Room;

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
    /// How many refusals the subject has had this hour, if this one is to be entered.
    pub fn count(&mut self, subject: &str, now_ms: i64) -> Option<u64> {
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

    /// A reason as it is entered: not longer than needed.
    pub fn shortened(reason: &str) -> String {
        reason.chars().take(LONGEST_REASON).collect()
    }
}

impl Room {
    pub(crate) fn record_refusal(&mut self, subject: &str, code: &str, reason: &str) {
        self.counts.refused += 1;
        #[cfg(any(test, feature = "sim"))]
        if self.faults.forget_refusals {
            return;
        }
        if let Some(count) = self.refusals.count(subject, self.now_ms) {
            self.out.append(vec![Record::Refused {
                subject: subject.to_owned(),
                code: code.to_owned(),
                reason: RateLimiter::shortened(reason),
                count,
            }]);
        }
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
