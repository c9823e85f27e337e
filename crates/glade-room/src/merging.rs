//! The one door: an update is checked, merged, handed to the store and told to the others.

use std::collections::BTreeSet;
use std::collections::hash_map::Entry;

use bytes::Bytes;
use glade_access::{Capability, PageRef};
use glade_doc::{
    Change, Commit, ElementId, PageDoc, PeerId, PeerSpan, Refusal, RunId, Touch, TouchKey,
};
use loro_protocol::CrdtType;

use crate::output::{Output, Record};
use crate::room::Room;
use crate::verdict::States;
use crate::{ConnId, suggestions, verdict};

/// Who submits an update, and what of its run tags is believed.
pub(crate) struct Author<'a> {
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

impl Room {
    /// The one door: checks an update, merges it, hands it to the store, tells the others.
    pub(crate) fn submit(
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
        let barred = &self.barred;
        let page = PageRef {
            id: self.page.as_str(),
            tier: &self.tier,
        };
        #[cfg(any(test, feature = "sim"))]
        let tolerate = {
            let faults = self.faults;
            move |refusal| faults.forgive(refusal)
        };
        #[cfg(not(any(test, feature = "sim")))]
        let tolerate = Err;
        let bytes = self.document.bytes + blob.len();
        let mut verdict = |changes: &[Change], before: &PageDoc, after: &PageDoc| {
            let states = States {
                before,
                after: Some(after),
                bytes,
            };
            verdict::judge(author, &page, barred, changes, states).or_else(tolerate)
        };
        let admitted = match (author.subject, author.suggestion()) {
            (SERVER, _) => {
                let mut verdict =
                    |changes: &[Change], before: &PageDoc| verdict(changes, before, before);
                self.document.guarded.admit_derived(blob, &mut verdict)
            }
            (_, Some(run)) => {
                let tag = suggestions::tag(run);
                self.document
                    .guarded
                    .admit_pending(blob, &tag, &mut verdict)
            }
            _ => self.document.guarded.admit_comparing(blob, &mut verdict),
        };
        let admitted =
            admitted.inspect_err(|refusal| self.document.needs_spare |= refusal.costly())?;
        if let Some(conn) = author.conn {
            for span in &admitted.spans {
                self.members.live.insert(span.peer, conn);
            }
        }
        if admitted.already_known {
            return Ok(BTreeSet::new());
        }
        self.counts.merged += 1;
        self.document.needs_spare |= self.document.guarded.needs_spare();
        let mut records = self.bind_unseen(author.subject, admitted.spans.iter().map(|s| s.peer));
        records.push(Record::Update {
            spans: admitted.spans.clone(),
            blob: blob.to_vec(),
            subject: author.subject.to_owned(),
            at_ms: self.now_ms,
        });
        let draws = admitted.changes.iter().any(|change| change.tag.is_some());
        let suggested = author.suggestion().filter(|_| draws);
        let suggestion = suggested.and_then(|run| self.suggestion(author.subject, run));
        records.extend(suggestion.clone().map(Record::Suggestion));
        for change in &admitted.changes {
            if let Some(tag) = &change.tag {
                records.push(Record::Span {
                    run: tag.run.clone(),
                    span: PeerSpan {
                        peer: change.peer,
                        from: change.from,
                        to: change.to,
                    },
                });
            }
        }
        records.extend(put_touches(&admitted.touches));
        if author.conn.is_some() {
            self.document.follow(blob, &admitted.elements);
            self.note_user_change(author.subject, &admitted.elements);
        }
        self.merged(author.conn, blob, &admitted.elements, records);
        if let Some(suggestion) = suggestion {
            self.out.emit(Output::Suggested(suggestion));
        }
        if let Some(run) = suggested {
            self.mark_suggested(run, &admitted);
        }
        Ok(admitted.elements)
    }

    /// What the server itself wrote to the document (a rollback): stored and told like the rest.
    pub(crate) fn publish(&mut self, commit: &Commit, touches: &[Touch], forgotten: &[TouchKey]) {
        let mut records = self.bind_unseen(SERVER, std::iter::once(commit.peer));
        records.push(Record::Update {
            spans: vec![PeerSpan {
                peer: commit.peer,
                from: commit.from,
                to: commit.to,
            }],
            blob: commit.update.clone(),
            subject: SERVER.to_owned(),
            at_ms: self.now_ms,
        });
        records.extend(put_touches(touches));
        records.extend(close_touches(forgotten));
        self.document.follow(&commit.update, &commit.elements);
        self.merged(None, &commit.update, &commit.elements, records);
    }

    /// Touch rows that changed without a change of the document.
    pub(crate) fn publish_touches(&mut self, touches: &[Touch], forgotten: &[TouchKey]) {
        let records = put_touches(touches).into_iter();
        let records: Vec<Record> = records.chain(close_touches(forgotten)).collect();
        if !records.is_empty() {
            self.out.append(records);
        }
    }

    fn merged(
        &mut self,
        origin: Option<ConnId>,
        blob: &[u8],
        elements: &BTreeSet<ElementId>,
        records: Vec<Record>,
    ) {
        self.document.bytes += blob.len();
        self.refresh(elements);
        self.out.append(records);
        self.tell(CrdtType::Loro, origin, Bytes::copy_from_slice(blob));
    }

    fn check_peer(&self, author: &Author<'_>, peer: PeerId) -> Result<(), Refusal> {
        #[cfg(any(test, feature = "sim"))]
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
        match (self.members.live.get(&peer), author.conn) {
            (Some(owner), Some(conn)) if *owner > conn => Err(denied(
                "live-peer",
                format!("peer {peer} is in use on a newer connection; take a fresh random peer id"),
            )),
            _ => Ok(()),
        }
    }

    fn bind_unseen(&mut self, subject: &str, peers: impl Iterator<Item = PeerId>) -> Vec<Record> {
        let mut records = Vec::new();
        for peer in peers {
            if let Entry::Vacant(unseen) = self.peers.entry(peer) {
                unseen.insert(subject.to_owned());
                records.push(Record::Peer {
                    peer,
                    subject: subject.to_owned(),
                });
            }
        }
        records
    }

    /// The page has changed: the scene shows it.
    pub(crate) fn refresh(&mut self, elements: &BTreeSet<ElementId>) {
        self.counts.changes += 1;
        self.document.refresh(elements);
    }

    /// Tells everyone who reads the document, or the presence, but whom it came from.
    pub(crate) fn tell(&mut self, crdt: CrdtType, origin: Option<ConnId>, bytes: Bytes) {
        let readers = self.members.readers(crdt);
        self.out.tell(readers, crdt, origin, bytes);
    }
}

pub(crate) fn put_touches(touches: &[Touch]) -> Option<Record> {
    (!touches.is_empty()).then(|| Record::Touches(touches.to_vec()))
}

fn close_touches(keys: &[TouchKey]) -> Option<Record> {
    (!keys.is_empty()).then(|| Record::ClosedTouches(keys.to_vec()))
}

pub(crate) fn denied(code: &'static str, reason: String) -> Refusal {
    Refusal::Denied { code, reason }
}
