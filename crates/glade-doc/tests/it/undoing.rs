//! Rollback of registers and of elements.

use serde_json::{Value, json};

use crate::support::*;

#[test]
fn undo_of_a_run_puts_back_what_it_changed_and_deletes_what_it_made() {
    let mut page = page();
    person(&mut page, ANN, &[put("a", rect(1))]);
    let before = live(page.doc());
    fairy(
        &mut page,
        "run_1",
        1,
        &[put("a", json!({"x": 5, "opacity": 50}))],
    );
    fairy(&mut page, "run_1", 2, &[put("b", rect(7)), delete("a")]);
    assert_eq!(live_ids(&page), ["b"]);

    let done = undo(&mut page, "run_1");

    assert_eq!(live(page.doc()), before);
    assert_eq!(done.undone, ["a".into(), "b".into()].into());
    assert_eq!(done.kept, []);
    assert_eq!(page.touches().count(), 0);
    let again = undo(&mut page, "run_1");
    assert_eq!((again.commit, again.undone.len()), (None, 0));
}

#[test]
fn a_register_that_was_absent_goes_back_to_null() {
    let mut page = page();
    person(&mut page, ANN, &[put("a", rect(1))]);
    fairy(
        &mut page,
        "run_1",
        1,
        &[put("a", json!({"link": "https://x"}))],
    );
    undo(&mut page, "run_1");
    assert_eq!(
        page.doc().element(&"a".into()).unwrap().get("link"),
        Some(&Value::Null)
    );
}

#[test]
fn undo_keeps_the_persons_later_edit_and_says_so() {
    let mut page = page();
    person(&mut page, ANN, &[put("a", rect(1))]);
    fairy(
        &mut page,
        "run_1",
        1,
        &[put("a", json!({"x": 5, "strokeColor": "red"}))],
    );
    person(&mut page, BEN, &[put("a", json!({"strokeColor": "blue"}))]);

    let done = undo(&mut page, "run_1");

    assert_eq!(get(&page, "a", "strokeColor"), "blue");
    assert_eq!(get(&page, "a", "x"), 1);
    assert_eq!(done.kept, [kept("a", "strokeColor", BEN)]);
}

#[test]
fn an_action_that_writes_over_a_person_goes_back_to_the_persons_value() {
    let mut page = page();
    person(&mut page, ANN, &[put("a", rect(1))]);
    fairy(&mut page, "run_1", 1, &[put("a", json!({"x": 5}))]);
    person(&mut page, ANN, &[put("a", json!({"x": 6}))]);
    fairy(&mut page, "run_1", 1, &[put("a", json!({"x": 7}))]);
    undo(&mut page, "run_1");
    assert_eq!(get(&page, "a", "x"), 6);
}

#[test]
fn a_recoloured_box_is_kept_whole_and_the_rest_of_the_run_goes() {
    let mut page = page();
    fairy(
        &mut page,
        "run_1",
        1,
        &[put("a", rect(1)), put("b", rect(2))],
    );
    fairy(&mut page, "run_1", 2, &[put("a", json!({"x": 9}))]);
    person(&mut page, ANN, &[put("a", json!({"strokeColor": "red"}))]);

    let done = undo(&mut page, "run_1");

    assert_eq!(live_ids(&page), ["a"]);
    assert_eq!(get(&page, "a", "x"), 9);
    assert_eq!(done.kept, [kept("a", "strokeColor", ANN)]);
    assert_eq!(done.undone, ["b".into()].into());
    assert_eq!(page.touches().count(), 0);
}

#[test]
fn a_box_whose_words_a_person_edited_is_kept() {
    let mut page = page();
    fairy(&mut page, "run_1", 1, &[put("t", text("Order"))]);
    person(
        &mut page,
        ANN,
        &[put("t", json!({"originalText": "Orders"}))],
    );
    let done = undo(&mut page, "run_1");
    assert_eq!(words(&page, "t"), "Orders");
    assert_eq!(done.kept, [kept("t", "originalText", ANN)]);
}

#[test]
fn a_persons_arrow_or_label_keeps_the_box_it_hangs_on() {
    for hanging in [
        json!({"type": "arrow", "endBinding": {"elementId": "a", "fixedPoint": [0, 0.5], "mode": "orbit"}}),
        json!({"type": "text", "containerId": "a", "originalText": "mine"}),
    ] {
        let mut page = page();
        fairy(
            &mut page,
            "run_1",
            1,
            &[put("a", rect(1)), put("b", rect(2))],
        );
        person(&mut page, ANN, &[put("h", hanging.clone())]);
        let done = undo(&mut page, "run_1");
        assert_eq!(live_ids(&page), ["a", "h"]);
        assert_eq!(done.kept.len(), 1);
        assert_eq!((done.kept[0].what.as_str(), done.kept[0].by), ("a", ANN));
    }
}

#[test]
fn a_runs_own_arrows_and_labels_keep_nothing() {
    let mut page = page();
    let arrow = json!({"type": "arrow", "startBinding": {"elementId": "a"}, "endBinding": {"elementId": "b"}});
    fairy(
        &mut page,
        "run_1",
        1,
        &[put("a", rect(1)), put("b", rect(2))],
    );
    fairy(&mut page, "run_1", 2, &[put("r", arrow)]);
    fairy(
        &mut page,
        "run_1",
        3,
        &[put(
            "l",
            json!({"type": "text", "containerId": "a", "originalText": "A"}),
        )],
    );
    undo(&mut page, "run_1");
    assert_eq!(live_ids(&page), Vec::<String>::new());
}

