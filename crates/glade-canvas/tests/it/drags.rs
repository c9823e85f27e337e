//! What follows from a drag, against the editor's own: a mouse took hold of shapes in a real browser, and every
//! property that the editor derived then is compared with what we derive. How the fixture is made: `tests/oracle`.
//! `GLADE_DRAGS=FILE` compares with another answer, of another seed or of more rounds.

use std::collections::BTreeSet;

use glade_canvas::bounds::page_points;
use glade_canvas::{Element, ElementKind, Rect, Scene, derive, label};
use glade_doc::ElementId;
use serde_json::{Value, json};

use crate::support::{element, id, props};

/// Ends of arrows: where a curve is met differs by this much at most.
const PLACE: f64 = 0.1;
/// Text: two font engines.
const TEXT: f64 = 0.5;

fn read(values: &Value) -> Vec<Element> {
    let values = values.as_array().unwrap().iter();
    values
        .map(|one| element(one["id"].as_str().unwrap(), one.clone()))
        .collect()
}

fn moved(case: &Value) -> BTreeSet<ElementId> {
    let ids = case["moved"].as_array().unwrap().iter();
    ids.map(|one| id(one.as_str().unwrap())).collect()
}

fn cases() -> Vec<Value> {
    let text = match std::env::var("GLADE_DRAGS") {
        Ok(path) => std::fs::read_to_string(path).expect("the file can be read"),
        Err(_) => include_str!("fixtures/drags.json").to_owned(),
    };
    serde_json::from_str(&text).expect("the fixture is JSON")
}

/// A person can make a shape narrower than one character of its words. The editor leaves it at that until the words
/// are next typed, and widens it then; ours is widened at once.
fn is_too_narrow(after: &Scene, container: &ElementId) -> bool {
    let (own, words) = (after.get(container), after.label_of(container));
    own.zip(words).is_some_and(|(own, words)| {
        own.kind() != ElementKind::Arrow && words.width() > label::inner_rect(own).w
    })
}

/// Whoever resizes a sticky note by its corner scales the words too: of a label, the size that was asked for is the
/// person's.
fn keep_font(scene: &mut Scene, after: &Scene, container: &ElementId) {
    let (before, after) = (scene.label_of(container), after.label_of(container));
    if let Some((words, theirs)) = before.zip(after) {
        let key = match words.number("baseFontSize") {
            Some(_) => "baseFontSize",
            None => "fontSize",
        };
        let asked = props(json!({ key: theirs.props[key] }));
        scene.put(words.with(&asked));
    }
}

#[test]
fn what_follows_from_a_drag_is_what_the_editor_makes_of_it() {
    let mut wrong = Vec::new();
    let (mut drags, mut narrow, mut arrows, mut labels) = (0, 0, 0, 0);
    for case in cases() {
        let mut scene: Scene = read(&case["before"]).into_iter().collect();
        let after: Scene = read(&case["after"]).into_iter().collect();
        let moved = moved(&case);
        if moved.iter().any(|one| is_too_narrow(&after, one)) {
            narrow += 1;
            continue;
        }
        for one in &moved {
            keep_font(&mut scene, &after, one);
            let theirs = after.get(one).unwrap();
            // Of words only they and their letters are the person's; where they lie and what they take is what we are
            // asked.
            let now = match case["what"].as_str() {
                Some("label" | "free words" | "letters") => {
                    let own = ["originalText", "fontSize", "baseFontSize"];
                    let own = own
                        .iter()
                        .filter_map(|key| theirs.props.get_key_value(*key));
                    let own = own.map(|(key, value)| (key.clone(), value.clone()));
                    scene.get(one).unwrap().with(&own.collect())
                }
                _ => theirs.clone(),
            };
            scene.put(now);
        }
        let edits = derive(&scene, &moved);
        scene.apply(&edits);
        drags += 1;
        for theirs in after.live() {
            let ours = scene.get(&theirs.id).unwrap();
            let mut differ = |what: &str| {
                wrong.push(format!(
                    "{} {:?}: {what} of {} {}: ours {:?} {:?}, theirs {:?} {:?}",
                    case["what"],
                    moved.iter().map(ElementId::as_str).collect::<Vec<_>>(),
                    theirs.kind().as_str(),
                    theirs.id,
                    ours.rect(),
                    page_points(ours),
                    theirs.rect(),
                    page_points(theirs)
                ));
            };
            match theirs.kind().as_str() {
                // The editor routes an elbow arrow anew; ours is left to it, as it is.
                "arrow" if theirs.is_elbowed() => {
                    let before = read(&case["before"]);
                    let before = before.iter().find(|one| one.id == theirs.id).unwrap();
                    if before.props != ours.props {
                        differ("the untouched way");
                    }
                }
                "arrow" => {
                    arrows += 1;
                    let (own, their) = (page_points(ours), page_points(theirs));
                    let near = own.len() == their.len()
                        && own.iter().zip(&their).all(|(a, b)| a.distance(*b) <= PLACE);
                    if !near {
                        differ("the way");
                    }
                    let near = |a: f64, b: f64| (a - b).abs() <= 2.0 * PLACE;
                    // Of a flat arrow with words on it the editor stores the height that a box would need for them.
                    let real = Rect::from_points(their.iter().copied()).unwrap();
                    let is = |w: f64, h: f64| near(ours.width(), w) && near(ours.height(), h);
                    if !is(real.w, real.h) && !is(theirs.width(), theirs.height()) {
                        differ("the size");
                    }
                }
                "text" => {
                    labels += 1;
                    let near = |a: f64, b: f64| (a - b).abs() <= TEXT;
                    let placed = near(ours.x(), theirs.x()) && near(ours.y(), theirs.y());
                    let sized =
                        near(ours.width(), theirs.width()) && near(ours.height(), theirs.height());
                    if !placed
                        || !sized
                        || ours.angle() != theirs.angle()
                        || ours.font_size() != theirs.font_size()
                    {
                        differ("the place");
                    }
                    if label::drawn_text(&scene, ours) != theirs.props["text"].as_str().unwrap() {
                        differ("the lines");
                    }
                }
                _ => {
                    let near = |a: f64, b: f64| (a - b).abs() <= TEXT;
                    let (a, b) = (ours.rect(), theirs.rect());
                    if !(near(a.x, b.x) && near(a.y, b.y) && near(a.w, b.w) && near(a.h, b.h)) {
                        differ("the box");
                    }
                }
            }
        }
    }
    assert!(
        drags > 9 * narrow && arrows >= 1 && labels >= 1,
        "{drags} drags, {narrow} too narrow, {arrows} arrows, {labels} labels"
    );
    assert!(
        wrong.is_empty(),
        "{} of {drags} drags' parts differ ({arrows} arrows, {labels} labels): {:#?}",
        wrong.len(),
        &wrong[..wrong.len().min(12)]
    );
}
