//! New elements as the editor would make them: every property it would set, with its defaults.
//!
//! The caller gives what must not be decided here: the seed of the hand-drawn strokes, the order key, the place.
//! What the document does not store (`id`, `version`, `boundElements`, the wrapped `text`, …) is not made.

use glade_doc::Props;
use serde_json::{Value, json};

use crate::binding::ArrowGeometry;
use crate::contrast::Ground;
use crate::element::{Element, ElementKind, TextAlign};
use crate::geo::{GeoKind, ShapeKind, path_props, polygon_kind};
use crate::geometry::{Point, Rect};
use crate::note;
use crate::palette::{Color, Fill};
use crate::text::{self, FontFamily};

/// The side of a fresh sticky note.
pub const STICKY_NOTE_SIZE: f64 = 250.0;
/// The editor's medium font size.
pub const FONT_SIZE: f64 = 20.0;

/// How a new element looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Style {
    pub color: Color,
    pub fill: Fill,
}

impl Style {
    pub fn new(color: Color, fill: Fill) -> Self {
        Self { color, fill }
    }
}

/// A frame, with its name above its upper edge.
pub fn frame(rect: Rect, name: &str, seed: u32, index: &str) -> Props {
    let mut props = base("frame", rect, Style::default(), seed, index);
    props.insert("strokeColor".to_owned(), json!("#bbb"));
    props.insert("roughness".to_owned(), json!(0));
    props.insert("name".to_owned(), json!(name));
    props
}

/// A rectangle, ellipse or diamond.
pub fn shape(kind: ShapeKind, rect: Rect, style: Style, seed: u32, index: &str) -> Props {
    let mut props = base(kind.as_str(), rect, style, seed, index);
    props.insert("roundness".to_owned(), roundness_of(kind));
    props
}

/// One of the model's geometric kinds; those that the editor lacks are closed polygons ([`crate::geo`]), alone in
/// a group of their own that a label joins.
pub fn geo(kind: GeoKind, rect: Rect, style: Style, seed: u32, index: &str) -> Props {
    if let Some(native) = kind.native() {
        return shape(native, rect, style, seed, index);
    }
    let mut props = base("line", rect, style, seed, index);
    props.extend(path_props(&kind.outline(rect)));
    for (key, value) in no_ends() {
        props.insert(key.to_owned(), value);
    }
    props.insert("polygon".to_owned(), json!(true));
    props.insert("customData".to_owned(), json!({ "geo": kind.name() }));
    let group = format!("geo-{:08x}-{index}", seed);
    props.insert("groupIds".to_owned(), json!([group]));
    props
}

/// How free words are set.
#[derive(Clone, Debug, PartialEq)]
pub struct Lettering {
    pub family: FontFamily,
    pub size: f64,
    pub align: TextAlign,
    /// The colour, as the editor writes it.
    pub ink: String,
}

impl Lettering {
    /// In the usual hand.
    pub fn new(align: TextAlign, color: Color, size: f64) -> Self {
        Self {
            family: FontFamily::default(),
            size,
            align,
            ink: color.stroke().to_owned(),
        }
    }
}

/// Free text with its top left corner (top centre, top right, as aligned) at `at`, measured.
pub fn text(
    words: &str,
    at: Point,
    align: TextAlign,
    color: Color,
    font_size: f64,
    seed: u32,
    index: &str,
) -> Props {
    let lettering = Lettering::new(align, color, font_size);
    lettered(words, at, None, &lettering, seed, index)
}

/// Free text that wraps at `max_width` and keeps that width.
pub fn wrapped_text(
    words: &str,
    at: Point,
    max_width: f64,
    color: Color,
    font_size: f64,
    seed: u32,
    index: &str,
) -> Props {
    let lettering = Lettering::new(TextAlign::Left, color, font_size);
    lettered(words, at, Some(max_width), &lettering, seed, index)
}

/// Free text at `at`, which is its top left corner, top centre or top right, as it is aligned; with a width it wraps
/// there and keeps it.
pub fn lettered(
    words: &str,
    at: Point,
    max_width: Option<f64>,
    lettering: &Lettering,
    seed: u32,
    index: &str,
) -> Props {
    let Lettering {
        family,
        size: font_size,
        align,
        ink,
    } = lettering;
    let mut size = match max_width {
        Some(width) => {
            let wrapped = text::wrap(words, *family, *font_size, width);
            text::measure(&wrapped, *family, *font_size)
        }
        None => text::measure(words, *family, *font_size),
    };
    size.w = max_width.unwrap_or(size.w);
    let left = match align {
        TextAlign::Left => at.x,
        TextAlign::Center => at.x - size.w / 2.0,
        TextAlign::Right => at.x - size.w,
    };
    let rect = Rect::new(left, at.y, size.w, size.h);
    let mut props = base("text", rect, Style::default(), seed, index);
    add_text(&mut props, words, *font_size, *align, "top");
    props.extend(family_props(*family));
    props.insert("strokeColor".to_owned(), json!(ink));
    props.insert("autoResize".to_owned(), json!(max_width.is_none()));
    props
}

/// What sets words in this family.
pub fn family_props(family: FontFamily) -> [(String, Value); 2] {
    [
        ("fontFamily".to_owned(), json!(family.number())),
        ("lineHeight".to_owned(), json!(family.line_height())),
    ]
}

