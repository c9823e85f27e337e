//! Updates that must never be merged. Each carries the mark [`EVIL`].

use glade_doc::{CanvasDoc, CommentId, PeerId, RunTag};
use loro::LoroMap;
use rand::Rng;
use rand::rngs::StdRng;
use serde_json::json;

use super::deed::put;

pub const EVIL: &str = "evil";
/// Magic, checksum and mode of an update.
const HEADER: usize = 22;

/// What a hostile client has at hand.
pub struct Means<'a> {
    pub subject: &'a str,
    pub doc: &'a CanvasDoc,
    /// Somebody else's peer id that it has seen.
    pub foreign: Option<PeerId>,
    /// A peer id that nobody has used.
    pub unused: PeerId,
    /// It may not write at all.
    pub only_reads: bool,
    /// A run that is not its own.
    pub run: Option<&'a str>,
}

/// A blob that is to be refused, and what is wrong with it.
pub fn blob(means: &Means<'_>, rng: &mut StdRng) -> (&'static str, Vec<u8>) {
    let doc = means.doc.fork();
    let edit = || [put(EVIL.into(), json!({ "x": 1, "link": EVIL }))];
    let write =
        |peer, tag: Option<&RunTag>| doc.commit(peer, tag, &edit()).unwrap().unwrap().update;
    match (rng.random_range(0..9), means.foreign, means.run) {
        (0..3, ..) if means.only_reads => ("read-only", write(means.unused, None)),
        (0 | 1, Some(foreign), _) => ("foreign peer", write(foreign, None)),
        (2, _, Some(run)) => {
            let tag = RunTag {
                run: run.into(),
                step: 1,
                action: rng.random_range(0..5),
            };
            ("claimed run", write(means.unused, Some(&tag)))
        }
        (3, ..) => {
            write(means.unused, None);
            let more = [put(EVIL.into(), json!({ "x": 2 }))];
            let second = doc.commit(means.unused, None, &more).unwrap().unwrap();
            ("counter gap", second.update)
        }
        (4, ..) => {
            write(means.unused, None);
            ("snapshot", doc.snapshot().unwrap())
        }
        (5, ..) => {
            let before = doc.version();
            doc.loro().set_peer_id(means.unused).unwrap();
            let elements = doc.loro().get_map("elements");
            elements.insert_container(EVIL, LoroMap::new()).unwrap();
            doc.loro().commit();
            ("plain container", doc.updates_since(&before).unwrap())
        }
        (7, ..) => {
            let forged = json!({
                "author": "person:nobody", "createdAt": 1, "x": 0, "y": 0, "text": EVIL,
            });
            let id = CommentId::from("cm_evileviltime");
            let said = doc.comment(means.unused, &id, forged.as_object().unwrap());
            ("forged comment", said.unwrap().unwrap().update)
        }
        (8, ..) if others_said(means).is_some() => {
            let id = others_said(means).unwrap();
            let reworded = json!({ "text": EVIL });
            let said = doc.comment(means.unused, &id, reworded.as_object().unwrap());
            ("reworded comment", said.unwrap().unwrap().update)
        }
        _ => {
            let mut bytes = write(means.unused, None);
            // Behind the header, of which not every bit is looked at.
            let at = rng.random_range(HEADER..bytes.len());
            bytes[at] ^= 1 << rng.random_range(0..8);
            ("damaged bytes", bytes)
        }
    }
}

fn others_said(means: &Means<'_>) -> Option<CommentId> {
    let comments = means.doc.comments();
    let mut others = comments
        .into_iter()
        .filter(|(_, said)| said.get("author") != Some(&means.subject.into()));
    others.next().map(|(id, _)| id)
}
