//! What is under a point or in a rectangle, by what can be seen there: strokes with their width, fills, words,
//! arrowheads; cut by frames.
//!
//! The rules are the editor's. The inside of a shape counts where it is filled or labelled, of a text, an image or
//! an embedded page always; a frame is hit on its edge. A label stands for its container.

use crate::bounds::{bounds, drawn, is_curved, page_points, page_way, pivot};
use crate::curve;
use crate::element::{Element, ElementKind};
use crate::geometry::{Point, Rect};
use crate::outline::{self, Outline};
use crate::render::{heads, is_loop};
use crate::scene::Scene;

/// How finely curves are followed.
const CURVE_STEPS: usize = 24;
const ELLIPSE_STEPS: usize = 256;

/// Whether locked elements can be picked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Locked {
    Picked,
    PassedOver,
}

/// How to look.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pick {
    /// How far from a stroke still counts as on it.
    pub reach: f64,
    pub locked: Locked,
}

impl Default for Pick {
    /// As the editor at a zoom of 100 %.
    fn default() -> Self {
        Self {
            reach: 8.5,
            locked: Locked::PassedOver,
        }
    }
}

/// Something under a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit<'a> {
    /// Never a label: that stands for its container.
    pub shape: &'a Element,
    /// The label, when it is what was hit.
    pub label: Option<&'a Element>,
    /// The outermost group of the shape: what a click selects as a whole.
    pub group: Option<&'a str>,
}

/// The topmost thing at a point.
pub fn at_point<'a>(scene: &'a Scene, point: Point, pick: Pick) -> Option<Hit<'a>> {
    all_at_point(scene, point, pick).into_iter().next()
}

/// All that lies at a point, topmost first, a shape and its label once.
pub fn all_at_point<'a>(scene: &'a Scene, point: Point, pick: Pick) -> Vec<Hit<'a>> {
    let reach = pick.reach.clamp(0.0, 1000.0);
    let spot = Rect::new(point.x, point.y, 0.0, 0.0).expand(reach);
    let mut found: Vec<Hit<'a>> = Vec::new();
    for element in scene.touching(&spot).into_iter().rev() {
        let shape = scene.container_of(&element.id).unwrap_or(element);
        let passed_over = pick.locked == Locked::PassedOver && shape.is_locked();
        if passed_over
            || found.iter().any(|hit| hit.shape.id == shape.id)
            || !is_hit(scene, element, point, reach)
        {
            continue;
        }
        found.push(Hit {
            shape,
            label: (shape.id != element.id).then_some(element),
            group: shape.group_ids().last().copied(),
        });
    }
    found
}

/// Whether the element shows at the point, or within `reach` of it.
pub fn is_hit(scene: &Scene, element: &Element, point: Point, reach: f64) -> bool {
    let clipped = clip(scene, element).is_some_and(|frame| !frame.contains(point));
    if clipped {
        return false;
    }
    let reach = reach.max(element.stroke_width() / 2.0 + 0.1);
    let strokes = strokes(element);
    if fills(scene, element) && is_inside(&strokes, point) {
        return true;
    }
    let near = |line: &[Point]| {
        line.windows(2)
            .any(|two| gap(point, two[0], two[1]) <= reach)
    };
    strokes.iter().any(|line| near(line)) || on_head(element, point, reach)
}

/// Which elements a rectangle picks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Within {
    /// Those that show something in it.
    Touching,
    /// Those that lie wholly in it.
    Contained,
}

/// The shapes in a rectangle, bottom first; labels go with their containers.
pub fn in_rect<'a>(scene: &'a Scene, rect: &Rect, within: Within) -> Vec<&'a Element> {
    let picked = |shape: &&Element| match within {
        Within::Contained => rect.contains_rect(&drawn(scene, shape)),
        Within::Touching => {
            let label = scene.label_of(&shape.id);
            shows_in(scene, shape, rect) || label.is_some_and(|label| shows_in(scene, label, rect))
        }
    };
    let mut shapes = scene.shapes_touching(rect);
    shapes.retain(picked);
    shapes
}

fn shows_in(scene: &Scene, element: &Element, rect: &Rect) -> bool {
    let rect = match clip(scene, element) {
        Some(frame) => match common(&frame, rect) {
            Some(rest) => rest,
            None => return false,
        },
        None => *rect,
    };
    if !bounds(element).touches(&rect) {
        return false;
    }
    let strokes = strokes(element);
    let edges = rect.corners();
    let crosses = |line: &[Point]| {
        line.windows(2)
            .any(|two| (0..4).any(|at| cross(two[0], two[1], edges[at], edges[(at + 1) % 4])))
    };
    strokes
        .iter()
        .any(|line| line.first().is_some_and(|point| rect.contains(*point)) || crosses(line))
        || (fills(scene, element) && is_inside(&strokes, rect.center()))
}

