//! Changing a shape: only the fields that are given, only where they differ.

use glade_canvas::binding::{self, End};
use glade_canvas::palette::{Color, Fill};
use glade_canvas::{Element, ElementKind, Point, Rect, TextAlign, bounds, geo};
use glade_doc::{ElementId, Props};
use serde_json::{Value, json};

use crate::action::{Action, Described, Refusal, Shown};
use crate::action_context::ActionContext;
use crate::coords::Field;
use crate::facts::{Facts, Impact, On, Work};
use crate::partial_object::PartialObject;
use crate::shapes::{call, fill, follows, intent, paint, shift, write_on};

pub struct Update;

/// What changes, in page space.
pub struct Changes {
    id: ElementId,
    x: Option<f64>,
    y: Option<f64>,
    w: Option<f64>,
    h: Option<f64>,
    color: Option<Color>,
    fill: Option<Fill>,
    font_size: Option<f64>,
    text: Option<String>,
    from: Option<ElementId>,
    to: Option<ElementId>,
}

static FACTS: Facts = Facts::new(
    "update",
    "🎨",
    "change fields of an existing shape; leave out what stays as it is",
    On::Canvas,
    Work::Edit,
    Impact::Edits,
);

impl Described for Update {
    fn facts(&self) -> &Facts {
        &FACTS
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        let number = || json!({"type": "number"});
        let word = || json!({"type": "string"});
        let colors: Vec<&str> = Color::ALL.iter().map(|color| color.name()).collect();
        let update = json!({
            "type": "object",
            "required": ["shapeId"],
            "properties": {
                "shapeId": word(),
                "x": number(),
                "y": number(),
                "w": number(),
                "h": number(),
                "fromId": word(),
                "toId": word(),
                "color": {"type": "string", "enum": colors},
                "fill": {"type": "string", "enum": ["none", "tint", "background", "solid", "pattern"]},
                "fontSize": number(),
                "text": word(),
            },
            "additionalProperties": false,
        });
        vec![intent(), ("update", update)]
    }
}

impl Action for Update {
    type Clean = Changes;

