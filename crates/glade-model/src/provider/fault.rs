//! What a provider said went wrong, and which kind of error that is.
//!
//! Four providers and their many imitators word the same troubles differently, so the judgement rests
//! on status and code first and on well-known phrases last. It is one list, in order: a quota that is
//! used up also has status 429, and a key that Google does not know has status 400.

use std::time::Duration;

use serde_json::Value;

use crate::model::ModelError;

/// A person reads it; a page of HTML is not for them.
const LONGEST_DETAIL: usize = 300;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Fault {
    pub status: Option<u16>,
    /// Everything that the provider calls it: code, type, status, reason; in lower case.
    pub codes: Vec<String>,
    pub message: String,
    pub retry_after: Option<Duration>,
}

impl Fault {
    /// From the answer to a refused request.
    pub fn of_response(status: u16, retry_after: Option<Duration>, body: &str) -> Self {
        let mut fault = match serde_json::from_str::<Value>(body) {
            Ok(value) => Self::of_value(&value),
            Err(_) if body.trim_start().starts_with('<') => Self::default(),
            Err(_) => Self::in_words(body),
        };
        fault.status = Some(status);
        fault.retry_after = retry_after.or(fault.retry_after);
        if fault.message.is_empty() {
            fault.message = format!("status {status}");
        }
        fault
    }

    /// From an error that is no object.
    pub fn in_words(words: &str) -> Self {
        Self {
            message: shorten(words),
            ..Self::default()
        }
    }

    /// From an error object, wherever it came: in a body, or in the middle of a stream.
    pub fn of_value(value: &Value) -> Self {
        // Gemini wraps its error into a list when a stream was asked for.
        let value = value.get(0).unwrap_or(value);
        let error = match &value["error"] {
            Value::Null => value,
            inner => inner,
        };
        let message = [
            &error["message"],
            error,
            &value["message"],
            &value["detail"],
        ]
        .into_iter()
        .find_map(Value::as_str)
        .unwrap_or_default();
        let details = error["details"].as_array();
        let details = details.map(Vec::as_slice).unwrap_or_default();
        let reasons = details.iter().map(|detail| &detail["reason"]);
        let codes = [&error["code"], &error["type"], &error["status"]]
            .into_iter()
            .chain(reasons)
            .filter_map(Value::as_str)
            .map(str::to_lowercase)
            .collect();
        let retry_after = details
            .iter()
            .find_map(|detail| detail["retryDelay"].as_str())
            .and_then(seconds);
        let number = |value: &Value| {
            let number = value.as_u64().or_else(|| value.as_str()?.parse().ok())?;
            u16::try_from(number).ok()
        };
        let statuses = [&error["code"], &error["status_code"], &error["status"]];
        Self {
            status: statuses.into_iter().find_map(number),
            codes,
            message: shorten(message),
            retry_after,
        }
    }

