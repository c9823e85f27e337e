//! What the program says of its own doings.

use std::fmt;

use anyhow::Context as _;
use serde_json::{Map, Value};
use tracing::field::{Field, Visit};
use tracing::{Event, Subscriber};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::time::{FormatTime, SystemTime};
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields};
use tracing_subscriber::registry::LookupSpan;

use crate::config::Settled;

/// Logs to the error output: what `GLADE_LOG` asks for, or this much.
pub fn to_stderr(usually: &str) {
    let filter = EnvFilter::try_from_env("GLADE_LOG").unwrap_or_else(|_| EnvFilter::new(usually));
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .init();
}

/// Logs to the error output, as much and in the form that the settings say.
pub fn as_set(settled: &Settled) -> anyhow::Result<()> {
    let filter: String = settled.one("log")?;
    let filter = EnvFilter::try_new(&filter).with_context(|| {
        format!("`log`: `{filter}` is no filter, such as `debug` or `warn,glade=info`")
    })?;
    let lines = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr);
    match settled.one::<String>("log-format")?.as_str() {
        "json" => lines.event_format(Json).init(),
        _ => lines.init(),
    }
    Ok(())
}

/// One JSON object a line: timestamp, level, target, message and the event's own fields.
struct Json;

impl<S, N> FormatEvent<S, N> for Json
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
{
    fn format_event(
        &self,
        _context: &FmtContext<'_, S, N>,
        mut writer: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        let mut time = String::new();
        SystemTime.format_time(&mut Writer::new(&mut time))?;
        let mut line = Line(Map::new());
        line.put("timestamp", time);
        line.put("level", event.metadata().level().to_string());
        line.put("target", event.metadata().target());
        event.record(&mut line);
        writeln!(writer, "{}", Value::Object(line.0))
    }
}

struct Line(Map<String, Value>);

impl Line {
    fn put(&mut self, name: &str, value: impl Into<Value>) {
        self.0.insert(name.to_owned(), value.into());
    }
}

impl Visit for Line {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.put(field.name(), format!("{value:?}"));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.put(field.name(), value);
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.put(field.name(), value);
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.put(field.name(), value);
    }

    fn record_f64(&mut self, field: &Field, value: f64) {
        self.put(field.name(), value);
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.put(field.name(), value);
    }
}
