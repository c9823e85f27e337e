//! What the phases of the layered engine work on: vertices in layers, edges from one layer to the next.

use crate::geometry::Size;
use crate::structure::Spacing;

use super::acyclic;
use super::rank::{self, Arc};

/// A box to place; sizes are the engine's, which flows downwards.
#[derive(Clone, Debug)]
pub(crate) struct Item {
    pub size: Size,
    pub group: Option<usize>,
    /// Room for its loops, on the right.
    pub loops: f64,
}

#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub from: usize,
    pub to: usize,
    pub label: Option<Size>,
    /// Where on the item's side it must end, from the middle.
    pub from_offset: Option<f64>,
    pub to_offset: Option<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TitleSide {
    Before,
    After,
    Across,
}

#[derive(Clone, Debug)]
pub(crate) struct Frame {
    pub parent: Option<usize>,
    /// As the engine sees it.
    pub title: Size,
}

/// What is given to the engine: one connected part.
#[derive(Clone, Debug)]
pub(crate) struct Input {
    pub items: Vec<Item>,
    pub lines: Vec<Line>,
    pub frames: Vec<Frame>,
    pub titles: TitleSide,
    pub spacing: Spacing,
    /// Whether lines turn only at right angles.
    pub is_elbow: bool,
    pub before: Option<Before>,
}

/// Where things were, in the engine's space.
#[derive(Clone, Debug)]
pub(crate) struct Before {
    /// The box of each item, if it was there.
    pub items: Vec<Option<crate::geometry::Rect>>,
    /// The points of each line, if it was there.
    pub lines: Vec<Option<Vec<crate::geometry::Point>>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum What {
    Item(usize),
    /// A line on its way through a layer.
    Pass(usize),
    Label(usize),
    Title(usize),
    /// Keeps a group's place in a layer where it has nothing.
    Spacer,
}

#[derive(Clone, Debug)]
pub(crate) struct Vertex {
    pub what: What,
    pub size: Size,
    pub group: Option<usize>,
    pub rank: usize,
}

/// An edge from a layer to the next; both ends with their offset from the vertex's middle.
#[derive(Clone, Debug)]
pub(crate) struct Hop {
    pub from: usize,
    pub to: usize,
    pub line: usize,
    pub from_offset: f64,
    pub to_offset: f64,
}

#[derive(Clone, Debug)]
pub(crate) struct Net {
    pub vertices: Vec<Vertex>,
    pub hops: Vec<Hop>,
    /// By vertex: the hops to the layer above and to the one below.
    pub up: Vec<Vec<usize>>,
    pub down: Vec<Vec<usize>>,
    pub layers: Vec<Vec<usize>>,
    pub frames: Vec<Frame>,
    /// The first and last layer of each group.
    pub spans: Vec<Option<(usize, usize)>>,
    /// By line: its hops, from the first layer to the last; none for loops.
    pub chains: Vec<Vec<usize>>,
    pub turned: Vec<bool>,
}

/// What all lines together may have on their way; beyond it, lines have nothing reserved.
const MOST_PASSES: usize = 40_000;

impl Net {
    pub fn new(input: &Input) -> Self {
        let ends: Vec<(usize, usize)> = input.lines.iter().map(|it| (it.from, it.to)).collect();
        let (ranks, turned) = match &input.before {
            Some(before) => super::stay::ranks(input, before),
            None => {
                let turned = acyclic::turned(input.items.len(), &ends);
                (rank_items(input, &turned), turned)
            }
        };
        let mut net = Self::with_items(input, &ranks, turned);
        net.add_titles(input);
        net.add_lines(input);
        net.add_spacers();
        net.fill_layers();
        net
    }

    fn with_items(input: &Input, ranks: &[usize], turned: Vec<bool>) -> Self {
        let vertices = input.items.iter().zip(ranks).enumerate();
        let vertices = vertices.map(|(at, (item, &rank))| Vertex {
            what: What::Item(at),
            size: Size {
                w: item.size.w + item.loops,
                h: item.size.h,
            },
            group: item.group,
            rank,
        });
        Self {
            vertices: vertices.collect(),
            hops: Vec::new(),
            up: Vec::new(),
            down: Vec::new(),
            layers: Vec::new(),
            frames: input.frames.clone(),
            spans: vec![None; input.frames.len()],
            chains: vec![Vec::new(); input.lines.len()],
            turned,
        }
    }

    fn add(&mut self, what: What, size: Size, group: Option<usize>, rank: usize) -> usize {
        self.vertices.push(Vertex {
            what,
            size,
            group,
            rank,
        });
        self.vertices.len() - 1
    }

