//! The room's state: what it holds, and what may be asked of it. No clock, no network, no disk.
//!
//! Its decisions are one input at a time, outputs in order: updates come through [`super::merging`],
//! what is said waits in [`super::output_queue`] until the store has what it tells of, so that no one ever
//! hears of a change that a crash could still take back.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use glade_access::{Capability, Op, PageRef};
use glade_canvas::Scene;
use glade_doc::{
    CommentId, DocError, ElementId, GuardedPage, PageDoc, PageId, PeerId, Props, Touch,
};

use super::bounds::Plugged;
use super::fairy::Seat;
use super::opening::Whole;
use super::output::Append;
use super::output_queue::Held;
use super::people::Member;
use super::presence::Presence;
use super::replica::{Replica, Seen};
use super::suggestions::Suggestions;
use super::telling::{Readers, Said};
use super::{ConnId, SharedScene, verdict};
use crate::audit::RateLimiter;

/// How often a page has changed since this server started.
pub type Pulse = Arc<AtomicU64>;

pub struct RoomCore {
    pub(super) page: PageId,
    pub(super) tier: String,
    /// The page was deleted.
    pub(super) closed: bool,
    pub(super) guarded: GuardedPage,
    pub(super) replica: Replica,
    scene: SharedScene,
    /// Whether the scene is kept up to date: somebody reads it.
    shown: bool,
    pub(super) whole: Option<Whole>,
    pub(super) peers: HashMap<PeerId, String>,
    pub(super) live: HashMap<PeerId, ConnId>,
    pub(super) members: BTreeMap<ConnId, Member>,
    pub(super) presence: Presence,
    pub(super) seats: BTreeMap<String, Seat>,
    pub(super) server_peer: PeerId,
    pub(super) refusals: RateLimiter,
    pub(super) suggestions: Suggestions,
    pub(super) plugins: Plugged,
    pub(super) held: VecDeque<Held>,
    pub(super) next_ticket: u64,
    pub(super) next_batch: u64,
    /// Who reads the document, and who the presence; made when first asked for after a change.
    pub(super) readers: [Option<Readers>; 2],
    pub(super) appends: Vec<Append>,
    pub(super) violations: Vec<ConnId>,
    pub(super) said: Vec<Said>,
    /// There is no spare gate, and there should be one.
    pub(super) needs_spare: bool,
    /// The time, as it was last told.
    pub(super) now_ms: i64,
    /// Goes up with every change, for whoever keeps something of the page in mind.
    pub(super) pulse: Pulse,
    #[cfg(test)]
    pub(super) faults: super::sim::Faults,
}

impl RoomCore {
    pub fn new(
        page: PageId,
        tier: String,
        doc: PageDoc,
        touches: Vec<Touch>,
        peers: HashMap<PeerId, String>,
        server_peer: PeerId,
        scene: SharedScene,
    ) -> Result<Self, DocError> {
        let guarded = GuardedPage::open(doc, touches)?;
        Ok(Self {
            page,
            tier,
            closed: false,
            guarded,
            replica: Replica::default(),
            scene,
            shown: false,
            whole: None,
            peers,
            live: HashMap::new(),
            members: BTreeMap::new(),
            presence: Presence::new(),
            seats: BTreeMap::new(),
            server_peer,
            refusals: RateLimiter::default(),
            suggestions: Suggestions::default(),
            plugins: Plugged::default(),
            held: VecDeque::new(),
            next_ticket: 1,
            next_batch: 1,
            readers: [None, None],
            appends: Vec::new(),
            violations: Vec::new(),
            said: Vec::new(),
            needs_spare: false,
            now_ms: 0,
            pulse: Pulse::default(),
            #[cfg(test)]
            faults: super::sim::Faults::default(),
        })
    }

    /// It is now this late: what happens next happens then.
    pub fn at(&mut self, now_ms: i64) {
        self.now_ms = now_ms;
    }

    /// Whether [`RoomCore::prepare_spare`] has something to do.
    pub fn needs_spare(&self) -> bool {
        self.needs_spare
    }

    /// Gets ready for the next refusal; slow on a large page, so for quiet moments.
    pub fn prepare_spare(&mut self) {
        self.needs_spare = false;
        self.guarded.prepare_spare();
    }

    /// Whether [`RoomCore::rest`] has something to do.
    pub fn has_idle_work(&self) -> bool {
        self.guarded.has_idle_work()
    }

    /// Nothing has come in for a while.
    pub fn rest(&mut self) {
        self.guarded.rest();
    }

    /// The scene shows these elements as the document has them now.
    pub(super) fn refresh(&mut self, elements: &BTreeSet<ElementId>) {
        self.whole = None;
        self.pulse.fetch_add(1, Ordering::Relaxed);
        if !self.shown {
            return;
        }
        write_scene(&self.scene, |scene| {
            scene.refresh(self.guarded.doc(), elements)
        });
    }

    /// The fairies' replica, equal to the page.
    pub(super) fn replica(&mut self) -> &PageDoc {
        self.replica.whole(self.guarded.doc())
    }

    /// A replica that holds what the room refused is worth nothing.
    pub(super) fn drop_replica(&mut self) {
        self.replica.forget();
    }

    /// The page has merged an update that was not made on the fairies' replica.
    pub(super) fn follow(&mut self, blob: &[u8], elements: &BTreeSet<ElementId>) {
        let seen = if self.guarded.is_joined() {
            Seen::All
        } else {
            Seen::Part
        };
        self.replica.follow(blob, elements, seen);
    }

    /// From now on the scene shows the page. Most rooms have nobody who would look at it.
    pub fn show(&mut self) {
        if !self.shown {
            self.shown = true;
            let doc = self.guarded.doc();
            write_scene(&self.scene, |scene| *scene = Scene::from_doc(doc));
        }
    }

    pub(super) fn scene(&self) -> &SharedScene {
        &self.scene
    }

    pub fn elements(&self) -> BTreeMap<ElementId, Props> {
        self.guarded.doc().elements()
    }

    pub fn comments(&self) -> BTreeMap<CommentId, Props> {
        self.guarded.doc().comments()
    }

    pub(super) fn allows(&self, capability: &Capability, op: Op) -> bool {
        capability.allows(
            op,
            &PageRef {
                id: self.page.as_str(),
                tier: &self.tier,
            },
        )
    }

    pub(super) fn may_comment(&self, capability: &Capability) -> bool {
        verdict::may_comment(
            capability,
            &PageRef {
                id: self.page.as_str(),
                tier: &self.tier,
            },
        )
    }

    pub(super) fn subject_of(&self, peer: PeerId) -> String {
        self.peers
            .get(&peer)
            .cloned()
            .unwrap_or_else(|| "someone".to_owned())
    }
}

fn write_scene(scene: &SharedScene, change: impl FnOnce(&mut Scene)) {
    // A poisoned lock means a reader panicked; the scene itself is only written here.
    let mut guard = scene
        .write()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    change(&mut guard);
}
