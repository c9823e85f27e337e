//! An element made ready to be placed: how it looks, where it lies, and most of what it is drawn with.
//!
//! The strokes of shapes and freehand lines are left for later ([`super::page`]): they are most of what a picture
//! holds, and where such an element lies is known without them.

use glade_doc::ElementId;

use super::Options;
use super::clip::needs_clip;
use super::draw::{self, Drawn};
use super::look::Look;
use super::picture::Sizes;
use super::rough::Segment;
use super::shape;
use super::style::{Style, Themed};
use crate::bounds;
use crate::curve;
use crate::element::{Element, ElementKind};
use crate::geometry::{Point, Rect};
use crate::label;
use crate::scene::Scene;

/// What may reach beyond an element's bounds: rough strokes, arrowheads, shadows.
const REACH: f64 = 60.0;

pub(super) struct Prepared<'a> {
    pub element: &'a Element,
    pub look: &'a Look,
    /// In the theme asked for.
    pub style: Themed<'a>,
    /// Before rotation: what it turns about the middle of.
    pub local: Rect,
    /// As drawn, upright.
    pub bounds: Rect,
    /// The frame that it is in.
    pub frame: Option<&'a Element>,
    /// Whether that frame cuts it.
    pub is_cut: bool,
    /// The text that is drawn with it.
    pub label: Option<&'a ElementId>,
    /// Whether it is the text of a container: it is drawn with that, if at all.
    pub is_contained: bool,
    /// What it is drawn with, except for strokes that are made up later.
    pub inks: Vec<Drawn>,
}

impl Prepared<'_> {
    /// Whether any of it may be in view.
    pub fn shows(&self, view: &Rect) -> bool {
        self.bounds.expand(reach(&self.style)).touches(view)
    }
}

fn reach(style: &Style) -> f64 {
    REACH + style.stroke_width * 6.0
}

/// None for what nobody sees.
pub(super) fn prepare<'a>(
    scene: &'a Scene,
    element: &'a Element,
    look: &'a Look,
    options: &Options,
    sizes: &Sizes,
) -> Option<Prepared<'a>> {
    if look.is_deleted || is_never_seen(look) {
        return None;
    }
    let style = options.theme.style(&look.style);
    let container = look.lettering.as_ref();
    let container = container.and_then(|lettering| lettering.container.as_ref());
    let frame = look.frame.as_ref().and_then(|id| scene.entry(id));
    let mut one = Prepared {
        element,
        look,
        local: Rect::default(),
        bounds: Rect::default(),
        frame: frame
            .filter(|(_, look)| look.style.kind.is_frame() && !is_never_seen(look))
            .map(|(frame, _)| frame),
        is_cut: false,
        // To the editor the words in one of our polygons are a text of their own.
        label: Some(&element.id)
            .filter(|id| style.kind.holds_label() && scene.is_named_by_a_text(id))
            .and_then(|id| scene.label_of(id))
            .map(|label| &label.id),
        is_contained: container
            .and_then(|id| scene.get(id))
            .is_some_and(|container| container.kind().holds_label()),
        inks: Vec::new(),
        style,
    };
    let view = options.bounds.map(Rect::normalized);
    match one.style.kind {
        ElementKind::Line | ElementKind::Arrow => {
            let reach = reach(&one.style);
            let is_beside = |view: Rect| !bounds::ink(element).expand(reach).touches(&view);
            if view.is_some_and(is_beside) {
                // Where it lies is enough.
                one.local = bounds::local_rect(element);
                one.bounds = bounds::bounds(element);
                return Some(one);
            }
            linear(&mut one, options);
        }
        _ => {
            one.local = match one.style.kind {
                ElementKind::Text => arrow_labelled(scene, element, container)
                    .map_or_else(|| look.rect(), |arrow| label::rect_on_arrow(arrow, element)),
                ElementKind::Freedraw => {
                    let Point { x, y } = look.origin;
                    let points = look.points.iter().map(|point| point.translate(x, y));
                    Rect::from_points(points).unwrap_or_else(|| look.rect())
                }
                _ => look.rect(),
            };
            one.bounds = match one.style.kind {
                _ if look.angle == 0.0 => one.local,
                ElementKind::Text => one.local.rotated_bounds(look.angle),
                _ => bounds::bounds(element),
            };
            if view.is_some_and(|view| !one.shows(&view)) {
                return Some(one);
            }
            one.is_cut = one.frame.is_some_and(|frame| needs_clip(&one, &[], frame));
            one.inks = draw::inks(&one, scene, options, sizes);
        }
    }
    Some(one)
}

/// Lines and arrows are measured by their strokes.
fn linear(one: &mut Prepared, options: &Options) {
    let (element, look) = (one.element, one.look);
    let pieces = shape::linear(look, &one.style, options);
    let ops = pieces
        .first()
        .map_or(&[][..], |piece| piece.drawable.outline());
    let (Point { x, y }, angle) = (look.origin, look.angle);
    one.local = ops_bounds(ops, |point| point.translate(x, y))
        .unwrap_or_else(|| bounds::local_rect(element));
    one.bounds = match angle {
        0.0 if !ops.is_empty() => one.local,
        _ => {
            let center = one.local.center();
            ops_bounds(ops, |point| point.translate(x, y).rotate(center, angle))
                .unwrap_or_else(|| bounds::bounds(element))
        }
    };
    one.is_cut = one.frame.is_some_and(|frame| needs_clip(one, ops, frame));
    one.inks = draw::pieces_inks(pieces).map(Drawn::from).collect();
}

/// What the editor throws away when it opens a file: clicks that never became a shape.
fn is_never_seen(look: &Look) -> bool {
    const SHORTEST_ARROW: f64 = 0.1;
    match (&look.style.kind, look.points.as_slice()) {
        (ElementKind::Arrow, [from, to]) => from.distance(*to) < SHORTEST_ARROW,
        (kind, points) if kind.is_linear() => points.len() < 2,
        _ if look.lettering.as_ref().is_some_and(|text| text.is_empty) => true,
        _ => look.size == (0.0, 0.0),
    }
}

/// The arrow that a text labels, and follows, if it names one.
fn arrow_labelled<'a>(
    scene: &'a Scene,
    text: &Element,
    named: Option<&ElementId>,
) -> Option<&'a Element> {
    let container = named.and_then(|_| scene.container_of(&text.id))?;
    (container.kind() == ElementKind::Arrow).then_some(container)
}

/// The box around the curves of a drawing, each by its true extremes.
fn ops_bounds(ops: &[Segment], place: impl Fn(Point) -> Point) -> Option<Rect> {
    let mut current = Point::default();
    let mut all: Option<Rect> = None;
    for op in ops {
        match *op {
            Segment::Move(to) => current = to,
            Segment::Line(_) | Segment::Quadratic(..) | Segment::Close => {}
            Segment::Cubic(one, two, to) => {
                let rect = curve::bounds([current, one, two, to].map(&place));
                all = Some(all.map_or(rect, |all| all.union(&rect)));
                current = to;
            }
        }
    }
    all
}
