//! The structure by index: every name resolved, or refused.

use std::collections::HashMap;

use crate::geometry::{Point, Side, Size};
use crate::structure::{Edge, End, Node, Spacing, Step, Structure};
use crate::{Direction, Id, Kind, LayoutError, Routing};

const MOST_NODES: usize = 5_000;
const MOST_EDGES: usize = 20_000;
const MOST_GROUPS: usize = 500;
const MOST_STEPS: usize = 20_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    Node(usize),
    Group(usize),
}

#[derive(Clone, Debug)]
pub(crate) struct Vertex {
    pub size: Size,
    pub group: Option<usize>,
    pub pin: Option<Point>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Port {
    pub side: Side,
    pub part: f64,
}

#[derive(Clone, Debug)]
pub(crate) struct Link {
    pub from: Target,
    pub to: Target,
    pub from_port: Option<Port>,
    pub to_port: Option<Port>,
    pub label: Option<Size>,
}

#[derive(Clone, Debug)]
pub(crate) struct Cluster {
    pub parent: Option<usize>,
    pub title: Size,
    pub direction: Option<Direction>,
}

/// A structure whose names are resolved.
#[derive(Clone, Debug)]
pub(crate) struct Graph {
    pub kind: Kind,
    pub direction: Direction,
    pub routing: Routing,
    pub spacing: Spacing,
    pub nodes: Vec<Vertex>,
    pub links: Vec<Link>,
    pub groups: Vec<Cluster>,
}

struct Names<'a> {
    of: HashMap<&'a Id, Target>,
    nodes: &'a [Node],
}

impl Graph {
    pub fn new(structure: &Structure) -> Result<Self, LayoutError> {
        limit("nodes", structure.nodes.len(), MOST_NODES)?;
        limit("edges", structure.edges.len(), MOST_EDGES)?;
        limit("groups", structure.groups.len(), MOST_GROUPS)?;
        limit("steps", structure.steps.len(), MOST_STEPS)?;
        let names = Names::new(structure)?;
        let graph = Self {
            kind: structure.kind,
            direction: structure.direction,
            routing: structure.routing,
            spacing: structure.spacing,
            nodes: names.vertices(structure)?,
            links: names.links(structure)?,
            groups: names.clusters(structure)?,
        };
        graph.check_nesting(structure)?;
        Ok(graph)
    }

    fn check_nesting(&self, structure: &Structure) -> Result<(), LayoutError> {
        for (at, group) in structure.groups.iter().enumerate() {
            if self.groups_around(Some(at)).count() > self.groups.len() {
                return Err(LayoutError::GroupInItself(group.id.clone()));
            }
        }
        Ok(())
    }

    /// From the group itself outwards; never longer than one more than there are groups.
    pub fn groups_around(&self, group: Option<usize>) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(group, |&at| self.groups[at].parent).take(self.groups.len() + 1)
    }

    pub fn is_in(&self, node: usize, group: usize) -> bool {
        self.groups_around(self.nodes[node].group)
            .any(|around| around == group)
    }

    pub fn group_of(&self, target: Target) -> Option<usize> {
        match target {
            Target::Node(node) => self.nodes[node].group,
            Target::Group(group) => Some(group),
        }
    }

    /// Whether this group is what the target is, or lies around it.
    pub fn surrounds(&self, group: usize, target: Target) -> bool {
        self.groups_around(self.group_of(target))
            .any(|around| around == group)
    }

    /// Parents before children.
    pub fn groups_from_outside(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.groups.len()).collect();
        order.sort_by_key(|&group| self.groups_around(Some(group)).count());
        order
    }
}

fn limit(what: &'static str, count: usize, most: usize) -> Result<(), LayoutError> {
    if count > most {
        return Err(LayoutError::TooMany { what, count, most });
    }
    Ok(())
}

impl<'a> Names<'a> {
    fn new(structure: &'a Structure) -> Result<Self, LayoutError> {
        let mut of = HashMap::new();
        let nodes = structure.nodes.iter().enumerate();
        let nodes = nodes.map(|(at, it)| (&it.id, Target::Node(at)));
        let groups = structure.groups.iter().enumerate();
        let groups = groups.map(|(at, it)| (&it.id, Target::Group(at)));
        for (id, target) in nodes.chain(groups) {
            if of.insert(id, target).is_some() {
                return Err(LayoutError::Twice(id.clone()));
            }
        }
        Ok(Self {
            of,
            nodes: &structure.nodes,
        })
    }

