//! A shape that a model wants drawn: read from its words, in page space, then turned into elements.

mod form;
pub mod style;

use glade_canvas::binding::{self, ArrowGeometry, End};
use glade_canvas::element::TextAlign;
use glade_canvas::factory::{self, Lettering, STICKY_NOTE_SIZE, Style};
use glade_canvas::layout::Anchor;
use glade_canvas::palette::{Color, Fill};
use glade_canvas::text::measure;
use glade_canvas::{Element, Point, Rect, Size, bounds, label};
use glade_doc::{ElementId, Props};
use serde_json::{Map, Value, json};

pub use form::{Form, MOST_BEND, Tip, place, tip_on};
use style::{Wishes, family};

use crate::action::Refusal;
use crate::action_context::{ActionContext, Made};
use crate::partial_object::PartialObject;
use crate::usual_style::UsualStyle;

/// Words wider than this make a box taller, not wider.
const WIDEST: f64 = 240.0;
/// Air beside the words of a box that fits them.
const AIR: f64 = 24.0;

/// A shape to be.
#[derive(Debug, Clone, PartialEq)]
pub struct NewShape {
    made: Made,
    note: Option<String>,
    color: Color,
    wishes: Wishes,
    text: Option<String>,
    form: Form,
    usual: UsualStyle,
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
        let Some(form) = Form::read(kind, given, ctx)? else {
            return Ok(None);
        };
        let mut wishes = Wishes::read(given, ctx)?;
        let shape_id = given.id("shapeId");
        // Until its name is settled the element has its kind's.
        let made = ctx.make("shape", shape_id.unwrap_or(kind));
        if let Some(name) = shape_id.or(given.is_complete().then_some(kind)) {
            let known = ctx.ids.adopt(name, &made.id);
            if known != name && shape_id.is_some() {
                wishes.adjusted.push(format!(
                    "\"{name}\" was taken: it is \"{known}\", and \"{name}\" means it from here on"
                ));
            }
        }
        let usual = match form {
            Form::Note { .. } => Color::Yellow,
            _ => Color::default(),
        };
        let mut shape = Self {
            made,
            note: given.word("note").map(str::to_owned),
            color: wishes.color.unwrap_or(usual),
            wishes,
            text: given.growing("text").filter(|text| !text.trim().is_empty()),
            form,
            usual: UsualStyle::default(),
        };
        if let Some(place) = shape.bounds(ctx) {
            shape.usual = ctx.usual_style(place);
        }
        Ok(Some(shape))
    }

    pub fn text(&self) -> Option<&str> {
        self.text.as_deref()
    }

    /// The model's word for what it is.
    pub fn kind(&self) -> &'static str {
        self.form.kind()
    }

    /// How it differs from what was asked for.
    pub fn adjusted(&self) -> Vec<String> {
        self.wishes.adjusted.clone()
    }

    /// The size that it was asked to have, if it was.
    pub fn asked(&self) -> Option<(ElementId, Size)> {
        match &self.form {
            Form::Geo { rect, fits, .. } if !fits.width && !fits.height => {
                Some((self.made.id.clone(), rect.size()))
            }
            _ => None,
        }
    }

    /// Where it will be.
    pub fn bounds(&self, ctx: &ActionContext<'_, '_>) -> Option<Rect> {
        Some(match &self.form {
            Form::Geo { rect, .. } | Form::Frame { rect } => *rect,
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
        let Some(mut props) = self.props(ctx) else {
            return Vec::new();
        };
        let own = Element::new(self.made.id.clone(), props.clone());
        if let Form::Frame { rect } = &self.form {
            ctx.put(&self.made.id, props);
            ctx.take_in(&self.made.id, *rect);
            return vec![self.made.id.clone()];
        }
        if let Some(frame) = ctx.frame_around(&bounds::bounds(&own)) {
            props.insert("frameId".to_owned(), json!(frame.as_str()));
        }
        let container = Element::new(self.made.id.clone(), props.clone());
        ctx.put(&self.made.id, props);
        let mut elements = vec![self.made.id.clone()];
        if let Some(text) = &self.text
            && container.holds_label()
        {
            let made = ctx.make_label(&self.made.id);
            let label = self.label(&container, text, &made, ctx);
            ctx.put(&made.id, label);
            elements.push(made.id);
        }
        elements
    }

    fn label(
        &self,
        container: &Element,
        text: &str,
        made: &Made,
        ctx: &ActionContext<'_, '_>,
    ) -> Props {
        let mut label = factory::label(container, text, made.seed, &made.index);
        self.wishes
            .set_label(&mut label, self.like_words(ctx), &self.usual);
        let middle = bounds::bounds(container).center();
        let below = ctx.ground(middle, &[&self.made.id, &made.id]);
        let ground = match container.kind() {
            glade_canvas::ElementKind::Arrow => below,
            _ => below.under(container),
        };
        let ink = ground.ink(container.stroke_color());
        label.insert("strokeColor".to_owned(), json!(ink));
        label
    }

    fn like<'c>(&self, ctx: &'c ActionContext<'_, '_>) -> Option<&'c Element> {
        ctx.draft.get(self.wishes.like.as_ref()?)
    }

    /// The words on the shape that it should be like.
    fn like_words<'c>(&self, ctx: &'c ActionContext<'_, '_>) -> Option<&'c Element> {
        let like = self.like(ctx)?;
        match like.kind() {
            glade_canvas::ElementKind::Text => Some(like),
            _ => ctx.draft.label_of(&like.id),
        }
    }

    fn props(&self, ctx: &ActionContext<'_, '_>) -> Option<Props> {
        let Made { seed, index, .. } = &self.made;
        let (seed, color) = (*seed, self.color);
        let mut props = match &self.form {
            Form::Geo {
                kind, rect, fill, ..
            } => {
                let rect = self.fitted(ctx, *rect);
                factory::geo(*kind, rect, Style::new(color, *fill), seed, index)
            }
            Form::Note { at } => {
                let paper = Rect::new(at.x, at.y, STICKY_NOTE_SIZE, STICKY_NOTE_SIZE);
                factory::sticky_note(paper, color, seed, index)
            }
            Form::Text {
                at,
                anchor,
                max_width,
            } => self.text_props(*at, *anchor, *max_width, ctx)?,
            Form::Arrow { from, to, bend } => {
                factory::arrow(&route(from, to, *bend, ctx)?, color, seed, index)
            }
            Form::Line { from, to } => {
                factory::line(&[*from, *to], Style::new(color, Fill::None), seed, index)?
            }
            Form::Frame { rect } => {
                factory::frame(*rect, self.text.as_deref().unwrap_or(""), seed, index)
            }
        };
        self.wishes.dress(&mut props, self.like(ctx), &self.usual);
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

    /// The box with the sides that its words decide as large as they need.
    fn fitted(&self, ctx: &ActionContext<'_, '_>, rect: Rect) -> Rect {
        let (Form::Geo { kind, fits, .. }, Some(text)) = (&self.form, &self.text) else {
            return rect;
        };
        if !fits.width && !fits.height {
            return rect;
        }
        let container =
            |rect: Rect| Element::new("", factory::geo(*kind, rect, Style::default(), 1, "a0"));
        let mut words = factory::label(&container(rect), text, 1, "a0");
        self.wishes
            .set_label(&mut words, self.like_words(ctx), &self.usual);
        let words = Element::new("", words);
        let mut rect = rect;
        if fits.width {
            // As wide as the words would like to be, within reason, in the room that this kind offers.
            let wanted = measure(text, words.font_family(), words.font_size())
                .w
                .min(WIDEST)
                + AIR;
            let room = label::inner_rect(&container(rect)).w;
            rect.w = (rect.w * (wanted / room.max(1.0)).max(1.0)).ceil();
        }
        let grown = label::layout(&container(rect), &words).container;
        let grown = bounds::local_rect(&container(rect).with(&grown));
        // A side that was said stays as it was said; growing it is told.
        Rect::new(
            rect.x,
            rect.y,
            if fits.width { grown.w } else { rect.w },
            if fits.height { grown.h } else { rect.h },
        )
    }

    fn text_props(
        &self,
        at: Point,
        anchor: Anchor,
        max_width: Option<f64>,
        ctx: &ActionContext<'_, '_>,
    ) -> Option<Props> {
        let (Made { seed, index, .. }, text) = (&self.made, self.text.as_deref()?);
        let like = self.like_words(ctx);
        let align = self.wishes.align.unwrap_or(match anchor.x {
            0.0 => TextAlign::Left,
            1.0 => TextAlign::Right,
            _ => TextAlign::Center,
        });
        let size = self
            .wishes
            .font_size
            .or_else(|| like.map(Element::font_size));
        let wanted = match (self.wishes.color, like) {
            (None, Some(like)) => like.stroke_color().to_owned(),
            _ => self.color.stroke().to_owned(),
        };
        let mut lettering = Lettering {
            family: family(like, &self.usual).unwrap_or_default(),
            size: size.unwrap_or(factory::FONT_SIZE),
            align,
            ink: wanted,
        };
        let set = |lettering: &Lettering, at: Point| {
            factory::lettered(text, at, max_width, lettering, *seed, index)
        };
        let rect = Element::new("", set(&lettering, at)).rect();
        let (left, top) = (at.x - anchor.x * rect.w, at.y - anchor.y * rect.h);
        let share = match align {
            TextAlign::Left => 0.0,
            TextAlign::Center => 0.5,
            TextAlign::Right => 1.0,
        };
        let middle = Point::new(left + rect.w / 2.0, top + rect.h / 2.0);
        lettering.ink = ctx.ground(middle, &[&self.made.id]).ink(&lettering.ink);
        Some(set(&lettering, Point::new(left + share * rect.w, top)))
    }
}

/// Where an arrow between these ends runs.
pub fn route(
    from: &Tip,
    to: &Tip,
    bend: f64,
    ctx: &ActionContext<'_, '_>,
) -> Option<ArrowGeometry> {
    fn end<'e>(tip: &Tip, ctx: &'e ActionContext<'_, '_>) -> Option<End<'e>> {
        match tip {
            Tip::On(id) => ctx.draft.get(id).map(End::Element),
            Tip::Aimed(id, place) => ctx.draft.get(id).map(|own| End::Aimed(own, *place)),
            Tip::At(point) => Some(End::Point(*point)),
        }
    }
    Some(binding::bent(end(from, ctx)?, end(to, ctx)?, bend))
}
