//! What nobody means, and everybody sends: it is refused by name, or laid out.

use glade_layout::{
    Direction, Edge, FARTHEST, Group, Kind, Layout, LayoutError, Node, Point, Routing, Size, Step,
    Structure, layout,
};

use crate::plain::size;

fn with_nodes(kind: Kind, sizes: &[Size]) -> Structure {
    let mut all = Structure::new(kind, Direction::Down, Routing::Elbow);
    for (at, &size) in sizes.iter().enumerate() {
        all.nodes.push(Node::new(format!("n{at}"), size));
    }
    all
}

#[test]
fn numbers_that_are_none_are_refused_where_they_are_made() {
    for wrong in [f64::NAN, f64::INFINITY, -1.0, FARTHEST * 2.0] {
        assert!(Size::new(wrong, 1.0).is_err(), "{wrong}");
        assert!(Size::new(1.0, wrong).is_err(), "{wrong}");
    }
    assert!(Point::new(f64::NAN, 0.0).is_err());
    assert!(Point::new(0.0, f64::NEG_INFINITY).is_err());
}

#[test]
fn nothing_is_laid_out_as_nothing() {
    for kind in Kind::ALL {
        let found = layout(&with_nodes(kind, &[])).unwrap();
        assert_eq!((found.nodes.len(), found.problems), (0, vec![]), "{kind:?}");
    }
}

#[test]
fn boxes_without_a_size_and_huge_ones_are_placed_by_every_kind() {
    let sizes = [
        size(0.0, 0.0),
        size(FARTHEST, 2.0),
        size(3.0, FARTHEST),
        size(0.0, 40.0),
        size(90.0, 40.0),
    ];
    for kind in Kind::ALL {
        let mut all = with_nodes(kind, &sizes);
        for (at, (from, to)) in [(0, 1), (1, 2), (2, 0), (3, 3), (4, 1), (4, 1)]
            .into_iter()
            .enumerate()
        {
            all.edges.push(Edge::new(
                format!("e{at}"),
                format!("n{from}"),
                format!("n{to}"),
            ));
        }
        let found: Layout = layout(&all).unwrap();
        let placed: Vec<(f64, f64)> = found
            .nodes
            .iter()
            .map(|it| (it.rect.w(), it.rect.h()))
            .collect();
        let given: Vec<(f64, f64)> = sizes.iter().map(|it| (it.w(), it.h())).collect();
        assert_eq!(placed, given, "{kind:?}");
        let finite = found
            .nodes
            .iter()
            .all(|it| it.rect.x().is_finite() && it.rect.y().is_finite());
        assert!(finite, "{kind:?}");
    }
}

#[test]
fn names_that_lead_nowhere_are_refused_by_name() {
    let one = size(10.0, 10.0);
    let mut dangling = with_nodes(Kind::Layered, &[one]);
    dangling.edges.push(Edge::new("e", "n0", "gone"));
    let mut twice = with_nodes(Kind::Layered, &[one]);
    twice.nodes.push(Node::new("n0", one));
    let mut homeless = with_nodes(Kind::Layered, &[one]);
    homeless.nodes[0].group = Some("gone".into());
    let mut circle = with_nodes(Kind::Layered, &[one]);
    circle.groups.push(Group::new("a", one).inside("b"));
    circle.groups.push(Group::new("b", one).inside("a"));
    let mut step = with_nodes(Kind::Sequence, &[one]);
    step.steps.push(Step::Activate("gone".into()));
    let mut port = with_nodes(Kind::Layered, &[one, one]);
    port.edges.push(Edge::new("e", "n0", "n1"));
    port.edges[0].from.port = Some("gone".into());
    let gone = || "gone".into();
    let expected = [
        (
            dangling,
            LayoutError::UnknownEnd {
                edge: "e".into(),
                end: gone(),
            },
        ),
        (twice, LayoutError::Twice("n0".into())),
        (
            homeless,
            LayoutError::UnknownGroup {
                member: "n0".into(),
                group: gone(),
            },
        ),
        (circle, LayoutError::GroupInItself("a".into())),
        (step, LayoutError::UnknownStep(gone())),
        (
            port,
            LayoutError::UnknownPort {
                edge: "e".into(),
                port: gone(),
            },
        ),
    ];
    for (structure, error) in expected {
        assert_eq!(layout(&structure), Err(error));
    }
}

