//! The geometric kinds: drawn, labelled, tied to, moved, read back.

use glade_canvas::binding::{End, route};
use glade_canvas::factory::{self, Style};
use glade_canvas::full::{FullShape, full};
use glade_canvas::layout::{self, Anchor};
use glade_canvas::outline::{Outline, outline};
use glade_canvas::{
    BindingOwner, Color, Element, Fill, GeoKind, Point, Rect, Scene, bounds, derive, file, geo,
    label, lint, view,
};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::support::{id, scene};

fn drawn(name: &str, kind: GeoKind, rect: Rect) -> Element {
    let style = Style::new(Color::Blue, Fill::Tint);
    Element::new(name, factory::geo(kind, rect, style, 7, "a0"))
}

fn polygons() -> impl Iterator<Item = GeoKind> {
    GeoKind::ALL
        .iter()
        .copied()
        .filter(|kind| kind.native().is_none())
}

fn labelled(kind: GeoKind, rect: Rect, words: &str) -> Scene {
    let shape = drawn("shape", kind, rect);
    let label = Element::new("words", factory::label(&shape, words, 1, "a1"));
    let mut scene = scene([shape, label]);
    let follows = derive(&scene, &[id("shape")].into());
    scene.apply(&follows);
    scene
}

#[test]
fn what_the_editor_lacks_is_a_closed_polygon_line_with_the_kind_in_custom_data() {
    assert_eq!(polygons().count(), 19);
    for kind in polygons() {
        let shape = drawn("shape", kind, Rect::new(10.0, 20.0, 120.0, 80.0));
        let points = shape.points();
        assert_eq!(shape.kind().as_str(), "line");
        assert_eq!(shape.props["polygon"], true);
        assert_eq!(shape.props["customData"], json!({"geo": kind.name()}));
        assert!(
            points.len() > 3 && points.first() == points.last(),
            "{kind:?}"
        );
        assert_eq!(
            points[0],
            Point::default(),
            "the editor starts a line at its place"
        );
        assert_eq!(geo::polygon_kind(&shape), Some(kind));
    }
    for kind in [GeoKind::Rectangle, GeoKind::Ellipse, GeoKind::Diamond] {
        let shape = drawn("shape", kind, Rect::new(10.0, 20.0, 120.0, 80.0));
        assert_eq!(shape.kind().as_str(), kind.name());
        assert_eq!(geo::polygon_kind(&shape), None);
    }
}

#[test]
fn every_kind_reads_back_by_its_name_box_and_words() {
    for kind in GeoKind::ALL {
        let rect = Rect::new(10.0, 20.0, 220.0, 180.0);
        let scene = labelled(*kind, rect, "Go");
        let shape = scene.get(&id("shape")).unwrap();
        let seen = view::blur(&scene, shape);
        assert_eq!(
            (seen.kind.as_str(), seen.text.as_deref()),
            (kind.name(), Some("Go"))
        );
        let full = full(&scene, &[id("words")]);
        let [FullShape::Geo(shape)] = full.as_slice() else {
            panic!("one shape, no group of its own: {full:?}");
        };
        assert_eq!(
            (shape.kind, shape.color, shape.fill),
            (*kind, Color::Blue, Fill::Tint)
        );
        let off = [
            shape.x - rect.x,
            shape.y - rect.y,
            shape.w - rect.w,
            shape.h - rect.h,
        ];
        assert!(off.iter().all(|off| off.abs() < 1e-9), "{kind:?} {shape:?}");
        assert_eq!(view::shapes(&scene).count(), 1);
    }
}

#[test]
fn the_room_for_words_lies_inside_the_outline() {
    for kind in polygons() {
        for rect in [
            Rect::new(0.0, 0.0, 100.0, 100.0),
            Rect::new(-50.0, 9.0, 300.0, 60.0),
        ] {
            let shape = drawn("shape", kind, rect);
            let outline = outline(&shape, 0.5);
            for corner in kind.inner_rect(rect).corners() {
                assert!(outline.contains(corner), "{kind:?} {corner:?}");
            }
        }
    }
}