#[test]
fn a_label_kept_for_a_person_keeps_its_container() {
    let mut page = page();
    fairy(
        &mut page,
        "run_1",
        1,
        &[
            put("a", rect(1)),
            put(
                "l",
                json!({"type": "text", "containerId": "a", "originalText": "A"}),
            ),
            put("b", rect(2)),
        ],
    );
    person(&mut page, ANN, &[put("l", json!({"originalText": "Ada"}))]);
    undo(&mut page, "run_1");
    assert_eq!(live_ids(&page), ["a", "l"]);
}

#[test]
fn derived_writes_keep_nothing_alive() {
    let mut page = page();
    person(&mut page, ANN, &[put("p", rect(1))]);
    fairy(
        &mut page,
        "run_1",
        1,
        &[
            put("a", rect(1)),
            put(
                "l",
                json!({"type": "text", "containerId": "a", "originalText": "A", "width": 10}),
            ),
        ],
    );
    fairy(
        &mut page,
        "run_1",
        2,
        &[put(
            "r",
            json!({"type": "arrow", "x": 0, "startBinding": {"elementId": "p"}, "endBinding": {"elementId": "a"}, "points": [[0, 0], [1, 1]]}),
        )],
    );
    // A person moves their own box; their editor drags the arrow's end and the label along.
    person(
        &mut page,
        ANN,
        &[
            put("p", json!({"x": 50})),
            put("r", json!({"x": 50, "points": [[0, 0], [9, 9]]})),
            put("l", json!({"x": 3, "width": 12})),
        ],
    );
    let done = undo(&mut page, "run_1");
    assert_eq!(live_ids(&page), ["p"]);
    assert_eq!(done.kept, []);
}

#[test]
fn a_derived_write_over_a_deliberate_one_does_not_count() {
    let mut page = page();
    person(
        &mut page,
        ANN,
        &[
            put("c", rect(1)),
            put(
                "l",
                json!({"type": "text", "containerId": "c", "originalText": "A"}),
            ),
        ],
    );
    fairy(&mut page, "run_1", 1, &[put("c", json!({"height": 70}))]);
    // Typing into the label makes its container grow.
    person(
        &mut page,
        ANN,
        &[
            put("l", json!({"originalText": "A\nB"})),
            put("c", json!({"height": 90})),
        ],
    );
    let done = undo(&mut page, "run_1");
    assert_eq!(get(&page, "c", "height"), 50);
    assert_eq!(done.kept, []);
}

#[test]
fn an_order_repair_does_not_count_but_a_reorder_does() {
    for (index, stays) in [("a1", false), ("a2", true)] {
        let mut page = page();
        person(
            &mut page,
            ANN,
            &[put("p", json!({"type": "rectangle", "index": "a1"}))],
        );
        fairy(
            &mut page,
            "run_1",
            1,
            &[put("a", json!({"type": "rectangle", "index": index}))],
        );
        person(&mut page, ANN, &[put("a", json!({"index": "a3"}))]);
        undo(&mut page, "run_1");
        assert_eq!(live_ids(&page).contains(&"a".to_owned()), stays);
    }
}

#[test]
fn what_a_person_deleted_stays_deleted() {
    let mut page = page();
    fairy(&mut page, "run_1", 1, &[put("a", rect(1))]);
    person(&mut page, ANN, &[delete("a")]);
    let done = undo(&mut page, "run_1");
    assert_eq!(live_ids(&page), Vec::<String>::new());
    assert_eq!((done.commit, done.kept), (None, vec![]));
}

#[test]
fn the_houses_own_upkeep_keeps_nothing_and_covers_nothing() {
    let mut page = page();
    person(&mut page, ANN, &[put("p", rect(1))]);
    fairy(
        &mut page,
        "run_1",
        1,
        &[put("a", rect(1)), put("p", json!({"height": 70}))],
    );
    let replica = page.doc().fork();
    let upkeep = [
        put("a", json!({"height": 60})),
        put("p", json!({"height": 80})),
    ];
    let commit = replica.commit(SERVER, None, &upkeep).unwrap().unwrap();
    page.admit_derived(&commit.update, &mut anyone).unwrap();
    let done = undo(&mut page, "run_1");
    assert_eq!(live_ids(&page), ["p"]);
    assert_eq!(get(&page, "p", "height"), 50);
    assert_eq!(done.kept, []);
}

#[test]
fn a_tie_made_after_an_undo_holds_against_the_next() {
    let mut page = page();
    person(&mut page, ANN, &[put("arrow", rect(0))]);
    fairy(&mut page, "run_1", 1, &[put("a", rect(1))]);
    assert_eq!(undo(&mut page, "run_1").kept, []);
    fairy(&mut page, "run_2", 1, &[put("b", rect(2))]);
    let binding = json!({ "startBinding": { "elementId": "b" } });
    person(&mut page, ANN, &[put("arrow", binding)]);
    assert_eq!(
        undo(&mut page, "run_2").kept,
        [kept("b", "startBinding", ANN)]
    );
}
