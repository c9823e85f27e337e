//! What a room says to many at once.
//!
//! Updates that become durable together are told together: every reader gets one message with all
//! of them but its own. The message is made once and shared; only who wrote some of the updates
//! gets one made for it. Acknowledgements may be overtaken by such a message and overtake none, so
//! that they do not break it up; everything else keeps its place: what comes before it is said
//! before it.

use std::sync::Arc;

use bytes::Bytes;
use loro_protocol::{BatchId, CrdtType};

use crate::ConnId;
use crate::frames;
use crate::output::{Outgoing, Output};

/// Who is told; shared by all that is told while nobody comes or goes.
pub(crate) type Readers = Arc<[ConnId]>;

/// Something a room says, in the order in which it is said.
pub(crate) enum PendingOutput {
    Plain(Output),
    /// An update was taken, or was not.
    Ack {
        conn: ConnId,
        frame: Bytes,
    },
    /// Bytes for everyone but whom they came from.
    Tell(Telling),
    /// A message of updates was answered.
    Acknowledged,
}

pub(crate) struct Telling {
    pub crdt: CrdtType,
    pub origin: Option<ConnId>,
    pub bytes: Bytes,
    pub readers: Readers,
}

/// Turns what was said into what is sent.
pub(crate) struct Teller<'a> {
    pub page: &'a str,
    pub next_batch: &'a mut u64,
    sent: Vec<Output>,
    waiting: Vec<Telling>,
    acks: Vec<Output>,
}

impl<'a> Teller<'a> {
    pub fn new(page: &'a str, next_batch: &'a mut u64, sent: Vec<Output>) -> Self {
        Self {
            page,
            next_batch,
            sent,
            waiting: Vec::new(),
            acks: Vec::new(),
        }
    }

    pub fn say(&mut self, said: PendingOutput) {
        match said {
            PendingOutput::Tell(telling) => {
                let fits = self.waiting.last().is_none_or(|last| {
                    last.crdt == telling.crdt && Arc::ptr_eq(&last.readers, &telling.readers)
                });
                if !fits {
                    self.tell();
                }
                self.waiting.push(telling);
            }
            PendingOutput::Ack { conn, frame } => self.acks.push(Output::Send {
                conn,
                what: Outgoing::Frame(frame),
            }),
            PendingOutput::Acknowledged => self.acks.push(Output::Acknowledged),
            PendingOutput::Plain(output) => {
                self.tell();
                self.sent.push(output);
            }
        }
    }

    pub fn finish(mut self) -> Vec<Output> {
        self.tell();
        self.sent
    }

    fn tell(&mut self) {
        let waiting = std::mem::take(&mut self.waiting);
        if let Some(Telling { crdt, readers, .. }) = waiting.first() {
            let mut shared: Option<Vec<Bytes>> = None;
            for &conn in readers.iter() {
                let own = |telling: &&Telling| telling.origin == Some(conn);
                if waiting.iter().any(|telling| own(&telling)) {
                    let others = waiting.iter().filter(|telling| !own(telling));
                    let frames = self.frames(*crdt, others);
                    self.send(conn, &frames);
                } else {
                    let frames = shared
                        .take()
                        .unwrap_or_else(|| self.frames(*crdt, waiting.iter()));
                    self.send(conn, &frames);
                    shared = Some(frames);
                }
            }
        }
        self.sent.append(&mut self.acks);
    }

    fn frames<'b>(
        &mut self,
        crdt: CrdtType,
        tellings: impl Iterator<Item = &'b Telling>,
    ) -> Vec<Bytes> {
        let updates: Vec<&[u8]> = tellings.map(|telling| &telling.bytes[..]).collect();
        frames::doc_updates(crdt, self.page, &updates, || {
            *self.next_batch += 1;
            BatchId(self.next_batch.to_be_bytes())
        })
    }

    fn send(&mut self, conn: ConnId, frames: &[Bytes]) {
        self.sent.extend(frames.iter().map(|frame| Output::Send {
            conn,
            what: Outgoing::Frame(frame.clone()),
        }));
    }
}

#[cfg(test)]
mod tests {
    use loro_protocol::{ProtocolMessage, decode};

    use super::*;

    fn tell(origin: u64, bytes: &'static [u8], readers: &Readers) -> PendingOutput {
        PendingOutput::Tell(Telling {
            crdt: CrdtType::Loro,
            origin: Some(ConnId(origin)),
            bytes: Bytes::from_static(bytes),
            readers: Arc::clone(readers),
        })
    }

    fn ack(conn: u64) -> PendingOutput {
        PendingOutput::Ack {
            conn: ConnId(conn),
            frame: Bytes::from_static(b"ack"),
        }
    }

    /// To whom, and which updates (an acknowledgement: none).
    fn sent(said: Vec<PendingOutput>) -> Vec<(u64, Vec<Vec<u8>>)> {
        let mut batch = 0;
        let mut teller = Teller::new("pg_a", &mut batch, Vec::new());
        for one in said {
            teller.say(one);
        }
        let outputs = teller.finish().into_iter();
        let sends = outputs.filter_map(|output| match output {
            Output::Send {
                conn,
                what: Outgoing::Frame(frame),
            } => match decode(&frame) {
                Ok(ProtocolMessage::DocUpdate { updates, .. }) => Some((conn.0, updates)),
                _ => Some((conn.0, Vec::new())),
            },
            _ => None,
        });
        sends.collect()
    }

    fn blobs(blobs: &[&[u8]]) -> Vec<Vec<u8>> {
        blobs.iter().map(|blob| blob.to_vec()).collect()
    }

    #[test]
    fn what_is_said_together_is_one_message_without_the_readers_own() {
        let readers: Readers = [1, 2, 3].map(ConnId).into();
        let said = vec![
            tell(1, b"a", &readers),
            ack(1),
            tell(2, b"b", &readers),
            ack(2),
        ];
        let expected = [
            (1, blobs(&[b"b"])),
            (2, blobs(&[b"a"])),
            (3, blobs(&[b"a", b"b"])),
            (1, Vec::new()),
            (2, Vec::new()),
        ];
        assert_eq!(sent(said), expected);
    }

    #[test]
    fn an_only_author_is_told_nothing_but_that_it_was_taken() {
        let readers: Readers = [1].map(ConnId).into();
        let said = vec![tell(1, b"a", &readers), ack(1)];
        assert_eq!(sent(said), [(1, Vec::new())]);
    }

    #[test]
    fn anything_else_keeps_its_place() {
        let readers: Readers = [1].map(ConnId).into();
        let text = PendingOutput::Plain(Output::Send {
            conn: ConnId(1),
            what: Outgoing::Frame(Bytes::from_static(b"plain")),
        });
        let said = vec![tell(2, b"a", &readers), text, tell(2, b"b", &readers)];
        let expected = [(1, blobs(&[b"a"])), (1, Vec::new()), (1, blobs(&[b"b"]))];
        assert_eq!(sent(said), expected);
    }

    #[test]
    fn more_than_a_message_holds_becomes_several() {
        let readers: Readers = [1].map(ConnId).into();
        let large: &'static [u8] = &[7; 100 * 1024];
        let said = (0..5).map(|_| tell(2, large, &readers)).collect();
        let sizes: Vec<usize> = sent(said).iter().map(|(_, blobs)| blobs.len()).collect();
        assert_eq!(sizes, [2, 2, 1]);
    }
}
