//! The results, as people read them.

use std::fmt::Write as _;
use std::time::Duration;

use super::load::Outcome;
use super::server::Which;
use crate::chart::{Bar, Bars, Lines, Scale, Series, Sheet};
use crate::table::Table;

/// All that was measured of one server.
#[derive(Debug, Clone)]
pub struct Results {
    pub which: Which,
    /// One room at the rate that is compared, once a repeat.
    pub compared: Vec<Outcome>,
    /// The highest rate that held, once a repeat.
    pub top: Vec<usize>,
    /// Every rate that was tried.
    pub tried: Vec<(usize, Outcome)>,
    pub small_rooms: Vec<Outcome>,
    /// Rooms that lay open, and the memory with them.
    pub idle: Vec<(usize, u64)>,
    pub openings: Vec<Opening>,
}

#[derive(Debug, Clone, Copy)]
pub struct Opening {
    pub elements: usize,
    pub open: Duration,
    /// The first one after a start, where a server keeps pages.
    pub cold: Option<Duration>,
    pub bytes: usize,
}

#[derive(Debug)]
pub struct Report {
    pub servers: Vec<Results>,
    pub took: Duration,
    repeats: usize,
    measured: Duration,
}

impl Report {
    pub fn new(servers: &[Which], repeats: usize, measured: Duration) -> Self {
        let results = servers.iter().map(|&which| Results {
            which,
            compared: Vec::new(),
            top: Vec::new(),
            tried: Vec::new(),
            small_rooms: Vec::new(),
            idle: Vec::new(),
            openings: Vec::new(),
        });
        Self {
            servers: results.collect(),
            took: Duration::ZERO,
            repeats,
            measured,
        }
    }

    pub fn markdown(&self) -> String {
        let mut text = String::new();
        let mut say = |part: &str| {
            text.push_str(part);
            text.push('\n');
        };
        say("# Sync servers under load\n");
        say(&format!(
            "`cargo xtask bench sync`, {} cores, the server on one and the client on the other; \
             {} repeats, the servers in turn in each; {:.1} s measured each time after half a \
             second of warming up; all of it took {:.0} s. Medians of the repeats, with the \
             lowest and the highest.\n",
            std::thread::available_parallelism().map_or(2, |n| n.get().max(2)),
            self.repeats,
            self.measured.as_secs_f64(),
            self.took.as_secs_f64(),
        ));
        say(
            "*glade* is the shipped binary with everything on: every edit is checked by the gate, \
             entered into the audit chain and synced to disk (SQLite, `synchronous=FULL`) before \
             anyone hears of it. The others (hocuspocus 4.7.0, y-websocket 0.1.1, tldraw sync \
             5.4.2, Node 22) keep rooms in memory, check nothing and promise nothing. An edit sets \
             two properties of one element. Latency counts from when an edit was due to when \
             another client has it. Coalescing: glade up to 5 ms, hocuspocus one turn of its event \
             loop, tldraw sync 17 ms, y-websocket none. The clients make their edits beforehand \
             and never take in each other's: fifty histories that never meet, which is the \
             hardest case for a Loro document and of no account for the others.\n",
        );
        say("![chart](sync.svg)\n");
        say("## A room of 50\n");
        say(&self.rooms().markdown());
        for verdict in self.verdicts() {
            say(&format!("- {verdict}"));
        }
        say("\n## 100 rooms of 2, 2,000 edits/s together\n");
        say(&self.small_rooms().markdown());
        say("## Memory of open rooms, 20 elements and a silent client in each\n");
        say(&self.idle().markdown());
        say("## Opening a page: from the request to the last byte of its state\n");
        say(&self.openings().markdown());
        text
    }

