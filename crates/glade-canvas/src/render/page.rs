//! From a scene to a page laid out: what is drawn, in which order, under which clip.
//!
//! The order is the editor's: elements by their index, a label right after its container, embedded pages last.
//!
//! Elements are made ready on as many threads as there are, then laid out one after the other. The strokes of shapes
//! are not there yet: whoever writes the picture has them made up a few elements at a time, and writes and forgets
//! them while they are still at hand.

use std::collections::{BTreeMap, HashMap};

use glade_doc::ElementId;

use super::draw::{self, Drawn};
use super::list::{ClipPath, Ink, Item, List, Rule, Spot, Transform, rect_path, round_rect_path};
use super::picture::Sizes;
use super::pool::{self, Pool};
use super::prepare::{Prepared, prepare};
use super::style::opacity;
use super::{Options, Theme, parallel};
use crate::element::{Element, ElementKind};
use crate::geometry::{Point, Rect};
use crate::scene::Scene;

const FRAME_RADIUS: f64 = 8.0;
/// Around a label the arrow is left out, this far from the text.
const HOLE_PADDING: f64 = 5.0;

/// A page of which only strokes are yet to be made up.
pub(super) struct Layout<'a> {
    /// All but the items.
    pub list: List,
    pub steps: Vec<DrawItem<'a>>,
}

/// One thing to draw, and where.
pub(super) struct DrawItem<'a> {
    pub spot: Spot,
    pub what: What<'a>,
}

pub(super) enum What<'a> {
    Ink(Ink),
    /// The strokes of an element, yet to be made up.
    Strokes(&'a Prepared<'a>),
}

impl DrawItem<'_> {
    /// The strokes that are made up for this step.
    pub fn strokes(&self) -> Vec<Ink> {
        match &self.what {
            What::Ink(_) => Vec::new(),
            What::Strokes(one) => draw::strokes(one),
        }
    }
}

/// Every element by itself, in parts.
pub(super) fn prepared<'a>(
    scene: &'a Scene,
    options: &Options,
    sizes: &Sizes,
) -> Vec<Vec<Prepared<'a>>> {
    let elements: Vec<_> = scene.looks().collect();
    parallel::parts(&elements, parallel::LOOKS, |_, elements| {
        let mut prepared = PARTS.take().unwrap_or_default();
        let elements = elements.iter();
        prepared.extend(
            elements.filter_map(|(element, look)| prepare(scene, element, look, options, sizes)),
        );
        prepared
    })
}

/// Lists that one page leaves to the next.
static PARTS: Pool<Vec<Prepared<'static>>> = Pool::new(200);
static STEPS: Pool<Vec<DrawItem<'static>>> = Pool::new(2);
/// Longer ones are not kept.
const LONGEST: usize = 20_000;

/// Leaves the lists of a page that is drawn to the next.
pub(super) fn put_away(parts: Vec<Vec<Prepared>>) {
    for part in parts {
        if part.capacity() <= LONGEST {
            PARTS.put(pool::emptied(part, |_: Prepared| -> Prepared<'static> {
                unreachable!("it is empty")
            }));
        }
    }
}

/// What is drawn where.
pub(super) fn layout<'a>(parts: &'a mut [Vec<Prepared>], options: &'a Options) -> Layout<'a> {
    let all = parts.iter_mut().flatten();
    let inks: Vec<_> = all.map(|one| std::mem::take(&mut one.inks)).collect();
    let prepared: Vec<&Prepared> = parts.iter().flatten().collect();
    let view = options
        .bounds
        .map(|bounds| bounds.normalized())
        .unwrap_or_else(|| content(&prepared).expand(options.padding.clamp(0.0, 1e4)));
    let prepared = prepared.as_slice();
    let labels = (0..prepared.len()).filter(|at| prepared[*at].is_contained);
    let mut page = Page {
        options,
        prepared,
        labels: labels.map(|at| (&prepared[at].element.id, at)).collect(),
        inks,
        layout: Layout {
            list: List {
                view,
                background: options.background_color(),
                ..List::default()
            },
            steps: STEPS.take().unwrap_or_default(),
        },
        frame_clips: BTreeMap::new(),
    };
    let is_embed = |at: &usize| {
        matches!(
            prepared[*at].style.kind,
            ElementKind::Iframe | ElementKind::Embeddable
        )
    };
    for at in (0..prepared.len()).filter(|at| !is_embed(at)) {
        page.element(at);
    }
    for at in (0..prepared.len()).filter(is_embed) {
        page.element(at);
    }
    page.layout
}

