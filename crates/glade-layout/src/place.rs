//! From a structure to its layout: the engine for its kind, pins, routes.

use std::collections::HashMap;

use crate::draft::{Draft, Was};
use crate::geometry::{self, Point, Rect, at};
use crate::graph::Graph;
use crate::outcome::{Layout, Placed, PlacedEdge, PlacedGroup, Problem, Route, SequenceMarks};
use crate::structure::Structure;
use crate::{Id, Kind, LayoutError, flow, grid, pins, route, sequence, timeline, tree};

/// Lays a structure out from nothing, its top left corner at 0, 0 unless something is pinned.
pub fn layout(structure: &Structure) -> Result<Layout, LayoutError> {
    let graph = Graph::new(structure)?;
    place(structure, &graph, None)
}

/// Lays a structure out after another layout: what was there moves little, what is new finds its place.
pub fn update(structure: &Structure, before: &Layout) -> Result<Layout, LayoutError> {
    let graph = Graph::new(structure)?;
    let was = Was::new(structure, before);
    if was.nodes.iter().all(Option::is_none) {
        return place(structure, &graph, None);
    }
    place(structure, &graph, Some(&was))
}

impl Was {
    fn new(structure: &Structure, before: &Layout) -> Self {
        let nodes: HashMap<&Id, Rect> = before.nodes.iter().map(|it| (&it.id, it.rect)).collect();
        let groups = before.groups.iter().map(|it| (&it.id, (it.rect, it.title)));
        let groups: HashMap<&Id, (Rect, Rect)> = groups.collect();
        let edges: HashMap<&Id, &PlacedEdge> = before.edges.iter().map(|it| (&it.id, it)).collect();
        let points = |edge: &&PlacedEdge| match &edge.route {
            Route::Path { routing, points } if *routing == structure.routing => {
                Some(points.clone())
            }
            _ => None,
        };
        // An edge that now ends elsewhere is a new one.
        let is_at = |end: &crate::End, point: Option<&Point>| {
            let node = nodes.get(&end.at).copied();
            let rect = node.or_else(|| groups.get(&end.at).map(|it| it.0));
            point.is_none_or(|point| rect.is_some_and(|it| it.grown(0.5).holds(*point)))
        };
        let known = structure.edges.iter().map(|it| {
            let edge = edges.get(&it.id)?;
            let points = edge.route.points();
            (is_at(&it.from, points.first()) && is_at(&it.to, points.last())).then_some(edge)
        });
        let known: Vec<Option<&&PlacedEdge>> = known.collect();
        let known = known.into_iter();
        let nodes = structure.nodes.iter().map(|it| nodes.get(&it.id).copied());
        let groups = structure.groups.iter().map(|it| groups.get(&it.id));
        let label = |edge: &&PlacedEdge| edge.label.map(|it| it.rect);
        Self {
            nodes: nodes.collect(),
            groups: groups.clone().map(|it| it.map(|it| it.0)).collect(),
            titles: groups.map(|it| it.map(|it| it.1)).collect(),
            links: known.clone().map(|it| it.and_then(points)).collect(),
            labels: known.clone().map(|it| it.and_then(label)).collect(),
            knew: known.map(|it| it.is_some()).collect(),
        }
    }
}

fn place(structure: &Structure, graph: &Graph, was: Option<&Was>) -> Result<Layout, LayoutError> {
    let mut marks = SequenceMarks::default();
    let mut draft = match graph.kind {
        _ if is_flow(graph) => flow::place(graph, was),
        Kind::Layered | Kind::Tree => tree::chart(graph),
        Kind::MindMap => tree::mind_map(graph, was),
        Kind::Radial => tree::radial(graph),
        Kind::Grid => grid::cells(graph),
        Kind::Board => grid::board(graph),
        Kind::Lanes => grid::lanes(graph),
        Kind::Timeline => timeline::place(graph),
        Kind::Sequence => {
            let (draft, found) = sequence::place(graph, structure)?;
            marks = found;
            draft
        }
    };
    let is_incremental = was.is_some() && is_flow(graph);
    if let Some(was) = was.filter(|_| !is_incremental) {
        let by = usual_move(&draft, was);
        move_all(&mut draft, &mut marks, by);
    }
    let mut problems = Vec::new();
    if graph.nodes.iter().any(|it| it.pin.is_some()) {
        let by = pins::usual_move(graph, &draft);
        move_all(&mut draft, &mut marks, by);
        if graph.kind != Kind::Sequence {
            pins::keep(structure, graph, &mut draft, &mut problems);
        }
    } else if was.is_none() {
        let by = corner(&draft, &marks);
        move_all(&mut draft, &mut marks, at(-by.x, -by.y));
    }
    let was = was.filter(|_| graph.kind != Kind::Sequence);
    let kept = was.map(|was| keep_links(graph, &mut draft, was));
    let ways = if graph.kind == Kind::Sequence {
        sequence::ways(graph, &draft)
    } else {
        route::all(graph, &draft, &kept.unwrap_or_default())
    };
    Ok(assembled(structure, draft, marks, ways, problems))
}

