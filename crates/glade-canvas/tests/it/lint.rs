//! What is noticed on a page, and what is not.

use glade_canvas::binding::{End, route};
use glade_canvas::factory::{self, Style};
use glade_canvas::layout;
use glade_canvas::lint::{LintKind, lints, lints_in};
use glade_canvas::{Color, Element, Fill, Point, Rect, Scene, ShapeKind, TextAlign, derive};
use proptest::prelude::*;
use serde_json::json;

use crate::layout_laws;
use crate::support::{element, id, scene};

fn filled(name: &str, rect: Rect, fill: Fill, index: &str) -> Element {
    let style = Style::new(Color::Blue, fill);
    Element::new(
        name,
        factory::shape(ShapeKind::Rectangle, rect, style, 1, index),
    )
}

fn text(name: &str, words: &str, x: f64, y: f64) -> Element {
    let at = Point::new(x, y);
    Element::new(
        name,
        factory::text(words, at, TextAlign::Left, Color::Black, 20.0, 1, "a5"),
    )
}

/// The findings as kind and ids.
fn found(scene: &Scene) -> Vec<(LintKind, Vec<String>)> {
    let names = |ids: Vec<glade_doc::ElementId>| ids.into_iter().map(|id| id.0).collect();
    lints(scene)
        .into_iter()
        .map(|lint| (lint.kind, names(lint.ids)))
        .collect()
}

fn one(kind: LintKind, names: &[&str]) -> Vec<(LintKind, Vec<String>)> {
    vec![(kind, names.iter().map(|name| (*name).to_owned()).collect())]
}

#[test]
fn a_tidy_page_has_no_findings() {
    let (a, b) = (
        filled("a", Rect::new(0.0, 0.0, 200.0, 80.0), Fill::Tint, "a0"),
        filled("b", Rect::new(0.0, 200.0, 200.0, 80.0), Fill::None, "a1"),
    );
    let arrow = Element::new(
        "arrow",
        factory::arrow(
            &route(End::Element(&a), End::Element(&b)),
            Color::Black,
            1,
            "a2",
        ),
    );
    let words = Element::new("words", factory::label(&a, "Order the parts", 1, "a3"));
    let mut scene = scene([a, b, arrow, words, text("title", "A title", 0.0, -60.0)]);
    let all = scene.live().map(|element| element.id.clone()).collect();
    let follows = derive(&scene, &all);
    scene.apply(&follows);
    assert_eq!(lints(&scene), []);
}

#[test]
fn words_that_stand_out_of_their_shape_are_noticed_and_derive_cures_it() {
    let small = filled("small", Rect::new(0.0, 0.0, 60.0, 30.0), Fill::None, "a0");
    let words = Element::new(
        "words",
        factory::label(&small, "far too many words for this", 1, "a1"),
    );
    let mut scene = scene([small, words]);
    assert_eq!(found(&scene), one(LintKind::TextOverflow, &["small"]));
    let follows = derive(&scene, &[id("small")].into());
    scene.apply(&follows);
    assert_eq!(lints(&scene), []);
    let mut fixed = text(
        "fixed",
        "several words that wrap into many lines",
        500.0,
        0.0,
    );
    for (key, value) in [
        ("autoResize", json!(false)),
        ("width", json!(60)),
        ("height", json!(25)),
    ] {
        fixed.props.insert(key.to_owned(), value);
    }
    scene.put(fixed);
    assert_eq!(found(&scene), one(LintKind::TextOverflow, &["fixed"]));
}

#[test]
fn words_on_words_are_noticed_once_by_their_shapes() {
    let ground = filled("ground", Rect::new(0.0, 0.0, 300.0, 80.0), Fill::None, "a0");
    let words = Element::new(
        "words",
        factory::label(&ground, "Written in the middle", 1, "a1"),
    );
    let mut scene = scene([
        ground,
        words,
        text("free", "over it", 120.0, 30.0),
        text("beside", "not over it", 400.0, 30.0),
    ]);
    let follows = derive(&scene, &[id("ground")].into());
    scene.apply(&follows);
    assert_eq!(
        found(&scene),
        one(LintKind::OverlappingText, &["free", "ground"])
    );
    let apart = layout::move_to(
        &scene,
        &id("free"),
        Point::new(0.0, 200.0),
        layout::Anchor::TOP_LEFT,
    );
    scene.apply(&apart);
    assert_eq!(lints(&scene), []);
}

