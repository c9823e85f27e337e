//! Sequence diagrams: participants in columns, as near as their messages' labels let them (difference constraints solved by
//! longest paths), and everything that happens in rows of time. Time runs down, whatever the direction.

mod columns;
mod frames;

use crate::draft::Draft;
use crate::geometry::{Point, Rect, Size, at, rect};
use crate::graph::{Graph, Moment, Target, moments};
use crate::outcome::{Label, Placed, Route, SequenceMarks};
use crate::route::Way;
use crate::structure::{Beside, Step, Structure};
use crate::{Id, LayoutError, Routing};

use frames::Frames;

/// Half as wide as an activation is.
const HALF_BAR: f64 = 6.0;

pub(crate) fn place(
    graph: &Graph,
    structure: &Structure,
) -> Result<(Draft, SequenceMarks), LayoutError> {
    let mut moments = moments(structure)?;
    say_all(graph, &mut moments);
    let columns = columns::places(graph, &moments);
    let mut time = Time::new(graph, structure, &columns);
    for moment in &moments {
        time.pass(moment);
    }
    Ok(time.end())
}

/// Each edge is said once: what no step says, at the end.
fn say_all(graph: &Graph, moments: &mut Vec<Moment>) {
    let mut said = vec![false; graph.links.len()];
    moments.retain(|moment| match moment {
        Moment::Message(link) => !std::mem::replace(&mut said[*link], true),
        _ => true,
    });
    let rest = (0..said.len()).filter(|&link| !said[link]);
    moments.extend(rest.map(Moment::Message).collect::<Vec<_>>());
}

/// The participant that an end is at: of a group, its first.
pub(crate) fn participant(graph: &Graph, target: Target) -> Option<usize> {
    match target {
        Target::Node(node) => Some(node),
        Target::Group(group) => (0..graph.nodes.len()).find(|&node| graph.is_in(node, group)),
    }
}

/// An activation: whose, from when to when, and over how many others.
struct Bar {
    node: usize,
    from: f64,
    to: Option<f64>,
    depth: usize,
}

struct Time<'a> {
    graph: &'a Graph,
    structure: &'a Structure,
    x: &'a [f64],
    now: f64,
    /// When the last message was.
    last: f64,
    bars: Vec<Bar>,
    messages: Vec<Option<f64>>,
    notes: Vec<Placed>,
    frames: Frames,
}

impl<'a> Time<'a> {
    fn new(graph: &'a Graph, structure: &'a Structure, x: &'a [f64]) -> Self {
        let head = graph.nodes.iter().map(|it| it.size.h).fold(0.0, f64::max);
        let gap = graph.spacing.layer / 2.0;
        Self {
            graph,
            structure,
            x,
            now: head + gap,
            last: head + gap / 2.0,
            bars: Vec::new(),
            messages: vec![None; graph.links.len()],
            notes: Vec::new(),
            frames: Frames::new(graph.spacing.padding),
        }
    }

    fn gap(&self) -> f64 {
        self.graph.spacing.layer / 4.0
    }

    fn pass(&mut self, moment: &Moment) {
        match moment {
            Moment::Message(link) => self.message(*link),
            Moment::Activate(node) => {
                let depth = self
                    .bars
                    .iter()
                    .filter(|it| it.node == *node && it.to.is_none())
                    .count();
                self.bars.push(Bar {
                    node: *node,
                    from: self.last,
                    to: None,
                    depth,
                });
            }
            Moment::Deactivate(node) => {
                let last = self.last;
                let mut open = self
                    .bars
                    .iter_mut()
                    .rev()
                    .filter(|it| it.node == *node && it.to.is_none());
                if let Some(bar) = open.next() {
                    bar.to = Some(last.max(bar.from + self.graph.spacing.edge));
                }
            }
            Moment::Note(step, beside, of, size) => self.note(*step, *beside, of, *size),
            Moment::Open(step, title) => {
                self.frames.open(self.id(*step), *title, self.now);
                self.now += title.h + self.graph.spacing.padding / 2.0 + self.gap();
            }
            Moment::Divide(title) => {
                self.frames.divide(*title, self.now);
                self.now += title.h + self.graph.spacing.padding / 2.0 + self.gap();
            }
            Moment::Close => {
                if self.frames.close(self.now) {
                    self.now += self.gap() * 1.5;
                }
            }
        }
    }

    fn id(&self, step: usize) -> Id {
        match self.structure.steps.get(step) {
            Some(Step::Note { id, .. } | Step::Open { id, .. }) => id.clone(),
            _ => Id(String::new()),
        }
    }

    fn message(&mut self, link: usize) {
        let it = &self.graph.links[link];
        let ends = (
            participant(self.graph, it.from),
            participant(self.graph, it.to),
        );
        let (Some(from), Some(to)) = ends else {
            return;
        };
        let label = it.label.unwrap_or_default();
        let half = (label.h / 2.0).max(self.gap() / 2.0);
        self.now += half;
        self.messages[link] = Some(self.now);
        self.last = self.now;
        let (low, high) = (self.x[from].min(self.x[to]), self.x[from].max(self.x[to]));
        if from == to {
            let right = self.x[from] + columns::loop_reach(label, self.graph.spacing.edge);
            self.frames.reach(low, right);
            self.now += half + loop_height(label, self.graph);
            self.last = self.now - half;
        } else {
            let middle = (low + high) / 2.0;
            self.frames.reach(
                low.min(middle - label.w / 2.0),
                high.max(middle + label.w / 2.0),
            );
        }
        self.now += half + self.gap();
    }

