//! How much an editor has to draw for one element.
//!
//! Each property of an element may be fine, and all of them together keep an editor busy for
//! minutes: a large box filled with fine lines. What decides is the number of strokes, and what
//! takes as long: dots, many dashes, a very long way, text in very many lines. The studio counts the same way (`strokes.ts`); both are tested against the cases of
//! `vectors/element-rules.json`, so the sums are done in the same order there.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::schema::TEXT;
use crate::{Change, ElementId, PageDoc, Props, Refusal, TextWrite, rules};

/// The properties that decide, beside the words.
const DECIDING: [&str; 13] = [
    "autoResize",
    "backgroundColor",
    "containerId",
    "elbowed",
    "fillStyle",
    "fontSize",
    "height",
    "points",
    "roundness",
    "strokeStyle",
    "strokeWidth",
    "type",
    "width",
];

/// From this length of its outline on an element is large, and below this width a stroke is fine.
/// Elements that are neither, with few points, are never too much.
const LARGE: f64 = 16_000.0;
const FINE: f64 = 0.5;
const MANY_POINTS: usize = 500;
const MANY_WORDS: usize = 2_000;

/// Fills of which the number of lines grows with a side, not with the area.
const PLAIN_FILLS: [&str; 4] = ["solid", "hachure", "cross-hatch", "zigzag"];

/// So many of each take as long as one stroke: dashes, units of a line's way, and characters of a wrapped text times its
/// lines.
const DASHES: f64 = 100.0;
const WAY: f64 = 10_000.0;
const WRAPPED: f64 = 400_000.0;

/// The strokes of an element, and the property that most of them are for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Strokes {
    pub count: f64,
    pub property: &'static str,
}

impl Strokes {
    pub fn of(props: &Props) -> Self {
        let word = |name: &str| props.get(name).and_then(Value::as_str);
        let is = |name: &str, value: bool| props.get(name) == Some(&Value::Bool(value));
        let pen = number(props, "strokeWidth").unwrap_or(2.0).abs();
        let length = outline(props);
        let gap = (pen * 4.0).max(0.1);
        let filled = word("backgroundColor").is_some_and(|color| color != "transparent");
        let fill = match word("fillStyle") {
            _ if !filled => 0.0,
            None | Some("solid") => 0.0,
            Some("hachure") => length / 2.0 / gap,
            Some("cross-hatch" | "zigzag") => length / 2.0 / gap * 2.0,
            // Dots, and lines made of dashes.
            Some(_) => area(props) / gap / gap,
        };
        // What it takes to find the way of an elbow arrow, the edge of a line of ink, or a curve.
        let each = match word("type") {
            _ if is("elbowed", true) => 20.0,
            Some("freedraw") => 1.0,
            _ if props.get("roundness").is_some_and(Value::is_object) => 0.5,
            _ => 0.25,
        };
        let points = points(props).len() as f64 * each;
        let dashes = match word("strokeStyle") {
            Some("dashed") => length / (16.0 + pen) / DASHES,
            Some("dotted") => length / (7.5 + pen) / DASHES,
            _ => 0.0,
        };
        let way = length / WAY;
        let characters = word(TEXT).map_or(0.0, |words| words.encode_utf16().count() as f64);
        let size = number(props, "fontSize").unwrap_or(20.0);
        let letters = characters * size * 4.0 / WAY;
        let width = number(props, "width").unwrap_or(0.0).abs().max(1.0);
        let lines = (characters * size / 2.0 / width).min(characters);
        // A label wraps in its container, which may become as narrow as it likes.
        let wrapped = if word("containerId").is_some() {
            characters * characters / WRAPPED
        } else if is("autoResize", false) {
            characters * lines / WRAPPED
        } else {
            0.0
        };
        let parts = [
            (fill, "fillStyle"),
            (points + way, "points"),
            (dashes, "strokeStyle"),
            (letters, "fontSize"),
            (wrapped, "autoResize"),
        ];
        let most = parts.into_iter().fold((0.0, "fillStyle"), |most, part| {
            if part.0 > most.0 { part } else { most }
        });
        Self {
            count: fill + (points + way) + dashes + letters + wrapped,
            property: most.1,
        }
    }
}

/// Whether `changes` leave an element large or fine, so that what it takes to draw is to be counted.
pub(crate) fn any_large(outcome: &BTreeMap<&ElementId, Props>) -> bool {
    outcome.values().any(|props| {
        outline(props) > LARGE
            || number(props, "strokeWidth").is_some_and(|pen| pen.abs() < FINE)
            || points(props).len() > MANY_POINTS
            || props.contains_key(TEXT)
            || props
                .get("fillStyle")
                .is_some_and(|style| !PLAIN_FILLS.iter().any(|it| style == it))
    })
}

/// Whether every element that `changes` write can be drawn afterwards. `doc` is the page before them.
pub(crate) fn check(changes: &[Change], doc: &PageDoc) -> Result<(), Refusal> {
    for (id, props) in outcome(changes, doc) {
        if let Some(fault) = rules::too_many_strokes(&props) {
            return Err(Refusal::BadElement {
                element: id.clone(),
                property: fault.property,
                reason: fault.reason,
            });
        }
    }
    Ok(())
}

