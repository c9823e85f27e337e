//! What it will cost to draw an SVG image: a file of a hundred bytes can ask for a day's work, or for all memory.
//!
//! The drawing is walked as resvg walks it, and what each part will take is added up in nanoseconds of some ordinary
//! machine (measured: the numbers below) and in bytes. It need not be exact: it tells a drawing from an attack.

use resvg::usvg::filter::Kind;
use resvg::usvg::{ClipPath, Group, Mask, Node, Paint, Path, Tree};
use tiny_skia::{PathSegment, Point, Rect, Transform};

/// To draw one image: a few seconds.
const MAX_TIME: f64 = 3e9;
/// What lies over one another at any time.
const MAX_BYTES: f64 = 256.0 * 1024.0 * 1024.0;

/// For each node, whatever it is.
const NODE: f64 = 500.0;
/// For each pixel: of a plain fill, of a pattern, of a layer, of a step of a filter.
const FILL: f64 = 8.0;
const PATTERN: f64 = 60.0;
const LAYER: f64 = 16.0;
const FILTER: f64 = 120.0;
/// For each pixel and: octave of a noise, field of a matrix, neighbour that is looked at.
const OCTAVE: f64 = 200.0;
const FIELD: f64 = 4.5;
const NEIGHBOUR: f64 = 1.2;
/// For each piece of a path, and for each row of pixels that it crosses. A stroke has two sides, ends and joins.
const PIECE: f64 = 100.0;
const ROW: f64 = 75.0;
const STROKE: f64 = 4.0;
/// With more dashes than this a stroke is not drawn at all.
const MAX_DASHES: f64 = 1e6;
const BYTES_A_PIXEL: f64 = 4.0;
/// A layer reaches this far beyond the picture, in its sides, before resvg cuts it off.
const BEYOND: f32 = 2.0;

/// How long it will take, in nanoseconds; none if it is not to be borne.
pub(super) fn of(tree: &Tree, place: Transform, (width, height): (u32, u32)) -> Option<f64> {
    let (w, h) = (width as f32, height as f32);
    let sheet = Rect::from_xywh(0.0, 0.0, w, h)?;
    let far = Rect::from_ltrb(
        -w * BEYOND,
        -h * BEYOND,
        w * (BEYOND + 1.0),
        h * (BEYOND + 1.0),
    )?;
    let mut walk = Walk { far, time: 0.0 };
    let bytes = area(sheet) * BYTES_A_PIXEL;
    walk.nodes(tree.root(), place, On { sheet, bytes })?;
    Some(walk.time)
}

struct Walk {
    /// What no layer reaches beyond.
    far: Rect,
    time: f64,
}

/// What is drawn on.
#[derive(Clone, Copy)]
struct On {
    sheet: Rect,
    /// That it takes, with all that lies beneath it.
    bytes: f64,
}

impl On {
    /// With so many more of the same size on top.
    fn with(self, layers: f64) -> Option<Self> {
        let bytes = self.bytes + area(self.sheet) * BYTES_A_PIXEL * layers;
        (bytes <= MAX_BYTES).then_some(Self { bytes, ..self })
    }
}

impl Walk {
    fn take(&mut self, time: f64) -> Option<()> {
        self.time += time;
        // What is no number is not to be borne either.
        (self.time <= MAX_TIME).then_some(())
    }

    fn nodes(&mut self, group: &Group, at: Transform, on: On) -> Option<()> {
        group.children().iter().try_for_each(|node| {
            self.take(NODE)?;
            match node {
                Node::Group(group) => self.group(group, at, on),
                Node::Path(path) => self.path(path, at, on),
                Node::Text(text) => self.group(text.flattened(), at, on),
                // None is ever read.
                Node::Image(_) => Some(()),
            }
        })
    }

