//! What each kind of element puts on the page, in its own coordinates.

use std::borrow::Cow;

use serde_json::Value;

use super::color::Rgba;
use super::list::{Ends, Ink, Rule, rect_path, round_rect_path};
use super::picture::Sizes;
use super::prepare::Prepared;
use super::rough::{Segment, SetKind};
use super::shape::{self, Piece};
use super::sticky::{self, Sheet};
use super::style::Style;
use super::words::{self, Setting};
use super::{Options, freehand};
use crate::element::{Element, ElementKind, TextAlign};
use crate::geometry::{Point, Rect};
use crate::label;
use crate::scene::Scene;
use crate::text::{self, FontFamily};

pub(super) struct Drawn {
    pub ink: Ink,
    /// A clip of its own, in the element's coordinates.
    pub clip: Option<Vec<Segment>>,
    /// Mirrored across and down.
    pub flipped: (bool, bool),
}

impl From<Ink> for Drawn {
    fn from(ink: Ink) -> Self {
        Drawn {
            ink,
            clip: None,
            flipped: (false, false),
        }
    }
}

/// Whether an element of this kind has strokes that are made up late ([`strokes`]).
pub(super) fn has_strokes(kind: &ElementKind) -> bool {
    matches!(
        kind,
        ElementKind::Rectangle
            | ElementKind::Diamond
            | ElementKind::Ellipse
            | ElementKind::Freedraw
    )
}

/// The strokes of a shape or a freehand line.
pub(super) fn strokes(one: &Prepared) -> Vec<Ink> {
    match one.style.kind {
        ElementKind::Freedraw => freedraw(one),
        _ => {
            let piece = shape::closed(one.local.w, one.local.h, &one.style);
            piece.into_iter().flat_map(piece_inks).collect()
        }
    }
}

/// What an element is drawn with that has no strokes, or whose strokes stand beside words.
pub(super) fn inks(one: &Prepared, scene: &Scene, options: &Options, sizes: &Sizes) -> Vec<Drawn> {
    match one.style.kind {
        ElementKind::Text => text_inks(one, scene).into_iter().map(Drawn::from).collect(),
        ElementKind::StickyNote => note(one, options),
        ElementKind::Image => image(one, options, sizes),
        ElementKind::Iframe | ElementKind::Embeddable => {
            let style = shape::embed_style(&one.style, options);
            let sheet = shape::closed(one.local.w, one.local.h, &style);
            let sheet = sheet.into_iter().flat_map(piece_inks);
            let label = embed_label(one, &style, options);
            sheet.chain(label).map(Drawn::from).collect()
        }
        ElementKind::Frame | ElementKind::MagicFrame => vec![Drawn::from(frame(one, options))],
        _ => Vec::new(),
    }
}

pub(super) fn pieces_inks(pieces: Vec<Piece>) -> impl Iterator<Item = Ink> {
    pieces.into_iter().flat_map(piece_inks)
}

fn piece_inks(piece: Piece) -> impl Iterator<Item = Ink> {
    let rule = if piece.drawable.even_odd {
        Rule::EvenOdd
    } else {
        Rule::NonZero
    };
    piece.drawable.sets.into_iter().map(move |set| {
        let path = set.ops;
        match set.kind {
            SetKind::Outline => Ink::Stroke {
                path,
                color: piece.stroke,
                width: piece.stroke_width,
                dash: piece.dash,
                ends: Ends::Round,
            },
            SetKind::Sketch => Ink::Stroke {
                path,
                color: piece.fill,
                width: piece.fill_weight,
                dash: None,
                ends: Ends::Round,
            },
            SetKind::Area => Ink::Fill {
                path,
                rule,
                color: piece.fill,
            },
        }
    })
}

fn freedraw(one: &Prepared) -> Vec<Ink> {
    let look = one.look;
    let points = super::style::drawn_points(&look.points);
    let area = shape::freedraw_area(look.size, &points, &one.style);
    let mut inks: Vec<Ink> = area.into_iter().flat_map(piece_inks).collect();
    // A freehand area has plain ends: the editor sets round ones for other kinds only.
    for ink in &mut inks {
        if let Ink::Stroke { ends, .. } = ink {
            *ends = Ends::Plain;
        }
    }
    inks.push(Ink::Fill {
        path: freehand::outline(&look.freehand, &points, one.style.stroke_width),
        rule: Rule::NonZero,
        color: one.style.stroke,
    });
    inks
}

