use glade_canvas::hit::{Locked, Pick, Within, all_at_point, at_point, in_rect};
use glade_canvas::{Element, Point, Rect, Scene, bounds};
use glade_doc::Surface;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::support::{element, id, scene};

fn boxed(name: &str, index: &str, more: Value) -> Element {
    let mut props = json!({"type": "rectangle", "x": 0, "y": 0, "width": 100, "height": 100, "index": index,
        "backgroundColor": "#ffc9c9"});
    props
        .as_object_mut()
        .unwrap()
        .extend(more.as_object().unwrap().clone());
    element(name, props)
}

fn top(scene: &Scene, x: f64, y: f64) -> Option<String> {
    at_point(scene, Point::new(x, y), Pick::default()).map(|hit| hit.shape.id.as_str().to_owned())
}

fn names(elements: &[&Element]) -> Vec<String> {
    elements
        .iter()
        .map(|element| element.id.as_str().to_owned())
        .collect()
}

#[test]
fn the_topmost_shape_at_a_point_is_hit_and_the_others_follow() {
    let scene = scene([
        boxed("low", "a1", json!({})),
        boxed("high", "a2", json!({"x": 50})),
    ]);
    let all: Vec<&str> = all_at_point(&scene, Point::new(75.0, 50.0), Pick::default())
        .iter()
        .map(|hit| hit.shape.id.as_str())
        .collect();
    assert_eq!(all, ["high", "low"]);
    assert_eq!(top(&scene, 20.0, 50.0).as_deref(), Some("low"));
    assert_eq!(top(&scene, 300.0, 50.0), None);
}

#[test]
fn an_empty_shape_is_hit_on_its_edge_a_filled_or_labelled_one_inside() {
    let hollow = |name: &str, x: i32| {
        boxed(
            name,
            "a1",
            json!({"x": x, "backgroundColor": "transparent"}),
        )
    };
    let label = json!({"type": "text", "containerId": "named", "x": 220, "y": 40, "width": 60, "height": 25,
        "originalText": "named", "index": "a2"});
    let scene = scene([
        hollow("hollow", 0),
        hollow("named", 200),
        element("words", label),
    ]);
    assert_eq!(top(&scene, 50.0, 50.0), None);
    assert_eq!(top(&scene, 3.0, 50.0).as_deref(), Some("hollow"));
    assert_eq!(top(&scene, 290.0, 90.0).as_deref(), Some("named"));
    let on_words = at_point(&scene, Point::new(250.0, 50.0), Pick::default()).unwrap();
    assert_eq!(
        (
            on_words.shape.id.as_str(),
            on_words.label.map(|label| label.id.as_str())
        ),
        ("named", Some("words"))
    );
}

#[test]
fn a_turned_shape_is_hit_where_it_is_drawn() {
    let long = boxed(
        "long",
        "a1",
        json!({"width": 400, "height": 20, "y": 190, "angle": std::f64::consts::FRAC_PI_2}),
    );
    let scene = scene([long]);
    assert_eq!(top(&scene, 200.0, 20.0).as_deref(), Some("long"));
    assert_eq!(top(&scene, 20.0, 200.0), None);
}

#[test]
fn a_frame_cuts_off_what_is_in_it_and_is_hit_on_its_edge() {
    let frame =
        json!({"type": "frame", "x": 0, "y": 0, "width": 100, "height": 100, "index": "a2"});
    let scene = scene([
        boxed(
            "child",
            "a1",
            json!({"x": 50, "width": 200, "frameId": "frame"}),
        ),
        element("frame", frame),
    ]);
    assert_eq!(top(&scene, 80.0, 50.0).as_deref(), Some("child"));
    assert_eq!(top(&scene, 200.0, 50.0), None);
    assert_eq!(top(&scene, 20.0, 2.0).as_deref(), Some("frame"));
    let out_there = Rect::new(150.0, 0.0, 50.0, 50.0);
    assert_eq!(
        names(&in_rect(&scene, &out_there, Within::Touching)),
        Vec::<String>::new()
    );
}

#[test]
fn a_click_knows_the_outermost_group_and_passes_over_what_is_locked() {
    let scene = scene([
        boxed("grouped", "a1", json!({"groupIds": ["inner", "outer"]})),
        boxed("locked", "a2", json!({"locked": true})),
    ]);
    let point = Point::new(50.0, 50.0);
    let hit = at_point(&scene, point, Pick::default()).unwrap();
    assert_eq!(
        (hit.shape.id.as_str(), hit.group),
        ("grouped", Some("outer"))
    );
    let any = Pick {
        locked: Locked::Picked,
        ..Pick::default()
    };
    assert_eq!(
        at_point(&scene, point, any).unwrap().shape.id.as_str(),
        "locked"
    );
}

