//! What holds for every structure.

use glade_layout::{
    Direction, Edge, Group, Id, Kind, Layout, Node, Point, Problem, Rect, Route, Routing, Size,
    Structure, curve, layout, update,
};
use proptest::prelude::*;

/// A structure by numbers, so that it can be shrunk and renamed.
#[derive(Clone, Debug)]
struct Plan {
    kind: usize,
    direction: usize,
    routing: usize,
    nodes: Vec<(u16, u16, Option<usize>)>,
    edges: Vec<(usize, usize, Option<u16>)>,
    /// A parent among those before, the title's width, and a direction.
    groups: Vec<(Option<usize>, u16, Option<usize>)>,
}

fn plans(kinds: std::ops::Range<usize>) -> impl Strategy<Value = Plan> {
    let side = 8..220_u16;
    let node = (side.clone(), 8..120_u16, prop::option::of(0..6_usize));
    let edge = (
        0..40_usize,
        0..40_usize,
        prop::option::weighted(0.3, 10..120_u16),
    );
    let group = (
        prop::option::of(0..6_usize),
        0..160_u16,
        prop::option::weighted(0.2, 0..4_usize),
    );
    (
        kinds,
        0..4_usize,
        0..3_usize,
        prop::collection::vec(node, 1..26),
        prop::collection::vec(edge, 0..34),
        prop::collection::vec(group, 0..5),
    )
        .prop_map(|(kind, direction, routing, nodes, edges, groups)| Plan {
            kind,
            direction,
            routing,
            nodes,
            edges,
            groups,
        })
}

impl Plan {
    fn structure(&self, name: &dyn Fn(&str, usize) -> Id) -> Structure {
        let size = |w: u16, h: u16| Size::new(f64::from(w), f64::from(h)).unwrap();
        let mut all = Structure::new(
            Kind::ALL[self.kind],
            Direction::ALL[self.direction],
            Routing::ALL[self.routing],
        );
        let group = |it: Option<usize>| {
            let count = self.groups.len();
            it.filter(|_| count > 0).map(|it| name("g", it % count))
        };
        for (at, &(w, h, inside)) in self.nodes.iter().enumerate() {
            let mut node = Node::new(name("n", at), size(w, h));
            node.group = group(inside);
            all.nodes.push(node);
        }
        for (at, &(from, to, label)) in self.edges.iter().enumerate() {
            let end = |it: usize| name("n", it % self.nodes.len());
            let mut edge = Edge::new(name("e", at), end(from), end(to));
            edge.label = label.map(|w| size(w, 18));
            all.edges.push(edge);
        }
        for (at, &(parent, title, direction)) in self.groups.iter().enumerate() {
            let mut group = Group::new(
                name("g", at),
                if title < 20 {
                    Size::default()
                } else {
                    size(title, 18)
                },
            );
            group.parent = parent.filter(|_| at > 0).map(|it| name("g", it % at));
            group.direction = direction.map(|it| Direction::ALL[it]);
            all.groups.push(group);
        }
        all
    }

    fn named(&self) -> Structure {
        self.structure(&|kind, at| format!("{kind}{at}").into())
    }
}

fn overlaps(one: Rect, other: Rect) -> bool {
    let shared = |a: f64, b: f64, c: f64, d: f64| b.min(d) - a.max(c);
    shared(one.x(), one.right(), other.x(), other.right()) > 0.01
        && shared(one.y(), one.bottom(), other.y(), other.bottom()) > 0.01
}

fn contains(outer: Rect, inner: Rect) -> bool {
    outer.x() <= inner.x() + 0.01
        && outer.y() <= inner.y() + 0.01
        && outer.right() >= inner.right() - 0.01
        && outer.bottom() >= inner.bottom() - 0.01
}

fn seen(route: &Route) -> Vec<Point> {
    match route {
        Route::Path {
            routing: Routing::Curved,
            points,
        } if points.len() > 2 => {
            let mut flat = vec![points[0]];
            for [a, b, c, d] in curve::beziers(points) {
                for part in 1..=6 {
                    let t = f64::from(part) / 6.0;
                    let mix = |f: fn(Point) -> f64| {
                        let (s, t3) = (1.0 - t, t);
                        f(a) * s * s * s
                            + 3.0 * f(b) * s * s * t3
                            + 3.0 * f(c) * s * t3 * t3
                            + f(d) * t3 * t3 * t3
                    };
                    flat.push(Point::new(mix(Point::x), mix(Point::y)).unwrap());
                }
            }
            flat
        }
        other => other.points().to_vec(),
    }
}

