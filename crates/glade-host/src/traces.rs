//! Spans of what fairies do, sent to an OpenTelemetry collector if one is configured.
//!
//! `OTEL_EXPORTER_OTLP_ENDPOINT` (or `OTEL_EXPORTER_OTLP_TRACES_ENDPOINT`) names it; without, nothing
//! is made and nothing leaves the machine. Prompts and answers are in the spans only if
//! `OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT` is `true`. The names are those of
//! OpenTelemetry's conventions for generative models: `invoke_agent`, `chat`, `execute_tool`; beside
//! them `token_batch` (a piece of an answer as it was heard) and `commit` (an edit as the room took it).
//!
//! Spans are posted as OTLP over HTTP in JSON, in batches, by a task of their own; what a collector
//! does not take is dropped after a while, and counted in the log. A fairy never waits for it.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rand::Rng;
use serde_json::{Value, json};
use tokio::sync::mpsc;

/// Spans that may wait for the collector.
const WAITING: usize = 4096;
/// Spans in one request.
const BATCH: usize = 256;
const PAUSE: Duration = Duration::from_secs(2);
const PATIENCE: Duration = Duration::from_secs(10);

static EXPORTER: OnceLock<Exporter> = OnceLock::new();
static DROPPED: AtomicU64 = AtomicU64::new(0);

struct Exporter {
    spans: mpsc::Sender<Value>,
    content: bool,
}

/// Starts exporting if the environment names a collector. Called once, inside the runtime.
pub fn start(environment: &dyn Fn(&str) -> Option<String>) {
    let Some(url) = endpoint(environment) else {
        return;
    };
    let content = environment("OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT");
    let content = content.is_some_and(|value| value.eq_ignore_ascii_case("true"));
    let name = environment("OTEL_SERVICE_NAME").unwrap_or_else(|| "glade".to_owned());
    let (spans, queue) = mpsc::channel(WAITING);
    if EXPORTER.set(Exporter { spans, content }).is_ok() {
        tokio::spawn(export(url, name, queue));
    }
}

fn endpoint(environment: &dyn Fn(&str) -> Option<String>) -> Option<String> {
    let set = |name: &str| environment(name).filter(|value| !value.trim().is_empty());
    set("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT").or_else(|| {
        let base = set("OTEL_EXPORTER_OTLP_ENDPOINT")?;
        Some(format!("{}/v1/traces", base.trim_end_matches('/')))
    })
}

/// Whether what people and models said may be in spans.
pub fn with_content() -> bool {
    EXPORTER.get().is_some_and(|exporter| exporter.content)
}

/// Something that takes time. Ends when it is dropped.
pub struct Span {
    trace: u128,
    id: u64,
    parent: Option<u64>,
    name: String,
    began: SystemTime,
    attributes: Vec<Value>,
    failed: Option<String>,
}

impl Span {
    /// The beginning of a trace; `None`: nobody collects.
    pub fn root(name: impl FnOnce() -> String) -> Option<Self> {
        EXPORTER.get()?;
        Some(Self::new(rand::rng().random(), None, name()))
    }

    pub fn child(&self, name: String) -> Self {
        Self::new(self.trace, Some(self.id), name)
    }

    fn new(trace: u128, parent: Option<u64>, name: String) -> Self {
        Self {
            trace,
            id: rand::rng().random(),
            parent,
            name,
            began: SystemTime::now(),
            attributes: Vec::new(),
            failed: None,
        }
    }

    pub fn text(&mut self, key: &str, value: &str) {
        self.attributes
            .push(json!({"key": key, "value": {"stringValue": value}}));
    }

    pub fn number(&mut self, key: &str, value: u64) {
        // OTLP in JSON writes whole numbers as text.
        self.attributes
            .push(json!({"key": key, "value": {"intValue": value.to_string()}}));
    }

    pub fn fail(&mut self, error: &str) {
        self.text("error.type", error);
        self.failed = Some(error.to_owned());
    }

