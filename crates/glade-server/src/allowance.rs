//! How often one person may ask for something: so many at once, and then so many a minute.
//!
//! Whoever was let in may still be a program gone wild. Each kind of request has an allowance of its
//! own, counted for a person with all the links that they handed on; what ends or takes back (Stop,
//! undo, revoking, signing out) has none, so that it always gets through.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::http::Method;

use crate::sessions::person;

/// What is counted together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Handing on a token.
    Links,
    /// Setting fairies or a chat to work.
    Questions,
    /// Files and pictures brought or read, and pages copied.
    Files,
    /// Everything else that changes something.
    Changes,
}

impl Kind {
    /// Requests at once, and a minute.
    const fn most(self) -> (u32, u32) {
        match self {
            Self::Links => (200, 60),
            Self::Questions => (120, 120),
            Self::Files => (200, 240),
            Self::Changes => (600, 1_200),
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Links => "links",
            Self::Questions => "questions",
            Self::Files => "files",
            Self::Changes => "changes",
        }
    }

    /// The kind of a request, by the path of its route; `None`: as often as one likes.
    pub fn of(method: &Method, route: &str) -> Option<Self> {
        if method.is_safe() || method == Method::DELETE {
            return None;
        }
        let last = route.rsplit('/').next().unwrap_or_default();
        Some(match (route, last) {
            ("/api/tokens/revoke", _) => return None,
            (_, "stop" | "abort" | "disband" | "undo" | "reopen" | "keep" | "sleep") => {
                return None;
            }
            ("/api/tokens/attenuate", _) => Self::Links,
            (_, "chat" | "interrupt" | "schedule" | "start" | "messages" | "events") => {
                Self::Questions
            }
            ("/api/workspaces/{ws}/projects", _) => Self::Questions,
            (_, "import" | "read" | "blobs" | "duplicate") => Self::Files,
            _ => Self::Changes,
        })
    }
}

/// The allowance is used up for now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UsedUp {
    kind: Kind,
    pub wait: Duration,
}

impl std::fmt::Display for UsedUp {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (burst, a_minute) = self.kind.most();
        write!(
            f,
            "That was too many {} in a short time: {burst} at once and {a_minute} a minute are allowed. Wait {} s.",
            self.kind.name(),
            self.wait.as_secs().max(1)
        )
    }
}

/// What everybody has used lately.
#[derive(Default)]
pub struct Allowances {
    used: Mutex<HashMap<(String, Kind), Used>>,
}

struct Used {
    left: f64,
    at: Instant,
}

/// Accounts that are looked through for full ones at the latest when there are so many.
const MANY: usize = 4_096;

impl Allowances {
    /// Takes one from the allowance of whoever `subject` belongs to.
    pub fn take(&self, subject: &str, kind: Kind, now: Instant) -> Result<(), UsedUp> {
        let (burst, a_minute) = kind.most();
        let (burst, a_second) = (f64::from(burst), f64::from(a_minute) / 60.0);
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        if used.len() >= MANY {
            // An account that is full again is like none.
            used.retain(|(_, kind), account| account.refilled(*kind, now) < kind.most().0.into());
        }
        let key = (person(subject).to_owned(), kind);
        let account = used.entry(key).or_insert(Used {
            left: burst,
            at: now,
        });
        account.left = account.refilled(kind, now);
        account.at = now;
        if account.left < 1.0 {
            let wait = Duration::from_secs_f64((1.0 - account.left) / a_second);
            return Err(UsedUp { kind, wait });
        }
        account.left -= 1.0;
        Ok(())
    }
}

impl Used {
    fn refilled(&self, kind: Kind, now: Instant) -> f64 {
        let (burst, a_minute) = kind.most();
        let passed = now.saturating_duration_since(self.at).as_secs_f64();
        (self.left + passed * f64::from(a_minute) / 60.0).min(burst.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_thousand_links_in_three_seconds_end_after_the_burst() {
        let (allowances, start) = (Allowances::default(), Instant::now());
        let made = (0..2_000u32).filter(|n| {
            let at = start + Duration::from_millis(u64::from(*n) * 3 / 2);
            // Links of links count for the same person.
            let maker = format!("person:eve/guest_{n}");
            allowances.take(&maker, Kind::Links, at).is_ok()
        });
        assert_eq!(made.count(), 202);
        assert_eq!(allowances.take("person:ann", Kind::Links, start), Ok(()));
        assert_eq!(allowances.take("person:eve", Kind::Changes, start), Ok(()));
        let used_up = allowances.take("person:eve", Kind::Links, start);
        assert_eq!(
            used_up.unwrap_err().to_string(),
            "That was too many links in a short time: 200 at once and 60 a minute are allowed. Wait 1 s."
        );
    }

    #[test]
    fn what_ends_or_takes_back_always_gets_through() {
        let post = |route| Kind::of(&Method::POST, route);
        for route in [
            "/api/fairies/{id}/stop",
            "/api/projects/{id}/disband",
            "/api/runs/{run}/undo",
            "/api/runs/{run}/reopen",
            "/api/tokens/revoke",
            "/api/code/chats/{chat}/abort",
        ] {
            assert_eq!(post(route), None, "{route}");
        }
        assert_eq!(Kind::of(&Method::DELETE, "/api/sessions"), None);
        assert_eq!(Kind::of(&Method::GET, "/api/tokens"), None);
        assert_eq!(post("/api/tokens/attenuate"), Some(Kind::Links));
        assert_eq!(post("/api/ai/chat"), Some(Kind::Questions));
        assert_eq!(post("/api/pages/{page}/import"), Some(Kind::Files));
        assert_eq!(post("/api/pages/{page}/duplicate"), Some(Kind::Files));
        assert_eq!(
            post("/api/workspaces/{ws}/pages"),
            Some(Kind::Changes),
            "whatever is not named"
        );
    }

    #[test]
    fn accounts_that_are_full_again_are_forgotten() {
        let (allowances, start) = (Allowances::default(), Instant::now());
        for n in 0..MANY {
            let subject = format!("person:{n}");
            assert_eq!(allowances.take(&subject, Kind::Links, start), Ok(()));
        }
        let later = start + Duration::from_secs(2);
        assert_eq!(allowances.take("person:new", Kind::Links, later), Ok(()));
        let kept = allowances
            .used
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        assert_eq!(kept.len(), 1);
    }
}