#[test]
fn a_label_is_a_grouped_text_to_the_editor_and_follows_its_shape() {
    let mut scene = labelled(
        GeoKind::Hexagon,
        Rect::new(0.0, 0.0, 200.0, 120.0),
        "Check the order",
    );
    let (shape, words) = (
        scene.get(&id("shape")).unwrap(),
        scene.get(&id("words")).unwrap(),
    );
    assert_eq!(words.props["containerId"], Value::Null);
    assert_eq!(words.props["groupIds"], shape.props["groupIds"]);
    assert_eq!(words.props["autoResize"], false);
    assert_eq!(scene.container_of(&words.id), Some(shape));
    let before = words.rect();
    let edits = layout::move_to(
        &scene,
        &id("shape"),
        Point::new(500.0, 0.0),
        Anchor::TOP_LEFT,
    );
    scene.apply(&edits);
    assert_eq!(
        scene.get(&id("words")).unwrap().rect(),
        before.translate(500.0, 0.0)
    );
}

#[test]
fn a_copied_pair_belongs_together_though_its_label_names_the_original() {
    let mut scene = labelled(GeoKind::Star, Rect::new(0.0, 0.0, 200.0, 200.0), "One");
    for (from, to) in [("shape", "shape2"), ("words", "words2")] {
        let mut copy = scene.get(&id(from)).unwrap().clone();
        copy.id = id(to);
        copy.props.insert("groupIds".to_owned(), json!(["copied"]));
        scene.put(copy);
    }
    let label = |name: &str| scene.label_of(&id(name)).map(|label| label.id.as_str());
    assert_eq!(
        (label("shape"), label("shape2")),
        (Some("words"), Some("words2"))
    );
    assert_eq!(scene.container_of(&id("words2")).unwrap().id, id("shape2"));
}

#[test]
fn an_arrow_to_a_polygon_ends_at_its_outline_and_follows_it() {
    let (hexagon, other) = (
        drawn(
            "hexagon",
            GeoKind::Hexagon,
            Rect::new(300.0, 0.0, 200.0, 100.0),
        ),
        drawn(
            "other",
            GeoKind::Rectangle,
            Rect::new(0.0, 0.0, 100.0, 100.0),
        ),
    );
    let geometry = route(End::Element(&other), End::Element(&hexagon));
    let tip = *geometry.page_points().last().unwrap();
    assert!((290.0..297.0).contains(&tip.x), "{tip:?}");
    let arrow = Element::new("arrow", factory::arrow(&geometry, Color::Black, 1, "a2"));
    assert_eq!(
        arrow.props["endBinding"],
        Value::Null,
        "the editor cannot bind to a line"
    );
    assert_eq!(
        arrow.end_binding().map(|end| end.owner),
        Some(BindingOwner::Glade)
    );
    assert_eq!(
        arrow.start_binding().map(|end| end.owner),
        Some(BindingOwner::Editor)
    );
    let mut scene = scene([hexagon, other, arrow]);
    let edits = layout::move_to(
        &scene,
        &id("hexagon"),
        Point::new(300.0, 500.0),
        Anchor::TOP_LEFT,
    );
    scene.apply(&edits);
    let arrow = scene.get(&id("arrow")).unwrap();
    let tip = *bounds::page_points(arrow).last().unwrap();
    let hexagon = scene.get(&id("hexagon")).unwrap();
    let (near, far) = (outline(hexagon, 8.0), outline(hexagon, 4.0));
    assert!(near.contains(tip) && !far.contains(tip), "{tip:?}");
    // Re-routed to a point, the tie in customData goes too, and the rest of it stays.
    let mut kept = arrow.clone();
    kept.props["customData"]["note"] = json!("mine");
    let free = route(End::Point(Point::default()), End::Point(tip));
    let props = free.to_props_over(&kept);
    assert_eq!(props["customData"], json!({"note": "mine"}));
    let written = file::to_excalidraw(&scene);
    let bound = |name: &str| {
        let elements = written["elements"].as_array().unwrap();
        let element = elements.iter().find(|element| element["id"] == name);
        element.unwrap()["boundElements"].clone()
    };
    assert_eq!(bound("hexagon"), Value::Null);
    assert_eq!(bound("other"), json!([{"id": "arrow", "type": "arrow"}]));
}