    fn group(&mut self, group: &Group, at: Transform, on: On) -> Option<()> {
        let at = at.pre_concat(group.transform());
        if !group.should_isolate() {
            return self.nodes(group, at, on);
        }
        let bounds = group.layer_bounding_box().to_rect().transform(at);
        let Some(sheet) = bounds.and_then(|bounds| bounds.outset(2.0, 2.0)?.intersect(&self.far))
        else {
            return Some(()); // out of sight
        };
        let layer = On { sheet, ..on }.with(1.0)?;
        self.take(area(sheet) * LAYER)?;
        self.nodes(group, at, layer)?;
        for filter in group.filters() {
            // What each step made stays until the last.
            let steps = filter.primitives();
            let layer = layer.with(steps.len() as f64 + 1.0)?;
            for step in steps {
                self.take(area(sheet) * per_pixel(step.kind(), at))?;
                if let Kind::Image(image) = step.kind() {
                    self.nodes(image.root(), at, layer)?;
                }
            }
        }
        if let Some(clip) = group.clip_path() {
            self.clip(clip, at, layer)?;
        }
        group
            .mask()
            .map_or(Some(()), |mask| self.mask(mask, at, layer))
    }

    fn clip(&mut self, clip: &ClipPath, at: Transform, on: On) -> Option<()> {
        let layer = on.with(2.0)?;
        self.take(area(on.sheet) * LAYER)?;
        self.nodes(clip.root(), at.pre_concat(clip.transform()), layer)?;
        clip.clip_path()
            .map_or(Some(()), |clip| self.clip(clip, at, layer))
    }

    fn mask(&mut self, mask: &Mask, at: Transform, on: On) -> Option<()> {
        let layer = on.with(2.0)?;
        self.take(area(on.sheet) * LAYER)?;
        self.nodes(mask.root(), at, layer)?;
        mask.mask()
            .map_or(Some(()), |mask| self.mask(mask, at, layer))
    }

    fn path(&mut self, path: &Path, at: Transform, on: On) -> Option<()> {
        let (pieces, length) = pieces(path, at, on.sheet);
        if let Some(fill) = path.fill() {
            self.take(pieces)?;
            self.paint(fill.paint(), path.bounding_box(), at, on)?;
        }
        if let Some(stroke) = path.stroke() {
            let dashes = stroke.dasharray().map_or(0.0, |dashes| {
                let period: f64 = dashes.iter().map(|dash| f64::from(*dash)).sum();
                (length / period * dashes.len() as f64).min(MAX_DASHES)
            });
            self.take((pieces + dashes * PIECE) * STROKE)?;
            self.paint(stroke.paint(), path.stroke_bounding_box(), at, on)?;
        }
        Some(())
    }

    fn paint(&mut self, paint: &Paint, bounds: Rect, at: Transform, on: On) -> Option<()> {
        let seen = bounds
            .transform(at)
            .and_then(|bounds| bounds.intersect(&on.sheet));
        let Some(seen) = seen else { return Some(()) };
        let Paint::Pattern(pattern) = paint else {
            return self.take(area(seen) * FILL);
        };
        self.take(area(seen) * PATTERN)?;
        let (sx, sy) = at.pre_concat(pattern.transform()).get_scale();
        let tile = pattern.rect();
        let tile = Rect::from_xywh(0.0, 0.0, tile.width() * sx, tile.height() * sy)?;
        let tile = On { sheet: tile, ..on }.with(1.0)?;
        self.nodes(pattern.root(), Transform::from_scale(sx, sy), tile)
    }
}

/// What a step of a filter takes for each pixel.
fn per_pixel(step: &Kind, at: Transform) -> f64 {
    let (sx, sy) = at.get_scale();
    let around = |radius: f32, scale: f32| f64::from(2.0 * radius * scale + 1.0);
    match step {
        Kind::Turbulence(noise) => FILTER + OCTAVE * f64::from(noise.num_octaves()),
        Kind::ConvolveMatrix(convolve) => {
            let (columns, rows) = (convolve.matrix().columns(), convolve.matrix().rows());
            FILTER + FIELD * f64::from(columns) * f64::from(rows)
        }
        Kind::Morphology(morph) => {
            let columns = around(morph.radius_x().get(), sx);
            let rows = around(morph.radius_y().get(), sy);
            FILTER + NEIGHBOUR * columns * rows
        }
        _ => FILTER,
    }
}

