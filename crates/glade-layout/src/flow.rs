//! Layered graphs on the page: groups that flow another way are laid out by themselves and become boxes, connected parts
//! are laid out one by one and packed.

mod part;

use crate::Direction;
use crate::draft::{Draft, Was, framed};
use crate::geometry::{self, Point, Rect, Size, at};
use crate::graph::{Graph, Port, Target};
use crate::layered::net::{Before, Frame, Input, Item, Line, TitleSide};
use crate::layered::{self, Output};
use crate::{Routing, pack, parts};

use part::Part;

/// What stands for a box in the engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Thing {
    Node(usize),
    /// A group that is laid out by itself.
    Box(usize),
}

/// All that flows one way: the page, or a group with a direction of its own.
struct Scope<'a> {
    graph: &'a Graph,
    was: Option<&'a Was>,
    root: Option<usize>,
    direction: Direction,
    things: Vec<Thing>,
    /// By node and by group: its thing.
    of_node: Vec<Option<usize>>,
    of_group: Vec<Option<usize>>,
    /// Groups that are drawn in this scope.
    frames: Vec<usize>,
}

pub(crate) fn place(graph: &Graph, was: Option<&Was>) -> Draft {
    let mut draft = Draft::new(graph);
    Scope::new(graph, was, None, graph.direction).place(&mut draft);
    draft
}

impl<'a> Scope<'a> {
    fn new(
        graph: &'a Graph,
        was: Option<&'a Was>,
        root: Option<usize>,
        direction: Direction,
    ) -> Self {
        let mut scope = Self {
            graph,
            was,
            root,
            direction,
            things: Vec::new(),
            of_node: vec![None; graph.nodes.len()],
            of_group: vec![None; graph.groups.len()],
            frames: Vec::new(),
        };
        let mut occupied = vec![false; graph.groups.len()];
        for node in &graph.nodes {
            for group in graph.groups_around(node.group) {
                occupied[group] = true;
            }
        }
        for group in graph.groups_from_outside() {
            scope.add_group(group, occupied[group]);
        }
        for node in 0..graph.nodes.len() {
            scope.add_node(node);
        }
        scope
    }

    /// Whether a group, or what it is in, is a frame of this scope.
    fn is_in_scope(&self, group: Option<usize>) -> bool {
        group == self.root || group.is_some_and(|it| self.frames.contains(&it))
    }

    fn add_group(&mut self, group: usize, is_occupied: bool) {
        let it = &self.graph.groups[group];
        if Some(group) == self.root {
            return;
        }
        if let Some(thing) = it.parent.and_then(|parent| self.of_group[parent]) {
            self.of_group[group] = Some(thing);
        } else if self.is_in_scope(it.parent) {
            let own = it.direction.is_some_and(|it| it != self.direction);
            if own || !is_occupied {
                self.of_group[group] = Some(self.things.len());
                self.things.push(Thing::Box(group));
            } else {
                self.frames.push(group);
            }
        }
    }

    fn add_node(&mut self, node: usize) {
        let group = self.graph.nodes[node].group;
        if let Some(thing) = group.and_then(|group| self.of_group[group]) {
            self.of_node[node] = Some(thing);
        } else if self.is_in_scope(group) {
            self.of_node[node] = Some(self.things.len());
            self.things.push(Thing::Node(node));
        }
    }

    fn parent_of(&self, thing: Thing) -> Option<usize> {
        match thing {
            Thing::Node(node) => self.graph.nodes[node].group,
            Thing::Box(group) => self.graph.groups[group].parent,
        }
    }

    /// The thing at the end of a link, and whether the link ends at the thing itself.
    fn end(&self, target: Target) -> Option<(usize, bool)> {
        match target {
            Target::Node(node) => {
                let thing = self.of_node[node]?;
                Some((thing, self.things[thing] == Thing::Node(node)))
            }
            Target::Group(group) => match self.of_group[group] {
                Some(thing) => Some((thing, self.things[thing] == Thing::Box(group))),
                None => {
                    let mut inside = self.things.iter().enumerate().filter(|(_, thing)| {
                        self.graph
                            .groups_around(self.parent_of(**thing))
                            .any(|it| it == group)
                    });
                    inside.next().map(|(at, _)| (at, false))
                }
            },
        }
    }

