//! The room itself: what it is opened from, what it holds, and its step.

use std::collections::{BTreeMap, HashMap};

use glade_access::{Capability, Op, PageRef};
use glade_doc::{DocError, PageDoc, PageId, PeerId, RunId, Surface, Touch};
use serde::{Deserialize, Serialize};

use crate::answer::Answer;
use crate::barred::Barred;
use crate::document::Document;
use crate::input::{Call, Input};
use crate::members::Members;
use crate::output::Output;
use crate::output_queue::OutputQueue;
use crate::refusals::RateLimiter;
use crate::seats::Seats;
use crate::suggestions::Suggestions;
use crate::{SharedScene, serial, verdict};

/// All that a room is opened from. The same opening and the same inputs make the same room.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Opening {
    pub page: PageId,
    pub tier: String,
    pub surface: Surface,
    #[serde(with = "serial::optional_bytes")]
    pub snapshot: Option<Vec<u8>>,
    #[serde(with = "serial::blobs")]
    pub updates: Vec<Vec<u8>>,
    pub touches: Vec<Touch>,
    /// Whose peer ids are.
    pub peers: BTreeMap<PeerId, String>,
    /// The server's own, fresh.
    pub server_peer: PeerId,
    /// Fresh: runs that begin in the room are called this and a number.
    pub run_prefix: String,
    /// The runs of suggesters on this page that were neither kept nor undone.
    pub suggested: Vec<OpenSuggestion>,
    pub barred: Barred,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenSuggestion {
    pub subject: String,
    pub run: RunId,
    pub started_ms: i64,
}

/// What a room has done since it was opened.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Updates that were merged, the server's own rollbacks left out.
    pub merged: u64,
    pub refused: u64,
    /// How often the page changed.
    pub changes: u64,
}

pub struct Room {
    pub(crate) page: PageId,
    pub(crate) tier: String,
    /// The page was deleted.
    pub(crate) closed: bool,
    /// The time, as it was last told.
    pub(crate) now_ms: i64,
    pub(crate) document: Document,
    pub(crate) peers: HashMap<PeerId, String>,
    pub(crate) server_peer: PeerId,
    pub(crate) members: Members,
    pub(crate) seats: Seats,
    pub(crate) suggestions: Suggestions,
    pub(crate) refusals: RateLimiter,
    pub(crate) barred: Barred,
    pub(crate) out: OutputQueue,
    pub(crate) counts: Counts,
    #[cfg(any(test, feature = "sim"))]
    pub(crate) faults: crate::sim::Faults,
}

impl Room {
    pub fn open(from: Opening) -> Result<Self, DocError> {
        let doc = PageDoc::open(from.surface, from.snapshot.as_deref(), &from.updates)?;
        let document = Document::open(doc, from.touches, from.snapshot, from.updates)?;
        Ok(Self {
            out: OutputQueue::new(&from.page),
            page: from.page,
            tier: from.tier,
            closed: false,
            now_ms: 0,
            document,
            peers: from.peers.into_iter().collect(),
            server_peer: from.server_peer,
            members: Members::default(),
            seats: Seats::default(),
            suggestions: Suggestions::new(from.run_prefix, from.suggested),
            refusals: RateLimiter::default(),
            barred: from.barred,
            counts: Counts::default(),
            #[cfg(any(test, feature = "sim"))]
            faults: crate::sim::Faults::default(),
        })
    }

    /// Takes an input and answers what is to be done now.
    pub fn step(&mut self, now_ms: i64, input: Input) -> Vec<Output> {
        self.take(now_ms, input);
        self.outputs()
    }

    /// Takes an input. What comes of it is among the next [`Self::outputs`]: what several inputs
    /// have to say to the same readers is then said in one message.
    pub fn take(&mut self, now_ms: i64, input: Input) {
        self.now_ms = now_ms;
        match input {
            Input::Join {
                conn,
                crdt,
                capability,
                version,
            } => self.join(conn, crdt, *capability, &version),
            Input::Leave { conn, crdt } => self.leave(conn, crdt),
            Input::Updates(updates) => self.updates(updates),
            Input::Presence {
                conn,
                name,
                batch,
                blobs,
            } => self.presence_update(conn, &name, batch, &blobs),
            Input::FairyPresence { session, value } => self.set_fairy_presence(&session, value),
            Input::Call { id, call } => {
                let at_once = call.is_answered_at_once();
                let answer = self.call(call);
                self.out.answer(id, answer, at_once);
            }
            Input::Durable { ticket } => self.out.durable(ticket),
            Input::Bar(barred) => self.barred = barred,
            Input::PrepareSpare => self.document.prepare_spare(),
            Input::Idle => self.document.guarded.rest(),
        }
    }

