//! A shape that a model wants drawn: read from its words, in page space, then turned into elements.

use glade_canvas::binding::{self, ArrowGeometry, End};
use glade_canvas::element::TextAlign;
use glade_canvas::factory::{self, STICKY_NOTE_SIZE, Style};
use glade_canvas::geo::GeoKind;
use glade_canvas::layout::Anchor;
use glade_canvas::palette::{Color, Fill};
use glade_canvas::text::{FontFamily, measure};
use glade_canvas::{Element, Point, Rect, bounds};
use glade_doc::{ElementId, Props};
use serde_json::{Map, Value, json};

use crate::action::Refusal;
use crate::action_context::{ActionContext, Made};
use crate::partial_object::PartialObject;
use crate::shapes::{anchor, fill};

/// The size of a shape whose size the model forgot.
/// More than this is no arrow from here to there.
const MOST_BEND: f64 = 2000.0;
const DEFAULT_SIZE: (f64, f64) = (160.0, 80.0);

/// A shape to be.
#[derive(Debug, Clone, PartialEq)]
pub struct NewShape {
    made: Made,
    note: Option<String>,
    color: Color,
    text: Option<String>,
    form: Form,
}

#[derive(Debug, Clone, PartialEq)]
enum Form {
    Geo {
        kind: GeoKind,
        rect: Rect,
        fill: Fill,
    },
    Note {
        at: Point,
    },
    Text {
        at: Point,
        anchor: Anchor,
        size: f64,
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
}

/// An arrow's end.
#[derive(Debug, Clone, PartialEq)]
enum Tip {
    On(ElementId),
    At(Point),
}

impl NewShape {
    /// `None`: too little is known to draw anything.
    pub fn read(
        given: PartialObject<'_>,
        ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Option<Self>, Refusal> {
        let Some(kind) = given.word("_type") else {
            return if given.is_complete() {
                Err(Refusal::new("the shape has no _type"))
            } else {
                Ok(None)
            };
        };
        let form = match kind {
            "text" => read_text(given, ctx)?,
            "note" => read_place(given, ctx)?.map(|at| Form::Note { at }),
            "arrow" => read_arrow(given, ctx)?,
            "line" => read_ends(given, ctx)?.map(|(from, to)| Form::Line { from, to }),
            _ => read_geo(kind, given, ctx)?,
        };
        let Some(form) = form else { return Ok(None) };
        let shape_id = given.id("shapeId");
        // Until its name is settled the element has its kind's.
        let made = ctx.make("shape", shape_id.unwrap_or(kind));
        if let Some(name) = shape_id.or(given.is_complete().then_some(kind)) {
            ctx.ids.adopt(name, &made.id);
        }
        Ok(Some(Self {
            made,
            note: given.word("note").map(str::to_owned),
            color: given
                .word("color")
                .map(Color::from_name)
                .unwrap_or(match form {
                    Form::Note { .. } => Color::Yellow,
                    _ => Color::default(),
                }),
            text: given.growing("text").filter(|text| !text.trim().is_empty()),
            form,
        }))
    }

    pub fn text(&self) -> Option<&str> {
        self.text.as_deref()
    }

    /// The model's word for what it is.
    pub fn kind(&self) -> &'static str {
        match &self.form {
            Form::Geo { kind, .. } => kind.name(),
            Form::Note { .. } => "note",
            Form::Text { .. } => "text",
            Form::Arrow { .. } => "arrow",
            Form::Line { .. } => "line",
        }
    }

    /// Where it will be.
    pub fn bounds(&self, ctx: &ActionContext<'_, '_>) -> Option<Rect> {
        Some(match &self.form {
            Form::Geo { rect, .. } => *rect,
            Form::Note { at } => Rect::new(at.x, at.y, STICKY_NOTE_SIZE, STICKY_NOTE_SIZE),
            Form::Text { .. } => Element::new(self.made.id.clone(), self.props(ctx)?).rect(),
            Form::Arrow { .. } => {
                bounds::bounds(&Element::new(self.made.id.clone(), self.props(ctx)?))
            }
            Form::Line { from, to } => Rect::from_points([*from, *to])?,
        })
    }

    /// Wants its elements on the page; answers which.
    pub fn draw(&self, ctx: &mut ActionContext<'_, '_>) -> Vec<ElementId> {
        let Some(props) = self.props(ctx) else {
            return Vec::new();
        };
        let container = Element::new(self.made.id.clone(), props.clone());
        ctx.put(&self.made.id, props);
        let mut elements = vec![self.made.id.clone()];
        if let Some(text) = &self.text
            && container.holds_label()
        {
            let label = ctx.make_label(&self.made.id);
            ctx.put(
                &label.id,
                factory::label(&container, text, label.seed, &label.index),
            );
            elements.push(label.id);
        }
        elements
    }