    /// What was to be reached, and what was.
    fn verdicts(&self) -> Vec<String> {
        let ours = |server: &&Results| server.which == Which::Glade;
        let Some(glade) = self.servers.iter().find(ours) else {
            return Vec::new();
        };
        let peers = || self.servers.iter().filter(|server| !ours(server));
        let top = |server: &Results| median(server.top.iter().map(|top| *top as f64));
        let p99 = |server: &Results| median(server.compared.iter().map(|one| one.p99));
        let best_top = peers().map(top).fold(0.0, f64::max);
        let best_p99 = peers().map(p99).fold(f64::INFINITY, f64::min);
        let word = |reached: bool| if reached { "reached" } else { "missed" };
        vec![
            format!(
                "To reach: 1.3 times the highest rate of the best peer. {:.2} times ({:.0} against {best_top:.0}): {}.",
                top(glade) / best_top,
                top(glade),
                word(top(glade) >= 1.3 * best_top)
            ),
            format!(
                "To reach: p99 at 2,000 edits/s no worse than the best peer's. {} ms against {} ms: {}.",
                show(p99(glade), 1),
                show(best_p99, 1),
                word(p99(glade) <= best_p99)
            ),
        ]
    }

    fn rooms(&self) -> Table {
        let mut table = Table::new(&[
            "server",
            "highest rate with p99 < 100 ms",
            "p50 ms at 2,000/s",
            "p99 ms at 2,000/s",
            "CPU µs per edit and receiver",
            "durable ack p50 ms",
            "durable ack p99 ms",
        ]);
        for server in &self.servers {
            let of = |pick: fn(&Outcome) -> f64| spread(server.compared.iter().map(pick), 1);
            let ack = |pick: fn((f64, f64)) -> f64| {
                let times = server.compared.iter().filter_map(|one| one.ack).map(pick);
                spread(times, 1)
            };
            table.row([
                server.which.name().to_owned(),
                spread(server.top.iter().map(|top| *top as f64), 0),
                of(|one| one.p50),
                of(|one| one.p99),
                spread(server.compared.iter().map(|one| one.cpu_per_delivery), 2),
                ack(|times| times.0),
                ack(|times| times.1),
            ]);
        }
        table
    }

    fn small_rooms(&self) -> Table {
        let mut table = Table::new(&[
            "server",
            "p50 ms",
            "p99 ms",
            "CPU µs per edit",
            "durable ack p50 ms",
            "durable ack p99 ms",
        ]);
        for server in &self.servers {
            let of = |pick: fn(&Outcome) -> f64| spread(server.small_rooms.iter().map(pick), 1);
            let ack = |pick: fn((f64, f64)) -> f64| {
                let times = server
                    .small_rooms
                    .iter()
                    .filter_map(|one| one.ack)
                    .map(pick);
                spread(times, 1)
            };
            table.row([
                server.which.name().to_owned(),
                of(|one| one.p50),
                of(|one| one.p99),
                of(|one| one.cpu_per_delivery),
                ack(|times| times.0),
                ack(|times| times.1),
            ]);
        }
        table
    }

    fn idle(&self) -> Table {
        let mut table = Table::new(&["server", "rooms", "memory MB", "kB a room"]);
        for server in &self.servers {
            let none = server.idle.first().map_or(0, |first| first.1);
            for &(rooms, memory) in &server.idle {
                let each = match rooms {
                    0 => String::new(),
                    _ => format!(
                        "{:.1}",
                        memory.saturating_sub(none) as f64 / rooms as f64 / 1e3
                    ),
                };
                table.row([
                    server.which.name().to_owned(),
                    rooms.to_string(),
                    format!("{:.0}", memory as f64 / 1e6),
                    each,
                ]);
            }
        }
        table
    }

    fn openings(&self) -> Table {
        let mut table = Table::new(&[
            "server",
            "elements",
            "open ms",
            "first after a start ms",
            "MB sent",
        ]);
        for server in &self.servers {
            for opening in &server.openings {
                let ms = |time: Duration| format!("{:.0}", time.as_secs_f64() * 1e3);
                table.row([
                    server.which.name().to_owned(),
                    opening.elements.to_string(),
                    ms(opening.open),
                    opening.cold.map_or("kept in memory only".to_owned(), ms),
                    format!("{:.1}", opening.bytes as f64 / 1e6),
                ]);
            }
        }
        table
    }

