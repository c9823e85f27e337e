//! From an element to rough drawings: which generator with which options, as the editor chooses them.

use super::Options;
use super::arrowhead;
use super::color::Rgba;
use super::look::Look;
use super::rough::{self, Drawable, FillStyle, Segment};
use super::style::{StrokeStyle, Style, drawn_points};
use crate::curve::Cubic;
use crate::element::{Element, ElementKind};
use crate::geometry::{Point, Rect};

/// A rough drawing with its colours and widths.
pub(crate) struct Piece {
    pub drawable: Drawable,
    pub stroke: Rgba,
    pub stroke_width: f64,
    pub dash: Option<[f64; 2]>,
    pub fill: Rgba,
    /// The width of a fill's lines.
    pub fill_weight: f64,
}

/// Nothing of an element lies further out; an elbow arrow with such points is not drawn.
const ELBOW_LIMIT: f64 = 1e6;
const ELBOW_RADIUS: f64 = 16.0;
/// A line whose ends are this close is a loop and can be filled.
const LOOP_DISTANCE: f64 = 8.0;
/// How exactly the filled area of a freehand loop follows it.
const LOOP_TOLERANCE: f64 = 0.75;

/// A closed shape of this size, its corner at (0, 0); none for what is not one.
pub(crate) fn closed(w: f64, h: f64, style: &Style) -> Option<Piece> {
    Some(match style.kind {
        ElementKind::Rectangle | ElementKind::Iframe | ElementKind::Embeddable => {
            rectangle(w, h, style)
        }
        ElementKind::Diamond => diamond(w, h, style),
        ElementKind::Ellipse => {
            let rough = rough::Options {
                curve_fitting: 1.0,
                ..filled_options(style, w, h, Corners::Free)
            };
            let drawable = rough::ellipse(w / 2.0, h / 2.0, w, h, &rough);
            piece(drawable, style)
        }
        _ => return None,
    })
}

/// Whether corners stay where they are: a path drawn without lifting the pen keeps them.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Corners {
    Free,
    Preserved,
}

/// The options for an outline without a fill.
pub(crate) fn rough_options(style: &Style, w: f64, h: f64, corners: Corners) -> rough::Options {
    rough::Options {
        seed: style.seed,
        roughness: style.roughness_for(w, h),
        hachure_gap: style.stroke_width * 4.0,
        single_stroke: style.stroke_style != StrokeStyle::Solid,
        preserve_vertices: corners == Corners::Preserved || style.roughness < 2.0,
        ..rough::Options::default()
    }
}

fn filled_options(style: &Style, w: f64, h: f64, corners: Corners) -> rough::Options {
    rough::Options {
        fill: (!style.background.is_transparent()).then_some(style.fill_style),
        ..rough_options(style, w, h, corners)
    }
}

fn piece(drawable: Drawable, style: &Style) -> Piece {
    let widened = if style.stroke_style == StrokeStyle::Solid {
        0.0
    } else {
        0.5
    };
    Piece {
        drawable,
        stroke: style.stroke,
        stroke_width: style.stroke_width + widened,
        dash: style.dash(),
        fill: style.background,
        fill_weight: style.stroke_width / 2.0,
    }
}

fn rectangle(w: f64, h: f64, style: &Style) -> Piece {
    if style.roundness.is_none() {
        let options = filled_options(style, w, h, Corners::Free);
        return piece(rough::rectangle(0.0, 0.0, w, h, &options), style);
    }
    let r = style.corner_radius(w.min(h));
    let options = filled_options(style, w, h, Corners::Preserved);
    piece(rough::path(&rounded_rectangle(w, h, r), &options), style)
}

/// A rectangle with quarter curves for corners, from the top left corner on.
pub(crate) fn rounded_rectangle(w: f64, h: f64, r: f64) -> Vec<Segment> {
    let p = Point::new;
    vec![
        Segment::Move(p(r, 0.0)),
        Segment::Line(p(w - r, 0.0)),
        Segment::Quadratic(p(w, 0.0), p(w, r)),
        Segment::Line(p(w, h - r)),
        Segment::Quadratic(p(w, h), p(w - r, h)),
        Segment::Line(p(r, h)),
        Segment::Quadratic(p(0.0, h), p(0.0, h - r)),
        Segment::Line(p(0.0, r)),
        Segment::Quadratic(p(0.0, 0.0), p(r, 0.0)),
    ]
}

