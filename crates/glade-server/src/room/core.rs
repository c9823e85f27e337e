//! The room's decisions: one input at a time, outputs in order, no clock, no network, no disk.
//!
//! What must be durable first leaves as [`Output::Append`]; everything that follows from it is
//! held back until [`RoomCore::durable`] says that the store has it. Outputs of later inputs queue
//! behind, so that no one ever hears of a change that a crash could still take back.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::time::Instant;

use axum::body::Bytes;
use glade_access::{Capability, Op, PageRef};
use glade_canvas::Scene;
use glade_doc::{
    CanvasDoc, Change, CommentId, Commit, DocError, ElementId, GuardedPage, PageId, PeerId, Props,
    Refusal, RunId, Touch, TouchKey,
};
use glade_store::Change as StoreChange;
use loro_protocol::{BatchId, CrdtType};

use super::fairy::Seat;
use super::ledger::Ledger;
use super::opening::Whole;
use super::output::{Append, Outgoing, Output};
use super::people::Member;
use super::presence::Presence;
use super::suggestions::{self, Suggestions};
use super::telling::{Readers, Said, Teller, Telling};
use super::{ConnId, SharedScene, verdict};
use crate::metrics;

/// What waits until the append with this ticket is durable.
struct Held {
    ticket: u64,
    said: Vec<Said>,
}

pub struct RoomCore {
    pub(super) page: PageId,
    pub(super) tier: String,
    /// The page was deleted.
    pub(super) closed: bool,
    pub(super) guarded: GuardedPage,
    /// Where fairies' edits become updates; the updates then pass the gate like a browser's.
    pub(super) replica: Option<CanvasDoc>,
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
    pub(super) ledger: Ledger,
    pub(super) suggestions: Suggestions,
    held: VecDeque<Held>,
    next_ticket: u64,
    next_batch: u64,
    /// Who reads the document, and who the presence; made when first asked for after a change.
    readers: [Option<Readers>; 2],
    pub(super) appends: Vec<Append>,
    violations: Vec<ConnId>,
    said: Vec<Said>,
    /// There is no spare gate, and there should be one.
    pub(super) untended: bool,
    /// The time, as it was last told.
    pub(super) now_ms: i64,
    #[cfg(test)]
    pub(super) faults: super::sim::Faults,
}

/// Who submits an update, and what of its run tags is believed.
pub(super) struct Author<'a> {
    pub subject: &'a str,
    pub capability: Option<&'a Capability>,
    /// A fairy's commits belong to this run, and so do those of a line that only suggests; other
    /// people's belong to none.
    pub run: Option<&'a RunId>,
    pub conn: Option<ConnId>,
}

impl Author<'_> {
    /// The run that all they draw is taken to belong to.
    pub fn suggestion(&self) -> Option<&RunId> {
        self.run.filter(|_| self.conn.is_some())
    }
}

pub const SERVER: &str = "server";

