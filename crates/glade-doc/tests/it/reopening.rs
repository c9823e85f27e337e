//! Undos that are taken back.

use std::collections::BTreeMap;

use glade_doc::{
    ElementId, GuardedPage, OF_UNDO, PageDoc, Props, RollbackRequest, RolledBack, Surface,
    TouchKind,
};
use proptest::prelude::*;
use serde_json::json;

use crate::happenings::{Happening, happening, wish};
use crate::support::{
    ANN, FAIRY, SERVER, cancel, fairy, get, kept, live, live_ids, page, person, put, rect, restart,
    text as words_of, words,
};
use crate::world::{Owner, World, text_of};

fn undo(page: &mut GuardedPage, run: &str) -> RolledBack {
    page.undo(SERVER, &RollbackRequest::whole(run.into()))
        .unwrap()
}

fn reopen(page: &mut GuardedPage, run: &str) -> RolledBack {
    page.reopen(SERVER, &run.into()).unwrap()
}

/// A box of Ann's that the run moves, and one that it makes.
fn worked() -> GuardedPage {
    let mut page = page();
    person(
        &mut page,
        ANN,
        &[put("box", rect(1)), put("note", words_of("hello"))],
    );
    fairy(&mut page, "run_1", 1, &[put("box", json!({ "x": 2 }))]);
    fairy(&mut page, "run_1", 2, &[put("made", rect(7))]);
    fairy(
        &mut page,
        "run_1",
        3,
        &[put("note", json!({ "originalText": "hello world" }))],
    );
    page
}

#[test]
fn what_a_run_did_comes_back_and_is_pending_again() {
    let mut page = worked();
    let done = live(page.doc());
    undo(&mut page, "run_1");
    let undone = live(page.doc());
    let mut page = restart(&page);
    let report = reopen(&mut page, "run_1");
    assert_eq!(live(page.doc()), done);
    assert_eq!(report.kept, []);
    let touched = page.touched_elements(&"run_1".into());
    assert_eq!(touched, ["box".into(), "made".into(), "note".into()].into());
    let mut page = restart(&page);
    undo(&mut page, "run_1");
    assert_eq!(live(page.doc()), undone);
    reopen(&mut page, "run_1");
    assert_eq!(live(page.doc()), done);
}

#[test]
fn what_somebody_changed_since_the_undo_stays() {
    let mut page = worked();
    undo(&mut page, "run_1");
    person(&mut page, ANN, &[put("box", json!({ "x": 5 }))]);
    person(
        &mut page,
        ANN,
        &[put("note", json!({ "originalText": "hello you" }))],
    );
    let report = reopen(&mut page, "run_1");
    assert_eq!(report.kept, [kept("box", "x", ANN)]);
    assert_eq!(get(&page, "box", "x"), json!(5));
    assert_eq!(live_ids(&page), ["box", "made", "note"]);
    assert!(words(&page, "note").contains("you"));
    assert!(words(&page, "note").contains("world"));
}

#[test]
fn what_somebody_did_to_an_element_that_came_back_holds_it() {
    let mut page = worked();
    undo(&mut page, "run_1");
    reopen(&mut page, "run_1");
    person(&mut page, ANN, &[put("made", json!({ "x": 9 }))]);
    let report = undo(&mut page, "run_1");
    assert_eq!(report.kept, [kept("made", "x", ANN)]);
    assert_eq!(get(&page, "made", "x"), json!(9));
    assert_eq!(live_ids(&page), ["box", "made", "note"]);
}

#[test]
fn another_runs_later_work_stays_as_a_persons_does() {
    let mut page = worked();
    undo(&mut page, "run_1");
    fairy(&mut page, "run_2", 1, &[put("box", json!({ "x": 3 }))]);
    let report = reopen(&mut page, "run_1");
    assert_eq!(report.kept, [kept("box", "x", FAIRY)]);
    assert_eq!(get(&page, "box", "x"), json!(3));
    undo(&mut page, "run_2");
    assert_eq!(get(&page, "box", "x"), json!(1));
}

