//! The outermost layer: refuses requests that no page of ours sends, and puts
//! the headers on every answer that keep a browser from doing what we never ask.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};

use super::host::{HostPolicy, requested_host, same_origin};
use super::problem::Problem;

/// What the studio may load and reach: this server, nothing else. It proves
/// that nothing leaves the machine.
///
/// - `wasm-unsafe-eval`: Loro is WebAssembly.
/// - `unsafe-inline` styles: Excalidraw positions its menus by style attributes.
/// - `blob:` workers: Excalidraw subsets fonts in one.
/// - `connect-src 'self'` covers WebSockets to the same host and port.
pub const CONTENT_SECURITY_POLICY: &str = "default-src 'self'; \
     script-src 'self' 'wasm-unsafe-eval'; \
     style-src 'self' 'unsafe-inline'; \
     img-src 'self' data: blob:; \
     font-src 'self' data:; \
     connect-src 'self'; \
     worker-src 'self' blob:; \
     object-src 'none'; \
     base-uri 'none'; \
     frame-ancestors 'none'; \
     form-action 'self'";

const HEADERS: [(HeaderName, &str); 6] = [
    (header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    // The owner's link holds a key (in its fragment, which is never sent, but
    // a page's address is nobody else's business either).
    (header::REFERRER_POLICY, "no-referrer"),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        "same-origin",
    ),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        "same-origin",
    ),
    (
        HeaderName::from_static("permissions-policy"),
        "camera=(), microphone=(), geolocation=(), payment=(), usb=(), serial=()",
    ),
];

/// Wraps a whole router, fallback included. Call it last.
pub fn protect(router: Router, policy: HostPolicy) -> Router {
    router.layer(from_fn_with_state(Arc::new(policy), guard))
}

async fn guard(State(policy): State<Arc<HostPolicy>>, request: Request, next: Next) -> Response {
    let mut response = match inspect(&policy, &request) {
        Ok(()) => next.run(request).await,
        Err(problem) => {
            tracing::warn!(detail = %problem.detail, "refused a request at the edge");
            problem.into_response()
        }
    };
    add_headers(response.headers_mut());
    response
}

/// May this request be heard?
fn inspect(policy: &HostPolicy, request: &Request) -> Result<(), Problem> {
    let host_header = text(request.headers(), &header::HOST)?;
    let Some(host) = requested_host(request.uri(), host_header) else {
        return Err(Problem::bad_request(
            "The request names no host; send a Host header.",
        ));
    };
    if !policy.allows(host) {
        return Err(Problem::new(
            StatusCode::MISDIRECTED_REQUEST,
            "Unknown host",
            format!(
                "This server does not answer to the name {host:?}. Open it as localhost or by the \
                 address it listens on, or start it with --host-name and this name."
            ),
        ));
    }
    if !needs_own_origin(request) {
        return Ok(());
    }
    match text(request.headers(), &header::ORIGIN)? {
        // Programs that are not browsers send none; a browser always does here.
        None => Ok(()),
        Some(origin) if same_origin(origin, host) => Ok(()),
        Some(origin) => Err(Problem::forbidden(format!(
            "A page of {origin:?} may not act on {host:?}; only this server's own pages may."
        ))),
    }
}

/// Requests that change something, and WebSockets, which browsers open across
/// origins without asking. Plain reads are guarded by the same-origin policy.
fn needs_own_origin(request: &Request) -> bool {
    let safe = matches!(
        *request.method(),
        Method::GET | Method::HEAD | Method::OPTIONS
    );
    let upgrade = request
        .headers()
        .get_all(header::UPGRADE)
        .iter()
        .any(|value| {
            value
                .as_bytes()
                .to_ascii_lowercase()
                .starts_with(b"websocket")
        });
    !safe || upgrade
}

/// A header that may come once, as text.
fn text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Result<Option<&'a str>, Problem> {
    let mut values = headers.get_all(name).iter();
    let (first, second) = (values.next(), values.next());
    match (first.map(HeaderValue::to_str), second) {
        (None, _) => Ok(None),
        (Some(Ok(value)), None) => Ok(Some(value)),
        _ => Err(Problem::bad_request(format!(
            "The header {name} must come once, as plain text."
        ))),
    }
}

