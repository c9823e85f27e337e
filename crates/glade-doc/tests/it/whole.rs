//! What an undo leaves is whole: people move, resize and relabel what runs drew, their browsers and those of
//! others write what follows, and then the runs are undone.

use std::collections::{BTreeMap, BTreeSet};

use glade_doc::{Edit, GuardedPage, PeerId, RollbackRequest};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::support::*;

const BOXES: usize = 4;
/// Of the second run, between boxes of the first.
const LAST_ARROW: usize = BOXES - 1;

#[derive(Debug, Clone)]
enum Act {
    Drag { on: usize, to: i32 },
    Resize { on: usize, to: i32 },
    Relabel { on: usize, word: char },
    RecolourArrow { on: usize },
}

/// An act, who does it, and whose browser writes what follows.
fn act() -> impl Strategy<Value = (Act, PeerId, PeerId)> {
    let on = || 0..BOXES;
    let act = prop_oneof![
        4 => (on(), 500..900).prop_map(|(on, to)| Act::Drag { on, to }),
        2 => (on(), 120..300).prop_map(|(on, to)| Act::Resize { on, to }),
        2 => (on(), prop::char::range('a', 'z')).prop_map(|(on, word)| Act::Relabel { on, word }),
        1 => on().prop_map(|on| Act::RecolourArrow { on }),
    ];
    let who = || prop_oneof![Just(ANN), Just(BEN)];
    (act, who(), who())
}

fn ends(arrow: usize) -> [String; 2] {
    [format!("b{arrow}"), format!("b{}", (arrow + 1) % BOXES)]
}

fn bound(to: &str, at: f64) -> Value {
    json!({"elementId": to, "fixedPoint": [at, 0.5], "mode": "orbit"})
}

fn arrow(on: usize) -> Edit {
    let [from, to] = ends(on);
    put(
        &format!("a{on}"),
        json!({"type": "arrow", "x": 0, "points": [[0, 0], [1, 1]], "strokeColor": "#000",
            "startBinding": bound(&from, 1.0), "endBinding": bound(&to, 0.0)}),
    )
}

/// A ring of labelled boxes, the first two in a frame. Another run draws the arrow that closes it.
fn drawn() -> GuardedPage {
    let mut page = page();
    fairy(
        &mut page,
        "run_1",
        1,
        &[put("f", json!({"type": "frame", "x": 0, "name": "Both"}))],
    );
    for on in 0..BOXES {
        let mut shape = rect(on as i32 * 200);
        shape["frameId"] = if on < 2 { json!("f") } else { Value::Null };
        let mut label = text(&format!("box {on}"));
        label["containerId"] = json!(format!("b{on}"));
        label["fontSize"] = json!(20);
        let (shape, label) = (put(&format!("b{on}"), shape), put(&format!("l{on}"), label));
        fairy(&mut page, "run_1", on as u32 + 2, &[shape]);
        fairy(&mut page, "run_1", on as u32 + 2, &[label]);
    }
    for on in 0..LAST_ARROW {
        fairy(&mut page, "run_1", 9, &[arrow(on)]);
    }
    let other = [arrow(LAST_ARROW)];
    write(&mut page, OTHER_FAIRY, Some(tag("run_2", 1)), &other);
    page
}

/// What an editor writes after a box was moved or resized: its label, and the arrows at it.
fn following(on: usize, to: i32) -> Vec<Edit> {
    let mut edits = vec![put(
        &format!("l{on}"),
        json!({"x": to + 5, "y": 7, "width": 40, "height": 25}),
    )];
    let name = format!("b{on}");
    for arrow in (0..BOXES).filter(|arrow| ends(*arrow).contains(&name)) {
        let [from, until] = ends(arrow);
        let at = f64::from(to) / 1000.0;
        edits.push(put(
            &format!("a{arrow}"),
            json!({"x": to, "y": 3, "width": to, "height": 9, "points": [[0, 0], [to, 9]],
                "startBinding": bound(&from, at), "endBinding": bound(&until, at)}),
        ));
    }
    edits
}

fn happen(page: &mut GuardedPage, act: &Act, by: PeerId, follower: PeerId) {
    let (mut own, followed) = match act {
        Act::Drag { on, to } => (
            vec![put(&format!("b{on}"), json!({"x": to}))],
            following(*on, *to),
        ),
        Act::Resize { on, to } => {
            let shape = put(&format!("b{on}"), json!({"width": to, "height": to}));
            let label = put(&format!("l{on}"), json!({"fontSize": to / 5}));
            (vec![shape, label], following(*on, *to))
        }
        Act::Relabel { on, word } => {
            let label = put(&format!("l{on}"), json!({"originalText": word.to_string()}));
            (
                vec![label, put(&format!("b{on}"), json!({"height": 90}))],
                Vec::new(),
            )
        }
        Act::RecolourArrow { on } => (
            vec![put(&format!("a{on}"), json!({"strokeColor": "red"}))],
            Vec::new(),
        ),
    };
    if by == follower {
        own.extend(followed);
        person(page, by, &own);
    } else {
        person(page, by, &own);
        person(page, follower, &followed);
    }
}

