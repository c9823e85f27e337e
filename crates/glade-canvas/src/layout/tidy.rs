//! Laying out what is there, whoever drew it: arrows say the structure, boxes around others are groups.

use std::collections::BTreeMap;

use glade_doc::{Edit, ElementId, Props};
use glade_layout::{Direction, Kind, LayoutError, Routing, Spacing, Structure, layout};
use serde_json::json;

use super::shift::{Changes, shift};
use super::unit::{Unit, movable, unit};
use crate::binding::{self, Run};
use crate::bounds::bounds;
use crate::diagram::mark::{Mark, Part};
use crate::diagram::{read, structure};
use crate::element::{Element, ElementKind};
use crate::geo;
use crate::geometry::{Point, Rect};
use crate::label::PADDING;
use crate::scene::Scene;
use crate::space::free_rect;

/// Between what is tidied and what is not.
const CLEARANCE: f64 = 24.0;
/// Nearer than this to its place is there.
const STILL: f64 = 1.0;

/// The edits that lay these shapes out. They stay where they are as a whole, as far as nothing else is there.
pub fn tidy(scene: &Scene, ids: &[ElementId]) -> Result<Vec<Edit>, LayoutError> {
    let Some(plan) = Plan::new(scene, ids) else {
        return Ok(Vec::new());
    };
    // What is tidy in one direction is not turned into another.
    for direction in Direction::ALL {
        if plan.is_so(&layout(&plan.structure(direction)?)?) {
            return Ok(Vec::new());
        }
    }
    let laid = layout(&plan.structure(plan.direction())?)?;
    let (Some(extent), Some(old)) = (laid.bounds(), plan.bounds()) else {
        return Ok(Vec::new());
    };
    let extent = structure::on_page(extent, Point::default());
    let wanted = Rect::new(old.x, old.y, extent.w, extent.h);
    let place = free_rect(&plan.others(), wanted, CLEARANCE);
    let by = Point::new(place.x - extent.x, place.y - extent.y);
    Ok(plan.edits(&laid, by))
}

/// An arrow between two of them.
struct Link<'s> {
    arrow: &'s Element,
    from: usize,
    to: usize,
}

struct Plan<'s> {
    scene: &'s Scene,
    units: Vec<Unit>,
    /// Which unit is a box around which others, from the inside out.
    parents: Vec<Option<usize>>,
    links: Vec<Link<'s>>,
}

impl<'s> Plan<'s> {
    /// None where there are not two things to lay out.
    fn new(scene: &'s Scene, ids: &[ElementId]) -> Option<Self> {
        let units = together(scene, ids);
        let at: BTreeMap<&ElementId, usize> = units
            .iter()
            .enumerate()
            .flat_map(|(at, unit)| unit.members.iter().map(move |id| (id, at)))
            .collect();
        let links = scene.live().filter_map(|arrow| {
            if arrow.kind() != ElementKind::Arrow || arrow.is_locked() {
                return None;
            }
            let end =
                |binding: Option<crate::element::Binding>| at.get(&binding?.element_id).copied();
            let (from, to) = (end(arrow.start_binding())?, end(arrow.end_binding())?);
            Some(Link { arrow, from, to })
        });
        let links: Vec<Link<'s>> = links.collect();
        let parents = parents(scene, &units);
        (units.len() > 1).then_some(Self {
            scene,
            units,
            parents,
            links,
        })
    }

    fn is_group(&self, unit: usize) -> bool {
        self.parents.contains(&Some(unit))
    }

