//! How glyphs show: most as paths.

use rustybuzz::ttf_parser::OutlineBuilder;

use super::rough::Segment;
use crate::font::{Colored, Glyph};
use crate::geometry::Point;

/// Something that is known of glyphs: those of one font file are numbered without gaps, and a page has few files.
pub(super) struct Glyphs<T> {
    /// By where the file lies in memory.
    files: Vec<(usize, Vec<Option<T>>)>,
}

impl<T> Default for Glyphs<T> {
    fn default() -> Self {
        Self { files: Vec::new() }
    }
}

impl<T> Glyphs<T> {
    pub fn get(&self, glyph: &Glyph) -> Option<&T> {
        let (file, id) = glyph.key();
        let (_, known) = self.files.iter().find(|(of, _)| *of == file)?;
        known.get(usize::from(id))?.as_ref()
    }

    /// Has it found out if it is not known yet.
    pub fn know(&mut self, glyph: &Glyph, find: impl FnOnce() -> T) {
        if self.get(glyph).is_some() {
            return;
        }
        let (file, id) = glyph.key();
        let at = self.files.iter().position(|(of, _)| *of == file);
        let at = at.unwrap_or_else(|| {
            self.files.push((file, Vec::new()));
            self.files.len() - 1
        });
        let (_, known) = &mut self.files[at];
        let id = usize::from(id);
        if known.len() <= id {
            known.resize_with(id + 1, || None);
        }
        known[id] = Some(find());
    }
}

/// How a glyph shows.
pub(super) enum Drawing {
    /// Not at all, as a space.
    Blank,
    /// In the text's colour: an outline in em, y down.
    Outline(Vec<Segment>),
    /// In colours of its own.
    Colored(Colored<'static>),
}

impl Drawing {
    pub fn of(glyph: &Glyph) -> Self {
        match glyph.colored() {
            Some(colored) => Self::Colored(colored),
            None => outline(glyph).map_or(Self::Blank, Self::Outline),
        }
    }
}

/// A glyph's outline in em, y down.
fn outline(glyph: &Glyph) -> Option<Vec<Segment>> {
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
