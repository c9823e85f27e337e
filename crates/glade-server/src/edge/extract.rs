//! Bodies and queries, checked: axum's own extractors with our own refusals.

use axum::Json;
use axum::body::{Body, Bytes};
use axum::extract::rejection::{JsonRejection, QueryRejection};
use axum::extract::{
    DefaultBodyLimit, FromRequest, FromRequestParts, OptionalFromRequest, Query, Request,
};
use axum::http::StatusCode;
use axum::http::request::Parts;
use serde::de::DeserializeOwned;
use tokio::runtime::Handle;
use tokio::sync::Semaphore;

use super::problem::Problem;

/// A JSON body. What does not parse, or is not sent as JSON, is answered with a
/// [`Problem`]. `Option<ApiJson<T>>` takes a request without a body as `None`.
///
/// That the content type must be JSON is also a guard: a form on a foreign site
/// cannot send it without asking first.
///
/// It has at most `MOST` bytes. One that is longer than [`SHORT`] is parsed on a thread of its own, a few at
/// once: whoever sends many waits for themselves.
#[derive(Debug, Clone, Copy, Default)]
pub struct ApiJson<T, const MOST: usize = SHORT>(pub T);

/// Nothing that is asked for in a few words comes near this.
pub const SHORT: usize = 64 << 10;
/// For what holds words of people, or names many elements.
pub const LONG: usize = 2 << 20;

/// So many long bodies are parsed at once. What is made of one may take many times its bytes.
static LONG_TURNS: Semaphore = Semaphore::const_new(2);

impl<T, S, const MOST: usize> FromRequest<S> for ApiJson<T, MOST>
where
    T: DeserializeOwned + Send + 'static,
    S: Send + Sync,
{
    type Rejection = Problem;

    async fn from_request(request: Request, _: &S) -> Result<Self, Problem> {
        let parse = async |request| <Json<T> as FromRequest<()>>::from_request(request, &()).await;
        let Json(value) = match received(request, MOST).await? {
            Received::Short(request) => parse(request).await?,
            Received::Long(request) => {
                on_its_turn(move || Handle::current().block_on(parse(request))).await??
            }
        };
        Ok(Self(value))
    }
}

impl<T, S, const MOST: usize> OptionalFromRequest<S> for ApiJson<T, MOST>
where
    T: DeserializeOwned + Send + 'static,
    S: Send + Sync,
{
    type Rejection = Problem;

    async fn from_request(request: Request, _: &S) -> Result<Option<Self>, Problem> {
        let parse =
            async |request| <Json<T> as OptionalFromRequest<()>>::from_request(request, &()).await;
        let value = match received(request, MOST).await? {
            Received::Short(request) => parse(request).await?,
            Received::Long(request) => {
                on_its_turn(move || Handle::current().block_on(parse(request))).await??
            }
        };
        Ok(value.map(|Json(value)| Self(value)))
    }
}

/// A request whose body has arrived.
enum Received {
    Short(Request),
    Long(Request),
}

async fn received(mut request: Request, most: usize) -> Result<Received, Problem> {
    DefaultBodyLimit::max(most).apply(&mut request);
    let (parts, body) = request.into_parts();
    let arriving = Request::from_parts(parts.clone(), body);
    let bytes = Bytes::from_request(arriving, &())
        .await
        .map_err(|refused| match refused.status() {
            StatusCode::PAYLOAD_TOO_LARGE => {
                Problem::too_large(format!("This takes at most {most} bytes."))
            }
            _ => Problem::bad_request(refused.body_text()),
        })?;
    let long = bytes.len() > SHORT;
    let mut request = Request::from_parts(parts, Body::from(bytes));
    DefaultBodyLimit::disable().apply(&mut request);
    Ok(if long {
        Received::Long(request)
    } else {
        Received::Short(request)
    })
}

async fn on_its_turn<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Problem> {
    let turn = LONG_TURNS.acquire().await.map_err(Problem::internal)?;
    let done = tokio::task::spawn_blocking(work).await;
    drop(turn);
    done.map_err(Problem::internal)
}

impl From<JsonRejection> for Problem {
    fn from(rejection: JsonRejection) -> Self {
        match rejection.status() {
            StatusCode::PAYLOAD_TOO_LARGE => Self::too_large(rejection.body_text()),
            StatusCode::UNSUPPORTED_MEDIA_TYPE => Self::new(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "Not JSON",
                "Send the body as JSON, with the header Content-Type: application/json.",
            ),
            StatusCode::UNPROCESSABLE_ENTITY => Self::unexpected_json(rejection.body_text()),
            _ => Self::bad_request(rejection.body_text()),
        }
    }
}

/// A query string, with a [`Problem`] when it does not fit.
#[derive(Debug, Clone, Copy, Default)]
pub struct ApiQuery<T>(pub T);

