//! Errors as a client sees them: RFC 9457 problem documents.
//!
//! The title names the kind of trouble and is the same for all of a kind; the
//! detail says what happened to this request and what to do about it. What the
//! server alone should know (an internal error's cause) goes to the log.

use std::fmt::Display;
use std::time::Duration;

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Serialize, Serializer};
use utoipa::ToSchema;

/// What went wrong with a request, in the shape every endpoint answers with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Problem {
    /// Always `about:blank`: the status says which kind of problem this is.
    #[serde(rename = "type")]
    #[schema(value_type = String, example = "about:blank")]
    kind: &'static str,
    /// The kind of problem, the same for every problem of its kind.
    pub title: String,
    /// The HTTP status, repeated here because bodies outlive their headers.
    #[serde(serialize_with = "status_as_number")]
    #[schema(value_type = u16, example = 404)]
    pub status: StatusCode,
    /// What happened here, and what to do now.
    pub detail: String,
    /// Of a 401, why, as a word that stays the same: `expired`, `revoked`, `session_ended`, `unknown`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, example = "expired")]
    code: Option<&'static str>,
    /// When it is worth asking again: sent as the header `Retry-After`.
    #[serde(skip)]
    #[schema(ignore)]
    retry_after: Option<Duration>,
}

/// The media type of a [`Problem`], for `OpenAPI` descriptions.
pub const PROBLEM_JSON: &str = "application/problem+json";

fn status_as_number<S: Serializer>(status: &StatusCode, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_u16(status.as_u16())
}

impl Problem {
    /// A problem of any status; prefer the named constructors.
    pub fn new(status: StatusCode, title: impl Into<String>, detail: impl Into<String>) -> Self {
        Self {
            kind: "about:blank",
            title: title.into(),
            status,
            detail: detail.into(),
            code: None,
            retry_after: None,
        }
    }

    /// 400: the request itself makes no sense.
    pub fn bad_request(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "Bad request", detail)
    }

    /// 422: JSON that is well made and says what cannot be meant here.
    pub fn unexpected_json(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, "Unexpected JSON", detail)
    }

    /// 401: nobody we know is asking. The answer names the scheme to use.
    pub fn unauthorized(detail: impl Into<String>) -> Self {
        Self::unauthorized_for("unknown", detail)
    }

    /// 401, and why: `code` stays the same however the detail is put.
    pub fn unauthorized_for(code: &'static str, detail: impl Into<String>) -> Self {
        Self {
            code: Some(code),
            ..Self::new(StatusCode::UNAUTHORIZED, "Not signed in", detail)
        }
    }

    /// 403: we know who is asking, and they may not.
    pub fn forbidden(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::FORBIDDEN, "Not allowed", detail)
    }

    /// 404: there is nothing here (or nothing the asker may know of).
    pub fn not_found(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, "Not found", detail)
    }

    /// 409: the thing asked for does not fit the state things are in now.
    pub fn conflict(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::CONFLICT, "Conflict", detail)
    }

    /// 413: more bytes than we take.
    pub fn too_large(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, "Too large", detail)
    }

    /// 429: too often, or too much at once; it is worth asking again after `wait`.
    pub fn too_many(detail: impl Into<String>, wait: Duration) -> Self {
        Self {
            retry_after: Some(wait),
            ..Self::new(StatusCode::TOO_MANY_REQUESTS, "Too many requests", detail)
        }
    }

    /// 500: our own fault. The cause goes to the log, never to the client:
    /// it may hold paths, queries or tokens.
    pub fn internal(cause: impl Display) -> Self {
        tracing::error!(%cause, "a request failed inside the server");
        Self::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "Something broke on the server",
            "The server could not finish this request; its log says why. Trying again is safe.",
        )
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        // Two strings and a number always serialise; were that ever to change,
        // the status alone still tells the client the truth.
        let body = serde_json::to_vec(&self).unwrap_or_default();
        let mut response = (self.status, body).into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(PROBLEM_JSON));
        if self.status == StatusCode::UNAUTHORIZED {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        if let Some(wait) = self.retry_after {
            // Whole seconds, rounded up: who comes a moment early is refused again.
            let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds.max(1)));
        }
        response
    }
}

/// For `Router::method_not_allowed_fallback`: the path exists, the method does not.
pub async fn method_not_allowed(method: axum::http::Method) -> Problem {
    Problem::new(
        StatusCode::METHOD_NOT_ALLOWED,
        "Method not allowed",
        format!(
            "This address does not answer to {method}; /api/openapi.json lists what it answers to."
        ),
    )
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::edge::testing::json_body;

    #[tokio::test]
    async fn a_problem_travels_as_problem_json_with_its_status() {
        let response = Problem::conflict("The run is settled already.").into_response();
        assert_eq!(response.status(), StatusCode::CONFLICT);
        assert_eq!(response.headers()[header::CONTENT_TYPE], PROBLEM_JSON);
        assert_eq!(
            json_body(response).await,
            json!({
                "type": "about:blank",
                "title": "Conflict",
                "status": 409,
                "detail": "The run is settled already.",
            })
        );
    }

    #[tokio::test]
    async fn only_a_401_names_the_way_to_sign_in() {
        let response = Problem::unauthorized("Open the owner's link.").into_response();
        assert_eq!(response.headers()[header::WWW_AUTHENTICATE], "Bearer");
        let response = Problem::forbidden("This token may only read.").into_response();
        assert!(!response.headers().contains_key(header::WWW_AUTHENTICATE));
    }

    #[tokio::test]
    async fn only_a_429_says_when_to_ask_again_in_whole_seconds_rounded_up() {
        let retry_after = |problem: Problem| {
            let response = problem.into_response();
            let header = response.headers().get(header::RETRY_AFTER).cloned();
            header.map(|value| value.to_str().unwrap().to_owned())
        };
        let wait = |millis| Problem::too_many("Wait.", Duration::from_millis(millis));
        assert_eq!(retry_after(wait(0)), Some("1".to_owned()));
        assert_eq!(retry_after(wait(1_001)), Some("2".to_owned()));
        assert_eq!(retry_after(Problem::conflict("Settled.")), None);
    }

    #[tokio::test]
    async fn an_internal_problem_keeps_its_cause_to_itself() {
        let response = Problem::internal("no such table: runs").into_response();
        let body = json_body(response).await;
        assert_eq!(body["status"], 500);
        assert!(
            !body.to_string().contains("runs"),
            "the cause leaked: {body}"
        );
    }
}
