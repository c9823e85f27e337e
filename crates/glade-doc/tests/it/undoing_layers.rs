//! Rollback among several runs, actions and late writes.

use serde_json::json;

use crate::support::*;

#[test]
fn runs_lie_in_layers_whichever_is_undone_first() {
    for first in ["run_1", "run_2"] {
        let mut page = page();
        person(&mut page, ANN, &[put("a", rect(1))]);
        // The same peer drew both.
        fairy(&mut page, "run_1", 1, &[put("a", json!({"x": 5}))]);
        fairy(&mut page, "run_2", 1, &[put("a", json!({"x": 6}))]);
        page = restart(&page);
        let done = undo(&mut page, first);
        if first == "run_1" {
            assert_eq!(get(&page, "a", "x"), 6);
            assert_eq!(done.kept, [kept("a", "x", FAIRY)]);
            undo(&mut page, "run_2");
        } else {
            assert_eq!(get(&page, "a", "x"), 5);
            undo(&mut page, "run_1");
        }
        assert_eq!(get(&page, "a", "x"), 1);
    }
}

#[test]
fn a_box_held_by_another_pending_run_goes_with_that_run() {
    let mut page = page();
    fairy(&mut page, "run_1", 1, &[put("a", rect(1))]);
    write(
        &mut page,
        OTHER_FAIRY,
        Some(tag("run_2", 1)),
        &[put("a", json!({"x": 5}))],
    );
    let done = undo(&mut page, "run_1");
    assert_eq!(live_ids(&page), ["a"]);
    assert_eq!(done.kept, [kept("a", "x", OTHER_FAIRY)]);
    assert_eq!(page.touched_elements(&"run_1".into()), Default::default());
    page = restart(&page);
    undo(&mut page, "run_2");
    assert_eq!(live_ids(&page), Vec::<String>::new());
    assert_eq!(page.touches().count(), 0);
}

#[test]
fn a_box_held_by_a_run_that_is_then_kept_stays() {
    let mut page = page();
    fairy(&mut page, "run_1", 1, &[put("a", rect(1))]);
    write(
        &mut page,
        OTHER_FAIRY,
        Some(tag("run_2", 1)),
        &[put("a", json!({"x": 5}))],
    );
    undo(&mut page, "run_1");
    page.settle(&"run_2".into());
    assert_eq!(page.touches().count(), 0);
    undo(&mut page, "run_2");
    assert_eq!(live_ids(&page), ["a"]);
}

#[test]
fn a_kept_run_is_a_later_author_like_any_other() {
    let mut page = page();
    person(&mut page, ANN, &[put("a", rect(1))]);
    fairy(&mut page, "run_1", 1, &[put("a", json!({"x": 5}))]);
    write(
        &mut page,
        OTHER_FAIRY,
        Some(tag("run_2", 1)),
        &[put("a", json!({"x": 6}))],
    );
    let settled = page.settle(&"run_2".into());
    assert_eq!((settled.touches.len(), settled.forgotten.len()), (1, 1));
    let done = undo(&mut page, "run_1");
    assert_eq!(get(&page, "a", "x"), 6);
    assert_eq!(done.kept, [kept("a", "x", OTHER_FAIRY)]);
}

#[test]
fn cancel_of_an_action_leaves_the_rest_of_the_run_alone() {
    let mut page = page();
    person(&mut page, ANN, &[put("a", rect(1))]);
    fairy(
        &mut page,
        "run_1",
        1,
        &[put("a", json!({"x": 5})), put("b", rect(2))],
    );
    let before = live(page.doc());
    fairy(
        &mut page,
        "run_1",
        2,
        &[put("a", json!({"x": 6})), put("c", rect(3))],
    );
    fairy(
        &mut page,
        "run_1",
        2,
        &[
            put("a", json!({"x": 7})),
            put("c", json!({"width": 1})),
            put("b", json!({"y": 4})),
        ],
    );
    cancel(&mut page, "run_1", 2);
    assert_eq!(live(page.doc()), before);
    assert_eq!(
        page.touched_elements(&"run_1".into()),
        ["a".into(), "b".into()].into()
    );
    undo(&mut page, "run_1");
    assert_eq!(get(&page, "a", "x"), 1);
    assert_eq!(live_ids(&page), ["a"]);
}

#[test]
fn a_part_of_a_run_can_be_undone() {
    let mut page = page();
    fairy(
        &mut page,
        "run_1",
        1,
        &[put("a", rect(1)), put("b", rect(2))],
    );
    let request = glade_doc::RollbackRequest {
        elements: Some(["a".into()].into()),
        ..glade_doc::RollbackRequest::whole("run_1".into())
    };
    page.rollback(SERVER, &request).unwrap();
    assert_eq!(live_ids(&page), ["b"]);
    assert_eq!(page.touched_elements(&"run_1".into()), ["b".into()].into());
}

#[test]
fn a_late_write_that_loses_changes_nothing_in_the_book() {
    let mut page = page();
    person(&mut page, ANN, &[put("a", rect(1))]);
    let slow = page.doc().fork();
    let late = slow
        .commit(BEN, None, &[put("a", json!({"x": 3}))])
        .unwrap()
        .unwrap();
    for x in 4..9 {
        fairy(&mut page, "run_1", 1, &[put("a", json!({"x": x}))]);
    }
    admit(&mut page, &late.update);
    assert_eq!(get(&page, "a", "x"), 8);
    undo(&mut page, "run_1");
    assert_eq!(get(&page, "a", "x"), 1);
}

#[test]
fn the_rollbacks_own_commit_is_the_servers_and_carries_no_tag() {
    let mut page = page();
    let browser = page.doc().fork();
    fairy(&mut page, "run_1", 1, &[put("a", rect(1))]);
    browser
        .import(&page.doc().updates_since(&browser.version()).unwrap())
        .unwrap();
    let commit = undo(&mut page, "run_1").commit.unwrap();
    assert_eq!(
        (commit.peer, commit.from, commit.elements),
        (SERVER, 0, ["a".into()].into())
    );
    browser.import(&commit.update).unwrap();
    assert_eq!(browser.elements(), page.doc().elements());
    let change = page
        .doc()
        .loro()
        .get_change(loro::ID::new(SERVER, 0))
        .unwrap();
    assert_eq!(change.message, None);
}
