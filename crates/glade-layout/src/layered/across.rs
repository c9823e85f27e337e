//! Where each vertex is across the flow: the method of Brandes and Köpf (2001), four times and the mean of the middle
//! two. The erratum of 2020 found two flaws in its compaction by classes; here blocks are compacted as a graph of their
//! own, by longest paths, which has neither. Offsets of ports follow Rüegg et al. (2015).

use super::net::Net;
use crate::structure::Spacing;

#[derive(Clone, Copy)]
struct View {
    /// Whether blocks grow from the last layer.
    from_below: bool,
    from_right: bool,
}

/// The middle of every vertex.
pub(crate) fn places(net: &Net, spacing: &Spacing) -> Vec<f64> {
    let place = net.places();
    let conflicts = conflicts(net, &place);
    let views = [(false, false), (false, true), (true, false), (true, true)];
    let mut found: Vec<Vec<f64>> = views
        .into_iter()
        .map(|(from_below, from_right)| {
            let view = View {
                from_below,
                from_right,
            };
            Aligned::new(net, &place, &conflicts, view).compact(net, spacing, view)
        })
        .collect();
    align_to_narrowest(net, &mut found);
    (0..net.vertices.len())
        .map(|vertex| {
            let mut four: Vec<f64> = found.iter().map(|it| it[vertex]).collect();
            four.sort_by(f64::total_cmp);
            (four[1] + four[2]) / 2.0
        })
        .collect()
}

impl Net {
    /// Each vertex's place in its layer.
    pub(crate) fn places(&self) -> Vec<usize> {
        let mut place = vec![0; self.vertices.len()];
        for layer in &self.layers {
            for (at, &vertex) in layer.iter().enumerate() {
                place[vertex] = at;
            }
        }
        place
    }
}

/// Hops that cross the way of a long line: they give in, so that long lines stay straight.
fn conflicts(net: &Net, place: &[usize]) -> Vec<bool> {
    let mut marked = vec![false; net.hops.len()];
    for pair in net.layers.windows(2) {
        let lower = &pair[1];
        let inner = |vertex: usize| {
            let mut hops = net.up[vertex].iter();
            hops.find(|&&hop| net.is_pass(vertex) && net.is_pass(net.hops[hop].from))
        };
        let (mut scanned, mut low) = (0, 0);
        for (at, &vertex) in lower.iter().enumerate() {
            let hop = inner(vertex);
            if hop.is_none() && at + 1 != lower.len() {
                continue;
            }
            let high = hop.map_or(pair[0].len(), |&hop| place[net.hops[hop].from]);
            while scanned <= at {
                for &hop in &net.up[lower[scanned]] {
                    let upper = place[net.hops[hop].from];
                    let is_inner = net.is_pass(lower[scanned]) && net.is_pass(net.hops[hop].from);
                    if !is_inner && (upper < low || upper > high) {
                        marked[hop] = true;
                    }
                }
                scanned += 1;
            }
            low = high;
        }
    }
    marked
}

/// Vertices joined to vertical blocks.
struct Aligned {
    root: Vec<usize>,
    /// From the middle of the block's root.
    shift: Vec<f64>,
}

impl Aligned {
    fn new(net: &Net, place: &[usize], conflicts: &[bool], view: View) -> Self {
        let count = net.vertices.len();
        let mut aligned = Self {
            root: (0..count).collect(),
            shift: vec![0.0; count],
        };
        let mut taken = vec![false; count];
        let ranks = net.layers.len();
        for step in 1..ranks {
            let rank = if view.from_below {
                ranks - 1 - step
            } else {
                step
            };
            aligned.join_layer(net, place, conflicts, view, rank, &mut taken);
        }
        aligned
    }

