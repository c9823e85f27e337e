//! The first tldraw's files, said in the records of now.
//!
//! There every page holds its shapes by their ids, each with a style of its own. They lie on the page even in a group,
//! and turn about their middle; labels are part of a shape, and a line is an arrow without heads.

use glade_doc::Props;
use serde_json::{Value, json};

use super::{look, number, text};
use crate::element::read_pair;
use crate::geometry::{Point, Rect};
use crate::text::measure;

/// How large words on the page are, in units of the smallest of now.
const SMALLEST: f64 = 18.0;

/// The records of a document of then.
pub(super) fn records(document: &Props) -> Vec<Value> {
    let mut records: Vec<Value> = entries(document, "assets").map(asset).collect();
    for (at, page) in ranked(document, "pages").into_iter().enumerate() {
        records.push(json!({"typeName": "page", "id": text(page, "id"), "name": text(page, "name"), "index": rank(at)}));
        let known = page.get("shapes").and_then(Value::as_object);
        let is_known = |id: &str| known.is_some_and(|shapes| shapes.contains_key(id));
        for (at, one) in ranked(page, "shapes").into_iter().enumerate() {
            let parent = Some(text(one, "parentId")).filter(|id| is_known(id));
            records.push(shape(one, &rank(at), parent.unwrap_or(text(page, "id"))));
        }
        records.extend(entries(page, "bindings").map(binding));
    }
    records
}

/// `[x, y]`, whatever may follow.
fn pair(value: &Value) -> Option<Point> {
    read_pair(value).map(|(x, y)| Point::new(x, y).sane())
}

fn entries<'a>(of: &'a Props, key: &str) -> impl Iterator<Item = &'a Props> {
    let entries = of.get(key).and_then(Value::as_object);
    entries
        .into_iter()
        .flat_map(|entries| entries.values())
        .filter_map(Value::as_object)
}

/// In the order that their places among their like say.
fn ranked<'a>(of: &'a Props, key: &str) -> Vec<&'a Props> {
    let mut all: Vec<&Props> = entries(of, key).collect();
    let place = |one: &Props| number(one, "childIndex").unwrap_or(0.0);
    all.sort_by(|a, b| place(a).total_cmp(&place(b)));
    all
}

fn rank(at: usize) -> String {
    format!("a{at:08}")
}

fn asset(asset: &Props) -> Value {
    let src = text(asset, "src");
    let kind = src
        .strip_prefix("data:")
        .and_then(|rest| rest.split([';', ',']).next());
    let size = asset.get("size").and_then(pair).unwrap_or_default();
    json!({"typeName": "asset", "id": text(asset, "id"), "type": text(asset, "type"),
        "props": {"src": src, "mimeType": kind, "w": size.x, "h": size.y}})
}

fn binding(tie: &Props) -> Value {
    let at = tie
        .get("point")
        .and_then(pair)
        .unwrap_or(Point::new(0.5, 0.5));
    json!({"typeName": "binding", "id": text(tie, "id"), "fromId": text(tie, "fromId"), "toId": text(tie, "toId"),
        "props": {"terminal": text(tie, "handleId"), "normalizedAnchor": {"x": at.x, "y": at.y}, "isPrecise": true}})
}

fn shape(one: &Props, index: &str, parent: &str) -> Value {
    let nothing = Props::new();
    let style = one.get("style").and_then(Value::as_object);
    let style = style.unwrap_or(&nothing);
    let size = one.get("size").and_then(pair).unwrap_or_default();
    let mut props = worded(style);
    let (kind, area) = match text(one, "type") {
        "ellipse" => {
            let radius = one.get("radius").and_then(pair).unwrap_or_default();
            (
                "ellipse",
                Rect::new(0.0, 0.0, radius.x * 2.0, radius.y * 2.0),
            )
        }
        "draw" => ("draw", draw(one, &mut props)),
        "arrow" => ("arrow", arrow(one, &mut props)),
        "text" => ("text", words(one, style, &mut props)),
        "sticky" => ("note", Rect::new(0.0, 0.0, size.x, size.y)),
        other => (other, Rect::new(0.0, 0.0, size.x, size.y)),
    };
    let is_geo = matches!(kind, "rectangle" | "ellipse" | "triangle");
    let written = match kind {
        "text" | "note" => "text",
        // Until 2021 a shape's label was its text.
        _ if !one.contains_key("label") => "text",
        _ => "label",
    };
    props.insert("text".to_owned(), json!(text(one, written)));
    props.insert("w".to_owned(), json!(area.w));
    props.insert("h".to_owned(), json!(area.h));
    if is_geo {
        props.insert("geo".to_owned(), json!(kind));
    }
    if let Some(asset) = one.get("assetId") {
        props.insert("assetId".to_owned(), asset.clone());
    }
    let corner = one.get("point").and_then(pair).unwrap_or_default();
    let turn = number(one, "rotation").unwrap_or(0.0);
    // A group is where its members are, who say that themselves.
    let (corner, turn) = match kind {
        "group" => (Point::default(), 0.0),
        _ => {
            let middle = area.center().translate(corner.x, corner.y);
            (corner.rotate(middle, turn), turn)
        }
    };
    json!({"typeName": "shape", "id": text(one, "id"), "type": if is_geo { "geo" } else { kind },
        "parentId": parent, "index": index, "x": corner.x, "y": corner.y, "rotation": turn,
        "isLocked": one.get("isLocked"), "props": props})
}

