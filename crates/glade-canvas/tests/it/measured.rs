//! Bounds and hits against the editor's own, over seeded random elements of every type.
//! How the fixture is made: `tests/oracle`.

use glade_canvas::{Element, Point, Rect, Scene, bounds, hit};
use serde_json::{Value, json};

use crate::support::{element, props, scene};

/// The numbers are the same formulas in another language.
const EXACT: f64 = 1e-6;

/// As the editor's at a zoom of 100 %.
const REACH: f64 = 8.5;

/// Around the limit of the reach the two may differ.
fn blur(one: &Element) -> f64 {
    match one.kind().as_str() {
        // The editor rounds and simplifies the stroke.
        "freedraw" => 3.0,
        // It rounds the corners of its collision path.
        _ if one.is_elbowed() => 5.0,
        // It asks first whether the point is near the box of its shaken strokes.
        "line" | "arrow" => 2.0,
        // Curves are followed by pieces of different lengths.
        _ => 0.35,
    }
}

struct Case {
    kind: String,
    elements: Vec<Element>,
    scene: Scene,
    value: Value,
}

fn cases() -> Vec<Case> {
    let fixture: Vec<Value> =
        serde_json::from_str(include_str!("fixtures/bounds.json")).expect("the fixture is JSON");
    let read = |value: Value| {
        let elements: Vec<Element> = value["elements"]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| element(one["id"].as_str().unwrap(), one.clone()))
            .collect();
        Case {
            kind: value["kind"].as_str().unwrap().to_owned(),
            scene: scene(elements.clone()),
            elements,
            value,
        }
    };
    fixture.into_iter().map(read).collect()
}

/// Left, top, right, bottom.
fn sides(value: &Value) -> [f64; 4] {
    let side = |at: usize| value[at].as_f64().unwrap();
    [side(0), side(1), side(2), side(3)]
}

fn differs(own: Rect, theirs: [f64; 4]) -> bool {
    let own = [own.x, own.y, own.right(), own.bottom()];
    own.iter()
        .zip(theirs)
        .any(|(own, theirs)| (own - theirs).abs() > EXACT)
}

#[test]
fn every_element_has_the_bounds_that_the_editor_measures() {
    let mut wrong = Vec::new();
    for case in cases() {
        for (one, theirs) in case
            .elements
            .iter()
            .zip(case.value["bounds"].as_array().unwrap())
        {
            let own = bounds::drawn(&case.scene, one);
            if differs(own, sides(theirs)) {
                wrong.push(format!(
                    "{}: ours {own:?}, theirs {theirs}: {one:?}",
                    case.kind
                ));
            }
        }
        let common = case.scene.drawn_bounds().unwrap();
        if differs(common, sides(&case.value["common"])) {
            wrong.push(format!("{}: together {common:?}", case.kind));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} differ: {:#?}",
        wrong.len(),
        &wrong[..wrong.len().min(5)]
    );
}

#[test]
fn plain_bounds_are_the_editors_where_its_hand_does_not_shake() {
    for case in cases() {
        let steady = |one: &&Element| {
            one.number("roughness") == Some(0.0) || !matches!(one.kind().as_str(), "line" | "arrow")
        };
        for (one, theirs) in case
            .elements
            .iter()
            .zip(case.value["bounds"].as_array().unwrap())
        {
            if !steady(&one) || case.elements.len() > 1 {
                continue;
            }
            let own = bounds::bounds(one);
            assert!(
                !differs(own, sides(theirs)),
                "{}: ours {own:?}, theirs {theirs}: {one:?}",
                case.kind
            );
        }
    }
}

#[test]
fn what_the_editor_hits_is_hit() {
    let (mut asked, mut hit, mut wrong) = (0, 0, Vec::new());
    for case in cases() {
        let one = &case.elements[0];
        for spot in case.value["hits"].as_array().unwrap() {
            let point = Point::new(spot[0].as_f64().unwrap(), spot[1].as_f64().unwrap());
            let theirs = spot[2].as_bool().unwrap();
            let ours = |reach: f64| hit::is_hit(&case.scene, one, point, reach);
            asked += 1;
            hit += usize::from(theirs);
            let headless = one.with(&props(
                json!({"startArrowhead": null, "endArrowhead": null}),
            ));
            // To us an arrow's head is part of it, to the editor only its shaft.
            let on_shaft = |reach: f64| hit::is_hit(&case.scene, &headless, point, reach);
            let agrees = if theirs {
                ours(REACH + blur(one))
            } else {
                !on_shaft(REACH - blur(one))
            };
            if !agrees {
                wrong.push(format!(
                    "{} at {point:?}, theirs {theirs}: {one:?}",
                    case.kind
                ));
            }
        }
    }
    assert!(asked > 3000 && hit > asked / 10, "{hit} of {asked}");
    assert!(
        wrong.is_empty(),
        "{} of {asked} differ: {:#?}",
        wrong.len(),
        &wrong[..wrong.len().min(5)]
    );
}
