//! What kind of shape a model wants, and where: read as far as it is known.

use glade_canvas::factory;
use glade_canvas::geo::GeoKind;
use glade_canvas::layout::Anchor;
use glade_canvas::palette::Fill;
use glade_canvas::{Point, Rect};
use glade_doc::ElementId;

use crate::action::Refusal;
use crate::action_context::ActionContext;
use crate::partial_object::PartialObject;
use crate::shapes::{anchor, fill};

/// More than this is no arrow from here to there.
pub const MOST_BEND: f64 = 2000.0;
/// The smallest box of a shape whose size its words decide.
const LEAST: (f64, f64) = (120.0, 60.0);
/// A person stands upright.
const LEAST_PERSON: (f64, f64) = (100.0, 130.0);
/// A frame whose size nobody says.
const FRAME: (f64, f64) = (800.0, 500.0);
/// How far from a shape's box a point is still meant to be on it.
const NEAR: f64 = 24.0;
/// Nearer to the middle than this share, a point means the middle; nearer to a corner, nothing.
const MIDDLE: f64 = 0.08;
const CORNER: f64 = 0.04;

#[derive(Debug, Clone, PartialEq)]
pub enum Form {
    Geo {
        kind: GeoKind,
        rect: Rect,
        fill: Fill,
        /// Which sides its words decide.
        fits: Fits,
    },
    Note {
        at: Point,
    },
    Text {
        at: Point,
        anchor: Anchor,
        max_width: Option<f64>,
    },
    Arrow {
        from: Tip,
        to: Tip,
        /// How far its middle stands off the straight line.
        bend: f64,
    },
    Line {
        from: Point,
        to: Point,
    },
    Frame {
        rect: Rect,
    },
}

/// The sides of a box that its words decide.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Fits {
    pub width: bool,
    pub height: bool,
}

/// An arrow's end.
#[derive(Debug, Clone, PartialEq)]
pub enum Tip {
    On(ElementId),
    /// Aimed at this place of it, in shares of its box.
    Aimed(ElementId, (f64, f64)),
    At(Point),
}

impl Form {
    pub fn read(
        kind: &str,
        given: PartialObject<'_>,
        ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Option<Self>, Refusal> {
        match kind {
            "text" => read_text(given, ctx),
            "note" => Ok(read_place(given, ctx)?.map(|at| Form::Note { at })),
            "arrow" => read_arrow(given, ctx),
            "line" => Ok(read_ends(given, ctx)?.map(|(from, to)| Form::Line { from, to })),
            "frame" => read_frame(given, ctx),
            _ => read_geo(kind, given, ctx),
        }
    }

    /// The model's word for it.
    pub fn kind(&self) -> &'static str {
        match self {
            Form::Geo { kind, .. } => kind.name(),
            Form::Note { .. } => "note",
            Form::Text { .. } => "text",
            Form::Arrow { .. } => "arrow",
            Form::Line { .. } => "line",
            Form::Frame { .. } => "frame",
        }
    }
}

fn missing<T>(given: PartialObject<'_>, what: &str) -> Result<Option<T>, Refusal> {
    if given.is_complete() {
        Err(Refusal::new(format!("the shape needs {what}")))
    } else {
        Ok(None)
    }
}

fn read_place(
    given: PartialObject<'_>,
    ctx: &ActionContext<'_, '_>,
) -> Result<Option<Point>, Refusal> {
    match (given.coordinate("x"), given.coordinate("y")) {
        (Some(x), Some(y)) => Ok(Some(ctx.to_page(x, y))),
        _ => missing(given, "x and y"),
    }
}

/// A size, and which sides of it are not said. None while they may still be.
fn read_size(given: PartialObject<'_>, least: (f64, f64)) -> Option<(f64, f64, Fits)> {
    let (w, h) = (given.size("w"), given.size("h"));
    // Fields come in order: where the words have begun the size is not coming.
    let whole = given.is_complete() || given.has("text");
    let fits = Fits {
        width: w.is_none(),
        height: h.is_none(),
    };
    (whole || (w.is_some() && h.is_some()))
        .then(|| (w.unwrap_or(least.0), h.unwrap_or(least.1), fits))
}

fn read_geo(
    kind: &str,
    given: PartialObject<'_>,
    ctx: &ActionContext<'_, '_>,
) -> Result<Option<Form>, Refusal> {
    let Some(kind) = GeoKind::from_name(kind) else {
        return Err(Refusal::new(format!(
            "there is no shape of the type \"{kind}\""
        )));
    };
    let Some(at) = read_place(given, ctx)? else {
        return Ok(None);
    };
    let least = match kind {
        GeoKind::Person => LEAST_PERSON,
        _ => LEAST,
    };
    let Some((w, h, fits)) = read_size(given, least) else {
        return Ok(None);
    };
    let fill = given.word("fill").and_then(fill).unwrap_or_default();
    Ok(Some(Form::Geo {
        kind,
        rect: Rect::new(at.x, at.y, w, h),
        fill,
        fits,
    }))
}