impl RoomCore {
    pub fn new(
        page: PageId,
        tier: String,
        doc: CanvasDoc,
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
            replica: None,
            scene,
            shown: false,
            whole: None,
            peers,
            live: HashMap::new(),
            members: BTreeMap::new(),
            presence: Presence::new(),
            seats: BTreeMap::new(),
            server_peer,
            ledger: Ledger::default(),
            suggestions: Suggestions::default(),
            held: VecDeque::new(),
            next_ticket: 1,
            next_batch: 1,
            readers: [None, None],
            appends: Vec::new(),
            violations: Vec::new(),
            said: Vec::new(),
            untended: false,
            now_ms: 0,
            #[cfg(test)]
            faults: super::sim::Faults::default(),
        })
    }

    /// It is now this late: what happens next happens then.
    pub fn at(&mut self, now_ms: i64) {
        self.now_ms = now_ms;
    }

    /// What must become durable, since the last call. Need not wait for anything.
    pub fn take_appends(&mut self) -> Vec<Append> {
        std::mem::take(&mut self.appends)
    }

    /// Whether there is something to say.
    pub fn has_said(&self) -> bool {
        !self.said.is_empty() || !self.violations.is_empty()
    }

    /// The outputs since the last call; what is told to many, in as few messages as hold it.
    pub fn take_outputs(&mut self) -> Vec<Output> {
        let appends = std::mem::take(&mut self.appends).into_iter();
        let appends = appends.map(|Append { ticket, changes }| Output::Append { ticket, changes });
        let violations = std::mem::take(&mut self.violations).into_iter();
        let violations = violations.map(|conn| Output::Violation { conn });
        let first = appends.chain(violations).collect();
        let mut teller = Teller::new(self.page.as_str(), &mut self.next_batch, first);
        for said in std::mem::take(&mut self.said) {
            teller.say(said);
        }
        teller.finish()
    }

    /// The store has everything up to and including `ticket`.
    pub fn durable(&mut self, ticket: u64) {
        while self.held.front().is_some_and(|held| held.ticket <= ticket) {
            if let Some(held) = self.held.pop_front() {
                self.said.extend(held.said);
            }
        }
    }

    /// Whether nothing waits for the disk.
    pub fn is_durable(&self) -> bool {
        self.held.is_empty()
    }

    /// Whether the room is over: its page was deleted and everything is on disk and told.
    pub fn is_over(&self) -> bool {
        self.closed && self.held.is_empty() && self.appends.is_empty() && !self.has_said()
    }

    /// Whether [`RoomCore::tend`] has something to do.
    pub fn untended(&self) -> bool {
        self.untended
    }

    /// Gets ready for the next refusal; slow on a large page, so for quiet moments.
    pub fn tend(&mut self) {
        self.untended = false;
        self.guarded.tend();
    }

    /// Whether [`RoomCore::rest`] has something to do.
    pub fn is_restless(&self) -> bool {
        self.guarded.is_restless()
    }

    /// Nothing has come in for a while.
    pub fn rest(&mut self) {
        self.guarded.rest();
    }

    /// Lets go an output, behind everything that still waits for the disk.
    pub(super) fn emit(&mut self, output: Output) {
        self.say(Said::Plain(output));
    }

    fn say(&mut self, said: Said) {
        match self.held.back_mut() {
            Some(held) => held.said.push(said),
            None => self.said.push(said),
        }
    }

    pub(super) fn then(&mut self, deed: impl FnOnce() + Send + 'static) {
        self.emit(Output::Then(Box::new(deed)));
    }

    /// An update was taken at this moment; its answer has been said.
    pub(super) fn took(&mut self, since: Option<Instant>) {
        if let Some(since) = since {
            self.say(Said::Took(since));
        }
    }

    pub(super) fn send(&mut self, conn: ConnId, frame: Bytes) {
        self.emit(Output::Send {
            conn,
            what: Outgoing::Frame(frame),
        });
    }

    pub(super) fn send_ack(&mut self, conn: ConnId, frame: Bytes) {
        self.say(Said::Ack { conn, frame });
    }

    /// Tells everyone who reads the document, or the presence, but whom it came from.
    pub(super) fn tell(&mut self, crdt: CrdtType, origin: Option<ConnId>, bytes: Bytes) {
        let readers = self.readers(crdt);
        if readers.is_empty() {
            return;
        }
        self.say(Said::Tell(Telling {
            crdt,
            origin,
            bytes,
            readers,
        }));
    }

    fn readers(&mut self, crdt: CrdtType) -> Readers {
        let document = crdt == CrdtType::Loro;
        let members = &self.members;
        let known = &mut self.readers[usize::from(document)];
        let readers = known.get_or_insert_with(|| {
            let reads = members.iter().filter(|(_, member)| match document {
                true => member.document,
                false => member.presence,
            });
            reads.map(|(conn, _)| *conn).collect()
        });
        Readers::clone(readers)
    }

    /// Somebody came or went.
    pub(super) fn members_changed(&mut self) {
        self.readers = [None, None];
    }

    /// Nobody hears of it by this: it need not wait for the disk.
    pub(super) fn violation(&mut self, conn: ConnId) {
        self.violations.push(conn);
    }

    pub(super) fn append(&mut self, changes: Vec<StoreChange>) {
        let ticket = self.next_ticket;
        self.next_ticket += 1;
        self.appends.push(Append { ticket, changes });
        self.held.push_back(Held {
            ticket,
            said: Vec::new(),
        });
    }

    pub(super) fn next_batch(&mut self) -> BatchId {
        self.next_batch += 1;
        BatchId(self.next_batch.to_be_bytes())
    }

    /// The one door: checks an update, merges it, hands it to the store, tells the others.
    pub(super) fn submit(
        &mut self,
        author: &Author<'_>,
        blob: &[u8],
    ) -> Result<BTreeSet<ElementId>, Refusal> {
        if self.closed {
            return Err(denied("page-deleted", "the page was deleted".to_owned()));
        }
        let spans = glade_doc::blob_spans(blob)?;
        for span in &spans {
            self.check_peer(author, span.peer)?;
        }
        let page = PageRef {
            id: self.page.as_str(),
            tier: &self.tier,
        };
        #[cfg(test)]
        let tolerate = {
            let faults = self.faults;
            move |refusal| faults.forgive(refusal)
        };
        #[cfg(not(test))]
        let tolerate = Err;
        let mut verdict = |changes: &[Change], before: &CanvasDoc| {
            verdict::judge(author, &page, changes, before).or_else(tolerate)
        };
        let admitted = match (author.subject, author.suggestion()) {
            (SERVER, _) => self.guarded.admit_derived(blob, &mut verdict),
            (_, Some(run)) => {
                let tag = suggestions::tag(run);
                self.guarded.admit_pending(blob, &tag, &mut verdict)
            }
            _ => self.guarded.admit(blob, &mut verdict),
        };
        let admitted = admitted.inspect_err(|refusal| self.untended |= refusal.costly())?;
        if let Some(conn) = author.conn {
            for span in &admitted.spans {
                self.live.insert(span.peer, conn);
            }
        }
        if admitted.already_known {
            return Ok(BTreeSet::new());
        }
        metrics::MERGED.add();
        self.untended |= self.guarded.untended();
        let mut changes = self.bind_unseen(author.subject, admitted.spans.iter().map(|s| s.peer));
        changes.push(StoreChange::AppendUpdate {
            page: self.page.to_string(),
            peer_spans: admitted
                .spans
                .iter()
                .map(|s| (s.peer, s.from, s.to))
                .collect(),
            blob: blob.to_vec(),
            subject: author.subject.to_owned(),
            at_ms: self.now_ms,
        });
        let draws = admitted.changes.iter().any(|change| change.tag.is_some());
        let suggested = author.suggestion().filter(|_| draws);
        let row = suggested.and_then(|run| self.put_suggestion(author.subject, run));
        changes.extend(row.clone());
        for change in &admitted.changes {
            if let Some(tag) = &change.tag {
                changes.push(StoreChange::PutSpan {
                    run: tag.run.to_string(),
                    page: self.page.to_string(),
                    peer: change.peer,
                    from: change.from,
                    to: change.to,
                });
            }
        }
        changes.extend(self.put_touches(&admitted.touches));
        if author.conn.is_some() {
            self.follow(blob);
            self.note_deed(author.subject, &admitted.elements);
        }
        self.merged(author.conn, blob, &admitted.elements, changes);
        if let Some(StoreChange::PutRun(row)) = row {
            self.tell_suggestion(row);
        }
        Ok(admitted.elements)
    }

    /// What the server itself wrote to the document (a rollback): stored and told like the rest.
    pub(super) fn publish(&mut self, commit: &Commit, touches: &[Touch], forgotten: &[TouchKey]) {
        let mut changes = self.bind_unseen(SERVER, std::iter::once(commit.peer));
        changes.push(StoreChange::AppendUpdate {
            page: self.page.to_string(),
            peer_spans: vec![(commit.peer, commit.from, commit.to)],
            blob: commit.update.clone(),
            subject: SERVER.to_owned(),
            at_ms: self.now_ms,
        });
        changes.extend(self.put_touches(touches));
        changes.extend(self.close_touches(forgotten));
        self.follow(&commit.update);
        self.merged(None, &commit.update, &commit.elements, changes);
    }

    /// Touch rows that changed without a change of the document.
    pub(super) fn publish_touches(&mut self, touches: &[Touch], forgotten: &[TouchKey]) {
        let mut changes = self.put_touches(touches);
        changes.extend(self.close_touches(forgotten));
        if !changes.is_empty() {
            self.append(changes);
        }
    }

    fn merged(
        &mut self,
        origin: Option<ConnId>,
        blob: &[u8],
        elements: &BTreeSet<ElementId>,
        changes: Vec<StoreChange>,
    ) {
        self.refresh(elements);
        self.append(changes);
        self.tell(CrdtType::Loro, origin, Bytes::copy_from_slice(blob));
    }

    /// The scene shows these elements as the document has them now.
    pub(super) fn refresh(&mut self, elements: &BTreeSet<ElementId>) {
        self.whole = None;
        if !self.shown {
            return;
        }
        write_scene(&self.scene, |scene| {
            scene.refresh(self.guarded.doc(), elements)
        });
    }

    fn check_peer(&self, author: &Author<'_>, peer: PeerId) -> Result<(), Refusal> {
        #[cfg(test)]
        if self.faults.skip_peer_check {
            return Ok(());
        }
        if self
            .peers
            .get(&peer)
            .is_some_and(|subject| subject != author.subject)
        {
            return Err(denied(
                "foreign-peer",
                format!("peer {peer} belongs to somebody else; take a fresh random peer id"),
            ));
        }
        // A client that comes back may be here before its old line is known to be dead: the newer
        // connection takes the peer over, and what still trickles in on the older is refused.
        // Were it the other way round, the client would make its change anew under another id
        // while the first one could still arrive: the same words twice.
        match (self.live.get(&peer), author.conn) {
            (Some(owner), Some(conn)) if *owner > conn => Err(denied(
                "live-peer",
                format!("peer {peer} is in use on a newer connection; take a fresh random peer id"),
            )),
            _ => Ok(()),
        }
    }

    fn bind_unseen(
        &mut self,
        subject: &str,
        peers: impl Iterator<Item = PeerId>,
    ) -> Vec<StoreChange> {
        let mut changes = Vec::new();
        for peer in peers {
            if let Entry::Vacant(unseen) = self.peers.entry(peer) {
                unseen.insert(subject.to_owned());
                changes.push(StoreChange::BindPeer {
                    page: self.page.to_string(),
                    peer,
                    subject: subject.to_owned(),
                });
            }
        }
        changes
    }

    /// The fairies' replica, made when first needed.
    pub(super) fn replica(&mut self) -> &CanvasDoc {
        self.replica
            .get_or_insert_with(|| self.guarded.doc().fork())
    }

    /// A replica that holds what the room refused is worth nothing.
    pub(super) fn drop_replica(&mut self) {
        self.replica = None;
    }

    pub(super) fn follow(&mut self, blob: &[u8]) {
        if let Some(replica) = &self.replica
            && let Err(error) = replica.import(blob)
        {
            tracing::error!(page = %self.page, %error, "the fairies' replica is made anew");
            self.replica = None;
        }
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

    pub(super) fn put_touches(&self, touches: &[Touch]) -> Vec<StoreChange> {
        if touches.is_empty() {
            return Vec::new();
        }
        vec![StoreChange::PutTouches {
            page: self.page.to_string(),
            rows: touches
                .iter()
                .map(|t| crate::rows::touch_row(&self.page, t))
                .collect(),
        }]
    }

    fn close_touches(&self, keys: &[TouchKey]) -> Vec<StoreChange> {
        if keys.is_empty() {
            return Vec::new();
        }
        vec![StoreChange::CloseTouches {
            keys: keys
                .iter()
                .map(|key| crate::rows::touch_key(&self.page, key))
                .collect(),
        }]
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

pub(super) fn denied(code: &'static str, reason: String) -> Refusal {
    Refusal::Denied { code, reason }
}

fn write_scene(scene: &SharedScene, change: impl FnOnce(&mut Scene)) {
    // A poisoned lock means a reader panicked; the scene itself is only written here.
    let mut guard = scene
        .write()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    change(&mut guard);
}