    fn add_lines(&mut self, input: &Input) {
        let mut passes = 0;
        for (at, line) in input.lines.iter().enumerate() {
            let (from, to) = if self.turned[at] {
                (line.to, line.from)
            } else {
                (line.from, line.to)
            };
            let (first, last) = (self.vertices[from].rank, self.vertices[to].rank);
            if first >= last {
                continue;
            }
            passes += last - first - 1;
            if passes > MOST_PASSES {
                continue;
            }
            let shared = self.shared_group(input.items[from].group, input.items[to].group);
            let middle = (first + last) / 2;
            let mut before = from;
            for rank in first + 1..last {
                let group = self.group_on_the_way(input, (from, to), shared, rank);
                let pass = match line.label {
                    Some(size) if rank == middle => self.add(What::Label(at), size, group, rank),
                    _ => self.add(What::Pass(at), Size::default(), group, rank),
                };
                self.hop(before, pass, at);
                before = pass;
            }
            self.hop(before, to, at);
        }
        self.up = vec![Vec::new(); self.vertices.len()];
        self.down = vec![Vec::new(); self.vertices.len()];
        for (at, hop) in self.hops.iter().enumerate() {
            self.down[hop.from].push(at);
            self.up[hop.to].push(at);
        }
    }

    fn hop(&mut self, from: usize, to: usize, line: usize) {
        self.chains[line].push(self.hops.len());
        self.hops.push(Hop {
            from,
            to,
            line,
            from_offset: 0.0,
            to_offset: 0.0,
        });
    }

    fn around(&self, group: Option<usize>) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(group, |&at| self.frames[at].parent)
    }

    fn shared_group(&self, one: Option<usize>, other: Option<usize>) -> Option<usize> {
        let around: Vec<usize> = self.around(other).collect();
        self.around(one).find(|group| around.contains(group))
    }

    /// A line stays in the groups that both ends share, and leaves or enters the others as late or early as they end.
    fn group_on_the_way(
        &self,
        input: &Input,
        (from, to): (usize, usize),
        shared: Option<usize>,
        rank: usize,
    ) -> Option<usize> {
        let inside = |end: usize, entering: bool| {
            let groups = self.around(input.items[end].group);
            let own = groups.take_while(|&group| Some(group) != shared);
            let mut holding = own.filter(|&group| {
                let (first, last) = self.spans[group].unwrap_or_default();
                if entering {
                    rank >= first
                } else {
                    rank <= last
                }
            });
            holding.next()
        };
        inside(from, false).or_else(|| inside(to, true)).or(shared)
    }

    fn add_titles(&mut self, input: &Input) {
        let (before, after) = match input.titles {
            TitleSide::Before => (1, 0),
            TitleSide::After => (0, 1),
            TitleSide::Across => return self.measure_spans(),
        };
        self.measure_spans();
        // From the inside out: a group's title lies beyond those in it.
        let mut order: Vec<usize> = (0..self.frames.len()).collect();
        order.sort_by_key(|&group| std::cmp::Reverse(self.around(Some(group)).count()));
        for group in order {
            let title = self.frames[group].title;
            let Some((first, last)) = self.spans[group].filter(|_| !title.is_empty()) else {
                continue;
            };
            let rank = if before == 1 {
                first.saturating_sub(1)
            } else {
                last + after
            };
            self.add(What::Title(group), title, Some(group), rank);
            self.measure_spans();
        }
    }

    fn measure_spans(&mut self) {
        let mut spans: Vec<Option<(usize, usize)>> = vec![None; self.frames.len()];
        for vertex in &self.vertices {
            for group in self.around(vertex.group) {
                let span = spans[group].get_or_insert((vertex.rank, vertex.rank));
                *span = (span.0.min(vertex.rank), span.1.max(vertex.rank));
            }
        }
        self.spans = spans;
    }

    fn add_spacers(&mut self) {
        for group in 0..self.frames.len() {
            let Some((first, last)) = self.spans[group] else {
                continue;
            };
            let mut has = vec![false; last + 1 - first];
            for vertex in &self.vertices {
                if self.around(vertex.group).any(|at| at == group) {
                    has[vertex.rank - first] = true;
                }
            }
            for (rank, _) in has.iter().enumerate().filter(|(_, has)| !**has) {
                self.add(What::Spacer, Size::default(), Some(group), first + rank);
                self.up.push(Vec::new());
                self.down.push(Vec::new());
            }
        }
    }