fn diamond(w: f64, h: f64, style: &Style) -> Piece {
    let (middle_x, middle_y) = ((w / 2.0).floor() + 1.0, (h / 2.0).floor() + 1.0);
    let [top, right, bottom, left] = [
        Point::new(middle_x, 0.0),
        Point::new(w, middle_y),
        Point::new(middle_x, h),
        Point::new(0.0, middle_y),
    ];
    if style.roundness.is_none() {
        let options = filled_options(style, w, h, Corners::Free);
        return piece(rough::polygon(&[top, right, bottom, left], &options), style);
    }
    let x = style.corner_radius((top.x - left.x).abs());
    let y = style.corner_radius((right.y - top.y).abs());
    let start = top.translate(x, y);
    let path = [
        Segment::Move(start),
        Segment::Line(right.translate(-x, -y)),
        Segment::Cubic(right, right, right.translate(-x, y)),
        Segment::Line(bottom.translate(x, -y)),
        Segment::Cubic(bottom, bottom, bottom.translate(-x, -y)),
        Segment::Line(left.translate(x, y)),
        Segment::Cubic(left, left, left.translate(x, -y)),
        Segment::Line(top.translate(-x, y)),
        Segment::Cubic(top, top, start),
    ];
    let options = filled_options(style, w, h, Corners::Preserved);
    piece(rough::path(&path, &options), style)
}

pub(crate) fn is_loop(points: &[Point]) -> bool {
    match points {
        [first, _, .., last] if points.len() >= 3 => first.distance(*last) <= LOOP_DISTANCE,
        _ => false,
    }
}

/// A line or an arrow, in its own coordinates: (0, 0) is its x, y.
pub(crate) fn linear(look: &Look, style: &Style, options: &Options) -> Vec<Piece> {
    let points = drawn_points(&look.points);
    let mut rough = linear_options(look, style, Corners::Free);
    let is_line = style.kind == ElementKind::Line;
    if is_filled_loop(style, &points) {
        rough.fill = Some(style.fill_style);
    }
    let Some(shape) = stroke(look, style, &points, &rough) else {
        return Vec::new();
    };
    let mut pieces = vec![piece(shape, style)];
    if !is_line {
        let shaft = &pieces[0].drawable;
        let heads = arrowhead::pieces(&look.heads, &points, shaft, style, &rough, options);
        pieces.extend(heads);
    }
    pieces
}

/// The stroke of a line or arrow without fill and heads, in the element's own coordinates: what it is measured by.
pub(crate) fn shaft(element: &Element) -> Vec<Cubic> {
    let look = Look::at(element);
    let style = &look.style;
    let points = linear_points(&look);
    let rough = linear_options(&look, style, Corners::Free);
    let drawable = if is_filled_loop(style, &points) && style.roundness.is_none() {
        Some(rough::polygon(&points, &rough))
    } else {
        stroke(&look, style, &points, &rough)
    };
    let mut cubics = Vec::new();
    let mut from = Point::default();
    for op in drawable.as_ref().map_or(&[][..], Drawable::outline) {
        match *op {
            Segment::Move(to) | Segment::Line(to) => from = to,
            Segment::Cubic(one, two, to) => {
                cubics.push([from, one, two, to]);
                from = to;
            }
            Segment::Quadratic(..) | Segment::Close => {}
        }
    }
    cubics
}

/// The lines of an arrow's heads, in the element's own coordinates.
pub(crate) fn heads(element: &Element) -> Vec<Vec<Point>> {
    let options = Options::default();
    let look = Look::at(element);
    let style = &look.style;
    let points = linear_points(&look);
    let rough = linear_options(&look, style, Corners::Free);
    let Some(shape) = stroke(&look, style, &points, &rough) else {
        return Vec::new();
    };
    let pieces = arrowhead::pieces(&look.heads, &points, &shape, style, &rough, &options);
    let line = |piece: &Piece| {
        let ops = piece.drawable.outline().iter();
        ops.filter_map(Segment::end).collect()
    };
    pieces.iter().map(line).collect()
}