#[test]
fn a_cancelled_action_cannot_be_brought_back() {
    let mut page = worked();
    cancel(&mut page, "run_1", 2);
    assert!(page.touches().all(|row| row.action != OF_UNDO));
    assert_eq!(reopen(&mut page, "run_1").commit, None);
    assert_eq!(live_ids(&page), ["box", "note"]);
}

#[test]
fn parts_that_were_undone_come_back_together() {
    let mut page = worked();
    let done = live(page.doc());
    for element in ["made", "box"] {
        let part = RollbackRequest::part("run_1".into(), None, Some([element.into()].into()));
        page.undo(SERVER, &part).unwrap();
    }
    reopen(&mut page, "run_1");
    assert_eq!(live(page.doc()), done);
}

#[test]
fn a_run_that_is_kept_after_a_part_was_undone_stays_as_it_is() {
    let mut page = worked();
    let part = RollbackRequest::part("run_1".into(), None, Some(["made".into()].into()));
    page.undo(SERVER, &part).unwrap();
    page.settle(&"run_1".into());
    assert_eq!(page.touches().count(), 0);
    assert_eq!(reopen(&mut page, "run_1").commit, None);
}

#[test]
fn only_the_undos_of_late_are_remembered() {
    let mut page = page();
    person(&mut page, ANN, &[put("box", rect(0))]);
    for run in 0..50 {
        let name = format!("run_{run}");
        fairy(
            &mut page,
            &name,
            1,
            &[put(&format!("made_{run}"), rect(run))],
        );
        undo(&mut page, &name);
    }
    assert_eq!(page.touches().count(), 2 * 20);
    assert_eq!(reopen(&mut page, "run_29").commit, None);
    reopen(&mut page, "run_30");
    reopen(&mut page, "run_49");
    assert_eq!(live_ids(&page), ["box", "made_30", "made_49"]);
}

#[test]
fn an_element_that_waited_for_another_run_is_its_own_runs_again() {
    let mut page = page();
    fairy(&mut page, "run_1", 1, &[put("made", rect(1))]);
    fairy(&mut page, "run_1", 2, &[put("other", rect(2))]);
    let arrow = json!({ "type": "arrow", "startBinding": { "elementId": "made" } });
    fairy(&mut page, "run_2", 1, &[put("arrow", arrow)]);
    undo(&mut page, "run_1");
    assert_eq!(live_ids(&page), ["arrow", "made"]);
    reopen(&mut page, "run_1");
    undo(&mut page, "run_2");
    assert_eq!(live_ids(&page), ["made", "other"]);
    undo(&mut page, "run_1");
    assert_eq!(live_ids(&page), [""; 0]);
}

