//! Who is asking: a token from the `Authorization` header, or a session's secret from the cookie.
//!
//! This only finds it; what it is worth is for the access layer to say. Neither is taken for the
//! other: a token in the cookie opens nothing.

use std::fmt;

use axum::http::{Extensions, HeaderMap, header};

use super::cookie::SessionCookie;
use super::problem::Problem;
use super::scheme::Scheme;

/// What a request carried. Where it came from matters: a cookie is
/// sent by browsers unasked, so only it needs the origin check's protection.
#[derive(Clone, PartialEq, Eq)]
pub enum Credential {
    /// A token, from `Authorization: Bearer …`.
    Bearer(String),
    /// A session's secret, from the cookie.
    Cookie(String),
}

/// Tokens and secrets stay out of logs.
impl fmt::Debug for Credential {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Bearer(_) => "Bearer(…)",
            Self::Cookie(_) => "Cookie(…)",
        })
    }
}

/// The credential of a request, or `None` when it carries none.
///
/// `Authorization` wins over the cookie. A malformed one is refused, not
/// skipped: whoever sends it means to be someone, and answering them as the
/// cookie's owner would grant rights that they did not ask for.
pub fn credential(
    headers: &HeaderMap,
    extensions: &Extensions,
    cookie: &SessionCookie,
) -> Result<Option<Credential>, Problem> {
    let mut authorizations = headers.get_all(header::AUTHORIZATION).iter();
    let Some(value) = authorizations.next() else {
        let secret = cookie.read(headers, Scheme::of(extensions));
        return Ok(secret.map(str::to_owned).map(Credential::Cookie));
    };
    if authorizations.next().is_some() {
        return Err(malformed());
    }
    let value = value.to_str().map_err(|_| malformed())?;
    let (scheme, token) = value.split_once(' ').ok_or_else(malformed)?;
    let token = token.trim();
    if !scheme.eq_ignore_ascii_case("bearer") || token.is_empty() || token.contains(' ') {
        return Err(malformed());
    }
    Ok(Some(Credential::Bearer(token.to_owned())))
}

/// As [`credential`], for endpoints that nobody may use unsigned.
pub fn require(
    headers: &HeaderMap,
    extensions: &Extensions,
    cookie: &SessionCookie,
) -> Result<Credential, Problem> {
    credential(headers, extensions, cookie)?.ok_or_else(|| {
        Problem::unauthorized(
            "This needs a token. Open the link that the server prints at its start, \
             or send the header Authorization: Bearer TOKEN.",
        )
    })
}

fn malformed() -> Problem {
    Problem::unauthorized(
        "The Authorization header is not of the form `Bearer TOKEN`; send it once, in that form.",
    )
}

#[cfg(test)]
mod tests {
    use axum::http::{HeaderValue, StatusCode};

    use super::*;

    fn ask(headers: &[(header::HeaderName, &str)]) -> Result<Option<Credential>, StatusCode> {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(name, HeaderValue::from_str(value).unwrap());
        }
        let cookie = SessionCookie::new("ab12");
        credential(&map, &Extensions::new(), &cookie).map_err(|problem| problem.status)
    }

    #[test]
    fn the_header_wins_over_the_cookie() {
        let cookie = (header::COOKIE, "glade_session_ab12=from-cookie");
        let bearer = (header::AUTHORIZATION, "bearer from-header");
        assert_eq!(ask(&[]), Ok(None));
        assert_eq!(
            ask(std::slice::from_ref(&cookie)),
            Ok(Some(Credential::Cookie("from-cookie".into())))
        );
        assert_eq!(
            ask(&[cookie, bearer]),
            Ok(Some(Credential::Bearer("from-header".into())))
        );
    }

    #[test]
    fn a_malformed_header_never_falls_back_to_the_cookie() {
        let cookie = (header::COOKIE, "glade_session_ab12=from-cookie");
        for value in [
            "",
            "Bearer",
            "Bearer ",
            "Basic dXNlcg==",
            "Bearer two words",
        ] {
            let header = (header::AUTHORIZATION, value);
            assert_eq!(
                ask(&[cookie.clone(), header]),
                Err(StatusCode::UNAUTHORIZED),
                "{value:?}"
            );
        }
        let twice = [
            (header::AUTHORIZATION, "Bearer one"),
            (header::AUTHORIZATION, "Bearer two"),
        ];
        assert_eq!(ask(&twice), Err(StatusCode::UNAUTHORIZED));
    }

    #[test]
    fn a_required_credential_that_is_missing_is_a_401_that_says_what_to_do() {
        let problem = require(
            &HeaderMap::new(),
            &Extensions::new(),
            &SessionCookie::new("ab12"),
        )
        .unwrap_err();
        assert_eq!(problem.status, StatusCode::UNAUTHORIZED);
        assert!(problem.detail.contains("Authorization: Bearer"));
    }

    #[test]
    fn a_credential_does_not_print_its_token() {
        let shown = format!("{:?}", Credential::Bearer("hunter2".into()));
        assert_eq!(shown, "Bearer(…)");
    }
}
