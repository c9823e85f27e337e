//! What comes of breaking the rules again and again.
//!
//! Every refused update, presence or frame counts, for its connection and for the link that it came
//! with. A hundred are worth a line in the log, five hundred on one connection close it, a thousand
//! of one link shut that link out for a while, with all that were made from it, on whatever
//! connection they come. The owner's own token is never shut out: whoever holds another has no way
//! to have it counted.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use glade_access::Capability;
pub use glade_room::CLOSE_VIOLATIONS;

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

/// The links that broke rules lately.
#[derive(Default)]
pub struct Penalties {
    links: Mutex<HashMap<String, Record>>,
}

struct Record {
    count: u32,
    last: Instant,
    banned_until: Option<Instant>,
}

impl Penalties {
    fn banned(&self, link: &str, now: Instant) -> bool {
        self.with(|links| {
            links
                .get(link)
                .and_then(|record| record.banned_until)
                .is_some_and(|until| now < until)
        })
    }

    /// One more with this link. True if that shuts it out.
    fn count(&self, link: &str, now: Instant) -> bool {
        self.with(|links| {
            // Whoever behaved for so long starts anew; this also keeps the list short.
            links.retain(|_, record| now.duration_since(record.last) < BANNED_FOR);
            let record = links.entry(link.to_owned()).or_insert(Record {
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

    fn with<T>(&self, work: impl FnOnce(&mut HashMap<String, Record>) -> T) -> T {
        // Counters cannot be left half-changed.
        work(&mut self.links.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// One connection's account, shared by its socket and the rooms it is in.
pub struct Account {
    penalties: Arc<Penalties>,
    count: AtomicU32,
    /// The link that answers for what comes; none is the owner's own token.
    link: Mutex<Option<String>>,
}

impl Account {
    pub fn new(penalties: Arc<Penalties>) -> Self {
        Self {
            penalties,
            count: AtomicU32::new(0),
            link: Mutex::new(None),
        }
    }

    /// What answers for what comes from now on. False if it is shut out.
    pub fn admit(&self, capability: &Capability, now: Instant) -> bool {
        // The first block after the owner's: the link as it was given, whatever was made from it.
        let link = capability.revocation_ids().get(1).cloned();
        let banned = link
            .as_deref()
            .is_some_and(|link| self.penalties.banned(link, now));
        let mut known = self.link.lock().unwrap_or_else(PoisonError::into_inner);
        *known = link;
        !banned
    }

    /// One more violation.
    pub fn violation(&self, now: Instant) -> Penalty {
        let count = self.count.fetch_add(1, Ordering::Relaxed) + 1;
        let link = self
            .link
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone();
        if let Some(link) = link
            && self.penalties.count(&link, now)
        {
            tracing::warn!(link, "a thousand violations: shut out for five minutes");
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
    use std::time::SystemTime;

    use glade_access::{Keys, NarrowerRequest};

    use super::*;

    /// The owner's own, and two links of hers.
    struct Tokens {
        owner: Capability,
        eve: Capability,
        /// What Eve made of her link.
        eves: Capability,
        ann: Capability,
    }

    fn tokens() -> Tokens {
        let folder = tempfile::tempdir().unwrap();
        let keys = Keys::load_or_create(&folder.path().join("owner.key")).unwrap();
        let now = SystemTime::now();
        let capability = |token: &str| keys.verify(token, now).unwrap();
        let narrowed = |token: &str| {
            let narrower = NarrowerRequest::default().at(now);
            keys.attenuate(token, &narrower).unwrap()
        };
        let owner = keys.owner_token().unwrap();
        let (eve, ann) = (narrowed(&owner), narrowed(&owner));
        Tokens {
            eves: capability(&narrowed(&eve)),
            eve: capability(&eve),
            ann: capability(&ann),
            owner: capability(&owner),
        }
    }

    fn account(penalties: &Arc<Penalties>, who: &Capability, now: Instant) -> Account {
        let account = Account::new(Arc::clone(penalties));
        assert!(account.admit(who, now));
        account
    }

    #[test]
    fn a_hundred_warn_and_five_hundred_close() {
        let now = Instant::now();
        let account = account(&Arc::default(), &tokens().eve, now);
        let penalties: Vec<Penalty> = (0..CLOSE).map(|_| account.violation(now)).collect();
        let mut expected = vec![Penalty::None; CLOSE as usize];
        expected[WARN as usize - 1] = Penalty::Warn;
        expected[CLOSE as usize - 1] = Penalty::Close;
        assert_eq!(penalties, expected);
    }

    #[test]
    fn a_thousand_on_several_connections_shut_the_link_out_for_five_minutes() {
        let now = Instant::now();
        let penalties = Arc::default();
        let Tokens {
            owner,
            eve,
            eves,
            ann,
        } = tokens();
        // All of them are "person:owner": a link is counted, not the name that it bears.
        let subjects = [&owner, &eve, &eves, &ann].map(|who| who.subject.as_str());
        assert_eq!(subjects, ["person:owner"; 4]);
        let accounts: Vec<Account> = [&eve, &eves, &eve, &eves]
            .map(|who| account(&penalties, who, now))
            .into();
        let given: Vec<Penalty> = (0..BAN as usize)
            .map(|n| accounts[n % 4].violation(now))
            .collect();
        assert_eq!(given.last(), Some(&Penalty::Ban));
        let again = Account::new(Arc::clone(&penalties));
        assert!(!again.admit(&eve, now));
        assert!(!again.admit(&eves, now));
        assert!(again.admit(&ann, now));
        assert!(again.admit(&owner, now));
        assert!(again.admit(&eve, now + BANNED_FOR));
    }

    #[test]
    fn the_owners_own_token_is_never_shut_out() {
        let now = Instant::now();
        let (penalties, owner) = (Arc::default(), tokens().owner);
        for _ in 0..4 {
            let account = account(&penalties, &owner, now);
            for _ in 0..BAN {
                assert_ne!(account.violation(now), Penalty::Ban);
            }
        }
        assert!(Account::new(penalties).admit(&owner, now));
    }

    #[test]
    fn whoever_behaves_for_a_while_starts_anew() {
        let now = Instant::now();
        let (penalties, eve) = (Arc::default(), tokens().eve);
        for _ in 0..3 {
            let account = account(&penalties, &eve, now);
            for _ in 0..BAN / 4 {
                account.violation(now);
            }
        }
        let later = now + BANNED_FOR;
        let account = account(&penalties, &eve, later);
        for _ in 0..BAN / 2 {
            assert_ne!(account.violation(later), Penalty::Ban);
        }
    }
}
