//! Drawing freely, point by point. The last point of a stream is held back until the next one comes:
//! only then is it sure to be where it is.

use glade_canvas::factory::{self, Style};
use glade_canvas::palette::{Color, Fill};
use glade_canvas::{Point, Rect};
use serde_json::{Value, json};

use crate::action::{Action, Described, Refusal, Shown};
use crate::action_context::{ActionContext, Made};
use crate::facts::{Facts, Impact, On, Work};
use crate::partial_object::PartialObject;
use crate::shapes::{fill, intent};

/// The longest way between two points of a smooth stroke.
const SMOOTH: f64 = 10.0;
/// The same for straight strokes: the closer the points, the sharper the corners stay.
const STRAIGHT: f64 = 2.0;
/// No stroke has more points than this; a long one gets them farther apart.
const MOST_POINTS: usize = 4_000;

pub struct Pen;

pub struct Stroke {
    made: Made,
    color: Color,
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
            ("points", json!({"type": "array", "items": point})),
        ]
    }

    fn optional(&self) -> &'static [&'static str] {
        &["fill", "closed", "style"]
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
        let step = match given.word("style") {
            Some("straight") => STRAIGHT,
            _ => SMOOTH,
        };
        let shape_id = given.id("shapeId");
        let made = ctx.make("shape", shape_id.unwrap_or("pen"));
        if let Some(name) = shape_id.or(given.is_complete().then_some("pen")) {
            ctx.ids.adopt(name, &made.id);
        }
        let fill = given.word("fill").and_then(fill).unwrap_or(Fill::None);
        Ok(Some(Stroke {
            made,
            color: given
                .word("color")
                .map(Color::from_name)
                .unwrap_or_default(),
            fill: if closed { fill } else { Fill::None },
            points: interpolate(&corners, step),
        }))
    }

    fn apply(&self, stroke: &Stroke, ctx: &mut ActionContext<'_, '_>) -> Result<Shown, Refusal> {
        let Made { id, seed, index } = &stroke.made;
        let style = Style::new(stroke.color, stroke.fill);
        let Some(mut props) = factory::line(&stroke.points, style, *seed, index) else {
            return Err(Refusal::new("a stroke needs two different points or more"));
        };
        props.insert("type".to_owned(), json!("freedraw"));
        for key in [
            "startBinding",
            "endBinding",
            "startArrowhead",
            "endArrowhead",
            "polygon",
        ] {
            props.remove(key);
        }
        props.insert("pressures".to_owned(), json!([]));
        props.insert("simulatePressure".to_owned(), json!(true));
        ctx.put(id, props);
        let end = stroke.points.last().copied();
        Ok(Shown {
            doing: "drawing by hand".to_owned(),
            done: "drew by hand".to_owned(),
            // The sprite follows the tip of its pen.
            place: end.map(|end| Rect::new(end.x, end.y, 0.0, 0.0)),
            elements: vec![id.clone()],
            ..Shown::default()
        })
    }
}

/// Points along the way, none farther from the next than `step`.
fn interpolate(corners: &[Point], step: f64) -> Vec<Point> {
    let length: f64 = corners
        .windows(2)
        .map(|pair| pair[0].distance(pair[1]))
        .sum();
    let step = step.max(length / (MOST_POINTS.saturating_sub(corners.len()).max(1)) as f64);
    let mut points: Vec<Point> = corners.first().copied().into_iter().collect();
    for pair in corners.windows(2) {
        let (from, to) = (pair[0], pair[1]);
        let pieces = (from.distance(to) / step).ceil().max(1.0);
        for piece in 1..=pieces as usize {
            let share = piece as f64 / pieces;
            points.push(Point::new(
                from.x + (to.x - from.x) * share,
                from.y + (to.y - from.y) * share,
            ));
        }
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_along_the_way_are_no_farther_apart_than_the_step() {
        let corners = [Point::new(0.0, 0.0), Point::new(25.0, 0.0)];
        let xs: Vec<f64> = interpolate(&corners, SMOOTH)
            .iter()
            .map(|point| point.x.round())
            .collect();
        assert_eq!(xs, [0.0, 8.0, 17.0, 25.0]);
        assert_eq!(interpolate(&corners, STRAIGHT).len(), 14);
    }

    #[test]
    fn an_endless_stroke_has_a_bounded_number_of_points() {
        let corners = [Point::new(0.0, 0.0), Point::new(1e6, 0.0)];
        assert!(interpolate(&corners, STRAIGHT).len() <= MOST_POINTS);
    }
}
