//! Ours against the editor's own: what the pinned packages made of seeded random scenes in a real browser.
//! How the fixture is made: `tests/oracle`.

use std::sync::LazyLock;

use glade_canvas::bounds::page_points;
use glade_canvas::{Element, FontFamily, Point, binding, label, text};
use serde_json::Value;

use crate::support::{element, props};

static FIXTURE: LazyLock<Value> = LazyLock::new(|| {
    serde_json::from_str(include_str!("fixtures/editor.json")).expect("the fixture is JSON")
});

fn cases(kind: &str) -> &'static [Value] {
    FIXTURE[kind].as_array().expect("a list of cases")
}

fn read(value: &Value) -> Element {
    element(value["id"].as_str().unwrap_or("it"), value.clone())
}

fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

#[test]
fn text_wraps_where_the_editor_wraps_it() {
    for case in cases("wraps") {
        let (words, size, width) = (
            case["text"].as_str().unwrap(),
            number(&case["fontSize"]),
            number(&case["maxWidth"]),
        );
        assert_eq!(
            text::wrap(words, FontFamily::Excalifont, size, width),
            case["wrapped"].as_str().unwrap(),
            "{case}"
        );
    }
}

#[test]
fn bound_arrow_ends_lie_where_the_editor_puts_them() {
    for case in cases("arrows") {
        let (from, to, arrow) = (read(&case["from"]), read(&case["to"]), read(&case["arrow"]));
        let route = binding::reroute(&arrow, Some(&from), Some(&to)).expect("the arrow is bound");
        let expected = page_points(
            &element("after", case["after"].clone())
                .with(&props(serde_json::json!({"type": "arrow"}))),
        );
        let ours = route.page_points();
        assert_eq!(ours.len(), expected.len());
        for (own, theirs) in ours.iter().zip(&expected) {
            assert!(
                own.distance(*theirs) < 0.1,
                "ours {ours:?}, theirs {expected:?}: {case}"
            );
        }
    }
}

#[test]
fn labels_and_containers_end_up_as_in_the_editor() {
    for case in cases("labels") {
        let (container, words) = (read(&case["container"]), read(&case["label"]));
        let layout = label::layout(&container, &words);
        let (container, words) = (container.with(&layout.container), words.with(&layout.label));
        let after = &case["after"];
        assert_eq!(
            layout.text,
            after["label"]["text"].as_str().unwrap(),
            "{case}"
        );
        let near = |own: f64, theirs: &Value| (own - number(theirs)).abs() < 0.5;
        for (own, theirs) in [(&container, &after["container"]), (&words, &after["label"])] {
            let same = near(own.x(), &theirs["x"])
                && near(own.y(), &theirs["y"])
                && near(own.width(), &theirs["width"])
                && near(own.height(), &theirs["height"]);
            assert!(
                same,
                "ours {:?} at {:?}: {case}",
                own.rect(),
                Point::new(own.x(), own.y())
            );
        }
        assert_eq!(
            (words.font_size(), words.angle()),
            (
                number(&after["label"]["fontSize"]),
                number(&after["label"]["angle"])
            )
        );
    }
}
