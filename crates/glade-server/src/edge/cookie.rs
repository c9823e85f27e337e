//! The session cookie.
//!
//! Browsers do not keep cookies of different ports apart, so two servers on
//! one machine would sign each other's people out: the cookie's name carries a
//! fingerprint of the server's key. `SameSite=Strict` keeps foreign sites from
//! using it, `HttpOnly` keeps scripts from reading it.

use axum::http::{HeaderMap, HeaderValue, header};

/// How long a browser stays signed in without visiting: 30 days.
pub const MAX_AGE_SECONDS: u32 = 30 * 24 * 60 * 60;

/// The session cookie of one server: knows its name, reads it, sets it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionCookie {
    name: String,
}

/// Why a token cannot go into a cookie.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CookieError {
    /// RFC 6265 allows only some characters, and a token needs no others.
    #[error(
        "the token holds the character {0:?}, which no token of ours does; copy the link again, whole"
    )]
    ForeignCharacter(char),
    /// Browsers drop cookies over 4,096 bytes without a word.
    #[error("the token has {0} bytes, more than a browser keeps; use it as a bearer token instead")]
    TooLong(usize),
}

impl SessionCookie {
    /// `fingerprint` tells this server from others on the same machine; only
    /// its ASCII letters and digits are used.
    pub fn new(fingerprint: &str) -> Self {
        let fingerprint: String = fingerprint
            .chars()
            .filter(char::is_ascii_alphanumeric)
            .collect();
        Self {
            name: format!("glade_session_{fingerprint}"),
        }
    }

    /// The token in a request's cookies, if there is one.
    pub fn read<'a>(&self, headers: &'a HeaderMap) -> Option<&'a str> {
        headers
            .get_all(header::COOKIE)
            .iter()
            .filter_map(|value| value.to_str().ok())
            .flat_map(|value| value.split(';'))
            .filter_map(|pair| pair.trim().split_once('='))
            .find(|(name, value)| *name == self.name && !value.is_empty())
            .map(|(_, value)| value)
    }

    /// The `Set-Cookie` value that signs a browser in.
    pub fn set(&self, token: &str) -> Result<HeaderValue, CookieError> {
        if let Some(foreign) = token.chars().find(|c| !is_token_character(*c)) {
            return Err(CookieError::ForeignCharacter(foreign));
        }
        // Browsers count the name and the value.
        let length = self.name.len() + token.len();
        if length > 4096 {
            return Err(CookieError::TooLong(token.len()));
        }
        let cookie = format!(
            "{}={token}; Path=/; Max-Age={MAX_AGE_SECONDS}; HttpOnly; SameSite=Strict",
            self.name
        );
        // Cannot fail: every character was looked at above.
        HeaderValue::from_str(&cookie).map_err(|_| CookieError::ForeignCharacter('\u{fffd}'))
    }
}

/// Base64url with padding, and what other token formats use beside it.
fn is_token_character(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '=' | '.' | '+' | '/' | ':' | '~')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(cookies: &[&str]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for cookie in cookies {
            headers.append(header::COOKIE, HeaderValue::from_str(cookie).unwrap());
        }
        headers
    }

    #[test]
    fn what_is_set_can_be_read_back() {
        let cookie = SessionCookie::new("ab12");
        let set = cookie.set("En0KEwoEMTIzNA==").unwrap();
        let set = set.to_str().unwrap();
        assert_eq!(
            set,
            "glade_session_ab12=En0KEwoEMTIzNA==; Path=/; Max-Age=2592000; HttpOnly; SameSite=Strict"
        );
        let pair = set.split(';').next().unwrap();
        let sent = headers(&["theme=dark", &format!("a=b; {pair}")]);
        assert_eq!(cookie.read(&sent), Some("En0KEwoEMTIzNA=="));
    }

    #[test]
    fn another_servers_cookie_is_not_ours() {
        let sent = headers(&["glade_session_other=secret; glade_session_=x"]);
        assert_eq!(SessionCookie::new("ab12").read(&sent), None);
    }

    #[test]
    fn an_empty_cookie_is_none() {
        let cookie = SessionCookie::new("ab12");
        assert_eq!(cookie.read(&headers(&["glade_session_ab12="])), None);
    }

    #[test]
    fn a_token_cannot_smuggle_attributes_into_the_cookie() {
        let cookie = SessionCookie::new("ab12");
        for (token, foreign) in [
            ("x; Domain=evil.example", ';'),
            ("x\r\nSet-Cookie: a=b", '\r'),
            ("x y", ' '),
            ("é", 'é'),
        ] {
            assert_eq!(
                cookie.set(token),
                Err(CookieError::ForeignCharacter(foreign))
            );
        }
    }

    #[test]
    fn a_token_too_long_for_browsers_is_refused_rather_than_lost() {
        let cookie = SessionCookie::new("ab12");
        let longest = 4096 - cookie.name.len();
        assert!(cookie.set(&"x".repeat(longest)).is_ok());
        assert_eq!(
            cookie.set(&"x".repeat(longest + 1)),
            Err(CookieError::TooLong(longest + 1))
        );
    }

    #[test]
    fn a_fingerprint_cannot_break_the_cookies_name() {
        assert_eq!(
            SessionCookie::new("ed25519/ab=;12").name,
            "glade_session_ed25519ab12"
        );
    }
}
