//! Where a request comes from, and whether it came over TLS.
//!
//! The address at the other end of a connection is the client's, unless it is a proxy's. What a
//! proxy says about its client is believed only of the proxies that the owner has named: anybody
//! can send these headers.

use std::convert::Infallible;
use std::net::{IpAddr, SocketAddr};

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, header};

const X_FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");
const X_FORWARDED_PROTO: HeaderName = HeaderName::from_static("x-forwarded-proto");

/// The proxies whose word about their clients is believed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TrustedProxies(Vec<IpAddr>);

impl TrustedProxies {
    pub fn new(addresses: impl IntoIterator<Item = IpAddr>) -> Self {
        Self(addresses.into_iter().map(|it| it.to_canonical()).collect())
    }

    pub fn trusts(&self, address: IpAddr) -> bool {
        self.0.contains(&address.to_canonical())
    }

    /// Who sends a request that came from `peer`.
    pub fn client(&self, peer: IpAddr, headers: &HeaderMap) -> ClientInfo {
        let peer = peer.to_canonical();
        if !self.trusts(peer) {
            return ClientInfo {
                address: Some(peer),
                https: false,
            };
        }
        let (forwarded, listed) = (Forwarded::read(headers), listed_addresses(headers));
        // Most proxies write one of the two headers and pass on whatever a client wrote into the
        // other. Where they differ neither is believed.
        let address = match (forwarded.addresses.is_empty(), listed.is_empty()) {
            (true, _) => self.nearest_stranger(peer, &listed),
            (false, true) => self.nearest_stranger(peer, &forwarded.addresses),
            (false, false) => {
                let by_one = self.nearest_stranger(peer, &listed);
                let by_other = self.nearest_stranger(peer, &forwarded.addresses);
                if by_one == by_other { by_one } else { peer }
            }
        };
        let mut schemes = forwarded.schemes;
        schemes.extend(list(headers, &X_FORWARDED_PROTO));
        let https = !schemes.is_empty()
            && schemes
                .iter()
                .all(|scheme| scheme.eq_ignore_ascii_case("https"));
        ClientInfo {
            address: Some(address),
            https,
        }
    }

    /// The last address that was told by somebody trusted. Each proxy adds the address that it was
    /// called from to the end, so what stands before the first stranger is the stranger's own claim.
    fn nearest_stranger(&self, peer: IpAddr, told: &[Option<IpAddr>]) -> IpAddr {
        let mut nearest = peer;
        for hop in told.iter().rev() {
            match hop {
                Some(address) if self.trusts(nearest) => nearest = *address,
                _ => break,
            }
        }
        nearest
    }
}

/// What is known of whoever sent a request, apart from their token.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ClientInfo {
    /// None on the owner's own socket.
    pub address: Option<IpAddr>,
    /// Whether the request left the client encrypted, as a trusted proxy says.
    pub https: bool,
}

impl<S: Sync> FromRequestParts<S> for ClientInfo {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(parts
            .extensions
            .get::<ClientInfo>()
            .copied()
            .unwrap_or_default())
    }
}

/// The parts of a header that holds a list, of all its lines.
fn list(headers: &HeaderMap, name: &HeaderName) -> Vec<String> {
    headers
        .get_all(name)
        .iter()
        .flat_map(|line| line.to_str().unwrap_or("?").split(','))
        .map(|part| part.trim().to_owned())
        .collect()
}

fn listed_addresses(headers: &HeaderMap) -> Vec<Option<IpAddr>> {
    let parts = list(headers, &X_FORWARDED_FOR);
    parts.iter().map(|part| address(part)).collect()
}

/// The header of RFC 7239.
#[derive(Default)]
struct Forwarded {
    addresses: Vec<Option<IpAddr>>,
    schemes: Vec<String>,
}