    /// Which kind of error it is.
    pub fn judge(self, model: &str) -> ModelError {
        let model = model.to_owned();
        let words = self.message.to_lowercase();
        let status = self.status.unwrap_or(0);
        let coded = |codes: &[&str]| self.codes.iter().any(|code| codes.contains(&code.as_str()));
        let says = |phrases: &[&str]| phrases.iter().any(|phrase| words.contains(phrase));

        if status == 402
            || coded(&["insufficient_quota", "billing_error", "billing_not_active", "billing_hard_limit_reached", "usage_limit_reached"])
            || says(&["credit balance is too low", "insufficient credits", "spend limit"])
            // Gemini says the same of a minute's quota and of a plan's; only the first can be waited for.
            || (coded(&["resource_exhausted"]) && self.retry_after.is_none() && says(&["billing"]))
        {
            return ModelError::PlanLimit {
                model,
                detail: self.message,
            };
        }
        if status == 413
            || coded(&[
                "context_length_exceeded",
                "request_too_large",
                "exceed_context_size_error",
                "string_above_max_length",
            ])
            || says(&[
                "prompt is too long",
                "maximum context length",
                "context window",
                "exceeds the available context",
                "input token count",
            ])
        {
            return ModelError::ContextTooLong { model };
        }
        if coded(&[
            "content_filter",
            "content_policy_violation",
            "invalid_prompt",
        ]) || says(&[
            "content management policy",
            "flagged as potentially violating",
        ]) {
            return ModelError::ContentFilter { model };
        }
        if matches!(status, 401 | 403)
            || coded(&[
                "authentication_error",
                "permission_error",
                "invalid_api_key",
                "api_key_invalid",
                "unauthenticated",
                "permission_denied",
            ])
            || says(&["api key not valid", "invalid api key"])
        {
            return ModelError::Auth {
                model,
                detail: self.message,
            };
        }
        if status == 404 || coded(&["model_not_found", "not_found_error", "not_found"]) {
            return ModelError::NoSuchModel {
                model,
                detail: self.message,
            };
        }
        if status == 429
            || coded(&[
                "rate_limit_error",
                "rate_limit_exceeded",
                "resource_exhausted",
                "too_many_requests",
            ])
        {
            return ModelError::RateLimited {
                model,
                retry_after: self.retry_after,
            };
        }
        // A server that failed on its own side is as good as one that has too much to do: the same
        // request may go well in a moment.
        if matches!(status, 408 | 500 | 502 | 503 | 504 | 529)
            || coded(&[
                "overloaded_error",
                "server_overloaded",
                "engine_overloaded",
                "slow_down",
                "unavailable",
                "api_error",
                "server_error",
                "internal_server_error",
                "internal",
                "timeout_error",
                "deadline_exceeded",
            ])
        {
            return ModelError::Overloaded {
                model,
                retry_after: self.retry_after,
            };
        }
        ModelError::Other {
            model,
            detail: self.message,
        }
    }
}

/// `12`, `0.5`, `30s`.
fn seconds(text: &str) -> Option<Duration> {
    let number: f64 = text.trim().trim_end_matches('s').parse().ok()?;
    Duration::try_from_secs_f64(number).ok()
}

/// How long the headers ask to wait: `retry-after-ms`, or `retry-after` in seconds or as a date.
pub fn retry_after<'a>(
    header: impl Fn(&str) -> Option<&'a str>,
    now: std::time::SystemTime,
) -> Option<Duration> {
    if let Some(ms) = header("retry-after-ms").and_then(|text| text.trim().parse().ok()) {
        return Some(Duration::from_millis(ms));
    }
    let text = header("retry-after")?;
    seconds(text).or_else(|| {
        let at = httpdate::parse_http_date(text.trim()).ok()?;
        Some(at.duration_since(now).unwrap_or_default())
    })
}