/// The label of a container. Place it with [`crate::derive()`] or [`crate::label::layout`]; it starts at the
/// container's middle. The container gives its groups, frame and, for notes and shapes, the ink.
pub fn label(container: &Element, words: &str, seed: u32, index: &str) -> Props {
    let middle = crate::bounds::local_rect(container).center();
    let rect = Rect::new(middle.x, middle.y, 0.0, 0.0);
    let mut props = base("text", rect, Style::default(), seed, index);
    add_text(&mut props, words, FONT_SIZE, TextAlign::Center, "middle");
    props.insert("strokeColor".to_owned(), json!(label_ink(container)));
    if polygon_kind(container).is_some() {
        // To the editor a text of fixed width in the polygon's group.
        let link = json!({ "labelOf": container.id.as_str() });
        props.insert("customData".to_owned(), link);
        props.insert("autoResize".to_owned(), json!(false));
    } else {
        props.insert("containerId".to_owned(), json!(container.id.as_str()));
    }
    match container.kind() {
        ElementKind::Arrow => {
            props.insert("labelPosition".to_owned(), json!(0.5));
        }
        ElementKind::StickyNote => {
            props.insert("baseFontSize".to_owned(), json!(FONT_SIZE));
        }
        _ => {}
    }
    for shared in ["groupIds", "frameId"] {
        if let Some(value) = container.props.get(shared) {
            props.insert(shared.to_owned(), value.clone());
        }
    }
    props
}

/// A sticky note. Its words are a [`label`] in it.
pub fn sticky_note(rect: Rect, color: Color, seed: u32, index: &str) -> Props {
    let rect = Rect::new(
        rect.x,
        rect.y,
        rect.w.max(note::MIN_SIZE),
        rect.h.max(note::MIN_SIZE),
    );
    let mut props = base("stickynote", rect, Style::default(), seed, index);
    props.insert("strokeColor".to_owned(), json!(color.ink_on_paper()));
    props.insert("backgroundColor".to_owned(), json!(color.paper()));
    props.insert("roundness".to_owned(), json!({ "type": 2 }));
    props.insert("baseHeight".to_owned(), json!(rect.h));
    props
}

/// A straight arrow with a head at its end.
pub fn arrow(geometry: &ArrowGeometry, color: Color, seed: u32, index: &str) -> Props {
    let mut props = base(
        "arrow",
        geometry.rect(),
        Style::new(color, Fill::None),
        seed,
        index,
    );
    props.extend(geometry.to_props());
    props.insert("roundness".to_owned(), json!({ "type": 2 }));
    props.insert("startArrowhead".to_owned(), Value::Null);
    props.insert("endArrowhead".to_owned(), json!("arrow"));
    props.insert("elbowed".to_owned(), json!(false));
    props
}

/// A line through page points; fewer than two make none.
pub fn line(points: &[Point], style: Style, seed: u32, index: &str) -> Option<Props> {
    let first = *points.first().filter(|_| points.len() > 1)?;
    let rect = Rect::from_points(points.iter().copied())?;
    let mut props = base("line", rect, style, seed, index);
    let relative: Vec<Value> = points
        .iter()
        .map(|point| json!([point.x - first.x, point.y - first.y]))
        .collect();
    props.insert("x".to_owned(), json!(first.x));
    props.insert("y".to_owned(), json!(first.y));
    props.insert("points".to_owned(), Value::Array(relative));
    for (key, value) in no_ends() {
        props.insert(key.to_owned(), value);
    }
    props.insert("polygon".to_owned(), json!(false));
    Some(props)
}

fn no_ends() -> [(&'static str, Value); 4] {
    [
        "startBinding",
        "endBinding",
        "startArrowhead",
        "endArrowhead",
    ]
    .map(|key| (key, Value::Null))
}

/// The roundness the editor gives a new shape by default.
fn roundness_of(kind: ShapeKind) -> Value {
    match kind {
        ShapeKind::Rectangle => json!({ "type": 3 }),
        ShapeKind::Ellipse | ShapeKind::Diamond => json!({ "type": 2 }),
    }
}

/// The container's own colour, or the shade of it that can be read on what the label stands on.
fn label_ink(container: &Element) -> String {
    let ground = match container.kind() {
        ElementKind::Arrow => Ground::default(),
        _ => Ground::default().under(container),
    };
    ground.ink(container.stroke_color())
}

fn base(kind: &str, rect: Rect, style: Style, seed: u32, index: &str) -> Props {
    let paint = style.color.paint(style.fill);
    let value = json!({
        "type": kind,
        "x": rect.x,
        "y": rect.y,
        "width": rect.w,
        "height": rect.h,
        "angle": 0,
        "strokeColor": paint.stroke_color,
        "backgroundColor": paint.background_color,
        "fillStyle": paint.fill_style,
        "strokeWidth": 2,
        "strokeStyle": "solid",
        "roughness": 1,
        "opacity": 100,
        "groupIds": [],
        "frameId": null,
        "index": index,
        "roundness": null,
        // The editor's generator wants a positive 31-bit seed; zero would mean "random at every stroke".
        "seed": (seed & 0x7fff_ffff).max(1),
        "isDeleted": false,
        "link": null,
        "locked": false,
    });
    match value {
        Value::Object(props) => props,
        _ => Props::new(),
    }
}

fn add_text(props: &mut Props, words: &str, font_size: f64, align: TextAlign, vertical: &str) {
    for (key, value) in [
        ("fontSize", json!(font_size)),
        ("fontFamily", json!(FontFamily::Excalifont.number())),
        ("textAlign", json!(align)),
        ("verticalAlign", json!(vertical)),
        ("containerId", Value::Null),
        ("originalText", json!(text::normalize(words))),
        ("autoResize", json!(true)),
        ("lineHeight", json!(FontFamily::Excalifont.line_height())),
    ] {
        props.insert(key.to_owned(), value);
    }
}
