//! Mind maps, tables, timelines, single shapes, and arranging: on a page, through the agent core.

use glade_canvas::lint;
use proptest::prelude::*;

use crate::page::Page;

/// What a newcomer would write, and how many shapes with words come of it.
const ASKED: [(&str, usize); 12] = [
    ("Mind map of Party: food, music, guests, place", 5),
    (
        "draw a mind map\nTrip to Rome\n  Sights\n    Colosseum\n    Forum\n  Food\n    Pizza\n  Hotel\n",
        7,
    ),
    (
        "mindmap about a very long topic that surely needs to be wrapped: one, two",
        3,
    ),
    ("Timeline: 2019 Founded, 2020 First customer, 2021 Sold", 6),
    (
        "make a timeline\n- Monday: plan\n- Tuesday: build and test everything we have\n- Friday: ship",
        6,
    ),
    ("roadmap: research, prototype, beta, launch", 4),
    ("Table: Name, Age; Ann, 31; Ben, 29", 6),
    (
        "| Task | Who |\n|---|---|\n| Write the introduction to the report | Ann |\n| Review | Ben |",
        6,
    ),
    (
        "a table\nFruits\n  Apple\n  Pear\nVegetables\n  Carrot\n",
        5,
    ),
    ("Add a green circle called Start", 1),
    (
        "draw three diamonds: Is it red?, Is it blue?, Is it any other colour?",
        3,
    ),
    (
        "flowchart TD\nA[Start] --> B{Works?}\nB -->|yes| C[Ship it]\nB -->|no| D[Fix it]\nD --> B",
        6,
    ),
];

fn lints(page: &Page) -> Vec<String> {
    let found = lint::lints(&page.scene);
    found.iter().map(|lint| format!("{lint:?}")).collect()
}

#[test]
fn what_newcomers_ask_for_is_drawn_neatly() {
    for (message, words) in ASKED {
        let mut page = Page::new();
        page.ask(message);
        let shown = page
            .scene
            .live()
            .filter(|element| !element.original_text().is_empty());
        assert_eq!(shown.count(), words, "{message}");
        let apart = page.overlaps();
        let touching = message.to_lowercase().contains("timeline") || message.contains("roadmap");
        assert!(apart.is_empty() || touching, "{message}: {apart:?}");
        assert_eq!(page.spilling(), Vec::<String>::new(), "{message}");
        assert_eq!(lints(&page), Vec::<String>::new(), "{message}");
    }
}

#[test]
fn drawings_keep_clear_of_each_other() {
    let mut page = Page::new();
    for message in [ASKED[0].0, ASKED[6].0, ASKED[9].0, "Sticky notes: a, b, c"] {
        page.ask(message);
    }
    assert_eq!(page.overlaps(), []);
}

#[test]
fn notes_are_put_in_a_grid_and_a_row() {
    let mut page = Page::new();
    page.ask("Sticky notes: a, b, c, d");
    page.ask("put the notes in a grid");
    let at = |page: &Page, text: &str| (page.shape(text).rect().x, page.shape(text).rect().y);
    let (a, b, c, d) = (
        at(&page, "a"),
        at(&page, "b"),
        at(&page, "c"),
        at(&page, "d"),
    );
    assert!(a.1 == b.1 && c.1 == d.1 && a.0 == c.0 && b.0 == d.0 && a.0 < b.0 && a.1 < c.1);
    page.ask("arrange everything in a column");
    let xs: Vec<f64> = ["a", "b", "c", "d"]
        .iter()
        .map(|text| at(&page, text).0)
        .collect();
    assert!(xs.windows(2).all(|pair| pair[0] == pair[1]), "{xs:?}");
    assert_eq!(page.overlaps(), []);
}

#[test]
fn what_is_beyond_it_is_said_plainly() {
    for message in ["draw a cat", "what time is it", "summarise this page"] {
        let mut page = Page::new();
        page.ask(message);
        assert!(
            page.said
                .starts_with("I am sketch, a small rule-based model"),
            "{message}"
        );
        assert_eq!(page.scene.live_count(), 0);
    }
}

fn outline() -> impl Strategy<Value = String> {
    let line = ("[A-Z][a-z]{1,9}( [a-z]{1,9}){0,6}", 0_usize..3);
    proptest::collection::vec(line, 2..14).prop_map(|lines| {
        let mut depth = 0;
        let mut text = String::from("Mind map of Everything\n");
        for (words, deeper) in lines {
            depth = deeper.min(depth + 1);
            text.push_str(&format!("{}- {words}\n", "  ".repeat(depth)));
        }
        text
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn maps_lists_and_flows_of_any_words_have_no_lints(
        map in outline(),
        items in proptest::collection::vec("[a-z]{1,9}( [a-z]{1,9}){0,5}", 2..9),
    ) {
        let flow = format!("Draw a flow: {}", items.join(" -> "));
        let notes = format!("Sticky notes:\n- {}", items.join("\n- "));
        let timeline = format!("Timeline:\n- {}", items.join("\n- "));
        for message in [&map, &flow, &notes, &timeline] {
            let mut page = Page::new();
            page.ask(message);
            prop_assert_eq!(lints(&page), Vec::<String>::new(), "{}", message);
            prop_assert_eq!(page.spilling(), Vec::<String>::new(), "{}", message);
        }
    }
}
