//! Flows, neat and bound.

use std::collections::BTreeSet;

use glade_canvas::{ElementKind, Rect};
use proptest::prelude::*;

use crate::page::{Page, VIEW};

fn pair(from: &str, to: &str) -> (String, String) {
    (from.to_owned(), to.to_owned())
}

#[test]
fn the_first_flow_is_drawn_box_by_box_with_bound_arrows() {
    let mut page = Page::new();
    page.ask("Draw a flow: Order -> Pay -> Ship");
    assert_eq!(page.said, "Here comes a flow of 3 steps.");
    assert_eq!(page.arrows(), [pair("Order", "Pay"), pair("Pay", "Ship")]);
    let boxes = ["Order", "Pay", "Ship"].map(|name| page.shape(name).rect());
    assert!(
        boxes.windows(2).all(|two| two[0].right() + 40.0 < two[1].x),
        "left to right: {boxes:?}"
    );
    assert!(
        boxes.iter().all(|rect| VIEW.contains_rect(rect)),
        "where the person looks: {boxes:?}"
    );
    assert_eq!((page.overlaps(), page.spilling()), (vec![], vec![]));
    let done: Vec<&str> = page
        .actions
        .iter()
        .filter_map(|note| note.strip_prefix("Done "))
        .collect();
    assert_eq!(
        done,
        [
            "drew Order",
            "drew Pay",
            "drew an arrow",
            "drew Ship",
            "drew an arrow"
        ]
    );
}

#[test]
fn a_second_flow_keeps_clear_of_the_first() {
    let mut page = Page::new();
    page.ask("Draw a flow: Order -> Pay -> Ship");
    page.ask("Draw a flow: A -> B -> C; B -> D");
    page.ask("Draw a flow: Order 2 -> Pay 2 -> Ship 2");
    assert_eq!(page.overlaps(), []);
    assert_eq!(page.of_kind(ElementKind::Arrow).len(), 7);
}

#[test]
fn a_flow_goes_on_from_what_is_there() {
    let mut page = Page::new();
    page.ask("Draw a flow: Order -> Pay -> Ship");
    page.ask("Pay -> Refund: no");
    assert_eq!(page.arrows().last().unwrap(), &pair("Pay", "Refund"));
    assert!(page.says("no"));
    page.ask("connect Refund to Order");
    assert_eq!(page.said, "Connecting Refund to Order.");
    assert_eq!(page.arrows().last().unwrap(), &pair("Refund", "Order"));
    page.ask("connect Refund to Order");
    assert_eq!(page.said, "These are connected already.");
    assert_eq!((page.arrows().len(), page.overlaps()), (4, vec![]));
}

#[test]
fn a_long_chain_stays_about_as_wide_as_the_view() {
    let mut page = Page::new();
    let names: Vec<String> = (1..=12).map(|number| format!("Step {number}")).collect();
    page.ask(&format!("Draw: {}", names.join(" -> ")));
    assert_eq!((page.arrows().len(), page.overlaps()), (11, vec![]));
    let all = names
        .iter()
        .map(|name| page.shape(name).rect())
        .reduce(|all, one| all.union(&one))
        .unwrap();
    assert!(all.w <= VIEW.w, "{all:?}");
}

#[test]
fn questions_are_diamonds_that_hold_their_words() {
    let mut page = Page::new();
    page.ask("Draw a flow: Order -> Is it paid in full already? -> Ship");
    assert_eq!(
        page.shape("Is it paid in full already?").kind(),
        ElementKind::Diamond
    );
    assert_eq!((page.overlaps(), page.spilling()), (vec![], vec![]));
}

#[test]
fn it_says_honestly_what_it_cannot_do() {
    let mut page = Page::new();
    page.ask("Write me a poem about Lisbon");
    assert!(page.said.contains("rule-based"), "{}", page.said);
    assert_eq!(page.scene.live_count(), 0);
}

fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "[A-Z][a-z]{1,9}( [a-z]{1,9}){0,3}",
        1 => "[A-Z][a-z]{30,60}",
        1 => "[\\p{Lu}][\\p{Ll}]{1,8}\\??",
    ]
}

fn graph() -> impl Strategy<Value = (Vec<String>, Vec<(usize, usize)>)> {
    proptest::collection::btree_map("[a-z]{1,40}", name(), 2..9).prop_flat_map(|names| {
        let mut seen = BTreeSet::new();
        let names: Vec<String> = names
            .into_values()
            .filter(|name| seen.insert(name.to_lowercase()))
            .collect();
        let count = names.len();
        let edges = proptest::collection::vec((0..count, 0..count), 1..12);
        (Just(names), edges)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    /// Random names and ways, random things in the way: nothing overlaps, every arrow is bound to
    /// both of its boxes, every name is shown once and fits.
    #[test]
    fn any_flow_is_drawn_neatly_around_what_is_there(
        (names, ways) in graph(),
        chain in any::<bool>(),
        obstacles in proptest::collection::vec((-800..1500i32, -400..1600i32, 1..400i32, 1..400i32), 0..12),
    ) {
        let mut page = Page::new();
        let mut free: Vec<Rect> = Vec::new();
        for (number, (x, y, w, h)) in obstacles.into_iter().enumerate() {
            let rect = Rect::new(f64::from(x) + 0.3, f64::from(y) + 0.7, f64::from(w), f64::from(h));
            if free.iter().all(|other| !other.intersects(&rect)) {
                page.put(&format!("o{number:02}"), rect);
                free.push(rect);
            }
        }
        let (message, mut expected) = if chain {
            let ways: Vec<(usize, usize)> = (1..names.len()).map(|at| (at - 1, at)).collect();
            (names.join(" -> "), ways)
        } else {
            let lines: Vec<String> = ways.iter().map(|(from, to)| format!("{} -> {}", names[*from], names[*to])).collect();
            (lines.join("\n"), ways)
        };
        expected.sort_unstable();
        expected.dedup();
        page.ask(&format!("Draw a flow:\n{message}"));
        prop_assert_eq!(page.overlaps(), vec![]);
        prop_assert_eq!(page.spilling(), Vec::<String>::new());
        let mut arrows = page.arrows();
        arrows.sort();
        let mut expected: Vec<(String, String)> =
            expected.into_iter().map(|(from, to)| (names[from].clone(), names[to].clone())).collect();
        expected.sort();
        prop_assert_eq!(&arrows, &expected);
        for name in expected.iter().flat_map(|(from, to)| [from, to]) {
            page.shape(name);
        }
    }
}