    /// Layers without anything are left out.
    fn fill_layers(&mut self) {
        let last = self.vertices.iter().map(|it| it.rank).max();
        let mut used = vec![0; last.map_or(0, |last| last + 1)];
        for vertex in &self.vertices {
            used[vertex.rank] = 1;
        }
        let mut count = 0;
        for used in &mut used {
            (*used, count) = (count, count + *used);
        }
        self.layers = vec![Vec::new(); count];
        for (at, vertex) in self.vertices.iter_mut().enumerate() {
            vertex.rank = used[vertex.rank];
            self.layers[vertex.rank].push(at);
        }
        self.measure_spans();
    }

    /// From the outermost group to the innermost.
    pub fn path(&self, vertex: usize) -> Vec<usize> {
        let mut path: Vec<usize> = self.around(self.vertices[vertex].group).collect();
        path.reverse();
        path
    }

    pub fn is_pass(&self, vertex: usize) -> bool {
        matches!(self.vertices[vertex].what, What::Pass(_) | What::Label(_))
    }

    /// How far the middles of two neighbours in a layer must be apart.
    pub fn apart(&self, one: usize, other: usize, spacing: &Spacing) -> f64 {
        let (a, b) = (&self.vertices[one], &self.vertices[other]);
        let is_line = |it: &Vertex| matches!(it.what, What::Pass(_) | What::Spacer);
        let gap = match (is_line(a), is_line(b)) {
            (true, true) => spacing.edge,
            (false, false) => spacing.node,
            _ => spacing.edge.max(spacing.node / 2.0),
        };
        let borders = if a.group == b.group {
            0.0
        } else {
            let (one, other) = (self.path(one), self.path(other));
            let same = one.iter().zip(&other).take_while(|(a, b)| a == b).count();
            (one.len() + other.len() - 2 * same) as f64 * spacing.padding
        };
        (a.size.w + b.size.w) / 2.0 + gap + borders
    }
}

/// The layers of the items, with a layer for each title on the way.
fn rank_items(input: &Input, turned: &[bool]) -> Vec<usize> {
    let items = input.items.len();
    let top = |group: usize| items + group * 2;
    let titled = |group: usize| !input.frames[group].title.is_empty();
    let (before, after) = match input.titles {
        TitleSide::Before => (true, false),
        TitleSide::After => (false, true),
        TitleSide::Across => (false, false),
    };
    let around = |group: Option<usize>| std::iter::successors(group, |&at| input.frames[at].parent);
    let mut arcs = Vec::with_capacity(input.lines.len());
    for (line, &turned) in input.lines.iter().zip(turned) {
        if line.from == line.to {
            continue;
        }
        let (from, to) = if turned {
            (line.to, line.from)
        } else {
            (line.from, line.to)
        };
        let (left, entered) = (input.items[from].group, input.items[to].group);
        let beyond = |group: Option<usize>, other: Option<usize>| {
            around(group)
                .filter(|&it| titled(it) && !around(other).any(|at| at == it))
                .count()
        };
        let mut least = 1;
        if before {
            least += beyond(entered, left) as i32;
        }
        if after {
            least += beyond(left, entered) as i32;
        }
        if line.label.is_some() {
            least = least.max(2);
        }
        arcs.push(Arc {
            from,
            to,
            least,
            weight: if line.label.is_some() { 1 } else { 2 },
        });
    }
    let mut nest = |group: usize, (from, to): (usize, usize)| {
        let least = |title: bool| i32::from(title && titled(group));
        arcs.push(Arc {
            from: top(group),
            to: from,
            least: least(before),
            weight: 2,
        });
        arcs.push(Arc {
            from: to,
            to: top(group) + 1,
            least: least(after),
            weight: 2,
        });
    };
    for (at, item) in input.items.iter().enumerate() {
        if let Some(group) = item.group {
            nest(group, (at, at));
        }
    }
    for (at, frame) in input.frames.iter().enumerate() {
        if let Some(parent) = frame.parent {
            nest(parent, (top(at), top(at) + 1));
        }
    }
    let ranks = rank::ranks(items + input.frames.len() * 2, &arcs);
    let least = ranks.iter().take(items).copied().min().unwrap_or(0);
    // Room for the titles before the first.
    let deepest = (0..input.frames.len())
        .map(|group| around(Some(group)).filter(|&it| titled(it)).count())
        .max();
    let room = if before {
        deepest.unwrap_or(0) as i32
    } else {
        0
    };
    ranks
        .iter()
        .take(items)
        .map(|&rank| (rank - least + room).max(0) as usize)
        .collect()
}