fn note(one: &Prepared, options: &Options) -> Vec<Drawn> {
    let size = one.local.size();
    let paper = sticky::path(size, &one.style, Sheet::Paper);
    let mut drawn = vec![
        Drawn::from(Ink::Fill {
            path: sticky::path(size, &one.style, Sheet::Shadow),
            rule: Rule::NonZero,
            color: Rgba::new(0, 0, 0, sticky::SHADOW_OPACITY),
        }),
        Drawn::from(Ink::Fill {
            path: paper.clone(),
            rule: Rule::NonZero,
            color: one.style.background,
        }),
        Drawn {
            clip: Some(paper.clone()),
            ..Drawn::from(Ink::Stroke {
                path: paper,
                color: Rgba::new(0, 0, 0, sticky::EDGE_OPACITY),
                width: sticky::EDGE_WIDTH * 2.0,
                dash: None,
                ends: Ends::Plain,
            })
        },
    ];
    let created = one.element.props.get("created").and_then(Value::as_f64);
    let footer = created.and_then(|created| sticky::footer(size, created, options.this_year));
    if let Some((date, end)) = footer {
        let setting = Setting {
            text: &date,
            family: FontFamily::Helvetica,
            size: sticky::FOOTER_SIZE,
            line_height: 1.0,
            align: TextAlign::Right,
            width: end.x,
            color: one.style.stroke,
        };
        drawn.extend(words::set_at(&setting, end.y).into_iter().map(Drawn::from));
    }
    drawn
}

fn text_inks(one: &Prepared, scene: &Scene) -> Vec<Ink> {
    let Some(lettering) = &one.look.lettering else {
        return Vec::new();
    };
    let text = match &lettering.stored {
        Some(stored) => Cow::Borrowed(stored.as_str()),
        None => Cow::Owned(label::drawn_text(scene, one.element)),
    };
    words::set(&Setting {
        text: &text,
        family: lettering.family,
        size: lettering.size,
        line_height: lettering.line_height,
        align: lettering.align,
        width: one.local.w,
        color: one.style.stroke,
    })
}

fn image(one: &Prepared, options: &Options, sizes: &Sizes) -> Vec<Drawn> {
    let element = one.element;
    let rect = Rect::new(0.0, 0.0, one.local.w, one.local.h);
    let id = element.props.get("fileId").and_then(Value::as_str);
    let file = id.and_then(|id| Some((id, sizes.known(id)?)));
    let Some((id, file)) = file else {
        return placeholder(rect, options)
            .into_iter()
            .map(Drawn::from)
            .collect();
    };
    let scale = |at: usize| {
        let scale = element
            .props
            .get("scale")
            .and_then(|scale| scale.get(at)?.as_f64());
        scale.is_some_and(|scale| scale < 0.0)
    };
    let clip = one
        .style
        .roundness
        .is_some()
        .then(|| round_rect_path(rect, one.style.corner_radius(rect.w.min(rect.h))));
    vec![Drawn {
        ink: Ink::Image {
            file: id.to_owned(),
            rect,
            crop: crop(element),
            filtered: options.theme.is_dark() && file.mime == "image/svg+xml",
        },
        clip,
        flipped: (scale(0), scale(1)),
    }]
}

fn crop(element: &Element) -> Option<Rect> {
    let crop = element.props.get("crop").filter(|crop| crop.is_object())?;
    let number = |key: &str| {
        crop.get(key)?
            .as_f64()
            .filter(|value| (0.0..1e6).contains(value))
    };
    let rect = Rect::new(
        number("x")?,
        number("y")?,
        number("width")?,
        number("height")?,
    );
    (rect.w > 0.0 && rect.h > 0.0).then_some(rect)
}

/// A grey area with a picture's sign: the image is not here.
fn placeholder(rect: Rect, options: &Options) -> Vec<Ink> {
    let (paper, sign) = if options.theme.is_dark() {
        (
            Rgba::new(0x2e, 0x2e, 0x2e, 1.0),
            Rgba::new(0x88, 0x88, 0x88, 1.0),
        )
    } else {
        (
            Rgba::new(0xe7, 0xe7, 0xe7, 1.0),
            Rgba::new(0x88, 0x88, 0x88, 1.0),
        )
    };
    let size = (rect.w.min(rect.h) * 0.4).min(100.0);
    let middle = rect.center();
    let at = |x: f64, y: f64| Point::new(middle.x + (x - 0.5) * size, middle.y + (y - 0.5) * size);
    let sheet = Rect::new(at(0.0, 0.12).x, at(0.0, 0.12).y, size, size * 0.76);
    let mut path = round_rect_path(sheet, size * 0.08);
    let (sun, r) = (at(0.28, 0.36), size * 0.09);
    path.extend(round_rect_path(
        Rect::new(sun.x - r, sun.y - r, 2.0 * r, 2.0 * r),
        r,
    ));
    let mut hill = vec![Segment::Move(at(0.12, 0.76))];
    for (x, y) in [
        (0.34, 0.54),
        (0.44, 0.64),
        (0.68, 0.38),
        (0.88, 0.6),
        (0.88, 0.76),
    ] {
        hill.push(Segment::Line(at(x, y)));
    }
    hill.push(Segment::Close);
    path.extend(hill);
    vec![
        Ink::Fill {
            path: rect_path(rect),
            rule: Rule::NonZero,
            color: paper,
        },
        Ink::Fill {
            path,
            rule: Rule::EvenOdd,
            color: sign,
        },
    ]
}

