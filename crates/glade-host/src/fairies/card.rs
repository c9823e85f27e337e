//! A card of a page elsewhere: fetched without lending anybody this machine's eyes.
//!
//! The address has a name, never numbers; the name must lead to public addresses only, and the request
//! goes to the very address that was looked at. A redirect is followed once, on the same host. What
//! comes is HTML, not too much of it, and only its title and description are read.

use std::net::{IpAddr, SocketAddr};

use reqwest::Url;
use serde_json::{Value, json};

use super::outside::{LONGEST, PATIENCE};

/// Characters kept of a title or a description.
const MOST: usize = 300;

/// The host of an address, if it is a web page's.
pub fn host_of(address: &str) -> Option<String> {
    let url = Url::parse(address).ok()?;
    let web = ["http", "https"].contains(&url.scheme());
    let open = url.username().is_empty() && url.password().is_none();
    let host = url.domain()?.trim_end_matches('.').to_ascii_lowercase();
    (web && open && host.parse::<IpAddr>().is_err()).then_some(host)
}

/// Whether an address is somewhere in the open, not in somebody's house.
pub fn is_public(ip: IpAddr) -> bool {
    match ip {
        IpAddr::V4(ip) => {
            let [a, b, c, _] = ip.octets();
            !(ip.is_private()
                || ip.is_loopback()
                || ip.is_link_local()
                || ip.is_broadcast()
                || ip.is_documentation()
                || ip.is_multicast()
                || a == 0
                || a >= 240
                || (a == 100 && (64..128).contains(&b))
                || (a == 192 && b == 0 && c == 0)
                || (a == 198 && (b == 18 || b == 19)))
        }
        IpAddr::V6(ip) => match ip.to_ipv4() {
            Some(inner) => is_public(IpAddr::V4(inner)),
            // Only what is given out to the world, less what wraps other addresses or is for examples.
            None => {
                let [first, second, ..] = ip.segments();
                let wraps = first == 0x2002 || (first == 0x2001 && second < 0x0200);
                let examples = first == 0x2001 && second == 0x0db8;
                (0x2000..0x4000).contains(&first) && !wraps && !examples
            }
        },
    }
}

/// Fetches cards.
#[derive(Clone)]
pub struct Cards {
    client: glade_model::Client,
    /// Where it may go.
    open: fn(IpAddr) -> bool,
}

impl Cards {
    pub fn new(client: glade_model::Client) -> Self {
        Self {
            client,
            open: is_public,
        }
    }

    #[cfg(test)]
    fn anywhere(client: glade_model::Client) -> Self {
        Self {
            client,
            open: |_| true,
        }
    }

    /// The title and the description of a page.
    pub async fn fetch(&self, address: &str) -> Result<Value, String> {
        let host = host_of(address).ok_or_else(|| format!("{address} is no page of a host"))?;
        let within = tokio::time::timeout(PATIENCE, self.read(address, &host));
        let html = within
            .await
            .map_err(|_| format!("{host} took too long"))??;
        let (title, about) = title_of(&html);
        Ok(json!({
            "address": address,
            "title": title.unwrap_or_else(|| host.clone()),
            "about": about.unwrap_or_default(),
        }))
    }

    async fn read(&self, address: &str, host: &str) -> Result<String, String> {
        let mut url = Url::parse(address).map_err(|error| error.to_string())?;
        for _ in 0..2 {
            let to = self.look_up(&url, host).await?;
            let client = self
                .client
                .pinned(host, to)
                .map_err(|error| error.to_string())?;
            let failed = |_| format!("{host} could not be reached");
            let request = client.get(url.clone()).header("accept", "text/html");
            let mut answer = request.send().await.map_err(failed)?;
            let status = answer.status();
            let header = |name: &str| {
                let value = answer.headers().get(name);
                let value = value.and_then(|value| value.to_str().ok());
                value.unwrap_or_default().to_owned()
            };
            if status.is_redirection() {
                let next = url.join(&header("location")).ok();
                let same = next.filter(|next| host_of(next.as_str()).as_deref() == Some(host));
                url = same.ok_or_else(|| format!("{host} sent me somewhere else"))?;
                continue;
            }
            if !status.is_success() {
                return Err(format!("{host} answered {}", status.as_u16()));
            }
            if !header("content-type").starts_with("text/html") {
                return Err(format!("what {host} has there is no web page"));
            }
            let mut body = Vec::new();
            while let Some(piece) = answer.chunk().await.map_err(failed)? {
                body.extend_from_slice(&piece);
                if body.len() > LONGEST {
                    // A title is at the beginning.
                    body.truncate(LONGEST);
                    break;
                }
            }
            return Ok(String::from_utf8_lossy(&body).into_owned());
        }
        Err(format!("{host} sends me from place to place"))
    }

    /// Where a host is, if that is in the open.
    async fn look_up(&self, url: &Url, host: &str) -> Result<SocketAddr, String> {
        let port = url.port_or_known_default().unwrap_or(443);
        let found = tokio::net::lookup_host((host, port)).await;
        let found: Vec<SocketAddr> = found
            .map_err(|_| format!("{host} could not be found"))?
            .collect();
        if let Some(hidden) = found.iter().find(|address| !(self.open)(address.ip())) {
            return Err(format!(
                "{host} leads to {}, which is not in the open: nothing is fetched from there",
                hidden.ip()
            ));
        }
        let first = found.into_iter().next();
        first.ok_or_else(|| format!("{host} could not be found"))
    }
}