/// Whether the layered engine is asked: for flows, and for trees and lanes with groups that those have no room for.
fn is_flow(graph: &Graph) -> bool {
    match graph.kind {
        Kind::Layered => true,
        Kind::Tree | Kind::MindMap | Kind::Radial => !graph.groups.is_empty(),
        Kind::Lanes => graph.groups.iter().any(|it| it.parent.is_some()),
        _ => false,
    }
}

fn move_all(draft: &mut Draft, marks: &mut SequenceMarks, by: Point) {
    draft.move_all(by);
    sequence::move_marks(marks, by);
}

fn corner(draft: &Draft, marks: &SequenceMarks) -> Point {
    let points = draft.guides.iter().flatten().flatten();
    let points = points.map(|it| geometry::rect(it.x, it.y, 0.0, 0.0));
    let frames = marks.frames.iter().map(|it| it.rect);
    let notes = marks.notes.iter().map(|it| it.rect);
    let axis = draft
        .axis
        .map(|(from, _)| geometry::rect(from.x, from.y, 0.0, 0.0));
    let rects = draft.nodes.iter().chain(&draft.groups).copied();
    let labels = draft.labels.iter().flatten().copied();
    let all = rects
        .chain(labels)
        .chain(points)
        .chain(frames)
        .chain(notes)
        .chain(axis);
    geometry::bounds(all).unwrap_or_default().corner()
}

/// How far most nodes are from where they were.
fn usual_move(draft: &Draft, was: &Was) -> Point {
    let both = draft.nodes.iter().zip(&was.nodes);
    let moves: Vec<Point> = both
        .filter_map(|(now, was)| was.map(|it| it.corner().minus(now.corner())))
        .collect();
    pins::middle(&moves)
}

/// Links whose ends stayed, or moved together, keep their way; whether they do.
fn keep_links(graph: &Graph, draft: &mut Draft, was: &Was) -> Vec<bool> {
    let moved = |target: crate::graph::Target| {
        let (now, then) = match target {
            crate::graph::Target::Node(node) => (draft.nodes[node], was.nodes[node]),
            crate::graph::Target::Group(group) => (draft.groups[group], was.groups[group]),
        };
        then.filter(|it| it.size() == now.size())
            .map(|it| now.corner().minus(it.corner()))
    };
    let moves: Vec<Option<Point>> = graph
        .links
        .iter()
        .map(|link| {
            let (from, to) = (moved(link.from)?, moved(link.to)?);
            (from.distance(to) < 1e-6).then_some(from)
        })
        .collect();
    let mut kept = vec![false; graph.links.len()];
    for (at, by) in moves.into_iter().enumerate() {
        let (Some(by), Some(points)) = (by, &was.links[at]) else {
            continue;
        };
        let size = was.labels[at].map(Rect::size);
        if size != graph.links[at].label {
            continue;
        }
        draft.guides[at] = Some(points.iter().map(|it| it.moved(by)).collect());
        draft.labels[at] = was.labels[at].map(|it| it.moved(by));
        kept[at] = true;
    }
    kept
}

fn assembled(
    structure: &Structure,
    draft: Draft,
    sequence: SequenceMarks,
    ways: Vec<route::Way>,
    mut problems: Vec<Problem>,
) -> Layout {
    for (edge, way) in structure.edges.iter().zip(&ways) {
        if way.route == Route::Unroutable {
            problems.push(Problem::Unroutable(edge.id.clone()));
        }
        if way.label_covers {
            problems.push(Problem::LabelCovers(edge.id.clone()));
        }
    }
    let nodes = structure.nodes.iter().zip(draft.nodes);
    let groups = structure
        .groups
        .iter()
        .zip(draft.groups.into_iter().zip(draft.titles));
    let edges = structure.edges.iter().zip(ways);
    Layout {
        nodes: nodes
            .map(|(it, rect)| Placed {
                id: it.id.clone(),
                rect,
            })
            .collect(),
        groups: groups
            .map(|(it, (rect, title))| PlacedGroup {
                id: it.id.clone(),
                rect,
                title,
            })
            .collect(),
        edges: edges
            .map(|(it, way)| PlacedEdge {
                id: it.id.clone(),
                route: way.route,
                label: way.label,
            })
            .collect(),
        sequence,
        axis: draft.axis,
        problems,
    }
}
