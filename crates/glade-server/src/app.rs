//! What every request handler can reach.

use std::sync::Arc;
use std::time::SystemTime;

use glade_access::{AccessError, Capability, Keys};
use glade_store::Store;

use crate::audit::Refusals;
use crate::closing::Closing;
use crate::code::CodeHost;
use crate::edge::cookie::SessionCookie;
use crate::host::Host;
use crate::models::Models;
use crate::revocation::Revocations;
use crate::room::Rooms;
use crate::workspace::Workspace;

/// Who may do what.
pub struct Access {
    pub keys: Keys,
    pub cookie: SessionCookie,
    pub revoked: Revocations,
}

impl Access {
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
}

impl Denied {
    /// Whose token it was, where that is beyond doubt.
    pub fn subject(&self) -> Option<&str> {
        match self {
            Self::Revoked { subject } | Self::Token(AccessError::Expired { subject, .. }) => {
                Some(subject)
            }
            Self::Token(_) => None,
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
}