    fn told(&mut self) -> Value {
        let nanos = |time: SystemTime| {
            let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
            since.as_nanos().to_string()
        };
        let mut span = json!({
            "traceId": format!("{:032x}", self.trace),
            "spanId": format!("{:016x}", self.id),
            "name": self.name,
            "kind": 1,
            "startTimeUnixNano": nanos(self.began),
            "endTimeUnixNano": nanos(SystemTime::now()),
            "attributes": std::mem::take(&mut self.attributes),
        });
        if let Some(parent) = self.parent {
            span["parentSpanId"] = json!(format!("{parent:016x}"));
        }
        if let Some(failed) = &self.failed {
            span["status"] = json!({"code": 2, "message": failed});
        }
        span
    }
}

impl Drop for Span {
    fn drop(&mut self) {
        let span = self.told();
        let sent = EXPORTER.get().map(|exporter| exporter.spans.try_send(span));
        if sent.is_some_and(|sent| sent.is_err()) {
            DROPPED.fetch_add(1, Ordering::Relaxed);
        }
    }
}

async fn export(url: String, service: String, mut queue: mpsc::Receiver<Value>) {
    let client = match glade_model::Client::new() {
        Ok(client) => client.for_address(&url),
        Err(error) => {
            tracing::error!(%error, "spans cannot be sent");
            return;
        }
    };
    let url: Arc<str> = url.into();
    loop {
        let mut spans = Vec::with_capacity(BATCH);
        if queue.recv_many(&mut spans, BATCH).await == 0 {
            return;
        }
        let body = json!({"resourceSpans": [{
            "resource": {"attributes": [{"key": "service.name", "value": {"stringValue": service}}]},
            "scopeSpans": [{"scope": {"name": "glade"}, "spans": spans}],
        }]});
        let request = client
            .post(&*url)
            .header("content-type", "application/json")
            .timeout(PATIENCE)
            .body(body.to_string());
        let sent = request
            .send()
            .await
            .and_then(|answer| answer.error_for_status());
        if let Err(error) = sent {
            let dropped = DROPPED.fetch_add(spans_in(&body), Ordering::Relaxed);
            tracing::warn!(%error, dropped, "the collector did not take spans");
        }
        tokio::time::sleep(PAUSE).await;
    }
}

fn spans_in(body: &Value) -> u64 {
    let spans = &body["resourceSpans"][0]["scopeSpans"][0]["spans"];
    spans.as_array().map_or(0, |spans| spans.len() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_sent_unless_somebody_says_where_to() {
        let nothing = |_: &str| None;
        assert_eq!(endpoint(&nothing), None);
        let blank = |_: &str| Some(" ".to_owned());
        assert_eq!(endpoint(&blank), None);
        let base = |name: &str| {
            (name == "OTEL_EXPORTER_OTLP_ENDPOINT").then(|| "http://here:4318/".to_owned())
        };
        assert_eq!(
            endpoint(&base).as_deref(),
            Some("http://here:4318/v1/traces")
        );
    }

    #[test]
    fn a_span_is_told_in_the_words_of_otlp() {
        let root = Span::new(0xab, None, "invoke_agent Wisp".to_owned());
        let mut span = root.child("chat sketch".to_owned());
        span.text("gen_ai.operation.name", "chat");
        span.number("gen_ai.usage.input_tokens", 7);
        span.fail("cut");
        let told = span.told();
        assert_eq!(told["traceId"], format!("{:032x}", 0xab));
        assert_eq!(told["parentSpanId"], format!("{:016x}", root.id));
        assert_eq!(told["status"], json!({"code": 2, "message": "cut"}));
        assert_eq!(
            told["attributes"],
            json!([
                {"key": "gen_ai.operation.name", "value": {"stringValue": "chat"}},
                {"key": "gen_ai.usage.input_tokens", "value": {"intValue": "7"}},
                {"key": "error.type", "value": {"stringValue": "cut"}},
            ])
        );
    }
}
