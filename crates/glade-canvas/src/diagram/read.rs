//! The structure of a diagram, read back from the page as people left it.

use std::collections::{BTreeMap, BTreeSet};

use glade_doc::ElementId;
use glade_layout::{Kind, Routing};

use super::mark::{self, Mark, Part};
use super::{
    Diagram, Edge, EdgeLook, Form, Group, Guide, Heads, Hold, Manner, Node, Standing, Stroke,
    Title, Way, words,
};
use crate::binding::aimed_at;
use crate::bounds::{bounds, local_rect, page_points};
use crate::element::{Binding, Element, ElementKind};
use crate::factory::Style;
use crate::geo::{GeoKind, polygon_kind};
use crate::geometry::{Point, Rect};
use crate::palette::{Color, read_paint};
use crate::scene::Scene;

/// What is found of a diagram.
pub struct Found {
    pub diagram: Diagram,
    /// Arrows of it that lead to what somebody deleted.
    pub orphans: Vec<ElementId>,
}

/// The diagrams of a page, in the order in which they lie over each other.
pub fn ids<'e>(elements: impl IntoIterator<Item = &'e Element>) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for element in elements {
        if let Some(mark) = Mark::of(element)
            && matches!(mark.part, Part::Node { .. })
            && !found.contains(&mark.of)
        {
            found.push(mark.of);
        }
    }
    found
}

/// A diagram as it is on the page; none if none of its nodes is.
pub fn diagram(scene: &Scene, id: &str) -> Option<Found> {
    let parts: Vec<(&Element, Part)> = scene
        .live()
        .filter_map(|element| Some((element, Mark::of(element)?)))
        .filter(|(_, mark)| mark.of == id)
        .map(|(element, mark)| (element, mark.part))
        .collect();
    let mut found = Diagram::new(id, manner(&parts)?);
    found.groups = groups(scene, &parts);
    found.nodes = nodes(scene, &parts, &found.groups);
    for (element, part) in &parts {
        let there = element.id.clone();
        match part {
            Part::Title => {
                found.title = Some(Title {
                    text: element.original_text().to_owned(),
                    there: Some(there),
                });
            }
            Part::Guide { name } => found.guides.push(Guide {
                name: name.clone(),
                there,
            }),
            _ => {}
        }
    }
    let mut orphans = Vec::new();
    add_edges(scene, &parts, &mut found, &mut orphans);
    Some(Found {
        diagram: found,
        orphans,
    })
}

fn manner(parts: &[(&Element, Part)]) -> Option<Manner> {
    parts.iter().find_map(|(_, part)| match part {
        Part::Node {
            kind,
            direction,
            lines,
            ..
        } => Some(Manner {
            kind: words::kind_named(kind).unwrap_or_default(),
            direction: words::direction_named(direction).unwrap_or_default(),
            lines: words::line_named(lines).unwrap_or_default(),
        }),
        _ => None,
    })
}

/// What is written on an element.
fn text_on(scene: &Scene, element: &Element) -> String {
    let text = match element.kind() {
        ElementKind::Text => element.original_text(),
        _ => scene
            .label_of(&element.id)
            .map_or("", Element::original_text),
    };
    text.to_owned()
}

fn groups(scene: &Scene, parts: &[(&Element, Part)]) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for (element, part) in parts {
        if let Part::Group { name, parent } = part
            && !groups.iter().any(|group| group.name == *name)
        {
            groups.push(Group {
                name: name.clone(),
                text: text_on(scene, element),
                parent: parent.clone(),
                there: Some(Standing {
                    id: element.id.clone(),
                    rect: local_rect(element),
                    hold: Hold::Laid,
                }),
            });
        }
    }
    let known: BTreeSet<String> = groups.iter().map(|group| group.name.clone()).collect();
    for group in &mut groups {
        group.parent = group.parent.take().filter(|parent| known.contains(parent));
    }
    groups
}

fn nodes(scene: &Scene, parts: &[(&Element, Part)], groups: &[Group]) -> Vec<Node> {
    let mut moves: Vec<(f64, f64)> = Vec::new();
    for (element, part) in parts {
        if let Part::Node { at, .. } = part {
            moves.push(mark::moved(at, rect_of(element)));
        }
    }
    let usual = usual(&moves);
    let mut nodes: Vec<Node> = Vec::new();
    for (element, part) in parts {
        let Part::Node {
            name, group, at, ..
        } = part
        else {
            continue;
        };
        if nodes.iter().any(|node| node.name == *name) {
            continue;
        }
        let rect = rect_of(element);
        let is_laid = mark::is_same_move(mark::moved(at, rect), usual);
        let known = |name: &String| groups.iter().any(|group| group.name == *name);
        let group = group.clone().filter(known);
        nodes.push(Node {
            name: name.clone(),
            text: text_on(scene, element),
            form: form_of(element),
            style: style_of(element),
            group: if is_laid {
                group
            } else {
                group_at(groups, group.as_ref(), rect.center())
            },
            there: Some(Standing {
                id: element.id.clone(),
                rect,
                hold: if is_laid { Hold::Laid } else { Hold::ByHand },
            }),
        });
    }
    nodes
}

