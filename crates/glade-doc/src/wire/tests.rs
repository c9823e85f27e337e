use std::collections::HashMap;

use loro::{ExportMode, LoroDoc};
use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::{Edit, PageDoc, blob_spans};

/// The same by Loro's own reader, which believes every count.
fn spans_by_loro(blob: &[u8]) -> Vec<PeerSpan> {
    let meta = LoroDoc::decode_import_blob_meta(blob, true).unwrap();
    let span = |(&peer, &to): (&u64, &i32)| PeerSpan {
        peer,
        from: meta.partial_start_vv.get(&peer).copied().unwrap_or(0),
        to,
    };
    let mut spans: Vec<PeerSpan> = meta.partial_end_vv.iter().map(span).collect();
    spans.sort();
    spans
}

/// What several people sent at once, after some history that is not part of it.
fn update(before: &[u8], since: &[u8]) -> Vec<u8> {
    let doc = PageDoc::new();
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

/// One thing that a client does to a document.
#[derive(Debug, Clone)]
enum Change {
    Set(u8, u8),
    Remove(u8),
    Nest(u8, u8),
    Type(u8, u8),
    Erase(u8, u8),
    Style(u8, u8),
    Child(u8, u8),
    Commit(u8),
    Meet(u8),
}

fn change() -> impl Strategy<Value = Change> {
    let (a, b) = (any::<u8>(), any::<u8>());
    prop_oneof![
        (a, b).prop_map(|(a, b)| Change::Set(a, b)),
        a.prop_map(Change::Remove),
        (a, b).prop_map(|(a, b)| Change::Nest(a, b)),
        (a, b).prop_map(|(a, b)| Change::Type(a, b)),
        (a, b).prop_map(|(a, b)| Change::Erase(a, b)),
        (a, b).prop_map(|(a, b)| Change::Style(a, b)),
        (a, b).prop_map(|(a, b)| Change::Child(a, b)),
        a.prop_map(Change::Commit),
        a.prop_map(Change::Meet),
    ]
}

fn at(place: u8, length: usize) -> usize {
    usize::from(place) % (length + 1)
}

/// Does one thing; what cannot be done is left.
fn act(docs: &[LoroDoc; 3], who: &mut usize, change: &Change) -> loro::LoroResult<()> {
    let doc = &docs[*who];
    let map = doc.get_map("elements");
    let text = map
        .ensure_mergeable_map("a>b\\c/d")?
        .ensure_mergeable_text("originalText")?;
    match *change {
        Change::Set(key, value) => match value % 6 {
            0 => map.insert(&key.to_string(), i64::from(value) << 40)?,
            1 => map.insert(&key.to_string(), 1.5 / f64::from(value))?,
            2 => map.insert(&key.to_string(), "żółw 🐢".repeat(usize::from(value)))?,
            3 => map.insert(&key.to_string(), vec![value; usize::from(key)])?,
            4 => map.insert(&key.to_string(), value > 128)?,
            _ => map.insert(&key.to_string(), loro::LoroValue::Null)?,
        },
        Change::Remove(key) => map.delete(&key.to_string())?,
        Change::Nest(key, depth) => {
            let mut value = loro::LoroValue::from(1);
            for level in 0..depth % 20 {
                value = match level % 2 {
                    0 => loro::LoroValue::from(vec![value, loro::LoroValue::Null]),
                    _ => {
                        let entries = HashMap::from([(format!("k{level}"), value)]);
                        loro::LoroValue::Map(entries.into())
                    }
                };
            }
            map.insert(&key.to_string(), value)?;
        }
        Change::Type(place, count) => {
            let words = "aé漢😀".repeat(usize::from(count) + 1);
            text.insert(at(place, text.len_unicode()), &words)?;
        }
        Change::Erase(place, count) => {
            let from = at(place, text.len_unicode());
            text.delete(from, at(count, text.len_unicode() - from))?;
        }
        Change::Style(place, count) => {
            let from = at(place, text.len_unicode());
            let to = from + at(count, text.len_unicode() - from);
            text.mark(from..to, "bold", place > 100)?;
        }
        Change::Child(key, count) => {
            let child = map.ensure_mergeable_map(&format!("child{}", key % 4))?;
            child.insert("x", i32::from(count))?;
            let words = child.ensure_mergeable_text("originalText")?;
            words.insert(0, "w")?;
        }
        Change::Commit(next) => {
            doc.set_next_commit_message(&"why ".repeat(usize::from(next % 9)));
            doc.set_next_commit_timestamp(i64::from(next) * 1_000_003);
            doc.commit();
            *who = usize::from(next) % docs.len();
        }
        Change::Meet(other) => {
            let other = &docs[usize::from(other) % docs.len()];
            doc.commit();
            let theirs = other.export(ExportMode::updates(&doc.oplog_vv())).unwrap();
            doc.import(&theirs)?;
        }
    }
    Ok(())
}

proptest! {
    #[test]
    fn spans_are_those_that_loro_reads(
        before in prop::collection::vec(0u8..6, 0..20),
        since in prop::collection::vec(0u8..6, 1..60),
    ) {
        let blob = update(&before, &since);
        prop_assert_eq!(blob_spans(&blob), Ok(spans_by_loro(&blob)));
    }

    #[test]
    fn a_flipped_bit_is_refused(at in 16usize.., bit in 0u32..8) {
        let mut blob = update(&[1], &[1, 2]);
        let at = 16 + at % (blob.len() - 16);
        blob[at] ^= 1 << bit;
        prop_assert!(blob_spans(&blob).is_err());
    }

    /// Everything that Loro writes in the containers of a page, by several peers.
    #[test]
    fn every_update_that_loro_writes_is_read(changes in prop::collection::vec(change(), 1..120)) {
        let docs = [(); 3].map(|()| LoroDoc::new());
        for (at, doc) in docs.iter().enumerate() {
            doc.set_peer_id([3, u64::MAX - 5, 1 << 40][at]).unwrap();
            doc.set_change_merge_interval(if at == 0 { -1 } else { 1000 });
            doc.config_default_text_style(Some(loro::StyleConfig::new()));
        }
        let mut who = 0;
        let mut seen = docs[0].oplog_vv();
        for (at, change) in changes.iter().enumerate() {
            let _ = act(&docs, &mut who, change);
            if at % 30 == 7 {
                docs[who].commit();
                seen = docs[who].oplog_vv();
            }
        }
        for doc in &docs {
            doc.commit();
            for mode in [ExportMode::all_updates(), ExportMode::updates(&seen)] {
                let blob = doc.export(mode).unwrap();
                prop_assert_eq!(blob_spans(&blob), Ok(spans_by_loro(&blob)));
            }
            prop_assert!(check_version(&doc.oplog_vv().encode()).is_ok());
        }
    }

    #[test]
    fn every_presence_that_loro_writes_is_read(keys in prop::collection::vec("[0-9a-z/]{1,9}", 0..40)) {
        let store = loro::awareness::EphemeralStore::new(30_000);
        for (at, key) in keys.iter().enumerate() {
            let value = json!({ "at": [at, 1.5, null, true], "who": key, "deep": { "er": [[], {}] } });
            store.set(key, loro::LoroValue::from(value));
        }
        if let Some(key) = keys.first() {
            store.delete(key);
        }
        prop_assert_eq!(check_presence(&store.encode_all()), Ok(()));
    }

    #[test]
    fn any_bytes_are_read_without_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = blocks(&bytes, bytes.len());
        let _ = check_presence(&bytes);
        let _ = check_version(&bytes);
    }
}

