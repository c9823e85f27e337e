//! A room of the world: given inputs, recorded, and held to what it answers.

use std::collections::BTreeMap;

use glade_doc::{Counter, PeerId};

use super::disk::Versions;
use super::world::World;
use super::{Breach, Faults};
use crate::answer::Answer;
use crate::input::{Call, CallId, Input};
use crate::output::Output;
use crate::recording::Recorder;
use crate::room::{Opening, Room};
use crate::seats::CommitRefused;

/// One page's room, and what it has said.
pub struct LiveRoom {
    pub core: Room,
    /// What somebody was told is safe.
    pub promised: Versions,
    /// What is yet to be answered.
    asked: BTreeMap<CallId, Expected>,
    calls: u64,
    recorder: Option<Recorder<Vec<u8>>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Recording {
    On,
    Off,
}

/// What the answer to a call must be, and what it means.
pub enum Expected {
    Done,
    /// Whatever it is, this peer's operations up to here are safe.
    Safe(PeerId, Counter),
    /// An edit that is taken; then this peer's operations up to here are safe.
    Taken(PeerId, Counter),
    /// An edit that comes too late.
    Fenced,
    /// Something other than a failure.
    Answer,
}

impl LiveRoom {
    pub fn open(
        opening: Opening,
        faults: Faults,
        promised: Versions,
        recording: Recording,
    ) -> Result<Self, Breach> {
        let record = (recording == Recording::On).then(|| Recorder::begin(Vec::new(), &opening));
        Ok(Self {
            core: faults.plant(open(opening)?),
            promised,
            asked: BTreeMap::new(),
            calls: 0,
            recorder: record.transpose().unwrap(),
        })
    }

    fn take(&mut self, now_ms: i64, input: Input) {
        if let Some(recorder) = &mut self.recorder {
            recorder.took(now_ms, &input).unwrap();
        }
        self.core.take(now_ms, input);
    }

    pub fn outputs(&mut self) -> Vec<Output> {
        let outputs = self.core.outputs();
        if let Some(recorder) = &mut self.recorder {
            recorder.said(&outputs).unwrap();
        }
        outputs
    }

    /// The recording of the room up to here.
    pub fn leave(&mut self) -> Option<Vec<u8>> {
        let mut recorder = self.recorder.take()?;
        recorder.left(&self.core).unwrap();
        Some(recorder.into_inner())
    }

    fn next_call(&mut self) -> CallId {
        self.calls += 1;
        CallId(self.calls)
    }

    pub fn expect(&mut self, call: CallId, expected: Expected) {
        self.asked.insert(call, expected);
    }

    pub fn promise(&mut self, peer: PeerId, to: Counter) {
        let known = self.promised.entry(peer).or_insert(0);
        *known = to.max(*known);
    }
}

pub fn open(opening: Opening) -> Result<Room, Breach> {
    let unreadable = |error| Breach(format!("the stored page cannot be opened: {error}"));
    Room::open(opening).map_err(unreadable)
}

impl World {
    pub fn give(&mut self, room: usize, input: Input) {
        self.rooms[room].take(self.clock, input);
    }

    pub fn ask(&mut self, room: usize, call: Call, expected: Expected) -> CallId {
        let id = self.rooms[room].next_call();
        self.rooms[room].expect(id, expected);
        self.give(room, Input::Call { id, call });
        id
    }

    pub fn answered(&mut self, room: usize, call: CallId, answer: Answer) -> Result<(), Breach> {
        let odd = |answer: &Answer| Err(Breach(format!("the room answered {answer:?}")));
        if let Answer::Undone(report) = &answer {
            self.kept_for_somebody(report)?;
        }
        let Some(expected) = self.rooms[room].asked.remove(&call) else {
            return odd(&answer);
        };
        match (expected, answer) {
            (_, answer @ Answer::Failed(_)) => odd(&answer),
            (Expected::Answer, Answer::Snapshot(snapshot)) => {
                self.disk.fold(room, snapshot);
                Ok(())
            }
            (Expected::Answer, Answer::Epoch(epoch)) => {
                if let Some(epoch) = epoch {
                    self.tally.epochs += 1;
                    self.disk.fold(room, epoch.snapshot);
                }
                Ok(())
            }
            (Expected::Taken(peer, to), Answer::Touched(_)) | (Expected::Safe(peer, to), _) => {
                self.rooms[room].promise(peer, to);
                Ok(())
            }
            (Expected::Done, Answer::Done)
            | (Expected::Fenced, Answer::Refused(CommitRefused::Fenced)) => Ok(()),
            (Expected::Fenced, answer) => {
                Err(Breach(format!("a fenced fairy went on: {answer:?}")))
            }
            (Expected::Taken(..), Answer::Refused(refused)) => {
                Err(Breach(format!("a fairy was refused: {refused}")))
            }
            (Expected::Answer, answer) if !matches!(answer, Answer::Refused(_)) => Ok(()),
            (_, answer) => odd(&answer),
        }
    }

    /// The day is over.
    pub fn leave(&mut self) -> Result<(), Breach> {
        let recordings = self.rooms.iter_mut().filter_map(LiveRoom::leave);
        self.recordings.over.extend(recordings);
        Ok(())
    }
}
