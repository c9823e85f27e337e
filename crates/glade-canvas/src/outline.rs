//! The outline of an element, a gap away from its stroke: where bound arrows end.

use crate::bounds::{bounds, local_rect, page_points};
use crate::curve;
use crate::element::{Element, ElementKind};
use crate::geo::{GeoKind, polygon_kind};
use crate::geometry::{Point, Rect};

/// How finely a rounded corner is followed.
const CORNER_STEPS: usize = 50;

/// A closed outline on the page, rotation applied.
#[derive(Clone, Debug, PartialEq)]
pub enum Outline {
    Ellipse {
        center: Point,
        rx: f64,
        ry: f64,
        angle: f64,
    },
    Polygon(Vec<Point>),
}

/// The element's outline, `offset` outside its edge.
pub fn outline(element: &Element, offset: f64) -> Outline {
    let rect = local_rect(element);
    let (center, angle) = (rect.center(), element.angle());
    let corners = match element.kind() {
        ElementKind::Ellipse => {
            return Outline::Ellipse {
                center,
                rx: rect.w / 2.0 + offset,
                ry: rect.h / 2.0 + offset,
                angle,
            };
        }
        ElementKind::Diamond => diamond_corners(element, &rect),
        ElementKind::Line if polygon_kind(element).is_some() => {
            let ring = match polygon_kind(element) {
                // Their marks are inside.
                Some(GeoKind::XBox | GeoKind::CheckBox) => rect
                    .corners()
                    .map(|corner| corner.rotate(center, angle))
                    .to_vec(),
                _ => page_points(element),
            };
            return Outline::Polygon(offset_polygon(&ring, offset));
        }
        kind if kind.is_linear() => {
            // Nothing binds to a path; its upright box is what other arrows keep away from.
            let corners = bounds(element).expand(offset).corners();
            return Outline::Polygon(corners.to_vec());
        }
        _ => rect_corners(element, &rect),
    };
    let points = corners
        .iter()
        .flat_map(|corner| offset_corner(corner, offset));
    Outline::Polygon(points.map(|point| point.rotate(center, angle)).collect())
}

/// The middles of the element's sides, or the tips of a diamond: right, bottom, left, top.
pub(crate) fn side_middles(element: &Element) -> [Point; 4] {
    let rect = local_rect(element);
    let middle = rect.center();
    let sides = match element.kind() {
        ElementKind::Diamond => {
            let [top, right, bottom, left] = diamond_corners(element, &rect);
            [right, bottom, left, top].map(|corner| curve::at(corner, 0.5))
        }
        _ => [
            Point::new(rect.right(), middle.y),
            Point::new(middle.x, rect.bottom()),
            Point::new(rect.x, middle.y),
            Point::new(middle.x, rect.y),
        ],
    };
    sides.map(|side| side.rotate(middle, element.angle()))
}

impl Outline {
    /// Where the segment crosses the outline.
    pub fn crossings(&self, from: Point, to: Point) -> Vec<Point> {
        match self {
            Outline::Ellipse {
                center,
                rx,
                ry,
                angle,
            } => ellipse_crossings(*center, *rx, *ry, *angle, from, to),
            Outline::Polygon(points) => edges(points)
                .filter_map(|(start, end)| segments_cross(from, to, start, end))
                .collect(),
        }
    }

    pub fn contains(&self, point: Point) -> bool {
        match self {
            Outline::Ellipse {
                center,
                rx,
                ry,
                angle,
            } => {
                let local = point.rotate(*center, -angle);
                *rx > 0.0
                    && *ry > 0.0
                    && ((local.x - center.x) / rx).powi(2) + ((local.y - center.y) / ry).powi(2)
                        <= 1.0
            }
            Outline::Polygon(points) => {
                let crosses_ray = |(a, b): &(Point, Point)| {
                    (a.y > point.y) != (b.y > point.y)
                        && point.x < (b.x - a.x) * (point.y - a.y) / (b.y - a.y) + a.x
                };
                edges(points).filter(crosses_ray).count() % 2 == 1
            }
        }
    }
}

type Corner = [Point; 4];

