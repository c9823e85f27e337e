//! A room with its clock: it is told the time with every input, its counts go to the metrics, and
//! what it takes to a recording, if there is to be one.

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter};
use std::path::Path;

use glade_doc::DocError;
use glade_room::recording::Recorder;
use glade_room::{Answer, Call, CallId, Counts, FromAnswer, Input, Opening, Output, Room};

use super::handle::RoomError;
use super::registry::Pulse;
use crate::clock::Clock;
use crate::metrics;

/// The calls that the room's own task makes.
const OWN: CallId = CallId(0);

pub struct RunningRoom {
    room: Room,
    clock: Clock,
    counted: Counts,
    recorder: Option<Recorder<BufWriter<File>>>,
}

impl RunningRoom {
    /// Recorded to a new file of this folder, if one is given.
    pub fn open(
        opening: Opening,
        clock: Clock,
        recordings: Option<&Path>,
    ) -> Result<Self, DocError> {
        let begun = recordings.map(|folder| begin(folder, &opening, clock.now_ms()));
        let recorder = begun.transpose().unwrap_or_else(|error| {
            tracing::warn!(%error, page = %opening.page, "a room is not recorded");
            None
        });
        Ok(Self {
            recorder,
            room: Room::open(opening)?,
            clock,
            counted: Counts::default(),
        })
    }

    pub fn take(&mut self, input: Input) {
        let now_ms = self.clock.now_ms();
        self.record(|recorder, _| recorder.took(now_ms, &input));
        self.room.take(now_ms, input);
    }

    /// A recording that cannot be written ends there; the room goes on.
    fn record(
        &mut self,
        write: impl FnOnce(&mut Recorder<BufWriter<File>>, &Room) -> io::Result<()>,
    ) {
        if let Some(recorder) = &mut self.recorder
            && let Err(error) = write(recorder, &self.room)
        {
            let page = self.room.page();
            tracing::warn!(%error, %page, "a room is recorded no longer");
            self.recorder = None;
        }
    }

    fn say(&mut self) -> Vec<Output> {
        let outputs = self.room.outputs();
        self.record(|recorder, _| recorder.said(&outputs));
        outputs
    }

    /// What is to be done now; the metrics and the pulse have what made it.
    pub fn outputs(&mut self, pulse: &Pulse) -> Vec<Output> {
        let (before, now) = (self.counted, self.room.counts());
        self.counted = now;
        metrics::MERGED.add_many(now.merged - before.merged);
        metrics::REFUSED.add_many(now.refused - before.refused);
        pulse.fetch_add(
            now.changes - before.changes,
            std::sync::atomic::Ordering::Relaxed,
        );
        self.say()
    }

    /// Asks for what the room's task itself needs, while nothing in it waits.
    pub fn ask<T: FromAnswer>(&mut self, call: Call) -> Result<T, RoomError> {
        self.take(Input::Call { id: OWN, call });
        let answers = self.say().into_iter().filter_map(|output| match output {
            Output::Answer { answer, .. } => Some(answer),
            _ => None,
        });
        RoomError::read(answers.last().unwrap_or(Answer::Done))
    }
}

impl std::ops::Deref for RunningRoom {
    type Target = Room;

    fn deref(&self) -> &Room {
        &self.room
    }
}

impl Drop for RunningRoom {
    fn drop(&mut self) {
        self.record(|recorder, room| recorder.left(room));
    }
}

fn begin(folder: &Path, opening: &Opening, now_ms: i64) -> io::Result<Recorder<BufWriter<File>>> {
    std::fs::create_dir_all(folder)?;
    let name = format!("{}-{now_ms}-{}.room", opening.page, opening.server_peer);
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    // What people wrote is in it.
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let file = options.open(folder.join(name))?;
    Recorder::begin(BufWriter::new(file), opening)
}
