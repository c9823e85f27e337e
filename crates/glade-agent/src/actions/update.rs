//! Changing a shape: only the fields that are given, only where they differ.

use glade_canvas::palette::Color;
use glade_canvas::{
    Binding, Element, ElementKind, Point, Rect, Size, TextAlign, bounds, full, geo, layout,
};
use glade_doc::{ElementId, Props};
use serde_json::{Value, json};

use crate::action::{Action, Described, Refusal, Shown};
use crate::action_context::ActionContext;
use crate::coords::Field;
use crate::facts::{Facts, Impact, On, Work};
use crate::new_shape::style::{DASHES, Wishes};
use crate::new_shape::{MOST_BEND, Tip, place, route, tip_on};
use crate::partial_object::PartialObject;
use crate::shapes::{follows, intent, paint, several, shift, write_on};
use crate::together::{around, one_or_several};

pub struct Update;

/// What changes, in page space.
pub struct Changes {
    ids: Vec<ElementId>,
    x: Option<f64>,
    y: Option<f64>,
    w: Option<f64>,
    h: Option<f64>,
    dx: Option<f64>,
    dy: Option<f64>,
    wishes: Wishes,
    text: Option<String>,
    from: Option<Tip>,
    to: Option<Tip>,
    bend: Option<f64>,
}

static FACTS: Facts = Facts::new(
    "update",
    "🎨",
    "change fields of an existing shape, or of several (shapeIds) alike; leave out what stays as it is",
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
            "properties": {
                "shapeId": word(),
                "shapeIds": {"type": "array", "items": word()},
                "x": number(),
                "y": number(),
                "w": number(),
                "h": number(),
                "dx": number(),
                "dy": number(),
                "fromId": word(),
                "toId": word(),
                "x1": number(),
                "y1": number(),
                "x2": number(),
                "y2": number(),
                "bend": number(),
                "color": {"type": "string", "enum": colors},
                "fill": {"type": "string", "enum": ["none", "tint", "background", "solid", "pattern"]},
                "dash": {"type": "string", "enum": DASHES},
                "strokeWidth": number(),
                "opacity": number(),
                "fontSize": number(),
                "textAlign": {"type": "string", "enum": ["left", "center", "right"]},
                "link": word(),
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
        let ids = one_or_several(given, ctx)?;
        let one = match ids.as_slice() {
            [one] => Some(one),
            _ => None,
        };
        let at = |key: &str, field: Field| {
            let number = given.coordinate(key)?;
            Some(ctx.coords.exact(one?, field, number))
        };
        let size = |key: &str, field: Field| {
            let number = given.size(key)?;
            let exact = one.map_or(number, |id| ctx.coords.exact(id, field, number));
            Some(exact.max(1.0))
        };
        let end = |key: &str, x: &str, y: &str, bound: fn(&Element) -> Option<Binding>| {
            let at = place(given, x, y, ctx);
            match given.id(key) {
                Some(name) => match ctx.resolve(name) {
                    Some(shape) => Ok(Some(tip_on(&shape, at, ctx))),
                    None => Err(Refusal::new(format!(
                        "there is no shape with the id \"{name}\" on the page"
                    ))),
                },
                // Another place of the shape that it is bound to, or a loose end elsewhere.
                None => Ok(at.map(|at| {
                    let arrow = one.and_then(|id| ctx.draft.get(id));
                    match arrow
                        .and_then(bound)
                        .map(|tie| tip_on(&tie.element_id, Some(at), ctx))
                    {
                        Some(aimed @ Tip::Aimed(..)) => aimed,
                        _ => Tip::At(at),
                    }
                })),
            }
        };
        let from = end("fromId", "x1", "y1", Element::start_binding)?;
        let to = end("toId", "x2", "y2", Element::end_binding)?;
        let mut wishes = Wishes::read(given, ctx)?;
        let (x, y) = (at("x", Field::X), at("y", Field::Y));
        if one.is_none() && (given.has("x") || given.has("y")) {
            let how = "x and y are of one shape: several are moved with dx and dy, or with move";
            wishes.adjusted.push(how.to_owned());
        }
        Ok(Some(Changes {
            x,
            y,
            w: size("w", Field::W),
            h: size("h", Field::H),
            dx: given.number("dx"),
            dy: given.number("dy"),
            wishes,
            text: given.growing("text"),
            from,
            to,
            bend: given.number("bend").map(|n| n.clamp(-MOST_BEND, MOST_BEND)),
            ids,
        }))
    }

    fn apply(&self, changes: &Changes, ctx: &mut ActionContext<'_, '_>) -> Result<Shown, Refusal> {
        let name = several(ctx.draft, &changes.ids);
        let place = around(&ctx.draft.around(&changes.ids), &changes.ids);
        let mut shown = Shown {
            doing: format!("changing {name}"),
            done: format!("changed {name}"),
            place,
            adjusted: changes.wishes.adjusted.clone(),
            ..Shown::default()
        };
        for id in &changes.ids {
            let elements = self.change(id, changes, ctx)?;
            shown.elements.extend(elements);
        }
        if let ([id], Some(_), Some(_)) = (changes.ids.as_slice(), changes.w, changes.h) {
            let size = Size::new(changes.w.unwrap_or(0.0), changes.h.unwrap_or(0.0));
            let sized = ctx.draft.get(id).is_some_and(has_own_size);
            shown.asked = sized.then(|| (id.clone(), size));
        }
        if changes.dx.is_some() || changes.dy.is_some() {
            let delta = (changes.dx.unwrap_or(0.0), changes.dy.unwrap_or(0.0));
            let scene = ctx.original(&changes.ids);
            ctx.put_all(layout::move_by(&scene, &changes.ids, delta));
        }
        Ok(shown)
    }
}

