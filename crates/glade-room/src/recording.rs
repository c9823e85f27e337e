//! A room's inputs, written down as it takes them, and stepped again.
//!
//! A recording is lines of JSON: what the room was opened from; each input with its time; whenever
//! outputs were taken, a hash of all outputs so far; and at the end a hash of the room's state. Since
//! a room has no clock and no randomness of its own, stepping the inputs again gives the same
//! outputs and the same state, or the room is not what it was.

use std::collections::BTreeMap;
use std::io::{self, BufRead, Write};

use glade_doc::{DocError, Touch};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::input::Input;
use crate::output::Output;
use crate::room::{Opening, Room};

/// The format of recordings. One of another version cannot be replayed.
pub const VERSION: u32 = 1;

/// One line of a recording.
#[derive(Serialize, Deserialize)]
enum Line<O, I> {
    Opened { version: u32, opening: O },
    Took { now_ms: i64, input: I },
    PendingOutput { hash: String },
    Left { state: String },
}

/// Writes a room down.
pub struct Recorder<W> {
    to: W,
    said: Sha256,
}

impl<W: Write> Recorder<W> {
    pub fn begin(to: W, opening: &Opening) -> io::Result<Self> {
        let mut recorder = Self {
            to,
            said: Sha256::new(),
        };
        recorder.write::<_, ()>(&Line::Opened {
            version: VERSION,
            opening,
        })?;
        Ok(recorder)
    }

    /// The room is about to take this.
    pub fn took(&mut self, now_ms: i64, input: &Input) -> io::Result<()> {
        self.write::<(), _>(&Line::Took { now_ms, input })
    }

    /// The room has said this. From here on the recording has all up to here.
    pub fn said(&mut self, outputs: &[Output]) -> io::Result<()> {
        let hash = said(&mut self.said, outputs)?;
        self.write::<(), ()>(&Line::PendingOutput { hash })?;
        self.to.flush()
    }

    /// Nothing more comes.
    pub fn left(&mut self, room: &Room) -> io::Result<()> {
        let state = state(room)?;
        self.write::<(), ()>(&Line::Left { state })?;
        self.to.flush()
    }

    pub fn into_inner(self) -> W {
        self.to
    }

    fn write<O: Serialize, I: Serialize>(&mut self, line: &Line<O, I>) -> io::Result<()> {
        serde_json::to_writer(&mut self.to, line)?;
        self.to.write_all(b"\n")
    }
}

/// What came of stepping a recording again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Replayed {
    pub inputs: u64,
    pub end: End,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// The room was left, and its state is the same.
    Left,
    /// The recording breaks off, as after a crash; up to there all is the same.
    BrokenOff,
}

#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error("this is not the recording of a room: it does not begin with what one was opened from")]
    NoRecording,
    #[error("the recording has version {0}, and this program replays version {VERSION}")]
    Version(u32),
    #[error("line {line} cannot be read: {why}")]
    Unreadable { line: u64, why: String },
    #[error("the recorded page cannot be opened: {0}")]
    Document(#[from] DocError),
    #[error("after input {input} (line {line}) the room says something else than was recorded")]
    Outputs { input: u64, line: u64 },
    #[error(
        "after input {input} (line {line}), the last, the room's state is not the recorded one"
    )]
    State { input: u64, line: u64 },
}

/// Steps a recording again and compares.
pub fn replay(mut from: impl BufRead) -> Result<Replayed, ReplayError> {
    let mut room: Option<Room> = None;
    let mut hasher = Sha256::new();
    let (mut line, mut input) = (0, 0);
    let mut text = String::new();
    loop {
        text.clear();
        // A line that was cut short has no end.
        if from.read_line(&mut text)? == 0 || !text.ends_with('\n') {
            let end = End::BrokenOff;
            room.ok_or(ReplayError::NoRecording)?;
            return Ok(Replayed { inputs: input, end });
        }
        line += 1;
        let unreadable = |error: serde_json::Error| ReplayError::Unreadable {
            line,
            why: error.to_string(),
        };
        let read: Line<Opening, Input> = match (serde_json::from_str(&text), &room) {
            (Ok(read), _) => read,
            (Err(error), Some(_)) => return Err(unreadable(error)),
            (Err(_), None) => return Err(other_version(&text)),
        };
        match (read, &mut room) {
            (Line::Opened { version, opening }, None) if version == VERSION => {
                room = Some(Room::open(opening)?);
            }
            (Line::Took { now_ms, input: it }, Some(room)) => {
                input += 1;
                room.take(now_ms, it);
            }
            (Line::PendingOutput { hash }, Some(room)) => {
                if said(&mut hasher, &room.outputs())? != hash {
                    return Err(ReplayError::Outputs { input, line });
                }
            }
            (Line::Left { state: recorded }, Some(room)) => {
                if state(room)? != recorded {
                    return Err(ReplayError::State { input, line });
                }
                let end = End::Left;
                return Ok(Replayed { inputs: input, end });
            }
            (Line::Opened { version, .. }, _) if version != VERSION => {
                return Err(ReplayError::Version(version));
            }
            _ => return Err(ReplayError::NoRecording),
        }
    }
}

/// Why a first line is not what a recording begins with.
fn other_version(text: &str) -> ReplayError {
    let read: Result<serde_json::Value, _> = serde_json::from_str(text);
    let version = read.ok().and_then(|it| it["Opened"]["version"].as_u64());
    match version.and_then(|version| u32::try_from(version).ok()) {
        Some(version) if version != VERSION => ReplayError::Version(version),
        _ => ReplayError::NoRecording,
    }
}

/// The hash of all outputs so far.
fn said(hasher: &mut Sha256, outputs: &[Output]) -> io::Result<String> {
    for output in outputs {
        serde_json::to_writer(&mut *hasher, output)?;
    }
    Ok(short(hasher.clone()))
}

/// The hash of all that a room holds and a page is made of.
fn state(room: &Room) -> io::Result<String> {
    let doc = room.document.doc();
    let mut touches: Vec<&Touch> = room.document.guarded.touches().collect();
    touches.sort_by_key(|touch| touch.key());
    let peers: BTreeMap<_, _> = room.peers.iter().collect();
    let mut hasher = Sha256::new();
    let page = (room.tier.as_str(), room.closed, doc.version());
    serde_json::to_writer(&mut hasher, &(page, doc.elements(), doc.comments()))?;
    serde_json::to_writer(&mut hasher, &(touches, peers, room.counts))?;
    Ok(short(hasher))
}

fn short(hasher: Sha256) -> String {
    let hash = hasher.finalize();
    hash.iter()
        .take(16)
        .map(|byte| format!("{byte:02x}"))
        .collect()
}