#[test]
fn words_and_marks_of_a_text_page_come_back_as_pending() {
    let block = |words: &str| json!({ "kind": "paragraph", "order": "a0", "originalText": words });
    let mut page = GuardedPage::open(PageDoc::blank(Surface::Text), Vec::new()).unwrap();
    person(&mut page, ANN, &[put("b", block("one two"))]);
    fairy(
        &mut page,
        "run_1",
        1,
        &[put("b", json!({ "originalText": "one three" }))],
    );
    fairy(&mut page, "run_1", 2, &[put("c", block("a block"))]);
    let done = live(page.doc());
    let pieces = |page: &GuardedPage| page.doc().words(&"b".into()).unwrap().to_delta();
    let marked = pieces(&page);
    undo(&mut page, "run_1");
    assert_eq!(words(&page, "b"), "one two");
    reopen(&mut page, "run_1");
    assert_eq!(live(page.doc()), done);
    assert_eq!(pieces(&page), marked);
    let run = "run_1".into();
    let typed = page.touches_of(&run);
    let typed = typed.filter(|row| matches!(row.kind, TouchKind::Text { .. }));
    assert_eq!(typed.count(), 2);
    undo(&mut page, "run_1");
    assert_eq!(words(&page, "b"), "one two");
    assert_eq!(live_ids(&page), ["b"]);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    /// With nobody between, reopening gives back exactly what undoing took, and undoing again is
    /// undoing once; across restarts and without the past.
    #[test]
    fn reopening_takes_an_undo_back(
        happenings in prop::collection::vec(happening(), 1..40),
        chosen in any::<prop::sample::Index>(),
        between in prop::option::of(any::<bool>()),
    ) {
        let mut world = World::new();
        for happening in &happenings {
            world.happen(happening);
        }
        let pause = |world: &mut World| match between {
            None => {}
            Some(true) => world.happen(&Happening::Restart),
            Some(false) => world.happen(&Happening::Compact),
        };
        world.sync(0);
        world.sync(1);
        let runs = world.runs();
        let run = chosen.get(&runs);
        let done = world.live();
        world.undo_for_now(run);
        let undone = world.live();
        for _ in 0..2 {
            pause(&mut world);
            let report = world.reopen(run);
            prop_assert_eq!(&world.live(), &done);
            prop_assert_eq!(report.kept, []);
            pause(&mut world);
            world.undo_for_now(run);
            prop_assert_eq!(&world.live(), &undone);
        }
    }

    /// Whatever people and fairies do between, reopening takes nothing of theirs, and gives back
    /// what nobody touched.
    #[test]
    fn reopening_keeps_what_others_did_since(
        happenings in prop::collection::vec(happening(), 1..30),
        chosen in any::<prop::sample::Index>(),
        since in prop::collection::vec((0..2usize, wish()), 0..12),
    ) {
        let mut world = World::new();
        for happening in &happenings {
            world.happen(happening);
        }
        world.sync(0);
        world.sync(1);
        let runs = world.runs();
        let run = chosen.get(&runs);
        let done = world.page.doc().elements();
        world.undo_for_now(run);
        let undone = world.page.doc().elements();
        world.owners.clear();
        for (who, wish) in since {
            world.sync(who);
            world.happen(&Happening::Person { who, wish });
            world.sync(who);
        }
        let before = world.page.doc().elements();
        world.reopen(run);
        let after = world.page.doc().elements();
        for ((element, property), owner) in &world.owners {
            prop_assert!(matches!(owner, Owner::Person(_)));
            prop_assert_eq!(before[element].get(property), after[element].get(property));
        }
        for (element, property) in changed(&done, &undone) {
            let written = world.owners.contains_key(&(element.clone(), property.clone()));
            let now = (undone[&element].get(&property), before[&element].get(&property));
            if !written && now.0 == now.1 {
                prop_assert_eq!(
                    done[&element].get(&property), after[&element].get(&property),
                    "{}.{} did not come back", element, property
                );
            }
        }
        for id in after.keys() {
            let Some(words) = text_of(world.page.doc(), id.as_str()) else { continue };
            let was = before.get(id).and_then(|props| props.get("originalText")?.as_str());
            for letter in was.unwrap_or_default().chars().filter(|it| world.typed.contains(it)) {
                let erased_by_the_run = done.get(id).is_none_or(|props| {
                    !props.get("originalText").is_some_and(|it| it.as_str().is_some_and(|it| it.contains(letter)))
                });
                prop_assert!(words.contains(letter) || erased_by_the_run, "{letter} is gone");
            }
        }
    }
}

/// The properties that differ.
fn changed(
    done: &BTreeMap<ElementId, Props>,
    undone: &BTreeMap<ElementId, Props>,
) -> Vec<(ElementId, String)> {
    let mut changed = Vec::new();
    for (id, props) in done {
        for (name, value) in props {
            if undone[id].get(name) != Some(value) {
                changed.push((id.clone(), name.clone()));
            }
        }
    }
    changed
}
