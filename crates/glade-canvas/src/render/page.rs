//! From a scene to a display list: what is drawn, in which order, under which clip.
//!
//! The order is the editor's: elements by their index, a label right after its container, embedded pages last.

use std::collections::BTreeMap;

use glade_doc::ElementId;

use super::clip::needs_clip;
use super::draw::{self, Drawn, Place};
use super::list::{ClipPath, Ink, Item, List, Rule, Transform, rect_path, round_rect_path};
use super::rough::Segment;
use super::shape::{self, Piece};
use super::style::{Style, opacity};
use super::{Options, Theme, parallel};
use crate::bounds;
use crate::curve;
use crate::element::{Element, ElementKind};
use crate::geometry::{Point, Rect};
use crate::label;
use crate::scene::Scene;

const FRAME_RADIUS: f64 = 8.0;
/// Around a label the arrow is left out, this far from the text.
const HOLE_PADDING: f64 = 5.0;
/// What may reach beyond an element's bounds: rough strokes, arrowheads, shadows.
const REACH: f64 = 60.0;

/// An element with its strokes, ready to be placed.
pub(super) struct Prepared<'a> {
    pub element: &'a Element,
    pub style: Style,
    pub pieces: Vec<Piece>,
    /// Before rotation: what it turns about the middle of.
    pub local: Rect,
    /// As drawn, upright.
    pub bounds: Rect,
    /// The frame that it is in.
    frame: Option<&'a Element>,
    /// Whether that frame cuts it.
    is_cut: bool,
    /// The text that is drawn with it.
    label: Option<&'a ElementId>,
    /// Whether it is the text of a container: it is drawn with that, if at all.
    is_contained: bool,
}

/// What is drawn where: each element by itself first, on as many threads as there are, then all in order.
pub(super) fn list(scene: &Scene, options: &Options) -> List {
    let live: Vec<&Element> = scene.live().collect();
    let prepared = parallel::map(&live, |element| {
        (!is_invisible(element)).then(|| prepare(scene, element, options))
    });
    let mut prepared: Vec<Prepared> = prepared.into_iter().flatten().collect();
    let view = options
        .bounds
        .map(|bounds| bounds.normalized())
        .unwrap_or_else(|| content(&prepared).expand(options.padding.clamp(0.0, 1e4)));
    let place = Place { scene, options };
    let inks = parallel::map_mut(&mut prepared, |one| {
        one.is_cut = one.frame.is_some_and(|frame| needs_clip(one, frame));
        match shows(one, &view) {
            true => draw::inks(one, &place),
            false => Vec::new(),
        }
    });
    let mut page = Page {
        options,
        prepared: &prepared,
        inks,
        list: List {
            view,
            background: options.background_color(),
            ..List::default()
        },
        frame_clips: BTreeMap::new(),
    };
    let labels: BTreeMap<&ElementId, usize> = (0..prepared.len())
        .filter(|at| prepared[*at].is_contained)
        .map(|at| (&prepared[at].element.id, at))
        .collect();
    let is_embed = |at: &usize| {
        matches!(
            prepared[*at].style.kind,
            ElementKind::Iframe | ElementKind::Embeddable
        )
    };
    for at in (0..prepared.len()).filter(|at| !is_embed(at)) {
        page.element(at, &labels);
    }
    for at in (0..prepared.len()).filter(is_embed) {
        page.element(at, &labels);
    }
    page.list
}

/// The box around what is not inside of a frame, names of frames included.
fn content(prepared: &[Prepared]) -> Rect {
    let named = |one: &Prepared| match one.style.kind.is_frame() {
        true => one.bounds.union(&draw::frame_name_rect(one.element)),
        false => one.bounds,
    };
    prepared
        .iter()
        .filter(|one| one.style.kind.is_frame() || one.frame.is_none())
        .map(named)
        .reduce(|all, one| all.union(&one))
        .unwrap_or_default()
}

/// What the editor throws away when it opens a file: clicks that never became a shape.
fn is_invisible(element: &Element) -> bool {
    const SHORTEST_ARROW: f64 = 0.1;
    match element.kind() {
        ElementKind::Line | ElementKind::Freedraw => element.points().len() < 2,
        ElementKind::Arrow => match element.points().as_slice() {
            [from, to] => from.distance(*to) < SHORTEST_ARROW,
            points => points.len() < 2,
        },
        _ => element.width() == 0.0 && element.height() == 0.0,
    }
}

