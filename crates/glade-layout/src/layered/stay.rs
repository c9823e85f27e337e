//! A layout after another: what was there keeps its layer, its order and, as far as it can, its place; what is new is put
//! in where it crosses least (after North and Woodhull's DynaDAG).

use crate::geometry::{Point, Rect};
use crate::separate::Goal;

use super::along::Bands;
use super::crossings;
use super::net::{Before, Input, Net, What};

/// The layers of all items, and the lines that point against them.
pub(crate) fn ranks(input: &Input, before: &Before) -> (Vec<usize>, Vec<bool>) {
    let bands = known_bands(before);
    let mut rank: Vec<Option<f64>> = before
        .items
        .iter()
        .map(|it| it.map(|it| band_of(&bands, it) as f64 * 2.0))
        .collect();
    settle_new(input, &mut rank);
    let wanted: Vec<f64> = rank.into_iter().map(|it| it.unwrap_or(0.0)).collect();
    let layers = distinct(&wanted);
    let rank: Vec<usize> = wanted
        .iter()
        .map(|it| layers.iter().position(|layer| layer == it).unwrap_or(0))
        .collect();
    push_apart(input, rank)
}

/// What was there, by layers: middles that lie in each other's boxes are one layer.
fn known_bands(before: &Before) -> Vec<(f64, f64)> {
    let mut rects: Vec<Rect> = before.items.iter().flatten().copied().collect();
    rects.sort_by(|a, b| a.center().y.total_cmp(&b.center().y));
    let mut bands: Vec<(f64, f64)> = Vec::new();
    for it in rects {
        let middle = it.center().y;
        match bands.last_mut() {
            Some((low, high)) if middle - (*low + *high) / 2.0 < 12.0 => {
                *high = high.max(middle);
                *low = low.min(middle);
            }
            _ => bands.push((middle, middle)),
        }
    }
    bands
}

fn band_of(bands: &[(f64, f64)], it: Rect) -> usize {
    let middle = it.center().y;
    let off = |at: usize| (middle - (bands[at].0 + bands[at].1) / 2.0).abs();
    (0..bands.len())
        .min_by(|&a, &b| off(a).total_cmp(&off(b)))
        .unwrap_or(0)
}

/// New items go below what points at them, or above what they point at; known layers are even.
fn settle_new(input: &Input, rank: &mut [Option<f64>]) {
    loop {
        let mut changed = false;
        for item in 0..rank.len() {
            if rank[item].is_some() {
                continue;
            }
            let lines = input.lines.iter().filter(|it| it.from != it.to);
            let above = lines
                .clone()
                .filter(|it| it.to == item)
                .filter_map(|it| rank[it.from]);
            let above = above.fold(f64::NEG_INFINITY, f64::max);
            let below = lines
                .filter(|it| it.from == item)
                .filter_map(|it| rank[it.to]);
            let below = below.fold(f64::INFINITY, f64::min);
            rank[item] = match (above.is_finite(), below.is_finite()) {
                (true, true) if above + 2.0 < below => Some(above + 2.0),
                (true, true) if above < below => Some((above + below) / 2.0),
                (true, _) => Some(above + 2.0),
                (false, true) => Some(below - 2.0),
                (false, false) => continue,
            };
            changed = true;
        }
        if !changed {
            break;
        }
    }
    let least = rank.iter().flatten().copied().fold(f64::INFINITY, f64::min);
    for it in rank {
        it.get_or_insert(if least.is_finite() { least } else { 0.0 });
    }
}

fn distinct(ranks: &[f64]) -> Vec<f64> {
    let mut all = ranks.to_vec();
    all.sort_by(f64::total_cmp);
    all.dedup();
    all
}

