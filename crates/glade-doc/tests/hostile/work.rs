//! What is done with bytes of strangers, in the tests and by the fuzzers.

use glade_doc::{CanvasDoc, Edit, GuardedPage, Surface, blob_spans, check_presence, check_version};
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

/// Takes the body of an update into a page, as a room would. Whatever it is, the page is whole
/// afterwards. Answers whether it was read.
pub fn update(body: &[u8]) -> bool {
    let blob = sealed(body);
    if blob_spans(&blob).is_err() {
        return false;
    }
    let doc = CanvasDoc::new();
    let edit = Edit::Put {
        id: "a".into(),
        props: json!({ "type": "text", "x": 1, "originalText": "some words" })
            .as_object()
            .cloned()
            .unwrap_or_default(),
    };
    doc.commit(99, None, &[edit]).expect("a sound edit");
    let mut page = GuardedPage::open(doc, Vec::new()).expect("a page");
    let _ = page.admit(&blob, &mut |_, _| Ok(()));
    let snapshot = page.doc().snapshot().expect("the page can be written");
    let again = CanvasDoc::open(Surface::Canvas, Some(&snapshot), &[]).expect("and read again");
    assert_eq!(again.elements(), page.doc().elements());
    true
}

/// Takes presence into a store; or, where it is one, a version into a document. Answers whether it
/// was read.
pub fn presence(bytes: &[u8]) -> bool {
    if check_version(bytes).is_ok() {
        let _ = CanvasDoc::new().updates_since(bytes);
    }
    let passes = check_presence(bytes).is_ok();
    if passes {
        let store = EphemeralStore::new(i64::MAX / 4);
        store.apply(bytes).expect("what passes can be read");
        store.encode_all();
    }
    passes
}