/// What stays once everything is undone: what people changed, and what belongs to it.
fn expected(acts: &[(Act, PeerId, PeerId)]) -> BTreeSet<String> {
    let mut stays = BTreeSet::new();
    let mut boxes = BTreeSet::new();
    for (act, ..) in acts {
        match act {
            Act::Drag { on, .. } | Act::Resize { on, .. } | Act::Relabel { on, .. } => {
                boxes.insert(*on);
            }
            Act::RecolourArrow { on } => {
                stays.insert(format!("a{on}"));
                // It hangs on both of its boxes.
                boxes.extend([*on, (*on + 1) % BOXES]);
            }
        }
    }
    if boxes.iter().any(|on| *on < 2) {
        stays.insert("f".to_owned());
    }
    stays.extend(
        boxes
            .iter()
            .flat_map(|on| [format!("b{on}"), format!("l{on}")]),
    );
    stays
}

fn assert_whole(page: &GuardedPage) -> Result<(), TestCaseError> {
    let live: BTreeSet<String> = live_ids(page).into_iter().collect();
    for on in 0..BOXES {
        let (shape, label) = (format!("b{on}"), format!("l{on}"));
        prop_assert_eq!(live.contains(&shape), live.contains(&label), "{}", shape);
        if live.contains(&format!("a{on}")) {
            let loose: Vec<String> = ends(on)
                .into_iter()
                .filter(|end| !live.contains(end))
                .collect();
            prop_assert!(loose.is_empty(), "a{} hangs on {:?}", on, loose);
        }
    }
    Ok(())
}

/// Where people put boxes, and what they wrote on them, the last of each.
fn wishes(acts: &[(Act, PeerId, PeerId)]) -> BTreeMap<(String, &'static str), Value> {
    let mut wishes = BTreeMap::new();
    for (act, ..) in acts {
        match act {
            Act::Drag { on, to } => wishes.insert((format!("b{on}"), "x"), json!(to)),
            Act::Resize { on, to } => wishes.insert((format!("b{on}"), "width"), json!(to)),
            Act::Relabel { on, word } => {
                wishes.insert((format!("l{on}"), "originalText"), json!(word.to_string()))
            }
            Act::RecolourArrow { on } => {
                wishes.insert((format!("a{on}"), "strokeColor"), json!("red"))
            }
        };
    }
    wishes
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_an_undo_leaves_is_whole_and_what_only_followed_is_gone(
        acts in prop::collection::vec(act(), 0..8),
        first in prop::bool::ANY,
        restarts in prop::bool::ANY,
    ) {
        let mut page = drawn();
        for (act, by, follower) in &acts {
            happen(&mut page, act, *by, *follower);
        }
        let runs = if first { ["run_1", "run_2"] } else { ["run_2", "run_1"] };
        for run in runs {
            undo(&mut page, run);
            assert_whole(&page)?;
            if restarts {
                page = restart(&page);
            }
        }
        let left: BTreeSet<String> = live_ids(&page).into_iter().collect();
        prop_assert_eq!(left, expected(&acts));
        for ((id, property), value) in wishes(&acts) {
            prop_assert_eq!(get(&page, &id, property), value, "{}.{}", id, property);
        }
        prop_assert_eq!(page.touches().count(), 0);
    }

    #[test]
    fn an_undo_that_is_taken_back_leaves_the_page_as_it_was(
        acts in prop::collection::vec(act(), 0..8),
    ) {
        let mut page = drawn();
        for (act, by, follower) in &acts {
            happen(&mut page, act, *by, *follower);
        }
        let before = live(page.doc());
        let whole = RollbackRequest::whole("run_1".into());
        page.undo(SERVER, &whole).unwrap();
        let undone = live(page.doc());
        page.reopen(SERVER, &"run_1".into()).unwrap();
        prop_assert_eq!(live(page.doc()), before);
        page.undo(SERVER, &whole).unwrap();
        prop_assert_eq!(live(page.doc()), undone);
    }
}

#[test]
fn a_moved_box_keeps_its_label_and_is_told_of_alone() {
    let mut page = drawn();
    happen(&mut page, &Act::Drag { on: 2, to: 640 }, ANN, BEN);
    undo(&mut page, "run_2");
    let done = undo(&mut page, "run_1");
    assert_eq!(live_ids(&page), ["b2", "l2"]);
    assert_eq!(words(&page, "l2"), "box 2");
    assert_eq!(done.kept, [kept("b2", "x", ANN)]);
}

#[test]
fn an_arrow_that_a_person_ties_to_another_box_is_theirs() {
    let mut page = drawn();
    person(
        &mut page,
        ANN,
        &[put("a0", json!({"endBinding": bound("b3", 0.5)}))],
    );
    undo(&mut page, "run_2");
    undo(&mut page, "run_1");
    assert_eq!(live_ids(&page), ["a0", "b0", "b3", "f", "l0", "l3"]);
}