/// How far most have been moved: that is the diagram as a whole.
fn usual(moves: &[(f64, f64)]) -> (f64, f64) {
    let count = |by: (f64, f64)| {
        let same = moves.iter().filter(|other| mark::is_same_move(by, **other));
        same.count()
    };
    let mut best = ((0.0, 0.0), count((0.0, 0.0)));
    for by in moves {
        let count = count(*by);
        if count > best.1 {
            best = (*by, count);
        }
    }
    best.0
}

/// The group that something was moved into: its own if it is still there, else the innermost around it.
fn group_at(groups: &[Group], own: Option<&String>, at: Point) -> Option<String> {
    let area = |group: &Group| group.there.as_ref().map(|it| it.rect);
    let around = groups
        .iter()
        .filter(|group| area(group).is_some_and(|rect| rect.contains(at)));
    let around: Vec<&Group> = around.collect();
    if let Some(own) = own.filter(|own| around.iter().any(|group| group.name == **own)) {
        return Some(own.clone());
    }
    let size = |group: &Group| area(group).map_or(0.0, |rect| rect.area());
    let smallest = around
        .into_iter()
        .min_by(|a, b| size(a).total_cmp(&size(b)));
    smallest.map(|group| group.name.clone())
}

pub(super) fn rect_of(element: &Element) -> Rect {
    if element.angle() == 0.0 {
        local_rect(element)
    } else {
        bounds(element)
    }
}

pub(super) fn form_of(element: &Element) -> Form {
    match element.kind() {
        ElementKind::StickyNote => Form::Note,
        ElementKind::Text => Form::Words,
        ElementKind::Ellipse => Form::Shape(GeoKind::Ellipse),
        ElementKind::Diamond => Form::Shape(GeoKind::Diamond),
        _ => Form::Shape(polygon_kind(element).unwrap_or(GeoKind::Rectangle)),
    }
}

fn style_of(element: &Element) -> Style {
    let (color, fill) = match element.kind() {
        ElementKind::StickyNote => {
            let paper = Color::from_paper(element.background_color());
            (paper, crate::palette::Fill::Solid)
        }
        _ => read_paint(
            element.stroke_color(),
            element.background_color(),
            element.fill_style(),
        ),
    };
    Style::new(color, fill)
}

/// Arrows of the diagram, and those that somebody drew between its nodes.
fn add_edges(
    scene: &Scene,
    parts: &[(&Element, Part)],
    found: &mut Diagram,
    orphans: &mut Vec<ElementId>,
) {
    let marked: BTreeMap<&ElementId, &Part> = parts
        .iter()
        .map(|(element, part)| (&element.id, part))
        .collect();
    let arrows = scene
        .live()
        .filter(|element| element.kind() == ElementKind::Arrow);
    for arrow in arrows {
        let (start, end) = (arrow.start_binding(), arrow.end_binding());
        let end_name = |binding: &Option<Binding>| end_of(found, &binding.as_ref()?.element_id);
        let (from, to) = (end_name(&start), end_name(&end));
        let ends = match marked.get(&arrow.id) {
            Some(Part::Edge { from: a, to: b, .. }) => {
                if !found.has_end(a) && from.is_none() || !found.has_end(b) && to.is_none() {
                    orphans.push(arrow.id.clone());
                    continue;
                }
                if found.manner.kind == Kind::Sequence {
                    Some((a.clone(), b.clone()))
                } else {
                    let from = from.or_else(|| guest(scene, found, &start));
                    let to = to.or_else(|| guest(scene, found, &end));
                    from.zip(to)
                }
            }
            Some(_) => None,
            None => from.zip(to),
        };
        let Some((from, to)) = ends else { continue };
        let given = match marked.get(&arrow.id) {
            Some(Part::Edge { name, .. }) => Some(name.clone()),
            _ => None,
        };
        let edge = Edge {
            name: free_name(found, given.unwrap_or_else(|| edge_name(&from, &to))),
            text: text_on(scene, arrow),
            look: look_of(arrow),
            there: Some(way_of(scene, arrow)),
            from,
            to,
        };
        found.edges.push(edge);
    }
}

