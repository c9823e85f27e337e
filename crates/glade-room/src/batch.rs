//! Updates that come in close together, taken in one go.
//!
//! Most updates are *plain*: one blob by somebody who is known to write under that peer id on that
//! very line, with no region to be held to. Plain ones that follow each other are judged one by one
//! and merged together, which costs a fraction; whatever is not plain comes by itself, in its place
//! among the others. What comes out is the same.

use std::collections::BTreeSet;

use bytes::Bytes;
use glade_access::PageRef;
use glade_doc::{Admitted, Change, ElementId, IncomingUpdate, PageDoc, PeerSpan};
use loro_protocol::{BatchId, CrdtType, UpdateStatusCode};
use serde::{Deserialize, Serialize};

use crate::merging::{Author, put_touches};
use crate::output::Record;
use crate::room::Room;
use crate::verdict::{self, States};
use crate::{ConnId, serial};

/// Blobs up to this size are plain.
const SMALL: usize = 16 * 1024;

/// A message of updates, as it came from a line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Update {
    pub conn: ConnId,
    #[serde(with = "serial::batch")]
    pub batch: BatchId,
    #[serde(with = "serial::blobs")]
    pub blobs: Vec<Vec<u8>>,
}

impl Update {
    pub fn bytes(&self) -> usize {
        self.blobs.iter().map(Vec::len).sum()
    }
}

impl Room {
    pub(crate) fn updates(&mut self, arrived: Vec<Update>) {
        let mut plain = Vec::new();
        for update in arrived {
            match self.plain_spans(&update) {
                Some(spans) => plain.push((update, spans)),
                None => {
                    self.take_together(std::mem::take(&mut plain));
                    self.update_alone(&update);
                    self.out.acknowledged();
                }
            }
        }
        self.take_together(plain);
    }

    /// The spans of a plain update.
    fn plain_spans(&self, update: &Update) -> Option<Vec<PeerSpan>> {
        let [blob] = update.blobs.as_slice() else {
            return None;
        };
        let member = self.members.get(update.conn)?;
        let capability = &member.capability;
        if self.closed
            || blob.len() > SMALL
            || !member.document
            || self.has_expired(capability)
            || capability.region().is_some()
            || self.suggests(capability)
        {
            return None;
        }
        let spans = glade_doc::blob_spans(blob).ok()?;
        let known = |span: &PeerSpan| {
            self.members.live.get(&span.peer) == Some(&update.conn)
                && self.peers.get(&span.peer) == Some(&capability.subject)
        };
        spans.iter().all(known).then_some(spans)
    }

    fn take_together(&mut self, plain: Vec<(Update, Vec<PeerSpan>)>) {
        if plain.is_empty() {
            return;
        }
        let (updates, spans): (Vec<Update>, Vec<Vec<PeerSpan>>) = plain.into_iter().unzip();
        let arriving: Vec<IncomingUpdate<'_>> = updates
            .iter()
            .zip(spans)
            .map(|(update, spans)| IncomingUpdate {
                blob: update.blobs.first().map_or(&[], Vec::as_slice),
                spans,
                reads_page: false,
            })
            .collect();
        let barred = &self.barred;
        let page = PageRef {
            id: self.page.as_str(),
            tier: &self.tier,
        };
        let members = &self.members;
        let bytes = self.document.bytes + arriving.iter().map(|one| one.blob.len()).sum::<usize>();
        let mut judge = |at: usize, changes: &[Change], before: &PageDoc| {
            let conn: Option<ConnId> = updates.get(at).map(|update| update.conn);
            let capability = conn.and_then(|conn| Some(&members.get(conn)?.capability));
            let author = Author {
                subject: capability.map_or("", |capability| &capability.subject),
                capability,
                run: None,
                conn,
            };
            let states = States {
                before,
                after: None,
                bytes,
            };
            verdict::judge(&author, &page, barred, changes, states)
        };
        let outcomes = self.document.guarded.admit_all(&arriving, &mut judge);
        let mut elements: BTreeSet<ElementId> = BTreeSet::new();
        for (update, outcome) in updates.into_iter().zip(outcomes) {
            let Some(member) = self.members.get(update.conn) else {
                continue;
            };
            let subject = member.capability.subject.clone();
            let status = match outcome {
                Ok(admitted) => {
                    self.keep_plain(&update, subject, &admitted);
                    elements.extend(admitted.elements);
                    UpdateStatusCode::Ok
                }
                Err(refusal) => {
                    self.document.needs_spare |= refusal.costly();
                    self.refused(update.conn, update.batch, &subject, &refusal)
                }
            };
            self.ack(update.conn, CrdtType::Loro, update.batch, status);
            self.out.acknowledged();
        }
        self.refresh(&elements);
    }

    fn keep_plain(&mut self, update: &Update, subject: String, admitted: &Admitted) {
        if admitted.already_known {
            return;
        }
        self.counts.merged += 1;
        self.document.needs_spare |= self.document.guarded.needs_spare();
        self.note_user_change(&subject, &admitted.elements);
        for blob in &update.blobs {
            let mut records = vec![Record::Update {
                spans: admitted.spans.clone(),
                blob: blob.clone(),
                subject: subject.clone(),
                at_ms: self.now_ms,
            }];
            records.extend(put_touches(&admitted.touches));
            self.out.append(records);
            self.document.bytes += blob.len();
            self.document.follow(blob, &admitted.elements);
            let bytes = Bytes::copy_from_slice(blob);
            self.tell(CrdtType::Loro, Some(update.conn), bytes);
        }
    }
}