/// The frame that cuts this element off.
fn clip(scene: &Scene, element: &Element) -> Option<Rect> {
    let owner = scene.container_of(&element.id).unwrap_or(element);
    let frame = owner.frame_id().and_then(|id| scene.get(&id));
    frame.filter(|frame| frame.kind().is_frame()).map(bounds)
}

/// Whether the inside belongs to what can be seen or taken hold of.
fn fills(scene: &Scene, element: &Element) -> bool {
    let painted = || element.background_color() != "transparent";
    match element.kind() {
        ElementKind::Arrow | ElementKind::Frame | ElementKind::MagicFrame => false,
        ElementKind::Line => {
            is_loop(&element.points()) && (painted() || scene.label_of(&element.id).is_some())
        }
        ElementKind::Freedraw => is_loop(&element.points()) && painted(),
        ElementKind::Rectangle | ElementKind::Diamond | ElementKind::Ellipse => {
            painted() || scene.label_of(&element.id).is_some()
        }
        _ => true,
    }
}

/// The lines of the element on the page; a closed outline ends where it begins.
fn strokes(element: &Element) -> Vec<Vec<Point>> {
    match element.kind() {
        ElementKind::Line | ElementKind::Arrow if is_curved(element) => {
            let way = page_way(element);
            let along = |cubic: &curve::Cubic| {
                let cubic = *cubic;
                (1..=CURVE_STEPS)
                    .map(move |step| curve::at(cubic, step as f64 / CURVE_STEPS as f64))
            };
            let first = way.first().map(|cubic| cubic[0]);
            vec![
                first
                    .into_iter()
                    .chain(way.iter().flat_map(along))
                    .collect(),
            ]
        }
        kind if kind.is_linear() => {
            let mut points = page_points(element);
            // A dot is a line from itself to itself.
            if let [only] = points[..] {
                points.push(only);
            }
            vec![points]
        }
        _ => {
            let mut ring = match outline::outline(element, 0.0) {
                Outline::Polygon(points) => points,
                Outline::Ellipse {
                    center,
                    rx,
                    ry,
                    angle,
                } => (0..ELLIPSE_STEPS)
                    .map(|step| {
                        let turn = std::f64::consts::TAU * step as f64 / ELLIPSE_STEPS as f64;
                        center
                            .translate(rx * turn.cos(), ry * turn.sin())
                            .rotate(center, angle)
                    })
                    .collect(),
            };
            ring.extend(ring.first().copied());
            vec![ring]
        }
    }
}

fn on_head(element: &Element, point: Point, reach: f64) -> bool {
    if element.kind() != ElementKind::Arrow {
        return false;
    }
    let (x, y, angle) = (element.x(), element.y(), element.angle());
    let turned = if angle == 0.0 {
        point
    } else {
        point.rotate(pivot(element), -angle)
    };
    let local = turned.translate(-x, -y);
    let heads = heads(element);
    let near = |line: &[Point]| {
        line.windows(2)
            .any(|two| gap(local, two[0], two[1]) <= reach)
    };
    heads.iter().any(|line| near(line)) || is_inside(&heads, local)
}

/// By counting the lines crossed on the way out; a line that does not close is closed straight.
fn is_inside(lines: &[Vec<Point>], point: Point) -> bool {
    let crosses = |a: Point, b: Point| {
        (a.y > point.y) != (b.y > point.y)
            && point.x < (b.x - a.x) * (point.y - a.y) / (b.y - a.y) + a.x
    };
    let crossings = |line: &Vec<Point>| {
        let ends = line.iter().skip(1).chain(line.first());
        line.iter()
            .zip(ends)
            .filter(|(a, b)| crosses(**a, **b))
            .count()
    };
    lines.iter().map(crossings).sum::<usize>() % 2 == 1
}

/// How far a point is from a piece of line.
fn gap(point: Point, from: Point, to: Point) -> f64 {
    let (dx, dy) = (to.x - from.x, to.y - from.y);
    let length = dx * dx + dy * dy;
    let along = if length == 0.0 {
        0.0
    } else {
        (((point.x - from.x) * dx + (point.y - from.y) * dy) / length).clamp(0.0, 1.0)
    };
    point.distance(from.translate(dx * along, dy * along))
}

fn cross(a: Point, b: Point, c: Point, d: Point) -> bool {
    outline::segments_cross(a, b, c, d).is_some()
}

fn common(a: &Rect, b: &Rect) -> Option<Rect> {
    let (x, y) = (a.x.max(b.x), a.y.max(b.y));
    let (right, bottom) = (a.right().min(b.right()), a.bottom().min(b.bottom()));
    (right >= x && bottom >= y).then(|| Rect::new(x, y, right - x, bottom - y))
}