impl Update {
    /// Changes one shape; answers the elements that are changed.
    fn change(
        &self,
        id: &ElementId,
        changes: &Changes,
        ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Vec<ElementId>, Refusal> {
        let Some(element) = ctx.draft.get(id).cloned() else {
            return Err(Refusal::new("the shape is gone"));
        };
        let wishes = &changes.wishes;
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
        let plain = wishes.plain_props();
        if !plain.is_empty() {
            ctx.put(id, plain);
        }
        if wishes.color.is_some() || wishes.fill.is_some() {
            paint(ctx, id, wishes.color, wishes.fill);
        }
        let lettering = wishes.label_props();
        if !lettering.is_empty() {
            let text = match element.kind() {
                ElementKind::Text => Some(id.clone()),
                _ => ctx.draft.label_of(id).map(|label| label.id.clone()),
            };
            if let Some(text) = text {
                ctx.put(&text, lettering);
            }
        }
        rebind(&element, changes, ctx);
        let mut elements = vec![id.clone()];
        if let Some(text) = &changes.text {
            elements.extend(write_on(ctx, id, text)?);
        }
        Ok(elements)
    }
}

/// Whether a shape has the size that it is given; texts and ways have theirs from their words and points.
fn has_own_size(element: &Element) -> bool {
    geo::polygon_kind(element).is_some()
        || !(element.kind() == ElementKind::Text || element.kind().is_linear())
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
    if !has_own_size(element) {
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

/// Binds an arrow's ends anew, or bends it.
fn rebind(arrow: &Element, changes: &Changes, ctx: &mut ActionContext<'_, '_>) {
    let is_new = changes.from.is_some() || changes.to.is_some() || changes.bend.is_some();
    if arrow.kind() != ElementKind::Arrow || !is_new {
        return;
    }
    let points = bounds::page_points(arrow);
    let (Some(first), Some(last)) = (points.first(), points.last()) else {
        return;
    };
    let old = |binding: Option<Binding>, at: &Point| match binding {
        Some(tie) if ctx.draft.get(&tie.element_id).is_some() => {
            Tip::Aimed(tie.element_id, tie.fixed_point)
        }
        _ => Tip::At(*at),
    };
    let from = changes
        .from
        .clone()
        .unwrap_or_else(|| old(arrow.start_binding(), first));
    let to = changes
        .to
        .clone()
        .unwrap_or_else(|| old(arrow.end_binding(), last));
    let bend = changes.bend.or_else(|| full::bend(&points)).unwrap_or(0.0);
    if let Some(way) = route(&from, &to, bend, ctx) {
        let props = way.to_props_over(arrow);
        ctx.put(&arrow.id, props);
    }
}