fn prepare<'a>(scene: &'a Scene, element: &'a Element, options: &Options) -> Prepared<'a> {
    let mut style = Style::read(element, options);
    let container = match style.kind {
        ElementKind::Text => element.container_id(),
        _ => None,
    };
    let frame = element.frame_id().and_then(|id| scene.get(&id));
    let mut prepared = Prepared {
        element,
        pieces: Vec::new(),
        local: Rect::default(),
        bounds: Rect::default(),
        frame: frame.filter(|frame| frame.kind().is_frame() && !is_invisible(frame)),
        is_cut: false,
        // To the editor the words in one of our polygons are a text of their own.
        label: Some(&element.id)
            .filter(|_| style.kind.holds_label())
            .and_then(|id| scene.label_of(id))
            .map(|label| &label.id),
        is_contained: container
            .and_then(|id| scene.get(&id))
            .is_some_and(|container| container.kind().holds_label()),
        style: style.clone(),
    };
    if style.kind != ElementKind::Text
        && let Some(view) = &options.bounds
        && !bounds::ink(element)
            .expand(reach(&style))
            .touches(&view.normalized())
    {
        // Beside the view: where it lies is enough.
        prepared.local = bounds::local_rect(element);
        prepared.bounds = bounds::bounds(element);
        return prepared;
    }
    if matches!(style.kind, ElementKind::Iframe | ElementKind::Embeddable) {
        style = shape::embed_style(&style, options);
    }
    let pieces = shape::pieces(element, &style, options);
    let (x, y, angle) = (element.x(), element.y(), element.angle());
    let (local, turned) = match style.kind {
        ElementKind::Line | ElementKind::Arrow => {
            let ops = pieces
                .first()
                .map_or(&[][..], |piece| piece.drawable.outline());
            let local = ops_bounds(ops, |point| point.translate(x, y))
                .unwrap_or_else(|| bounds::local_rect(element));
            let center = local.center();
            let turned = ops_bounds(ops, |point| point.translate(x, y).rotate(center, angle))
                .unwrap_or_else(|| bounds::bounds(element));
            (local, turned)
        }
        ElementKind::Text => {
            let rect = text_rect(scene, element);
            (rect, rect.rotated_bounds(angle))
        }
        _ => (bounds::local_rect(element), bounds::bounds(element)),
    };
    Prepared {
        style,
        pieces,
        local,
        bounds: turned,
        ..prepared
    }
}

/// Where a text lies: a label on an arrow follows the arrow.
fn text_rect(scene: &Scene, text: &Element) -> Rect {
    match scene.container_of(&text.id) {
        Some(arrow) if arrow.kind() == ElementKind::Arrow => label::rect_on_arrow(arrow, text),
        _ => text.rect(),
    }
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

/// Whether any of it may be in view.
fn shows(one: &Prepared, view: &Rect) -> bool {
    one.bounds.expand(reach(&one.style)).touches(view)
}

fn reach(style: &Style) -> f64 {
    REACH + style.stroke_width * 6.0
}

struct Page<'a> {
    options: &'a Options,
    prepared: &'a [Prepared<'a>],
    list: List,
    /// What each of the prepared is drawn with, until it is.
    inks: Vec<Vec<Drawn>>,
    frame_clips: BTreeMap<ElementId, usize>,
}

impl<'a> Page<'a> {
    fn element(&mut self, at: usize, labels: &BTreeMap<&ElementId, usize>) {
        let one = &self.prepared[at];
        // A label is drawn with its container; the editor does not draw a container's further texts.
        if one.is_contained {
            return;
        }
        let element = one.element;
        let label = one.label.and_then(|label| labels.get(label).copied());
        let clip = one
            .frame
            .filter(|_| one.is_cut)
            .map(|frame| self.frame_clip(frame));
        if one.style.kind.is_frame() {
            let name = draw::frame_name(element, self.options);
            self.add(Transform::IDENTITY, 1.0, None, name);
        }
        if shows(one, &self.list.view) {
            let clip = match label {
                Some(label) if one.style.kind == ElementKind::Arrow => {
                    Some(self.hole_clip(clip, one, &self.prepared[label]))
                }
                _ => clip,
            };
            self.draw(at, clip, label.is_some());
        }
        if let Some(label) = label.filter(|at| shows(&self.prepared[*at], &self.list.view)) {
            self.draw(label, clip, false);
        }
    }