/// The style in the words of now: those that tldraw itself puts in their place.
fn worded(style: &Props) -> Props {
    let word = |key: &str| word(style, key);
    let color = match word("color").as_str() {
        "lightgray" | "gray" => "grey",
        "green" => "light-green",
        "cyan" => "green",
        "blue" => "light-blue",
        "indigo" => "blue",
        "violet" => "light-violet",
        "red" => "red",
        "orange" => "orange",
        "yellow" => "yellow",
        _ => "black",
    };
    let size = match word("size").as_str() {
        "small" => "m",
        "large" => "xl",
        _ => "l",
    };
    let font = match word("font").as_str() {
        "sans" => "sans",
        "serif" => "serif",
        "mono" => "mono",
        _ => "draw",
    };
    let fill = match (style.get("isFilled"), color) {
        (Some(Value::Bool(true)), "black") => "semi",
        (Some(Value::Bool(true)), _) => "solid",
        _ => "none",
    };
    let dash = match word("dash").as_str() {
        "dashed" => "dashed",
        "dotted" => "dotted",
        "solid" => "solid",
        _ => "draw",
    };
    let align = align(style);
    let look = [
        ("color", color),
        ("size", size),
        ("font", font),
        ("fill", fill),
        ("dash", dash),
        ("align", align),
    ];
    look.into_iter()
        .map(|(key, word)| (key.to_owned(), json!(word)))
        .collect()
}

/// Which side words stand on.
fn align(style: &Props) -> &'static str {
    match word(style, "textAlign").as_str() {
        "start" | "justify" => "start",
        "end" => "end",
        _ => "middle",
    }
}

/// In small letters: the very first began some words with a capital.
fn word(of: &Props, key: &str) -> String {
    text(of, key).to_ascii_lowercase()
}

/// A stroke; answers the box of its points.
fn draw(one: &Props, props: &mut Props) -> Rect {
    let stored = one.get("points").and_then(Value::as_array);
    let stored = stored.map_or(&[][..], Vec::as_slice);
    let pen_point = |value: &Value| {
        let at = pair(value)?;
        let pressure = value.get(2).and_then(Value::as_f64).unwrap_or(0.5);
        Some(json!({"x": at.x, "y": at.y, "z": pressure}))
    };
    let points: Vec<Value> = stored.iter().filter_map(pen_point).collect();
    props.insert(
        "segments".to_owned(),
        json!([{"type": "free", "points": points}]),
    );
    let reach = Rect::from_points(stored.iter().filter_map(pair)).unwrap_or_default();
    // What ends where it began is filled.
    let ends = (stored.first().and_then(pair), stored.last().and_then(pair));
    let closed = matches!(ends, (Some(a), Some(b)) if stored.len() > 3 && a.distance(b) < 4.0);
    props.insert("isClosed".to_owned(), json!(closed));
    reach
}

/// An arrow or a line; answers the box of its handles.
fn arrow(one: &Props, props: &mut Props) -> Rect {
    let handle = |name: &str| {
        let point = one.get("handles")?.get(name)?.get("point")?;
        pair(point)
    };
    let (start, end) = (
        handle("start").unwrap_or_default(),
        handle("end").unwrap_or_default(),
    );
    let middle = start.midpoint(end);
    let bend = handle("bend").unwrap_or(middle);
    let length = start.distance(end).max(1.0);
    // How far the middle stands off the straight line, to the right of who walks along it.
    let off = ((bend.y - middle.y) * (end.x - start.x) - (bend.x - middle.x) * (end.y - start.y))
        / length;
    let at = |point: Point| json!({"x": point.x, "y": point.y});
    props.insert("start".to_owned(), at(start));
    props.insert("end".to_owned(), at(end));
    props.insert("bend".to_owned(), json!(off));
    for (name, key) in [("start", "arrowheadStart"), ("end", "arrowheadEnd")] {
        let head = one
            .get("decorations")
            .and_then(|heads| heads.get(name)?.as_str());
        let head = head.unwrap_or("none").to_ascii_lowercase();
        props.insert(key.to_owned(), json!(head));
    }
    Rect::from_points([start, end, bend]).unwrap_or_default()
}

/// Words on the page; answers the box that they take.
fn words(one: &Props, style: &Props, props: &mut Props) -> Rect {
    let size = match word(style, "size").as_str() {
        "medium" => 48.0,
        "large" => 96.0,
        _ => 28.0,
    } * number(style, "scale").unwrap_or(1.0).clamp(0.01, 100.0);
    props.insert("size".to_owned(), json!("s"));
    props.insert("scale".to_owned(), json!(size / SMALLEST));
    props.insert("textAlign".to_owned(), json!(align(style)));
    props.insert("autoSize".to_owned(), json!(true));
    let (family, _) = look::font(props);
    let taken = measure(text(one, "text"), family, size);
    Rect::new(0.0, 0.0, taken.w, taken.h)
}