    /// Places all that is in the scope, boxes with what is in them; whether all of it was there and stays.
    fn place(&self, draft: &mut Draft) -> bool {
        let sizes = self.things.iter().map(|&thing| self.measure(thing, draft));
        let sizes: Vec<Size> = sizes.collect();
        let links: Vec<(usize, usize, usize, bool)> = self.lines();
        let parts = self.parts(&links);
        let mut placed = Vec::with_capacity(parts.len());
        for part in &parts {
            placed.push(self.place_part(part, &sizes, &links, draft));
        }
        let moved = self.pack(&placed, draft);
        !moved && placed.iter().all(|part| part.stays)
    }

    fn measure(&self, thing: Thing, draft: &mut Draft) -> Size {
        match thing {
            Thing::Node(node) => self.graph.nodes[node].size,
            Thing::Box(group) => {
                let direction = self.graph.groups[group].direction.unwrap_or(self.direction);
                let scope = Scope::new(self.graph, self.was, Some(group), direction);
                let stays = scope.place(draft);
                (draft.groups[group], draft.titles[group]) =
                    self.known_box(group).filter(|_| stays).unwrap_or_else(|| {
                        let inside = geometry::bounds(scope.rects(draft)).unwrap_or_default();
                        let title = self.graph.groups[group].title;
                        framed(inside, title, self.graph.spacing.padding)
                    });
                draft.groups[group].size()
            }
        }
    }

    /// A group's border and title as they were, if its title is still as large.
    fn known_box(&self, group: usize) -> Option<(Rect, Rect)> {
        let was = self.was?;
        let (border, title) = (was.groups[group]?, was.titles[group]?);
        (title.size() == self.graph.groups[group].title).then_some((border, title))
    }

    /// All that the scope has placed.
    fn rects(&self, draft: &Draft) -> Vec<Rect> {
        let things = self.things.iter().map(|&thing| match thing {
            Thing::Node(node) => draft.nodes[node],
            Thing::Box(group) => draft.groups[group],
        });
        let frames = self.frames.iter().map(|&group| draft.groups[group]);
        let links = self.graph.links.iter().enumerate();
        let own =
            links.filter(|(_, link)| self.end(link.from).is_some() && self.end(link.to).is_some());
        let own: Vec<usize> = own.map(|(at, _)| at).collect();
        let labels = own.iter().filter_map(|&at| draft.labels[at]);
        let points = own
            .iter()
            .filter_map(|&at| draft.guides[at].as_ref())
            .flatten();
        let points = points.map(|it| geometry::rect(it.x, it.y, 0.0, 0.0));
        things.chain(frames).chain(labels).chain(points).collect()
    }

    /// The links between things of this scope: index, both ends, and whether the engine's way is the link's own.
    fn lines(&self) -> Vec<(usize, usize, usize, bool)> {
        let links = self.graph.links.iter().enumerate();
        links
            .filter_map(|(at, link)| {
                let ((from, starts), (to, ends)) = (self.end(link.from)?, self.end(link.to)?);
                let is_own = starts && ends;
                (from != to || is_own).then_some((at, from, to, is_own))
            })
            .collect()
    }

    fn parts(&self, links: &[(usize, usize, usize, bool)]) -> Vec<Vec<usize>> {
        let mut joined: Vec<(usize, usize)> =
            links.iter().map(|&(_, from, to, _)| (from, to)).collect();
        let mut first_of = vec![None; self.graph.groups.len()];
        for (at, &thing) in self.things.iter().enumerate() {
            let around = self.graph.groups_around(self.parent_of(thing));
            for group in around.take_while(|&it| Some(it) != self.root) {
                joined.push((*first_of[group].get_or_insert(at), at));
            }
        }
        parts::connected(self.things.len(), &joined)
    }

    /// Lays a connected part out where it was, or anywhere; the box that it takes.
    fn place_part(
        &self,
        part: &[usize],
        sizes: &[Size],
        links: &[(usize, usize, usize, bool)],
        draft: &mut Draft,
    ) -> Part {
        let mut part = Part::new(self, part, links);
        if self.stays(&part, sizes, draft) {
            (part.is_known, part.stays) = (true, true);
            return part;
        }
        let input = self.input(&part, sizes);
        part.is_known = input.before.is_some();
        let output = layered::place(&input);
        self.put(&part, output, draft);
        part
    }