pub fn edge_name(from: &str, to: &str) -> String {
    format!("{from}->{to}")
}

/// This name, or with a number after it where an edge has it already.
pub fn free_name(diagram: &Diagram, name: String) -> String {
    let is_taken = |name: &str| diagram.edges.iter().any(|edge| edge.name == name);
    if !is_taken(&name) {
        return name;
    }
    let numbered = (2u32..).map(|number| format!("{name} {number}"));
    let mut free = numbered.filter(|name| !is_taken(name));
    free.next().unwrap_or(name)
}

fn end_of(diagram: &Diagram, id: &ElementId) -> Option<String> {
    let is = |there: &Option<Standing>| there.as_ref().is_some_and(|it| it.id == *id);
    let node = diagram.nodes.iter().find(|node| is(&node.there));
    let group = || diagram.groups.iter().find(|group| is(&group.there));
    node.map(|node| node.name.clone())
        .or_else(|| group().map(|group| group.name.clone()))
}

/// What an arrow was led to outside of the diagram.
fn guest(scene: &Scene, diagram: &mut Diagram, binding: &Option<Binding>) -> Option<String> {
    let element = scene.get(&binding.as_ref()?.element_id)?;
    let node = guest_node(scene, element);
    let name = node.name.clone();
    diagram.nodes.push(node);
    Some(name)
}

/// A shape of the page that a diagram's lines lead to.
pub fn guest_node(scene: &Scene, element: &Element) -> Node {
    Node {
        name: element.id.as_str().to_owned(),
        text: text_on(scene, element),
        form: form_of(element),
        style: style_of(element),
        group: None,
        there: Some(Standing {
            id: element.id.clone(),
            rect: rect_of(element),
            hold: Hold::Guest,
        }),
    }
}

fn look_of(arrow: &Element) -> EdgeLook {
    let has = |key: &str| arrow.has_arrowhead(key);
    let stroke = arrow.props.get("strokeStyle").and_then(|it| it.as_str());
    EdgeLook {
        color: Color::from_stroke(arrow.stroke_color()),
        stroke: match stroke {
            Some("dashed" | "dotted") => Stroke::Dashed,
            _ => Stroke::Solid,
        },
        heads: match (has("startArrowhead"), has("endArrowhead")) {
            (false, false) => Heads::None,
            (true, true) => Heads::Both,
            _ => Heads::End,
        },
    }
}

/// How an arrow runs from border to border.
pub(super) fn way_of(scene: &Scene, arrow: &Element) -> Way {
    let mut points = page_points(arrow);
    let count = points.len();
    let border = |binding: Option<Binding>, end: Point| {
        let binding = binding?;
        let element = scene.get(&binding.element_id)?;
        entry(rect_of(element), end, aimed_at(&binding, element))
    };
    if count > 1 {
        if let Some(first) = border(arrow.start_binding(), points[0]) {
            points[0] = first;
        }
        if let Some(last) = border(arrow.end_binding(), points[count - 1]) {
            points[count - 1] = last;
        }
    }
    Way {
        id: arrow.id.clone(),
        routing: routing_of(arrow),
        points,
        label: scene.label_of(&arrow.id).map(Element::rect),
    }
}

/// How an arrow runs: one of two points is straight, however round its corners would be.
pub fn routing_of(arrow: &Element) -> Routing {
    let is_round = arrow
        .props
        .get("roundness")
        .is_some_and(|it| it.is_object());
    match (arrow.is_elbowed(), is_round && arrow.points().len() > 2) {
        (true, _) => Routing::Elbow,
        (false, true) => Routing::Curved,
        (false, false) => Routing::Straight,
    }
}

/// Where a way from outside to a point inside enters a box; the end itself where it is inside already.
fn entry(rect: Rect, from: Point, to: Point) -> Option<Point> {
    let share = |from: f64, to: f64, low: f64, high: f64| {
        if from < low && to != from {
            (low - from) / (to - from)
        } else if from > high && to != from {
            (high - from) / (to - from)
        } else {
            0.0
        }
    };
    let t =
        share(from.x, to.x, rect.x, rect.right()).max(share(from.y, to.y, rect.y, rect.bottom()));
    (0.0..=1.0)
        .contains(&t)
        .then(|| Point::new(from.x + (to.x - from.x) * t, from.y + (to.y - from.y) * t))
}