    fn draw(&mut self, at: usize, clip: Option<usize>, labelled: bool) {
        let one = &self.prepared[at];
        let element = one.element;
        let faded = one.style.opacity * one.frame.map_or(1.0, opacity);
        if faded <= 0.0 {
            return;
        }
        let center = one.local.center();
        let origin = match one.style.kind {
            ElementKind::Text => Point::new(one.local.x, one.local.y),
            // The editor places a labelled arrow by its stored size; what it looks like depends on that.
            ElementKind::Arrow if labelled => Point::new(
                center.x - element.width() / 2.0 + (element.x() - one.local.x),
                center.y - element.height() / 2.0 + (element.y() - one.local.y),
            ),
            ElementKind::Line | ElementKind::Arrow | ElementKind::Freedraw => {
                Point::new(element.x(), element.y())
            }
            _ => Point::new(one.local.x, one.local.y),
        };
        let transform = Transform::placed(origin, center, element.angle());
        if one.style.kind.is_frame() {
            // Frames do not turn.
            let upright = Transform::placed(origin, center, 0.0);
            self.add(upright, faded, None, draw::frame(one, self.options));
            return;
        }
        for drawn in std::mem::take(&mut self.inks[at]) {
            let clip = match drawn.clip {
                None => clip,
                Some(path) => Some(self.nested_clip(
                    clip,
                    ClipPath {
                        path,
                        rule: Rule::NonZero,
                        transform,
                    },
                )),
            };
            let transform = if drawn.flipped == (false, false) {
                transform
            } else {
                flipped(transform, one.local, drawn.flipped)
            };
            self.list.items.push(Item {
                transform,
                opacity: faded,
                clip,
                ink: drawn.ink,
            });
        }
    }

    fn add(&mut self, transform: Transform, opacity: f64, clip: Option<usize>, inks: Vec<Ink>) {
        self.list.items.extend(inks.into_iter().map(|ink| Item {
            transform,
            opacity,
            clip,
            ink,
        }));
    }

    fn frame_clip(&mut self, frame: &Element) -> usize {
        if let Some(clip) = self.frame_clips.get(&frame.id) {
            return *clip;
        }
        let clip = self.nested_clip(
            None,
            ClipPath {
                path: round_rect_path(frame.rect(), FRAME_RADIUS),
                rule: Rule::NonZero,
                transform: Transform::IDENTITY,
            },
        );
        self.frame_clips.insert(frame.id.clone(), clip);
        clip
    }

    /// Everything but the place of the arrow's label.
    fn hole_clip(&mut self, outer: Option<usize>, arrow: &Prepared, label: &Prepared) -> usize {
        let reach = arrow.local.w.max(arrow.local.h) + 400.0;
        let around = Rect::centered(
            arrow.local.center(),
            crate::geometry::Size::new(2.0 * reach, 2.0 * reach),
        );
        let mut path = rect_path(around);
        path.extend(rect_path(label.local.expand(HOLE_PADDING)));
        self.nested_clip(
            outer,
            ClipPath {
                path,
                rule: Rule::EvenOdd,
                transform: Transform::IDENTITY,
            },
        )
    }

    fn nested_clip(&mut self, outer: Option<usize>, inner: ClipPath) -> usize {
        let mut clips = outer
            .and_then(|outer| self.list.clips.get(outer).cloned())
            .unwrap_or_default();
        clips.push(inner);
        self.list.clips.push(clips);
        self.list.clips.len() - 1
    }
}

/// Mirrored about the middle of its box.
fn flipped(transform: Transform, local: Rect, (across, down): (bool, bool)) -> Transform {
    let sign = |flip: bool| if flip { -1.0 } else { 1.0 };
    let (sx, sy) = (sign(across), sign(down));
    let (dx, dy) = (
        if across { local.w } else { 0.0 },
        if down { local.h } else { 0.0 },
    );
    Transform {
        a: transform.a * sx,
        b: transform.b * sx,
        c: transform.c * sy,
        d: transform.d * sy,
        e: transform.e + transform.a * dx + transform.c * dy,
        f: transform.f + transform.b * dx + transform.d * dy,
    }
}

impl Theme {
    pub(super) fn is_dark(self) -> bool {
        self == Theme::Dark
    }
}