#[test]
fn containers_that_no_page_has_are_refused_before_loro_makes_them() {
    let flaw = |write: &dyn Fn(&LoroDoc)| {
        let doc = LoroDoc::new();
        doc.set_peer_id(5).unwrap();
        write(&doc);
        doc.commit();
        blob_spans(&doc.export(ExportMode::all_updates()).unwrap()).unwrap_err()
    };
    let unknown = |container: &str| Refusal::UnknownContainer {
        container: container.to_owned(),
    };
    assert_eq!(
        flaw(&|doc| doc.get_list("elements").push(1).unwrap()),
        unknown("cid:root-elements:List")
    );
    assert_eq!(
        flaw(&|doc| doc.get_movable_list("m").push(1).unwrap()),
        unknown("cid:root-m:MovableList")
    );
    assert_eq!(
        flaw(&|doc| {
            doc.get_tree("t").create(None).unwrap();
        }),
        unknown("cid:root-t:Tree")
    );
    assert_eq!(
        flaw(&|doc| doc.get_counter("c").increment(1.0).unwrap()),
        unknown("cid:root-c:Counter")
    );
    assert_eq!(
        flaw(&|doc| doc.get_map("other").insert("x", 1).unwrap()),
        unknown("cid:root-other:Map")
    );
    let child = |doc: &LoroDoc| {
        let child = doc
            .get_map("elements")
            .insert_container("a", loro::LoroMap::new());
        child.unwrap().insert("x", 1).unwrap();
    };
    let plain = Refusal::PlainContainer {
        container: "cid:0@#0:Map".to_owned(),
    };
    assert_eq!(flaw(&child), plain);
    let deeper = |doc: &LoroDoc| {
        let element = doc.get_map("elements").ensure_mergeable_map("a").unwrap();
        let child = element.ensure_mergeable_map("b").unwrap();
        child.insert("x", 1).unwrap();
    };
    assert_eq!(flaw(&deeper), unknown("cid:root-🤝:$elements>a>b:Map"));
}

