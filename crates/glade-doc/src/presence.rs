//! What somebody may show of themselves on a page.
//!
//! Everybody's studio reads what everybody shows, so each value is held to this table before it is
//! passed on: known keys, known shapes, bounded sizes, finite numbers.

use loro::{LoroMapValue, LoroValue};

/// Most ids in a selection.
const MOST_SELECTED: usize = 1_000;
/// Longest id of an element or a block.
const ID: usize = 512;
/// Longest place in a block's words: a Loro cursor in base64.
const CURSOR: usize = 1_024;
/// Farther out nobody scrolls.
const FARTHEST: f64 = 1e9;

/// What is wrong with a value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PresenceFlaw {
    #[error("presence is an object of known keys")]
    NoObject,
    #[error("presence has no key `{}`", short(.0))]
    UnknownKey(String),
    #[error("`{0}` of the presence has another shape, or is too large")]
    Shape(&'static str),
}

enum Shape {
    Text(usize),
    OneOf(&'static [&'static str]),
    Color,
    Flag,
    Point,
    MaybePoint,
    MaybeRect,
    Ids,
    MaybeCaret,
}

/// The keys of everybody.
const EVERYBODY: [(&str, Shape); 10] = [
    ("subject", Shape::Text(256)),
    ("name", Shape::Text(1_024)),
    ("kind", Shape::OneOf(&["person", "fairy"])),
    ("color", Shape::Color),
    ("icon", Shape::Text(64)),
    ("cursor", Shape::MaybePoint),
    ("selection", Shape::Ids),
    ("viewport", Shape::MaybeRect),
    (
        "activity",
        Shape::OneOf(&["generating", "idle", "awaiting-tool-result"]),
    ),
    ("caret", Shape::MaybeCaret),
];

/// The keys of fairies.
const OF_FAIRIES: [(&str, Shape); 9] = [
    ("fairy", Shape::Text(ID)),
    ("mode", Shape::Text(64)),
    ("position", Shape::Point),
    ("pose", Shape::Text(64)),
    ("expression", Shape::Text(64)),
    ("flip", Shape::Flag),
    ("hat", Shape::Text(64)),
    ("hatColor", Shape::Color),
    ("doing", Shape::Text(1_024)),
];

/// Whether a value is one that somebody may show. Who they are is not judged here.
pub fn check_presence_value(value: &LoroValue) -> Result<&LoroMapValue, PresenceFlaw> {
    let LoroValue::Map(map) = value else {
        return Err(PresenceFlaw::NoObject);
    };
    let table = || EVERYBODY.iter().chain(&OF_FAIRIES);
    for (key, value) in map.iter() {
        let (name, shape) = table()
            .find(|(name, _)| name == key)
            .ok_or_else(|| PresenceFlaw::UnknownKey(key.clone()))?;
        if !shape.fits(value) {
            return Err(PresenceFlaw::Shape(name));
        }
    }
    Ok(map)
}

/// Whether it is what only a fairy shows.
pub fn shows_a_fairy(said: &LoroMapValue) -> bool {
    said.get("kind").and_then(text) == Some("fairy")
        || OF_FAIRIES.iter().any(|(key, _)| said.get(*key).is_some())
}

impl Shape {
    fn fits(&self, value: &LoroValue) -> bool {
        match self {
            Shape::Text(most) => text(value).is_some_and(|text| text.len() <= *most),
            Shape::OneOf(words) => text(value).is_some_and(|text| words.contains(&text)),
            Shape::Color => text(value).is_some_and(is_color),
            Shape::Flag => matches!(value, LoroValue::Bool(_)),
            Shape::Point => fields(value, &["x", "y"]).is_some(),
            Shape::MaybePoint => value.is_null() || Shape::Point.fits(value),
            Shape::MaybeRect => {
                value.is_null()
                    || fields(value, &["x", "y", "w", "h"])
                        .is_some_and(|sides| sides[2] >= 0.0 && sides[3] >= 0.0)
            }
            Shape::Ids => matches!(value, LoroValue::List(ids)
                if ids.len() <= MOST_SELECTED && ids.iter().all(|id| Shape::Text(ID).fits(id))),
            Shape::MaybeCaret => value.is_null() || is_caret(value),
        }
    }
}

fn text(value: &LoroValue) -> Option<&str> {
    match value {
        LoroValue::String(text) => Some(text),
        _ => None,
    }
}

/// `#rrggbb`, as the studio writes it.
fn is_color(text: &str) -> bool {
    text.strip_prefix('#')
        .is_some_and(|digits| digits.len() == 6 && digits.bytes().all(|b| b.is_ascii_hexdigit()))
}

/// The numbers of an object that has exactly these fields.
fn fields(value: &LoroValue, names: &[&str]) -> Option<Vec<f64>> {
    let LoroValue::Map(map) = value else {
        return None;
    };
    let numbers: Option<Vec<f64>> = names
        .iter()
        .map(|name| map.get(*name).and_then(number))
        .collect();
    numbers.filter(|_| map.len() == names.len())
}

