//! What is done with bytes of strangers, in the tests and by the fuzzers.

use glade_doc::{
    Edit, GuardedPage, PageDoc, Surface, blob_spans, check_presence, check_presence_value,
    check_version, shows_a_fairy,
};
use loro::awareness::EphemeralStore;
use serde_json::json;

/// The body of an update, behind a header with the right checksum.
pub fn sealed(body: &[u8]) -> Vec<u8> {
    let mut checked = vec![0, 4];
    checked.extend_from_slice(body);
    let sum = xxhash_rust::xxh32::xxh32(&checked, u32::from_le_bytes(*b"LORO"));
    let mut blob = b"loro".to_vec();
    blob.extend_from_slice(&[0; 12]);
    blob.extend_from_slice(&sum.to_le_bytes());
    blob.extend_from_slice(&checked);
    blob
}

/// Takes the body of an update into a page of each kind, as a room would, and does what a room does
/// afterwards. Whatever it is, the page is whole. Answers whether it was read.
pub fn update(body: &[u8]) -> bool {
    let blob = sealed(body);
    let passes = blob_spans(&blob).is_ok();
    if passes {
        for surface in [Surface::Canvas, Surface::Text] {
            take_in(surface, &blob);
        }
    }
    passes
}

fn take_in(surface: Surface, blob: &[u8]) {
    let doc = PageDoc::blank(surface);
    doc.commit(99, None, &[words("some words")])
        .expect("a sound edit");
    let start = doc.version();
    let mut page = GuardedPage::open(doc, Vec::new()).expect("a page");
    let taken = page.admit(blob, &mut |_, _| Ok(()));
    let snapshot = page.doc().snapshot().expect("the page can be written");
    let again = PageDoc::open(surface, Some(&snapshot), &[]).expect("and read again");
    assert_eq!(again.elements(), page.doc().elements());
    assert_eq!(again.comments(), page.doc().comments());
    let sent = page.doc().updates_since(&start).expect("what is new");
    if taken.is_ok_and(|taken| !taken.already_known) {
        let spans = blob_spans(&sent);
        assert!(spans.is_ok(), "{spans:?}");
    }
    // Whoever writes next, and whoever lets go of the past.
    let next = page.doc().fork();
    let edit = next.commit(98, None, &[words("other words")]);
    let edit = edit.expect("a sound edit").expect("a change");
    page.admit(&edit.update, &mut |_, _| Ok(()))
        .expect("a sound edit is taken");
    if let Some(compacted) = page.doc().compacted(&[]).expect("it can be let go of") {
        assert_eq!(compacted.doc.elements(), page.doc().elements());
    }
}

fn words(text: &str) -> Edit {
    let props = json!({ "type": "text", "nodeName": "paragraph", "x": 1, "originalText": text });
    Edit::Put {
        id: "a".into(),
        props: props.as_object().cloned().unwrap_or_default(),
    }
}

/// Most that one who is present can say of themselves.
const MOST_KEYS: usize = 19;

/// Takes presence into a store; or, where it is one, a version into a document. Answers whether it
/// was read.
pub fn presence(bytes: &[u8]) -> bool {
    if check_version(bytes).is_ok() {
        let _ = PageDoc::new().updates_since(bytes);
    }
    let passes = check_presence(bytes).is_ok();
    if passes {
        let store = EphemeralStore::new(i64::MAX / 4);
        store.apply(bytes).expect("what passes can be read");
        store.encode_all();
        // What one of them shows, however odd, is judged like what a client sends to a room.
        for value in store.get_all_states().values() {
            if let Ok(shown) = check_presence_value(value) {
                assert!(shown.len() <= MOST_KEYS);
                shows_a_fairy(shown);
            }
        }
    }
    passes
}
