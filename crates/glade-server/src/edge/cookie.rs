//! The session cookie.
//!
//! It holds a session's secret, never a token. Browsers do not keep cookies of different ports
//! apart, so two servers on one machine would sign each other's people out: the cookie's name
//! carries a fingerprint of the server's key. `SameSite=Strict` keeps foreign sites from using it,
//! `HttpOnly` keeps scripts from reading it. Over TLS it is `Secure` and its name begins with
//! `__Host-`, which keeps it off plain connections and other hosts from setting it.

use axum::http::{HeaderMap, HeaderValue, header};

use super::scheme::Scheme;

/// The session cookie of one server: knows its name, reads it, sets it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionCookie {
    name: String,
}

/// A value that no cookie can hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a session's secret holds the character {0:?}")]
pub struct ForeignCharacter(char);

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

    fn name(&self, scheme: Scheme) -> String {
        match scheme {
            Scheme::Http => self.name.clone(),
            Scheme::Https => format!("__Host-{}", self.name),
        }
    }

    /// The secret in a request's cookies, if there is one.
    pub fn read<'a>(&self, headers: &'a HeaderMap, scheme: Scheme) -> Option<&'a str> {
        self.read_all(headers, scheme).next()
    }

    /// All of that name: another server of the same host may have set one before ours.
    pub fn read_all<'a>(
        &self,
        headers: &'a HeaderMap,
        scheme: Scheme,
    ) -> impl Iterator<Item = &'a str> + use<'a> {
        let ours = self.name(scheme);
        headers
            .get_all(header::COOKIE)
            .iter()
            .filter_map(|value| value.to_str().ok())
            .flat_map(|value| value.split(';'))
            .filter_map(|pair| pair.trim().split_once('='))
            .filter(move |(name, value)| *name == ours && !value.is_empty())
            .map(|(_, value)| value)
    }

    /// The `Set-Cookie` value that signs a browser in.
    pub fn set(
        &self,
        secret: &str,
        scheme: Scheme,
        max_age_seconds: u32,
    ) -> Result<HeaderValue, ForeignCharacter> {
        if let Some(foreign) = secret.chars().find(|c| !is_base64url(*c)) {
            return Err(ForeignCharacter(foreign));
        }
        let secure = match scheme {
            Scheme::Http => "",
            Scheme::Https => "; Secure",
        };
        let cookie = format!(
            "{}={secret}; Path=/; Max-Age={max_age_seconds}; HttpOnly; SameSite=Strict{secure}",
            self.name(scheme)
        );
        // Cannot fail: every character was looked at above.
        HeaderValue::from_str(&cookie).map_err(|_| ForeignCharacter('\u{fffd}'))
    }

    /// The `Set-Cookie` value that signs a browser out.
    pub fn clear(&self, scheme: Scheme) -> Result<HeaderValue, ForeignCharacter> {
        self.set("", scheme, 0)
    }
}

fn is_base64url(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '-' | '_')
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
        for (scheme, wanted) in [
            (
                Scheme::Http,
                "glade_session_ab12=En0-KE_wo; Path=/; Max-Age=60; HttpOnly; SameSite=Strict",
            ),
            (
                Scheme::Https,
                "__Host-glade_session_ab12=En0-KE_wo; Path=/; Max-Age=60; HttpOnly; SameSite=Strict; Secure",
            ),
        ] {
            let set = cookie.set("En0-KE_wo", scheme, 60).unwrap();
            assert_eq!(set.to_str().unwrap(), wanted);
            let pair = wanted.split(';').next().unwrap();
            let sent = headers(&["theme=dark", &format!("a=b; {pair}")]);
            assert_eq!(cookie.read(&sent, scheme), Some("En0-KE_wo"));
        }
    }

    #[test]
    fn over_tls_a_cookie_that_another_host_could_have_set_is_not_read() {
        let cookie = SessionCookie::new("ab12");
        let tossed = headers(&["glade_session_ab12=planted"]);
        assert_eq!(cookie.read(&tossed, Scheme::Https), None);
        assert_eq!(cookie.read(&tossed, Scheme::Http), Some("planted"));
    }

    #[test]
    fn another_servers_cookie_is_not_ours() {
        let sent = headers(&["glade_session_other=secret; glade_session_=x"]);
        assert_eq!(SessionCookie::new("ab12").read(&sent, Scheme::Http), None);
    }

    #[test]
    fn an_empty_cookie_is_none() {
        let cookie = SessionCookie::new("ab12");
        let sent = headers(&["glade_session_ab12="]);
        assert_eq!(cookie.read(&sent, Scheme::Http), None);
        let cleared = cookie.clear(Scheme::Http).unwrap();
        assert_eq!(
            cleared.to_str().unwrap(),
            "glade_session_ab12=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict"
        );
    }

    #[test]
    fn a_secret_cannot_smuggle_attributes_into_the_cookie() {
        let cookie = SessionCookie::new("ab12");
        for (secret, foreign) in [
            ("x; Domain=evil.example", ';'),
            ("x\r\nSet-Cookie: a=b", '\r'),
            ("x y", ' '),
            ("é", 'é'),
        ] {
            assert_eq!(
                cookie.set(secret, Scheme::Http, 1),
                Err(ForeignCharacter(foreign))
            );
        }
    }

    #[test]
    fn a_fingerprint_cannot_break_the_cookies_name() {
        assert_eq!(
            SessionCookie::new("ed25519/ab=;12").name,
            "glade_session_ed25519ab12"
        );
    }
}
