//! What several actions do to shapes: naming them for people, writing on them, painting, shifting.

use glade_canvas::layout::{Anchor, Direction};
use glade_canvas::palette::{Color, Fill, read_paint};
use glade_canvas::view::shape_type;
use glade_canvas::{Element, ElementKind, Point, Rect, bounds, factory};
use glade_doc::{ElementId, Props};
use serde_json::{Value, json};

use crate::action::{INTENT, Refusal};
use crate::action_context::ActionContext;
use crate::draft::Draft;
use crate::partial_object::PartialObject;
use crate::together::around;

/// Longest name of a shape in a note for people.
const SHORT: usize = 40;

/// The field that every canvas action begins with: saying why first makes what follows better.
pub fn intent() -> (&'static str, Value) {
    (
        INTENT,
        json!({"type": "string", "description": "what this is for, in a few words"}),
    )
}

/// The field that names several shapes.
pub fn shape_ids() -> (&'static str, Value) {
    (
        "shapeIds",
        json!({"type": "array", "items": {"type": "string"}}),
    )
}

pub fn direction() -> (&'static str, Value) {
    (
        "direction",
        json!({"type": "string", "enum": ["horizontal", "vertical"]}),
    )
}

pub fn read_direction(given: PartialObject<'_>) -> Result<Option<Direction>, Refusal> {
    match given.word("direction") {
        Some("horizontal") => Ok(Some(Direction::Horizontal)),
        Some("vertical") => Ok(Some(Direction::Vertical)),
        Some(other) => Err(Refusal::new(format!(
            "there is no direction \"{other}\"; there are: horizontal, vertical"
        ))),
        None => Ok(None),
    }
}

