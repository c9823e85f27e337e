//! Who stands left of whom in each layer, for few crossings: sweeps by barycenter and median from several starts, each
//! polished by swapping neighbours (Sugiyama, Tagawa and Toda 1981; Gansner et al. 1993).

use crate::chance::Chance;

use super::crossings;
use super::net::{Net, What};

/// Work that one layout may spend here, in visits of vertices and hops.
const BUDGET: usize = 600_000;
const MOST_STARTS: usize = 24;
/// Sweeps without fewer crossings before a start is given up.
const PATIENCE: usize = 4;

/// Sorts the layers of the net.
pub(crate) fn sort(net: &mut Net) {
    let work = (net.vertices.len() + net.hops.len()).max(1);
    let starts = (BUDGET / (work * 24)).clamp(2, MOST_STARTS);
    let mut best = Order::first(net);
    let mut least = best.crossings(net);
    for start in 0..starts {
        if least == 0 && start > 0 {
            break;
        }
        let mut order = Order::start(net, start);
        let crossings = order.improve(net, start);
        if crossings < least || start == 0 && crossings <= least {
            (best, least) = (order, crossings);
        }
    }
    net.layers = best.layers;
}

#[derive(Clone)]
struct Order {
    layers: Vec<Vec<usize>>,
    place: Vec<usize>,
    /// By pairs of groups: whether one is left of the other in every layer.
    left_of: GroupOrder,
}

impl Order {
    /// As given, with groups kept together.
    fn first(net: &Net) -> Self {
        let mut order = Self {
            layers: net.layers.clone(),
            place: vec![0; net.vertices.len()],
            left_of: GroupOrder::new(net.frames.len()),
        };
        order.settle_places();
        let key: Vec<f64> = order.place.iter().map(|&place| place as f64).collect();
        for rank in 0..order.layers.len() {
            order.arrange(net, rank, &key);
        }
        order
    }

    fn start(net: &Net, start: usize) -> Self {
        let mut chance = Chance::new(start as u64 + 1);
        let mut roots: Vec<usize> = (0..net.vertices.len()).collect();
        if start == 1 {
            roots.reverse();
        } else if start > 1 {
            chance.shuffle(&mut roots);
        }
        let found = walk(net, &roots, start);
        let mut order = Self {
            layers: vec![Vec::new(); net.layers.len()],
            place: vec![0; net.vertices.len()],
            left_of: GroupOrder::new(net.frames.len()),
        };
        let mut key = vec![0.0; net.vertices.len()];
        for (at, vertex) in found.into_iter().enumerate() {
            key[vertex] = at as f64;
            order.layers[net.vertices[vertex].rank].push(vertex);
        }
        order.settle_places();
        if !net.frames.is_empty() {
            for rank in 0..order.layers.len() {
                order.arrange(net, rank, &key);
            }
        }
        order
    }

    fn settle_places(&mut self) {
        for layer in &self.layers {
            for (at, &vertex) in layer.iter().enumerate() {
                self.place[vertex] = at;
            }
        }
    }

    fn crossings(&self, net: &Net) -> usize {
        crossings::all(net, &self.layers, &self.place)
    }

    fn improve(&mut self, net: &Net, start: usize) -> usize {
        let mut best = self.clone();
        let mut least = self.crossings(net);
        let mut without = 0;
        let mut round = start;
        while without < PATIENCE && least > 0 {
            self.sweep(net, round, start % 3 == 2);
            let crossings = self.crossings(net);
            if crossings < least {
                (best, least, without) = (self.clone(), crossings, 0);
            } else {
                without += 1;
            }
            round += 1;
        }
        best.swap_neighbours(net);
        least = best.crossings(net);
        *self = best;
        least
    }

    /// Down in even rounds, up in odd ones; ties turn around every other pair of rounds.
    fn sweep(&mut self, net: &Net, round: usize, by_median: bool) {
        self.left_of = GroupOrder::new(net.frames.len());
        let last = self.layers.len();
        let mut keys = vec![0.0; net.vertices.len()];
        let down = round.is_multiple_of(2);
        for step in 0..last {
            let rank = if down { step } else { last - 1 - step };
            if step == 0 {
                self.left_of.learn(net, &self.layers[rank]);
                continue;
            }
            self.find_keys(net, rank, down, by_median, &mut keys);
            if (round / 2) % 2 == 1 {
                self.layers[rank].reverse();
            }
            self.arrange(net, rank, &keys);
        }
    }