/// What decides about each element of which a deciding property or a word is written, as `changes` leave it. Words that
/// are few are left out.
pub(crate) fn outcome<'a>(changes: &'a [Change], doc: &PageDoc) -> BTreeMap<&'a ElementId, Props> {
    let mut outcome: BTreeMap<&ElementId, Props> = BTreeMap::new();
    let mut typed: BTreeMap<&ElementId, usize> = BTreeMap::new();
    for write in changes.iter().flat_map(|change| &change.writes) {
        let before = |name: &str| Some((name.to_owned(), doc.register(&write.element, name)?));
        let decided = || DECIDING.into_iter().filter_map(before).collect();
        if let Some(TextWrite::Inserted { length, .. }) = write.text {
            *typed.entry(&write.element).or_default() += usize::try_from(length).unwrap_or(0);
            outcome.entry(&write.element).or_insert_with(decided);
        }
        let decides = DECIDING.contains(&write.property.as_str());
        if let Some(value) = write.value.as_ref().filter(|_| decides) {
            let props = outcome.entry(&write.element).or_insert_with(decided);
            props.insert(write.property.clone(), value.clone());
        }
    }
    for (id, props) in &mut outcome {
        let there = doc.words(id).map_or(0, |words| words.len_unicode());
        let words = there + typed.get(id).copied().unwrap_or(0);
        if words > MANY_WORDS {
            // Only how many there are counts.
            props.insert(TEXT.to_owned(), Value::String("x".repeat(words)));
        }
    }
    outcome
}

/// How long the outline of an element is, going along the axes.
fn outline(props: &Props) -> f64 {
    let side = |name: &str| number(props, name).unwrap_or(0.0).abs();
    let mut length = 2.0 * (side("width") + side("height"));
    let axis = |point: &Value, at: usize| point.get(at).and_then(Value::as_f64).unwrap_or(0.0);
    let points = points(props);
    for pair in points.windows(2) {
        if let [from, to] = pair {
            length += (axis(to, 0) - axis(from, 0)).abs() + (axis(to, 1) - axis(from, 1)).abs();
        }
    }
    length
}

/// The box around an element and its points.
fn area(props: &Props) -> f64 {
    let axis = |at: usize, side: &str| {
        let places = points(props)
            .iter()
            .filter_map(|point| point.get(at)?.as_f64());
        let (low, high) = places.fold((0.0_f64, 0.0_f64), |(low, high), at| {
            (low.min(at), high.max(at))
        });
        (high - low).max(number(props, side).unwrap_or(0.0).abs())
    };
    axis(0, "width") * axis(1, "height")
}

fn points(props: &Props) -> &[Value] {
    let points = props.get("points").and_then(Value::as_array);
    points.map_or(&[], Vec::as_slice)
}