/// Each corner as a cubic curve, clockwise from the top left; what joins them is straight.
fn rect_corners(element: &Element, rect: &Rect) -> [Corner; 4] {
    let radius = match element.kind() {
        ElementKind::StickyNote if roundness_type(element).is_some() => {
            (rect.w.min(rect.h) * 0.04).min(16.0)
        }
        ElementKind::StickyNote => 0.0,
        _ => corner_radius(element, rect.w.min(rect.h)),
    };
    let radius = if radius == 0.0 { 0.01 } else { radius };
    let [top_left, top_right, bottom_right, bottom_left] = rect.corners();
    let curve = |from: (f64, f64), corner: Point, to: (f64, f64)| {
        let (start, end) = (
            corner.translate(from.0, from.1),
            corner.translate(to.0, to.1),
        );
        [
            start,
            toward(start, corner, 2.0 / 3.0),
            toward(end, corner, 2.0 / 3.0),
            end,
        ]
    };
    [
        curve((0.0, radius), top_left, (radius, 0.0)),
        curve((-radius, 0.0), top_right, (0.0, radius)),
        curve((0.0, -radius), bottom_right, (-radius, 0.0)),
        curve((radius, 0.0), bottom_left, (0.0, -radius)),
    ]
}

fn diamond_corners(element: &Element, rect: &Rect) -> [Corner; 4] {
    // The editor's diamond leans on whole pixels.
    let (half_w, half_h) = ((rect.w / 2.0).floor() + 1.0, (rect.h / 2.0).floor() + 1.0);
    let rounded = roundness_type(element).is_some();
    let radius = |side: f64| {
        if rounded {
            corner_radius(element, side)
        } else {
            side * 0.01
        }
    };
    let (dx, dy) = (radius(half_w), radius(half_h));
    let curve = |corner: Point, from: (f64, f64), to: (f64, f64)| {
        [
            corner.translate(from.0, from.1),
            corner,
            corner,
            corner.translate(to.0, to.1),
        ]
    };
    let top = Point::new(rect.x + half_w, rect.y);
    let right = Point::new(rect.right(), rect.y + half_h);
    let bottom = Point::new(rect.x + half_w, rect.bottom());
    let left = Point::new(rect.x, rect.y + half_h);
    [
        curve(top, (-dx, dy), (dx, dy)),
        curve(right, (-dx, -dy), (-dx, dy)),
        curve(bottom, (dx, -dy), (-dx, -dy)),
        curve(left, (dx, dy), (dx, -dy)),
    ]
}

/// The polygon with every edge `offset` further out. At a corner that points inwards the edges meet, at one that
/// points outwards they are joined by a mitre, cut off where it would be long.
fn offset_polygon(points: &[Point], offset: f64) -> Vec<Point> {
    let mut ring: Vec<Point> = Vec::with_capacity(points.len());
    for point in points {
        if ring.last().is_none_or(|last| last.distance(*point) > 1e-9) {
            ring.push(*point);
        }
    }
    if ring.len() > 1 && ring[0].distance(ring[ring.len() - 1]) <= 1e-9 {
        ring.pop();
    }
    if ring.len() < 3 || offset == 0.0 {
        return ring;
    }
    let area: f64 = edges(&ring).map(|(a, b)| a.x * b.y - b.x * a.y).sum();
    let outward = if area < 0.0 { -offset } else { offset };
    let normal = |from: Point, to: Point| {
        let length = from.distance(to);
        ((to.y - from.y) / length, (from.x - to.x) / length)
    };
    let count = ring.len();
    let mut grown = Vec::with_capacity(count * 2);
    for at in 0..count {
        let (before, corner, after) = (
            ring[(at + count - 1) % count],
            ring[at],
            ring[(at + 1) % count],
        );
        let (a, b) = (normal(before, corner), normal(corner, after));
        let cosine = a.0 * b.0 + a.1 * b.1;
        if cosine > -0.5 {
            let share = outward / (1.0 + cosine);
            grown.push(corner.translate((a.0 + b.0) * share, (a.1 + b.1) * share));
        } else {
            grown.push(corner.translate(a.0 * outward, a.1 * outward));
            grown.push(corner.translate(b.0 * outward, b.1 * outward));
        }
    }
    grown
}