    fn find_keys(&self, net: &Net, rank: usize, down: bool, by_median: bool, keys: &mut [f64]) {
        let layer = &self.layers[rank];
        let mut places = Vec::new();
        let mut lonely = false;
        for &vertex in layer {
            places.clear();
            if down {
                places.extend(
                    net.up[vertex]
                        .iter()
                        .map(|&hop| self.place[net.hops[hop].from]),
                );
            } else {
                places.extend(
                    net.down[vertex]
                        .iter()
                        .map(|&hop| self.place[net.hops[hop].to]),
                );
            }
            if places.is_empty() {
                keys[vertex] = f64::NAN;
                lonely = true;
            } else if by_median {
                places.sort_unstable();
                keys[vertex] = median(&places);
            } else {
                let sum: usize = places.iter().sum();
                keys[vertex] = sum as f64 / places.len() as f64;
            }
        }
        if lonely {
            let beside = if down {
                rank.checked_sub(1)
            } else {
                Some(rank + 1)
            };
            self.key_lonely(net, rank, beside, keys);
        }
    }

    /// Whoever has no neighbours stays between those beside it, or with its group.
    fn key_lonely(&self, net: &Net, rank: usize, beside: Option<usize>, keys: &mut [f64]) {
        let layer = &self.layers[rank];
        let mut before = -1.0;
        for (at, &vertex) in layer.iter().enumerate() {
            if keys[vertex].is_nan() {
                let group = net.vertices[vertex].group;
                let of_group = beside
                    .filter(|_| group.is_some())
                    .and_then(|rank| self.middle_of_group(net, rank, group));
                let after = layer[at + 1..].iter().map(|&it| keys[it]);
                let after = after.into_iter().find(|key| !key.is_nan());
                let between = after.map_or(before + 0.5, |after| (before + after) / 2.0);
                let is_title = matches!(net.vertices[vertex].what, What::Title(_));
                keys[vertex] = match of_group {
                    Some(_) if is_title => -1.0,
                    Some(middle) => middle,
                    None => between,
                };
            }
            before = keys[vertex];
        }
    }

    fn middle_of_group(&self, net: &Net, rank: usize, group: Option<usize>) -> Option<f64> {
        let group = group?;
        let layer = self.layers.get(rank)?.iter();
        let members = layer.filter(|&&it| net.path(it).contains(&group));
        let places: Vec<usize> = members.map(|&it| self.place[it]).collect();
        let sum: usize = places.iter().sum();
        (!places.is_empty()).then(|| sum as f64 / places.len() as f64)
    }

    /// Sorts a layer by its keys; groups stay together, and in the order that other layers gave them.
    fn arrange(&mut self, net: &Net, rank: usize, keys: &[f64]) {
        let mut layer = std::mem::take(&mut self.layers[rank]);
        if net.frames.is_empty() {
            layer.sort_by(|&a, &b| keys[a].total_cmp(&keys[b]));
        } else {
            layer = grouped(net, &layer, keys, 0, &mut self.left_of);
            self.left_of.learn(net, &layer);
        }
        for (at, &vertex) in layer.iter().enumerate() {
            self.place[vertex] = at;
        }
        self.layers[rank] = layer;
    }

    /// Swaps neighbours of the same group while that removes crossings.
    fn swap_neighbours(&mut self, net: &Net) {
        let mut dirty = vec![true; self.layers.len()];
        for _ in 0..24 {
            let mut changed = false;
            for rank in 0..self.layers.len() {
                if !std::mem::take(&mut dirty[rank]) {
                    continue;
                }
                if self.swap_in_layer(net, rank) {
                    changed = true;
                    dirty[rank] = true;
                    for beside in [rank.wrapping_sub(1), rank + 1] {
                        if let Some(dirty) = dirty.get_mut(beside) {
                            *dirty = true;
                        }
                    }
                }
            }
            if !changed {
                break;
            }
        }
    }

    fn swap_in_layer(&mut self, net: &Net, rank: usize) -> bool {
        let mut changed = false;
        for at in 1..self.layers[rank].len() {
            let (one, other) = (self.layers[rank][at - 1], self.layers[rank][at]);
            let is_title = |it: usize| matches!(net.vertices[it].what, What::Title(_));
            if net.vertices[one].group != net.vertices[other].group || is_title(one) {
                continue;
            }
            let (left, right) = crossings::of_pair(net, &self.place, one, other);
            if right < left {
                self.layers[rank].swap(at - 1, at);
                self.place[one] = at;
                self.place[other] = at - 1;
                changed = true;
            }
        }
        changed
    }
}

fn median(places: &[usize]) -> f64 {
    let (low, high) = (places[(places.len() - 1) / 2], places[places.len() / 2]);
    (low + high) as f64 / 2.0
}