fn number(props: &Props, name: &str) -> Option<f64> {
    props.get(name).and_then(Value::as_f64)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::{Edit, GuardedPage};

    fn put(props: &Value) -> Edit {
        Edit::Put {
            id: "a".into(),
            props: props.as_object().unwrap().clone(),
        }
    }

    /// What becomes of edits of one element, each an update of its own.
    fn judged(edits: &[Value]) -> Vec<Result<(), String>> {
        let mut page = GuardedPage::open(PageDoc::new(), Vec::new()).unwrap();
        let mut outcomes = Vec::new();
        for (peer, props) in (1..).zip(edits) {
            let client = page.doc().fork();
            let commit = client.commit(peer, None, &[put(props)]).unwrap().unwrap();
            let taken = page.admit(&commit.update, &mut |_, _| Ok(()));
            outcomes.push(match taken {
                Ok(_) => Ok(()),
                Err(Refusal::BadElement { property, .. }) => Err(property),
                Err(other) => panic!("{other}"),
            });
        }
        outcomes
    }

    #[test]
    fn an_element_is_judged_by_all_that_it_becomes() {
        let solid = json!({ "type": "rectangle", "width": 900_000, "backgroundColor": "red" });
        let hatched = json!({ "fillStyle": "hachure" });
        let small = json!({ "width": 100 });
        assert_eq!(
            judged(&[solid, hatched.clone(), small, hatched]),
            [Ok(()), Err("fillStyle".to_owned()), Ok(()), Ok(())]
        );
        let hatched = json!({
            "type": "rectangle", "width": 9_000, "backgroundColor": "red", "fillStyle": "zigzag"
        });
        let fine = json!({ "strokeWidth": 0.01 });
        assert_eq!(
            judged(&[hatched, fine]),
            [Ok(()), Err("fillStyle".to_owned())]
        );
    }

    #[test]
    fn updates_that_are_merged_together_are_judged_together() {
        let mut page = GuardedPage::open(PageDoc::new(), Vec::new()).unwrap();
        let client = page.doc().fork();
        let start = json!({
            "type": "rectangle", "width": 10, "backgroundColor": "red", "fillStyle": "solid"
        });
        let commit = client.commit(1, None, &[put(&start)]).unwrap().unwrap();
        page.admit(&commit.update, &mut |_, _| Ok(())).unwrap();
        let steps = [
            json!({ "strokeWidth": 0.5 }),
            json!({ "width": 900_000 }),
            json!({ "fillStyle": "hachure" }),
        ];
        let blobs: Vec<Vec<u8>> = steps
            .iter()
            .map(|step| {
                client
                    .commit(1, None, &[put(step)])
                    .unwrap()
                    .unwrap()
                    .update
            })
            .collect();
        let arrivals: Vec<crate::IncomingUpdate<'_>> = blobs
            .iter()
            .map(|blob| crate::IncomingUpdate {
                blob,
                spans: crate::blob_spans(blob).unwrap(),
                reads_page: false,
            })
            .collect();
        let outcomes = page.admit_all(&arrivals, &mut |_, _, _| Ok(()));
        let taken: Vec<bool> = outcomes.iter().map(Result::is_ok).collect();
        assert_eq!(taken, [true, true, false]);
    }

    #[test]
    fn points_count_by_what_is_made_of_them() {
        let with = |count: usize, more: Value| {
            let mut props = more.as_object().unwrap().clone();
            props.insert("points".to_owned(), json!(vec![[0, 0]; count]));
            rules::fault_of(&props).map(|fault| fault.property)
        };
        let points = Some("points".to_owned());
        assert_eq!(
            with(1_000, json!({ "type": "arrow", "elbowed": true })),
            None
        );
        assert_eq!(
            with(1_001, json!({ "type": "arrow", "elbowed": true })),
            points
        );
        assert_eq!(with(20_000, json!({ "type": "freedraw" })), None);
        assert_eq!(with(20_001, json!({ "type": "freedraw" })), points);
        assert_eq!(with(80_000, json!({ "type": "line" })), None);
        assert_eq!(with(80_001, json!({ "type": "line" })), points);
    }

    #[test]
    fn what_takes_long_together_is_refused_whatever_it_is_made_of() {
        let spread = |count: usize, size: f64, more: Value| {
            let point = |at: usize| [(at % 2) as f64 * size, (at / 2 % 2) as f64 * size];
            let points: Vec<[f64; 2]> = (0..count).map(point).collect();
            let mut props = more.as_object().unwrap().clone();
            props.insert("points".to_owned(), json!(points));
            rules::fault_of(&props).map(|fault| fault.property)
        };
        let fault = |property: &str| Some(property.to_owned());
        assert_eq!(
            spread(19_000, 1e6, json!({ "type": "freedraw" })),
            fault("points")
        );
        let dotted = json!({ "type": "line", "strokeStyle": "dotted" });
        assert_eq!(spread(79_000, 1e6, dotted), fault("strokeStyle"));
        let curved = json!({
            "type": "line", "strokeStyle": "dashed", "roughness": 10, "roundness": { "type": 2 }
        });
        assert_eq!(spread(70_000, 500.0, curved), fault("points"));
        assert_eq!(spread(5_000, 20.0, json!({ "type": "freedraw" })), None);
    }

    #[test]
    fn words_that_wrap_into_endless_lines_are_refused_when_they_come_and_when_they_wrap() {
        let words = "words ".repeat(30_000);
        let narrow = json!({ "type": "text", "autoResize": false, "width": 1, "fontSize": 20 });
        let wide = json!({ "type": "text", "autoResize": false, "width": 900, "fontSize": 20 });
        let typed = json!({ "originalText": words });
        let refused = || Err("autoResize".to_owned());
        assert_eq!(
            judged(&[narrow.clone(), typed.clone()]),
            [Ok(()), refused()]
        );
        assert_eq!(judged(&[wide, typed, narrow]), [Ok(()), Ok(()), refused()]);
    }

    #[test]
    fn a_label_is_no_longer_than_the_narrowest_container_can_wrap() {
        let label = |count: usize| {
            let words = "x".repeat(count);
            json!({ "type": "text", "containerId": "box", "fontSize": 20, "originalText": words })
        };
        let refused = || Err("autoResize".to_owned());
        assert_eq!(judged(&[label(85_000)]), [Ok(())]);
        assert_eq!(judged(&[label(90_000)]), [refused()]);
        let mut plain = label(90_000);
        plain["containerId"] = Value::Null;
        let bound = json!({ "containerId": "box" });
        assert_eq!(judged(&[plain, bound]), [Ok(()), refused()]);
    }

    proptest::proptest! {
        /// What is not counted is never too much.
        #[test]
        fn what_is_small_is_never_too_much(
            size in 0.0..4_000.0f64,
            pen in 0.5..5.0f64,
            points in 0usize..=500,
            elbowed: bool,
        ) {
            let place = size / 500.0;
            let points: Vec<[f64; 2]> = (0..points).map(|at| [(at % 2) as f64 * place, 0.0]).collect();
            let props = json!({
                "width": size, "height": 0, "strokeWidth": pen, "points": points,
                "backgroundColor": "red", "fillStyle": "zigzag", "elbowed": elbowed,
            });
            let props = props.as_object().unwrap();
            proptest::prop_assert!(outline(props) <= LARGE);
            proptest::prop_assert_eq!(rules::too_many_strokes(props), None);
        }
    }
}
