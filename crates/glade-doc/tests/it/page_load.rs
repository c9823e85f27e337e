//! How much a page takes, all its elements together.

use glade_doc::{Edit, GuardedPage, IncomingUpdate, PageDoc, Refusal, Surface, blob_spans};
use serde_json::{Value, json};

fn page(surface: Surface) -> GuardedPage {
    GuardedPage::open(PageDoc::blank(surface), Vec::new()).unwrap()
}

fn edit(id: &str, props: &Value) -> Edit {
    Edit::Put {
        id: id.into(),
        props: props.as_object().unwrap().clone(),
    }
}

/// What becomes of edits in one update: the code of the refusal.
fn put(page: &mut GuardedPage, peer: u64, edits: &[Edit]) -> Result<(), String> {
    let client = page.doc().fork();
    let commit = client.commit(peer, None, edits).unwrap().unwrap();
    let taken = page.admit(&commit.update, &mut |_, _| Ok(()));
    taken.map(drop).map_err(|refusal| refusal.code().to_owned())
}

/// A box that takes 10,000 strokes.
fn hatched() -> Value {
    json!({
        "type": "rectangle", "width": 600, "height": 600, "strokeWidth": 0.06,
        "backgroundColor": "red", "fillStyle": "cross-hatch"
    })
}

fn boxes(name: &str, count: usize, props: &Value) -> Vec<Edit> {
    (0..count)
        .map(|at| edit(&format!("{name}{at}"), props))
        .collect()
}

fn full() -> Result<(), String> {
    Err("page-full".to_owned())
}

#[test]
fn a_page_takes_so_many_strokes_and_what_is_there_can_be_changed_and_deleted() {
    let mut page = page(Surface::Canvas);
    assert_eq!(put(&mut page, 1, &boxes("a", 150, &hatched())), Ok(()));
    assert_eq!(put(&mut page, 2, &boxes("b", 100, &hatched())), full());
    assert_eq!(put(&mut page, 3, &boxes("b", 45, &hatched())), Ok(()));
    assert_eq!(put(&mut page, 4, &boxes("c", 10, &hatched())), full());
    let plain = json!({ "type": "rectangle", "width": 600, "height": 600 });
    assert_eq!(put(&mut page, 5, &boxes("d", 500, &plain)), Ok(()));
    // Nor does one of them become more.
    let wider = json!({ "width": 800, "height": 1_100, "strokeWidth": 0.055 });
    let many = boxes("a", 30, &wider);
    assert_eq!(put(&mut page, 6, &many), full());
    let moved = json!({ "x": 10, "strokeColor": "blue" });
    assert_eq!(put(&mut page, 7, &boxes("a", 150, &moved)), Ok(()));
    let smaller = json!({ "width": 500 });
    assert_eq!(put(&mut page, 8, &boxes("a", 150, &smaller)), Ok(()));
    let gone = json!({ "isDeleted": true });
    assert_eq!(put(&mut page, 9, &boxes("a", 150, &gone)), Ok(()));
    assert_eq!(put(&mut page, 10, &boxes("e", 140, &hatched())), Ok(()));
    let back = json!({ "isDeleted": false });
    assert_eq!(put(&mut page, 11, &boxes("a", 150, &back)), full());
}

#[test]
fn strokes_that_become_many_in_light_steps_are_counted() {
    let mut page = page(Surface::Canvas);
    let start = json!({
        "type": "rectangle", "width": 4_000, "height": 3_900, "strokeWidth": 2,
        "backgroundColor": "red", "fillStyle": "solid"
    });
    put(&mut page, 1, &boxes("a", 600, &start)).unwrap();
    let client = page.doc().fork();
    let mut blobs = Vec::new();
    for at in 0..600 {
        // Neither is much alone: thin lines on a plain fill, and hatching of a few thick ones.
        for step in [
            json!({ "strokeWidth": 0.5 }),
            json!({ "fillStyle": "cross-hatch" }),
        ] {
            let steps = [edit(&format!("a{at}"), &step)];
            blobs.push(client.commit(2, None, &steps).unwrap().unwrap().update);
        }
    }
    let mut taken = 0;
    for some in blobs.chunks(7) {
        let updates: Vec<IncomingUpdate<'_>> = some
            .iter()
            .map(|blob| IncomingUpdate {
                blob,
                spans: blob_spans(blob).unwrap(),
                reads_page: false,
            })
            .collect();
        let outcomes = page.admit_all(&updates, &mut |_, _, _| Ok(()));
        taken += outcomes.iter().filter(|outcome| outcome.is_ok()).count();
    }
    // 7,900 strokes each: some 253 of them.
    assert!((500..520).contains(&taken), "{taken}");
}

