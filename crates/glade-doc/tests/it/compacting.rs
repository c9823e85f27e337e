//! Letting go of a page's past.

use glade_doc::{Edit, GuardedPage, PageDoc, Refusal, Surface};
use serde_json::json;

use crate::support::{anyone, person, put};

fn dragged(page: &mut GuardedPage, peer: u64, times: i32) {
    for x in 0..times {
        person(
            page,
            peer,
            &[put("a", json!({"type": "rectangle", "x": x}))],
        );
    }
}

fn reopened(page: &GuardedPage) -> GuardedPage {
    let compacted = page.doc().compacted(&[]).unwrap().unwrap();
    GuardedPage::open(compacted.doc, Vec::new()).unwrap()
}

#[test]
fn a_long_past_goes_and_what_is_there_stays() {
    let mut page = crate::support::page();
    dragged(&mut page, 1, 2000);
    let whole = page.doc().snapshot().unwrap().len();
    let compacted = reopened(&page);
    assert_eq!(compacted.doc().elements(), page.doc().elements());
    assert_eq!(
        compacted.doc().loro().oplog_vv(),
        page.doc().loro().oplog_vv()
    );
    assert!(page.doc().history() > 2000);
    assert!(
        compacted.doc().history() < 10,
        "{}",
        compacted.doc().history()
    );
    assert!(compacted.doc().snapshot().unwrap().len() * 4 < whole);
    assert!(
        compacted.doc().compacted(&[]).unwrap().is_none(),
        "once is enough"
    );
}

#[test]
fn a_new_replica_takes_the_state_and_one_from_before_is_behind() {
    let mut page = crate::support::page();
    dragged(&mut page, 1, 5);
    let early = page.doc().fork();
    dragged(&mut page, 2, 5);
    let late = page.doc().fork();
    let mut compacted = reopened(&page);

    assert!(compacted.doc().is_behind(&early.version()).unwrap());
    assert!(!compacted.doc().is_behind(&late.version()).unwrap());
    assert!(!compacted.doc().is_behind(&[]).unwrap());
    assert!(
        !compacted
            .doc()
            .is_behind(&PageDoc::new().version())
            .unwrap()
    );
    assert!(compacted.doc().is_behind(b"nonsense").is_err());
    assert!(!page.doc().is_behind(&early.version()).unwrap());

    let new = PageDoc::new();
    let came = new
        .import(&compacted.doc().updates_since(&[]).unwrap())
        .unwrap();
    assert_eq!(came, ["a".into()].into());
    assert_eq!(new.elements(), page.doc().elements());
    // Both go on as ever.
    for (peer, replica) in [(11, &new), (12, &late)] {
        let commit = replica
            .commit(peer, None, &[put("a", json!({"y": peer}))])
            .unwrap()
            .unwrap();
        compacted.admit(&commit.update, &mut anyone).unwrap();
        let rest = compacted.doc().updates_since(&late.version()).unwrap();
        late.import(&rest).unwrap();
        let rest = compacted.doc().updates_since(&new.version()).unwrap();
        new.import(&rest).unwrap();
    }
    assert_eq!(new.elements(), compacted.doc().elements());
    assert_eq!(late.elements(), compacted.doc().elements());

    // What was made on the past is refused, and the page goes on.
    let commit = early
        .commit(13, None, &[put("a", json!({"y": 13}))])
        .unwrap()
        .unwrap();
    let refused = compacted.admit(&commit.update, &mut anyone).unwrap_err();
    assert!(matches!(refused, Refusal::MissingHistory), "{refused}");
    dragged(&mut compacted, 14, 3);
}

#[test]
fn the_past_of_a_pending_run_stays() {
    let mut page = crate::support::page();
    dragged(&mut page, 1, 100);
    let begin = page.doc().version();
    dragged(&mut page, 2, 100);
    let pending = [(2, 0)];
    let compacted = page.doc().compacted(&pending).unwrap().unwrap();
    let compacted = PageDoc::open(Surface::Canvas, Some(&compacted.snapshot), &[]).unwrap();
    // Whoever was there when the run began can still follow it.
    assert!(!compacted.is_behind(&begin).unwrap());
    let follower = PageDoc::new();
    let mut twin = crate::support::page();
    dragged(&mut twin, 1, 100);
    follower
        .import(&twin.doc().updates_since(&[]).unwrap())
        .unwrap();
    follower
        .import(&compacted.updates_since(&begin).unwrap())
        .unwrap();
    assert_eq!(follower.elements(), page.doc().elements());
    assert!(compacted.history() >= 100 && compacted.history() < page.doc().history());
}

#[test]
fn a_text_page_is_still_one_when_its_past_is_gone() {
    let mut page = GuardedPage::open(PageDoc::blank(Surface::Text), Vec::new()).unwrap();
    let paragraph =
        json!({"nodeName": "paragraph", "index": "a0", "parent": null, "originalText": ""});
    person(&mut page, 1, &[put("p", paragraph)]);
    let mut base = String::new();
    for n in 0..300 {
        let text = format!("Sentence {n} of a long page");
        let rewrite = Edit::Rewrite {
            id: "p".into(),
            base: std::mem::replace(&mut base, text.clone()),
            text,
            marks: None,
        };
        person(&mut page, 2, &[rewrite]);
    }
    let before = page.doc().elements();
    assert_eq!(before.len(), 1);

    let mut compacted = reopened(&page);
    assert_eq!(compacted.doc().surface(), Surface::Text);
    assert_eq!(compacted.doc().elements(), before);
    assert!(compacted.doc().history() < page.doc().history() / 2);

    // Everything that changes a page goes on: those who were there, and a newcomer.
    let newcomer = PageDoc::blank(Surface::Text);
    newcomer
        .import(&compacted.doc().updates_since(&[]).unwrap())
        .unwrap();
    for (peer, replica) in [(3, page.doc().fork()), (4, newcomer)] {
        let rewrite = Edit::Rewrite {
            id: "p".into(),
            base: base.clone(),
            text: format!("{base}, by {peer}"),
            marks: None,
        };
        let commit = replica.commit(peer, None, &[rewrite]).unwrap().unwrap();
        compacted.admit(&commit.update, &mut anyone).unwrap();
    }
    let words = compacted.doc().elements()[&"p".into()]["originalText"].clone();
    let words = words.as_str().unwrap();
    assert!(words.contains("by 3") && words.contains("by 4"), "{words}");
}