    /// The one element that a unit is.
    fn element(&self, unit: usize) -> Option<&'s Element> {
        match self.units[unit].members.as_slice() {
            [only] => self.scene.get(only),
            _ => None,
        }
    }

    fn bounds(&self) -> Option<Rect> {
        let all = self.units.iter().map(|unit| unit.bounds);
        all.reduce(|all, one| all.union(&one))
    }

    /// The places of all that is not laid out.
    fn others(&self) -> Vec<Rect> {
        let own: Vec<&ElementId> = self.units.iter().flat_map(|unit| &unit.members).collect();
        let is_other = |it: &&Element| {
            let linked = self.links.iter().any(|link| link.arrow.id == it.id);
            let label = self.scene.container_of(&it.id).is_some();
            !(linked || label || own.contains(&&it.id))
        };
        // Who lies around them now may go on doing so.
        let around = self.bounds();
        let holds = |rect: &Rect| around.is_some_and(|own| rect.contains_rect(&own));
        let others = self.scene.live().filter(is_other).map(bounds);
        others.filter(|rect| !holds(rect)).collect()
    }

    /// Whether all lie to each other as in this layout.
    fn is_so(&self, laid: &glade_layout::Layout) -> bool {
        let moves = self.units.iter().enumerate().filter_map(|(at, unit)| {
            let id = node_id(at);
            let placed = laid.nodes.iter().find(|placed| placed.id == id)?;
            let to = structure::on_page(placed.rect, Point::default());
            Some((to.x - unit.bounds.x, to.y - unit.bounds.y))
        });
        let moves: Vec<(f64, f64)> = moves.collect();
        let first = moves.first().copied().unwrap_or_default();
        let same =
            |by: &(f64, f64)| (by.0 - first.0).abs() < STILL && (by.1 - first.1).abs() < STILL;
        moves.iter().all(same) && self.is_apart()
    }

    /// Whether it lies on nothing that is not laid out.
    fn is_apart(&self) -> bool {
        let others = self.others();
        let free = |unit: &Unit| !others.iter().any(|rect| rect.intersects(&unit.bounds));
        self.units.iter().all(free)
    }

    fn structure(&self, direction: Direction) -> Result<Structure, LayoutError> {
        let mut all = Structure::new(self.kind(), direction, self.routing());
        if self.kind() == Kind::Grid {
            all.spacing = Spacing::new(40.0, 40.0)?;
        }
        for (at, unit) in self.units.iter().enumerate() {
            if self.is_group(at) {
                let label = self
                    .element(at)
                    .and_then(|own| self.scene.label_of(&own.id));
                let title = label.map(|label| label.rect().size()).unwrap_or_default();
                let pad = if label.is_some() { 2.0 * PADDING } else { 0.0 };
                let title = glade_layout::Size::new(title.w + pad, title.h + pad)?;
                let mut group = glade_layout::Group::new(group_id(at), title);
                if let Some(parent) = self.parents[at] {
                    group = group.inside(group_id(parent));
                }
                all.groups.push(group);
                continue;
            }
            let size = glade_layout::Size::new(unit.bounds.w, unit.bounds.h)?;
            let mut node = glade_layout::Node::new(node_id(at), size);
            if let Some(parent) = self.parents[at] {
                node = node.inside(group_id(parent));
            }
            all.nodes.push(node);
        }
        for (at, link) in self.links.iter().enumerate() {
            let end = |unit: usize| {
                if self.is_group(unit) {
                    group_id(unit)
                } else {
                    node_id(unit)
                }
            };
            let mut edge = glade_layout::Edge::new(edge_id(at), end(link.from), end(link.to));
            if let Some(label) = self.scene.label_of(&link.arrow.id) {
                let size = label.rect();
                edge = edge.labelled(glade_layout::Size::new(size.w + 4.0, size.h + 4.0)?);
            }
            all.edges.push(edge);
        }
        Ok(all)
    }

    /// What the diagrams that they are of say of themselves.
    fn marked(&self) -> Vec<(Option<Kind>, Option<Direction>)> {
        let marks = (0..self.units.len()).filter_map(|at| Mark::of(self.element(at)?));
        let said = marks.filter_map(|mark| match mark.part {
            Part::Node {
                kind, direction, ..
            } => Some((
                crate::diagram::kind_named(&kind),
                crate::diagram::direction_named(&direction),
            )),
            _ => None,
        });
        said.collect()
    }

    /// A diagram stays what it is; arrows make a flow of anything else, and what has none stands in rows.
    fn kind(&self) -> Kind {
        let known: Vec<Kind> = self.marked().iter().filter_map(|it| it.0).collect();
        let placed_by_lines = |kind: &&Kind| !structure::has_guides(**kind);
        match known.first().filter(placed_by_lines) {
            Some(kind) if known.iter().all(|other| other == kind) => *kind,
            _ if self.links.is_empty() => Kind::Grid,
            _ => Kind::Layered,
        }
    }

    /// As the diagram has it, else where most arrows point.
    fn direction(&self) -> Direction {
        let known: Vec<Direction> = self.marked().iter().filter_map(|it| it.1).collect();
        if let Some(first) = known
            .first()
            .filter(|first| known.iter().all(|it| it == *first))
        {
            return *first;
        }
        let mut votes = [0_usize; 4];
        for link in self.links.iter().filter(|link| link.from != link.to) {
            let (a, b) = (
                self.units[link.from].bounds.center(),
                self.units[link.to].bounds.center(),
            );
            let (dx, dy) = (b.x - a.x, b.y - a.y);
            let at = match (dx.abs() > dy.abs(), dx >= 0.0, dy >= 0.0) {
                (true, true, _) => 2,
                (true, false, _) => 3,
                (false, _, true) => 0,
                (false, _, false) => 1,
            };
            votes[at] += 1;
        }
        let most = votes.iter().max().copied().unwrap_or(0);
        let first = votes.iter().position(|count| *count == most);
        Direction::ALL[first.unwrap_or(0)]
    }

    /// As most arrows run.
    fn routing(&self) -> Routing {
        let runs = self.links.iter().map(|link| read::routing_of(link.arrow));
        let runs: Vec<Routing> = runs.collect();
        let count = |routing: Routing| runs.iter().filter(|it| **it == routing).count();
        let all = [Routing::Straight, Routing::Elbow, Routing::Curved];
        let most = all.map(count).into_iter().max().unwrap_or(0);
        let first = all.into_iter().find(|routing| count(*routing) == most);
        first.unwrap_or_default()
    }

    fn edits(&self, laid: &glade_layout::Layout, by: Point) -> Vec<Edit> {
        let mut moves = Vec::new();
        for (at, unit) in self.units.iter().enumerate() {
            let id = node_id(at);
            let placed = laid.nodes.iter().find(|placed| placed.id == id);
            if let Some(placed) = placed {
                let to = structure::on_page(placed.rect, by);
                let from = unit.bounds;
                moves.push((unit.clone(), (to.x - from.x, to.y - from.y)));
            }
        }
        let mut after = self.scene.clone();
        let mut changes = Changes::new(self.scene);
        for edit in shift(self.scene, &moves) {
            if let Edit::Put { id, props } = edit {
                changes.put(&id, props);
            }
        }
        for at in 0..self.units.len() {
            let id = group_id(at);
            let placed = laid.groups.iter().find(|placed| placed.id == id);
            if let (Some(placed), Some(element)) = (placed, self.element(at)) {
                let rect = structure::on_page(placed.rect, by);
                changes.put(&element.id, geo::reshape(element, rect));
            }
        }
        after.apply(&changes.so_far());
        for at in 0..self.units.len() {
            if let Some(element) = self.element(at).and_then(|own| after.get(&own.id)) {
                changes.put(&element.id, marked(element));
            }
        }
        for (at, link) in self.links.iter().enumerate() {
            if let Some((props, label)) = self.along(at, link, laid, by, &after) {
                changes.put(&link.arrow.id, props);
                if let Some(words) = self.scene.label_of(&link.arrow.id) {
                    let share = json!(label);
                    changes.put(
                        &words.id,
                        Props::from_iter([("labelPosition".to_owned(), share)]),
                    );
                }
            }
        }
        changes.finish()
    }

    /// An arrow along its way, and where on it its label lies.
    fn along(
        &self,
        at: usize,
        link: &Link<'_>,
        laid: &glade_layout::Layout,
        by: Point,
        after: &Scene,
    ) -> Option<(Props, f64)> {
        let id = edge_id(at);
        let placed = laid.edges.iter().find(|placed| placed.id == id)?;
        let glade_layout::Route::Path { routing, points } = &placed.route else {
            return None;
        };
        let points: Vec<Point> = points
            .iter()
            .map(|point| structure::point_on_page(*point, by))
            .collect();
        let end = |binding: Option<crate::element::Binding>| after.get(&binding?.element_id);
        let (start, last) = (link.arrow.start_binding(), link.arrow.end_binding());
        let run = match routing {
            Routing::Elbow => Run::Elbow,
            _ => Run::Free,
        };
        let geometry = binding::along(&points, run, end(start), end(last))?;
        let mut props = geometry.to_props_over(link.arrow);
        let elbowed = *routing == Routing::Elbow;
        props.insert("elbowed".to_owned(), json!(elbowed));
        let is_round = !elbowed && (*routing == Routing::Curved || points.len() == 2);
        let round = is_round.then(|| json!({"type": 2}));
        props.insert("roundness".to_owned(), json!(round));
        let share = placed.label.map_or(0.5, |label| label.along);
        Some((props, share.clamp(0.02, 0.98)))
    }
}