    pub fn svg(&self) -> String {
        let mut sheet = Sheet::default();
        let series = self.servers.iter().map(|server| {
            let mut rates: Vec<usize> = server.tried.iter().map(|(rate, _)| *rate).collect();
            rates.sort_unstable();
            rates.dedup();
            let p99 = |rate: usize| {
                let tried = server.tried.iter().filter(|(tried, _)| *tried == rate);
                // What never arrived has no place on a scale: it was given up after a second.
                median(tried.map(|(_, one)| one.p99.min(1_000.0)))
            };
            Series {
                name: server.which.name().to_owned(),
                points: rates.iter().map(|&rate| (rate as f64, p99(rate))).collect(),
            }
        });
        sheet.lines(&Lines {
            title: "A room of 50: p99 from an edit to the others".to_owned(),
            x: "edits a second".to_owned(),
            y: "p99, ms".to_owned(),
            scale: Scale::Log,
            limit: Some((100.0, "100 ms".to_owned())),
            series: series.collect(),
        });
        let bars = |title: &str, value: &dyn Fn(&Results) -> f64, unit: &str| Bars {
            title: title.to_owned(),
            bars: self
                .servers
                .iter()
                .map(|server| {
                    let value = value(server);
                    let digits = if value < 100.0 { 1 } else { 0 };
                    Bar {
                        name: server.which.name().to_owned(),
                        value,
                        label: format!("{value:.digits$} {unit}"),
                    }
                })
                .collect(),
        };
        sheet.bars(&bars(
            "Highest rate with p99 below 100 ms, room of 50",
            &|server| median(server.top.iter().map(|top| *top as f64)),
            "edits/s",
        ));
        sheet.bars(&bars(
            "Server's processor time per edit and receiver at 2,000 edits/s",
            &|server| median(server.compared.iter().map(|one| one.cpu_per_delivery)),
            "µs",
        ));
        // What was measured of all of them.
        let most = |server: &Results| server.idle.last().map_or(0, |last| last.0);
        let rooms = self.servers.iter().map(most).min().unwrap_or(0);
        let memory = |server: &Results| {
            let with = server.idle.iter().find(|(open, _)| *open == rooms);
            with.map_or(0.0, |(_, bytes)| *bytes as f64 / 1e6)
        };
        let title = format!("Memory with {rooms} open rooms");
        sheet.bars(&bars(&title, &memory, "MB"));
        let largest = |server: &Results| server.openings.last().map_or(0, |last| last.elements);
        let elements = self.servers.iter().map(largest).min().unwrap_or(0);
        let opening = |server: &Results| {
            let with = server.openings.iter().find(|one| one.elements == elements);
            with.map_or(0.0, |one| one.open.as_secs_f64() * 1e3)
        };
        let title = format!("Opening a page of {elements} elements");
        sheet.bars(&bars(&title, &opening, "ms"));
        sheet.svg()
    }
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut sorted: Vec<f64> = values.collect();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or(0.0)
}

/// The median, and in brackets the lowest and the highest.
fn spread(values: impl Iterator<Item = f64>, digits: usize) -> String {
    let mut sorted: Vec<f64> = values.collect();
    sorted.sort_by(f64::total_cmp);
    let (Some(least), Some(most)) = (sorted.first(), sorted.last()) else {
        return "–".to_owned();
    };
    let middle = median(sorted.iter().copied());
    let mut text = show(middle, digits);
    if sorted.len() > 1 {
        // Writing to a string does not fail.
        let _written = write!(text, " ({}–{})", show(*least, digits), show(*most, digits));
    }
    text
}

fn show(value: f64, digits: usize) -> String {
    if value.is_finite() {
        format!("{value:.digits$}")
    } else {
        "never".to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spread_shows_the_median_between_the_extremes() {
        let values = [3.0, 1.0, f64::INFINITY];
        assert_eq!(spread(values.into_iter(), 1), "3.0 (1.0–never)");
        assert_eq!(spread([2.0].into_iter(), 0), "2");
        assert_eq!(spread(std::iter::empty(), 0), "–");
    }
}