#[test]
fn a_loose_end_names_the_shape_that_it_was_meant_for() {
    let a = filled("a", Rect::new(0.0, 0.0, 100.0, 100.0), Fill::None, "a0");
    let b = filled("b", Rect::new(300.0, 0.0, 100.0, 100.0), Fill::None, "a1");
    let half = route(End::Element(&a), End::Point(Point::new(290.0, 50.0)));
    let arrow = Element::new("arrow", factory::arrow(&half, Color::Black, 1, "a2"));
    let scene = scene([a, b, arrow]);
    assert_eq!(found(&scene), one(LintKind::LooseArrowEnd, &["arrow", "b"]));
    assert_eq!(
        lints(&scene)[0].suggestion,
        "its end is not tied to a shape; bind it to the shape next to it"
    );
}

#[test]
fn an_arrow_on_its_own_is_a_drawing_and_one_that_leads_off_a_shape_is_not() {
    let a = filled("a", Rect::new(0.0, 0.0, 100.0, 100.0), Fill::None, "a0");
    let arrow = |from: End<'_>| {
        let way = route(from, End::Point(Point::new(500.0, 600.0)));
        Element::new("arrow", factory::arrow(&way, Color::Black, 1, "a2"))
    };
    let axis = arrow(End::Point(Point::new(300.0, 600.0)));
    assert_eq!(lints(&scene([a.clone(), axis])), []);
    let stray = arrow(End::Element(&a));
    assert_eq!(
        found(&scene([a, stray])),
        one(LintKind::LooseArrowEnd, &["arrow"])
    );
}

#[test]
fn words_in_the_gaps_of_others_are_not_on_them() {
    let gap = "Here comes                  and goes on\n\n\nand ends here";
    let below = |x: f64, y: f64, words: &str| {
        let long = text("long", gap, 0.0, 0.0);
        found(&scene([long, text("short", words, x, y)]))
    };
    assert_eq!(below(105.0, 0.0, "a word"), [], "in the gap of spaces");
    assert_eq!(below(20.0, 30.0, "in an empty line"), []);
    let over = one(LintKind::OverlappingText, &["short", "long"]);
    assert_eq!(below(20.0, 5.0, "on it"), over);
    assert_eq!(below(60.0, 80.0, "on the end"), over);
}

#[test]
fn turned_words_are_compared_as_they_lie() {
    let turned = |angle: f64| {
        let long = text("long", "a rather long line of words", 0.0, 200.0);
        let long = long.with(&crate::support::props(json!({ "angle": angle })));
        found(&scene([long, text("corner", "corner", 10.0, 130.0)]))
    };
    let slant = std::f64::consts::FRAC_PI_4;
    assert_eq!(turned(-slant), [], "in an empty corner of its upright box");
    let over = one(LintKind::OverlappingText, &["long", "corner"]);
    assert_eq!(turned(slant), over);
}

#[test]
fn a_label_on_an_arrow_is_looked_for_where_it_is_drawn() {
    let way = json!({"type": "arrow", "x": 0, "y": 0, "points": [[0, 0], [400, 0]], "index": "a0"});
    let arrow = element("arrow", way);
    let label = factory::label(&arrow, "pays", 1, "a1");
    let label =
        Element::new("label", label).with(&crate::support::props(json!({"x": 900, "y": 900})));
    let mut scene = scene([arrow, label, text("far", "far away", 900.0, 900.0)]);
    assert_eq!(lints(&scene), [], "an old place does not count");
    scene.put(text("near", "near", 185.0, -10.0));
    let on_both = [
        one(LintKind::OverlappingText, &["near", "arrow"]),
        one(LintKind::ArrowThroughShape, &["arrow", "near"]),
    ];
    assert_eq!(found(&scene), on_both.concat());
}

#[test]
fn words_that_fit_are_not_called_too_wide_for_the_box_they_were_given() {
    let label = |words: &str, width: f64| {
        let label = json!({"type": "text", "x": 50.0 - width / 2.0, "y": 15, "width": width, "height": 20, "text": words,
            "originalText": words, "fontSize": 16, "fontFamily": 1, "textAlign": "center", "verticalAlign": "middle", "containerId": "box"});
        let own = filled("box", Rect::new(0.0, 0.0, 100.0, 50.0), Fill::None, "a0");
        found(&scene([own, element("words", label)]))
    };
    assert_eq!(label("EH: bar", 115.2), []);
    assert_eq!(
        label("EH: the triangle\nwith\nmany\nlines", 115.2),
        one(LintKind::TextOverflow, &["box"])
    );
}

