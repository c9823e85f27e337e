//! Between diagrams on a page and the layout engine.

use glade_layout as engine;
use glade_layout::{Kind, Layout, LayoutError, Structure};

use super::{Diagram, Edge, Group, Hold, Node, measure};
use crate::geometry::{Point, Rect, Size};

/// What the engine is asked: with the sizes that the nodes have or will have.
pub fn of(diagram: &Diagram) -> Result<Structure, LayoutError> {
    let manner = diagram.manner;
    let mut all = Structure::new(manner.kind, manner.direction, manner.lines);
    all.nodes = diagram.nodes.iter().map(node).collect::<Result<_, _>>()?;
    for group in &diagram.groups {
        let title = size(measure::group_title(&group.text))?;
        let mut made = engine::Group::new(group_id(&group.name), title);
        if let Some(parent) = &group.parent {
            made = made.inside(group_id(parent));
        }
        all.groups.push(made);
    }
    for edge in &diagram.edges {
        let end = |name: &str| match diagram.node(name) {
            Some(_) => node_id(name),
            None => group_id(name),
        };
        let mut made = engine::Edge::new(edge_id(edge), end(&edge.from), end(&edge.to));
        if let Some(label) = label_size(edge) {
            made = made.labelled(size(label)?);
        }
        all.edges.push(made);
    }
    Ok(all)
}

/// Where everything is now, as the engine would have said it.
pub fn before(diagram: &Diagram) -> Result<Layout, LayoutError> {
    let mut layout = Layout::default();
    for node in &diagram.nodes {
        if let Some(there) = &node.there {
            let (id, rect) = (node_id(&node.name), rect(there.rect)?);
            layout.nodes.push(engine::Placed { id, rect });
        }
    }
    for group in &diagram.groups {
        if let Some(there) = &group.there {
            layout.groups.push(engine::PlacedGroup {
                id: group_id(&group.name),
                rect: rect(there.rect)?,
                title: rect(title_rect(group, there.rect))?,
            });
        }
    }
    for edge in &diagram.edges {
        let Some(way) = edge.there.as_ref().filter(|way| way.points.len() > 1) else {
            continue;
        };
        let points = way.points.iter().map(|at| engine::Point::new(at.x, at.y));
        let label = way.label.filter(|_| label_size(edge).is_some());
        let wanted = label_size(edge);
        layout.edges.push(engine::PlacedEdge {
            id: edge_id(edge),
            route: engine::Route::Path {
                routing: way.routing,
                points: points.collect::<Result<_, _>>()?,
            },
            label: match label.zip(wanted) {
                Some((label, size)) => Some(engine::Label {
                    rect: rect(Rect::centered(label.center(), size))?,
                    along: 0.5,
                }),
                None => None,
            },
        });
    }
    Ok(layout)
}

/// Whether it has been laid out before.
pub fn is_laid(diagram: &Diagram) -> bool {
    let laid = |node: &Node| {
        let there = node.there.as_ref();
        there.is_some_and(|there| there.hold != Hold::Guest)
    };
    diagram.nodes.iter().any(laid)
}

fn node(node: &Node) -> Result<engine::Node, LayoutError> {
    let (wanted, pin) = match &node.there {
        Some(there) => {
            let pin = (there.hold != Hold::Laid).then_some(there.rect);
            (there.rect.size(), pin)
        }
        None => (measure::node(node.form, &node.text), None),
    };
    let mut made = engine::Node::new(node_id(&node.name), size(wanted)?);
    if let Some(group) = &node.group {
        made = made.inside(group_id(group));
    }
    if let Some(pin) = pin {
        made = made.pinned(engine::Point::new(pin.x, pin.y)?);
    }
    Ok(made)
}

/// Where the title of a group's box stands.
fn title_rect(group: &Group, rect: Rect) -> Rect {
    let size = measure::group_title(&group.text);
    Rect::new(rect.x, rect.y, size.w, size.h)
}

fn label_size(edge: &Edge) -> Option<Size> {
    measure::edge_label(&edge.text)
}

/// Names of nodes, edges and groups may be the same; the engine's are not.
pub fn node_id(name: &str) -> engine::Id {
    engine::Id(format!("n:{name}"))
}

pub fn group_id(name: &str) -> engine::Id {
    engine::Id(format!("g:{name}"))
}

pub fn edge_id(edge: &Edge) -> engine::Id {
    engine::Id(format!("e:{}", edge.name))
}

fn size(size: Size) -> Result<engine::Size, LayoutError> {
    engine::Size::new(size.w, size.h)
}

fn rect(rect: Rect) -> Result<engine::Rect, LayoutError> {
    engine::Rect::new(rect.x, rect.y, rect.w, rect.h)
}

/// The engine's rectangle on the page.
pub fn on_page(rect: engine::Rect, by: Point) -> Rect {
    Rect::new(rect.x() + by.x, rect.y() + by.y, rect.w(), rect.h())
}

pub fn point_on_page(point: engine::Point, by: Point) -> Point {
    Point::new(point.x() + by.x, point.y() + by.y)
}

/// Whether the lines that are no edges (an axis, lifelines) belong to this kind.
pub fn has_guides(kind: Kind) -> bool {
    matches!(kind, Kind::Sequence | Kind::Timeline)
}