impl<T, S> FromRequestParts<S> for ApiQuery<T>
where
    T: DeserializeOwned,
    S: Send + Sync,
{
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let Query(value) = Query::<T>::from_request_parts(parts, state).await?;
        Ok(Self(value))
    }
}

impl From<QueryRejection> for Problem {
    fn from(rejection: QueryRejection) -> Self {
        Self::bad_request(rejection.body_text())
    }
}

#[cfg(test)]
mod tests {
    use axum::Router;
    use axum::http::header;
    use axum::response::Response;
    use axum::routing::{get, post};
    use serde::Deserialize;
    use tower::ServiceExt;

    use super::*;
    use crate::edge::problem::PROBLEM_JSON;
    use crate::edge::testing::{json_body, text_body};

    #[derive(Deserialize)]
    struct Greeting {
        name: String,
    }

    fn app() -> Router {
        Router::new()
            .route(
                "/greet",
                post(|ApiJson(it): ApiJson<Greeting>| async move { it.name }),
            )
            .route(
                "/perhaps",
                post(|body: Option<ApiJson<Greeting>>| async move {
                    body.map_or("nobody".to_owned(), |ApiJson(it)| it.name)
                }),
            )
            .route(
                "/query",
                get(|ApiQuery(it): ApiQuery<Greeting>| async move { it.name }),
            )
            .route(
                "/long",
                post(|ApiJson(it): ApiJson<Greeting, LONG>| async move { it.name }),
            )
    }

    async fn send(path: &str, content_type: Option<&str>, body: &str) -> Response {
        let mut request = Request::post(path);
        if let Some(content_type) = content_type {
            request = request.header(header::CONTENT_TYPE, content_type);
        }
        let request = request.body(Body::from(body.to_owned())).unwrap();
        app().oneshot(request).await.unwrap()
    }

    #[tokio::test]
    async fn a_json_body_reaches_the_handler() {
        let response = send("/greet", Some("application/json"), r#"{"name":"Fern"}"#).await;
        assert_eq!(text_body(response).await, "Fern");
    }

    #[tokio::test]
    async fn only_what_may_be_long_is() {
        let json = Some("application/json");
        let named = |length: usize| format!(r#"{{"name":"{}"}}"#, "x".repeat(length));
        for (path, length, status) in [
            ("/greet", SHORT - 20, 200),
            ("/greet", SHORT, 413),
            ("/perhaps", SHORT, 413),
            ("/long", SHORT, 200),
            ("/long", LONG - 20, 200),
            ("/long", LONG, 413),
        ] {
            let response = send(path, json, &named(length)).await;
            assert_eq!(response.status(), status, "{path}, {length}");
        }
        let wrong = send("/long", json, &"[".repeat(SHORT * 2)).await;
        assert_eq!(wrong.status(), 422);
        let plain = send("/long", Some("text/plain"), &named(SHORT)).await;
        assert_eq!(plain.status(), 415);
    }

    #[tokio::test]
    async fn every_way_a_body_can_be_wrong_is_a_problem() {
        let long = format!(r#"{{"name":"{}"}}"#, "x".repeat(SHORT));
        let cases = [
            (Some("application/json"), "{", 400),
            (Some("application/json"), r#"{"nome":"Fern"}"#, 422),
            (Some("text/plain"), r#"{"name":"Fern"}"#, 415),
            (None, r#"{"name":"Fern"}"#, 415),
            (Some("application/json"), long.as_str(), 413),
        ];
        for (content_type, body, status) in cases {
            let response = send("/greet", content_type, body).await;
            assert_eq!(
                response.headers()[header::CONTENT_TYPE],
                PROBLEM_JSON,
                "{body}"
            );
            let problem = json_body(response).await;
            assert_eq!(problem["status"], status, "{body}: {problem}");
        }
    }

    #[tokio::test]
    async fn a_body_that_may_be_absent_is_checked_when_it_is_there() {
        assert_eq!(text_body(send("/perhaps", None, "").await).await, "nobody");
        let json = Some("application/json");
        let there = send("/perhaps", json, r#"{"name":"Moss"}"#).await;
        assert_eq!(text_body(there).await, "Moss");
        let wrong = send("/perhaps", json, "[]").await;
        assert_eq!(json_body(wrong).await["status"], 422);
    }

    #[tokio::test]
    async fn a_query_that_does_not_fit_is_a_problem() {
        let ask = |uri: &str| app().oneshot(Request::get(uri).body(Body::empty()).unwrap());
        let fits = ask("/query?name=Fern").await.unwrap();
        assert_eq!(text_body(fits).await, "Fern");
        let does_not = ask("/query").await.unwrap();
        assert_eq!(json_body(does_not).await["status"], 400);
    }
}
