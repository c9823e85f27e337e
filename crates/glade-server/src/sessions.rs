//! Browsers that are signed in.
//!
//! A link's token is exchanged for a session of its own, which the cookie carries: it can be listed
//! and ended without touching the token. What a session may do is what its token may do at that
//! moment, so that revoking or expiry of the token ends it too.

mod secret;

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use glade_access::Capability;
use glade_store::{Change, SessionRow, Store, StoreError, Unreadable};
use tokio::sync::{Mutex, watch};

pub use secret::Secret;

use glade_host::clock::now_ms;
use glade_host::set_aside::session_chain;

/// A session that nobody used for this long is over: 30 days.
pub const IDLE_SECONDS: u32 = 30 * 24 * 60 * 60;
const IDLE_MS: i64 = IDLE_SECONDS as i64 * 1000;
/// Most sessions of one person, those of the links that they handed on included …
const MOST_OF_ONE: usize = 50;
/// … and of everybody.
const MOST: usize = 2000;
/// How stale the stored time of use may be: it only matters after a restart.
const SAVE_EVERY_MS: i64 = 60 * 60 * 1000;
const LONGEST_CLIENT: usize = 200;

#[derive(Clone)]
pub struct Sessions {
    store: Store,
    inner: Arc<Inner>,
}

struct Inner {
    live: RwLock<HashMap<String, Live>>,
    /// One sign-in at a time, so that the bounds hold.
    opening: Mutex<()>,
    /// Rings when rights end.
    bell: watch::Sender<usize>,
}

struct Live {
    row: SessionRow,
    chain: Vec<String>,
    seen_ms: AtomicI64,
    saved_ms: AtomicI64,
}

impl Live {
    fn new(row: SessionRow) -> Result<Self, Unreadable> {
        Ok(Self {
            chain: session_chain(&row)?,
            seen_ms: AtomicI64::new(row.seen_ms),
            saved_ms: AtomicI64::new(row.seen_ms),
            row,
        })
    }

    fn idle(&self, now_ms: i64) -> bool {
        now_ms.saturating_sub(self.seen_ms.load(Ordering::Relaxed)) > IDLE_MS
    }
}

/// A session as its overseer sees it.
pub struct Listed {
    pub id: String,
    pub subject: String,
    pub client: String,
    pub created_ms: i64,
    pub seen_ms: i64,
}

#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("the token could not be sealed")]
    Seal,
}

impl Sessions {
    pub fn open(store: Store) -> Result<Self, StoreError> {
        // One that cannot be read opens nothing; the workspace names it.
        let rows = store.sessions()?.rows.into_iter();
        let live = rows.filter_map(|row| Some((row.id.clone(), Live::new(row).ok()?)));
        let live = live.collect();
        Ok(Self {
            store,
            inner: Arc::new(Inner {
                live: RwLock::new(live),
                opening: Mutex::default(),
                bell: watch::channel(0).0,
            }),
        })
    }

    /// What wakes those who hold rights when some end.
    pub fn bell(&self) -> watch::Sender<usize> {
        self.inner.bell.clone()
    }

    pub fn alive(&self, id: &str) -> bool {
        let live = self.live();
        live.get(id).is_some_and(|session| !session.idle(now_ms()))
    }

    /// The token that the session of this secret stands for. Using it keeps the session alive.
    pub fn token_of(&self, secret: &Secret) -> Option<String> {
        let (id, now) = (secret.id(), now_ms());
        let live = self.live();
        let session = live.get(&id).filter(|session| !session.idle(now))?;
        let token = secret.open(&session.row.sealed)?;
        session.seen_ms.fetch_max(now, Ordering::Relaxed);
        let saved = session.saved_ms.load(Ordering::Relaxed);
        if now.saturating_sub(saved) > SAVE_EVERY_MS {
            session.saved_ms.store(now, Ordering::Relaxed);
            // Nobody waits for it.
            drop(
                self.store
                    .write(vec![Change::SeeSession { id, at_ms: now }]),
            );
        }
        Some(token)
    }

    /// Signs a browser in. Where there are too many sessions, the one longest out of use ends.
    pub async fn begin(
        &self,
        token: &str,
        capability: &Capability,
        client: &str,
    ) -> Result<Secret, OpenError> {
        let (secret, now) = (Secret::random(), now_ms());
        let client = client.chars().filter(|c| !c.is_control());
        let row = SessionRow {
            id: secret.id(),
            subject: capability.subject.clone(),
            chain_json: serde_json::json!(capability.revocation_ids()).to_string(),
            sealed: secret.seal(token).ok_or(OpenError::Seal)?,
            client: client.take(LONGEST_CLIENT).collect(),
            created_ms: now,
            seen_ms: now,
        };
        let _one_at_a_time = self.inner.opening.lock().await;
        let over = self.to_end_before(&row.subject, now);
        if !over.is_empty() {
            self.end(&over, &row.subject).await?;
        }
        self.store
            .write(vec![Change::PutSession(row.clone())])
            .await?;
        let (id, session) = (row.id.clone(), Live::new(row).map_err(StoreError::from)?);
        let mut live = self.inner.live.write();
        let live = live.as_mut().unwrap_or_else(|poisoned| poisoned.get_mut());
        live.insert(id, session);
        Ok(secret)
    }