/// What a page calls itself, and what it says of itself.
fn title_of(html: &str) -> (Option<String>, Option<String>) {
    let lower = html.to_ascii_lowercase();
    let inside = |open: &str, close: &str| {
        let from = lower.find(open)?;
        let from = from + lower[from..].find('>')? + 1;
        let to = from + lower[from..].find(close)?;
        Some(&html[from..to])
    };
    let meta = |name: &str| {
        let mut at = 0;
        while let Some(found) = lower[at..].find("<meta") {
            let start = at + found;
            let end = start + lower[start..].find('>')?;
            let tag = &html[start..end];
            let named = attribute(tag, "property").or_else(|| attribute(tag, "name"));
            if named.is_some_and(|named| named.eq_ignore_ascii_case(name)) {
                return attribute(tag, "content");
            }
            at = end;
        }
        None
    };
    let title = meta("og:title").or_else(|| inside("<title", "</title"));
    let about = meta("og:description").or_else(|| meta("description"));
    let clean = |text: &str| {
        let text = unescape(text);
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let shown: String = words
            .chars()
            .filter(|ch| !ch.is_control())
            .take(MOST)
            .collect();
        Some(shown).filter(|shown| !shown.is_empty())
    };
    (title.and_then(clean), about.and_then(clean))
}

/// The value of a tag's attribute, in quotes of either kind.
fn attribute<'t>(tag: &'t str, name: &str) -> Option<&'t str> {
    let lower = tag.to_ascii_lowercase();
    let mut at = 0;
    while let Some(found) = lower[at..].find(name) {
        let start = at + found;
        let rest = tag[start + name.len()..].trim_start();
        let alone = lower[..start].ends_with(char::is_whitespace);
        if let (true, Some(value)) = (alone, rest.strip_prefix('=')) {
            let value = value.trim_start();
            let quote = value.chars().next().filter(|ch| ['"', '\''].contains(ch))?;
            let value = &value[1..];
            return value.find(quote).map(|end| &value[..end]);
        }
        at = start + name.len();
    }
    None
}

fn unescape(text: &str) -> String {
    [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&#39;", "'"),
        ("&apos;", "'"),
        ("&nbsp;", " "),
        ("&amp;", "&"),
    ]
    .iter()
    .fold(text.to_owned(), |text, (name, sign)| {
        text.replace(name, sign)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::Router;
    use axum::http::{StatusCode, header};
    use axum::response::{Html, IntoResponse};
    use axum::routing::get;

    #[test]
    fn only_names_of_hosts_are_gone_to() {
        assert_eq!(
            host_of("https://Example.org/x").as_deref(),
            Some("example.org")
        );
        for bad in [
            "http://127.0.0.1/",
            "http://[::1]/",
            "http://0x7f000001/",
            "ftp://example.org/",
            "https://me:secret@example.org/",
            "example.org",
        ] {
            assert_eq!(host_of(bad), None, "{bad}");
        }
    }

    #[test]
    fn nobodys_house_is_in_the_open() {
        for hidden in [
            "127.0.0.1",
            "10.1.2.3",
            "172.16.0.1",
            "192.168.1.1",
            "169.254.169.254",
            "100.64.0.1",
            "0.0.0.0",
            "255.255.255.255",
            "224.0.0.1",
            "::1",
            "::",
            "fe80::1",
            "fd00::1",
            "::ffff:10.0.0.1",
            "2002:0a00:0001::1",
            "64:ff9b::a00:1",
        ] {
            assert!(!is_public(hidden.parse().unwrap()), "{hidden}");
        }
        for open in ["1.1.1.1", "93.184.216.34", "2606:4700:4700::1111"] {
            assert!(is_public(open.parse().unwrap()), "{open}");
        }
    }

    #[test]
    fn a_page_is_called_what_it_calls_itself() {
        let page =
            "<html><head><TITLE>Plain</title><meta name='description' content='A &amp; B'></head>";
        assert_eq!(title_of(page), (Some("Plain".into()), Some("A & B".into())));
        let page = "<meta property=\"og:title\" content=\"Card\n of it\"><title>Plain</title>";
        assert_eq!(title_of(page), (Some("Card of it".into()), None));
        assert_eq!(title_of("<title>"), (None, None));
        assert_eq!(title_of("no page at all"), (None, None));
    }

    async fn service() -> String {
        let moved = |to: &'static str| {
            move || async move { (StatusCode::FOUND, [(header::LOCATION, to)]).into_response() }
        };
        let router = Router::new()
            .route("/", get(|| async { Html("<title>Moss</title>") }))
            .route("/moved", get(moved("/")))
            .route("/away", get(moved("http://elsewhere.example/")))
            .route("/inside", get(moved("http://127.0.0.1/")))
            .route("/plain", get(|| async { "text" }));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        format!("http://localhost:{port}")
    }

    #[tokio::test]
    async fn cards_come_from_the_host_itself_and_from_nowhere_else() {
        let base = service().await;
        let client = glade_model::Client::new().unwrap();
        let cards = Cards::anywhere(client.clone());
        for page in ["/", "/moved"] {
            let address = format!("{base}{page}");
            let card = json!({"address": address, "title": "Moss", "about": ""});
            assert_eq!(cards.fetch(&address).await, Ok(card));
        }
        for (page, reason) in [
            ("/away", "sent me somewhere else"),
            ("/inside", "sent me somewhere else"),
            ("/plain", "no web page"),
            ("/nowhere", "answered 404"),
        ] {
            let error = cards.fetch(&format!("{base}{page}")).await.unwrap_err();
            assert!(error.contains(reason), "{page}: {error}");
        }
        let error = Cards::new(client).fetch(&base).await.unwrap_err();
        assert!(error.contains("not in the open"), "{error}");
    }
}
