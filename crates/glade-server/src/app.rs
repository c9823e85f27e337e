//! What every request handler can reach.

use std::sync::Arc;
use std::time::SystemTime;

use glade_access::{AccessError, Capability, Keys};
use glade_store::Store;

use crate::audit::Refusals;
use crate::closing::Closing;
use crate::code::CodeHost;
use crate::edge::bearer::Credential;
use crate::edge::cookie::SessionCookie;
use crate::host::Host;
use crate::models::Models;
use crate::readiness::Readiness;
use crate::revocation::Revocations;
use crate::room::Rooms;
use crate::sessions::{Secret, Sessions};
use crate::workspace::Workspace;

/// Who may do what.
pub struct Access {
    pub keys: Keys,
    pub cookie: SessionCookie,
    pub sessions: Sessions,
    pub revoked: Revocations,
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
        let capability = self.keys.verify(token, SystemTime::now())?;
        if self.revoked.hit(&capability) {
            let subject = capability.subject;
            return Err(Denied::Revoked { subject });
        }
        Ok(capability)
    }

    /// Whether a capability verified before still holds.
    pub fn holds(&self, capability: &Capability) -> bool {
        !capability.expired(SystemTime::now()) && !self.revoked.hit(capability)
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

impl Denied {
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

pub struct App {
    pub access: Arc<Access>,
    pub store: Store,
    pub refusals: Refusals,
    pub rooms: Arc<Rooms>,
    pub workspace: Arc<Workspace>,
    pub host: Arc<Host>,
    pub models: Arc<Models>,
    /// The code project, if one is open.
    pub code: Option<Arc<CodeHost>>,
    pub closing: Closing,
    pub readiness: Readiness,
}