impl Forwarded {
    fn read(headers: &HeaderMap) -> Self {
        let mut read = Self::default();
        for hop in list(headers, &header::FORWARDED) {
            let mut told = None;
            for pair in hop.split(';') {
                let Some((name, value)) = pair.split_once('=') else {
                    continue;
                };
                let value = value.trim().trim_matches('"');
                match name.trim().to_ascii_lowercase().as_str() {
                    "for" => told = address(value),
                    "proto" => read.schemes.push(value.to_owned()),
                    _ => {}
                }
            }
            read.addresses.push(told);
        }
        read
    }
}

/// An address, with or without a port.
fn address(text: &str) -> Option<IpAddr> {
    let bare = text.trim_start_matches('[').trim_end_matches(']');
    let address = bare
        .parse::<IpAddr>()
        .or_else(|_| text.parse::<SocketAddr>().map(|address| address.ip()));
    address.ok().map(|address| address.to_canonical())
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn client(peer: &str, headers: &[(&'static str, &str)]) -> (String, bool) {
        let proxies = TrustedProxies::new(["10.0.0.1", "10.0.0.2"].map(|it| it.parse().unwrap()));
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(*name, HeaderValue::from_str(value).unwrap());
        }
        let client = proxies.client(peer.parse().unwrap(), &map);
        (client.address.unwrap().to_string(), client.https)
    }

    #[test]
    fn a_stranger_is_believed_nothing() {
        let claims = [
            ("x-forwarded-for", "1.2.3.4"),
            ("forwarded", "for=1.2.3.4;proto=https"),
            ("x-forwarded-proto", "https"),
        ];
        assert_eq!(client("9.9.9.9", &claims), ("9.9.9.9".to_owned(), false));
    }

    #[test]
    fn a_trusted_proxy_names_its_client_and_the_scheme() {
        for (headers, expected) in [
            (
                vec![
                    ("x-forwarded-for", "1.2.3.4"),
                    ("x-forwarded-proto", "https"),
                ],
                ("1.2.3.4", true),
            ),
            (
                vec![("forwarded", "For=\"[2001:db8::1]:4711\";Proto=https")],
                ("2001:db8::1", true),
            ),
            (
                vec![("forwarded", "for=1.2.3.4:80;proto=http")],
                ("1.2.3.4", false),
            ),
            (vec![("x-forwarded-proto", "https")], ("10.0.0.1", true)),
            (vec![], ("10.0.0.1", false)),
        ] {
            let expected = (expected.0.to_owned(), expected.1);
            assert_eq!(client("10.0.0.1", &headers), expected, "{headers:?}");
            assert_eq!(client("::ffff:10.0.0.1", &headers), expected);
        }
    }

    #[test]
    fn what_a_client_wrote_before_its_proxy_did_is_not_believed() {
        for (headers, expected) in [
            (vec![("x-forwarded-for", "6.6.6.6, 1.2.3.4")], "1.2.3.4"),
            (
                vec![("x-forwarded-for", "6.6.6.6, 1.2.3.4, 10.0.0.2")],
                "1.2.3.4",
            ),
            (
                vec![
                    ("x-forwarded-for", "6.6.6.6"),
                    ("x-forwarded-for", "1.2.3.4"),
                ],
                "1.2.3.4",
            ),
            (vec![("x-forwarded-for", "6.6.6.6, nonsense")], "10.0.0.1"),
            (vec![("forwarded", "for=6.6.6.6, for=_hidden")], "10.0.0.1"),
            // One of the two headers is the client's own; nobody can tell which.
            (
                vec![("forwarded", "for=6.6.6.6"), ("x-forwarded-for", "1.2.3.4")],
                "10.0.0.1",
            ),
        ] {
            let expected = (expected.to_owned(), false);
            assert_eq!(client("10.0.0.1", &headers), expected, "{headers:?}");
        }
    }

    #[test]
    fn schemes_that_contradict_each_other_are_not_https() {
        for headers in [
            vec![("x-forwarded-proto", "https, http")],
            vec![
                ("x-forwarded-proto", "https"),
                ("forwarded", "for=1.2.3.4;proto=http"),
            ],
            vec![("x-forwarded-proto", "")],
        ] {
            assert!(!client("10.0.0.1", &headers).1, "{headers:?}");
        }
    }
}