    fn group(&self, member: &Id, group: Option<&Id>) -> Result<Option<usize>, LayoutError> {
        let Some(group) = group else {
            return Ok(None);
        };
        match self.of.get(group) {
            Some(Target::Group(at)) => Ok(Some(*at)),
            _ => Err(LayoutError::UnknownGroup {
                member: member.clone(),
                group: group.clone(),
            }),
        }
    }

    fn vertices(&self, structure: &Structure) -> Result<Vec<Vertex>, LayoutError> {
        let vertex = |node: &Node| {
            Ok(Vertex {
                size: node.size,
                group: self.group(&node.id, node.group.as_ref())?,
                pin: node.pin,
            })
        };
        structure.nodes.iter().map(vertex).collect()
    }

    fn clusters(&self, structure: &Structure) -> Result<Vec<Cluster>, LayoutError> {
        let groups = structure.groups.iter();
        groups
            .map(|group| {
                Ok(Cluster {
                    parent: self.group(&group.id, group.parent.as_ref())?,
                    title: group.title,
                    direction: group.direction,
                })
            })
            .collect()
    }

    fn links(&self, structure: &Structure) -> Result<Vec<Link>, LayoutError> {
        let mut known = HashMap::new();
        let mut links = Vec::with_capacity(structure.edges.len());
        for edge in &structure.edges {
            if known.insert(&edge.id, ()).is_some() {
                return Err(LayoutError::Twice(edge.id.clone()));
            }
            links.push(Link {
                from: self.target(edge, &edge.from)?,
                to: self.target(edge, &edge.to)?,
                from_port: self.port(edge, &edge.from)?,
                to_port: self.port(edge, &edge.to)?,
                label: edge.label.filter(|it| !it.is_empty()),
            });
        }
        Ok(links)
    }

    fn target(&self, edge: &Edge, end: &End) -> Result<Target, LayoutError> {
        let found = self.of.get(&end.at).copied();
        found.ok_or_else(|| LayoutError::UnknownEnd {
            edge: edge.id.clone(),
            end: end.at.clone(),
        })
    }

    fn port(&self, edge: &Edge, end: &End) -> Result<Option<Port>, LayoutError> {
        let Some(port) = &end.port else {
            return Ok(None);
        };
        let node = match self.of.get(&end.at) {
            Some(Target::Node(at)) => self.nodes.get(*at),
            _ => None,
        };
        let mut ports = node.into_iter().flat_map(|node| &node.ports);
        let found = ports.find(|it| it.id == *port);
        let found = found.ok_or_else(|| LayoutError::UnknownPort {
            edge: edge.id.clone(),
            port: port.clone(),
        })?;
        if !(0.0..=1.0).contains(&found.part) {
            return Err(LayoutError::Number(found.part));
        }
        Ok(Some(Port {
            side: found.side,
            part: found.part,
        }))
    }
}

/// A step of a sequence diagram, by index.
#[derive(Clone, Debug)]
pub(crate) enum Moment {
    Message(usize),
    Activate(usize),
    Deactivate(usize),
    Note(usize, crate::structure::Beside, Vec<usize>, Size),
    Open(usize, Size),
    Divide(Size),
    Close,
}

/// The steps of a structure, by index; a note or a frame is known by the place of its step.
pub(crate) fn moments(structure: &Structure) -> Result<Vec<Moment>, LayoutError> {
    if structure.steps.is_empty() {
        return Ok((0..structure.edges.len()).map(Moment::Message).collect());
    }
    let nodes: HashMap<&Id, usize> = (structure.nodes.iter().enumerate())
        .map(|(at, it)| (&it.id, at))
        .collect();
    let edges: HashMap<&Id, usize> = (structure.edges.iter().enumerate())
        .map(|(at, it)| (&it.id, at))
        .collect();
    let find = |among: &HashMap<&Id, usize>, id: &Id| {
        let found = among.get(id).copied();
        found.ok_or_else(|| LayoutError::UnknownStep(id.clone()))
    };
    let steps = structure.steps.iter().enumerate();
    steps
        .map(|(at, step)| {
            Ok(match step {
                Step::Message(edge) => Moment::Message(find(&edges, edge)?),
                Step::Activate(node) => Moment::Activate(find(&nodes, node)?),
                Step::Deactivate(node) => Moment::Deactivate(find(&nodes, node)?),
                Step::Note {
                    size, beside, of, ..
                } => {
                    let of: Result<Vec<usize>, _> =
                        of.iter().map(|node| find(&nodes, node)).collect();
                    Moment::Note(at, *beside, of?, *size)
                }
                Step::Open { title, .. } => Moment::Open(at, *title),
                Step::Divide { title } => Moment::Divide(*title),
                Step::Close => Moment::Close,
            })
        })
        .collect()
}