fn read_frame(
    given: PartialObject<'_>,
    ctx: &ActionContext<'_, '_>,
) -> Result<Option<Form>, Refusal> {
    let Some(at) = read_place(given, ctx)? else {
        return Ok(None);
    };
    let size = read_size(given, FRAME);
    Ok(size.map(|(w, h, _)| Form::Frame {
        rect: Rect::new(at.x, at.y, w, h),
    }))
}

fn read_text(
    given: PartialObject<'_>,
    ctx: &ActionContext<'_, '_>,
) -> Result<Option<Form>, Refusal> {
    let Some(at) = read_place(given, ctx)? else {
        return Ok(None);
    };
    if given
        .growing("text")
        .is_none_or(|text| text.trim().is_empty())
    {
        return missing(given, "text");
    }
    Ok(Some(Form::Text {
        at,
        anchor: anchor(given.word("anchor")),
        max_width: given
            .size("maxWidth")
            .map(|width| width.max(factory::FONT_SIZE)),
    }))
}

fn read_ends(
    given: PartialObject<'_>,
    ctx: &ActionContext<'_, '_>,
) -> Result<Option<(Point, Point)>, Refusal> {
    let point = |x: &str, y: &str| Some(ctx.to_page(given.coordinate(x)?, given.coordinate(y)?));
    match (point("x1", "y1"), point("x2", "y2")) {
        (Some(from), Some(to)) if from == to => missing(given, "two different ends"),
        (Some(from), Some(to)) => Ok(Some((from, to))),
        _ => missing(given, "x1, y1, x2 and y2"),
    }
}

fn read_arrow(
    given: PartialObject<'_>,
    ctx: &ActionContext<'_, '_>,
) -> Result<Option<Form>, Refusal> {
    let bend = given.number("bend").unwrap_or(0.0);
    let bend = bend.clamp(-MOST_BEND, MOST_BEND);
    let ends = |key: &str| given.id(key).map(|id| (id, ctx.resolve(id)));
    let (from, to) = (ends("fromId"), ends("toId"));
    if let (Some((_, Some(from))), Some((_, Some(to)))) = (&from, &to) {
        let place = |id: &ElementId, x: &str, y: &str| tip_on(id, place(given, x, y, ctx), ctx);
        let loops = from == to;
        let (from, to) = if loops {
            (Tip::On(from.clone()), Tip::On(to.clone()))
        } else {
            (place(from, "x1", "y1"), place(to, "x2", "y2"))
        };
        return Ok(Some(Form::Arrow { from, to, bend }));
    }
    if !given.is_complete() {
        return Ok(None); // an end may still be named
    }
    let tip = |end: Option<(&str, Option<ElementId>)>, x: &str, y: &str| {
        let at = place(given, x, y, ctx);
        if let Some((_, Some(id))) = end {
            return Ok(tip_on(&id, at, ctx));
        }
        match (at, end) {
            // A name that nothing has, but a place: a loose end there is what can be had.
            (Some(at), _) => Ok(Tip::At(at)),
            (None, Some((id, _))) => Err(Refusal::new(format!(
                "there is no shape with the id \"{id}\" on the page to bind the arrow to"
            ))),
            (None, None) => Err(Refusal::new(format!(
                "the arrow needs both shapes (fromId, toId) or {x} and {y}"
            ))),
        }
    };
    let (from, to) = (tip(from, "x1", "y1")?, tip(to, "x2", "y2")?);
    Ok(Some(Form::Arrow { from, to, bend }))
}

pub fn place(
    given: PartialObject<'_>,
    x: &str,
    y: &str,
    ctx: &ActionContext<'_, '_>,
) -> Option<Point> {
    Some(ctx.to_page(given.coordinate(x)?, given.coordinate(y)?))
}

/// An end on a shape, aimed at the place that was given if that is on it. A place somewhere else, or a corner, which
/// is where models take shapes to be, aims at the middle.
pub fn tip_on(id: &ElementId, at: Option<Point>, ctx: &ActionContext<'_, '_>) -> Tip {
    let aimed = || {
        let element = ctx.draft.get(id)?;
        let rect = glade_canvas::bounds::local_rect(element);
        let at = at?.rotate(rect.center(), -element.angle());
        if rect.w <= 0.0 || rect.h <= 0.0 || !rect.expand(NEAR).contains(at) {
            return None;
        }
        let share = |at: f64, from: f64, side: f64| ((at - from) / side).clamp(0.0, 1.0);
        let (x, y) = (share(at.x, rect.x, rect.w), share(at.y, rect.y, rect.h));
        let off = |share: f64| (share - 0.5).abs();
        let is_middle = off(x) < MIDDLE && off(y) < MIDDLE;
        let is_corner = off(x) > 0.5 - CORNER && off(y) > 0.5 - CORNER;
        (!is_middle && !is_corner).then_some((x, y))
    };
    match aimed() {
        Some(place) => Tip::Aimed(id.clone(), place),
        None => Tip::On(id.clone()),
    }
}
