//! The display list: what there is to draw, bottom first, for the writers of SVG and pixels alike.
//!
//! A list knows nothing of elements any more: paths with colours, runs of glyphs and images, each with its place,
//! its opacity and the clip it lies under. Whatever decides how a page looks is decided before it.

use crate::font::Glyph;
use crate::geometry::{Point, Rect};

use super::color::Rgba;
use super::rough::Segment;

/// x' = a x + c y + e, y' = b x + d y + f.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Transform {
    pub a: f64,
    pub b: f64,
    pub c: f64,
    pub d: f64,
    pub e: f64,
    pub f: f64,
}

impl Transform {
    pub const IDENTITY: Transform = Transform {
        a: 1.0,
        b: 0.0,
        c: 0.0,
        d: 1.0,
        e: 0.0,
        f: 0.0,
    };

    /// Moves (0, 0) to `origin`, then turns everything about `center`.
    pub fn placed(origin: Point, center: Point, angle: f64) -> Self {
        let (sin, cos) = if angle == 0.0 {
            (0.0, 1.0)
        } else {
            angle.sin_cos()
        };
        let (dx, dy) = (origin.x - center.x, origin.y - center.y);
        Self {
            a: cos,
            b: sin,
            c: -sin,
            d: cos,
            e: center.x + dx * cos - dy * sin,
            f: center.y + dx * sin + dy * cos,
        }
    }

    pub fn is_identity(&self) -> bool {
        *self == Self::IDENTITY
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rule {
    NonZero,
    EvenOdd,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ends {
    Round,
    /// Cut off, with pointed corners.
    Plain,
}

pub(crate) struct PlacedGlyph {
    pub glyph: Glyph,
    /// The origin on the baseline.
    pub at: Point,
    pub size: f64,
    pub stretch: f64,
}

pub(crate) enum Ink {
    Fill {
        path: Vec<Segment>,
        rule: Rule,
        color: Rgba,
    },
    Stroke {
        path: Vec<Segment>,
        color: Rgba,
        width: f64,
        dash: Option<[f64; 2]>,
        ends: Ends,
    },
    Text {
        glyphs: Vec<PlacedGlyph>,
        color: Rgba,
        /// What is written, for readers that do not look.
        words: String,
    },
    Image {
        /// Which of the files.
        file: String,
        rect: Rect,
        /// The part of the image that is shown, in its own pixels.
        crop: Option<Rect>,
        /// Whether the dark theme turns its colours.
        filtered: bool,
    },
}

/// Where an ink goes, and how much of it shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Spot {
    pub transform: Transform,
    pub opacity: f64,
    /// An index into the list's clips.
    pub clip: Option<usize>,
}

pub(crate) struct Item {
    pub spot: Spot,
    pub ink: Ink,
}

/// An area outside of which nothing shows, on the page.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ClipPath {
    pub path: Vec<Segment>,
    pub rule: Rule,
    pub transform: Transform,
}

#[derive(Default)]
pub(crate) struct List {
    /// What is shown: this part of the page.
    pub view: Rect,
    pub background: Option<Rgba>,
    pub items: Vec<Item>,
    /// Each a set of areas that all must hold.
    pub clips: Vec<Vec<ClipPath>>,
}

pub(crate) fn rect_path(rect: Rect) -> Vec<Segment> {
    let [first, rest @ ..] = rect.corners();
    let mut path = vec![Segment::Move(first)];
    path.extend(rest.map(Segment::Line));
    path.push(Segment::Close);
    path
}

/// A rectangle with quarter circles for corners.
pub(crate) fn round_rect_path(rect: Rect, radius: f64) -> Vec<Segment> {
    let r = radius.clamp(0.0, rect.w.min(rect.h) / 2.0);
    // How far a cubic's controls lie from its ends to come nearest to a quarter circle.
    let k = r * (1.0 - 0.552_284_749_830_793_6);
    let (x, y, right, bottom) = (rect.x, rect.y, rect.right(), rect.bottom());
    let p = Point::new;
    vec![
        Segment::Move(p(x + r, y)),
        Segment::Line(p(right - r, y)),
        Segment::Cubic(p(right - k, y), p(right, y + k), p(right, y + r)),
        Segment::Line(p(right, bottom - r)),
        Segment::Cubic(
            p(right, bottom - k),
            p(right - k, bottom),
            p(right - r, bottom),
        ),
        Segment::Line(p(x + r, bottom)),
        Segment::Cubic(p(x + k, bottom), p(x, bottom - k), p(x, bottom - r)),
        Segment::Line(p(x, y + r)),
        Segment::Cubic(p(x, y + k), p(x + k, y), p(x + r, y)),
        Segment::Close,
    ]
}