#[test]
fn what_shows_through_a_pale_colour_is_not_hidden() {
    let small = || {
        filled(
            "small",
            Rect::new(20.0, 20.0, 40.0, 40.0),
            Fill::Solid,
            "a0",
        )
    };
    let over = |color: &str| {
        let mut big = filled("big", Rect::new(0.0, 0.0, 200.0, 200.0), Fill::Solid, "a1");
        big.props.insert("backgroundColor".to_owned(), json!(color));
        found(&scene([small(), big]))
    };
    for color in ["#a5d8ff80", "rgba(255, 0, 0, 0.3)", "#f008", "transparent"] {
        assert_eq!(over(color), [], "{color}");
    }
    for color in ["#a5d8ff", "tomato"] {
        assert_eq!(
            over(color),
            one(LintKind::HiddenShape, &["small", "big"]),
            "{color}"
        );
    }
}

#[test]
fn a_shape_wholly_behind_an_opaque_one_is_hidden() {
    let under = |fill: Fill| {
        scene([
            filled("under", Rect::new(20.0, 20.0, 40.0, 40.0), Fill::None, "a0"),
            filled("over", Rect::new(0.0, 0.0, 100.0, 100.0), fill, "a1"),
        ])
    };
    assert_eq!(
        found(&under(Fill::Solid)),
        one(LintKind::HiddenShape, &["under", "over"])
    );
    assert_eq!(found(&under(Fill::None)), []);
    let mut cured = under(Fill::Solid);
    let front = layout::bring_to_front(&cured, &[id("under")]);
    cured.apply(&front);
    assert_eq!(lints(&cured), []);
}

#[test]
fn what_a_frame_cuts_off_is_noticed() {
    let framed = |name: &str, x: f64| {
        let mut shape = filled(name, Rect::new(x, 20.0, 50.0, 50.0), Fill::None, "a1");
        shape.props.insert("frameId".to_owned(), json!("frame"));
        shape
    };
    let frame = element(
        "frame",
        json!({"type": "frame", "x": 0, "y": 0, "width": 200, "height": 200, "index": "a0"}),
    );
    let scene = scene([
        frame,
        framed("in", 20.0),
        framed("half", 180.0),
        framed("out", 400.0),
    ]);
    let expected: Vec<_> = [["half", "frame"], ["out", "frame"]]
        .iter()
        .flat_map(|names| one(LintKind::OffFrame, names))
        .collect();
    assert_eq!(found(&scene), expected);
}

/// Fifty fairies that all draw at one place must not make every look at the page a long one.
#[test]
fn a_heap_of_texts_is_told_of_in_proportion_to_its_size() {
    let heap = (0..400).map(|n| text(&format!("t{n:03}"), "word", f64::from(n % 7), 0.0));
    let findings = found(&scene(heap));
    let told = |name: String| findings.iter().any(|(_, ids)| ids.contains(&name));
    assert!((0..400).all(|n| told(format!("t{n:03}"))));
    assert!(findings.len() <= 400 * 8, "{}", findings.len());
}

#[test]
fn in_a_heap_of_large_shapes_the_same_is_noticed_as_on_the_page() {
    let sheet = |n: u32| {
        let out = f64::from(n % 7) * 60.0;
        let rect = Rect::new(-out, -out, 400.0 + 2.0 * out, 400.0 + 2.0 * out);
        filled(&format!("s{n}"), rect, Fill::Tint, &format!("a{n:02}"))
    };
    let scene = scene((0..40).map(sheet).collect::<Vec<_>>());
    let all = lints(&scene);
    assert!(all.len() > 20, "{}", all.len());
    assert_eq!(lints_in(&scene, &Rect::new(50.0, 50.0, 9.0, 9.0)), all);
}

proptest! {
    #[test]
    fn what_is_noticed_in_an_area_is_what_is_noticed_on_the_page_there(
        scene in layout_laws::page(),
        (x, y) in (-600.0..600.0f64, -600.0..600.0f64),
        (w, h) in (1.0..500.0f64, 1.0..500.0f64),
    ) {
        let area = Rect::new(x, y, w, h);
        let mut there = lints(&scene);
        there.retain(|lint| {
            let mut boxes = lint.ids.iter().filter_map(|id| scene.bounds(id));
            boxes.any(|own| own.touches(&area))
        });
        prop_assert_eq!(lints_in(&scene, &area), there);
    }
}
