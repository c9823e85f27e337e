//! Whether the browser's side of a request is encrypted.

use axum::http::Extensions;

/// Put on a request by whoever knows it (the listener, or the rules for trusted proxies); a header
/// of the request alone never says it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Scheme {
    #[default]
    Http,
    Https,
}

impl Scheme {
    pub fn of(extensions: &Extensions) -> Self {
        extensions.get().copied().unwrap_or_default()
    }
}
