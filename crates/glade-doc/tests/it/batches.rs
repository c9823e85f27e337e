//! Updates that are admitted together come out as if they had come one after the other.

use glade_doc::{GuardedPage, IncomingUpdate, PageDoc, PeerId, Refusal, blob_spans};
use proptest::prelude::*;
use serde_json::json;

use crate::support::*;

const PEERS: [PeerId; 3] = [ANN, BEN, 77];

/// What somebody does, knowing only what they did themselves and what was there at first.
#[derive(Debug, Clone)]
enum UserEdit {
    Move {
        who: usize,
        what: usize,
        x: i32,
    },
    Bind {
        who: usize,
        what: usize,
    },
    Draw {
        who: usize,
    },
    Say {
        who: usize,
        what: usize,
    },
    /// What no page takes.
    Remove {
        who: usize,
        what: usize,
    },
}

fn user_edit() -> impl Strategy<Value = UserEdit> {
    let (who, what) = (0..PEERS.len(), 0..3usize);
    prop_oneof![
        6 => (who.clone(), what.clone(), 0..99i32)
            .prop_map(|(who, what, x)| UserEdit::Move { who, what, x }),
        1 => (who.clone(), what.clone()).prop_map(|(who, what)| UserEdit::Bind { who, what }),
        1 => who.clone().prop_map(|who| UserEdit::Draw { who }),
        1 => (who.clone(), what.clone()).prop_map(|(who, what)| UserEdit::Say { who, what }),
        1 => (who, what).prop_map(|(who, what)| UserEdit::Remove { who, what }),
    ]
}

fn blob(user_edit: &UserEdit, at: usize, docs: &[PageDoc]) -> Option<Vec<u8>> {
    let id = |what: &usize| format!("e{what}");
    let (who, edit) = match user_edit {
        UserEdit::Move { who, what, x } => (who, put(&id(what), json!({ "x": x, "width": at }))),
        UserEdit::Bind { who, what } => (
            who,
            put(
                &id(what),
                json!({ "type": "arrow", "startBinding": { "elementId": "e0" } }),
            ),
        ),
        UserEdit::Draw { who } => (who, put(&format!("new{at}"), json!({ "type": "text" }))),
        UserEdit::Say { who, what } => (who, put(&id(what), text(&format!("word {at}")))),
        UserEdit::Remove { who, what } => {
            let doc = &docs[*who];
            let before = doc.version();
            doc.loro().set_peer_id(PEERS[*who]).unwrap();
            doc.loro().get_map("elements").delete(&id(what)).unwrap();
            doc.loro().commit();
            return Some(doc.updates_since(&before).unwrap());
        }
    };
    let commit = docs[*who].commit(PEERS[*who], None, &[edit]).unwrap()?;
    Some(commit.update)
}

fn judge(at: usize) -> Result<(), Refusal> {
    match at % 11 {
        10 => Err(Refusal::Denied {
            code: "no",
            reason: "no".to_owned(),
        }),
        _ => Ok(()),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn a_batch_is_as_good_as_one_by_one(
        user_edits in prop::collection::vec(user_edit(), 1..40),
        size in 1..12usize,
    ) {
        let mut start = page();
        person(&mut start, 5, &[0, 1, 2].map(|n| put(&format!("e{n}"), json!({ "x": n }))));
        let docs = PEERS.map(|_| start.doc().fork());
        let blobs: Vec<Vec<u8>> = user_edits
            .iter()
            .enumerate()
            .filter_map(|(at, user_edit)| blob(user_edit, at, &docs))
            .collect();
        let open = || GuardedPage::open(start.doc().fork(), Vec::new()).unwrap();

        let mut one_by_one = open();
        let expected: Vec<_> = blobs
            .iter()
            .enumerate()
            .map(|(at, blob)| one_by_one.admit(blob, &mut |_, _| judge(at)))
            .collect();

        let mut together = open();
        let mut outcomes = Vec::new();
        for batch in blobs.chunks(size) {
            let first = outcomes.len();
            let arrivals: Vec<IncomingUpdate<'_>> = batch
                .iter()
                .map(|blob| IncomingUpdate {
                    blob,
                    spans: blob_spans(blob).unwrap(),
                    reads_page: false,
                })
                .collect();
            outcomes.extend(together.admit_all(&arrivals, &mut |at, _, _| judge(first + at)));
            together.prepare_spare();
        }
        prop_assert_eq!(outcomes, expected);
        prop_assert_eq!(together.doc().version(), one_by_one.doc().version());
        prop_assert_eq!(together.doc().elements(), one_by_one.doc().elements());
    }
}