    /// Which sessions make place for a new one of `subject`.
    fn to_end_before(&self, subject: &str, now_ms: i64) -> Vec<String> {
        let live = self.live();
        let (mut over, mut rest): (Vec<_>, Vec<_>) =
            live.values().partition(|session| session.idle(now_ms));
        // The owner's go last, whoever asks.
        rest.sort_by_key(|session| {
            let owners = session.row.subject == glade_access::OWNER;
            (owners, session.seen_ms.load(Ordering::Relaxed))
        });
        let same = |session: &&Live| person(&session.row.subject) == person(subject);
        let own: Vec<&Live> = rest.iter().copied().filter(same).collect();
        let too_many = (own.len() + 1).saturating_sub(MOST_OF_ONE);
        over.extend(own.into_iter().take(too_many));
        let ended: HashSet<&str> = over.iter().map(|it| it.row.id.as_str()).collect();
        rest.retain(|session| !ended.contains(session.row.id.as_str()));
        let too_many = (rest.len() + 1).saturating_sub(MOST);
        over.extend(rest.into_iter().take(too_many));
        over.into_iter().map(|it| it.row.id.clone()).collect()
    }

    /// The sessions opened with this token or one made from it, the newest first.
    pub fn overseen_by(&self, capability: &Capability) -> Vec<Listed> {
        let now = now_ms();
        let live = self.live();
        let theirs = live.values().filter(|session| {
            !session.idle(now) && session.chain.starts_with(capability.revocation_ids())
        });
        let mut listed: Vec<Listed> = theirs
            .map(|session| Listed {
                id: session.row.id.clone(),
                subject: session.row.subject.clone(),
                client: session.row.client.clone(),
                created_ms: session.row.created_ms,
                seen_ms: session.seen_ms.load(Ordering::Relaxed),
            })
            .collect();
        listed.sort_by(|a, b| (b.created_ms, &b.id).cmp(&(a.created_ms, &a.id)));
        listed
    }

    /// Ends sessions at once; resolves when that lasts. What they had open closes.
    pub async fn end(&self, ids: &[String], by: &str) -> Result<(), StoreError> {
        {
            let mut live = self.inner.live.write();
            let live = live.as_mut().unwrap_or_else(|poisoned| poisoned.get_mut());
            live.retain(|id, _| !ids.contains(id));
        }
        self.inner.bell.send_modify(|rung| *rung += 1);
        let end = Change::EndSessions {
            ids: ids.to_vec(),
            subject: by.to_owned(),
            at_ms: now_ms(),
        };
        self.store.write(vec![end]).await
    }

    fn live(&self) -> std::sync::RwLockReadGuard<'_, HashMap<String, Live>> {
        let live = self.inner.live.read();
        live.unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whose a subject is: `person:anna/phone` is Anna's.
pub fn person(subject: &str) -> &str {
    subject
        .split_once('/')
        .map_or(subject, |(person, _)| person)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn anyone(subject: &str) -> Capability {
        Capability::local("main", subject).unwrap()
    }

    #[tokio::test]
    async fn one_person_has_so_many_sessions_and_takes_no_place_from_others() {
        let dir = tempfile::tempdir().unwrap();
        let sessions = Sessions::open(Store::open(dir.path()).unwrap()).unwrap();
        let owner = sessions
            .begin("o", &anyone(glade_access::OWNER), "")
            .await
            .unwrap();
        let mut secrets = Vec::new();
        for n in 0..MOST_OF_ONE + 2 {
            let guest = anyone(&format!("person:eve/guest_{n}"));
            secrets.push(sessions.begin("t", &guest, "").await.unwrap());
        }
        let alive = |secret: &Secret| sessions.alive(&secret.id());
        let eves: Vec<bool> = secrets.iter().map(alive).collect();
        assert_eq!(eves.iter().filter(|alive| **alive).count(), MOST_OF_ONE);
        assert!(alive(secrets.last().unwrap()));
        assert!(alive(&owner));
    }

    #[tokio::test]
    async fn what_has_ended_stays_ended_after_a_restart() {
        let dir = tempfile::tempdir().unwrap();
        let anna = anyone("person:anna");
        let (kept, ended) = {
            let sessions = Sessions::open(Store::open(dir.path()).unwrap()).unwrap();
            let kept = sessions.begin("kept", &anna, "").await.unwrap();
            let ended = sessions.begin("ended", &anna, "").await.unwrap();
            sessions.end(&[ended.id()], &anna.subject).await.unwrap();
            (kept, ended)
        };
        let sessions = Sessions::open(Store::open(dir.path()).unwrap()).unwrap();
        assert_eq!(sessions.token_of(&kept).as_deref(), Some("kept"));
        assert_eq!(sessions.token_of(&ended), None);
        assert!(!sessions.alive(&ended.id()));
    }
}
