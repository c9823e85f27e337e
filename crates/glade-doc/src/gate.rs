//! The gate: everything that Loro cannot veto, checked on a replica before the merge.
//!
//! Loro has no way to say no to an import, so each update is first merged into a replica that
//! nobody reads. If it is fine, the document merges it too and the two are equal again; if not,
//! that replica is thrown away and a spare one takes its place.
//!
//! The replica is *detached*: it takes in history and leaves its state behind, which is cheap.
//! State is brought up to date only for updates that need it (see [`is_plain`] and [`is_foreseen`]).

use std::collections::BTreeSet;

use loro::{ExportMode, Frontiers, IdSpan, LoroError, VersionRange};

use crate::inspect::{check_outcome, inspect};
use crate::panics::{catching_panics, discard, discard_refused};
use crate::{Change, ElementId, PageDoc, PeerSpan, Refusal, WriteKind, derived, formulas};

/// The spare replica may lie this many updates behind before it catches up.
const SPARE_LAG: usize = 64;

/// What the counters of an update say before a byte of it is merged.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Novelty {
    New,
    AlreadyKnown,
}

/// Every peer must go on exactly where the document stands; all of it known already is fine too.
/// Anything between would be accepted by Loro and silently merge onto a different past.
pub(crate) fn check_counters(document: &PageDoc, spans: &[PeerSpan]) -> Result<Novelty, Refusal> {
    let next = |peer| document.next_counter(peer);
    if spans.iter().all(|span| span.to <= next(span.peer)) {
        return Ok(Novelty::AlreadyKnown);
    }
    for span in spans {
        let expected = next(span.peer);
        if span.from != expected {
            return Err(Refusal::CounterMismatch {
                peer: span.peer,
                expected,
                from: span.from,
                to: span.to,
            });
        }
    }
    Ok(Novelty::New)
}

/// The replica that sees everything first, and its spare. Both are made when they are first
/// needed, and hold history without state: taking an update in costs a tenth of what it costs the
/// document, and what an update does can be read from history alone.
#[derive(Default)]
pub(crate) struct Gate {
    replica: Option<PageDoc>,
    spare: Option<PageDoc>,
    /// What the document has merged and the spare has not.
    missing: Vec<Vec<u8>>,
}

impl Gate {
    /// Merge `blob` here and read what it does; nothing is judged yet that depends on what the
    /// page looks like. After an error, [`Gate::reset`].
    pub(crate) fn try_blob(
        &mut self,
        blob: &[u8],
        spans: &[PeerSpan],
        doc: &PageDoc,
    ) -> Result<Tried, Refusal> {
        let replica = self.replica(doc)?;
        let tried = catching_panics(|| {
            let status = replica.loro().import(blob).map_err(|error| match error {
                // Made on what was let go of.
                LoroError::ImportUpdatesThatDependsOnOutdatedVersion => Refusal::MissingHistory,
                error => Refusal::unsound(error.to_string()),
            })?;
            if status.pending.is_some() {
                return Err(Refusal::MissingHistory);
            }
            if !is_what_it_says(&status.success, spans) {
                return Err(Refusal::unsound("it holds other changes than it says"));
            }
            let inspected = inspect(replica, spans)?;
            // Some damaged blobs import well and blow up when they are written out again. Changes
            // of which nothing is unusual cannot: history holds them as if it had made them. Of
            // others, what is written out byte for byte as it came is what Loro itself would have
            // sent; with the rest the whole history is tried, which costs most.
            let sound = inspected.ordinary || is_canonical(replica, blob, spans);
            if !sound {
                replica.loro().compact_change_store();
            }
            Ok(Tried {
                changes: inspected.changes,
                sound,
            })
        });
        self.outcome(tried)
    }

    /// What work on the replica came to. A replica that panicked is out of use.
    fn outcome<T>(&mut self, work: Result<Result<T, Refusal>, Refusal>) -> Result<T, Refusal> {
        work.unwrap_or_else(|panicked| {
            discard_refused(self.replica.take(), &panicked);
            Err(panicked)
        })
    }

    /// The rest of what there is to judge about changes that [`Gate::try_blob`] has taken in:
    /// what they leave, and which of their writes merely follow from others. `doc` must be the
    /// page as it is before them, and `formulas` the blocks whose formulas are to be looked at.
    pub(crate) fn check_after_merge(
        &mut self,
        changes: &mut [Change],
        formulas: &BTreeSet<ElementId>,
        doc: &PageDoc,
    ) -> Result<(), Refusal> {
        let replica = self.replica(doc)?;
        let weighed = catching_panics(|| {
            replica.show_latest();
            let outcome = check_outcome(replica, changes)
                .and_then(|()| formulas::check_merged(formulas, replica));
            if outcome.is_ok() {
                derived::mark(changes, doc, replica);
            }
            replica.loro().detach();
            outcome
        });
        self.outcome(weighed)
    }

