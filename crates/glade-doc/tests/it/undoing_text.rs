//! Rollback of the characters of elements that were there before.

use serde_json::json;

use crate::support::*;

fn with_text(before: &str) -> glade_doc::GuardedPage {
    let mut page = page();
    person(&mut page, ANN, &[put("t", text(before))]);
    page
}

fn says(page: &mut glade_doc::GuardedPage, run: &str, action: u32, now: &str) {
    fairy(page, run, action, &[put("t", json!({"originalText": now}))]);
}

#[test]
fn undo_takes_a_fairys_letters_and_brings_back_those_it_deleted() {
    let mut page = with_text("the old words stay");
    says(&mut page, "run_1", 1, "the new words stay and grow");
    says(&mut page, "run_1", 2, "new words grow");
    undo(&mut page, "run_1");
    assert_eq!(words(&page, "t"), "the old words stay");
    assert_eq!(page.touches().count(), 0);
}

#[test]
fn letters_typed_by_a_person_inside_the_fairys_text_stay() {
    let mut page = with_text("a-z");
    says(&mut page, "run_1", 1, "a fairy wrote this z");
    person(
        &mut page,
        BEN,
        &[put(
            "t",
            json!({"originalText": "a fairy NOT wrote this z"}),
        )],
    );
    undo(&mut page, "run_1");
    assert_eq!(words(&page, "t"), "a-NOT z");
}

#[test]
fn cancelled_then_undone_leaves_no_letter_of_the_run() {
    let mut page = with_text("start");
    says(&mut page, "run_1", 1, "start hello");
    says(&mut page, "run_1", 2, "start help!");
    cancel(&mut page, "run_1", 2);
    assert_eq!(words(&page, "t"), "start hello");
    page = restart(&page);
    undo(&mut page, "run_1");
    assert_eq!(words(&page, "t"), "start");
}

#[test]
fn what_another_run_deleted_and_its_author_undid_does_not_come_back() {
    for order in [["run_1", "run_2"], ["run_2", "run_1"]] {
        let mut page = with_text("start");
        says(&mut page, "run_1", 1, "start abc");
        write(
            &mut page,
            OTHER_FAIRY,
            Some(tag("run_2", 1)),
            &[put("t", json!({"originalText": "tart"}))],
        );
        for run in order {
            page = restart(&page);
            undo(&mut page, run);
        }
        assert_eq!(words(&page, "t"), "start");
    }
}

#[test]
fn what_a_person_deleted_too_stays_deleted() {
    let mut page = with_text("one two three");
    let slow = page.doc().fork();
    says(&mut page, "run_1", 1, "one three");
    let late = slow
        .commit(BEN, None, &[put("t", json!({"originalText": "one three"}))])
        .unwrap()
        .unwrap();
    admit(&mut page, &late.update);
    undo(&mut page, "run_1");
    assert_eq!(words(&page, "t"), "one three");
}

#[test]
fn a_kept_runs_deletion_is_final() {
    let mut page = with_text("one two");
    says(&mut page, "run_1", 1, "one two three");
    write(
        &mut page,
        OTHER_FAIRY,
        Some(tag("run_2", 1)),
        &[put("t", json!({"originalText": "two three"}))],
    );
    page.settle(&"run_2".into());
    undo(&mut page, "run_1");
    assert_eq!(words(&page, "t"), "two");
}

#[test]
fn neighbours_deleted_by_two_actions_come_back_in_their_order() {
    let mut page = with_text("xabcdy");
    says(&mut page, "run_1", 1, "xcdy");
    says(&mut page, "run_1", 2, "xy");
    page = restart(&page);
    undo(&mut page, "run_1");
    assert_eq!(words(&page, "t"), "xabcdy");
}

#[test]
fn letters_beyond_the_basic_plane_are_counted_as_one() {
    let mut page = with_text("👋🏽 hello 🌍");
    says(&mut page, "run_1", 1, "👋🏽 🧚 🌍!");
    person(
        &mut page,
        BEN,
        &[put("t", json!({"originalText": "👋🏽 🧚🎉 🌍!"}))],
    );
    undo(&mut page, "run_1");
    let now = words(&page, "t");
    assert_eq!(
        now.chars().filter(|c| *c != '🎉').collect::<String>(),
        "👋🏽 hello 🌍"
    );
    assert!(now.contains('🎉'));
}
