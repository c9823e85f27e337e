//! Arrows tied to elements: where their ends lie.
//!
//! A binding holds the point aimed at, in shares of the element's box. In `orbit` mode the end itself sits where
//! the line between the two aimed-at points crosses the outline, a gap of 5 and half the stroke away. These are
//! the editor's rules, its special cases for short arrows and overlapping ends included, so that an arrow placed
//! here stays where it is when a person next drags one of its ends' elements.

mod way;

use glade_doc::Props;
use serde_json::{Value, json};

use crate::bounds::{bounds, local_rect, page_points};
use crate::element::{BindMode, Binding, BindingOwner, Element, ElementKind};
use crate::geo::polygon_kind;
use crate::geometry::{Point, Rect};
use crate::outline::outline;

pub use way::{Run, along};

const BASE_GAP: f64 = 5.0;
/// An arrow shorter than this between two outlines reaches inside instead.
const MIN_LENGTH: f64 = 10.0;
/// A middle nearer to the straight line than this is on it.
const LEAST_BEND: f64 = 1.0;
/// How far a loop from an element to itself swings out.
const LOOP_REACH: f64 = 60.0;

/// Everything that a route decides about an arrow.
#[derive(Clone, Debug, PartialEq)]
pub struct ArrowGeometry {
    pub x: f64,
    pub y: f64,
    pub width: f64,
    pub height: f64,
    /// Relative to (x, y); the first is (0, 0).
    pub points: Vec<Point>,
    pub start_binding: Option<Binding>,
    pub end_binding: Option<Binding>,
}

impl ArrowGeometry {
    /// The upright box of the points, with (x, y) as stored: the first point.
    pub fn rect(&self) -> Rect {
        Rect::new(self.x, self.y, self.width, self.height)
    }

    /// The points on the page.
    pub fn page_points(&self) -> Vec<Point> {
        self.points
            .iter()
            .map(|point| point.translate(self.x, self.y))
            .collect()
    }

    /// x, y, width, height, points, angle and both bindings, of a new arrow.
    pub fn to_props(&self) -> Props {
        self.with_bindings(&Value::Null)
    }

    /// The same for an arrow that exists: what else it keeps in `customData` stays.
    pub fn to_props_over(&self, arrow: &Element) -> Props {
        self.with_bindings(arrow.props.get("customData").unwrap_or(&Value::Null))
    }

    fn with_bindings(&self, custom: &Value) -> Props {
        let mut props = self.shape_props();
        let mut kept = custom.as_object().cloned().unwrap_or_default();
        for (key, end) in [
            ("startBinding", &self.start_binding),
            ("endBinding", &self.end_binding),
        ] {
            let held_by = |owner: BindingOwner| end.as_ref().filter(|end| end.owner == owner);
            let editors = held_by(BindingOwner::Editor).map_or(Value::Null, Binding::to_value);
            props.insert(key.to_owned(), editors);
            match held_by(BindingOwner::Glade) {
                Some(end) => kept.insert(key.to_owned(), end.to_value()),
                None => kept.shift_remove(key),
            };
        }
        if custom.as_object().is_some_and(|old| *old != kept)
            || !(kept.is_empty() || custom.is_object())
        {
            props.insert("customData".to_owned(), Value::Object(kept));
        }
        props
    }

    /// x, y, width, height, points and angle: what belongs in one commit.
    pub fn shape_props(&self) -> Props {
        let points: Vec<Value> = self
            .points
            .iter()
            .map(|point| json!([point.x, point.y]))
            .collect();
        Props::from_iter([
            ("x".to_owned(), json!(self.x)),
            ("y".to_owned(), json!(self.y)),
            ("width".to_owned(), json!(self.width)),
            ("height".to_owned(), json!(self.height)),
            ("angle".to_owned(), json!(0)),
            ("points".to_owned(), Value::Array(points)),
        ])
    }

    fn through(
        points: &[Point],
        start_binding: Option<Binding>,
        end_binding: Option<Binding>,
    ) -> Option<Self> {
        let points: Vec<Point> = points.iter().map(|point| point.sane()).collect();
        let first = *points.first()?;
        let rect = Rect::from_points(points.iter().copied())?;
        let points = points
            .iter()
            .map(|point| point.translate(-first.x, -first.y))
            .collect();
        Some(Self {
            x: first.x,
            y: first.y,
            width: rect.w,
            height: rect.h,
            points,
            start_binding,
            end_binding,
        })
    }
}

