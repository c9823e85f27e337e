//! One router for every kind of drawing. An engine may say how a line would best run; what holds is that it goes through no
//! box. Where the engine's way is none, or hits something, one is searched.

mod elbow;
mod field;
mod labels;
mod nudge;
mod shape;

use crate::draft::Draft;
use crate::geometry::{Point, Rect, Side};
use crate::graph::{Graph, Link, Port, Target};
use crate::outcome::{Label, Route};
use crate::{Kind, Routing, curve};

use elbow::{Gate, Search};
use field::Field;

/// What comes of a link.
#[derive(Clone, Debug)]
pub(crate) struct Way {
    pub route: Route,
    pub label: Option<Label>,
    pub label_covers: bool,
}

/// The points of a route, and how they are joined: a curve that would hit a box is straight.
#[derive(Clone, Debug)]
pub(crate) struct Course {
    pub routing: Routing,
    pub points: Vec<Point>,
}

struct Router<'a> {
    graph: &'a Graph,
    draft: &'a Draft,
    field: Field,
}

/// A route and the label for every link. The guides of `kept` links are taken as they are, if they are clear.
pub(crate) fn all(graph: &Graph, draft: &Draft, kept: &[bool]) -> Vec<Way> {
    let mut boxes = draft.nodes.clone();
    boxes.extend(draft.titles.iter().filter(|it| !it.size().is_empty()));
    let router = Router {
        graph,
        draft,
        field: Field::new(boxes),
    };
    let mut found: Vec<Option<Course>> = Vec::with_capacity(graph.links.len());
    let mut searched = Vec::new();
    let mut ends: Vec<Point> = Vec::new();
    for link in 0..graph.links.len() {
        let is_kept = kept.get(link).copied().unwrap_or(false);
        let guided = router
            .kept(link)
            .filter(|_| is_kept)
            .or_else(|| router.guided(link));
        if guided.is_none() {
            searched.push(link);
        }
        ends.extend(guided.iter().flat_map(Course::ends));
        found.push(guided);
    }
    for &link in &searched {
        found[link] = router.searched(link, &ends);
        ends.extend(found[link].iter().flat_map(Course::ends));
    }
    if graph.routing == Routing::Elbow {
        nudge::apart(
            &router.field,
            graph.spacing.edge / 2.0,
            &searched,
            &mut found,
        );
    }
    labels::all(graph, draft, &router.field, found)
}

impl Course {
    fn ends(&self) -> impl Iterator<Item = Point> + use<> {
        let (first, last) = (self.points.first().copied(), self.points.last().copied());
        first.into_iter().chain(last)
    }
}