fn linear_points(look: &Look) -> Vec<Point> {
    let mut points = drawn_points(&look.points).into_owned();
    if points.is_empty() {
        points.push(Point::default());
    }
    points
}

fn linear_options(look: &Look, style: &Style, corners: Corners) -> rough::Options {
    // What a file says of the size can be wrong.
    let reach = Rect::from_points(look.points.iter().copied()).unwrap_or_default();
    rough_options(style, reach.w, reach.h, corners)
}

fn is_filled_loop(style: &Style, points: &[Point]) -> bool {
    style.kind == ElementKind::Line && is_loop(points) && style.has_background
}

/// None for an elbow arrow that reaches too far to be drawn.
fn stroke(
    look: &Look,
    style: &Style,
    points: &[Point],
    rough: &rough::Options,
) -> Option<Drawable> {
    if style.kind == ElementKind::Arrow && look.is_elbowed {
        let far = |point: &Point| point.x.abs() > ELBOW_LIMIT || point.y.abs() > ELBOW_LIMIT;
        if points.iter().any(far) {
            return None;
        }
        let kept = linear_options(look, style, Corners::Preserved);
        return Some(rough::path(&elbow(points), &kept));
    }
    Some(if style.roundness.is_some() {
        rough::curve(points, rough)
    } else if rough.fill.is_some() {
        rough::polygon(points, rough)
    } else {
        rough::linear_path(points, rough)
    })
}

/// An elbow arrow's way, its corners rounded.
fn elbow(points: &[Point]) -> Vec<Segment> {
    let mut path: Vec<Segment> = points
        .first()
        .map(|first| Segment::Move(*first))
        .into_iter()
        .collect();
    for three in points.windows(3) {
        let [before, corner, after] = [three[0], three[1], three[2]];
        let reach = ELBOW_RADIUS
            .min(corner.distance(after) / 2.0)
            .min(corner.distance(before) / 2.0);
        // From the corner toward a neighbour that lies across or up and down from it.
        let toward = |other: Point, horizontal: bool| {
            if horizontal {
                corner.translate(if other.x < corner.x { -reach } else { reach }, 0.0)
            } else {
                corner.translate(0.0, if other.y < corner.y { -reach } else { reach })
            }
        };
        path.push(Segment::Line(toward(before, is_horizontal(before, corner))));
        path.push(Segment::Quadratic(
            corner,
            toward(after, is_horizontal(corner, after)),
        ));
    }
    path.extend(points.last().map(|last| Segment::Line(*last)));
    path
}

fn is_horizontal(from: Point, to: Point) -> bool {
    let (dx, dy) = (to.x - from.x, to.y - from.y);
    dx > dy.abs() || dx <= -dy.abs()
}

/// The filled area of a freehand loop; none for an open stroke.
pub(crate) fn freedraw_area((w, h): (f64, f64), points: &[Point], style: &Style) -> Option<Piece> {
    if !is_loop(points) {
        return None;
    }
    let simple = rough::simplify(points, LOOP_TOLERANCE);
    let options = rough::Options {
        outline: false,
        fill: style.has_background.then_some(style.fill_style),
        ..rough_options(style, w.abs(), h.abs(), Corners::Free)
    };
    Some(piece(rough::curve(&simple, &options), style))
}

