//! Who may do what, now: tokens, what was taken back, and what has expired.

use std::future::Future;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use glade_access::{AccessError, Capability, Keys};
use glade_host::fairies::Validity;
use glade_store::Store;
use tokio::sync::{Notify, watch};
use tokio::time::Instant;

use crate::edge::bearer::Credential;
use crate::edge::cookie::SessionCookie;
use crate::edge::problem::Problem;
use crate::revocation::Revocations;
use crate::sessions::{Secret, Sessions};
use glade_host::clock::{Clock, KEPT_EVERY};

/// How often a stream asks the clock: a machine that slept has missed its deadlines.
const LOOK: Duration = Duration::from_secs(5);

pub struct Access {
    pub keys: Keys,
    pub cookie: SessionCookie,
    pub sessions: Sessions,
    pub revoked: Revocations,
    pub clock: Clock,
    /// Rings when something was refused because of the time.
    refused: Notify,
}

/// Somebody who has shown what they come with.
pub struct Holder {
    pub capability: Capability,
    /// The token that they hold, or that their session stands for.
    pub token: String,
    /// Their session, if they came with its cookie.
    pub session: Option<String>,
}

impl Access {
    pub fn new(
        keys: Keys,
        cookie: SessionCookie,
        sessions: Sessions,
        revoked: Revocations,
        clock: Clock,
    ) -> Self {
        Self {
            keys,
            cookie,
            sessions,
            revoked,
            clock,
            refused: Notify::new(),
        }
    }

    /// What a request's credential is worth now.
    pub fn holder(&self, credential: &Credential) -> Result<Holder, Denied> {
        match credential {
            Credential::Bearer(token) => Ok(Holder {
                capability: self.verify(token)?,
                token: token.clone(),
                session: None,
            }),
            Credential::Cookie(text) => {
                let secret = Secret::parse(text).ok_or(Denied::NoSession)?;
                let token = self.sessions.token_of(&secret).ok_or(Denied::NoSession)?;
                let id = secret.id();
                Ok(Holder {
                    capability: self.verify(&token)?.in_session(&id),
                    token,
                    session: Some(id),
                })
            }
        }
    }

    /// What a token is worth now.
    pub fn verify(&self, token: &str) -> Result<Capability, Denied> {
        let capability = self.keys.verify(token, self.now()).inspect_err(|error| {
            if matches!(error, AccessError::Expired { .. }) {
                self.refused.notify_one();
            }
        })?;
        if self.revoked.hit(&capability) {
            let subject = capability.subject;
            return Err(Denied::Revoked { subject });
        }
        Ok(capability)
    }

    /// The time by which tokens are made and judged.
    pub fn now(&self) -> SystemTime {
        self.clock.now()
    }

    /// Whether a capability verified before still holds.
    pub fn holds(&self, capability: &Capability) -> bool {
        !self.expired(capability) && !self.revoked.hit(capability)
    }

    pub fn expired(&self, capability: &Capability) -> bool {
        let expired = capability.expired(self.now());
        if expired {
            self.refused.notify_one();
        }
        expired
    }

    /// When a capability that holds now will expire, by time that really passes: no clock that is
    /// set from now on can put it off.
    pub fn deadline(&self, capability: &Capability) -> Option<Instant> {
        let left = capability.expires_at()?.duration_since(self.now());
        Instant::now().checked_add(left.unwrap_or_default())
    }

    /// Resolves when a capability that holds now no longer does. Whatever streams ends with it.
    pub fn until_over(
        self: &Arc<Self>,
        capability: Capability,
    ) -> impl Future<Output = ()> + Send + use<> {
        let access = Arc::clone(self);
        let deadline = access.deadline(&capability);
        async move {
            let revoked = access.revoked.clone().until_hit(capability.clone());
            let expired = async {
                while !access.expired(&capability) && deadline.is_none_or(|at| Instant::now() < at)
                {
                    let look = Instant::now() + LOOK;
                    tokio::time::sleep_until(deadline.map_or(look, |at| at.min(look))).await;
                }
            };
            tokio::select! {
                () = revoked => {}
                () = expired => {}
            }
        }
    }

    /// Keeps how late it is in the store, for as long as the server runs: every minute, and when
    /// something was refused because of it.
    pub async fn keep_time(self: Arc<Self>, store: Store) {
        loop {
            if let Err(error) = self.clock.keep(&store).await {
                tracing::error!(%error, "the time could not be kept");
            }
            let next = Instant::now() + KEPT_EVERY;
            let refused = async {
                self.refused.notified().await;
                // Whoever is refused a thousand times a second causes one write.
                tokio::time::sleep(Duration::from_secs(1)).await;
            };
            tokio::select! {
                () = tokio::time::sleep_until(next) => {}
                () = refused => {}
            }
        }
    }
}

impl Validity for Access {
    fn holds(&self, capability: &Capability) -> bool {
        self.holds(capability)
    }

    fn revocations(&self) -> watch::Receiver<usize> {
        self.revoked.listen()
    }
}

#[derive(Debug, thiserror::Error)]
pub enum Denied {
    #[error(transparent)]
    Token(#[from] AccessError),
    #[error("this token was revoked: ask whoever gave it to you for a new one")]
    Revoked { subject: String },
    #[error("this session has ended: open your link again")]
    NoSession,
}

impl From<Denied> for Problem {
    fn from(denied: Denied) -> Self {
        Self::unauthorized_for(denied.code(), denied.to_string())
    }
}

impl Denied {
    /// Why, in a word that stays the same however the sentence is put.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Token(AccessError::Expired { .. }) => "expired",
            Self::Token(_) => "unknown",
            Self::Revoked { .. } => "revoked",
            Self::NoSession => "session_ended",
        }
    }

    /// Whose token it was, where that is beyond doubt.
    pub fn subject(&self) -> Option<&str> {
        match self {
            Self::Revoked { subject } | Self::Token(AccessError::Expired { subject, .. }) => {
                Some(subject)
            }
            Self::Token(_) | Self::NoSession => None,
        }
    }
}