    fn sanitise(
        &self,
        given: PartialObject<'_>,
        ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Option<Changes>, Refusal> {
        // Models sometimes leave the envelope out.
        let given = given
            .child("update")
            .or_else(|| given.child("shape"))
            .unwrap_or(given);
        let id = ctx.editable(given.id("shapeId"))?;
        let at = |key: &str, field: Field| {
            given
                .coordinate(key)
                .map(|n| ctx.coords.exact(&id, field, n))
        };
        let size = |key: &str, field: Field| {
            given
                .size(key)
                .map(|n| ctx.coords.exact(&id, field, n).max(1.0))
        };
        let end = |key: &str| match given.id(key) {
            Some(name) => match ctx.resolve(name) {
                Some(shape) => Ok(Some(shape)),
                None => Err(Refusal::new(format!(
                    "there is no shape with the id \"{name}\" on the page"
                ))),
            },
            None => Ok(None),
        };
        Ok(Some(Changes {
            x: at("x", Field::X),
            y: at("y", Field::Y),
            w: size("w", Field::W),
            h: size("h", Field::H),
            color: given.word("color").map(Color::from_name),
            fill: given.word("fill").and_then(fill),
            font_size: given.number("fontSize").map(|n| n.clamp(8.0, 200.0)),
            text: given.growing("text"),
            from: end("fromId")?,
            to: end("toId")?,
            id,
        }))
    }

    fn apply(&self, changes: &Changes, ctx: &mut ActionContext<'_, '_>) -> Result<Shown, Refusal> {
        let id = &changes.id;
        let Some(element) = ctx.draft.get(id).cloned() else {
            return Err(Refusal::new("the shape is gone"));
        };
        let name = call(ctx.draft, id);
        let rect = bounds::bounds(&element);
        if !follows(&element) {
            let corner = corner(&element);
            let dx = changes.x.map_or(0.0, |x| x - corner.x);
            let dy = changes.y.map_or(0.0, |y| y - corner.y);
            shift(ctx, id, dx, dy);
        }
        let resized = resize(&element, changes);
        if !resized.is_empty() {
            ctx.put(id, resized);
        }
        if changes.color.is_some() || changes.fill.is_some() {
            paint(ctx, id, changes.color, changes.fill);
        }
        if let Some(size) = changes.font_size {
            let text = match element.kind() {
                ElementKind::Text => Some(id.clone()),
                _ => ctx.draft.label_of(id).map(|label| label.id.clone()),
            };
            if let Some(text) = text {
                ctx.put(
                    &text,
                    Props::from_iter([("fontSize".to_owned(), json!(size))]),
                );
            }
        }
        rebind(&element, changes, ctx);
        let mut elements = vec![id.clone()];
        if let Some(text) = &changes.text {
            elements.extend(write_on(ctx, id, text)?);
        }
        Ok(Shown {
            doing: format!("changing {name}"),
            done: format!("changed {name}"),
            place: Some(rect),
            elements,
            ..Shown::default()
        })
    }
}

/// What `x` and `y` mean in the full format of this shape.
fn corner(element: &Element) -> Point {
    let rect = bounds::bounds(element);
    let own = Point::new(element.x(), element.y());
    match element.kind() {
        ElementKind::Text => match element.text_align() {
            TextAlign::Left => own,
            TextAlign::Center => own.translate(element.width() / 2.0, 0.0),
            TextAlign::Right => own.translate(element.width(), 0.0),
        },
        ElementKind::Rectangle
        | ElementKind::Diamond
        | ElementKind::Ellipse
        | ElementKind::StickyNote => own,
        _ => Point::new(rect.x, rect.y),
    }
}

/// Sizes of boxes; text and linear shapes have theirs from their words and points.
fn resize(element: &Element, changes: &Changes) -> Props {
    let mut props = Props::new();
    if geo::polygon_kind(element).is_some() && (changes.w.is_some() || changes.h.is_some()) {
        let old = bounds::local_rect(element);
        let (w, h) = (changes.w.unwrap_or(old.w), changes.h.unwrap_or(old.h));
        let (x, y) = (changes.x.unwrap_or(old.x), changes.y.unwrap_or(old.y));
        return geo::reshape(element, Rect::new(x, y, w, h));
    }
    if matches!(element.kind(), ElementKind::Text) || element.kind().is_linear() {
        return props;
    }
    if let Some(w) = changes.w {
        props.insert("width".to_owned(), json!(w));
    }
    if let Some(h) = changes.h {
        props.insert("height".to_owned(), json!(h));
        if element.kind() == ElementKind::StickyNote {
            props.insert("baseHeight".to_owned(), json!(h));
        }
    }
    props
}

/// Binds an arrow's ends anew.
fn rebind(arrow: &Element, changes: &Changes, ctx: &mut ActionContext<'_, '_>) {
    if arrow.kind() != ElementKind::Arrow || (changes.from.is_none() && changes.to.is_none()) {
        return;
    }
    let points = bounds::page_points(arrow);
    let (Some(first), Some(last)) = (points.first(), points.last()) else {
        return;
    };
    let old = |binding: Option<glade_canvas::Binding>| binding.map(|binding| binding.element_id);
    let from = changes.from.clone().or_else(|| old(arrow.start_binding()));
    let to = changes.to.clone().or_else(|| old(arrow.end_binding()));
    let draft = &*ctx.draft;
    let start = from
        .and_then(|id| draft.get(&id))
        .map_or(End::Point(*first), End::Element);
    let end = to
        .and_then(|id| draft.get(&id))
        .map_or(End::Point(*last), End::Element);
    let props = binding::route(start, end).to_props_over(arrow);
    ctx.put(&arrow.id, props);
}