    /// What is to be done now, in order, since this was last asked.
    pub fn outputs(&mut self) -> Vec<Output> {
        self.out.take()
    }

    fn call(&mut self, call: Call) -> Answer {
        match call {
            Call::Seat {
                fairy,
                capability,
                peer,
            } => self.seat(&fairy, *capability, peer).into(),
            Call::BeginRun {
                session,
                run,
                asker,
            } => self.begin_run(&session, run, asker.map(|it| *it)).into(),
            Call::Commit {
                session,
                tag,
                tool,
                edits,
            } => self.fairy_commit(&session, &tag, &tool, &edits).into(),
            Call::Comment {
                session,
                tool,
                comment,
            } => self.fairy_comment(&session, &tool, &comment).into(),
            Call::Rescope {
                session,
                capability,
            } => self.rescope(&session, *capability).into(),
            Call::Bound { session, bounds } => self.bound(&session, bounds).into(),
            Call::Pin { range } => Answer::Pinned(self.pin(range)),
            Call::OwnPart { session } => self.own_part(&session).into(),
            Call::EndAction { session } => self.end_action(&session).into(),
            Call::RevertAction {
                session,
                run,
                action,
            } => self.revert_action(&session, &run, action).into(),
            Call::TakeUserChanges { session } => self.take_user_changes(&session).into(),
            Call::Unseat { session } => self.unseat(&session).into(),
            Call::Fence { fairy } => self.fence(&fairy).into(),
            Call::EditAs {
                capability,
                peer,
                edits,
            } => self.edit_as(&capability, peer, &edits).into(),
            Call::UndoPart(request) => self.undo_part(request).into(),
            Call::Reopen { run } => self.reopen(&run).into(),
            Call::UndoAfter { run, last } => self.undo_after(&run, last).into(),
            Call::KeepPart(request) => self.keep_part(request).into(),
            Call::Touches { run } => self.touches(&run).into(),
            Call::TouchedElements { run } => self.document.guarded.touched_elements(&run).into(),
            Call::RunLiesIn { run, region } => self.run_lies_in(&run, &region).into(),
            Call::Elements => self.document.doc().elements().into(),
            Call::Comments => self.document.doc().comments().into(),
            Call::Show => {
                self.document.show();
                Answer::Done
            }
            Call::Settle => Answer::Done,
            Call::Retier { tier } => {
                self.retier(tier);
                Answer::Done
            }
            Call::Close => {
                self.close();
                Answer::Done
            }
            Call::Fold => self.document.doc().snapshot().into(),
            Call::Compact { pending } => self.document.begin_epoch(&pending).into(),
        }
    }

    pub fn page(&self) -> &PageId {
        &self.page
    }

    pub fn surface(&self) -> Surface {
        self.document.doc().surface()
    }

    /// The page as it is, for whoever has a seat or has asked for it to be shown.
    pub fn scene(&self) -> &SharedScene {
        self.document.scene()
    }

    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// How many operations the page's past has.
    pub fn history(&self) -> usize {
        self.document.doc().history()
    }

    /// Whether [`Input::PrepareSpare`] has something to do.
    pub fn needs_spare(&self) -> bool {
        self.document.needs_spare
    }

    /// Whether [`Input::Idle`] has something to do.
    pub fn has_idle_work(&self) -> bool {
        self.document.guarded.has_idle_work()
    }

    /// Whether nothing waits for the disk.
    pub fn is_durable(&self) -> bool {
        self.out.is_durable()
    }

    /// Whether the room is over: its page was deleted and everything is on disk and told.
    pub fn is_over(&self) -> bool {
        self.closed && self.out.is_empty()
    }

    pub(crate) fn page_ref(&self) -> PageRef<'_> {
        PageRef {
            id: self.page.as_str(),
            tier: &self.tier,
        }
    }

    pub(crate) fn allows(&self, capability: &Capability, op: Op) -> bool {
        capability.allows(op, &self.page_ref())
    }

    pub(crate) fn may_comment(&self, capability: &Capability) -> bool {
        verdict::may_comment(capability, &self.page_ref())
    }

    /// Whether a right has run out by now.
    pub(crate) fn has_expired(&self, capability: &Capability) -> bool {
        let since = std::time::Duration::from_millis(self.now_ms.try_into().unwrap_or(0));
        capability.expired(std::time::UNIX_EPOCH + since)
    }

    pub(crate) fn subject_of(&self, peer: PeerId) -> String {
        self.peers
            .get(&peer)
            .cloned()
            .unwrap_or_else(|| "someone".to_owned())
    }
}
