//! Mind maps, tables, timelines, single shapes, and arranging: on a page, through the agent core.

use glade_canvas::lint;
use proptest::prelude::*;

use crate::page::Page;

/// What a newcomer would write, and how many shapes with words come of it.
const ASKED: [(&str, usize); 25] = [
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
    (
        "Draw a login flow: User -> Login page -> Valid? -> Dashboard, and no -> Error message",
        6,
    ),
    (
        "Create a mind map: Coffee\n- Beans\n  - Arabica\n  - Robusta\n- Milk",
        5,
    ),
    ("Brainstorm ideas for a birthday party", 1),
    (
        "draw an org chart: CEO has CTO and CFO, CTO has Dev Lead and QA Lead",
        5,
    ),
    ("Draw a client, a server and a database and connect them", 3),
    ("draw a client and a server", 2),
    ("a circle, a square and a triangle", 0),
    ("three boxes in a row", 0),
    ("kanban board with todo, doing, done", 3),
    ("pros and cons of remote work", 2),
    (
        "weekly plan: monday gym, tuesday shopping, wednesday cinema",
        3,
    ),
    ("Write \"Hello world\" in blue", 1),
    (
        "timeline of 2024: January kickoff, March beta, June launch, September review",
        4,
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
        assert!(page.scene.live_count() > 0, "{message} draws something");
        assert!(apart.is_empty(), "{message}: {apart:?}");
        assert_eq!(page.spilling(), Vec::<String>::new(), "{message}");
        assert_eq!(lints(&page), Vec::<String>::new(), "{message}");
    }
}

#[test]
fn pictures_are_drawn_without_a_flaw_and_clear_of_the_rest() {
    let things = [
        "house", "tree", "sun", "cat", "dog", "car", "flower", "smiley", "robot", "person",
        "snowman", "boat", "mountain",
    ];
    for thing in things {
        let mut page = Page::new();
        page.ask("Add a green circle called Start");
        let start = page.shape("Start").rect();
        page.ask(&format!("Draw a {thing} please"));
        assert!(
            page.said.contains(&format!("That is a {thing}")),
            "{}",
            page.said
        );
        assert!(page.scene.live_count() > 3, "{thing}");
        assert_eq!(lints(&page), Vec::<String>::new(), "{thing}");
        let mut others = page.scene.live().filter(|element| {
            let bounds = page.scene.bounds(&element.id);
            bounds.is_some_and(|bounds| bounds != start && !start.contains_rect(&bounds))
        });
        let on = others.find(|element| {
            page.scene
                .bounds(&element.id)
                .is_some_and(|b| b.intersects(&start))
        });
        assert!(on.is_none(), "{thing}: {on:?}");
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
fn being_asked_to_look_again_is_no_matter_for_words() {
    let mut page = Page::new();
    page.lints = true;
    page.ask("Draw a box");
    let asked = page.prompts.len();
    assert_eq!((page.said.as_str(), asked), ("Here it is.", 2));
}

#[test]
fn what_is_beyond_it_is_said_plainly() {
    for message in ["draw a kangaroo", "what time is it", "summarise this page"] {
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
