//! Arrowheads: every kind the editor knows, measured on the stroke that was drawn.

use super::Options;
use super::color::Rgba;
use super::look::Heads;
use super::rough::{self, Drawable, FillStyle, Segment};
use super::shape::Piece;
use super::style::{StrokeStyle, Style};
use crate::geometry::Point;

#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Start,
    Tip,
}

/// Where a head sits and how large it is.
struct HeadPlacement {
    tip: Point,
    /// Where a head's sides start, before they are turned.
    base: Point,
    size: f64,
}

pub(super) fn pieces(
    heads: &Heads,
    points: &[Point],
    shaft: &Drawable,
    style: &Style,
    rough: &rough::Options,
    options: &Options,
) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let maker = Maker {
        points,
        shaft: shaft.outline(),
        style,
        rough: rough::Options {
            fill: None,
            ..rough.clone()
        },
        paper: options.theme.apply(options.paper()),
    };
    if let Some(head) = &heads.start {
        pieces.extend(maker.head(End::Start, head));
    }
    if let Some(head) = &heads.end {
        pieces.extend(maker.head(End::Tip, head));
    }
    pieces
}

struct Maker<'a> {
    points: &'a [Point],
    shaft: &'a [Segment],
    style: &'a Style,
    rough: rough::Options,
    /// What an outlined head is filled with.
    paper: Rgba,
}