#[test]
fn a_polygon_grows_for_its_words_and_keeps_its_kind() {
    let words =
        "a great many words that do not fit into a small triangle at all, whatever one tries";
    let scene = labelled(GeoKind::Triangle, Rect::new(0.0, 0.0, 120.0, 60.0), words);
    let shape = scene.get(&id("shape")).unwrap();
    let (rect, text) = (
        bounds::local_rect(shape),
        scene.get(&id("words")).unwrap().rect(),
    );
    assert!(rect.h > 60.0 && label::inner_rect(shape).expand(1.0).contains_rect(&text));
    assert_eq!(shape.points(), {
        let fresh = drawn("fresh", GeoKind::Triangle, rect);
        fresh.points()
    });
}

#[test]
fn a_polygon_shrinks_to_its_words_about_its_middle() {
    for kind in polygons() {
        let mut scene = labelled(kind, Rect::new(0.0, 0.0, 600.0, 400.0), "Order");
        let edits = layout::fit_text(&scene, &[id("shape")]);
        scene.apply(&edits);
        let bounds = |name: &str| scene.bounds(&id(name)).unwrap();
        let (shape, words) = (bounds("shape"), bounds("words"));
        assert!(
            shape.contains_rect(&words) && shape.w < 300.0 && shape.h < 200.0,
            "{kind:?}: {shape:?}"
        );
        assert_eq!(words.h, 25.0, "{kind:?}: still on one line");
        assert!(shape.center().distance(Point::new(300.0, 200.0)) < 1e-6);
        assert_eq!(layout::fit_text(&scene, &[id("shape")]), [], "{kind:?}");
        assert_eq!(lint::lints(&scene), [], "{kind:?}");
    }
}

#[test]
fn reshaping_draws_a_polygon_anew_in_its_box() {
    let wide = drawn("pill", GeoKind::Pill, Rect::new(0.0, 0.0, 200.0, 50.0));
    let tall = wide.with(&geo::reshape(&wide, Rect::new(10.0, 10.0, 50.0, 200.0)));
    let fresh = drawn("fresh", GeoKind::Pill, Rect::new(10.0, 10.0, 50.0, 200.0));
    assert_eq!(tall.points(), fresh.points());
    assert_eq!((tall.x(), tall.y()), (fresh.x(), fresh.y()));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_polygon_fills_the_box_asked_for(
        kind in proptest::sample::select(GeoKind::ALL.to_vec()),
        (x, y, w, h) in (-500.0..500.0f64, -500.0..500.0f64, 1.0..400.0f64, 1.0..400.0f64),
        words in "[a-z]{1,8}( [a-z]{1,14}){0,8}",
    ) {
        let rect = Rect::new(x, y, w, h);
        let shape = drawn("shape", kind, rect);
        let own = bounds::local_rect(&shape);
        let off = [own.x - x, own.y - y, own.w - w, own.h - h];
        prop_assert!(off.iter().all(|off| off.abs() < 1e-9), "{own:?}");
        let scene = labelled(kind, rect, &words);
        prop_assert_eq!(derive(&scene, &[id("shape"), id("words")].into()), []);
        let shape = scene.get(&id("shape")).unwrap();
        let text = scene.get(&id("words")).unwrap().rect();
        prop_assert!(bounds::local_rect(shape).expand(1.0).contains_rect(&text), "{text:?}");
        if let Outline::Polygon(points) = outline(shape, 6.0) {
            prop_assert!(points.iter().all(|point| point.x.is_finite() && point.y.is_finite()));
        }
    }
}