/// What the pieces of a path take, by the rows of pixels that they cross, and how long they are in the path's own units.
fn pieces(path: &Path, at: Transform, sheet: Rect) -> (f64, f64) {
    let row = |point: Point| {
        let mut point = [point];
        at.map_points(&mut point);
        f64::from(point[0].y.clamp(sheet.top(), sheet.bottom()))
    };
    let (mut time, mut length) = (0.0, 0.0);
    let (mut start, mut last) = (Point::zero(), Point::zero());
    for segment in path.data().segments() {
        time += PIECE;
        let through: &[Point] = match &segment {
            PathSegment::MoveTo(point) => {
                (start, last) = (*point, *point);
                &[]
            }
            PathSegment::LineTo(point) => &[*point],
            PathSegment::QuadTo(by, point) => &[*by, *point],
            PathSegment::CubicTo(by, and, point) => &[*by, *and, *point],
            PathSegment::Close => &[start],
        };
        for point in through {
            time += ROW * (row(*point) - row(last)).abs();
            length += f64::from(last.distance(*point));
            last = *point;
        }
    }
    (time, length)
}

fn area(rect: Rect) -> f64 {
    f64::from(rect.width()) * f64::from(rect.height())
}

#[cfg(test)]
mod tests {
    use resvg::usvg::Options;

    use super::*;

    /// Of a drawing of 1000 × 1000 in so many pixels a side, in milliseconds.
    fn milliseconds(body: &str, side: u32) -> Option<u64> {
        let svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1000\" height=\"1000\">{body}</svg>"
        );
        let tree = Tree::from_str(&svg, &Options::default()).unwrap();
        let scale = side as f32 / 1000.0;
        let time = of(&tree, Transform::from_scale(scale, scale), (side, side))?;
        Some((time / 1e6) as u64)
    }

    const ALL: &str = "<rect width=\"1000\" height=\"1000\"/>";

    fn filtered(steps: &str) -> String {
        format!(
            "<filter id=\"f\" x=\"0\" y=\"0\" width=\"1\" height=\"1\">{steps}</filter>\
             <g filter=\"url(#f)\">{ALL}</g>"
        )
    }

    /// Each inside of the one before it.
    fn nested(group: &str, times: usize) -> String {
        format!("{}{ALL}{}", group.repeat(times), "</g>".repeat(times))
    }

    #[test]
    fn ordinary_drawings_can_be_borne() {
        assert_eq!(milliseconds("", 1000), Some(0));
        assert_eq!(milliseconds(ALL, 1000), Some(8));
        assert_eq!(
            milliseconds(&nested("<g opacity=\".5\">", 3), 1000),
            Some(56)
        );
        let shadow = filtered("<feDropShadow dx=\"2\" stdDeviation=\"4\"/>");
        assert_eq!(milliseconds(&shadow, 1000), Some(145));
        let map = format!("<path d=\"M0 0{}\"/>", "l1 3l2 -3".repeat(200_000));
        assert!(milliseconds(&map, 1000).is_some());
    }

    #[test]
    fn what_asks_for_more_than_can_be_borne_is_known_before_it_is_drawn() {
        let zigzag = "L1000 1000L0 0".repeat(100_000);
        for (hostile, fits) in [
            (
                filtered("<feTurbulence baseFrequency=\".1\" numOctaves=\"1000000\"/>"),
                None,
            ),
            (filtered("<feMorphology radius=\"300\"/>"), Some(100)),
            (
                filtered(&"<feGaussianBlur stdDeviation=\"3\"/>".repeat(1000)),
                Some(100),
            ),
            (nested("<g opacity=\".5\">", 800), Some(100)),
            (ALL.repeat(10_000), Some(100)),
            (
                format!(
                    "<mask id=\"m\">{ALL}</mask>{}",
                    nested("<g mask=\"url(#m)\">", 800)
                ),
                Some(100),
            ),
            (
                format!("<path stroke=\"red\" stroke-width=\"2\" d=\"M0 0{zigzag}\"/>"),
                None,
            ),
            (
                "<path stroke=\"red\" stroke-dasharray=\".002\" d=\"M0 0L1000 0\"/>".repeat(20),
                None,
            ),
        ] {
            assert_eq!(milliseconds(&hostile, 1000), None, "{:.200}", hostile);
            let small = fits.unwrap_or(50);
            assert_eq!(
                milliseconds(&hostile, small).is_some(),
                fits.is_some(),
                "{:.200}",
                hostile
            );
        }
    }
}