fn inner(rect: Rect) -> Option<Rect> {
    let (w, h) = (rect.w() - 1.0, rect.h() - 1.0);
    Rect::new(rect.x() + 0.5, rect.y() + 0.5, w, h).ok()
}

/// All that is wrong with a layout of this structure.
fn faults(structure: &Structure, found: &Layout) -> Vec<String> {
    let mut faults = Vec::new();
    for (at, one) in found.nodes.iter().enumerate() {
        for other in &found.nodes[at + 1..] {
            if overlaps(one.rect, other.rect) {
                faults.push(format!("{:?} lies on {:?}", one.id, other.id));
            }
        }
    }
    if structure.kind != Kind::Sequence {
        group_faults(structure, found, &mut faults);
    }
    for edge in &found.edges {
        for pair in seen(&edge.route).windows(2) {
            for node in &found.nodes {
                if structure.kind != Kind::Sequence
                    && inner(node.rect).is_some_and(|it| it.is_crossed_by(pair[0], pair[1]))
                {
                    faults.push(format!("{:?} goes through {:?}", edge.id, node.id));
                }
            }
        }
        let unroutable = found
            .problems
            .contains(&Problem::Unroutable(edge.id.clone()));
        if (edge.route == Route::Unroutable) != unroutable {
            faults.push(format!("{:?} has no way and nobody says so", edge.id));
        }
        label_faults(found, edge, &mut faults);
    }
    faults.dedup();
    faults
}

fn group_faults(structure: &Structure, found: &Layout, faults: &mut Vec<String>) {
    let rect_of = |id: &Id| {
        let group = found.groups.iter().find(|it| it.id == *id);
        group.map(|it| it.rect).unwrap()
    };
    for (node, placed) in structure.nodes.iter().zip(&found.nodes) {
        if node
            .group
            .as_ref()
            .is_some_and(|it| !contains(rect_of(it), placed.rect))
        {
            faults.push(format!("{:?} is outside of its group", node.id));
        }
    }
    for (group, placed) in structure.groups.iter().zip(&found.groups) {
        if group
            .parent
            .as_ref()
            .is_some_and(|it| !contains(rect_of(it), placed.rect))
        {
            faults.push(format!("{:?} is outside of its group", group.id));
        }
        if !contains(placed.rect, placed.title) {
            faults.push(format!("the title of {:?} is outside of it", group.id));
        }
        for node in &found.nodes {
            if overlaps(node.rect, placed.title) {
                faults.push(format!("{:?} lies on the title of {:?}", node.id, group.id));
            }
        }
        let is_inside = |id: &Id| {
            let mut next = structure
                .nodes
                .iter()
                .find(|it| it.id == *id)
                .and_then(|it| it.group.clone());
            while let Some(around) = next {
                if around == group.id {
                    return true;
                }
                next = structure
                    .groups
                    .iter()
                    .find(|it| it.id == around)
                    .and_then(|it| it.parent.clone());
            }
            false
        };
        for node in &found.nodes {
            if !is_inside(&node.id) && overlaps(node.rect, placed.rect) {
                faults.push(format!(
                    "{:?} lies in {:?}, which is not its group",
                    node.id, group.id
                ));
            }
        }
    }
}

fn label_faults(found: &Layout, edge: &glade_layout::PlacedEdge, faults: &mut Vec<String>) {
    let Some(label) = edge.label else {
        return;
    };
    let is_said = |id: &Id| found.problems.contains(&Problem::LabelCovers(id.clone()));
    if is_said(&edge.id) {
        return;
    }
    for node in &found.nodes {
        if overlaps(node.rect, label.rect) {
            faults.push(format!("the label of {:?} covers {:?}", edge.id, node.id));
        }
    }
    for other in found
        .edges
        .iter()
        .filter(|it| it.id != edge.id && !is_said(&it.id))
    {
        if other.label.is_some_and(|it| overlaps(it.rect, label.rect)) {
            faults.push(format!(
                "the labels of {:?} and {:?} lie on each other",
                edge.id, other.id
            ));
        }
    }
}