/// Ends of a line in one layer get apart: the lower one moves down, and what hangs on it with it.
fn push_apart(input: &Input, mut rank: Vec<usize>) -> (Vec<usize>, Vec<bool>) {
    let turned: Vec<bool> = input
        .lines
        .iter()
        .map(|it| it.from != it.to && rank[it.from] > rank[it.to])
        .collect();
    let ends: Vec<(usize, usize)> = input
        .lines
        .iter()
        .zip(&turned)
        .filter(|(it, _)| it.from != it.to)
        .map(|(it, &turned)| {
            if turned {
                (it.to, it.from)
            } else {
                (it.from, it.to)
            }
        })
        .collect();
    // Ends of one layer may point in a circle; those that close it are turned.
    let closing = super::acyclic::turned(rank.len(), &ends);
    let ends: Vec<(usize, usize)> = ends
        .iter()
        .zip(&closing)
        .map(|(&(from, to), &turned)| if turned { (to, from) } else { (from, to) })
        .collect();
    for _ in 0..rank.len() + 1 {
        let mut changed = false;
        for &(from, to) in &ends {
            if rank[to] <= rank[from] {
                rank[to] = rank[from] + 1;
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    let turned = input
        .lines
        .iter()
        .map(|it| it.from != it.to && rank[it.from] > rank[it.to])
        .collect();
    (rank, turned)
}

/// Where a vertex was across the flow, if it was there.
fn was_at(net: &Net, before: &Before, vertex: usize) -> Option<f64> {
    match net.vertices[vertex].what {
        // Room for loops is on the right of the box.
        What::Item(item) => before.items[item].map(|it| it.x + net.vertices[vertex].size.w / 2.0),
        What::Pass(line) | What::Label(line) => {
            let points = before.lines[line].as_ref()?;
            let y = known_level(net, before, net.vertices[vertex].rank)?;
            crossing_of(points, y)
        }
        What::Title(_) | What::Spacer => None,
    }
}

/// Where a layer was: the middle of an item that was in it.
fn known_level(net: &Net, before: &Before, rank: usize) -> Option<f64> {
    let mut items = net.layers[rank]
        .iter()
        .filter_map(|&it| match net.vertices[it].what {
            What::Item(item) => before.items[item],
            _ => None,
        });
    items.next().map(|it| it.center().y)
}

fn crossing_of(points: &[Point], y: f64) -> Option<f64> {
    points.windows(2).find_map(|pair| {
        let (low, high) = (pair[0].y.min(pair[1].y), pair[0].y.max(pair[1].y));
        if !(low..=high).contains(&y) || low == high {
            return None;
        }
        let part = (y - pair[0].y) / (pair[1].y - pair[0].y);
        Some(pair[0].toward(pair[1], part).x)
    })
}

/// Old vertices in their old order, new ones where they cross least.
pub(crate) fn sort(net: &mut Net, input: &Input, before: &Before) {
    let old: Vec<Option<f64>> = (0..net.vertices.len())
        .map(|it| was_at(net, before, it))
        .collect();
    if old.iter().all(Option::is_none) || !net.frames.is_empty() {
        // Groups are kept together by the sweeps; their order begins with the old one.
        super::order::sort(net);
        return;
    }
    let mut new: Vec<usize> = Vec::new();
    let mut is_in = vec![false; net.vertices.len()];
    for rank in 0..net.layers.len() {
        let layer = std::mem::take(&mut net.layers[rank]);
        let (mut kept, added): (Vec<usize>, Vec<usize>) =
            layer.into_iter().partition(|&it| old[it].is_some());
        kept.sort_by(|&a, &b| {
            old[a]
                .partial_cmp(&old[b])
                .unwrap_or(std::cmp::Ordering::Equal)
        });
        for &it in &kept {
            is_in[it] = true;
        }
        net.layers[rank] = kept;
        new.extend(added);
    }
    let _ = input;
    let is_pass = |net: &Net, it: usize| net.is_pass(it);
    new.sort_by_key(|&it| (is_pass(net, it), it));
    for &vertex in &new {
        insert(net, vertex, &is_in);
        is_in[vertex] = true;
    }
    for _ in 0..3 {
        for &vertex in &new {
            let rank = net.vertices[vertex].rank;
            net.layers[rank].retain(|&it| it != vertex);
            insert(net, vertex, &is_in);
        }
    }
}

/// Puts a vertex where its lines cross those of the others least; of equal places, nearest to its neighbours.
fn insert(net: &mut Net, vertex: usize, is_in: &[bool]) {
    let place = net.places();
    let rank = net.vertices[vertex].rank;
    let layer = &net.layers[rank];
    let mut near: Vec<f64> = Vec::new();
    let up = net.up[vertex].iter().map(|&hop| net.hops[hop].from);
    let down = net.down[vertex].iter().map(|&hop| net.hops[hop].to);
    for other in up.chain(down).filter(|&it| is_in[it]) {
        let beside = net.layers[net.vertices[other].rank].len().max(1);
        near.push((place[other] as f64 + 0.5) / beside as f64);
    }
    let wanted = if near.is_empty() {
        1.0
    } else {
        near.iter().sum::<f64>() / near.len() as f64
    };
    let mut crossing = vec![0_i64; layer.len() + 1];
    for (at, &other) in layer.iter().enumerate() {
        let (left, right) = crossings::of_pair(net, &place, vertex, other);
        // Left of `other` at places up to `at`, right of it beyond.
        crossing[at + 1] += crossing[at] + right as i64 - left as i64;
    }
    let off = |at: usize| (at as f64 / layer.len().max(1) as f64 - wanted).abs();
    let best = (0..=layer.len()).min_by(|&a, &b| {
        crossing[a]
            .cmp(&crossing[b])
            .then(off(a).total_cmp(&off(b)))
    });
    net.layers[rank].insert(best.unwrap_or(0), vertex);
}

/// What was there wants to stay; what is new wants to be where its neighbours are.
pub(crate) fn goals(net: &Net, before: &Before, wanted: &[f64]) -> Vec<Goal> {
    let old: Vec<Option<f64>> = (0..net.vertices.len())
        .map(|it| was_at(net, before, it))
        .collect();
    let both = old
        .iter()
        .zip(wanted)
        .filter_map(|(old, wanted)| old.map(|old| old - wanted));
    let mut shifts: Vec<f64> = both.collect();
    shifts.sort_by(f64::total_cmp);
    let shift = shifts.get(shifts.len() / 2).copied().unwrap_or(0.0);
    let near = |vertex: usize| {
        let up = net.up[vertex].iter().map(|&hop| net.hops[hop].from);
        let down = net.down[vertex].iter().map(|&hop| net.hops[hop].to);
        let known: Vec<f64> = up.chain(down).filter_map(|it| old[it]).collect();
        (!known.is_empty()).then(|| known.iter().sum::<f64>() / known.len() as f64)
    };
    (0..net.vertices.len())
        .map(|vertex| match old[vertex] {
            Some(place) => Goal {
                place,
                weight: if net.is_pass(vertex) { 1.0 } else { 100.0 },
            },
            None => Goal {
                place: near(vertex).unwrap_or(wanted[vertex] + shift),
                weight: 0.05,
            },
        })
        .collect()
}

/// Layers stay where they were, as far as they are apart enough.
pub(crate) fn keep_bands(net: &Net, before: &Before, bands: &mut Bands) {
    let count = bands.top.len();
    let mut goals = Vec::with_capacity(count);
    let mut shift = 0.0;
    for rank in 0..count {
        let known = known_level(net, before, rank).map(|middle| middle - bands.height[rank] / 2.0);
        if let Some(place) = known {
            shift = place - bands.top[rank];
        }
        goals.push(Goal {
            place: known.unwrap_or(bands.top[rank] + shift),
            weight: if known.is_some() { 10.0 } else { 0.1 },
        });
    }
    let gaps: Vec<crate::separate::Gap> = (1..count)
        .map(|rank| crate::separate::Gap {
            left: rank - 1,
            right: rank,
            gap: bands.top[rank] - bands.top[rank - 1],
        })
        .collect();
    let places = crate::separate::places(&goals, &gaps);
    for (at, hop) in net.hops.iter().enumerate() {
        if let Some(track) = &mut bands.track[at] {
            let rank = net.vertices[hop.from].rank;
            *track += places[rank] - bands.top[rank];
        }
    }
    bands.top = places;
}
