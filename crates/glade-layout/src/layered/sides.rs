//! Where on a box's side its lines end: apart, in the order of where they come from.

use crate::structure::Spacing;

use super::net::{Input, Net, What};

pub(crate) fn spread(net: &mut Net, input: &Input) {
    let place = net.places();
    for vertex in 0..net.vertices.len() {
        let What::Item(item) = net.vertices[vertex].what else {
            continue;
        };
        let width = input.items[item].size.w;
        let shift = -input.items[item].loops / 2.0;
        for down in [true, false] {
            let mut hops = if down {
                net.down[vertex].clone()
            } else {
                net.up[vertex].clone()
            };
            hops.sort_by_key(|&hop| {
                let other = if down {
                    net.hops[hop].to
                } else {
                    net.hops[hop].from
                };
                (place[other], hop)
            });
            let step = step(width, hops.len(), &input.spacing);
            let first = -step * (hops.len().saturating_sub(1)) as f64 / 2.0;
            for (at, hop) in hops.into_iter().enumerate() {
                let offset = first + step * at as f64;
                let hop = &mut net.hops[hop];
                let line = &input.lines[hop.line];
                let starts = down != net.turned[hop.line];
                let wanted = if starts {
                    line.from_offset
                } else {
                    line.to_offset
                };
                let offset = wanted.unwrap_or(offset) + shift;
                if down {
                    hop.from_offset = offset;
                } else {
                    hop.to_offset = offset;
                }
            }
        }
    }
}

/// How far apart lines end on a side.
fn step(width: f64, count: usize, spacing: &Spacing) -> f64 {
    (width / (count + 1) as f64).min(spacing.edge * 2.0)
}
