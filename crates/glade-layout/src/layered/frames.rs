//! Groups as true rectangles: nothing of another in them, all of theirs inside, and what was placed before left where it
//! was as far as that goes.

use crate::separate::{self, Gap, Goal};
use crate::structure::Spacing;

use super::net::{Input, Net, TitleSide, What};

/// The left and right border of each group.
pub(crate) type Borders = Vec<Option<(f64, f64)>>;

/// Moves the vertices as little as the groups allow; `goals` are their places so far.
pub(crate) fn settle(net: &Net, input: &Input, goals: Vec<Goal>) -> (Vec<f64>, Borders) {
    let count = net.vertices.len();
    let mut goals = goals;
    let left = |group: usize| count + group * 2;
    for group in 0..net.frames.len() {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for (vertex, goal) in goals.iter().take(count).enumerate() {
            if net.path(vertex).contains(&group) {
                low = low.min(goal.place);
                high = high.max(goal.place);
            }
        }
        let weight = 1e-3;
        let known = low.is_finite();
        goals.push(Goal {
            place: if known { low } else { 0.0 },
            weight,
        });
        goals.push(Goal {
            place: if known { high } else { 0.0 },
            weight,
        });
    }
    let mut gaps = Vec::new();
    for layer in &net.layers {
        for pair in layer.windows(2) {
            gaps.push(Gap {
                left: pair[0],
                right: pair[1],
                gap: net.apart(pair[0], pair[1], &input.spacing),
            });
        }
        borders_of_layer(net, input, layer, &left, &mut gaps);
    }
    for group in 0..net.frames.len() {
        if net.spans[group].is_some() {
            let least = least_width(input, group);
            gaps.push(Gap {
                left: left(group),
                right: left(group) + 1,
                gap: least,
            });
        }
    }
    let gaps = unique(gaps);
    let mut places = separate::places(&goals, &gaps);
    let borders = (0..net.frames.len())
        .map(|group| net.spans[group].map(|_| (places[left(group)], places[left(group) + 1])))
        .collect();
    places.truncate(count);
    (places, borders)
}

fn least_width(input: &Input, group: usize) -> f64 {
    let title = input.frames[group].title;
    match input.titles {
        TitleSide::Across => input.spacing.padding * 2.0,
        _ => title.w + input.spacing.padding * 2.0,
    }
}

/// How far a group's first border is from its content.
fn inset(input: &Input, group: usize, spacing: &Spacing) -> f64 {
    let title = input.frames[group].title;
    match input.titles {
        TitleSide::Across if !title.is_empty() => spacing.padding + title.w,
        _ => spacing.padding,
    }
}

fn borders_of_layer(
    net: &Net,
    input: &Input,
    layer: &[usize],
    left: &impl Fn(usize) -> usize,
    gaps: &mut Vec<Gap>,
) {
    let spacing = &input.spacing;
    let half = |vertex: usize| net.vertices[vertex].size.w / 2.0;
    let empty: Vec<usize> = Vec::new();
    let mut before = (None, empty.clone());
    let ends = layer.iter().map(|&it| Some(it)).chain([None]);
    for vertex in ends {
        let path = vertex.map_or_else(Vec::new, |it| net.path(it));
        let (last, last_path) = &before;
        let same = last_path
            .iter()
            .zip(&path)
            .take_while(|(a, b)| a == b)
            .count();
        close(net, *last, &last_path[same..], left, spacing, gaps);
        open(input, vertex, &path[same..], left, half, gaps);
        // What stands beside a border.
        let ended = last_path.get(same).copied();
        let begun = path.get(same).copied();
        let gap = spacing.node / 2.0;
        match (ended, begun) {
            (Some(one), Some(other)) => gaps.push(Gap {
                left: left(one) + 1,
                right: left(other),
                gap,
            }),
            (Some(one), None) => {
                if let Some(vertex) = vertex {
                    gaps.push(Gap {
                        left: left(one) + 1,
                        right: vertex,
                        gap: half(vertex) + spacing.edge,
                    });
                }
            }
            (None, Some(other)) => {
                if let Some(last) = last {
                    gaps.push(Gap {
                        left: *last,
                        right: left(other),
                        gap: half(*last) + spacing.edge,
                    });
                }
            }
            (None, None) => {}
        }
        before = (vertex, path);
    }
}

/// The groups that end after `last`, the outermost first.
fn close(
    net: &Net,
    last: Option<usize>,
    ending: &[usize],
    left: &impl Fn(usize) -> usize,
    spacing: &Spacing,
    gaps: &mut Vec<Gap>,
) {
    for (at, &group) in ending.iter().enumerate() {
        let (inner, room) = match (ending.get(at + 1), last) {
            (Some(&inner), _) => (left(inner) + 1, 0.0),
            (None, Some(last)) => (last, net.vertices[last].size.w / 2.0),
            (None, None) => continue,
        };
        let room = room
            + if matches!(last.map(|it| net.vertices[it].what), Some(What::Spacer)) {
                0.0
            } else {
                spacing.padding
            };
        gaps.push(Gap {
            left: inner,
            right: left(group) + 1,
            gap: room,
        });
    }
}

/// The groups that begin at `vertex`, the outermost first.
fn open(
    input: &Input,
    vertex: Option<usize>,
    beginning: &[usize],
    left: &impl Fn(usize) -> usize,
    half: impl Fn(usize) -> f64,
    gaps: &mut Vec<Gap>,
) {
    for (at, &group) in beginning.iter().enumerate() {
        let (inner, room) = match (beginning.get(at + 1), vertex) {
            (Some(&inner), _) => (left(inner), 0.0),
            (None, Some(vertex)) => (vertex, half(vertex)),
            (None, None) => continue,
        };
        let room = room + inset(input, group, &input.spacing);
        gaps.push(Gap {
            left: left(group),
            right: inner,
            gap: room,
        });
    }
}

/// Each pair once, with its widest gap: borders meet in many layers.
fn unique(gaps: Vec<Gap>) -> Vec<Gap> {
    let mut widest = std::collections::BTreeMap::new();
    for gap in gaps {
        let known = widest.entry((gap.left, gap.right)).or_insert(gap.gap);
        *known = known.max(gap.gap);
    }
    widest
        .into_iter()
        .map(|((left, right), gap)| Gap { left, right, gap })
        .collect()
}
