//! Elements of a diagram that is laid out: new ones as the editor would make them, changes of those that are there.

use glade_doc::{ElementId, Props};
use glade_layout::{Direction, Kind, Layout, Route, Routing};
use serde_json::{Value, json};

use super::mark::{Mark, Part};
use super::structure::{edge_id, group_id, node_id, on_page, point_on_page};
use super::{Diagram, Edge, EdgeLook, Form, Group, Heads, Node, Stroke, measure};
use crate::binding::{self, Run};
use crate::element::{Element, ElementKind, TextAlign};
use crate::factory::{self, FONT_SIZE, Style};
use crate::geo;
use crate::geometry::{Point, Rect};
use crate::palette::{Color, Fill};
use crate::text::{FontFamily, wrap};

/// What a new element needs besides its looks.
#[derive(Clone, Debug, PartialEq)]
pub struct Fresh {
    pub id: ElementId,
    pub seed: u32,
    pub index: String,
}

/// A diagram with places for all of it, and how far those are moved on the page.
pub struct Laid<'a> {
    pub diagram: &'a Diagram,
    pub layout: &'a Layout,
    pub by: Point,
}

impl Laid<'_> {
    pub fn node_rect(&self, node: &Node) -> Option<Rect> {
        let id = node_id(&node.name);
        let placed = self.layout.nodes.iter().find(|placed| placed.id == id)?;
        Some(on_page(placed.rect, self.by))
    }

    pub fn group_rect(&self, group: &Group) -> Option<Rect> {
        let id = group_id(&group.name);
        let placed = self.layout.groups.iter().find(|placed| placed.id == id)?;
        Some(on_page(placed.rect, self.by))
    }

    /// All that it takes but the title.
    pub fn extent(&self) -> Option<Rect> {
        Some(on_page(self.layout.bounds()?, self.by))
    }

    /// A new node.
    pub fn new_node(&self, node: &Node, fresh: &Fresh) -> Option<Props> {
        let rect = self.node_rect(node)?;
        let Fresh { id, seed, index } = fresh;
        let mut props = match node.form {
            Form::Shape(kind) => factory::geo(kind, rect, node.style, *seed, index),
            Form::Note => factory::sticky_note(rect, node.style.color, *seed, index),
            Form::Words => {
                let words = wrap(&node.text, FontFamily::Excalifont, FONT_SIZE, 200.0);
                let at = Point::new(rect.center().x, rect.y);
                let color = node.style.color;
                factory::text(
                    &words,
                    at,
                    TextAlign::Center,
                    color,
                    FONT_SIZE,
                    *seed,
                    index,
                )
            }
        };
        self.node_mark(node, rect, id).write(&mut props, None);
        Some(props)
    }

    /// What moves or resizes a node that is there; nothing for what is no part of the diagram.
    pub fn moved_node(&self, node: &Node, element: &Element) -> Option<Props> {
        let rect = self.node_rect(node)?;
        let mut props = match element.kind() {
            ElementKind::Text => Props::from_iter([
                ("x".to_owned(), json!(rect.x)),
                ("y".to_owned(), json!(rect.y)),
            ]),
            _ if element.angle() != 0.0 => Props::new(),
            _ => geo::reshape(element, rect),
        };
        if element.kind() == ElementKind::StickyNote {
            props.insert("baseHeight".to_owned(), json!(rect.h));
        }
        self.node_mark(node, rect, &element.id)
            .write(&mut props, Some(element));
        Some(props)
    }

    fn node_mark(&self, node: &Node, rect: Rect, id: &ElementId) -> Mark {
        let part = Part::node(&node.name, node.group.as_deref(), rect, self.diagram.manner);
        Mark::new(&self.diagram.id, id, part)
    }

    pub fn new_group(&self, group: &Group, fresh: &Fresh) -> Option<Props> {
        let rect = self.group_rect(group)?;
        let style = Style::new(Color::Grey, Fill::None);
        let kind = geo::ShapeKind::Rectangle;
        let mut props = factory::shape(kind, rect, style, fresh.seed, &fresh.index);
        props.insert("strokeWidth".to_owned(), json!(1));
        self.group_mark(group, &fresh.id).write(&mut props, None);
        Some(props)
    }

    pub fn moved_group(&self, group: &Group, element: &Element) -> Option<Props> {
        let mut props = geo::reshape(element, self.group_rect(group)?);
        self.group_mark(group, &element.id)
            .write(&mut props, Some(element));
        Some(props)
    }

    fn group_mark(&self, group: &Group, id: &ElementId) -> Mark {
        let part = Part::Group {
            name: group.name.clone(),
            parent: group.parent.clone(),
        };
        Mark::new(&self.diagram.id, id, part)
    }

    /// An arrow, new or there, between elements as they will be.
    pub fn arrow(&self, edge: &Edge, ends: &Ends<'_>, to: Arrow<'_>) -> Option<Props> {
        let id = edge_id(edge);
        let placed = self.layout.edges.iter().find(|placed| placed.id == id)?;
        let (routing, points) = match &placed.route {
            Route::Path { routing, points } => {
                let points = points.iter().map(|at| point_on_page(*at, self.by));
                (*routing, points.collect::<Vec<Point>>())
            }
            Route::Unroutable => (Routing::Straight, Vec::new()),
        };
        let run = match routing {
            Routing::Elbow => Run::Elbow,
            _ => Run::Free,
        };
        let geometry = if self.diagram.manner.kind == Kind::Sequence {
            binding::along(&points, Run::Free, None, None)
        } else {
            let planned = binding::along(&points, run, Some(ends.from), Some(ends.to));
            // Better an arrow through a box than none: what leads where is the point.
            let straight = || {
                let end = binding::End::Element;
                binding::route(end(ends.from), end(ends.to))
            };
            Some(planned.unwrap_or_else(straight))
        }?;
        let bends = geometry.points.len() > 2;
        let (mut props, id, old) = match to {
            Arrow::New(Fresh { id, seed, index }) => {
                let mut props = factory::arrow(&geometry, edge.look.color, *seed, index);
                look(&mut props, edge.look);
                (props, id, None)
            }
            Arrow::There(arrow) => (geometry.to_props_over(arrow), &arrow.id, Some(arrow)),
        };
        let elbowed = routing == Routing::Elbow && !points.is_empty();
        let elbowed = elbowed && self.diagram.manner.kind != Kind::Sequence;
        props.insert("elbowed".to_owned(), json!(elbowed));
        let round = match (routing, bends) {
            (Routing::Curved, _) | (_, false) if !elbowed => json!({"type": 2}),
            _ => Value::Null,
        };
        props.insert("roundness".to_owned(), round);
        let part = Part::Edge {
            name: edge.name.clone(),
            from: edge.from.clone(),
            to: edge.to.clone(),
            bound: self.diagram.manner.kind != Kind::Sequence,
        };
        Mark::new(&self.diagram.id, id, part).write(&mut props, old);
        Some(props)
    }

    /// The words on an arrow.
    pub fn arrow_label(&self, edge: &Edge, arrow: &Element, fresh: &Fresh) -> Props {
        let words = measure::edge_words(&edge.text);
        let mut props = factory::label(arrow, &words, fresh.seed, &fresh.index);
        props.insert("fontSize".to_owned(), json!(measure::EDGE_FONT));
        props.insert("labelPosition".to_owned(), json!(self.label_share(edge)));
        props
    }

    /// Which part of an arrow lies before its label.
    pub fn label_share(&self, edge: &Edge) -> f64 {
        let id = edge_id(edge);
        let placed = self.layout.edges.iter().find(|placed| placed.id == id);
        let label = placed.and_then(|placed| placed.label);
        label.map_or(0.5, |label| label.along.clamp(0.02, 0.98))
    }

    /// The words in a group's box, at its upper edge.
    pub fn group_label(&self, container: &Element, words: &str, fresh: &Fresh) -> Props {
        let mut props = factory::label(container, words, fresh.seed, &fresh.index);
        // Lanes that lie side by side one below the other have theirs at their beginning.
        let manner = self.diagram.manner;
        let is_row = matches!(manner.direction, Direction::Right | Direction::Left);
        let (vertical, across) = match manner.kind {
            Kind::Lanes if is_row => ("middle", "left"),
            _ => ("top", "center"),
        };
        props.insert("verticalAlign".to_owned(), json!(vertical));
        props.insert("textAlign".to_owned(), json!(across));
        props.insert("fontSize".to_owned(), json!(measure::GROUP_FONT));
        props
    }

    /// The title, above all the rest.
    pub fn title(&self, words: &str, fresh: &Fresh) -> Option<Props> {
        let rect = measure::title_rect(words, self.extent()?);
        let at = Point::new(rect.center().x, rect.y);
        let (seed, index) = (fresh.seed, fresh.index.as_str());
        let (align, size) = (TextAlign::Center, measure::TITLE_FONT);
        let mut props = factory::text(words, at, align, Color::Black, size, seed, index);
        Mark::new(&self.diagram.id, &fresh.id, Part::Title).write(&mut props, None);
        Some(props)
    }

    /// Lines that belong to no edge, by name.
    pub fn guides(&self) -> Vec<(String, Vec<Point>)> {
        let page = |(a, b): (glade_layout::Point, glade_layout::Point)| {
            vec![point_on_page(a, self.by), point_on_page(b, self.by)]
        };
        let mut guides = Vec::new();
        if let Some(axis) = self.layout.axis {
            guides.push(("axis".to_owned(), page(axis)));
            guides.extend(self.stems(&page(axis)));
        }
        let lines = self.layout.sequence.lifelines.iter();
        for (line, node) in lines.zip(&self.diagram.nodes) {
            guides.push((format!("life of {}", node.name), page(*line)));
        }
        guides
    }

    /// From an axis to what happened at that time.
    fn stems(&self, axis: &[Point]) -> Vec<(String, Vec<Point>)> {
        let level = (axis[0].y - axis[1].y).abs() < 1.0;
        let stem = |name: &str, rect: Rect| {
            let middle = rect.center();
            let points = if level {
                let side = if middle.y < axis[0].y {
                    rect.bottom()
                } else {
                    rect.y
                };
                vec![Point::new(middle.x, axis[0].y), Point::new(middle.x, side)]
            } else {
                let side = if middle.x < axis[0].x {
                    rect.right()
                } else {
                    rect.x
                };
                vec![Point::new(axis[0].x, middle.y), Point::new(side, middle.y)]
            };
            (format!("stem of {name}"), points)
        };
        let outer = self.diagram.groups.iter();
        let outer = outer.filter(|group| group.parent.is_none());
        let groups = outer.filter_map(|group| Some(stem(&group.name, self.group_rect(group)?)));
        let loose = self.diagram.nodes.iter();
        let loose = loose.filter(|node| node.group.is_none());
        let nodes = loose.filter_map(|node| Some(stem(&node.name, self.node_rect(node)?)));
        groups.chain(nodes).collect()
    }

    /// A guide, drawn.
    pub fn guide(&self, name: &str, points: &[Point], fresh: &Fresh) -> Option<Props> {
        let is_axis = name == "axis";
        let color = if is_axis { Color::Black } else { Color::Grey };
        let style = Style::new(color, Fill::None);
        let mut props = factory::line(points, style, fresh.seed, &fresh.index)?;
        if is_axis {
            props.insert("type".to_owned(), json!("arrow"));
            props.insert("endArrowhead".to_owned(), json!("arrow"));
            props.insert("elbowed".to_owned(), json!(false));
            props.shift_remove("polygon");
        } else {
            props.insert("strokeWidth".to_owned(), json!(1));
            let dashed = self.diagram.manner.kind == Kind::Sequence;
            let stroke = if dashed { "dashed" } else { "solid" };
            props.insert("strokeStyle".to_owned(), json!(stroke));
        }
        let part = Part::Guide {
            name: name.to_owned(),
        };
        Mark::new(&self.diagram.id, &fresh.id, part).write(&mut props, None);
        Some(props)
    }
}

/// What an arrow leads from and to, as it will be.
pub struct Ends<'a> {
    pub from: &'a Element,
    pub to: &'a Element,
}

/// An arrow to be, or one that is there.
pub enum Arrow<'a> {
    New(&'a Fresh),
    There(&'a Element),
}

/// How a line looks.
pub fn look(props: &mut Props, look: EdgeLook) {
    let (start, end) = match look.heads {
        Heads::End => (Value::Null, json!("arrow")),
        Heads::None => (Value::Null, Value::Null),
        Heads::Both => (json!("arrow"), json!("arrow")),
    };
    props.insert("startArrowhead".to_owned(), start);
    props.insert("endArrowhead".to_owned(), end);
    props.insert("strokeColor".to_owned(), json!(look.color.stroke()));
    let stroke = match look.stroke {
        Stroke::Solid => "solid",
        Stroke::Dashed => "dashed",
    };
    props.insert("strokeStyle".to_owned(), json!(stroke));
}
