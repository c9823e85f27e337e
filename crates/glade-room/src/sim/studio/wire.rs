//! What goes to the process that holds the tabs, and what comes back. The other half is
//! `web/tests/sim/main.ts`.

use glade_doc::{Counter, ElementId, PeerId, Props};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use crate::serial;

/// Whatever holds the tabs.
pub trait Studio {
    /// Answers once nothing is left to do but what waits for time to pass or for the network.
    fn perform(&mut self, order: &Order) -> Result<Reply, String>;
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Order {
    Begin {
        seed: u32,
        now_ms: i64,
    },
    Open {
        tab: usize,
        page: &'static str,
        kind: &'static str,
        subject: String,
    },
    Kill {
        tab: usize,
    },
    Accept {
        line: u64,
    },
    Deliver {
        line: u64,
        #[serde(with = "serial::bytes")]
        bytes: Vec<u8>,
    },
    Say {
        line: u64,
        text: String,
    },
    HangUp {
        line: u64,
    },
    Pass {
        now_ms: i64,
    },
    Edit {
        tab: usize,
        puts: Vec<Put>,
        removed: Option<ElementId>,
    },
    Show {
        tab: usize,
    },
}

#[derive(Debug, Serialize)]
pub struct Put {
    pub id: ElementId,
    pub props: Props,
}

impl Put {
    pub(super) fn types(&self, token: char) -> bool {
        let words = self.props.get("originalText").and_then(Value::as_str);
        words.is_some_and(|words| words.contains(token))
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Reply {
    pub events: Vec<Event>,
    pub written: Option<Written>,
    pub shown: Option<Shown>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Event {
    Dial {
        tab: usize,
        line: u64,
    },
    Send {
        line: u64,
        #[serde(with = "serial::bytes")]
        bytes: Vec<u8>,
    },
    Ping {
        line: u64,
    },
    Close {
        line: u64,
    },
    /// From here on the tab's changes carry this id.
    Peer {
        tab: usize,
        #[serde(deserialize_with = "peer")]
        peer: PeerId,
    },
    /// This peer's operations up to here outlive the tab.
    Kept {
        tab: usize,
        #[serde(deserialize_with = "peer")]
        peer: PeerId,
        to: Counter,
    },
    /// The person got changes back as a copy: all that is in it.
    Copy {
        tab: usize,
        words: String,
    },
}

/// How far a peer's operations go.
#[derive(Debug, Clone, Copy, Deserialize)]
pub struct Written {
    #[serde(deserialize_with = "peer")]
    pub peer: PeerId,
    pub to: Counter,
}

/// What a person sees of a tab, and what is on their device.
#[derive(Debug, Deserialize)]
pub struct Shown {
    pub state: String,
    pub waiting: usize,
    pub permission: String,
    #[serde(with = "serial::bytes")]
    pub document: Vec<u8>,
    /// The operations that wait there, as JSON.
    pub device: String,
}

/// JavaScript has no numbers as large as peer ids.
fn peer<'de, D: Deserializer<'de>>(from: D) -> Result<PeerId, D::Error> {
    let digits = String::deserialize(from)?;
    digits.parse().map_err(serde::de::Error::custom)
}
