//! The proof by simulation: many people and fairies in two rooms, over a network that drops,
//! delays and reorders, and a disk that keeps only what was synced. Everybody has one line for both
//! rooms, for their documents and for who is there.
//!
//! Everything is drawn from one number: `GLADE_SIM_SEED=17 cargo nextest run -p glade-room sim`
//! replays seed 17 and prints what happened. `GLADE_SIM_SEEDS` sets how many seeds are tried.
//!
//! The room is the real [`Room`], given inputs and nothing else, frames and all; clients keep an outbox and recover from
//! refusals as the studio does. While the storm lasts, [`network`] holds every output to what is
//! durable; once it is calm, [`laws`] compares everybody with the room and the room with its disk,
//! and every recorded room is stepped again from its recording. What became durable is in the
//! [`Story`]: whoever has a real store puts it through that.
//! In some worlds a few of the people are the studio's own sessions ([`studio`]).
//! That the net has no holes is shown by planted bugs ([`Faults`]), each of which must be caught.

mod act;
mod client;
pub mod disk;
mod fairies;
mod hostile;
mod laws;
mod lines;
mod live_room;
mod network;
mod presence;
pub mod studio;
#[cfg(test)]
mod tests;
mod world;

use std::panic::{AssertUnwindSafe, catch_unwind};

use disk::Event;
use glade_doc::{Refusal, RunId, Surface};
use live_room::Recording;
use studio::Studio;
use world::{Weather, World};

use crate::room::Room;

pub const ROOMS: usize = 2;
pub const PAGES: [&str; ROOMS] = ["pg_sim", "pg_side"];
/// The room with the fairies in it.
pub const MAIN: usize = 0;
const CANVAS: [Surface; ROOMS] = [Surface::Canvas; ROOMS];
pub const TIER: &str = "internal";

/// A law that did not hold.
#[derive(Debug)]
pub struct Breach(String);

/// Bugs to plant.
#[derive(Debug, Clone, Copy, Default)]
pub struct Faults {
    /// The room believes that the disk is faster than it is.
    pub ack_before_sync: bool,
    /// The room does not ask whose a peer id is.
    pub skip_peer_check: bool,
    /// Some updates never reach some connection, which stays open.
    pub lose_broadcasts: bool,
    /// The room does not ask whose a comment is.
    pub skip_comment_check: bool,
    /// A line goes on although its token was revoked.
    pub ignore_revocation: bool,
    /// The room does not ask whom presence speaks of.
    pub skip_presence_check: bool,
    /// The room enters no refusals.
    pub forget_refusals: bool,
}

impl Faults {
    fn plant(self, mut core: Room) -> Room {
        core.faults = self;
        core.members.presence.trusting = self.skip_presence_check;
        core
    }

    /// What the planted bug lets pass.
    pub fn forgive(self, refusal: Refusal) -> Result<(), Refusal> {
        let about_comments = ["comment-author", "foreign-comment"].contains(&refusal.code());
        if self.skip_comment_check && about_comments {
            Ok(())
        } else {
            Err(refusal)
        }
    }
}

/// What happened in a world that held.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Tally {
    updates: u64,
    crashes: u64,
    attacks: u64,
    runs: u64,
    refusals: u64,
    comments: u64,
    revocations: u64,
    epochs: u64,
    /// How often somebody came back from before an epoch.
    behind: u64,
    presences: u64,
}

/// A world that held.
pub struct Story {
    pub tally: Tally,
    /// Who drew in the main room, and in which runs.
    pub fairies: Vec<String>,
    pub runs: Vec<RunId>,
    pub history: Vec<Event>,
    /// The rooms that there were, each from its opening to its end, if they were to be recorded.
    pub recordings: Vec<Vec<u8>>,
}

/// Lives through the world of this number; if a law does not hold, says which and what happened.
pub fn live(seed: u64, faults: Faults) -> Result<Story, String> {
    live_in(World::new(seed, faults, Recording::Off, CANVAS), seed)
}

/// The same, with all its rooms recorded.
pub fn record(seed: u64) -> Result<Story, String> {
    let world = World::new(seed, Faults::default(), Recording::On, CANVAS);
    live_in(world, seed)
}

/// The same, with tabs of the studio among the people, and a text page beside the canvas.
pub fn live_with(seed: u64, studio: Box<dyn Studio>) -> Result<Story, String> {
    let mut surfaces = [Surface::Canvas, Surface::Text];
    // The fairies are now on the one, now on the other.
    surfaces.rotate_left((seed % 2) as usize);
    let world = World::new(seed, Faults::default(), Recording::On, surfaces);
    let world = world.and_then(|mut world| world.open_tabs(studio).map(|()| world));
    live_in(world, seed)
}

/// So many hours of work, recorded.
pub fn record_hours(seed: u64, hours: u32) -> Result<Story, String> {
    let world = World::new(seed, Faults::default(), Recording::On, CANVAS);
    live_through(world, seed, |_| World::working_hours(hours))
}

fn live_in(world: Result<World, Breach>, seed: u64) -> Result<Story, String> {
    live_through(world, seed, World::weather)
}

fn live_through(
    world: Result<World, Breach>,
    seed: u64,
    weather: impl FnOnce(&mut World) -> Weather,
) -> Result<Story, String> {
    let mut world = world.map_err(|breach| breach.0)?;
    let story = catch_unwind(AssertUnwindSafe(|| {
        let weather = weather(&mut world);
        world.storm(&weather)?;
        world.stop_all()?;
        world.calm()?;
        world.laws()?;
        world.undo_all()?;
        world.calm()?;
        world.laws()?;
        world.undone()?;
        world.nothing_untold()?;
        world.leave()
    }));
    let breach = match story {
        Ok(Ok(())) => {
            let tally = Tally {
                updates: operations(&world),
                runs: world.runs.len() as u64,
                refusals: world.clients.iter().map(|client| client.refusals).sum(),
                comments: world.rooms[MAIN].core.document.doc().comments().len() as u64,
                behind: world.clients.iter().map(|client| client.behind).sum(),
                ..world.tally
            };
            return Ok(Story {
                tally,
                fairies: world.fairies.into_iter().map(|fairy| fairy.id).collect(),
                runs: world.runs.into_keys().collect(),
                history: world.disk.history,
                recordings: world.recordings.over,
            });
        }
        Ok(Err(breach)) => breach.0,
        Err(_) => "something panicked".to_owned(),
    };
    let log = world.log.make_contiguous().join("\n");
    Err(format!(
        "{log}\nseed {seed}: {breach}\nreplay with GLADE_SIM_SEED={seed}"
    ))
}

fn operations(world: &World) -> u64 {
    let versions = world.disk.synced.iter().map(|stored| &stored.version);
    versions
        .flat_map(|version| version.values())
        .map(|to| *to as u64)
        .sum()
}
