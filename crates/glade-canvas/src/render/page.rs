//! From a scene to a display list: what is drawn, in which order, under which clip.
//!
//! The order is the editor's: elements by their index, a label right after its container, embedded pages last.

use std::collections::BTreeMap;

use glade_doc::ElementId;

use super::clip::needs_clip;
use super::draw::{self, Place};
use super::list::{ClipPath, Ink, Item, List, Rule, Transform, rect_path, round_rect_path};
use super::rough::Op;
use super::shape::{self, Piece};
use super::style::{Style, opacity};
use super::{Options, Theme};
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
}

pub(super) fn list(scene: &Scene, options: &Options) -> List {
    let prepared: Vec<Prepared> = scene
        .live()
        .filter(|element| !is_invisible(element))
        .map(|element| prepare(scene, element, options))
        .collect();
    let frames: BTreeMap<&ElementId, &Prepared> = prepared
        .iter()
        .filter(|one| one.style.kind.is_frame())
        .map(|one| (&one.element.id, one))
        .collect();
    let view = options
        .bounds
        .map(|bounds| bounds.normalized())
        .unwrap_or_else(|| content(&prepared, &frames).expand(options.padding.clamp(0.0, 1e4)));
    let mut page = Page {
        scene,
        options,
        frames,
        list: List {
            view,
            background: options.background_color(),
            ..List::default()
        },
        frame_clips: BTreeMap::new(),
    };
    let is_embed = |one: &&Prepared| {
        matches!(
            one.style.kind,
            ElementKind::Iframe | ElementKind::Embeddable
        )
    };
    let texts: BTreeMap<&ElementId, &Prepared> = prepared
        .iter()
        .filter(|one| one.style.kind == ElementKind::Text)
        .map(|one| (&one.element.id, one))
        .collect();
    for one in prepared.iter().filter(|one| !is_embed(one)) {
        page.element(one, &texts);
    }
    for one in prepared.iter().filter(is_embed) {
        page.element(one, &texts);
    }
    page.list
}

/// The box around what is not inside of a frame, names of frames included.
fn content(prepared: &[Prepared], frames: &BTreeMap<&ElementId, &Prepared>) -> Rect {
    let inside = |one: &Prepared| {
        one.element
            .frame_id()
            .is_some_and(|frame| frames.contains_key(&frame))
    };
    let named = |one: &Prepared| match one.style.kind.is_frame() {
        true => one.bounds.union(&draw::frame_name_rect(one.element)),
        false => one.bounds,
    };
    prepared
        .iter()
        .filter(|one| one.style.kind.is_frame() || !inside(one))
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

fn prepare<'a>(scene: &Scene, element: &'a Element, options: &Options) -> Prepared<'a> {
    let mut style = Style::read(element, options);
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
        element,
        style,
        pieces,
        local,
        bounds: turned,
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
fn ops_bounds(ops: &[Op], place: impl Fn(Point) -> Point) -> Option<Rect> {
    let mut current = Point::default();
    let mut all: Option<Rect> = None;
    for op in ops {
        match *op {
            Op::Move(to) => current = to,
            Op::Line(_) => {}
            Op::Curve(one, two, to) => {
                let rect = curve::bounds([current, one, two, to].map(&place));
                all = Some(all.map_or(rect, |all| all.union(&rect)));
                current = to;
            }
        }
    }
    all
}

struct Page<'a> {
    scene: &'a Scene,
    options: &'a Options,
    frames: BTreeMap<&'a ElementId, &'a Prepared<'a>>,
    list: List,
    frame_clips: BTreeMap<ElementId, usize>,
}

impl<'a> Page<'a> {
    fn element(&mut self, one: &Prepared<'a>, texts: &BTreeMap<&ElementId, &Prepared<'a>>) {
        let element = one.element;
        // A label is drawn with its container; the editor does not draw a container's further texts.
        if one.style.kind == ElementKind::Text
            && element
                .container_id()
                .and_then(|id| self.scene.get(&id))
                .is_some_and(|container| container.kind().holds_label())
        {
            return;
        }
        let label = self
            .scene
            .label_of(&element.id)
            .and_then(|label| texts.get(&label.id).copied());
        let frame = element
            .frame_id()
            .and_then(|id| self.frames.get(&id).copied());
        let clip = frame
            .filter(|frame| needs_clip(one, frame))
            .map(|frame| self.frame_clip(frame.element));
        if one.style.kind.is_frame() {
            let name = draw::frame_name(element, self.options);
            self.add(Transform::IDENTITY, 1.0, None, name);
        }
        if self.shows(one) {
            let clip = match label {
                Some(label) if one.style.kind == ElementKind::Arrow => {
                    Some(self.hole_clip(clip, one, label))
                }
                _ => clip,
            };
            self.draw(one, clip, label.is_some());
        }
        if let Some(label) = label.filter(|label| self.shows(label)) {
            self.draw(label, clip, false);
        }
    }

    fn shows(&self, one: &Prepared) -> bool {
        let reach = REACH + one.style.stroke_width * 6.0;
        one.bounds.expand(reach).touches(&self.list.view)
    }

    fn draw(&mut self, one: &Prepared, clip: Option<usize>, labelled: bool) {
        let element = one.element;
        let frame = element
            .frame_id()
            .and_then(|id| self.frames.get(&id).copied());
        let faded = one.style.opacity * frame.map_or(1.0, |frame| opacity(frame.element));
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
        let place = Place {
            scene: self.scene,
            options: self.options,
        };
        if one.style.kind.is_frame() {
            // Frames do not turn.
            let upright = Transform::placed(origin, center, 0.0);
            self.add(upright, faded, None, draw::frame(one, self.options));
            return;
        }
        for drawn in draw::inks(one, &place) {
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