impl Maker<'_> {
    fn head(&self, end: End, name: &str) -> Vec<Piece> {
        let stroke = self.style.stroke;
        match name {
            "circle" | "dot" => self.circle(end, 15.0, 0.0, 1.0, stroke),
            "circle_outline" => self.circle(end, 15.0, 0.0, 1.0, self.paper),
            "triangle" => self.triangle(end, stroke),
            "triangle_outline" => self.triangle(end, self.paper),
            "diamond" => self.diamond(end, stroke),
            "diamond_outline" => self.diamond(end, self.paper),
            "cardinality_one" | "crowfoot_one" => self.bar(end, 0.0),
            "cardinality_many" | "crowfoot_many" => self.crowfoot(end),
            "cardinality_one_or_many" | "crowfoot_one_or_many" => {
                let mut pieces = self.crowfoot(end);
                pieces.extend(self.bar(end, -0.25));
                pieces
            }
            "cardinality_exactly_one" => {
                let mut pieces = self.bar(end, -0.5);
                pieces.extend(self.bar(end, 0.0));
                pieces
            }
            "cardinality_zero_or_one" => {
                let mut pieces = self.circle(end, 15.0, 1.5, 0.8, self.paper);
                pieces.extend(self.bar(end, -0.5));
                pieces
            }
            "cardinality_zero_or_many" => {
                let mut pieces = self.crowfoot(end);
                pieces.extend(self.circle(end, 15.0, 1.5, 0.8, self.paper));
                pieces
            }
            "bar" => self.sides(end, 15.0, 90.0),
            "arrow" => self.sides(end, 25.0, 20.0),
            _ => self.sides(end, 15.0, 25.0),
        }
    }

    /// Looks back along the stroke's last curve; `offset` moves the head off the tip in shares of its size.
    fn placement(&self, end: End, size: f64, share: f64, offset: f64) -> Option<HeadPlacement> {
        let at = match end {
            End::Start => 1,
            End::Tip => self.shaft.len().checked_sub(1)?,
        };
        let Segment::Cubic(p1, p2, p3) = *self.shaft.get(at)? else {
            return None;
        };
        let p0 = match self.shaft.get(at.checked_sub(1)?)? {
            Segment::Move(to) | Segment::Cubic(_, _, to) => *to,
            _ => Point::default(),
        };
        let tip = match end {
            End::Start => p0,
            End::Tip => p3,
        };
        let t: f64 = 0.3;
        let on_curve = |p0: f64, p1: f64, p2: f64, p3: f64| {
            (1.0 - t).powi(3) * p3
                + 3.0 * t * (1.0 - t).powi(2) * p2
                + 3.0 * t.powi(2) * (1.0 - t) * p1
                + p0 * t.powi(3)
        };
        let behind = Point::new(
            on_curve(p0.x, p1.x, p2.x, p3.x),
            on_curve(p0.y, p1.y, p2.y, p3.y),
        );
        let distance = tip.distance(behind);
        if distance == 0.0 {
            return None;
        }
        let (nx, ny) = ((tip.x - behind.x) / distance, (tip.y - behind.y) / distance);
        let (here, next) = self.end_points(end);
        let size = size.min(here.distance(next) * share);
        let tip = Point::new(tip.x - nx * size * offset, tip.y - ny * size * offset);
        Some(HeadPlacement {
            tip,
            base: Point::new(tip.x - nx * size, tip.y - ny * size),
            size,
        })
    }

    /// The arrow's end and the point before it.
    fn end_points(&self, end: End) -> (Point, Point) {
        let (mut ahead, mut back) = (self.points.iter(), self.points.iter().rev());
        let (here, next) = match end {
            End::Start => (ahead.next(), ahead.next()),
            End::Tip => (back.next(), back.next()),
        };
        (
            here.copied().unwrap_or_default(),
            next.copied().unwrap_or_default(),
        )
    }

    fn sides(&self, end: End, size: f64, degrees: f64) -> Vec<Piece> {
        let Some(placement) = self.placement(end, size, 0.5, 0.0) else {
            return Vec::new();
        };
        let [left, right] = turned(placement.base, placement.tip, degrees);
        vec![
            self.line(left, placement.tip),
            self.line(right, placement.tip),
        ]
    }

    fn bar(&self, end: End, offset: f64) -> Vec<Piece> {
        let Some(placement) = self.placement(end, 20.0, 0.5, offset) else {
            return Vec::new();
        };
        let [left, right] = turned(placement.base, placement.tip, 25.0);
        vec![self.line(left, right)]
    }

    fn crowfoot(&self, end: End) -> Vec<Piece> {
        let Some(placement) = self.placement(end, 15.0, 0.5, 0.0) else {
            return Vec::new();
        };
        let [left, right] = turned(placement.tip, placement.base, 25.0);
        vec![
            self.line(left, placement.base),
            self.line(right, placement.base),
        ]
    }

    fn circle(&self, end: End, size: f64, offset: f64, scale: f64, fill: Rgba) -> Vec<Piece> {
        let Some(placement) = self.placement(end, size, 0.5, offset) else {
            return Vec::new();
        };
        let diameter =
            (placement.tip.distance(placement.base) + self.style.stroke_width - 2.0) * scale;
        let options = self.filled(0.5);
        let drawable = rough::ellipse(
            placement.tip.x,
            placement.tip.y,
            diameter,
            diameter,
            &options,
        );
        vec![self.piece(drawable, None, fill)]
    }

    fn triangle(&self, end: End, fill: Rgba) -> Vec<Piece> {
        let Some(placement) = self.placement(end, 15.0, 0.5, 0.0) else {
            return Vec::new();
        };
        let [left, right] = turned(placement.base, placement.tip, 25.0);
        let drawable = rough::polygon(
            &[placement.tip, left, right, placement.tip],
            &self.filled(1.0),
        );
        vec![self.piece(drawable, None, fill)]
    }

    fn diamond(&self, end: End, fill: Rgba) -> Vec<Piece> {
        let Some(placement) = self.placement(end, 12.0, 0.25, 0.0) else {
            return Vec::new();
        };
        let [left, right] = turned(placement.base, placement.tip, 25.0);
        let (_, next) = self.end_points(end);
        let (tip, reach) = (placement.tip, placement.size * 2.0);
        let far = match end {
            End::Start => tip
                .translate(reach, 0.0)
                .rotate(tip, (next.y - tip.y).atan2(next.x - tip.x)),
            End::Tip => tip
                .translate(-reach, 0.0)
                .rotate(tip, (tip.y - next.y).atan2(tip.x - next.x)),
        };
        let drawable = rough::polygon(&[tip, left, far, right, tip], &self.filled(1.0));
        vec![self.piece(drawable, None, fill)]
    }

    fn filled(&self, roughness: f64) -> rough::Options {
        rough::Options {
            fill: Some(FillStyle::Solid),
            roughness: self.rough.roughness.min(roughness),
            ..self.rough.clone()
        }
    }

    fn line(&self, from: Point, to: Point) -> Piece {
        let options = rough::Options {
            roughness: self.rough.roughness.min(1.0),
            ..self.rough.clone()
        };
        // Dots of a short line stand closer; dashes would not fit at all.
        let dash = (self.style.stroke_style == StrokeStyle::Dotted)
            .then_some([1.5, 6.0 + self.style.stroke_width - 2.0]);
        self.piece(rough::line(from, to, &options), dash, Rgba::BLACK)
    }

    fn piece(&self, drawable: Drawable, dash: Option<[f64; 2]>, fill: Rgba) -> Piece {
        let widened = if self.style.stroke_style == StrokeStyle::Solid {
            0.0
        } else {
            0.5
        };
        Piece {
            drawable,
            stroke: self.style.stroke,
            stroke_width: self.style.stroke_width + widened,
            dash,
            fill,
            fill_weight: self.style.stroke_width / 2.0,
        }
    }
}

/// A point turned about another, both ways.
fn turned(point: Point, about: Point, degrees: f64) -> [Point; 2] {
    let angle = degrees.to_radians();
    [point.rotate(about, -angle), point.rotate(about, angle)]
}