    /// Leaves a part as it was, if nothing in it is new or has another size.
    fn stays(&self, part: &Part, sizes: &[Size], draft: &mut Draft) -> bool {
        let Some(was) = self.was else {
            return false;
        };
        let rect_of = |thing: usize| match self.things[thing] {
            Thing::Node(node) => was.nodes[node],
            Thing::Box(group) => was.groups[group],
        };
        let frame_of = |thing: usize| {
            self.graph
                .groups_around(self.parent_of(self.things[thing]))
                .take_while(|&it| Some(it) != self.root)
        };
        let is_same = |&thing: &usize| {
            rect_of(thing).is_some_and(|rect| {
                rect.size() == sizes[thing]
                    && frame_of(thing).all(|group| {
                        was.groups[group].is_some_and(|it| it.grown(0.01).contains(rect))
                    })
            })
        };
        let knows_links = part.links.iter().all(|&(at, ..)| was.knew[at]);
        if !knows_links || !part.things.iter().all(is_same) {
            return false;
        }
        for &thing in &part.things {
            if let Some(rect) = rect_of(thing) {
                self.put_thing(self.things[thing], rect, draft);
            }
        }
        for &group in &part.frames {
            draft.groups[group] = was.groups[group].unwrap_or_default();
            draft.titles[group] = was.titles[group].unwrap_or_default();
        }
        for &(at, ..) in &part.links {
            draft.guides[at].clone_from(&was.links[at]);
            draft.labels[at] = was.labels[at];
        }
        true
    }

    fn input(&self, part: &Part, sizes: &[Size]) -> Input {
        let spacing = self.graph.spacing;
        let mut loops = vec![0.0; part.things.len()];
        let mut lines = Vec::with_capacity(part.links.len());
        for &(at, from, to) in &part.links {
            let link = &self.graph.links[at];
            let label = link.label.map(|it| self.direction.size(it));
            if from == to {
                loops[from] += layered::loop_room(label, spacing.edge);
            }
            lines.push(Line {
                from,
                to,
                label,
                from_offset: self.offset(link.from_port, sizes[part.things[from]], SideOf::Start),
                to_offset: self.offset(link.to_port, sizes[part.things[to]], SideOf::End),
            });
        }
        let items = part.things.iter().zip(loops);
        let items = items.map(|(&thing, loops)| Item {
            size: self.direction.size(sizes[thing]),
            group: part.frame_of(self.parent_of(self.things[thing])),
            loops,
        });
        let frames = part.frames.iter().map(|&group| Frame {
            parent: part.frame_of(self.graph.groups[group].parent),
            title: self.direction.size(self.graph.groups[group].title),
        });
        Input {
            items: items.collect(),
            lines,
            frames: frames.collect(),
            titles: match self.direction {
                Direction::Down => TitleSide::Before,
                Direction::Up => TitleSide::After,
                Direction::Right | Direction::Left => TitleSide::Across,
            },
            spacing,
            is_elbow: self.graph.routing == Routing::Elbow,
            before: self.before(part),
        }
    }

    /// Where a port is on the side that the flow uses; ports on other sides are left to the router.
    fn offset(&self, port: Option<Port>, size: Size, end: SideOf) -> Option<f64> {
        let port = port?;
        let side = self.direction.side_back(port.side);
        let wanted = match end {
            SideOf::Start => geometry::Side::Bottom,
            SideOf::End => geometry::Side::Top,
        };
        (side == wanted).then(|| (port.part - 0.5) * self.direction.size(size).w)
    }

    fn before(&self, part: &Part) -> Option<Before> {
        let was = self.was?;
        let items: Vec<Option<Rect>> = part
            .things
            .iter()
            .map(|&thing| match self.things[thing] {
                Thing::Node(node) => was.nodes[node],
                Thing::Box(group) => was.groups[group],
            })
            .map(|it| it.map(|rect| self.direction.rect_back(rect)))
            .collect();
        if items.iter().all(Option::is_none) {
            return None;
        }
        let back = |points: &Vec<Point>| points.iter().map(|&it| self.direction.back(it)).collect();
        let lines = part
            .links
            .iter()
            .map(|&(at, ..)| was.links[at].as_ref().map(back));
        Some(Before {
            items,
            lines: lines.collect(),
        })
    }