/// The fields of an area of the page.
pub fn area() -> [(&'static str, Value); 4] {
    ["x", "y", "w", "h"].map(|key| (key, json!({"type": "number"})))
}

/// An area in page space.
pub fn read_area(given: PartialObject<'_>, ctx: &ActionContext<'_, '_>) -> Option<Rect> {
    let corner = ctx.to_page(given.coordinate("x")?, given.coordinate("y")?);
    Some(Rect::new(
        corner.x,
        corner.y,
        given.size("w")?,
        given.size("h")?,
    ))
}

/// The point that several shapes are turned about or scaled from: the one given (0 is a number like
/// any other), else their common middle.
pub fn origin(
    ctx: &ActionContext<'_, '_>,
    ids: &[ElementId],
    x: Option<f64>,
    y: Option<f64>,
) -> Point {
    let middle = around(&ctx.original(ids), ids).map_or(Point::new(0.0, 0.0), |all| all.center());
    let given = ctx.to_page(x.unwrap_or(0.0), y.unwrap_or(0.0));
    Point::new(
        if x.is_some() { given.x } else { middle.x },
        if y.is_some() { given.y } else { middle.y },
    )
}

/// What people call one shape or several.
pub fn several(draft: &Draft<'_>, ids: &[ElementId]) -> String {
    match ids {
        [one] => call(draft, one),
        more => format!("{} shapes", more.len()),
    }
}

/// The first words of a text, on one line.
pub fn short(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= SHORT {
        return line;
    }
    let head: String = line.chars().take(SHORT - 1).collect();
    format!("{}…", head.trim_end())
}

/// What people call a shape: by its words, else by its kind.
pub fn call(draft: &Draft<'_>, id: &ElementId) -> String {
    match (draft.text_of(id), draft.get(id)) {
        (Some(text), _) => short(text),
        (None, Some(element)) => a_kind(&shape_type(element)),
        (None, None) => "a shape".to_owned(),
    }
}

/// "a rectangle", "an ellipse".
pub fn a_kind(kind: &str) -> String {
    let article = if kind.starts_with(['a', 'e', 'i', 'o', 'u']) {
        "an"
    } else {
        "a"
    };
    format!("{article} {}", kind.replace('-', " "))
}

pub const ANCHORS: [&str; 9] = [
    "top-left",
    "top-center",
    "top-right",
    "center-left",
    "center-center",
    "center-right",
    "bottom-left",
    "bottom-center",
    "bottom-right",
];

/// Absent or unknown: the top left corner, which is what `x` and `y` mean everywhere else.
pub fn anchor(name: Option<&str>) -> Anchor {
    let Some(name) = name else {
        return Anchor::TOP_LEFT;
    };
    if name == "center" {
        return Anchor::CENTER;
    }
    let share = |low: &str, high: &str, alone: bool| {
        if name.contains(low) {
            0.0
        } else if name.contains(high) {
            1.0
        } else if name.contains("center") || alone {
            0.5
        } else {
            0.0
        }
    };
    let (only_side, only_end) = (
        matches!(name, "left" | "right"),
        matches!(name, "top" | "bottom"),
    );
    Anchor {
        x: share("left", "right", only_end),
        y: share("top", "bottom", only_side),
    }
}

/// A bound arrow's place follows from its shapes.
pub fn follows(element: &Element) -> bool {
    element.start_binding().is_some() || element.end_binding().is_some()
}

/// Moves a shape; points are relative to x and y, so they come along.
pub fn shift(ctx: &mut ActionContext<'_, '_>, id: &ElementId, dx: f64, dy: f64) {
    let Some(element) = ctx.draft.get(id) else {
        return;
    };
    let mut props = Props::new();
    if dx != 0.0 {
        props.insert("x".to_owned(), json!(element.x() + dx));
    }
    if dy != 0.0 {
        props.insert("y".to_owned(), json!(element.y() + dy));
    }
    ctx.put(id, props);
}

/// Makes `text` what stands on a shape; answers the label that holds it, if another element does.
pub fn write_on(
    ctx: &mut ActionContext<'_, '_>,
    id: &ElementId,
    text: &str,
) -> Result<Option<ElementId>, Refusal> {
    let Some(element) = ctx.draft.get(id).cloned() else {
        return Err(Refusal::new("the shape is gone"));
    };
    if element.kind() == ElementKind::Text {
        ctx.put(id, words(text));
        return Ok(None);
    }
    if !element.holds_label() {
        return Err(Refusal::new(format!(
            "{} cannot hold text: create a text shape next to it instead",
            a_kind(&shape_type(&element))
        )));
    }
    let label = ctx
        .draft
        .label_of(id)
        .map(|label| (label.id.clone(), label.is_locked()));
    match label {
        Some((_, true)) => Err(Refusal::new(
            "the label of the shape is locked: only a person can unlock it",
        )),
        Some((label, false)) if text.trim().is_empty() => {
            ctx.delete(&label);
            Ok(Some(label))
        }
        Some((label, false)) => {
            ctx.put(&label, words(text));
            Ok(Some(label))
        }
        None if text.trim().is_empty() => Ok(None),
        None => {
            let made = ctx.make_label(id);
            ctx.put(
                &made.id,
                factory::label(&element, text, made.seed, &made.index),
            );
            Ok(Some(made.id))
        }
    }
}

fn words(text: &str) -> Props {
    Props::from_iter([(
        "originalText".to_owned(),
        json!(glade_canvas::text::normalize(text)),
    )])
}

/// Paints a shape, and its label so that it can be read.
pub fn paint(
    ctx: &mut ActionContext<'_, '_>,
    id: &ElementId,
    color: Option<Color>,
    fill: Option<Fill>,
) {
    let Some(element) = ctx.draft.get(id).cloned() else {
        return;
    };
    let mut props = Props::new();
    match element.kind() {
        ElementKind::StickyNote => {
            if let Some(color) = color {
                props.insert("backgroundColor".to_owned(), json!(color.paper()));
                props.insert("strokeColor".to_owned(), json!(color.ink_on_paper()));
            }
        }
        ElementKind::Rectangle
        | ElementKind::Diamond
        | ElementKind::Ellipse
        | ElementKind::Freedraw
        | ElementKind::Line => {
            let (old_color, old_fill) = read_paint(
                element.stroke_color(),
                element.background_color(),
                element.fill_style(),
            );
            let paint = color.unwrap_or(old_color).paint(fill.unwrap_or(old_fill));
            props.insert("strokeColor".to_owned(), json!(paint.stroke_color));
            props.insert("backgroundColor".to_owned(), json!(paint.background_color));
            props.insert("fillStyle".to_owned(), json!(paint.fill_style));
        }
        ElementKind::Text => {
            if let Some(color) = color {
                let middle = bounds::bounds(&element).center();
                let ink = ctx.ground(middle, &[id]).ink(color.stroke());
                props.insert("strokeColor".to_owned(), json!(ink));
            }
        }
        _ => {
            if let Some(color) = color {
                props.insert("strokeColor".to_owned(), json!(color.stroke()));
            }
        }
    }
    let painted = element.with(&props);
    ctx.put(id, props);
    if let Some(label) = ctx.draft.label_of(id).map(|label| label.id.clone()) {
        let below = ctx.ground(bounds::bounds(&painted).center(), &[id, &label]);
        let ground = match painted.kind() {
            ElementKind::Arrow => below,
            _ => below.under(&painted),
        };
        let ink = json!(ground.ink(painted.stroke_color()));
        ctx.put(&label, Props::from_iter([("strokeColor".to_owned(), ink)]));
    }
}

/// Whether this is the name of a colour, or a usual other one for it.
pub fn known_color(name: &str) -> bool {
    let name = name.trim().to_ascii_lowercase();
    matches!(name.as_str(), "gray" | "purple")
        || Color::ALL.iter().any(|color| color.name() == name)
}

/// The fill of that name, if there is one.
pub fn fill(name: &str) -> Option<Fill> {
    match name {
        "none" => Some(Fill::None),
        "tint" | "semi" => Some(Fill::Tint),
        "background" => Some(Fill::Background),
        "solid" => Some(Fill::Solid),
        "pattern" => Some(Fill::Pattern),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn anchors_go_by_name() {
        let parsed = [
            "top-left",
            "center-center",
            "bottom-right",
            "top-center",
            "top",
            "right",
            "center",
            "x",
        ]
        .map(|name| anchor(Some(name)))
        .map(|anchor| (anchor.x, anchor.y));
        let expected = [
            (0.0, 0.0),
            (0.5, 0.5),
            (1.0, 1.0),
            (0.5, 0.0),
            (0.5, 0.0),
            (1.0, 0.5),
            (0.5, 0.5),
            (0.0, 0.0),
        ];
        assert_eq!(parsed, expected);
        assert_eq!(anchor(None), Anchor::TOP_LEFT);
    }

    #[test]
    fn long_texts_are_named_by_their_beginning() {
        assert_eq!(short("Pay\n now"), "Pay now");
        assert_eq!(short(&"word ".repeat(30)).chars().count(), SHORT);
    }
}