    /// The replica, with all that was taken in here.
    pub(crate) fn replica(&mut self, doc: &PageDoc) -> Result<&PageDoc, Refusal> {
        if self.replica.is_none() {
            self.replica = Some(catching_panics(|| historian(doc))?);
        }
        self.replica
            .as_ref()
            .ok_or_else(|| Refusal::unsound("there is no gate"))
    }

    /// The document went on by `update`, which this replica has not seen.
    pub(crate) fn follow(&mut self, update: &[u8], doc: &PageDoc) {
        let followed = self.replica.as_ref().map(|it| take_in(it, update));
        if let Some(Err(refusal)) = followed {
            discard_refused(self.replica.take(), &refusal);
            self.reset(doc);
        }
        self.accepted(update);
    }

    /// The document merged what this replica has merged before it.
    pub(crate) fn accepted(&mut self, update: &[u8]) {
        if self.spare.is_none() {
            return;
        }
        self.missing.push(update.to_vec());
        if self.missing.len() >= SPARE_LAG {
            let spare = self.spare.take();
            self.spare = self.caught_up(spare);
        }
    }

    /// Throw the replica away and be equal to `doc` again.
    pub(crate) fn reset(&mut self, doc: &PageDoc) {
        let spare = self.take_spare();
        discard(std::mem::replace(&mut self.replica, spare));
        if self.replica.is_none() {
            // Should even this fail, the next update tries again, and is refused if it fails.
            self.replica = catching_panics(|| historian(doc)).ok();
        }
    }

    /// A replica that equals the document, and holds nothing that the document has not merged.
    pub(crate) fn take_spare(&mut self) -> Option<PageDoc> {
        let spare = self.spare.take();
        self.caught_up(spare)
    }

    fn caught_up(&mut self, spare: Option<PageDoc>) -> Option<PageDoc> {
        let missing = std::mem::take(&mut self.missing);
        let spare = spare?;
        match missing
            .iter()
            .try_for_each(|update| take_in(&spare, update))
        {
            Ok(()) => Some(spare),
            Err(refusal) => {
                discard_refused(Some(spare), &refusal);
                None
            }
        }
    }

    /// The page as it was at `frontiers`, from this replica's history.
    pub(crate) fn at(&self, frontiers: &Frontiers) -> Option<PageDoc> {
        self.replica.as_ref()?.fork_at(frontiers)
    }

    /// Whether there is a replica.
    pub(crate) fn is_made(&self) -> bool {
        self.replica.is_some()
    }

    pub(crate) fn has_spare(&self) -> bool {
        self.spare.is_some()
    }

    /// Make a new spare if the last one was spent.
    pub(crate) fn prepare_spare(&mut self, doc: &PageDoc) {
        if self.spare.is_none() {
            self.missing.clear();
            self.spare = catching_panics(|| historian(doc)).ok();
        }
    }
}

/// Whether `replica`, which has just taken `blob` in, would say the same in the same bytes.
fn is_canonical(replica: &PageDoc, blob: &[u8], spans: &[PeerSpan]) -> bool {
    let span = |span: &PeerSpan| IdSpan::new(span.peer, span.from, span.to);
    let spans: Vec<IdSpan> = spans.iter().map(span).collect();
    let exported = replica.loro().export(ExportMode::updates_in_range(spans));
    exported.is_ok_and(|bytes| bytes == blob)
}

/// A copy that follows in history only.
fn historian(doc: &PageDoc) -> PageDoc {
    let copy = doc.fork();
    copy.loro().detach();
    copy
}

pub(crate) fn take_in(replica: &PageDoc, update: &[u8]) -> Result<(), Refusal> {
    let status = catching_panics(|| replica.loro().import(update))?
        .map_err(|error| Refusal::unsound(error.to_string()))?;
    match status.pending {
        None => Ok(()),
        Some(_) => Err(Refusal::MissingHistory),
    }
}

/// What an update holds.
pub(crate) struct Tried {
    pub changes: Vec<Change>,
    /// It is such as Loro itself would have sent.
    pub sound: bool,
}

/// Whether exactly the operations came in that the header speaks of.
fn is_what_it_says(came: &VersionRange, spans: &[PeerSpan]) -> bool {
    let said = |span: &PeerSpan| came.get(&span.peer) == Some(&(span.from, span.to));
    came.inner().len() == spans.len() && spans.iter().all(said)
}

/// Whether changes only set properties of elements that `doc` has, and none of those that decide
/// what is derived from what. `doc` may be behind, as long as all that it lacks is plain too.
pub(crate) fn is_plain(changes: &[Change], doc: &PageDoc) -> bool {
    let sets = |change: &Change| {
        change.comments.is_empty()
            && change.tag.is_none()
            && change.writes.iter().all(|write| {
                write.kind == WriteKind::Register
                    && !derived::DECIDING.contains(&write.property.as_str())
            })
    };
    let writes = || changes.iter().flat_map(|change| &change.writes);
    let mut elements: Vec<&ElementId> = writes().map(|write| &write.element).collect();
    elements.dedup();
    changes.iter().all(sets) && elements.into_iter().all(|element| doc.exists(element))
}

