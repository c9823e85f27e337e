//! Drawing freely, point by point. The last point of a stream is held back until the next one comes:
//! only then is it sure to be where it is.

use glade_canvas::factory::{self, Style};
use glade_canvas::palette::{Color, Fill};
use glade_canvas::{Point, Rect};
use serde_json::{Value, json};

use crate::action::{Action, Described, Refusal, Shown};
use crate::action_context::{ActionContext, Made};
use crate::facts::{Facts, Impact, On, Work};
use crate::new_shape::style::{DASHES, Wishes};
use crate::partial_object::PartialObject;
use crate::shapes::intent;

/// The longest way between two points of a smooth stroke.
const SMOOTH: f64 = 10.0;
/// The same for straight strokes: the closer the points, the sharper the corners stay.
const STRAIGHT: f64 = 2.0;
/// A pen is thinner than the lines of shapes.
const WIDTH: f64 = 1.0;
/// No stroke has more points than this; a long one gets them farther apart.
const MOST_POINTS: usize = 4_000;

pub struct Pen;

pub struct Stroke {
    made: Made,
    wishes: Wishes,
    fill: Fill,
    points: Vec<Point>,
}

static FACTS: Facts = Facts::new(
    "pen",
    "🖊️",
    "draw a free stroke through points; closed: back to the first; for what no shape can show",
    On::Canvas,
    Work::Edit,
    Impact::Edits,
)
.live();

impl Described for Pen {
    fn facts(&self) -> &Facts {
        &FACTS
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        let colors: Vec<&str> = Color::ALL.iter().map(|color| color.name()).collect();
        let point = json!({
            "type": "object",
            "required": ["x", "y"],
            "properties": {"x": {"type": "number"}, "y": {"type": "number"}},
            "additionalProperties": false,
        });
        vec![
            intent(),
            ("shapeId", json!({"type": "string"})),
            ("color", json!({"type": "string", "enum": colors})),
            (
                "fill",
                json!({"type": "string", "enum": ["none", "tint", "background", "solid", "pattern"]}),
            ),
            ("closed", json!({"type": "boolean"})),
            (
                "style",
                json!({"type": "string", "enum": ["smooth", "straight"]}),
            ),
            ("strokeWidth", json!({"type": "number"})),
            ("dash", json!({"type": "string", "enum": DASHES})),
            ("opacity", json!({"type": "number"})),
            ("points", json!({"type": "array", "items": point})),
        ]
    }

    fn optional(&self) -> &'static [&'static str] {
        &["fill", "closed", "style", "strokeWidth", "dash", "opacity"]
    }
}

impl Action for Pen {
    type Clean = Stroke;

    fn sanitise(
        &self,
        given: PartialObject<'_>,
        ctx: &mut ActionContext<'_, '_>,
    ) -> Result<Option<Stroke>, Refusal> {
        let mut corners: Vec<Point> = given
            .points("points")
            .into_iter()
            .map(|(x, y)| ctx.to_page(x, y))
            .collect();
        corners.dedup();
        if !given.is_complete() {
            corners.pop();
        }
        if corners.len() < 2 {
            return if given.is_complete() {
                Err(Refusal::new("a stroke needs two different points or more"))
            } else {
                Ok(None)
            };
        }
        let closed = given.flag("closed").unwrap_or(false);
        if closed && given.is_complete() {
            corners.push(corners[0]);
        }
        let is_straight = given.word("style") == Some("straight");
        let points = if is_straight {
            interpolate(&corners, STRAIGHT, straight(&corners))
        } else {
            interpolate(&corners, SMOOTH, smooth(&corners))
        };
        let shape_id = given.id("shapeId");
        let made = ctx.make("shape", shape_id.unwrap_or("pen"));
        if let Some(name) = shape_id.or(given.is_complete().then_some("pen")) {
            ctx.ids.adopt(name, &made.id);
        }
        let mut wishes = Wishes::read(given, ctx)?;
        wishes.stroke_width.get_or_insert(WIDTH);
        let fill = wishes.fill.unwrap_or(Fill::None);
        Ok(Some(Stroke {
            made,
            wishes,
            fill: if closed { fill } else { Fill::None },
            points,
        }))
    }

