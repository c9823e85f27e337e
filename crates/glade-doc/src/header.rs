//! What an update says of itself before a byte of it is merged: whose operations it holds, and
//! which.
//!
//! Loro's own reader of that makes a whole document and decodes everything, which costs more than
//! merging. The few numbers that are needed stand at the beginning of each block and are read from
//! there. Whether an update then holds what it says is for the gate to find out.

use loro::LoroDoc;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh32::xxh32;

use crate::gate::sheltered;
use crate::{Counter, PeerId, Refusal};

/// Largest update that is looked at.
pub const MAX_UPDATE_BYTES: usize = 4 * 1024 * 1024;
/// Most operations in one update. A few bytes can claim to be very many of them.
pub const MAX_UPDATE_OPERATIONS: u64 = 2_000_000;

/// Operations `from..to` of one peer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct PeerSpan {
    pub peer: PeerId,
    pub from: Counter,
    pub to: Counter,
}

/// Which operations an update holds, by its header alone: cheap, and done before anything else.
/// Snapshots, oversized and damaged bytes are refused.
pub fn blob_spans(blob: &[u8]) -> Result<Vec<PeerSpan>, Refusal> {
    if blob.len() > MAX_UPDATE_BYTES {
        return Err(Refusal::TooLarge {
            bytes: blob.len(),
            max: MAX_UPDATE_BYTES,
        });
    }
    let mut spans = match read(blob) {
        Some(spans) => spans,
        None => read_with_care(blob)?,
    };
    spans.sort();
    let mut operations = 0u64;
    for span in &spans {
        let length = i64::from(span.to) - i64::from(span.from);
        match u64::try_from(length) {
            Ok(length) if span.from >= 0 && span.peer != PeerId::MAX => operations += length,
            _ => {
                return Err(Refusal::Malformed {
                    reason: format!("impossible span {}..{}", span.from, span.to),
                });
            }
        }
    }
    if operations > MAX_UPDATE_OPERATIONS {
        return Err(Refusal::TooManyOperations {
            operations,
            max: MAX_UPDATE_OPERATIONS,
        });
    }
    Ok(spans)
}

/// Magic, twelve bytes of nothing, four of checksum.
const CHECKED_FROM: usize = 20;
const MODE: usize = 2;
/// What the mode of an update says, and not that of a snapshot or of older formats.
const UPDATES: [u8; MODE] = [0, 4];
const SEED: u32 = u32::from_le_bytes(*b"LORO");

/// The spans of an update as its blocks state them; `None` for whatever is not plainly that.
fn read(blob: &[u8]) -> Option<Vec<PeerSpan>> {
    let (head, checked) = blob.split_at_checked(CHECKED_FROM)?;
    let mut head = Bytes(head);
    let mut checked_bytes = Bytes(checked);
    if head.take(4)? != b"loro" || checked_bytes.take(MODE)? != UPDATES {
        return None;
    }
    head.take(12)?;
    let sum = u32::from_le_bytes(head.take(4)?.try_into().ok()?);
    if sum != xxh32(checked, SEED) {
        return None;
    }
    let mut body = checked_bytes;
    let mut spans: Vec<PeerSpan> = Vec::with_capacity(1);
    while !body.0.is_empty() {
        let length = body.number()?;
        let span = span_of(body.take(usize::try_from(length).ok()?)?)?;
        match spans.iter_mut().find(|known| known.peer == span.peer) {
            Some(known) => {
                known.from = known.from.min(span.from);
                known.to = known.to.max(span.to);
            }
            None => spans.push(span),
        }
    }
    (!spans.is_empty()).then_some(spans)
}

/// The operations of one block: counters, clock, number of changes, then a table of peers of
/// which the first is the author.
fn span_of(block: &[u8]) -> Option<PeerSpan> {
    let mut block = Bytes(block);
    let from = Counter::try_from(block.number()?).ok()?;
    let length = Counter::try_from(block.number()?).ok()?;
    let _clock = (block.number()?, block.number()?);
    let changes = block.number()?;
    let size = usize::try_from(block.number()?).ok()?;
    let mut header = Bytes(block.take(size)?);
    let peers = header.number()?;
    let peer = PeerId::from_le_bytes(header.take(8)?.try_into().ok()?);
    (changes > 0 && peers > 0 && length > 0).then_some(PeerSpan {
        peer,
        from,
        to: from.checked_add(length)?,
    })
}