fn roundness_type(element: &Element) -> Option<i64> {
    element.props.get("roundness")?.get("type")?.as_i64()
}

fn corner_radius(element: &Element, side: f64) -> f64 {
    match roundness_type(element) {
        Some(1 | 2) => side * 0.25,
        Some(3) => {
            let value = element
                .props
                .get("roundness")
                .and_then(|roundness| roundness.get("value")?.as_f64());
            let fixed = value
                .filter(|radius| radius.is_finite() && *radius >= 0.0)
                .unwrap_or(32.0);
            if side <= fixed / 0.25 {
                side * 0.25
            } else {
                fixed
            }
        }
        _ => 0.0,
    }
}

fn toward(from: Point, to: Point, share: f64) -> Point {
    Point::new(
        from.x + (to.x - from.x) * share,
        from.y + (to.y - from.y) * share,
    )
}

/// Points along the corner's curve, each pushed outwards along the normal.
fn offset_corner(corner: &Corner, offset: f64) -> Vec<Point> {
    let [p0, p1, p2, p3] = *corner;
    let mut points = Vec::with_capacity(CORNER_STEPS + 1);
    for step in 0..=CORNER_STEPS {
        let t = step as f64 / CORNER_STEPS as f64;
        let u = 1.0 - t;
        let blend = |a: f64, b: f64, c: f64, d: f64| {
            u * u * u * a + 3.0 * u * u * t * b + 3.0 * u * t * t * c + t * t * t * d
        };
        let slope = |a: f64, b: f64, c: f64, d: f64| {
            3.0 * (u * u * (b - a) + 2.0 * u * t * (c - b) + t * t * (d - c))
        };
        let point = Point::new(blend(p0.x, p1.x, p2.x, p3.x), blend(p0.y, p1.y, p2.y, p3.y));
        let (dx, dy) = (slope(p0.x, p1.x, p2.x, p3.x), slope(p0.y, p1.y, p2.y, p3.y));
        let length = dx.hypot(dy);
        if length > 0.0 {
            points.push(point.translate(dy / length * offset, -dx / length * offset));
        } else {
            points.push(point);
        }
    }
    points
}

fn edges(points: &[Point]) -> impl Iterator<Item = (Point, Point)> {
    points
        .iter()
        .copied()
        .zip(points.iter().copied().cycle().skip(1))
}

pub(crate) fn segments_cross(a: Point, b: Point, c: Point, d: Point) -> Option<Point> {
    let (rx, ry) = (b.x - a.x, b.y - a.y);
    let (sx, sy) = (d.x - c.x, d.y - c.y);
    let cross = rx * sy - ry * sx;
    if cross == 0.0 {
        return None;
    }
    let (qx, qy) = (c.x - a.x, c.y - a.y);
    let along = (qx * sy - qy * sx) / cross;
    let across = (qx * ry - qy * rx) / cross;
    let within = (0.0..=1.0).contains(&along) && (0.0..=1.0).contains(&across);
    within.then(|| Point::new(a.x + rx * along, a.y + ry * along))
}

fn ellipse_crossings(
    center: Point,
    rx: f64,
    ry: f64,
    angle: f64,
    from: Point,
    to: Point,
) -> Vec<Point> {
    if rx <= 0.0 || ry <= 0.0 {
        return Vec::new();
    }
    let (a, b) = (from.rotate(center, -angle), to.rotate(center, -angle));
    let (dx, dy) = ((b.x - a.x) / rx, (b.y - a.y) / ry);
    let (ox, oy) = ((a.x - center.x) / rx, (a.y - center.y) / ry);
    let (qa, qb, qc) = (
        dx * dx + dy * dy,
        2.0 * (dx * ox + dy * oy),
        ox * ox + oy * oy - 1.0,
    );
    let discriminant = qb * qb - 4.0 * qa * qc;
    if qa == 0.0 || discriminant < 0.0 {
        return Vec::new();
    }
    let root = discriminant.sqrt();
    let at =
        |t: f64| Point::new(a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t).rotate(center, angle);
    let hits = [(-qb - root) / (2.0 * qa), (-qb + root) / (2.0 * qa)];
    hits.into_iter()
        .filter(|t| (0.0..=1.0).contains(t))
        .map(at)
        .collect()
}
