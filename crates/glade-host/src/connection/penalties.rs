//! What comes of breaking the rules again and again.
//!
//! Every refused update, presence or frame counts, for its connection and for its subject. A
//! hundred are worth a line in the log, five hundred on one connection close it, a thousand of one
//! subject shut it out for a while, on whatever connection it comes.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

pub const CLOSE_VIOLATIONS: u16 = 4002;
pub const WARN: u32 = 100;
pub const CLOSE: u32 = 500;
pub const BAN: u32 = 1000;
const BANNED_FOR: Duration = Duration::from_secs(5 * 60);

/// What one more violation leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Penalty {
    None,
    Warn,
    Close,
    Ban,
}

/// The subjects that broke rules lately.
#[derive(Default)]
pub struct Penalties {
    subjects: Mutex<HashMap<String, Record>>,
}

struct Record {
    count: u32,
    last: Instant,
    banned_until: Option<Instant>,
}

impl Penalties {
    pub fn banned(&self, subject: &str, now: Instant) -> bool {
        self.with(|subjects| {
            subjects
                .get(subject)
                .and_then(|record| record.banned_until)
                .is_some_and(|until| now < until)
        })
    }

    /// One more by this subject. True if that shuts it out.
    fn count(&self, subject: &str, now: Instant) -> bool {
        self.with(|subjects| {
            // Whoever behaved for so long starts anew; this also keeps the list short.
            subjects.retain(|_, record| now.duration_since(record.last) < BANNED_FOR);
            let record = subjects.entry(subject.to_owned()).or_insert(Record {
                count: 0,
                last: now,
                banned_until: None,
            });
            record.count += 1;
            record.last = now;
            if record.count < BAN {
                return false;
            }
            record.count = 0;
            record.banned_until = Some(now + BANNED_FOR);
            true
        })
    }

    fn with<T>(&self, deed: impl FnOnce(&mut HashMap<String, Record>) -> T) -> T {
        // Counters cannot be left half-changed.
        deed(&mut self.subjects.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// One connection's account, shared by its socket and the rooms it is in.
pub struct Account {
    penalties: Arc<Penalties>,
    count: AtomicU32,
    subject: Mutex<Option<String>>,
}

impl Account {
    pub fn new(penalties: Arc<Penalties>) -> Self {
        Self {
            penalties,
            count: AtomicU32::new(0),
            subject: Mutex::new(None),
        }
    }

    /// Who answers for what comes from now on. False if they are shut out.
    pub fn admit(&self, subject: &str, now: Instant) -> bool {
        let mut known = self.subject.lock().unwrap_or_else(PoisonError::into_inner);
        *known = Some(subject.to_owned());
        !self.penalties.banned(subject, now)
    }

    /// One more violation.
    pub fn violation(&self, now: Instant) -> Penalty {
        let count = self.count.fetch_add(1, Ordering::Relaxed) + 1;
        let subject = self
            .subject
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone();
        if let Some(subject) = subject
            && self.penalties.count(&subject, now)
        {
            tracing::warn!(subject, "a thousand violations: shut out for five minutes");
            return Penalty::Ban;
        }
        match count {
            WARN => Penalty::Warn,
            CLOSE.. => Penalty::Close,
            _ => Penalty::None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn account(penalties: &Arc<Penalties>, now: Instant) -> Account {
        let account = Account::new(Arc::clone(penalties));
        assert!(account.admit("person:eve", now));
        account
    }

    #[test]
    fn a_hundred_warn_and_five_hundred_close() {
        let now = Instant::now();
        let account = account(&Arc::default(), now);
        let penalties: Vec<Penalty> = (0..CLOSE).map(|_| account.violation(now)).collect();
        let mut expected = vec![Penalty::None; CLOSE as usize];
        expected[WARN as usize - 1] = Penalty::Warn;
        expected[CLOSE as usize - 1] = Penalty::Close;
        assert_eq!(penalties, expected);
    }

    #[test]
    fn a_thousand_on_several_connections_shut_the_subject_out_for_five_minutes() {
        let now = Instant::now();
        let penalties = Arc::default();
        let accounts: Vec<Account> = (0..4).map(|_| account(&penalties, now)).collect();
        let given: Vec<Penalty> = (0..BAN as usize)
            .map(|n| accounts[n % 4].violation(now))
            .collect();
        assert_eq!(given.last(), Some(&Penalty::Ban));
        let again = Account::new(Arc::clone(&penalties));
        assert!(!again.admit("person:eve", now));
        assert!(again.admit("person:ann", now));
        assert!(again.admit("person:eve", now + BANNED_FOR));
    }

    #[test]
    fn whoever_behaves_for_a_while_starts_anew() {
        let now = Instant::now();
        let penalties = Arc::default();
        for _ in 0..3 {
            let account = account(&penalties, now);
            for _ in 0..BAN / 4 {
                account.violation(now);
            }
        }
        let later = now + BANNED_FOR;
        let account = account(&penalties, later);
        for _ in 0..BAN / 2 {
            assert_ne!(account.violation(later), Penalty::Ban);
        }
    }
}