#[test]
fn arrows_are_hit_along_their_curve_and_on_their_heads() {
    let arrow = json!({"type": "arrow", "x": 0, "y": 0, "points": [[0, 0], [100, -100], [200, 0]], "strokeWidth": 2,
        "roundness": {"type": 2}, "roughness": 0, "endArrowhead": "triangle", "index": "a1"});
    let scene = scene([element("arrow", arrow)]);
    let close = Pick {
        reach: 1.5,
        ..Pick::default()
    };
    let hit = |x: f64, y: f64| at_point(&scene, Point::new(x, y), close).is_some();
    // Halfway up the curve stands out of the straight line between the points.
    assert!(hit(100.0, -100.0) && !hit(50.0, -50.0));
    assert!(hit(200.0, 0.0));
    let lines = |point: Point| {
        all_at_point(
            &scene,
            point,
            Pick {
                reach: 0.0,
                ..close
            },
        )
        .len()
    };
    assert_eq!(lines(Point::new(193.0, -9.0)), 1, "inside the head");
}

#[test]
fn blocks_of_a_text_page_have_no_place() {
    let block = || boxed("a", "a0", json!({}));
    let everywhere = Rect::new(-1e6, -1e6, 2e6, 2e6);
    let found = |surface| {
        let mut scene = Scene::of(surface, [block()]);
        scene.put(block());
        let found = (scene.touching(&everywhere).len(), scene.shape_boxes().len());
        (scene.live_count(), found)
    };
    assert_eq!(found(Surface::Canvas), (1, (1, 1)));
    assert_eq!(found(Surface::Text), (1, (0, 0)));
}

#[test]
fn a_rectangle_takes_what_it_touches_or_only_what_it_holds() {
    let line = json!({"type": "line", "x": 0, "y": 300, "points": [[0, 0], [300, 300]], "index": "a3", "roughness": 0});
    let scene = scene([
        boxed("whole", "a1", json!({})),
        boxed("half", "a2", json!({"x": 150})),
        element("line", line),
    ]);
    let area = Rect::new(-10.0, -10.0, 200.0, 200.0);
    assert_eq!(
        names(&in_rect(&scene, &area, Within::Touching)),
        ["whole", "half"]
    );
    assert_eq!(names(&in_rect(&scene, &area, Within::Contained)), ["whole"]);
    // The line's box is there, the line is not.
    let corner = Rect::new(200.0, 310.0, 90.0, 50.0);
    assert_eq!(
        names(&in_rect(&scene, &corner, Within::Touching)),
        Vec::<String>::new()
    );
    let across = Rect::new(100.0, 350.0, 90.0, 100.0);
    assert_eq!(names(&in_rect(&scene, &across, Within::Touching)), ["line"]);
}

/// One change to a scene of a dozen shapes: what, where, how large.
type Step = (usize, u8, f64, f64, f64, f64);

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let place = || prop_oneof![-500.0..500.0, -1e6..1e6];
    let side = || prop_oneof![0.0..80.0, 0.0..5000.0, Just(2e6)];
    prop::collection::vec(
        (0..12_usize, 0..5_u8, place(), place(), side(), side()),
        1..60,
    )
}

proptest! {
    #[test]
    fn places_are_kept_through_every_change(steps in steps(), x in -800.0..800.0, y in -800.0..800.0, side in 1.0..2000.0) {
        let mut scene = Scene::new();
        for (at, what, x, y, w, h) in steps {
            let name = format!("s{at}");
            let kind = ["rectangle", "ellipse", "line", "arrow"][at % 4];
            let props = json!({"type": kind, "x": x, "y": y, "width": w, "height": h, "index": format!("a{at}"),
                "points": [[0, 0], [w, h]], "isDeleted": what == 0, "angle": if what == 1 { 1.0 } else { 0.0 }});
            scene.put(element(&name, props));
        }
        let area = Rect::new(x, y, side, side);
        let expected: Vec<&Element> = scene.live().filter(|one| bounds::ink(one).touches(&area)).collect();
        prop_assert_eq!(names(&scene.touching(&area)), names(&expected));
        // Kept up to date or built anew: the same scene.
        let ids: Vec<_> = (0..12).map(|at| id(&format!("s{at}"))).collect();
        let anew: Scene = ids.iter().filter_map(|id| scene.any(id)).cloned().collect();
        prop_assert_eq!(anew, scene);
    }
}
