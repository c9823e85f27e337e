//! Ends move along their box's side where that makes a line straight that else had a small jog.

use super::along::jog;
use super::net::{Input, Net, What};

pub(crate) fn ends(net: &mut Net, input: &Input, x: &[f64]) {
    let most = input.spacing.edge * 0.75;
    for hop in 0..net.hops.len() {
        let it = jog(net, x, hop);
        let off = it.bottom - it.top;
        if off == 0.0 || off.abs() > most {
            continue;
        }
        let (from, to) = (net.hops[hop].from_offset, net.hops[hop].to_offset);
        if may_move(net, input, hop, End::Top, from + off) {
            net.hops[hop].from_offset = from + off;
        } else if may_move(net, input, hop, End::Bottom, to - off) {
            net.hops[hop].to_offset = to - off;
        }
    }
}

#[derive(Clone, Copy, PartialEq)]
enum End {
    Top,
    Bottom,
}

fn may_move(net: &Net, input: &Input, hop: usize, end: End, offset: f64) -> bool {
    let it = &net.hops[hop];
    let vertex = if end == End::Top { it.from } else { it.to };
    let What::Item(item) = net.vertices[vertex].what else {
        return false;
    };
    let line = &input.lines[it.line];
    if line.from_offset.is_some() || line.to_offset.is_some() {
        return false;
    }
    let room = input.spacing.edge / 2.0;
    let middle = -input.items[item].loops / 2.0;
    if (offset - middle).abs()
        > input.items[item].size.w / 2.0 - room.min(input.items[item].size.w / 4.0)
    {
        return false;
    }
    let old = if end == End::Top {
        it.from_offset
    } else {
        it.to_offset
    };
    let beside = if end == End::Top {
        &net.down[vertex]
    } else {
        &net.up[vertex]
    };
    let others = beside.iter().filter(|&&other| other != hop).map(|&other| {
        let other = &net.hops[other];
        if end == End::Top {
            other.from_offset
        } else {
            other.to_offset
        }
    });
    // Neither past another end nor too near to it.
    let mut others = others;
    others.all(|other| (other - offset).abs() >= room && (other < offset) == (other < old))
}