/// The same style with a solid grey area: how an embedded page is shown that cannot be.
pub(crate) fn embed_style(style: &Style, options: &Options) -> Style {
    let mut shown = style.clone();
    if style.background.is_transparent() && style.stroke.is_transparent() {
        shown.roughness = 0.0;
        shown.background = options.theme.apply(Rgba::parse("#d3d3d3"));
        shown.fill_style = FillStyle::Solid;
    } else if style.kind == ElementKind::Iframe {
        if style.stroke.is_transparent() {
            shown.stroke = options.theme.apply(Rgba::BLACK);
        }
        if style.background.is_transparent() {
            shown.background = options.theme.apply(Rgba::parse("#f4f4f6"));
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::super::freehand;
    use super::super::rough::{OpSet, SetKind};
    use super::*;

    /// A set as the fixture writes it.
    fn written(set: &OpSet) -> (&'static str, Vec<(&'static str, Vec<f64>)>) {
        let kind = match set.kind {
            SetKind::Outline => "path",
            SetKind::Area => "fillPath",
            SetKind::Sketch => "fillSketch",
        };
        let op = |op: &Segment| match *op {
            Segment::Move(to) => ("M", vec![to.x, to.y]),
            Segment::Line(to) => ("L", vec![to.x, to.y]),
            Segment::Cubic(one, two, to) => ("C", vec![one.x, one.y, two.x, two.y, to.x, to.y]),
            Segment::Quadratic(..) | Segment::Close => unreachable!("strokes have none"),
        };
        (kind, set.ops.iter().map(op).collect())
    }

    fn is_near(ours: &[f64], theirs: &[Value]) -> bool {
        let pairs = ours.iter().zip(theirs);
        ours.len() == theirs.len()
            && pairs
                .into_iter()
                .all(|(ours, theirs)| (ours - theirs.as_f64().unwrap()).abs() < 1e-6)
    }

    fn is_same(ours: &OpSet, theirs: &Value) -> bool {
        let (kind, ops) = written(ours);
        let their_ops = theirs["ops"].as_array().unwrap();
        let same = |((name, numbers), theirs): (&(&str, Vec<f64>), &Value)| {
            *name == theirs[0] && is_near(numbers, &theirs.as_array().unwrap()[1..])
        };
        kind == theirs["type"]
            && ops.len() == their_ops.len()
            && ops.iter().zip(their_ops).all(same)
    }

    /// `web/tests/compare/strokes.mjs` recorded what the editor draws.
    #[test]
    fn every_kind_of_element_has_the_editors_numbers() {
        let cases = include_str!("../../tests/it/fixtures/strokes.json");
        let cases: Vec<Value> = serde_json::from_str(cases).unwrap();
        assert!(cases.len() > 80);
        for (at, case) in cases.iter().enumerate() {
            let mut props = case["element"].as_object().unwrap().clone();
            props.remove("id");
            let element = Element::new("one", props.into_iter().collect());
            let options = Options::default();
            let look = Look::at(&element);
            let mut style = look.style.clone();
            if matches!(style.kind, ElementKind::Iframe | ElementKind::Embeddable) {
                style = embed_style(&style, &options);
            }
            let (points, rect) = (element.points(), element.rect());
            let mut ours = match style.kind {
                ElementKind::Line | ElementKind::Arrow => linear(&look, &style, &options),
                _ => closed(rect.w, rect.h, &style).into_iter().collect(),
            };
            if style.kind == ElementKind::Freedraw {
                ours.extend(freedraw_area((rect.w, rect.h), &points, &style));
                let corners = freehand::corners(&look.freehand, &points, style.stroke_width);
                let theirs = case["outline"].as_array().unwrap();
                assert_eq!(
                    corners.len(),
                    theirs.len(),
                    "case {at}: the stroke's outline"
                );
                for (ours, theirs) in corners.iter().zip(theirs) {
                    let theirs = theirs.as_array().unwrap();
                    assert!(
                        is_near(&[ours.x, ours.y], &theirs[..2]),
                        "case {at}: {ours:?} {theirs:?}"
                    );
                }
            }
            let context = format!("case {at}: {}", case["element"]);
            let theirs: Vec<&Value> = case["shapes"]
                .as_array()
                .unwrap()
                .iter()
                .flat_map(|sets| sets.as_array().unwrap())
                .collect();
            let ours: Vec<&OpSet> = ours.iter().flat_map(|piece| &piece.drawable.sets).collect();
            assert_eq!(ours.len(), theirs.len(), "{context}");
            for (ours, theirs) in ours.iter().zip(&theirs) {
                assert!(
                    is_same(ours, theirs),
                    "{context}\n{:?}\n{theirs}",
                    written(ours)
                );
            }
        }
    }
}
