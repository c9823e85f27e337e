//! The hand-drawn look: what rough.js 4.6.4 generates, number for number.
//!
//! The editor draws every outline and fill through rough.js with the element's own `seed`. For a picture made here
//! to be the picture people see, the same strokes must come out: the same generator of pseudo-random numbers, drawn
//! from in the same order, in the same sums. That is why functions below keep the order of their random draws with
//! care, and why a fixture made by rough.js itself is compared to 1e-6.
//!
//! Everything returns a [`Drawable`]: fills first, the outline last, as lists of pen movements. Colours, widths and
//! dashes are the caller's.
//!
//! Where rough.js would fall back to `Math.random()` (seed 0) a fixed seed stands in: same scene, same bytes. Where
//! it would run without end (a fill of millions of lines) the work is bounded, see [`hachure`].

mod curve;
mod fill;
mod hachure;
mod path;
mod random;
mod stroke;

pub use path::Segment;
pub(crate) use path::simplify;
pub use random::Random;

use crate::geometry::Point;

/// What a list of movements is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetKind {
    /// An outline, stroked.
    Outline,
    /// An area, filled.
    Area,
    /// Lines that make up a fill, stroked in the fill's colour.
    Sketch,
}

#[derive(Clone, Debug, PartialEq)]
pub struct OpSet {
    pub kind: SetKind,
    /// Moves, lines and cubics.
    pub ops: Vec<Segment>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Drawable {
    pub sets: Vec<OpSet>,
    /// Whether overlapping parts of an area cancel out rather than add up.
    pub even_odd: bool,
}

impl Drawable {
    /// The outline, or whatever there is: what arrowheads and bounds are measured on.
    pub fn outline(&self) -> &[Segment] {
        let outline = self.sets.iter().find(|set| set.kind == SetKind::Outline);
        outline
            .or(self.sets.first())
            .map_or(&[], |set| set.ops.as_slice())
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FillStyle {
    Hachure,
    CrossHatch,
    Zigzag,
    Solid,
}

/// What rough.js calls options, as far as the editor sets them.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    pub seed: f64,
    pub roughness: f64,
    pub fill: Option<FillStyle>,
    /// Whether there is an outline at all; it is worked out either way, since it draws random numbers.
    pub outline: bool,
    /// The distance between the lines of a fill.
    pub hachure_gap: f64,
    /// Degrees.
    pub hachure_angle: f64,
    /// How exactly an ellipse keeps its size; 1 is exactly.
    pub curve_fitting: f64,
    /// One stroke instead of two.
    pub single_stroke: bool,
    /// Corners stay where they are.
    pub preserve_vertices: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            seed: 1.0,
            roughness: 1.0,
            fill: None,
            outline: true,
            hachure_gap: 4.0,
            hachure_angle: -41.0,
            curve_fitting: 0.95,
            single_stroke: false,
            preserve_vertices: false,
        }
    }
}

/// How far, at most, a line's ends stray.
pub(crate) const MAX_OFFSET: f64 = 2.0;
pub(crate) const BOWING: f64 = 1.0;
pub(crate) const STEP_COUNT: f64 = 9.0;
/// How much rougher the area of a solid fill is than its outline.
const FILL_ROUGHNESS_GAIN: f64 = 0.8;

/// Options with the random numbers drawn so far: what passes through every function below.
pub(crate) struct Pen<'a> {
    pub options: &'a Options,
    pub random: &'a mut Random,
}

impl Pen<'_> {
    /// A random number between `min` and `max`, by the roughness.
    pub fn between(&mut self, min: f64, max: f64, gain: f64) -> f64 {
        self.options.roughness * gain * (self.random.next() * (max - min) + min)
    }

    /// A random number up to `x` either way.
    pub fn offset(&mut self, x: f64) -> f64 {
        self.between(-x, x, 1.0)
    }

    /// The point, astray by up to `x` either way; across first.
    pub fn stray(&mut self, point: Point, x: f64) -> Point {
        let dx = self.offset(x);
        let dy = self.offset(x);
        Point::new(point.x + dx, point.y + dy)
    }
}

pub fn line(from: Point, to: Point, options: &Options) -> Drawable {
    linear_path(&[from, to], options)
}

/// An open run of straight lines.
pub fn linear_path(points: &[Point], options: &Options) -> Drawable {
    let mut random = Random::new(options.seed);
    let mut pen = Pen {
        options,
        random: &mut random,
    };
    let ops = stroke::linear(points, stroke::Ends::Open, &mut pen);
    Drawable {
        sets: vec![OpSet {
            kind: SetKind::Outline,
            ops,
        }],
        even_odd: false,
    }
}

pub fn rectangle(x: f64, y: f64, width: f64, height: f64, options: &Options) -> Drawable {
    let corners = [
        Point::new(x, y),
        Point::new(x + width, y),
        Point::new(x + width, y + height),
        Point::new(x, y + height),
    ];
    Drawable {
        even_odd: false,
        ..polygon(&corners, options)
    }
}