    fn apply(&self, stroke: &Stroke, ctx: &mut ActionContext<'_, '_>) -> Result<Shown, Refusal> {
        let Made { id, seed, index } = &stroke.made;
        let style = Style::new(stroke.wishes.color.unwrap_or_default(), stroke.fill);
        let Some(mut props) = factory::line(&stroke.points, style, *seed, index) else {
            return Err(Refusal::new("a stroke needs two different points or more"));
        };
        props.extend(stroke.wishes.plain_props());
        props.insert("roughness".to_owned(), json!(0));
        if stroke.fill == Fill::None {
            for key in [
                "startBinding",
                "endBinding",
                "startArrowhead",
                "endArrowhead",
                "polygon",
            ] {
                props.remove(key);
            }
            props.insert("type".to_owned(), json!("freedraw"));
            props.insert("pressures".to_owned(), json!([]));
            props.insert("simulatePressure".to_owned(), json!(true));
        } else {
            // The editor fills a pen's stroke with a curve of its own, which bulges out of it; an area it fills to
            // its edge.
            props.insert("polygon".to_owned(), json!(true));
        }
        ctx.put(id, props);
        let end = stroke.points.last().copied();
        Ok(Shown {
            doing: "drawing by hand".to_owned(),
            done: "drew by hand".to_owned(),
            // The sprite follows the tip of its pen.
            place: end.map(|end| Rect::new(end.x, end.y, 0.0, 0.0)),
            elements: vec![id.clone()],
            adjusted: stroke.wishes.adjusted.clone(),
            ..Shown::default()
        })
    }
}

/// Points along the way, none much farther from the next than `step`.
fn interpolate(corners: &[Point], step: f64, between: impl Fn(usize, f64) -> Point) -> Vec<Point> {
    let length: f64 = corners
        .windows(2)
        .map(|pair| pair[0].distance(pair[1]))
        .sum();
    let step = step.max(length / (MOST_POINTS.saturating_sub(corners.len()).max(1)) as f64);
    let mut points: Vec<Point> = corners.first().copied().into_iter().collect();
    for (at, pair) in corners.windows(2).enumerate() {
        let pieces = (pair[0].distance(pair[1]) / step).ceil().max(1.0);
        points.extend((1..=pieces as usize).map(|piece| between(at, piece as f64 / pieces)));
    }
    points
}

/// Straight from corner to corner.
fn straight(corners: &[Point]) -> impl Fn(usize, f64) -> Point {
    |at, share| {
        let (from, to) = (corners[at], corners[at + 1]);
        from.translate((to.x - from.x) * share, (to.y - from.y) * share)
    }
}

/// Through all corners, bent between two of them as their neighbours lie. A closed way ends where it begins.
fn smooth(corners: &[Point]) -> impl Fn(usize, f64) -> Point {
    let last = corners.len().saturating_sub(1);
    let closed = last > 2 && corners.first() == corners.last();
    move |at, t| {
        let before = match at {
            0 if closed => corners[last - 1],
            0 => corners[0],
            _ => corners[at - 1],
        };
        let after = match at + 2 {
            next if next <= last => corners[next],
            _ if closed => corners[1],
            _ => corners[last],
        };
        let axis = |p0: f64, p1: f64, p2: f64, p3: f64| {
            let bend = (2.0 * p0 - 5.0 * p1 + 4.0 * p2 - p3) * t * t;
            let turn = (3.0 * p1 - p0 - 3.0 * p2 + p3) * t * t * t;
            0.5 * (2.0 * p1 + (p2 - p0) * t + bend + turn)
        };
        let (start, end) = (corners[at], corners[at + 1]);
        Point::new(
            axis(before.x, start.x, end.x, after.x),
            axis(before.y, start.y, end.y, after.y),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_along_the_way_are_no_farther_apart_than_the_step() {
        let corners = [Point::new(0.0, 0.0), Point::new(25.0, 0.0)];
        let xs: Vec<f64> = interpolate(&corners, SMOOTH, straight(&corners))
            .iter()
            .map(|point| point.x.round())
            .collect();
        assert_eq!(xs, [0.0, 8.0, 17.0, 25.0]);
        assert_eq!(
            interpolate(&corners, STRAIGHT, straight(&corners)).len(),
            14
        );
    }

    #[test]
    fn a_smooth_stroke_goes_through_its_corners_and_turns_round_them() {
        let corners = [
            (0.0, 0.0),
            (100.0, 0.0),
            (100.0, 100.0),
            (0.0, 100.0),
            (0.0, 0.0),
        ];
        let corners = corners.map(|(x, y)| Point::new(x, y));
        let points = interpolate(&corners, SMOOTH, smooth(&corners));
        assert!(corners.iter().all(|corner| points.contains(corner)));
        assert!(
            points.iter().any(|point| point.y < -5.0),
            "it bulges: {points:?}"
        );
    }

    #[test]
    fn an_endless_stroke_has_a_bounded_number_of_points() {
        let corners = [Point::new(0.0, 0.0), Point::new(1e6, 0.0)];
        assert!(interpolate(&corners, STRAIGHT, straight(&corners)).len() <= MOST_POINTS);
    }
}
