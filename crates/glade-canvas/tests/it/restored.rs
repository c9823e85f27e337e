//! Older files as the editor opens them: what it restored in a real browser is compared with what we read.
//! How the fixture is made: `tests/oracle`.

use glade_canvas::bounds::page_points;
use glade_canvas::file::from_excalidraw;
use glade_canvas::{Binding, Element};
use serde_json::{Value, json};

use crate::support::element;

/// The numbers are the same formulas in another language.
const EXACT: f64 = 1e-6;

fn same_binding(ours: Option<Binding>, theirs: Option<Binding>) -> bool {
    match (ours, theirs) {
        (None, None) => true,
        (Some(a), Some(b)) => {
            let near = |a: f64, b: f64| (a - b).abs() < EXACT;
            a.element_id == b.element_id
                && a.mode == b.mode
                && near(a.fixed_point.0, b.fixed_point.0)
                && near(a.fixed_point.1, b.fixed_point.1)
        }
        _ => false,
    }
}

/// What differs between the two.
fn differences(ours: &Element, theirs: &Element) -> Vec<&'static str> {
    let near = |a: f64, b: f64| (a - b).abs() < EXACT;
    let rect = (ours.rect(), theirs.rect());
    let (own, their) = (page_points(ours), page_points(theirs));
    let same_way =
        own.len() == their.len() && own.iter().zip(&their).all(|(a, b)| a.distance(*b) < EXACT);
    let is_path = ours.kind().is_linear();
    let same_box = is_path
        || near(rect.0.x, rect.1.x)
            && near(rect.0.y, rect.1.y)
            && near(rect.0.w, rect.1.w)
            && near(rect.0.h, rect.1.h);
    let is_text = ours.kind().as_str() == "text";
    let checks = [
        ("type", ours.kind() == theirs.kind()),
        ("box", same_box),
        ("way", !is_path || same_way),
        ("angle", is_path || near(ours.angle(), theirs.angle())),
        (
            "start",
            same_binding(ours.start_binding(), theirs.start_binding()),
        ),
        (
            "end",
            same_binding(ours.end_binding(), theirs.end_binding()),
        ),
        ("container", ours.container_id() == theirs.container_id()),
        (
            "words",
            !is_text || ours.original_text() == theirs.original_text(),
        ),
        (
            "font",
            !is_text
                || ours.font_family() == theirs.font_family()
                    && near(ours.font_size(), theirs.font_size()),
        ),
        // Of a font by its name the editor finds no height: it asks for the size before it has read it.
        (
            "line height",
            !is_text
                || theirs.number("lineHeight").is_none()
                || near(ours.line_height(), theirs.line_height()),
        ),
        ("stroke", near(ours.stroke_width(), theirs.stroke_width())),
    ];
    checks
        .into_iter()
        .filter(|(_, same)| !same)
        .map(|(what, _)| what)
        .collect()
}

#[test]
fn older_files_are_read_as_the_editor_restores_them() {
    let cases: Vec<Value> =
        serde_json::from_str(include_str!("fixtures/restored.json")).expect("the fixture is JSON");
    let mut wrong = Vec::new();
    let mut compared = 0;
    for case in &cases {
        let file = json!({"type": "excalidraw", "version": 2, "elements": case["before"]});
        let scene = from_excalidraw(file.to_string().as_bytes())
            .unwrap()
            .scene();
        for theirs in case["after"].as_array().unwrap() {
            let theirs = element(theirs["id"].as_str().unwrap(), theirs.clone());
            if theirs.is_deleted() {
                continue;
            }
            compared += 1;
            let Some(ours) = scene.get(&theirs.id) else {
                wrong.push(format!("{theirs:?} is not there"));
                continue;
            };
            let before = case["before"].as_array().unwrap().iter();
            let before = before.clone().find(|one| one["id"] == theirs.id.as_str());
            for what in differences(ours, &theirs) {
                wrong.push(format!(
                    "{what} of {}: ours {}, theirs {}, before {}",
                    theirs.id,
                    json!(ours.props),
                    json!(theirs.props),
                    json!(before)
                ));
            }
        }
    }
    assert!(compared > 400, "{compared}");
    assert!(
        wrong.is_empty(),
        "{} of {compared} differ: {:#?}",
        wrong.len(),
        &wrong[..wrong.len().min(5)]
    );
}