    fn props(&self, ctx: &ActionContext<'_, '_>) -> Option<Props> {
        let Made { seed, index, .. } = &self.made;
        let (seed, color) = (*seed, self.color);
        let mut props = match &self.form {
            Form::Geo { kind, rect, fill } => {
                factory::geo(*kind, *rect, Style::new(color, *fill), seed, index)
            }
            Form::Note { at } => {
                let paper = Rect::new(at.x, at.y, STICKY_NOTE_SIZE, STICKY_NOTE_SIZE);
                factory::sticky_note(paper, color, seed, index)
            }
            Form::Text {
                at,
                anchor,
                size,
                max_width,
            } => self.text_props(*at, *anchor, *size, *max_width)?,
            Form::Arrow { from, to, bend } => {
                factory::arrow(&route(from, to, *bend, ctx)?, color, seed, index)
            }
            Form::Line { from, to } => {
                factory::line(&[*from, *to], Style::new(color, Fill::None), seed, index)?
            }
        };
        if let Some(note) = &self.note {
            let custom = props
                .entry("customData")
                .or_insert_with(|| Value::Object(Map::new()));
            if let Value::Object(custom) = custom {
                custom.insert("note".to_owned(), json!(note));
            }
        }
        Some(props)
    }

    fn text_props(
        &self,
        at: Point,
        anchor: Anchor,
        size: f64,
        max_width: Option<f64>,
    ) -> Option<Props> {
        let (Made { seed, index, .. }, text) = (&self.made, self.text.as_deref()?);
        if let Some(width) = max_width {
            let mut props = factory::wrapped_text(text, at, width, self.color, size, *seed, index);
            let rect = Element::new(self.made.id.clone(), props.clone()).rect();
            props.insert("x".to_owned(), json!(at.x - anchor.x * rect.w));
            props.insert("y".to_owned(), json!(at.y - anchor.y * rect.h));
            return Some(props);
        }
        let align = match anchor.x {
            0.0 => TextAlign::Left,
            1.0 => TextAlign::Right,
            _ => TextAlign::Center,
        };
        let height = measure(text, FontFamily::Excalifont, size).h;
        let at = Point::new(at.x, at.y - anchor.y * height);
        Some(factory::text(
            text, at, align, self.color, size, *seed, index,
        ))
    }
}

fn route(from: &Tip, to: &Tip, bend: f64, ctx: &ActionContext<'_, '_>) -> Option<ArrowGeometry> {
    fn end<'e>(tip: &Tip, ctx: &'e ActionContext<'_, '_>) -> Option<End<'e>> {
        match tip {
            Tip::On(id) => ctx.draft.get(id).map(End::Element),
            Tip::At(point) => Some(End::Point(*point)),
        }
    }
    Some(binding::bent(end(from, ctx)?, end(to, ctx)?, bend))
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
    let (w, h) = match (given.size("w"), given.size("h")) {
        (Some(w), Some(h)) => (w, h),
        (w, h) if given.is_complete() => (w.unwrap_or(DEFAULT_SIZE.0), h.unwrap_or(DEFAULT_SIZE.1)),
        _ => return Ok(None),
    };
    let fill = given.word("fill").and_then(fill).unwrap_or_default();
    Ok(Some(Form::Geo {
        kind,
        rect: Rect::new(at.x, at.y, w, h),
        fill,
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
    let size = given
        .number("fontSize")
        .unwrap_or(factory::FONT_SIZE)
        .clamp(8.0, 200.0);
    let max_width = given.size("maxWidth").map(|width| width.max(20.0));
    Ok(Some(Form::Text {
        at,
        anchor: anchor(given.word("anchor")),
        size,
        max_width,
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
        return Ok(Some(Form::Arrow {
            from: Tip::On(from.clone()),
            to: Tip::On(to.clone()),
            bend,
        }));
    }
    if !given.is_complete() {
        return Ok(None); // an end may still be named
    }
    let tip = |end: Option<(&str, Option<ElementId>)>, x: &str, y: &str| {
        if let Some((_, Some(id))) = end {
            return Ok(Tip::On(id));
        }
        match (given.coordinate(x), given.coordinate(y), end) {
            // A name that nothing has, but a place: a loose end there is what can be had.
            (Some(x), Some(y), _) => Ok(Tip::At(ctx.to_page(x, y))),
            (_, _, Some((id, _))) => Err(Refusal::new(format!(
                "there is no shape with the id \"{id}\" on the page to bind the arrow to"
            ))),
            _ => Err(Refusal::new(format!(
                "the arrow needs both shapes (fromId, toId) or {x} and {y}"
            ))),
        }
    };
    let (from, to) = (tip(from, "x1", "y1")?, tip(to, "x2", "y2")?);
    Ok(Some(Form::Arrow { from, to, bend }))
}