fn number(value: &LoroValue) -> Option<f64> {
    let number = match value {
        LoroValue::Double(number) => *number,
        LoroValue::I64(number) => *number as f64,
        _ => return None,
    };
    (number.abs() <= FARTHEST).then_some(number)
}

fn is_caret(value: &LoroValue) -> bool {
    let LoroValue::Map(ends) = value else {
        return false;
    };
    let has = |name: &str| ends.get(name).is_some_and(is_place);
    ends.len() == 2 && has("anchor") && has("head")
}

/// A block, and a place in its words where it has any.
fn is_place(value: &LoroValue) -> bool {
    let LoroValue::Map(place) = value else {
        return false;
    };
    let at = place.get("at");
    place
        .get("block")
        .is_some_and(|id| Shape::Text(ID).fits(id))
        && at.is_none_or(|at| Shape::Text(CURSOR).fits(at))
        && place.len() == 1 + usize::from(at.is_some())
}

/// What a stranger wrote, cut to what a log or an answer has room for.
fn short(text: &str) -> String {
    text.chars().take(40).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn check(value: &Value) -> Result<(), PresenceFlaw> {
        check_presence_value(&LoroValue::from(value.clone())).map(|_| ())
    }

    #[test]
    fn what_the_studio_and_fairies_show_fits() {
        let place = json!({"block": "b1.r0.c1", "at": "AAEC"});
        for value in [
            json!({}),
            json!({
                "subject": "person:ann", "name": "Ann", "kind": "person", "color": "#1971c2",
                "cursor": {"x": 1, "y": -2.5}, "selection": ["a", "b"], "activity": "idle",
                "viewport": {"x": 0, "y": 0, "w": 800, "h": 600.5},
                "caret": {"anchor": {"block": "b1"}, "head": place},
            }),
            json!({"cursor": null, "viewport": null, "caret": null}),
            json!({
                "kind": "fairy", "fairy": "fy_1", "mode": "idling", "position": {"x": 1, "y": 2},
                "pose": "idle", "expression": "happy", "flip": true, "hat": "cap",
                "hatColor": "#AABBCC", "doing": "writing",
            }),
        ] {
            assert_eq!(check(&value), Ok(()), "{value}");
        }
    }

    #[test]
    fn what_has_another_shape_or_size_does_not() {
        for value in [json!(null), json!(1), json!("here"), json!([]), json!(true)] {
            assert_eq!(check(&value), Err(PresenceFlaw::NoObject), "{value}");
        }
        for key in ["at", "__proto__", "toString", "", "Cursor", "scope"] {
            let flaw = PresenceFlaw::UnknownKey(key.to_owned());
            assert_eq!(check(&json!({ key: 1 })), Err(flaw));
        }
        let long = "x".repeat(2_000);
        let many = vec!["a"; 1_001];
        for (key, value) in [
            ("name", json!(null)),
            ("name", json!({"toString": 1})),
            ("name", json!(long)),
            ("subject", json!(7)),
            ("kind", json!("owner")),
            ("color", json!("red")),
            ("color", json!("#12345g")),
            ("color", json!("#123456;background:url(x)")),
            ("cursor", json!([1, 2])),
            ("cursor", json!({"x": 1})),
            ("cursor", json!({"x": 1, "y": "2"})),
            ("cursor", json!({"x": 1, "y": 2, "tool": "laser"})),
            ("cursor", json!({"x": 1e300, "y": 2})),
            ("viewport", json!({"x": 1, "y": 2, "w": -1, "h": 1})),
            ("viewport", json!("all")),
            ("selection", json!(null)),
            ("selection", json!("abc")),
            ("selection", json!([null])),
            ("selection", json!([long])),
            ("selection", json!(many)),
            ("activity", json!("sleeping")),
            ("caret", json!({})),
            ("caret", json!({"anchor": {"block": "a"}})),
            ("caret", json!({"anchor": null, "head": null})),
            (
                "caret",
                json!({"anchor": {"block": "a"}, "head": {"block": 1}}),
            ),
            (
                "caret",
                json!({"anchor": {"block": "a"}, "head": {"block": "a", "at": 1}}),
            ),
            (
                "caret",
                json!({"anchor": {"block": "a"}, "head": {"block": "a", "at": long}}),
            ),
            ("position", json!(null)),
            ("flip", json!(1)),
        ] {
            let refused = check(&json!({ key: value }));
            assert!(
                matches!(refused, Err(PresenceFlaw::Shape(name)) if name == key),
                "{key}: {value}: {refused:?}"
            );
        }
    }

    #[test]
    fn numbers_are_finite() {
        for number in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let point = [("x".to_owned(), number.into()), ("y".to_owned(), 1.into())];
            let point = LoroValue::Map(LoroMapValue::from_iter(point));
            let value = LoroValue::Map(LoroMapValue::from_iter([("cursor".to_owned(), point)]));
            assert_eq!(
                check_presence_value(&value),
                Err(PresenceFlaw::Shape("cursor"))
            );
        }
    }
}