/// Whether it is plain without a look at the state after them what changes leave: they write only in blocks that `doc`
/// has or that they make, and nothing follows from a block. Damage that shows in a state only, the document finds.
pub(crate) fn is_foreseen(changes: &[Change], doc: &PageDoc) -> bool {
    let writes = || changes.iter().flat_map(|change| &change.writes);
    let made: BTreeSet<&ElementId> = writes()
        .filter(|write| write.kind == WriteKind::Created)
        .map(|write| &write.element)
        .collect();
    !doc.surface().has_shapes()
        && changes.iter().all(|change| change.comments.is_empty())
        && writes().all(|write| made.contains(&write.element) || doc.exists(&write.element))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::{Edit, blob_spans};

    #[test]
    fn what_clients_send_is_canonical() {
        let client = PageDoc::new();
        let replica = PageDoc::new();
        replica.loro().detach();
        let mut odd = 0;
        for n in 0..200 {
            let props = match n % 4 {
                0 => json!({ "type": "text", "x": n, "originalText": format!("words {n}") }),
                1 => json!({ "x": n, "y": 2.5 }),
                2 => json!({ "points": [[0, n], [1.5, 2]], "link": format!("l{n}") }),
                _ => json!({ "originalText": format!("other {n}") }),
            };
            let edit = Edit::Put {
                id: format!("e{}", n % 13).as_str().into(),
                props: props.as_object().unwrap().clone(),
            };
            let update = client.commit(7, None, &[edit]).unwrap().unwrap().update;
            let spans = blob_spans(&update).unwrap();
            replica.loro().import(&update).unwrap();
            odd += usize::from(!is_canonical(&replica, &update, &spans));
        }
        assert_eq!(odd, 0);
    }

    /// Bits flipped behind a header whose checksum is then right again.
    fn damaged(update: &[u8], dice: &mut u64) -> Vec<u8> {
        let mut below = |limit: usize| {
            *dice = dice
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (*dice >> 33) as usize % limit
        };
        let mut blob = update.to_vec();
        for _ in 0..=below(3) {
            let at = 22 + below(blob.len() - 22);
            blob[at] ^= 1 << below(8);
        }
        let sum = xxhash_rust::xxh32::xxh32(&blob[20..], u32::from_le_bytes(*b"LORO"));
        blob[16..20].copy_from_slice(&sum.to_le_bytes());
        blob
    }

    #[test]
    fn what_is_ordinary_can_be_written_out_and_read_back() {
        std::panic::set_hook(Box::new(|_| {}));
        let start = PageDoc::new();
        let put = |props: serde_json::Value| Edit::Put {
            id: "a".into(),
            props: props.as_object().unwrap().clone(),
        };
        let made = json!({ "type": "rectangle", "x": 1, "link": "none" });
        start.commit(1, None, &[put(made)]).unwrap();
        let client = start.fork();
        let moved = json!({ "x": 300, "y": -2.5, "link": "somewhere", "points": [[0, 1.5]] });
        let update = client
            .commit(2, None, &[put(moved)])
            .unwrap()
            .unwrap()
            .update;
        let rounds = match std::env::var_os("GLADE_SOAK") {
            Some(_) => 100_000,
            None => 1_500,
        };
        let (mut dice, mut ordinary) = (7, 0);
        for _ in 0..rounds {
            let blob = damaged(&update, &mut dice);
            let Ok(spans) = blob_spans(&blob) else {
                continue;
            };
            let replica = historian(&start);
            let tried = catching_panics(|| {
                let status = replica.loro().import(&blob).ok()?;
                let fits = status.pending.is_none() && is_what_it_says(&status.success, &spans);
                let inspected = inspect(&replica, &spans).ok().filter(|_| fits)?;
                Some(inspected.ordinary)
            });
            if !matches!(tried, Ok(Some(true))) {
                discard(Some(replica));
                continue;
            }
            ordinary += 1;
            replica.loro().compact_change_store();
            replica.show_latest();
            let again = PageDoc::open(
                crate::Surface::Canvas,
                Some(&replica.snapshot().unwrap()),
                &[],
            )
            .unwrap();
            assert_eq!(again.elements(), replica.elements());
            assert_eq!(again.loro().oplog_vv(), replica.loro().oplog_vv());
            let sent = replica.updates_since(&start.version()).unwrap();
            let reader = start.fork();
            reader.import(&sent).unwrap();
            assert_eq!(reader.elements(), replica.elements());
        }
        assert!(ordinary > rounds / 50, "{ordinary} of {rounds}");
    }
}