#[test]
fn snapshots_and_scraps_are_refused() {
    let doc = PageDoc::new();
    let edit = Edit::Put {
        id: "a".into(),
        props: Default::default(),
    };
    doc.commit(1, None, &[edit]).unwrap();
    let snapshot = doc.snapshot().unwrap();
    assert_eq!(blob_spans(&snapshot), Err(Refusal::Snapshot));
    for scrap in [&b""[..], b"loro", &snapshot[..21]] {
        assert_eq!(blob_spans(scrap).unwrap_err().code(), "malformed");
    }
}

#[test]
fn a_long_text_and_many_scattered_deletions_are_read() {
    let doc = LoroDoc::new();
    let element = doc.get_map("elements").ensure_mergeable_map("a").unwrap();
    let text = element.ensure_mergeable_text("originalText").unwrap();
    text.insert(0, &"words of a long text. ".repeat(2_000))
        .unwrap();
    doc.commit();
    let version = doc.oplog_vv();
    for at in 0..4_000 {
        text.delete(at, 1).unwrap();
    }
    doc.commit();
    for mode in [ExportMode::all_updates(), ExportMode::updates(&version)] {
        let blob = doc.export(mode).unwrap();
        assert_eq!(blob_spans(&blob), Ok(spans_by_loro(&blob)));
    }
}

#[test]
fn words_that_come_at_once_are_taken_up_to_a_length() {
    let typed_at_once = |letters: usize| {
        let doc = LoroDoc::new();
        let element = doc.get_map("elements").ensure_mergeable_map("a").unwrap();
        let text = element.ensure_mergeable_text("originalText").unwrap();
        text.insert(0, &"w".repeat(letters)).unwrap();
        doc.commit();
        doc.export(ExportMode::all_updates()).unwrap()
    };
    let longest = typed_at_once(200_000);
    assert_eq!(blob_spans(&longest), Ok(spans_by_loro(&longest)));
    let refusal = Refusal::TooManyOperations {
        operations: 200_001,
        max: 200_000,
    };
    assert_eq!(blob_spans(&typed_at_once(200_001)), Err(refusal));
}

#[test]
fn an_update_of_too_many_peers_is_refused() {
    let update_of = |peers: u64| {
        let doc = PageDoc::new();
        for peer in 1..=peers {
            let props = json!({ "x": peer }).as_object().unwrap().clone();
            let id = "a".into();
            doc.commit(peer, None, &[Edit::Put { id, props }]).unwrap();
        }
        doc.updates_since(&[]).unwrap()
    };
    assert_eq!(blob_spans(&update_of(1_024)).unwrap().len(), 1_024);
    let refusal = Refusal::TooManyOperations {
        operations: 1_025,
        max: 1_024,
    };
    assert_eq!(blob_spans(&update_of(1_025)), Err(refusal));
}