/// Where an arrow starts or ends.
#[derive(Clone, Copy, Debug)]
pub enum End<'a> {
    /// On an element's outline, aimed at its middle; bound to it if the editor can bind to its kind.
    Element(&'a Element),
    /// On an element's outline, aimed at this place of it, in shares of its box before it is turned.
    Aimed(&'a Element, (f64, f64)),
    Point(Point),
}

/// Whether arrows can be bound to this element, by the editor or by us.
pub fn is_bindable(element: &Element) -> bool {
    binding_owner(element).is_some()
}

/// Who can bind arrows to this element.
pub fn binding_owner(element: &Element) -> Option<BindingOwner> {
    if polygon_kind(element).is_some() {
        return Some(BindingOwner::Glade);
    }
    let bindable = match element.kind() {
        ElementKind::Text => element.container_id().is_none(),
        ElementKind::Line | ElementKind::Arrow | ElementKind::Freedraw | ElementKind::Other(_) => {
            false
        }
        _ => true,
    };
    bindable.then_some(BindingOwner::Editor)
}

/// How far an arrow's end stays from this element's edge.
pub fn gap(element: &Element) -> f64 {
    BASE_GAP + element.stroke_width() / 2.0
}

/// A new straight arrow with its head at the end. From an element to itself it is a loop at the lower right.
pub fn route(from: End<'_>, to: End<'_>) -> ArrowGeometry {
    bent(from, to, 0.0)
}

/// The same, curved: its middle stands `bend` off the straight line, to the right of who walks along it.
pub fn bent(from: End<'_>, to: End<'_>, bend: f64) -> ArrowGeometry {
    let (start, end) = (EndPlan::new(from), EndPlan::new(to));
    let mut points = vec![start.aim, end.aim];
    let length = start.aim.distance(end.aim);
    if bend.abs() >= LEAST_BEND && length > 0.0 {
        let (along_x, along_y) = (
            (end.aim.x - start.aim.x) / length,
            (end.aim.y - start.aim.y) / length,
        );
        let middle = Point::new(
            (start.aim.x + end.aim.x) / 2.0 - along_y * bend,
            (start.aim.y + end.aim.y) / 2.0 + along_x * bend,
        );
        points.insert(1, middle);
    }
    if let (End::Element(a), End::Element(b)) = (from, to)
        && a.id == b.id
    {
        let box_ = bounds(a);
        let (right, below) = (box_.right() + LOOP_REACH, box_.bottom() + LOOP_REACH);
        let (start, end) = (start.aim, end.aim);
        points = vec![
            start,
            Point::new(right, start.y),
            Point::new(right, below),
            Point::new(end.x, below),
            end,
        ];
    }
    let place = |own: &EndPlan<'_>, other: &EndPlan<'_>, at_start: bool| match own.element {
        Some(element) => {
            let other = other.element.map(|element| (element, other.aim));
            let heads = Heads {
                start: false,
                end: true,
            };
            end_point(
                &points,
                at_start,
                (element, own.aim),
                BindMode::Orbit,
                other,
                heads,
            )
        }
        None => own.aim,
    };
    let (first, last) = (place(&start, &end, true), place(&end, &start, false));
    let count = points.len();
    points[0] = first;
    points[count - 1] = last;
    ArrowGeometry::through(&points, start.binding, end.binding).unwrap_or_else(|| ArrowGeometry {
        x: first.x,
        y: first.y,
        width: 0.0,
        height: 0.0,
        points: vec![Point::default(), Point::default()],
        start_binding: None,
        end_binding: None,
    })
}

/// An existing arrow with its bound ends where its elements are now. `start` and `end` are the live elements it
/// is bound to; an end without one stays where it is. None for elbow arrows, whose corners the editor routes, for
/// arrows that end where they begin, which the editor takes for not drawn yet, and for those with nothing to follow.
pub fn reroute(
    arrow: &Element,
    start: Option<&Element>,
    end: Option<&Element>,
) -> Option<ArrowGeometry> {
    let mut points = page_points(arrow);
    if arrow.is_elbowed() || points.len() < 2 || points.first() == points.last() {
        return None;
    }
    let start = BoundEnd::new(arrow.start_binding(), start);
    let end = BoundEnd::new(arrow.end_binding(), end);
    let heads = Heads {
        start: arrow.has_arrowhead("startArrowhead"),
        end: arrow.has_arrowhead("endArrowhead"),
    };
    let place = |own: &Option<BoundEnd<'_>>, other: &Option<BoundEnd<'_>>, at_start: bool| {
        let own = own.as_ref()?;
        let other = other.as_ref().map(|tie| (tie.element, tie.aim));
        Some(end_point(
            &points,
            at_start,
            (own.element, own.aim),
            own.mode,
            other,
            heads,
        ))
    };
    let (first, last) = (place(&start, &end, true), place(&end, &start, false));
    if first.is_none() && last.is_none() {
        return None;
    }
    let count = points.len();
    if let Some(first) = first {
        points[0] = first;
    }
    if let Some(last) = last {
        points[count - 1] = last;
    }
    ArrowGeometry::through(&points, arrow.start_binding(), arrow.end_binding())
}

/// One end of a new arrow, before its outline is looked at.
struct EndPlan<'a> {
    element: Option<&'a Element>,
    aim: Point,
    binding: Option<Binding>,
}