    fn join_layer(
        &mut self,
        net: &Net,
        place: &[usize],
        conflicts: &[bool],
        view: View,
        rank: usize,
        taken: &mut [bool],
    ) {
        let layer = &net.layers[rank];
        // The place of the last neighbour that was joined; the next must be beyond.
        let mut limit: Option<usize> = None;
        for step in 0..layer.len() {
            let vertex = layer[if view.from_right {
                layer.len() - 1 - step
            } else {
                step
            }];
            let hops = if view.from_below {
                &net.down[vertex]
            } else {
                &net.up[vertex]
            };
            let other = |hop: usize| {
                if view.from_below {
                    net.hops[hop].to
                } else {
                    net.hops[hop].from
                }
            };
            let mut near: Vec<usize> = hops.clone();
            near.sort_by_key(|&hop| place[other(hop)]);
            if near.is_empty() {
                continue;
            }
            let (low, high) = ((near.len() - 1) / 2, near.len() / 2);
            let medians = if view.from_right {
                [high, low]
            } else {
                [low, high]
            };
            for median in medians {
                let hop = near[median];
                let neighbour = other(hop);
                let beyond = limit.is_none_or(|limit| {
                    if view.from_right {
                        place[neighbour] < limit
                    } else {
                        place[neighbour] > limit
                    }
                });
                if taken[neighbour] || conflicts[hop] || !beyond {
                    continue;
                }
                taken[neighbour] = true;
                limit = Some(place[neighbour]);
                self.root[vertex] = self.root[neighbour];
                let it = &net.hops[hop];
                let bend = it.from_offset - it.to_offset;
                let bend = if view.from_below { -bend } else { bend };
                self.shift[vertex] = self.shift[neighbour] + bend;
                break;
            }
        }
    }

    /// Blocks as close to one side as they can be, then each as close to the other as its neighbours let it.
    fn compact(&self, net: &Net, spacing: &Spacing, view: View) -> Vec<f64> {
        let count = net.vertices.len();
        let sign = if view.from_right { -1.0 } else { 1.0 };
        let mut after: Vec<Vec<(usize, f64)>> = vec![Vec::new(); count];
        let mut before: Vec<Vec<(usize, f64)>> = vec![Vec::new(); count];
        for layer in &net.layers {
            for pair in layer.windows(2) {
                let apart = net.apart(pair[0], pair[1], spacing);
                let (first, second) = if view.from_right {
                    (pair[1], pair[0])
                } else {
                    (pair[0], pair[1])
                };
                let gap = apart + sign * (self.shift[first] - self.shift[second]);
                let (one, other) = (self.root[first], self.root[second]);
                if one != other {
                    after[one].push((other, gap));
                    before[other].push((one, gap));
                }
            }
        }
        let order = sorted(&self.root, &after, &before);
        let mut x = vec![0.0_f64; count];
        for &block in &order {
            let gaps = before[block].iter().map(|&(other, gap)| x[other] + gap);
            x[block] = gaps.fold(f64::NEG_INFINITY, f64::max);
            if !x[block].is_finite() {
                x[block] = 0.0;
            }
        }
        for &block in order.iter().rev() {
            let gaps = after[block].iter().map(|&(other, gap)| x[other] - gap);
            let room = gaps.fold(f64::INFINITY, f64::min);
            if room.is_finite() {
                x[block] = x[block].max(room);
            }
        }
        (0..count)
            .map(|vertex| sign * x[self.root[vertex]] + self.shift[vertex])
            .collect()
    }
}

/// The blocks, each after those that must be left of it.
fn sorted(root: &[usize], after: &[Vec<(usize, f64)>], before: &[Vec<(usize, f64)>]) -> Vec<usize> {
    let mut waiting: Vec<usize> = before.iter().map(Vec::len).collect();
    let blocks = (0..root.len()).filter(|&vertex| root[vertex] == vertex);
    let mut order: Vec<usize> = blocks.filter(|&block| waiting[block] == 0).collect();
    let mut next = 0;
    while let Some(&block) = order.get(next) {
        next += 1;
        for &(other, _) in &after[block] {
            waiting[other] -= 1;
            if waiting[other] == 0 {
                order.push(other);
            }
        }
    }
    order
}

fn align_to_narrowest(net: &Net, found: &mut [Vec<f64>]) {
    let extent = |x: &[f64]| {
        let ends = net.vertices.iter().zip(x);
        ends.fold(
            (f64::INFINITY, f64::NEG_INFINITY),
            |(low, high), (vertex, x)| {
                let half = vertex.size.w / 2.0;
                (low.min(x - half), high.max(x + half))
            },
        )
    };
    let extents: Vec<(f64, f64)> = found.iter().map(|x| extent(x)).collect();
    let width = |at: usize| extents[at].1 - extents[at].0;
    let narrowest = (0..found.len())
        .min_by(|&a, &b| width(a).total_cmp(&width(b)))
        .unwrap_or(0);
    for (at, x) in found.iter_mut().enumerate() {
        // Odd ones are packed to the right.
        let by = if at % 2 == 1 {
            extents[narrowest].1 - extents[at].1
        } else {
            extents[narrowest].0 - extents[at].0
        };
        for place in x {
            *place += by;
        }
    }
}
