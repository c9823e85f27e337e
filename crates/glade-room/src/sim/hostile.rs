//! Updates that must never be merged. Each carries the mark [`EVIL`].

use glade_doc::{CommentId, PageDoc, PeerId, RunTag};
use loro::LoroMap;
use rand::Rng;
use rand::rngs::StdRng;
use serde_json::json;

use super::deed::put;

pub const EVIL: &str = "evil";
/// Magic, checksum and mode of an update.
const HEADER: usize = 22;

/// What a hostile client has at hand.
pub struct Deps<'a> {
    pub subject: &'a str,
    pub doc: &'a PageDoc,
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
pub fn blob(deps: &Deps<'_>, rng: &mut StdRng) -> (&'static str, Vec<u8>) {
    let doc = deps.doc.fork();
    let edit = || [put(EVIL.into(), json!({ "x": 1, "link": EVIL }))];
    let write =
        |peer, tag: Option<&RunTag>| doc.commit(peer, tag, &edit()).unwrap().unwrap().update;
    match (rng.random_range(0..9), deps.foreign, deps.run) {
        (0..3, ..) if deps.only_reads => ("read-only", write(deps.unused, None)),
        (0 | 1, Some(foreign), _) => ("foreign peer", write(foreign, None)),
        (2, _, Some(run)) => {
            let tag = RunTag {
                run: run.into(),
                step: 1,
                action: rng.random_range(0..5),
            };
            ("claimed run", write(deps.unused, Some(&tag)))
        }
        (3, ..) => {
            write(deps.unused, None);
            let more = [put(EVIL.into(), json!({ "x": 2 }))];
            let second = doc.commit(deps.unused, None, &more).unwrap().unwrap();
            ("counter gap", second.update)
        }
        (4, ..) => {
            write(deps.unused, None);
            ("snapshot", doc.snapshot().unwrap())
        }
        (5, ..) => {
            let before = doc.version();
            doc.loro().set_peer_id(deps.unused).unwrap();
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
            let said = doc.comment(deps.unused, &id, forged.as_object().unwrap());
            ("forged comment", said.unwrap().unwrap().update)
        }
        (8, ..) if others_said(deps).is_some() => {
            let id = others_said(deps).unwrap();
            let reworded = json!({ "text": EVIL });
            let said = doc.comment(deps.unused, &id, reworded.as_object().unwrap());
            ("reworded comment", said.unwrap().unwrap().update)
        }
        _ => {
            let mut bytes = write(deps.unused, None);
            // Behind the header, of which not every bit is looked at.
            let at = rng.random_range(HEADER..bytes.len());
            bytes[at] ^= 1 << rng.random_range(0..8);
            ("damaged bytes", bytes)
        }
    }
}

fn others_said(deps: &Deps<'_>) -> Option<CommentId> {
    let comments = deps.doc.comments();
    let mut others = comments
        .into_iter()
        .filter(|(_, said)| said.get("author") != Some(&deps.subject.into()));
    others.next().map(|(id, _)| id)
}