fn add_headers(headers: &mut HeaderMap) {
    for (name, value) in HEADERS {
        // What says something of its own (a picture, that it may do nothing) says more.
        headers
            .entry(name)
            .or_insert(HeaderValue::from_static(value));
    }
    // What a handler does not mark as cacheable may hold somebody's work.
    headers
        .entry(header::CACHE_CONTROL)
        .or_insert(HeaderValue::from_static("no-store"));
}

#[cfg(test)]
mod tests {
    use axum::body::Body;
    use axum::routing::{get, post};
    use tower::ServiceExt;

    use super::*;
    use crate::edge::testing::json_body;

    fn app() -> Router {
        let router = Router::new()
            .route("/read", get(|| async { "read" }))
            .route("/change", post(|| async { "changed" }))
            .route(
                "/cached",
                get(|| async { ([(header::CACHE_CONTROL, "no-cache")], "cached") }),
            )
            .fallback(|| async { Problem::not_found("Nothing here.") });
        protect(
            router,
            HostPolicy::new("127.0.0.1:7878".parse().unwrap(), []),
        )
    }

    async fn send(method: &str, path: &str, headers: &[(&str, &str)]) -> Response {
        let mut request = Request::builder().method(method).uri(path);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let request = request.body(Body::empty()).unwrap();
        app().oneshot(request).await.unwrap()
    }

    const OURS: (&str, &str) = ("host", "localhost:7878");

    #[tokio::test]
    async fn every_answer_carries_the_headers_refusals_and_misses_included() {
        for (path, host, status) in [
            ("/read", "localhost:7878", 200),
            ("/missing", "localhost:7878", 404),
            ("/read", "evil.example", 421),
        ] {
            let response = send("GET", path, &[("host", host)]).await;
            assert_eq!(response.status(), status, "{path} at {host}");
            for (name, value) in HEADERS {
                assert_eq!(response.headers()[&name], value, "{path} at {host}");
            }
            assert_eq!(response.headers()[header::CACHE_CONTROL], "no-store");
        }
    }

    #[tokio::test]
    async fn a_handlers_own_caching_stands() {
        let response = send("GET", "/cached", &[OURS]).await;
        assert_eq!(response.headers()[header::CACHE_CONTROL], "no-cache");
    }

    #[tokio::test]
    async fn a_rebound_name_gets_a_problem_and_no_answer() {
        let response = send("GET", "/read", &[("host", "evil.example:7878")]).await;
        let problem = json_body(response).await;
        assert_eq!(problem["status"], 421);
        assert_eq!(problem["title"], "Unknown host");
    }

    #[tokio::test]
    async fn a_request_without_a_single_host_is_refused() {
        assert_eq!(send("GET", "/read", &[]).await.status(), 400);
        let twice = [OURS, ("host", "evil.example")];
        assert_eq!(send("GET", "/read", &twice).await.status(), 400);
        // The request line outranks the header.
        let response = send("GET", "http://evil.example/read", &[OURS]).await;
        assert_eq!(response.status(), 421);
    }

    #[tokio::test]
    async fn only_our_own_pages_and_programs_without_an_origin_may_change_things() {
        let change = |origin: Option<&'static str>| async move {
            let mut headers = vec![OURS];
            headers.extend(origin.map(|origin| ("origin", origin)));
            send("POST", "/change", &headers).await.status().as_u16()
        };
        assert_eq!(change(None).await, 200);
        assert_eq!(change(Some("http://localhost:7878")).await, 200);
        assert_eq!(change(Some("http://localhost:3000")).await, 403);
        assert_eq!(change(Some("https://evil.example")).await, 403);
        assert_eq!(change(Some("null")).await, 403);
    }

    #[tokio::test]
    async fn a_foreign_page_may_not_open_a_websocket() {
        let open = |origin: &'static str, upgrade: &'static str| async move {
            let headers = [OURS, ("origin", origin), ("upgrade", upgrade)];
            send("GET", "/read", &headers).await.status().as_u16()
        };
        assert_eq!(open("http://localhost:7878", "websocket").await, 200);
        assert_eq!(open("https://evil.example", "websocket").await, 403);
        assert_eq!(open("https://evil.example", "WebSocket").await, 403);
        let plain_read = send("GET", "/read", &[OURS, ("origin", "https://evil.example")]);
        assert_eq!(plain_read.await.status(), 200);
    }
}
