//! Which names this server answers to, and which origins may act on it.
//!
//! A server on `localhost` is reachable by every page its owner visits. Two
//! attacks follow, and each check here stops one:
//!
//! - **DNS rebinding**: a foreign page's own name is made to point at
//!   127.0.0.1, so that the browser takes our answers for that page's. The
//!   `Host` header still holds the foreign name: [`HostPolicy::allows`].
//!   A host that is an IP address cannot be rebound.
//! - **Cross-site requests and WebSockets**: a foreign page sends to our real
//!   address. The `Origin` header names the page: [`same_origin`].

use std::net::{IpAddr, SocketAddr};

use axum::http::Uri;
use axum::http::uri::Authority;

/// The hosts a server answers to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostPolicy {
    listen: IpAddr,
    names: Vec<String>,
}

impl HostPolicy {
    /// Answers to `localhost`, to loopback addresses, to the address it listens
    /// on (to every address when that is `0.0.0.0` or `[::]`) and to `names`:
    /// host names without ports, for a server behind a proxy or in a network.
    pub fn new(listen: SocketAddr, names: impl IntoIterator<Item = String>) -> Self {
        Self {
            listen: listen.ip(),
            names: names
                .into_iter()
                .map(|name| name.to_ascii_lowercase())
                .collect(),
        }
    }

    /// Whether a `Host` header names this server. The port is not looked at: a
    /// proxy or a forwarded port may change it, and a rebound name is wrong
    /// whatever its port.
    pub fn allows(&self, host: &str) -> bool {
        let Some(authority) = parse_host(host) else {
            return false;
        };
        let host = authority.host().to_ascii_lowercase();
        if host == "localhost" || self.names.contains(&host) {
            return true;
        }
        let address = host.trim_start_matches('[').trim_end_matches(']');
        address.parse::<IpAddr>().is_ok_and(|address| {
            address.is_loopback() || address == self.listen || self.listen.is_unspecified()
        })
    }
}

/// Whether an `Origin` header names the same place as a `Host` header.
///
/// The scheme is not compared, since a proxy may speak TLS for us: it only says
/// which port is meant where none is written. `null` (a sandboxed frame, a file)
/// is no place at all.
pub fn same_origin(origin: &str, host: &str) -> bool {
    let Some((scheme, rest)) = origin.split_once("://") else {
        return false;
    };
    let default_port = match scheme {
        "http" => 80,
        "https" => 443,
        _ => return false,
    };
    let (Some(origin), Some(host)) = (parse_host(rest), parse_host(host)) else {
        return false;
    };
    let port = |authority: &Authority| authority.port_u16().unwrap_or(default_port);
    origin.host().eq_ignore_ascii_case(host.host()) && port(&origin) == port(&host)
}

/// A host with an optional port and nothing else.
fn parse_host(text: &str) -> Option<Authority> {
    let authority: Authority = text.parse().ok()?;
    let plain = !text.contains('@') && !authority.host().is_empty();
    // `Authority` lets a port through that is not a number.
    let port_is_sound = authority.port_u16().is_some() || text.len() == authority.host().len();
    (plain && port_is_sound).then_some(authority)
}

/// The host a request is for: the `Host` header, or the authority of a request
/// line in absolute form, which RFC 9112 puts above it.
pub fn requested_host<'a>(uri: &'a Uri, host_header: Option<&'a str>) -> Option<&'a str> {
    uri.authority().map(Authority::as_str).or(host_header)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn policy(listen: &str, names: &[&str]) -> HostPolicy {
        let names = names.iter().map(|name| (*name).to_owned());
        HostPolicy::new(listen.parse().unwrap(), names)
    }

    #[test]
    fn a_server_on_loopback_answers_to_itself_only() {
        let policy = policy("127.0.0.1:7878", &[]);
        for host in [
            "localhost",
            "localhost:7878",
            "LOCALHOST:9",
            "127.0.0.1:7878",
            "[::1]:7878",
        ] {
            assert!(policy.allows(host), "{host}");
        }
        for host in [
            "",
            "evil.example",
            "evil.example:7878",
            "localhost.evil.example",
            "127.0.0.1.evil.example",
            "localhost@evil.example",
            "evil.example@localhost",
            "localhost:port",
            "localhost/",
            "192.168.1.20:7878",
            "0.0.0.0:7878",
        ] {
            assert!(!policy.allows(host), "{host}");
        }
    }

    #[test]
    fn configured_names_and_the_listen_address_are_answered_to() {
        let policy = policy("192.168.1.20:80", &["Glade.Example"]);
        for host in ["glade.example", "GLADE.example:443", "192.168.1.20"] {
            assert!(policy.allows(host), "{host}");
        }
        for host in ["www.glade.example", "192.168.1.21"] {
            assert!(!policy.allows(host), "{host}");
        }
    }

    #[test]
    fn a_server_on_all_addresses_answers_to_addresses_but_to_no_foreign_name() {
        for policy in [policy("0.0.0.0:7878", &[]), policy("[::]:7878", &[])] {
            assert!(policy.allows("192.168.1.20:7878"));
            assert!(policy.allows("[fd00::1]:7878"));
            assert!(!policy.allows("evil.example:7878"));
        }
    }

    #[test]
    fn an_origin_is_the_same_when_host_and_port_are() {
        for (origin, host) in [
            ("http://localhost:7878", "localhost:7878"),
            ("http://LOCALHOST:7878", "localhost:7878"),
            ("http://[::1]:7878", "[::1]:7878"),
            ("http://glade.example", "glade.example"),
            ("http://glade.example", "glade.example:80"),
            ("https://glade.example", "glade.example"),
            ("https://glade.example", "glade.example:443"),
        ] {
            assert!(same_origin(origin, host), "{origin} at {host}");
        }
        for (origin, host) in [
            ("null", "localhost:7878"),
            ("", "localhost:7878"),
            ("localhost:7878", "localhost:7878"),
            ("http://localhost:5173", "localhost:7878"),
            ("http://127.0.0.1:7878", "localhost:7878"),
            ("https://evil.example", "glade.example"),
            ("http://localhost:7878@evil.example", "localhost:7878"),
            ("http://localhost:7878/path", "localhost:7878"),
            ("file://localhost:7878", "localhost:7878"),
            ("https://glade.example", "glade.example:80"),
        ] {
            assert!(!same_origin(origin, host), "{origin} at {host}");
        }
    }
}
