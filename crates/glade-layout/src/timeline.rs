//! Timelines: periods along an axis, what happened under them; without periods, events on both sides of it.

use crate::Direction;
use crate::block::{Block, Member, members, stacked};
use crate::draft::Draft;
use crate::geometry::{Point, at};
use crate::graph::Graph;

/// Which side of the axis something is on.
#[derive(Clone, Copy, PartialEq)]
enum Beside {
    Before,
    After,
}

pub(crate) fn place(graph: &Graph) -> Draft {
    let mut draft = Draft::new(graph);
    let mut slots: Vec<Block> = members(graph, None)
        .into_iter()
        .map(|it| match it {
            Member::Node(node) => Block::node(graph, node),
            Member::Group(group) => {
                stacked(graph, Some(group), graph.spacing.node / 2.0).framed(graph, group)
            }
        })
        .collect();
    if matches!(graph.direction, Direction::Left | Direction::Up) {
        slots.reverse();
    }
    let sideways = graph.direction.is_sideways();
    let both_sides = graph.groups.is_empty() && slots.len() > 3;
    let (gap, off) = (graph.spacing.node / 2.0, graph.spacing.layer / 2.0);
    // How far each side of the axis is taken, and where the last one was.
    let (mut taken, mut last) = ([0.0, 0.0], 0.0);
    for (index, slot) in slots.into_iter().enumerate() {
        let side = if both_sides && index % 2 == 0 {
            Beside::Before
        } else {
            Beside::After
        };
        let (length, depth) = if sideways {
            (slot.size.w, slot.size.h)
        } else {
            (slot.size.h, slot.size.w)
        };
        let mut start: f64 = taken[side as usize];
        if index > 0 {
            start = start.max(last + gap * 2.0 - length / 2.0);
        }
        let across = if side == Beside::Before {
            -off - depth
        } else {
            off
        };
        slot.put(
            if sideways {
                at(start, across)
            } else {
                at(across, start)
            },
            &mut draft,
        );
        taken[side as usize] = start + length + gap;
        last = start + length / 2.0;
    }
    let end = taken[0].max(taken[1]);
    let (start, end) = if sideways {
        (at(-gap, 0.0), at(end, 0.0))
    } else {
        (at(0.0, -gap), at(0.0, end))
    };
    let forward = matches!(graph.direction, Direction::Right | Direction::Down);
    let axis: (Point, Point) = if forward { (start, end) } else { (end, start) };
    draft.axis = Some(axis);
    draft
}