/// What is laid out: each shape, or what is grouped as one. Lines, loose arrows and what is locked stay.
fn together(scene: &Scene, ids: &[ElementId]) -> Vec<Unit> {
    let mut units: Vec<Unit> = Vec::new();
    for one in movable(scene, ids) {
        let first = one.members.first().and_then(|id| scene.get(id));
        let Some(element) = first else { continue };
        let is_line = element.kind().is_linear() && geo::polygon_kind(element).is_none();
        let is_part = matches!(
            Mark::of(element).map(|mark| mark.part),
            Some(Part::Title | Part::Guide { .. })
        );
        if element.is_locked() || is_line || is_part {
            continue;
        }
        let whole = element.group_ids().last().and_then(|group| {
            let whole = unit(scene, &ElementId::from(*group))?;
            (whole.members.len() > 1).then_some(whole)
        });
        let one = whole.unwrap_or(one);
        if !units.iter().any(|known| known.members == one.members) {
            units.push(one);
        }
    }
    units
}

/// The smallest box around each.
fn parents(scene: &Scene, units: &[Unit]) -> Vec<Option<usize>> {
    let is_box = |unit: &Unit| match unit.members.as_slice() {
        [only] => scene.get(only).is_some_and(|element| {
            element.kind() == ElementKind::Rectangle || element.kind().is_frame()
        }),
        _ => false,
    };
    let inside = |one: &Unit, other: &Unit| {
        other.bounds.area() > one.bounds.area() && other.bounds.contains_rect(&one.bounds)
    };
    let parent = |one: &Unit| {
        let around = units.iter().enumerate();
        let around = around.filter(|(_, other)| is_box(other) && inside(one, other));
        let smallest = around.min_by(|a, b| a.1.bounds.area().total_cmp(&b.1.bounds.area()));
        smallest.map(|(at, _)| at)
    };
    units.iter().map(parent).collect()
}

/// A node of a diagram is where it was put: the layout did.
fn marked(element: &Element) -> Props {
    let mut props = Props::new();
    if let Some(mut mark) = Mark::of(element)
        && mark.put_at(element)
    {
        mark.write(&mut props, Some(element));
    }
    props
}

fn node_id(unit: usize) -> glade_layout::Id {
    glade_layout::Id(format!("n{unit}"))
}

fn group_id(unit: usize) -> glade_layout::Id {
    glade_layout::Id(format!("g{unit}"))
}

fn edge_id(link: usize) -> glade_layout::Id {
    glade_layout::Id(format!("e{link}"))
}