/// Every number that a layout has, without the names.
fn numbers(found: &Layout) -> Vec<f64> {
    let rects = found
        .nodes
        .iter()
        .map(|it| it.rect)
        .chain(found.groups.iter().flat_map(|it| [it.rect, it.title]));
    let rects = rects.chain(
        found
            .edges
            .iter()
            .filter_map(|it| it.label)
            .map(|it| it.rect),
    );
    let rects = rects.flat_map(|it| [it.x(), it.y(), it.w(), it.h()]);
    let points = found.edges.iter().flat_map(|it| it.route.points());
    rects
        .chain(points.flat_map(|it| [it.x(), it.y()]))
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn nothing_overlaps_and_no_line_goes_through_a_box(plan in plans(0..9)) {
        let structure = plan.named();
        let found = layout(&structure).unwrap();
        prop_assert_eq!(faults(&structure, &found), Vec::<String>::new());
        prop_assert!(numbers(&found).iter().all(|it| it.is_finite()));
    }

    #[test]
    fn names_decide_nothing(plan in plans(0..9)) {
        let found = layout(&plan.named()).unwrap();
        let other = layout(&plan.structure(&|kind, at| format!("{}{kind}", 1000 - at * 7).into())).unwrap();
        prop_assert_eq!(numbers(&found), numbers(&other));
        prop_assert_eq!(found, layout(&plan.named()).unwrap());
    }

    #[test]
    fn a_layout_after_itself_is_the_same(plan in plans(0..9)) {
        let structure = plan.named();
        let found = layout(&structure).unwrap();
        let again = update(&structure, &found).unwrap();
        let moved = found.nodes.iter().zip(&again.nodes).filter(|(a, b)| !contains(a.rect, b.rect)).count();
        prop_assert_eq!(moved, 0);
        prop_assert_eq!(faults(&structure, &again), Vec::<String>::new());
    }

    #[test]
    fn pinned_nodes_stay_where_they_are(plan in plans(0..4), places in prop::collection::vec((0..25_usize, -800..800_i16, -800..800_i16), 1..4)) {
        let mut structure = plan.named();
        let count = structure.nodes.len();
        for &(node, x, y) in &places {
            structure.nodes[node % count].pin = Some(Point::new(f64::from(x), f64::from(y)).unwrap());
        }
        let found = layout(&structure).unwrap();
        for (node, placed) in structure.nodes.iter().zip(&found.nodes) {
            if let Some(pin) = node.pin {
                prop_assert_eq!((placed.rect.x(), placed.rect.y()), (pin.x(), pin.y()));
            }
        }
        let crowded = found.problems.iter().any(|it| matches!(it, Problem::PinsOverlap(..) | Problem::PinTearsGroup(_)));
        if !crowded && structure.groups.is_empty() {
            prop_assert_eq!(faults(&structure, &found), Vec::<String>::new());
        }
    }

    #[test]
    fn an_update_is_as_sound_as_a_layout(plan in plans(0..9), more in plans(0..1)) {
        let structure = plan.named();
        let before = layout(&structure).unwrap();
        let mut grown = plan.clone();
        grown.nodes.extend(more.nodes.iter().take(3));
        grown.edges.extend(more.edges.iter().take(4));
        let structure = grown.structure(&|kind, at| format!("{kind}{at}").into());
        let after = update(&structure, &before).unwrap();
        prop_assert_eq!(faults(&structure, &after), Vec::<String>::new());
    }
}

/// Seeded graphs with boxes of usual sizes: every line has a way, every label a place.
#[test]
fn usual_graphs_have_no_problems() {
    for seed in 0..60_u64 {
        for kind in [Kind::Layered, Kind::Tree] {
            let routing = Routing::ALL[seed as usize % 3];
            let direction = Direction::ALL[seed as usize % 4];
            let structure =
                crate::plain::random(kind, direction, routing, 6 + seed as usize % 20, seed);
            let found = layout(&structure).unwrap();
            assert_eq!(
                faults(&structure, &found),
                Vec::<String>::new(),
                "seed {seed}"
            );
            if kind == Kind::Layered {
                assert_eq!(found.problems, vec![], "seed {seed}");
            }
        }
    }
}