/// What an embedded page says instead of showing itself.
fn embed_label(one: &Prepared, style: &Style, options: &Options) -> Vec<Ink> {
    let (element, w, h) = (one.element, one.local.w, one.local.h);
    if w <= 0.0 || h <= 0.0 {
        return Vec::new();
    }
    let link = element.props.get("link").and_then(Value::as_str);
    let words = match one.style.kind {
        ElementKind::Iframe => "IFrame element",
        _ => link
            .filter(|link| !link.is_empty())
            .unwrap_or("Empty Web-Embed"),
    };
    let characters = words.chars().count().max(1) as f64;
    let size = (w / 2.0).min(w / characters).max(w / 30.0);
    let family = FontFamily::Helvetica;
    let wrapped = text::wrap(words, family, size, w - 20.0);
    let measured = text::measure(&wrapped, family, size);
    let setting = Setting {
        text: &wrapped,
        family,
        size,
        line_height: family.line_height(),
        align: TextAlign::Center,
        width: w,
        color: if element.stroke_color() == "transparent" {
            options.theme.apply(Rgba::BLACK)
        } else {
            style.stroke
        },
    };
    let top = (h - measured.h) / 2.0;
    let mut inks = words::set(&setting);
    for ink in &mut inks {
        shift_down(ink, top);
    }
    inks
}

fn shift_down(ink: &mut Ink, by: f64) {
    if let Ink::Text { glyphs, .. } = ink {
        for glyph in glyphs {
            glyph.at.y += by;
        }
    }
}

const FRAME_STROKE: f64 = 2.0;
const FRAME_RADIUS: f64 = 8.0;
const NAME_SIZE: f64 = 14.0;
const NAME_LINE_HEIGHT: f64 = 1.25;
const NAME_OFFSET: f64 = 3.0;

fn frame(one: &Prepared, options: &Options) -> Ink {
    let color = match (&one.style.kind, options.theme.is_dark()) {
        (ElementKind::MagicFrame, false) => Rgba::parse("#7affd7"),
        (ElementKind::MagicFrame, true) => Rgba::parse("#1d8264").dark(),
        (_, _) => options.theme.apply(Rgba::parse("#bbb")),
    };
    let rect = Rect::new(0.0, 0.0, one.local.w, one.local.h);
    Ink::Stroke {
        path: round_rect_path(rect, FRAME_RADIUS),
        color,
        width: FRAME_STROKE,
        dash: None,
        ends: Ends::Plain,
    }
}

/// Where a frame's name stands, above its top left corner.
pub(super) fn frame_name_rect(frame: &Element) -> Rect {
    let (rect, height) = (frame.rect(), NAME_SIZE * NAME_LINE_HEIGHT);
    let width = text::line_width(&frame_title(frame), FontFamily::Helvetica, NAME_SIZE);
    Rect::new(
        rect.x,
        rect.y - NAME_OFFSET - height,
        width.min(rect.w),
        height,
    )
}

fn frame_title(frame: &Element) -> String {
    let name = frame.props.get("name").and_then(Value::as_str);
    let missing = match frame.kind() {
        ElementKind::MagicFrame => "AI Frame",
        _ => "Frame",
    };
    let title = text::normalize(name.unwrap_or(missing));
    title.chars().take(1_000).collect()
}

pub(super) fn frame_name(frame: &Element, options: &Options) -> Vec<Ink> {
    let place = frame_name_rect(frame);
    let family = FontFamily::Helvetica;
    let mut title = frame_title(frame);
    let room = frame.rect().w;
    if text::line_width(&title, family, NAME_SIZE) > room {
        let letters: Vec<char> = title.chars().collect();
        let shorter = (1..=letters.len()).rev().map(|count| {
            let start: String = letters.iter().take(count).collect();
            format!("{start}...")
        });
        let fits = |text: &String| text::line_width(text, family, NAME_SIZE) <= room;
        title = shorter.into_iter().find(fits).unwrap_or(title);
    }
    let color = if options.theme.is_dark() {
        "#7a7a7a"
    } else {
        "#999999"
    };
    let mut inks = words::set(&Setting {
        text: &title,
        family,
        size: NAME_SIZE,
        line_height: NAME_LINE_HEIGHT,
        align: TextAlign::Left,
        width: room,
        color: options.theme.apply(Rgba::parse(color)),
    });
    for ink in &mut inks {
        if let Ink::Text { glyphs, .. } = ink {
            for glyph in glyphs {
                glyph.at = glyph.at.translate(place.x, place.y);
            }
        }
    }
    inks
}