impl Layout<'_> {
    /// Leaves its list to the next.
    pub fn put_away(self) {
        if self.steps.capacity() <= LONGEST {
            STEPS.put(pool::emptied(
                self.steps,
                |_: DrawItem| -> DrawItem<'static> { unreachable!("it is empty") },
            ));
        }
    }

    /// With all strokes made up.
    pub fn into_list(self) -> List {
        let strokes = parallel::map(&self.steps, parallel::STROKES, |step| step.strokes());
        let mut list = self.list;
        for (step, strokes) in self.steps.into_iter().zip(strokes) {
            let ink = match step.what {
                What::Ink(ink) => Some(ink),
                What::Strokes(_) => None,
            };
            let inks = ink.into_iter().chain(strokes);
            list.items.extend(inks.map(|ink| Item {
                spot: step.spot,
                ink,
            }));
        }
        list
    }
}

/// The box around what is not inside of a frame, names of frames included.
fn content(prepared: &[&Prepared]) -> Rect {
    let named = |one: &&Prepared| {
        if one.style.kind.is_frame() {
            one.bounds.union(&draw::frame_name_rect(one.element))
        } else {
            one.bounds
        }
    };
    prepared
        .iter()
        .filter(|one| one.style.kind.is_frame() || one.frame.is_none())
        .map(named)
        .reduce(|all, one| all.union(&one))
        .unwrap_or_default()
}

struct Page<'a, 'b> {
    options: &'a Options,
    prepared: &'b [&'a Prepared<'a>],
    /// The place of each label.
    labels: HashMap<&'a ElementId, usize>,
    /// What each of the prepared is drawn with, until it is.
    inks: Vec<Vec<Drawn>>,
    layout: Layout<'a>,
    frame_clips: BTreeMap<ElementId, usize>,
}

impl<'a> Page<'a, '_> {
    fn element(&mut self, at: usize) {
        let one = self.prepared[at];
        // A label is drawn with its container; the editor does not draw a container's further texts.
        if one.is_contained {
            return;
        }
        let element = one.element;
        let label = one.label.and_then(|label| self.labels.get(label).copied());
        let clip = one
            .frame
            .filter(|_| one.is_cut)
            .map(|frame| self.frame_clip(frame));
        if one.style.kind.is_frame() {
            let spot = Spot {
                transform: Transform::IDENTITY,
                opacity: 1.0,
                clip: None,
            };
            self.add(spot, draw::frame_name(element, self.options));
        }
        if one.shows(&self.layout.list.view) {
            let clip = match label {
                Some(label) if one.style.kind == ElementKind::Arrow => {
                    Some(self.hole_clip(clip, one, self.prepared[label]))
                }
                _ => clip,
            };
            self.draw(at, clip, label.is_some());
        }
        if let Some(label) = label.filter(|at| self.prepared[*at].shows(&self.layout.list.view)) {
            self.draw(label, clip, false);
        }
    }

    fn draw(&mut self, at: usize, clip: Option<usize>, labelled: bool) {
        let one = self.prepared[at];
        let opacity = one.style.opacity * one.frame.map_or(1.0, opacity);
        if opacity <= 0.0 {
            return;
        }
        let center = one.local.center();
        let origin = match one.style.kind {
            // The editor places a labelled arrow by its stored size; what it looks like depends on that.
            ElementKind::Arrow if labelled => Point::new(
                center.x - one.look.size.0 / 2.0 + (one.look.origin.x - one.local.x),
                center.y - one.look.size.1 / 2.0 + (one.look.origin.y - one.local.y),
            ),
            ElementKind::Line | ElementKind::Arrow | ElementKind::Freedraw => one.look.origin,
            _ => Point::new(one.local.x, one.local.y),
        };
        // Frames do not turn.
        let angle = if one.style.kind.is_frame() {
            0.0
        } else {
            one.look.angle
        };
        let transform = Transform::placed(origin, center, angle);
        let clip = clip.filter(|_| !one.style.kind.is_frame());
        let spot = Spot {
            transform,
            opacity,
            clip,
        };
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
            self.add(
                Spot {
                    transform,
                    clip,
                    ..spot
                },
                [drawn.ink],
            );
        }
        if draw::has_strokes(&one.style.kind) {
            self.layout.steps.push(DrawItem {
                spot,
                what: What::Strokes(one),
            });
        }
    }

    fn add(&mut self, spot: Spot, inks: impl IntoIterator<Item = Ink>) {
        let steps = inks.into_iter().map(|ink| DrawItem {
            spot,
            what: What::Ink(ink),
        });
        self.layout.steps.extend(steps);
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
            .and_then(|outer| self.layout.list.clips.get(outer).cloned())
            .unwrap_or_default();
        clips.push(inner);
        self.layout.list.clips.push(clips);
        self.layout.list.clips.len() - 1
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