impl Router<'_> {
    fn rect_of(&self, target: Target) -> Rect {
        match target {
            Target::Node(node) => self.draft.nodes[node],
            Target::Group(group) => self.draft.groups[group],
        }
    }

    fn kept(&self, link: usize) -> Option<Course> {
        let points = self.draft.guides[link].clone()?;
        let clear = self.field.is_path_clear(&seen(self.graph.routing, &points));
        clear.then(|| self.course(points))
    }

    /// The engine's way, in the shape asked for.
    fn guided(&self, link: usize) -> Option<Course> {
        let guide = self.draft.guides[link].as_ref()?;
        if self.graph.links[link].from == self.graph.links[link].to {
            return self.kept(link);
        }
        let guide = without_needless(guide);
        let label = self.draft.labels[link].map(Rect::center);
        shape::of(self.graph, &self.field, &guide, label)
    }

    /// `ends` are where other lines end: a way ends elsewhere if it can.
    fn searched(&self, link: usize, ends: &[Point]) -> Option<Course> {
        let it = &self.graph.links[link];
        if it.from == it.to {
            return self.looped(it);
        }
        if self.graph.routing != Routing::Elbow
            && let Some(points) = self.direct(it)
        {
            return Some(self.course(points));
        }
        let points = self.around_boxes(it, ends)?;
        shape::of(self.graph, &self.field, &points, None)
    }

    fn course(&self, points: Vec<Point>) -> Course {
        Course {
            routing: self.graph.routing,
            points,
        }
    }

    /// A straight line from middle to middle, cut at the borders, if nothing is in its way.
    fn direct(&self, link: &Link) -> Option<Vec<Point>> {
        let (from, to) = (self.rect_of(link.from), self.rect_of(link.to));
        if from.overlaps(to) {
            return None;
        }
        let start = link.from_port.map(|it| from.on_side(it.side, it.part));
        let end = link.to_port.map(|it| to.on_side(it.side, it.part));
        let (a, b) = (start.unwrap_or(from.center()), end.unwrap_or(to.center()));
        let points = vec![
            start.unwrap_or_else(|| cut(from, a, b)),
            end.unwrap_or_else(|| cut(to, b, a)),
        ];
        let foreign = self.foreign_groups(link);
        let through = foreign
            .iter()
            .any(|it| it.is_crossed_by(points[0], points[1]));
        (!through && self.field.is_path_clear(&points)).then_some(points)
    }

    /// Groups that neither end is in.
    fn foreign_groups(&self, link: &Link) -> Vec<Rect> {
        let groups = (0..self.graph.groups.len()).filter(|&group| {
            !self.graph.surrounds(group, link.from) && !self.graph.surrounds(group, link.to)
        });
        groups.map(|group| self.draft.groups[group]).collect()
    }

    /// First around the groups too, near the ends; then wherever there is a way.
    fn around_boxes(&self, link: &Link, ends: &[Point]) -> Option<Vec<Point>> {
        let (from, to) = (self.rect_of(link.from), self.rect_of(link.to));
        let foreign = self.foreign_groups(link);
        let both = from.union(to);
        let gates = (
            free(self.gates(link.from, link.from_port, link.to), ends),
            free(self.gates(link.to, link.to_port, link.from), ends),
        );
        let reach = self.graph.spacing.layer * 4.0;
        let margins = [
            self.graph.spacing.edge * 0.75,
            self.graph.spacing.edge * 0.25,
        ];
        let tries = [
            (Some(reach), true, margins[0]),
            (Some(reach), false, margins[0]),
            (None, false, margins[0]),
            (None, false, margins[1]),
        ];
        tries.into_iter().find_map(|(reach, with_groups, margin)| {
            let mut boxes = match reach {
                Some(reach) => self
                    .field
                    .near(both.grown(reach))
                    .into_iter()
                    .map(|it| self.field.boxes[it])
                    .collect(),
                None if self.field.boxes.len() <= MOST_BOXES => self.field.boxes.clone(),
                None => return None,
            };
            if with_groups && !matches!(self.graph.kind, Kind::Lanes | Kind::Board) {
                boxes.extend(&foreign);
            }
            let found = Search {
                boxes: &boxes,
                margin,
                from: &gates.0,
                to: &gates.1,
            }
            .run();
            found.filter(|points| self.field.is_path_clear(points))
        })
    }

    fn gates(&self, target: Target, port: Option<Port>, other: Target) -> Vec<Gate> {
        let rect = self.rect_of(target);
        if let Some(port) = port {
            return vec![Gate {
                point: rect.on_side(port.side, port.part),
                side: port.side,
            }];
        }
        let is_inside =
            matches!(target, Target::Group(group) if self.graph.surrounds(group, other));
        let sides = Side::ALL.into_iter();
        sides
            .map(|side| Gate {
                point: rect.on_side(side, 0.5),
                side: if is_inside { turned(side) } else { side },
            })
            .collect()
    }

    /// A loop at a side that is free.
    fn looped(&self, link: &Link) -> Option<Course> {
        let rect = self.rect_of(link.from);
        let out = self.graph.spacing.edge * 1.5;
        let loops = [Side::Right, Side::Left, Side::Top, Side::Bottom].map(|side| {
            let (a, b) = (rect.on_side(side, 0.25), rect.on_side(side, 0.75));
            let by = side.outward();
            let by = crate::geometry::at(by.x * out, by.y * out);
            vec![a, a.moved(by), b.moved(by), b]
        });
        let shapes = [self.graph.routing, Routing::Straight].into_iter();
        let mut all = shapes.flat_map(|routing| {
            let points = loops.iter().cloned();
            points.map(move |points| Course { routing, points })
        });
        all.find(|it| self.field.is_path_clear(&seen(it.routing, &it.points)))
    }
}

/// The gates at which no line ends yet, or all if there is none.
fn free(gates: Vec<Gate>, ends: &[Point]) -> Vec<Gate> {
    let is_free = |gate: &&Gate| ends.iter().all(|end| end.distance(gate.point) > 2.0);
    let free: Vec<Gate> = gates.iter().filter(is_free).copied().collect();
    if free.is_empty() { gates } else { free }
}

/// Beyond this many boxes, ways are searched near their ends only.
const MOST_BOXES: usize = 600;

fn turned(side: Side) -> Side {
    match side {
        Side::Top => Side::Bottom,
        Side::Bottom => Side::Top,
        Side::Left => Side::Right,
        Side::Right => Side::Left,
    }
}

/// Where the line from a point inside of a box toward another point leaves it.
pub(crate) fn cut(rect: Rect, inside: Point, toward: Point) -> Point {
    let (dx, dy) = (toward.x - inside.x, toward.y - inside.y);
    let part = |change: f64, low: f64, high: f64, from: f64| {
        if change > 0.0 {
            (high - from) / change
        } else if change < 0.0 {
            (low - from) / change
        } else {
            f64::INFINITY
        }
    };
    let x = part(dx, rect.x, rect.right(), inside.x);
    let y = part(dy, rect.y, rect.bottom(), inside.y);
    let least = x.min(y);
    if least.is_finite() {
        inside.toward(toward, least.clamp(0.0, 1.0))
    } else {
        inside
    }
}

/// Without points that say nothing: those that repeat, and those on the straight way between their neighbours.
pub(crate) fn without_needless(points: &[Point]) -> Vec<Point> {
    let mut kept: Vec<Point> = Vec::with_capacity(points.len());
    for &point in points {
        if kept.last().is_some_and(|last| last.distance(point) < 1e-6) {
            continue;
        }
        while let [.., a, b] = kept[..] {
            let off = (b.x - a.x) * (point.y - a.y) - (b.y - a.y) * (point.x - a.x);
            let on = (b.x - a.x) * (point.x - b.x) + (b.y - a.y) * (point.y - b.y);
            if off.abs() <= 1e-6 * a.distance(point).max(1.0) && on >= 0.0 {
                kept.pop();
            } else {
                break;
            }
        }
        kept.push(point);
    }
    kept
}

/// The line as it is seen: straight pieces.
pub(crate) fn seen(routing: Routing, points: &[Point]) -> Vec<Point> {
    match routing {
        Routing::Curved => curve::flat(points),
        Routing::Straight | Routing::Elbow => points.to_vec(),
    }
}