#[test]
fn what_a_stranger_claims_is_not_allocated() {
    let many = with_nodes(Kind::Grid, &vec![size(1.0, 1.0); 5_001]);
    assert!(matches!(
        layout(&many),
        Err(LayoutError::TooMany { what: "nodes", .. })
    ));
}

#[test]
fn a_chain_as_long_as_may_be_needs_no_deep_stack() {
    for kind in [Kind::Layered, Kind::Tree, Kind::MindMap] {
        let mut all = with_nodes(kind, &vec![size(20.0, 20.0); 2_000]);
        for at in 1..2_000 {
            all.edges.push(Edge::new(
                format!("e{at}"),
                format!("n{}", at - 1),
                format!("n{at}"),
            ));
        }
        assert_eq!(layout(&all).unwrap().problems, vec![], "{kind:?}");
    }
}

/// A line may end at a group: at its border, not in it.
#[test]
fn a_line_to_a_group_ends_at_its_border() {
    let mut all = with_nodes(Kind::Layered, &[size(80.0, 40.0), size(80.0, 40.0)]);
    all.groups.push(Group::new("g", size(40.0, 18.0)));
    all.nodes[1].group = Some("g".into());
    all.edges.push(Edge::new("e", "n0", "g"));
    let found = layout(&all).unwrap();
    let frame = found.groups[0].rect;
    let end = *found.edges[0].route.points().last().unwrap();
    let on_x = [frame.x(), frame.right()].contains(&end.x())
        && (frame.y()..=frame.bottom()).contains(&end.y());
    let on_y = [frame.y(), frame.bottom()].contains(&end.y())
        && (frame.x()..=frame.right()).contains(&end.x());
    assert!(on_x || on_y, "{end:?} is not on {frame:?}");
}

#[test]
fn what_is_caught_between_two_pins_gets_out() {
    let mut all = with_nodes(
        Kind::Layered,
        &[size(80.0, 40.0), size(80.0, 40.0), size(80.0, 40.0)],
    );
    all.nodes[0].pin = Some(Point::new(0.0, 0.0).unwrap());
    all.nodes[2].pin = Some(Point::new(0.0, 50.0).unwrap());
    all.edges.push(Edge::new("e0", "n0", "n1"));
    all.edges.push(Edge::new("e1", "n1", "n2"));
    let found = layout(&all).unwrap();
    let rects: Vec<_> = found.nodes.iter().map(|it| it.rect).collect();
    assert_eq!((rects[0].y(), rects[2].y()), (0.0, 50.0));
    assert!(
        !rects[1].overlaps(rects[0]) && !rects[1].overlaps(rects[2]),
        "{rects:?}"
    );
    assert_eq!(found.problems, vec![]);
}

/// An edge keeps its name and gets another end: its old way is not its way.
#[test]
fn an_edge_that_ends_elsewhere_is_drawn_anew() {
    let mut all = with_nodes(Kind::Layered, &[size(80.0, 40.0); 3]);
    all.edges.push(Edge::new("e0", "n0", "n1"));
    all.edges.push(Edge::new("e1", "n0", "n2"));
    let before = layout(&all).unwrap();
    all.edges[1] = Edge::new("e1", "n1", "n2");
    let after = glade_layout::update(&all, &before).unwrap();
    let points = after.edges[1].route.points();
    let touches = |node: usize, point: Point| {
        let it = after.nodes[node].rect;
        let (x, y) = (point.x(), point.y());
        (it.x()..=it.right()).contains(&x) && (it.y()..=it.bottom()).contains(&y)
    };
    assert!(
        touches(1, points[0]) && touches(2, points[points.len() - 1]),
        "{points:?}"
    );
}