    fn note(&mut self, step: usize, beside: Beside, of: &[usize], size: Size) {
        let places = of.iter().map(|&node| self.x[node]);
        let low = places.clone().fold(f64::INFINITY, f64::min);
        let high = places.fold(f64::NEG_INFINITY, f64::max);
        if of.is_empty() {
            return;
        }
        let off = self.graph.spacing.edge;
        let around = match beside {
            Beside::Over => {
                let width = size.w.max(if of.len() > 1 {
                    high - low + off * 2.0
                } else {
                    0.0
                });
                rect((low + high - width) / 2.0, self.now, width, size.h)
            }
            Beside::Left => rect(low - off - size.w, self.now, size.w, size.h),
            Beside::Right => rect(high + off, self.now, size.w, size.h),
        };
        self.frames.reach(around.x, around.right());
        self.notes.push(Placed {
            id: self.id(step),
            rect: around,
        });
        self.now = around.bottom() + self.gap();
    }

    fn end(mut self) -> (Draft, SequenceMarks) {
        let mut draft = Draft::new(self.graph);
        while self.frames.close(self.now) {
            self.now += self.gap() * 1.5;
        }
        let bottom = self.now + self.gap();
        let head = self
            .graph
            .nodes
            .iter()
            .map(|it| it.size.h)
            .fold(0.0, f64::max);
        for (node, it) in self.graph.nodes.iter().enumerate() {
            draft.nodes[node] = rect(
                self.x[node] - it.size.w / 2.0,
                head - it.size.h,
                it.size.w,
                it.size.h,
            );
        }
        if self.graph.groups.iter().any(|it| !it.title.is_empty()) || !self.graph.groups.is_empty()
        {
            draft.frame_groups(self.graph);
        }
        for link in 0..self.graph.links.len() {
            self.draw(link, &mut draft);
        }
        let marks = SequenceMarks {
            lifelines: self
                .x
                .iter()
                .map(|&x| (at(x, head), at(x, bottom)))
                .collect(),
            activations: self.bars.iter().map(|it| self.bar(it, bottom)).collect(),
            frames: std::mem::take(&mut self.frames).done(),
            notes: std::mem::take(&mut self.notes),
        };
        (draft, marks)
    }

    fn bar(&self, bar: &Bar, bottom: f64) -> Rect {
        let left = self.x[bar.node] - HALF_BAR + bar.depth as f64 * HALF_BAR;
        let to = bar.to.unwrap_or(bottom).max(bar.from);
        rect(left, bar.from, HALF_BAR * 2.0, to - bar.from)
    }

    /// Where a message touches a participant on a side: its line, or the bar on it.
    fn edge(&self, node: usize, y: f64, side: f64) -> f64 {
        let is_now = |it: &&Bar| it.node == node && it.from <= y && it.to.is_none_or(|to| y <= to);
        let bars = self.bars.iter().filter(is_now).map(|it| it.depth);
        match bars.max() {
            Some(depth) if side > 0.0 => self.x[node] + HALF_BAR + depth as f64 * HALF_BAR,
            Some(_) => self.x[node] - HALF_BAR,
            None => self.x[node],
        }
    }

    fn draw(&self, link: usize, draft: &mut Draft) {
        let Some(y) = self.messages[link] else {
            return;
        };
        let it = &self.graph.links[link];
        let ends = (
            participant(self.graph, it.from),
            participant(self.graph, it.to),
        );
        let (Some(from), Some(to)) = ends else {
            return;
        };
        let label = it.label.unwrap_or_default();
        if from == to {
            let out = self.x[from] + self.graph.spacing.edge * 2.0 + label.w / 2.0;
            let bottom = y + loop_height(label, self.graph);
            let points = vec![
                at(self.edge(from, y, 1.0), y),
                at(out, y),
                at(out, bottom),
                at(self.edge(from, bottom, 1.0), bottom),
            ];
            draft.labels[link] = it
                .label
                .map(|size| Rect::around(at(out, (y + bottom) / 2.0), size));
            draft.guides[link] = Some(points);
            return;
        }
        let side = if self.x[from] < self.x[to] { 1.0 } else { -1.0 };
        let points = vec![
            at(self.edge(from, y, side), y),
            at(self.edge(to, y, -side), y),
        ];
        let middle = points[0].toward(points[1], 0.5);
        draft.labels[link] = it.label.map(|size| Rect::around(middle, size));
        draft.guides[link] = Some(points);
    }
}

fn loop_height(label: Size, graph: &Graph) -> f64 {
    label.h.max(graph.spacing.edge) + graph.spacing.edge
}

/// Messages run as they were placed.
pub(crate) fn ways(graph: &Graph, draft: &Draft) -> Vec<Way> {
    let guides = draft.guides.iter().zip(&draft.labels);
    guides
        .map(|(guide, label)| Way {
            route: match guide {
                Some(points) => Route::Path {
                    routing: if points.len() > 2 {
                        Routing::Elbow
                    } else {
                        graph.routing
                    },
                    points: points.clone(),
                },
                None => Route::Unroutable,
            },
            label: label.map(|rect| Label { rect, along: 0.5 }),
            label_covers: false,
        })
        .collect()
}

pub(crate) fn move_marks(marks: &mut SequenceMarks, by: Point) {
    for (from, to) in &mut marks.lifelines {
        (*from, *to) = (from.moved(by), to.moved(by));
    }
    for it in &mut marks.activations {
        *it = it.moved(by);
    }
    for it in &mut marks.notes {
        it.rect = it.rect.moved(by);
    }
    for it in &mut marks.frames {
        (it.rect, it.title) = (it.rect.moved(by), it.title.moved(by));
        for (y, title) in &mut it.parts {
            (*y, *title) = (*y + by.y, title.moved(by));
        }
    }
}