/// Bytes that are read from the front.
struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (first, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(first)
    }

    /// A number in seven bits a byte, the lowest first.
    fn number(&mut self) -> Option<u32> {
        let mut number = 0u32;
        for at in 0..5 {
            let byte = *self.take(1)?.first()?;
            let bits = u32::from(byte & 0x7f);
            number |= bits
                .checked_shl(7 * at)
                .filter(|it| it >> (7 * at) == bits)?;
            if byte & 0x80 == 0 {
                return Some(number);
            }
        }
        None
    }
}

/// The same by Loro's own reader, which knows what exactly is wrong.
fn read_with_care(blob: &[u8]) -> Result<Vec<PeerSpan>, Refusal> {
    let malformed = |reason: String| Refusal::Malformed { reason };
    let meta = sheltered(|| LoroDoc::decode_import_blob_meta(blob, true))
        .map_err(|_| malformed("its header cannot be read".to_owned()))?
        .map_err(|error| malformed(error.to_string()))?;
    if meta.mode.is_snapshot() {
        return Err(Refusal::Snapshot);
    }
    let spans = meta.partial_end_vv.iter().map(|(&peer, &to)| PeerSpan {
        peer,
        from: meta.partial_start_vv.get(&peer).copied().unwrap_or(0),
        to,
    });
    Ok(spans.filter(|span| span.from != span.to).collect())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;
    use crate::{CanvasDoc, Edit};

    fn sorted(mut spans: Vec<PeerSpan>) -> Vec<PeerSpan> {
        spans.sort();
        spans
    }

    /// What several people sent at once, after some history that is not part of it.
    fn update(before: &[u8], since: &[u8]) -> Vec<u8> {
        let doc = CanvasDoc::new();
        let write = |who: u8, n: usize| {
            let props = json!({ "x": n, "originalText": "words ".repeat(1 + n % 40) });
            let edit = Edit::Put {
                id: format!("e{}", n % 5).as_str().into(),
                props: props.as_object().unwrap().clone(),
            };
            doc.commit(u64::from(who) << 40 | 7, None, &[edit]).unwrap();
        };
        for (n, who) in before.iter().enumerate() {
            write(*who, n);
        }
        let version = doc.version();
        for (n, who) in since.iter().enumerate() {
            write(*who, 1000 + n);
        }
        doc.updates_since(&version).unwrap()
    }

    proptest! {
        #[test]
        fn the_quick_reader_and_loros_own_agree(
            before in prop::collection::vec(0u8..6, 0..20),
            since in prop::collection::vec(0u8..6, 1..60),
        ) {
            let blob = update(&before, &since);
            let quick = read(&blob).map(sorted);
            prop_assert_eq!(quick, Some(sorted(read_with_care(&blob).unwrap())));
        }

        #[test]
        fn a_flipped_bit_is_never_read_quickly(at in 16usize.., bit in 0u32..8) {
            let mut blob = update(&[1], &[1, 2]);
            let at = 16 + at % (blob.len() - 16);
            blob[at] ^= 1 << bit;
            prop_assert_eq!(read(&blob), None);
            prop_assert!(blob_spans(&blob).is_err());
        }
    }

    #[test]
    fn snapshots_and_scraps_are_left_to_loro() {
        let doc = CanvasDoc::new();
        doc.commit(
            1,
            None,
            &[Edit::Put {
                id: "a".into(),
                props: Default::default(),
            }],
        )
        .unwrap();
        let snapshot = doc.snapshot().unwrap();
        assert_eq!(read(&snapshot), None);
        assert_eq!(blob_spans(&snapshot), Err(Refusal::Snapshot));
        for scrap in [&b""[..], b"loro", &snapshot[..21]] {
            assert_eq!(read(scrap), None);
            assert!(blob_spans(scrap).is_err());
        }
    }
}