pub fn polygon(points: &[Point], options: &Options) -> Drawable {
    let mut random = Random::new(options.seed);
    let mut pen = Pen {
        options,
        random: &mut random,
    };
    let outline = stroke::linear(points, stroke::Ends::Closed, &mut pen);
    let fill = options.fill.map(|style| match style {
        FillStyle::Solid => fill::solid_polygons(&[points.to_vec()], &mut pen),
        _ => fill::pattern(vec![points.to_vec()], style, &mut pen),
    });
    drawable(fill, outline, options, true)
}

/// An ellipse around (x, y).
pub fn ellipse(x: f64, y: f64, width: f64, height: f64, options: &Options) -> Drawable {
    let mut random = Random::new(options.seed);
    let mut pen = Pen {
        options,
        random: &mut random,
    };
    let params = curve::ellipse_params(width, height, &mut pen);
    let (outline, estimated) = curve::ellipse(Point::new(x, y), &params, &mut pen);
    let fill = options.fill.map(|style| match style {
        FillStyle::Solid => OpSet {
            kind: SetKind::Area,
            ops: curve::ellipse(Point::new(x, y), &params, &mut pen).0,
        },
        _ => fill::pattern(vec![estimated], style, &mut pen),
    });
    drawable(fill, outline, options, false)
}

/// A part of an ellipse's outline between two angles, closed through the middle or open.
pub fn arc(
    center: Point,
    width: f64,
    height: f64,
    angles: (f64, f64),
    ends: Closing,
    options: &Options,
) -> Drawable {
    let mut random = Random::new(options.seed);
    let mut pen = Pen {
        options,
        random: &mut random,
    };
    let closed = ends == Closing::ThroughCenter;
    let joint = if closed {
        curve::Joint::Rough
    } else {
        curve::Joint::None
    };
    let outline = curve::arc(center, width, height, angles, joint, &mut pen);
    let fill = options.fill.filter(|_| closed).map(|style| match style {
        FillStyle::Solid => {
            let single = Options {
                single_stroke: true,
                ..options.clone()
            };
            let mut pen = Pen {
                options: &single,
                random: pen.random,
            };
            OpSet {
                kind: SetKind::Area,
                ops: curve::arc(
                    center,
                    width,
                    height,
                    angles,
                    curve::Joint::Straight,
                    &mut pen,
                ),
            }
        }
        _ => {
            let points = curve::arc_polygon(center, width, height, angles, &mut pen);
            fill::pattern(vec![points], style, &mut pen)
        }
    });
    drawable(fill, outline, options, false)
}

/// Whether an arc is a slice or just its rim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Closing {
    Open,
    ThroughCenter,
}

/// A smooth curve through points.
pub fn curve(points: &[Point], options: &Options) -> Drawable {
    let mut random = Random::new(options.seed);
    let mut pen = Pen {
        options,
        random: &mut random,
    };
    let outline = curve::through(points, &mut pen);
    let fill = options
        .fill
        .filter(|_| points.len() >= 3)
        .map(|style| match style {
            FillStyle::Solid => {
                let rougher = area_options(options);
                let mut pen = Pen {
                    options: &rougher,
                    random: pen.random,
                };
                OpSet {
                    kind: SetKind::Area,
                    ops: fill::merged(curve::through(points, &mut pen)),
                }
            }
            _ => {
                let bezier = path::curve_to_bezier(points);
                let flat =
                    path::points_on_beziers(&bezier, 10.0, Some((1.0 + options.roughness) / 2.0));
                fill::pattern(vec![flat], style, &mut pen)
            }
        });
    drawable(fill, outline, options, true)
}

/// A path of lines and curves, as SVG has them.
pub fn path(segments: &[Segment], options: &Options) -> Drawable {
    let mut random = Random::new(options.seed);
    let mut pen = Pen {
        options,
        random: &mut random,
    };
    let outline = path::stroked(segments, &mut pen);
    let sets = || path::points_on_path(segments, 1.0, (1.0 + options.roughness) / 2.0);
    let fill = options.fill.map(|style| match style {
        FillStyle::Solid if path::is_one_part(segments) => {
            let rougher = area_options(options);
            let mut pen = Pen {
                options: &rougher,
                random: pen.random,
            };
            OpSet {
                kind: SetKind::Area,
                ops: fill::merged(path::stroked(segments, &mut pen)),
            }
        }
        FillStyle::Solid => fill::solid_polygons(&sets(), &mut pen),
        _ => fill::pattern(sets(), style, &mut pen),
    });
    drawable(fill, outline, options, true)
}

/// One stroke, a little rougher: the area under a curved outline.
fn area_options(options: &Options) -> Options {
    let roughness = if options.roughness == 0.0 {
        0.0
    } else {
        options.roughness + FILL_ROUGHNESS_GAIN
    };
    Options {
        single_stroke: true,
        roughness,
        ..options.clone()
    }
}

fn drawable(
    fill: Option<OpSet>,
    outline: Vec<Segment>,
    options: &Options,
    even_odd: bool,
) -> Drawable {
    let outline = options.outline.then_some(OpSet {
        kind: SetKind::Outline,
        ops: outline,
    });
    Drawable {
        sets: fill.into_iter().chain(outline).collect(),
        even_odd,
    }
}