impl<'a> EndPlan<'a> {
    fn new(end: End<'a>) -> Self {
        let (element, binding) = match end {
            End::Element(element) => (element, Binding::to_center(element.id.clone())),
            End::Aimed(element, place) => (element, Binding::to_place(element.id.clone(), place)),
            End::Point(aim) => {
                return Self {
                    element: None,
                    aim,
                    binding: None,
                };
            }
        };
        Self {
            element: Some(element),
            aim: aimed_at(&binding, element),
            binding: binding_owner(element).map(|owner| Binding { owner, ..binding }),
        }
    }
}

/// A bound end of an existing arrow whose element is there.
struct BoundEnd<'a> {
    element: &'a Element,
    aim: Point,
    mode: BindMode,
}

impl<'a> BoundEnd<'a> {
    fn new(binding: Option<Binding>, element: Option<&'a Element>) -> Option<Self> {
        let (binding, element) = (binding?, element?);
        let holds = binding.element_id == element.id && is_bindable(element);
        holds.then(|| Self {
            element,
            aim: aimed_at(&binding, element),
            mode: binding.mode,
        })
    }
}

#[derive(Clone, Copy)]
struct Heads {
    start: bool,
    end: bool,
}

/// The aimed-at point on the page.
pub(crate) fn aimed_at(binding: &Binding, element: &Element) -> Point {
    let rect = local_rect(element);
    let (share_x, share_y) = binding.fixed_point;
    Point::new(rect.x + rect.w * share_x, rect.y + rect.h * share_y)
        .rotate(rect.center(), element.angle())
}

/// Where one bound end lies. `points` are the arrow's on the page; of a two-point arrow the other end counts by
/// what it aims at, so that both ends lie on one line between the aims.
fn end_point(
    points: &[Point],
    at_start: bool,
    (element, aim): (&Element, Point),
    mode: BindMode,
    other: Option<(&Element, Point)>,
    heads: Heads,
) -> Point {
    if mode == BindMode::Inside {
        return aim;
    }
    let neighbour = if at_start {
        points.get(1)
    } else {
        points.len().checked_sub(2).and_then(|at| points.get(at))
    };
    let neighbour = neighbour.copied().unwrap_or(aim);
    let toward = if points.len() == 2 {
        other.map_or(neighbour, |(_, aim)| aim)
    } else {
        neighbour
    };

    let own_edge = nearest(
        outline(element, gap(element)).crossings(aim, toward),
        toward,
    );
    let has_head = if at_start { heads.start } else { heads.end };
    // Where there is no room between the two, the end with the head reaches inside, the other stays outside.
    let cramped = if has_head || !(heads.start || heads.end) {
        aim
    } else {
        own_edge.unwrap_or(aim)
    };

    // The far end of a loop is no reason to reach inside.
    let Some((other_element, other_aim)) = other.filter(|(other, _)| other.id != element.id) else {
        let edge = own_edge.unwrap_or(aim);
        return if toward.distance(edge) <= MIN_LENGTH {
            aim
        } else {
            edge
        };
    };
    if let Some(edge) = own_edge
        && local_rect(other_element).area() < local_rect(element).area() * 2.0
        && outline(other_element, gap(other_element)).contains(edge)
    {
        return cramped;
    }
    let other_edge = nearest(
        outline(other_element, gap(other_element)).crossings(aim, toward),
        aim,
    );
    let edge = own_edge.unwrap_or(aim);
    if other_edge.unwrap_or(other_aim).distance(edge) <= MIN_LENGTH {
        cramped
    } else {
        edge
    }
}

fn nearest(points: Vec<Point>, to: Point) -> Option<Point> {
    points
        .into_iter()
        .min_by(|a, b| a.distance(to).total_cmp(&b.distance(to)))
}
