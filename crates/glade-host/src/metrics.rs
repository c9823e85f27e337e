//! Counts of what the process does, in Prometheus' text format.
//!
//! They are the process's, so they are statics: nothing has to carry them around.

use std::fmt::Write as _;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::Duration;

use glade_store::{GROUP_SIZES, StatsNow};

pub static SESSIONS: Gauge = Gauge(AtomicI64::new(0));
pub static MERGED: Counter = Counter(AtomicU64::new(0));
pub static REFUSED: Counter = Counter(AtomicU64::new(0));
pub static ACKS: Latency = Latency::new();
/// From a person's message to the first thing that the fairy does or says.
pub static FIRST_ACTIONS: Latency = Latency::new();
/// From a fairy's marking its task as done to its orchestrator's next request.
pub static HAND_OVERS: Latency = Latency::new();
pub static TASKS_DONE: Counter = Counter(AtomicU64::new(0));
pub static PROJECTS_ENDED: Counter = Counter(AtomicU64::new(0));
pub static ACTIONS: Counter = Counter(AtomicU64::new(0));
pub static STEPS: Counter = Counter(AtomicU64::new(0));
pub static INPUT_TOKENS: Counter = Counter(AtomicU64::new(0));
pub static OUTPUT_TOKENS: Counter = Counter(AtomicU64::new(0));
/// Millionths of a US dollar.
pub static COST: Counter = Counter(AtomicU64::new(0));

pub struct Counter(AtomicU64);

impl Counter {
    pub fn add(&self) {
        self.add_many(1);
    }

    pub fn add_many(&self, count: u64) {
        self.0.fetch_add(count, Ordering::Relaxed);
    }

    fn now(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

pub struct Gauge(AtomicI64);

impl Gauge {
    /// Counts one more for as long as the answer lives.
    pub fn hold(&'static self) -> Held {
        self.0.fetch_add(1, Ordering::Relaxed);
        Held(self)
    }
}

pub struct Held(&'static Gauge);

impl Drop for Held {
    fn drop(&mut self) {
        self.0.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Upper bounds in microseconds.
const BOUNDS: [u64; 14] = [
    500, 1_000, 2_000, 3_500, 5_000, 7_500, 10_000, 15_000, 25_000, 50_000, 100_000, 1_000_000,
    5_000_000, 30_000_000,
];

pub struct Latency {
    at_most: [AtomicU64; BOUNDS.len()],
    count: AtomicU64,
    micros: AtomicU64,
}

impl Latency {
    const fn new() -> Self {
        Self {
            at_most: [const { AtomicU64::new(0) }; BOUNDS.len()],
            count: AtomicU64::new(0),
            micros: AtomicU64::new(0),
        }
    }

    pub fn observe(&self, took: Duration) {
        let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        self.count.fetch_add(1, Ordering::Relaxed);
        self.micros.fetch_add(micros, Ordering::Relaxed);
        for (bound, bucket) in BOUNDS.iter().zip(&self.at_most) {
            if micros <= *bound {
                bucket.fetch_add(1, Ordering::Relaxed);
            }
        }
    }
}

/// Everything, as a scraper reads it.
pub fn text(rooms: usize, half_sent: usize, store: &StatsNow) -> String {
    let mut page = Page(String::new());
    page.plain("glade_rooms_open", "gauge", "Rooms in memory.", rooms);
    page.plain(
        "glade_sessions",
        "gauge",
        "Open sync connections.",
        SESSIONS.0.load(Ordering::Relaxed),
    );
    page.plain(
        "glade_half_sent_bytes",
        "gauge",
        "Fragments of updates whose rest has not come.",
        half_sent,
    );
    page.plain(
        "glade_updates_merged_total",
        "counter",
        "Updates merged into pages.",
        MERGED.0.load(Ordering::Relaxed),
    );
    page.plain(
        "glade_updates_refused_total",
        "counter",
        "Updates, edits, joins and requests refused.",
        REFUSED.0.load(Ordering::Relaxed),
    );
    page.plain(
        "glade_gate_panics_total",
        "counter",
        "Damaged updates that made a decoder panic inside the gate, and were refused.",
        glade_doc::contained_panics(),
    );
    let sizes = GROUP_SIZES.iter().map(ToString::to_string).zip(store.up_to);
    page.histogram(
        "glade_commit_writes",
        "Writes in one durable commit.",
        sizes,
        store.commits,
        &store.writes.to_string(),
    );
    page.latency(
        "glade_ack_seconds",
        "From taking an update to its durable acknowledgement.",
        &ACKS,
    );
    page.latency(
        "glade_fairy_first_action_seconds",
        "From a message to the first thing that the fairy, or a chat about code, does or says.",
        &FIRST_ACTIONS,
    );
    page.latency(
        "glade_project_hand_over_seconds",
        "From a fairy's marking its task as done to the next request of its orchestrator, where that waited for it.",
        &HAND_OVERS,
    );
    let counts = [
        (
            "glade_project_tasks_done_total",
            "Tasks of projects that were done.",
            &TASKS_DONE,
        ),
        (
            "glade_projects_ended_total",
            "Projects that are over, in whatever way.",
            &PROJECTS_ENDED,
        ),
        (
            "glade_fairy_actions_total",
            "Actions of fairies that stand, tools used in chats about code among them.",
            &ACTIONS,
        ),
        ("glade_model_requests_total", "Requests to models.", &STEPS),
        (
            "glade_model_input_tokens_total",
            "Tokens that models read.",
            &INPUT_TOKENS,
        ),
        (
            "glade_model_output_tokens_total",
            "Tokens that models wrote.",
            &OUTPUT_TOKENS,
        ),
    ];
    for (name, help, counter) in counts {
        page.plain(name, "counter", help, counter.now());
    }
    page.plain(
        "glade_model_cost_dollars_total",
        "counter",
        "What requests to models cost, in US dollars, where that is known.",
        millionths(COST.now()),
    );
    page.0
}

/// Millionths as a decimal number.
fn millionths(micros: u64) -> String {
    format!("{}.{:06}", micros / 1_000_000, micros % 1_000_000)
}

struct Page(String);

impl Page {
    fn head(&mut self, name: &str, kind: &str, help: &str) {
        // Writing to a string does not fail.
        let _written = writeln!(self.0, "# HELP {name} {help}\n# TYPE {name} {kind}");
    }

    fn plain(&mut self, name: &str, kind: &str, help: &str, value: impl std::fmt::Display) {
        self.head(name, kind, help);
        let _written = writeln!(self.0, "{name} {value}");
    }

    fn latency(&mut self, name: &str, help: &str, latency: &Latency) {
        let bounds = BOUNDS
            .iter()
            .zip(&latency.at_most)
            .map(|(bound, bucket)| (millionths(*bound), bucket.load(Ordering::Relaxed)));
        let count = latency.count.load(Ordering::Relaxed);
        let sum = millionths(latency.micros.load(Ordering::Relaxed));
        self.histogram(name, help, bounds, count, &sum);
    }

    fn histogram(
        &mut self,
        name: &str,
        help: &str,
        buckets: impl Iterator<Item = (String, u64)>,
        count: u64,
        sum: &str,
    ) {
        self.head(name, "histogram", help);
        for (bound, at_most) in buckets {
            let _written = writeln!(self.0, "{name}_bucket{{le=\"{bound}\"}} {at_most}");
        }
        let _written = writeln!(
            self.0,
            "{name}_bucket{{le=\"+Inf\"}} {count}\n{name}_sum {sum}\n{name}_count {count}"
        );
    }
}