/// All vertices, depth first or breadth first from the roots.
fn walk(net: &Net, roots: &[usize], start: usize) -> Vec<usize> {
    let mut seen = vec![false; net.vertices.len()];
    let mut found = Vec::with_capacity(seen.len());
    let mut waiting = std::collections::VecDeque::new();
    let by_depth = start.is_multiple_of(2);
    for &root in roots {
        waiting.push_back(root);
        while let Some(vertex) = if by_depth {
            waiting.pop_back()
        } else {
            waiting.pop_front()
        } {
            if std::mem::replace(&mut seen[vertex], true) {
                continue;
            }
            found.push(vertex);
            let down = net.down[vertex].iter().map(|&hop| net.hops[hop].to);
            let up = net.up[vertex].iter().map(|&hop| net.hops[hop].from);
            if by_depth {
                let near: Vec<usize> = down.chain(up).filter(|&it| !seen[it]).collect();
                waiting.extend(near.into_iter().rev());
            } else {
                waiting.extend(down.chain(up).filter(|&it| !seen[it]));
            }
        }
    }
    found
}

/// Which groups are known to be left of which; never a cycle.
#[derive(Clone)]
struct GroupOrder {
    count: usize,
    left: Vec<bool>,
}

impl GroupOrder {
    fn new(count: usize) -> Self {
        Self {
            count,
            left: vec![false; count * count],
        }
    }

    fn is_left(&self, one: usize, other: usize) -> bool {
        self.left[one * self.count + other]
    }

    /// Takes over the order of a layer, and all that follows from it.
    fn learn(&mut self, net: &Net, layer: &[usize]) {
        let mut seen: Vec<usize> = Vec::new();
        for &vertex in layer {
            for group in net.path(vertex) {
                if seen.contains(&group) {
                    continue;
                }
                for &before in &seen {
                    let nested = net.path(vertex).contains(&before);
                    if !nested && net.frames[before].parent == net.frames[group].parent {
                        self.put(before, group);
                    }
                }
                seen.push(group);
            }
        }
    }

    fn put(&mut self, one: usize, other: usize) {
        if self.is_left(one, other) || self.is_left(other, one) {
            return;
        }
        let before: Vec<usize> = (0..self.count)
            .filter(|&it| it == one || self.is_left(it, one))
            .collect();
        let after: Vec<usize> = (0..self.count)
            .filter(|&it| it == other || self.is_left(other, it))
            .collect();
        for &a in &before {
            for &b in &after {
                self.left[a * self.count + b] = true;
            }
        }
    }
}

/// One vertex, or all that a layer has of a group.
struct Unit {
    group: Option<usize>,
    members: Vec<usize>,
    key: f64,
}

fn grouped(
    net: &Net,
    layer: &[usize],
    keys: &[f64],
    depth: usize,
    known: &mut GroupOrder,
) -> Vec<usize> {
    let mut units: Vec<Unit> = Vec::new();
    for &vertex in layer {
        let group = net.path(vertex).get(depth).copied();
        let same = units
            .iter_mut()
            .find(|unit| group.is_some() && unit.group == group);
        match same {
            Some(unit) => unit.members.push(vertex),
            None => units.push(Unit {
                group,
                members: vec![vertex],
                key: 0.0,
            }),
        }
    }
    for unit in &mut units {
        let own = unit
            .members
            .iter()
            .filter(|&&it| !matches!(net.vertices[it].what, What::Title(_)));
        let own: Vec<f64> = own.map(|&it| keys[it]).collect();
        unit.key = match (own.is_empty(), unit.group) {
            // A title alone goes where its group is.
            (true, Some(_)) => keys[unit.members[0]].max(0.0),
            (true, None) => keys[unit.members[0]],
            _ => own.iter().sum::<f64>() / own.len() as f64,
        };
    }
    units.sort_by(|a, b| a.key.total_cmp(&b.key));
    let mut sorted = Vec::with_capacity(layer.len());
    while !units.is_empty() {
        let is_free = |unit: &Unit| {
            let Some(group) = unit.group else {
                return true;
            };
            let others = units.iter().filter_map(|it| it.group);
            !others
                .into_iter()
                .any(|other| other != group && known.is_left(other, group))
        };
        let next = units.iter().position(is_free).unwrap_or(0);
        let unit = units.remove(next);
        let members = match unit.group {
            Some(_) => grouped_inside(net, &unit.members, keys, depth + 1, known),
            None => unit.members,
        };
        sorted.extend(members);
    }
    sorted
}

/// A group's own title stands left of all else in it.
fn grouped_inside(
    net: &Net,
    members: &[usize],
    keys: &[f64],
    depth: usize,
    known: &mut GroupOrder,
) -> Vec<usize> {
    let is_own = |&vertex: &usize| {
        matches!(net.vertices[vertex].what, What::Title(_)) && net.path(vertex).len() == depth
    };
    let (mut sorted, rest): (Vec<usize>, Vec<usize>) = members.iter().partition(|it| is_own(it));
    sorted.extend(grouped(net, &rest, keys, depth, known));
    sorted
}