#[test]
fn values_are_counted_for_the_page_wherever_they_are() {
    let mut page = page(Surface::Canvas);
    let noted = |count: usize| json!({ "customData": { "a": vec![0; count] } });
    let mut peer = 0;
    let mut refused = None;
    for round in 0..40 {
        let some: Vec<Edit> = (0..10)
            .map(|at| edit(&format!("r{round}-{at}"), &noted(9_990)))
            .collect();
        peer += 1;
        if let Err(code) = put(&mut page, peer, &some) {
            refused = Some((round, code));
            break;
        }
    }
    assert_eq!(refused, Some((30, "page-full".to_owned())));
    let gone = json!({ "isDeleted": true, "customData": null });
    assert_eq!(put(&mut page, 100, &[edit("r0-0", &gone)]), Ok(()));
    assert_eq!(put(&mut page, 101, &[edit("new", &noted(9_000))]), Ok(()));
    assert_eq!(put(&mut page, 102, &[edit("newer", &noted(9_990))]), full());
}

#[test]
fn formulas_and_marks_are_counted_for_a_block_and_for_a_page() {
    let mut page = page(Surface::Text);
    let among = |count: usize, mark: &str| {
        let marks: Vec<Value> = (0..count)
            .map(|at| json!([at * 2, at * 2 + 1, mark, true]))
            .collect();
        json!({ "nodeName": "paragraph", "originalText": "a ".repeat(count), "marks": marks })
    };
    let refused = || Err("bad-block".to_owned());
    assert_eq!(
        put(&mut page, 1, &[edit("a", &among(1_000, "tex"))]),
        Ok(())
    );
    assert_eq!(
        put(&mut page, 2, &[edit("b", &among(1_001, "tex"))]),
        refused()
    );
    assert_eq!(
        put(&mut page, 3, &[edit("b", &among(5_000, "bold"))]),
        Ok(())
    );
    assert_eq!(
        put(&mut page, 4, &[edit("c", &among(5_001, "bold"))]),
        refused()
    );
    for (peer, id) in (5..).zip(["c", "d", "e", "f"]) {
        assert_eq!(
            put(&mut page, peer, &[edit(id, &among(1_000, "tex"))]),
            Ok(())
        );
    }
    assert_eq!(put(&mut page, 10, &[edit("g", &among(1, "tex"))]), full());
    let formula = json!({ "nodeName": "formula", "originalText": "a" });
    assert_eq!(put(&mut page, 11, &[edit("g", &formula)]), full());
    let gone = json!({ "isDeleted": true });
    assert_eq!(put(&mut page, 12, &[edit("c", &gone)]), Ok(()));
    assert_eq!(put(&mut page, 13, &[edit("g", &formula)]), Ok(()));
    let back = json!({ "isDeleted": false });
    assert_eq!(put(&mut page, 14, &[edit("c", &back)]), full());
    let words = json!({ "nodeName": "paragraph", "originalText": "Words." });
    assert_eq!(put(&mut page, 15, &[edit("h", &words)]), Ok(()));
}

#[test]
fn what_a_page_had_before_there_were_limits_can_be_made_less() {
    let doc = PageDoc::new();
    doc.commit(1, None, &boxes("a", 300, &hatched())).unwrap();
    let mut page = GuardedPage::open(doc, Vec::new()).unwrap();
    assert_eq!(put(&mut page, 2, &[edit("b", &hatched())]), full());
    let solid = json!({ "fillStyle": "solid" });
    assert_eq!(put(&mut page, 3, &boxes("a", 10, &solid)), Ok(()));
    let gone = json!({ "isDeleted": true });
    assert_eq!(put(&mut page, 4, &boxes("a", 150, &gone)), Ok(()));
    assert_eq!(put(&mut page, 5, &[edit("b", &hatched())]), Ok(()));
    let denied = Refusal::Denied {
        code: "page-full",
        reason: String::new(),
    };
    assert_eq!(denied.recovery().as_str(), "ask");
}
