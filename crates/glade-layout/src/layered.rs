//! The layered engine (Sugiyama's method): cycles are broken, items ranked, long lines cut into hops, layers sorted for few
//! crossings, and everything placed. One connected part at a time, flowing downwards.

mod across;
pub(crate) mod acyclic;
mod along;
mod crossings;
mod frames;
pub(crate) mod net;
mod order;
pub(crate) mod rank;
mod sides;
mod stay;
mod straighten;
mod tracks;

use crate::geometry::{self, Point, Rect, Size, at, rect};
use crate::separate::Goal;

use net::{Input, Net, TitleSide, What};

/// Where the engine puts things, in its own space.
#[derive(Clone, Debug, Default)]
pub(crate) struct Output {
    pub items: Vec<Rect>,
    pub frames: Vec<Option<Rect>>,
    pub titles: Vec<Option<Rect>>,
    /// The points of each line, from its start to its end.
    pub guides: Vec<Option<Vec<Point>>>,
    pub labels: Vec<Option<Rect>>,
}

pub(crate) fn place(input: &Input) -> Output {
    let mut net = Net::new(input);
    match &input.before {
        Some(before) => stay::sort(&mut net, input, before),
        None => order::sort(&mut net),
    }
    sides::spread(&mut net, input);
    let wanted = across::places(&net, &input.spacing);
    let (x, borders) = match &input.before {
        Some(before) => frames::settle(&net, input, stay::goals(&net, before, &wanted)),
        None if net.frames.is_empty() => (wanted, Vec::new()),
        None => {
            let goals = wanted.into_iter().map(|place| Goal { place, weight: 1.0 });
            frames::settle(&net, input, goals.collect())
        }
    };
    straighten::ends(&mut net, input, &x);
    let mut bands = along::bands(&net, input, &x);
    if let Some(before) = &input.before {
        stay::keep_bands(&net, before, &mut bands);
    }
    output(&net, input, &x, &borders, &bands)
}

fn output(
    net: &Net,
    input: &Input,
    x: &[f64],
    borders: &frames::Borders,
    bands: &along::Bands,
) -> Output {
    let mut output = Output {
        items: vec![Rect::default(); input.items.len()],
        frames: vec![None; input.frames.len()],
        titles: vec![None; input.frames.len()],
        guides: (0..input.lines.len())
            .map(|line| along::guide(net, bands, input, x, line))
            .collect(),
        labels: vec![None; input.lines.len()],
    };
    let middle = |vertex: usize| {
        let rank = net.vertices[vertex].rank;
        at(x[vertex], bands.top[rank] + bands.height[rank] / 2.0)
    };
    let mut boxes: Vec<Option<Rect>> = Vec::with_capacity(net.vertices.len());
    for (at_vertex, vertex) in net.vertices.iter().enumerate() {
        let around = Rect::around(middle(at_vertex), vertex.size);
        boxes.push(match vertex.what {
            What::Item(item) => {
                let size = input.items[item].size;
                output.items[item] = rect(around.x, around.y, size.w, size.h);
                Some(around)
            }
            What::Label(line) => {
                output.labels[line] = Some(around);
                Some(around)
            }
            What::Title(group) => {
                output.titles[group] = Some(around);
                Some(around)
            }
            What::Pass(_) | What::Spacer => None,
        });
    }
    loops(input, &mut output);
    place_frames(net, input, borders, &boxes, &mut output);
    output
}

/// Loops stand out on the right, each beyond the last.
fn loops(input: &Input, output: &mut Output) {
    let mut room = vec![0.0; input.items.len()];
    for (line, it) in input.lines.iter().enumerate() {
        if it.from != it.to {
            continue;
        }
        let item = output.items[it.from];
        let start = item.right() + room[it.from];
        let (points, label, used) = loop_beside(item, start, it.label, input);
        room[it.from] += used;
        output.guides[line] = Some(points);
        output.labels[line] = label;
    }
}

fn loop_beside(
    item: Rect,
    start: f64,
    label: Option<Size>,
    input: &Input,
) -> (Vec<Point>, Option<Rect>, f64) {
    let half = label.map_or(0.0, |it| it.w / 2.0);
    let out = start + input.spacing.edge + half;
    let reach = item.h / 4.0 * (1.0 + (start - item.right()) / (start - item.right() + 100.0));
    let (top, bottom) = (item.center().y - reach, item.center().y + reach);
    let points = vec![
        at(item.right(), top),
        at(out, top),
        at(out, bottom),
        at(item.right(), bottom),
    ];
    let label = label.map(|size| Rect::around(at(out, item.center().y), size));
    (points, label, input.spacing.edge + half * 2.0)
}

/// The room that a loop with this label needs.
pub(crate) fn loop_room(label: Option<Size>, edge: f64) -> f64 {
    edge + label.map_or(0.0, |it| it.w)
}

fn place_frames(
    net: &Net,
    input: &Input,
    borders: &frames::Borders,
    boxes: &[Option<Rect>],
    output: &mut Output,
) {
    let mut order: Vec<usize> = (0..net.frames.len()).collect();
    let depth =
        |group: usize| std::iter::successors(Some(group), |&at| net.frames[at].parent).count();
    order.sort_by_key(|&group| std::cmp::Reverse(depth(group)));
    for group in order {
        let Some((left, right)) = borders.get(group).copied().flatten() else {
            continue;
        };
        let own = boxes
            .iter()
            .enumerate()
            .filter(|(at, _)| net.vertices[*at].group == Some(group));
        let own = own.filter_map(|(_, it)| *it);
        let children = (0..net.frames.len()).filter(|&it| net.frames[it].parent == Some(group));
        let children = children.filter_map(|it| output.frames[it]);
        let Some(inside) = geometry::bounds(own.chain(children)) else {
            continue;
        };
        let padding = input.spacing.padding;
        let title = input.frames[group].title;
        let (mut top, mut bottom) = (inside.y - padding, inside.bottom() + padding);
        if input.titles == TitleSide::Across {
            bottom = bottom.max(top + title.h + padding * 2.0);
        } else if input.titles == TitleSide::Before && !title.is_empty() {
            top += padding / 2.0;
        } else if !title.is_empty() {
            bottom -= padding / 2.0;
        }
        let frame = rect(left, top, right - left, bottom - top);
        output.frames[group] = Some(frame);
        if input.titles == TitleSide::Across || title.is_empty() {
            output.titles[group] =
                Some(rect(left + padding / 2.0, top + padding, title.w, title.h));
        } else if let Some(it) = &mut output.titles[group] {
            it.x = left + padding;
        }
    }
}
