//! How much an editor has to draw for one element.
//!
//! Each property of an element may be fine, and all of them together keep an editor busy for
//! minutes: a large box filled with fine lines. What decides is the number of strokes; dashes are
//! drawn at once, however many. The studio counts the same way (`strokes.ts`); both are tested against the cases of
//! `tests/fixtures/element-rules.json`, so the sums are done in the same order there.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::{Change, ElementId, PageDoc, Props, Refusal, rules};

/// The properties that decide.
const DECIDING: [&str; 8] = [
    "backgroundColor",
    "elbowed",
    "fillStyle",
    "height",
    "points",
    "strokeWidth",
    "type",
    "width",
];

/// From this length of its outline on an element is large, and below this width a stroke is fine.
/// Elements that are neither, with few points, are never too much.
const LARGE: f64 = 16_000.0;
const FINE: f64 = 0.5;
const MANY_POINTS: usize = 500;

/// The strokes of an element, and the property that most of them are for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Strokes {
    pub count: f64,
    pub property: &'static str,
}

impl Strokes {
    pub fn of(props: &Props) -> Self {
        let word = |name: &str| props.get(name).and_then(Value::as_str);
        let pen = number(props, "strokeWidth").unwrap_or(2.0).abs();
        let length = outline(props);
        let filled = word("backgroundColor").is_some_and(|color| color != "transparent");
        let lines = match word("fillStyle") {
            _ if !filled => 0.0,
            None | Some("solid") => 0.0,
            Some("hachure") => 1.0,
            Some(_) => 2.0,
        };
        let fill = length / 2.0 / (pen * 4.0).max(0.1) * lines;
        // What it takes to find the way of an elbow arrow, or the edge of a line of ink.
        let each = match word("type") {
            _ if props.get("elbowed") == Some(&Value::Bool(true)) => 20.0,
            Some("freedraw") => 1.0,
            _ => 0.25,
        };
        let points = points(props).len() as f64 * each;
        let property = if fill < points { "points" } else { "fillStyle" };
        Self {
            count: fill + points,
            property,
        }
    }
}

/// Whether `changes` leave an element large or fine, so that what it takes to draw is to be counted.
pub(crate) fn any_large(changes: &[Change], doc: &PageDoc) -> bool {
    outcome(changes, doc).values().any(|props| {
        outline(props) > LARGE
            || number(props, "strokeWidth").is_some_and(|pen| pen.abs() < FINE)
            || points(props).len() > MANY_POINTS
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

/// What decides about each element of which a deciding property is written, as `changes` leave it.
fn outcome<'a>(changes: &'a [Change], doc: &PageDoc) -> BTreeMap<&'a ElementId, Props> {
    let mut outcome: BTreeMap<&ElementId, Props> = BTreeMap::new();
    for write in changes.iter().flat_map(|change| &change.writes) {
        let decides = DECIDING.contains(&write.property.as_str());
        let Some(value) = write.value.as_ref().filter(|_| decides) else {
            continue;
        };
        let before = |name: &str| Some((name.to_owned(), doc.register(&write.element, name)?));
        outcome
            .entry(&write.element)
            .or_insert_with(|| DECIDING.into_iter().filter_map(before).collect())
            .insert(write.property.clone(), value.clone());
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