    fn put(&self, part: &Part, output: Output, draft: &mut Draft) {
        let turn = |rect: Rect| self.direction.rect(rect);
        for (&thing, rect) in part.things.iter().zip(output.items) {
            self.put_thing(self.things[thing], turn(rect), draft);
        }
        for ((&group, frame), title) in part.frames.iter().zip(output.frames).zip(output.titles) {
            draft.groups[group] = frame.map(turn).unwrap_or_default();
            draft.titles[group] = title.map(turn).unwrap_or_default();
            if self.direction == Direction::Left {
                // Titles begin at the left, wherever the flow does.
                draft.titles[group].x = draft.groups[group].x + self.graph.spacing.padding;
            }
        }
        let ways = output.guides.into_iter().zip(output.labels);
        for ((&(at, ..), own), (guide, label)) in part.links.iter().zip(&part.own).zip(ways) {
            if *own {
                draft.guides[at] = guide.map(|points| {
                    points
                        .into_iter()
                        .map(|it| self.direction.point(it))
                        .collect()
                });
            }
            draft.labels[at] = label.map(turn);
        }
    }

    fn put_thing(&self, thing: Thing, rect: Rect, draft: &mut Draft) {
        match thing {
            Thing::Node(node) => draft.nodes[node] = rect,
            Thing::Box(group) => {
                let by = rect.corner().minus(draft.groups[group].corner());
                let inner = Scope::new(
                    self.graph,
                    None,
                    Some(group),
                    self.graph.groups[group].direction.unwrap_or(self.direction),
                );
                inner.shift(by, draft);
                draft.groups[group] = rect;
                draft.titles[group] = draft.titles[group].moved(by);
            }
        }
    }

    /// Moves all that is in the scope, however deep.
    fn shift(&self, by: Point, draft: &mut Draft) {
        let inside = |group: Option<usize>| {
            self.graph
                .groups_around(group)
                .any(|it| Some(it) == self.root)
        };
        for (node, rect) in draft.nodes.iter_mut().enumerate() {
            if inside(self.graph.nodes[node].group) {
                *rect = rect.moved(by);
            }
        }
        for group in 0..draft.groups.len() {
            if inside(self.graph.groups[group].parent) {
                draft.groups[group] = draft.groups[group].moved(by);
                draft.titles[group] = draft.titles[group].moved(by);
            }
        }
        for (at, link) in self.graph.links.iter().enumerate() {
            if inside(self.graph.group_of(link.from)) && inside(self.graph.group_of(link.to)) {
                move_link(draft, at, by);
            }
        }
    }

    /// Parts that were there stay, as far as they do not lie on each other; new ones come into rows under them.
    /// Whether one that was there had to move.
    fn pack(&self, parts: &[Part], draft: &mut Draft) -> bool {
        let gap = self.graph.spacing.node * 1.5;
        let mut boxes: Vec<Rect> = parts.iter().map(|it| it.bounds(self, draft)).collect();
        let mut moved = false;
        let (old, new): (Vec<usize>, Vec<usize>) =
            (0..parts.len()).partition(|&at| parts[at].is_known);
        // By what they hold alone: lines of one that went around another would drive them apart each time.
        let known: Vec<Rect> = old.iter().map(|&at| parts[at].boxes(self, draft)).collect();
        let corners = crate::overlap::apart(&known, self.graph.spacing.edge);
        for ((&part, corner), known) in old.iter().zip(corners).zip(known) {
            let by = corner.minus(known.corner());
            moved |= by != Point::default();
            parts[part].shift(self, by, draft);
            boxes[part] = boxes[part].moved(by);
        }
        let below = geometry::bounds(old.iter().map(|&at| boxes[at]));
        let start = below.map_or(at(0.0, 0.0), |it| at(it.x, it.bottom() + gap));
        let sizes: Vec<Size> = new.iter().map(|&at| boxes[at].size()).collect();
        for (&part, corner) in new.iter().zip(pack::rows(&sizes, gap)) {
            let by = corner.moved(start).minus(boxes[part].corner());
            parts[part].shift(self, by, draft);
        }
        moved
    }
}

#[derive(Clone, Copy, PartialEq)]
enum SideOf {
    Start,
    End,
}

fn move_link(draft: &mut Draft, link: usize, by: Point) {
    for point in draft.guides[link].iter_mut().flatten() {
        *point = point.moved(by);
    }
    if let Some(label) = &mut draft.labels[link] {
        *label = label.moved(by);
    }
}
