//! The one door: an update is checked, merged, handed to the store and told to the others.

use std::collections::BTreeSet;
use std::collections::hash_map::Entry;

use bytes::Bytes;
use glade_access::{Capability, PageRef};
use glade_doc::{Change, Commit, ElementId, PageDoc, PeerId, Refusal, RunId, Touch, TouchKey};
use glade_store::Change as StoreChange;
use loro_protocol::CrdtType;

use super::core::RoomCore;
use super::verdict::States;
use super::{ConnId, suggestions, verdict};
use crate::metrics;

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
        let plugins = self.plugged();
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
        let mut verdict = |changes: &[Change], before: &PageDoc, after: &PageDoc| {
            let states = States {
                before,
                after: Some(after),
            };
            verdict::judge(author, &page, &plugins, changes, states).or_else(tolerate)
        };
        let admitted = match (author.subject, author.suggestion()) {
            (SERVER, _) => {
                let mut verdict =
                    |changes: &[Change], before: &PageDoc| verdict(changes, before, before);
                self.guarded.admit_derived(blob, &mut verdict)
            }
            (_, Some(run)) => {
                let tag = suggestions::tag(run);
                self.guarded.admit_pending(blob, &tag, &mut verdict)
            }
            _ => self.guarded.admit_comparing(blob, &mut verdict),
        };
        let admitted = admitted.inspect_err(|refusal| self.needs_spare |= refusal.costly())?;
        if let Some(conn) = author.conn {
            for span in &admitted.spans {
                self.live.insert(span.peer, conn);
            }
        }
        if admitted.already_known {
            return Ok(BTreeSet::new());
        }
        metrics::MERGED.add();
        self.needs_spare |= self.guarded.needs_spare();
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
            self.follow(blob, &admitted.elements);
            self.note_user_change(author.subject, &admitted.elements);
        }
        self.merged(author.conn, blob, &admitted.elements, changes);
        if let Some(StoreChange::PutRun(row)) = row {
            self.tell_suggestion(row);
        }
        if let Some(run) = suggested {
            self.mark_suggested(run, &admitted);
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
        self.follow(&commit.update, &commit.elements);
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
}

pub(super) fn denied(code: &'static str, reason: String) -> Refusal {
    Refusal::Denied { code, reason }
}
