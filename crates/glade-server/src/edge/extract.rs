//! Bodies and queries, checked: axum's own extractors with our own refusals.

use axum::Json;
use axum::extract::rejection::{JsonRejection, QueryRejection};
use axum::extract::{FromRequest, FromRequestParts, OptionalFromRequest, Query, Request};
use axum::http::StatusCode;
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

use super::problem::Problem;

/// A JSON body. What does not parse, or is not sent as JSON, is answered with a
/// [`Problem`]. `Option<ApiJson<T>>` takes a request without a body as `None`.
///
/// That the content type must be JSON is also a guard: a form on a foreign site
/// cannot send it without asking first.
#[derive(Debug, Clone, Copy, Default)]
pub struct ApiJson<T>(pub T);

impl<T, S> FromRequest<S> for ApiJson<T>
where
    T: DeserializeOwned,
    S: Send + Sync,
{
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        let Json(value) = <Json<T> as FromRequest<S>>::from_request(request, state).await?;
        Ok(Self(value))
    }
}

impl<T, S> OptionalFromRequest<S> for ApiJson<T>
where
    T: DeserializeOwned,
    S: Send + Sync,
{
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Option<Self>, Problem> {
        let value = <Json<T> as OptionalFromRequest<S>>::from_request(request, state).await?;
        Ok(value.map(|Json(value)| Self(value)))
    }
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
    use axum::body::Body;
    use axum::extract::DefaultBodyLimit;
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
            .layer(DefaultBodyLimit::max(64))
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
    async fn every_way_a_body_can_be_wrong_is_a_problem() {
        let long = format!(r#"{{"name":"{}"}}"#, "x".repeat(80));
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
