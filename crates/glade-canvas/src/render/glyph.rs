//! Glyphs as paths.

use rustybuzz::ttf_parser::OutlineBuilder;

use super::rough::Segment;
use crate::font::Glyph;
use crate::geometry::Point;

/// A glyph's outline in em, y down.
pub(super) fn outline(glyph: &Glyph) -> Option<Vec<Segment>> {
    let mut outline = Outline(Vec::new());
    let units = glyph.outline(&mut outline)?;
    let em = |point: Point| Point::new(point.x / units, -point.y / units);
    let mut path = outline.0;
    for segment in &mut path {
        *segment = match *segment {
            Segment::Move(to) => Segment::Move(em(to)),
            Segment::Line(to) => Segment::Line(em(to)),
            Segment::Quadratic(one, to) => Segment::Quadratic(em(one), em(to)),
            Segment::Cubic(one, two, to) => Segment::Cubic(em(one), em(two), em(to)),
            Segment::Close => Segment::Close,
        };
    }
    (!path.is_empty()).then_some(path)
}

struct Outline(Vec<Segment>);

impl OutlineBuilder for Outline {
    fn move_to(&mut self, x: f32, y: f32) {
        self.0.push(Segment::Move(point(x, y)));
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.0.push(Segment::Line(point(x, y)));
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        self.0.push(Segment::Quadratic(point(x1, y1), point(x, y)));
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        self.0
            .push(Segment::Cubic(point(x1, y1), point(x2, y2), point(x, y)));
    }

    fn close(&mut self) {
        self.0.push(Segment::Close);
    }
}

fn point(x: f32, y: f32) -> Point {
    Point::new(f64::from(x), f64::from(y))
}