fn shorten(text: &str) -> String {
    let text = text.trim();
    match text.char_indices().nth(LONGEST_DETAIL) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use std::time::SystemTime;

    use super::*;

    fn judged(status: u16, body: &str) -> ModelError {
        Fault::of_response(status, None, body).judge("m")
    }

    fn name(error: &ModelError) -> String {
        let text = format!("{error:?}");
        text.split([' ', '{']).next().unwrap().to_owned()
    }

    #[test]
    fn each_providers_words_for_a_trouble_are_told_apart() {
        let cases = [
            (
                401,
                r#"{"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"}}"#,
                "Auth",
            ),
            (
                401,
                r#"{"error":{"message":"Incorrect API key provided","type":"invalid_request_error","code":"invalid_api_key"}}"#,
                "Auth",
            ),
            (
                400,
                r#"[{"error":{"code":400,"message":"API key not valid.","status":"INVALID_ARGUMENT","details":[{"reason":"API_KEY_INVALID"}]}}]"#,
                "Auth",
            ),
            (
                403,
                r#"{"error":{"code":403,"status":"PERMISSION_DENIED","message":"no"}}"#,
                "Auth",
            ),
            (
                429,
                r#"{"type":"error","error":{"type":"rate_limit_error","message":"slow"}}"#,
                "RateLimited",
            ),
            (
                429,
                r#"{"error":{"message":"You exceeded your current quota","type":"insufficient_quota","code":"insufficient_quota"}}"#,
                "PlanLimit",
            ),
            (
                429,
                r#"{"error":{"code":429,"status":"RESOURCE_EXHAUSTED","message":"check your plan and billing details"}}"#,
                "PlanLimit",
            ),
            (
                429,
                r#"{"error":{"code":429,"status":"RESOURCE_EXHAUSTED","message":"check your plan and billing details","details":[{"retryDelay":"31s"}]}}"#,
                "RateLimited",
            ),
            (
                400,
                r#"{"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low to access the Anthropic API."}}"#,
                "PlanLimit",
            ),
            (
                529,
                r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#,
                "Overloaded",
            ),
            (503, "<html>down</html>", "Overloaded"),
            (
                503,
                r#"{"error":{"code":503,"status":"UNAVAILABLE","message":"The model is overloaded."}}"#,
                "Overloaded",
            ),
            (
                400,
                r#"{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 210000 tokens > 200000 maximum"}}"#,
                "ContextTooLong",
            ),
            (
                400,
                r#"{"error":{"message":"This model's maximum context length is 8192 tokens","code":"context_length_exceeded"}}"#,
                "ContextTooLong",
            ),
            (
                400,
                r#"{"error":{"code":400,"type":"exceed_context_size_error","message":"request exceeds the available context size"}}"#,
                "ContextTooLong",
            ),
            (
                400,
                r#"{"error":{"message":"flagged","code":"content_filter"}}"#,
                "ContentFilter",
            ),
            (404, r#"{"error":"model 'x' not found"}"#, "NoSuchModel"),
            (
                400,
                r#"{"object":"error","message":"bad top_p","code":400}"#,
                "Other",
            ),
            (418, "", "Other"),
        ];
        for (status, body, expected) in cases {
            assert_eq!(name(&judged(status, body)), expected, "{status} {body}");
        }
    }

    #[test]
    fn an_error_in_the_middle_of_a_stream_is_judged_by_its_code() {
        let value = serde_json::json!({"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}});
        let error = Fault::of_value(&value).judge("m");
        assert_eq!(name(&error), "Overloaded");
        assert!(error.retryable());
    }

    #[test]
    fn the_detail_is_the_providers_message_and_never_a_page_of_html() {
        assert_eq!(
            judged(
                400,
                r#"{"object":"error","message":"bad top_p","code":400}"#
            ),
            ModelError::Other {
                model: "m".to_owned(),
                detail: "bad top_p".to_owned()
            }
        );
        assert_eq!(
            judged(418, "<html>teapot</html>"),
            ModelError::Other {
                model: "m".to_owned(),
                detail: "status 418".to_owned()
            }
        );
        let ModelError::Other { detail, .. } = judged(400, &"é".repeat(5000)) else {
            panic!()
        };
        assert_eq!(detail.chars().count(), LONGEST_DETAIL + 1);
    }

    #[test]
    fn the_wait_is_read_from_every_form_of_the_header() {
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(784_111_777);
        let read = |name: &'static str, value: &'static str| {
            retry_after(|wanted| (wanted == name).then_some(value), now)
        };
        assert_eq!(read("retry-after", "7"), Some(Duration::from_secs(7)));
        assert_eq!(read("retry-after", "0.5"), Some(Duration::from_millis(500)));
        assert_eq!(
            read("retry-after-ms", "250"),
            Some(Duration::from_millis(250))
        );
        assert_eq!(
            read("retry-after", "Sun, 06 Nov 1994 08:49:47 GMT"),
            Some(Duration::from_secs(10))
        );
        assert_eq!(
            read("retry-after", "Sun, 06 Nov 1994 08:00:00 GMT"),
            Some(Duration::ZERO)
        );
        assert_eq!(read("retry-after", "-5"), None);
        assert_eq!(read("retry-after", "soon"), None);
    }
}
