//! Whether the browser's side of a request is encrypted.

use axum::http::Extensions;

use super::client::ClientInfo;

/// As a trusted proxy says; a header of the request alone never does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scheme {
    Http,
    Https,
}

impl Scheme {
    pub fn of(extensions: &Extensions) -> Self {
        match extensions.get::<ClientInfo>() {
            Some(client) if client.https => Self::Https,
            _ => Self::Http,
        }
    }
}
