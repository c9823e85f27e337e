//! How many lines cross: the accumulator tree of Barth, Jünger and Mutzel (2002).

use super::net::Net;

/// The crossings between all layers, for the places that vertices have.
pub(crate) fn all(net: &Net, layers: &[Vec<usize>], place: &[usize]) -> usize {
    let mut counter = Counter::default();
    let pairs = layers.windows(2);
    pairs
        .map(|pair| counter.between(net, &pair[0], pair[1].len(), place))
        .sum()
}

#[derive(Default)]
struct Counter {
    tree: Vec<usize>,
    ends: Vec<usize>,
}

impl Counter {
    fn between(&mut self, net: &Net, upper: &[usize], lower: usize, place: &[usize]) -> usize {
        self.tree.clear();
        self.tree.resize(lower + 1, 0);
        let (mut crossings, mut seen) = (0, 0);
        for &vertex in upper {
            self.ends.clear();
            let hops = net.down[vertex].iter();
            self.ends.extend(hops.map(|&hop| place[net.hops[hop].to]));
            self.ends.sort_unstable();
            for at in 0..self.ends.len() {
                crossings += seen + at - self.up_to(self.ends[at], at);
            }
            for at in 0..self.ends.len() {
                self.add(self.ends[at]);
            }
            seen += self.ends.len();
        }
        crossings
    }

    /// How many ended at this place or before; those of the same vertex (`own`, sorted) cross nothing.
    fn up_to(&self, place: usize, own: usize) -> usize {
        let mut at = place + 1;
        let mut sum = own;
        while at > 0 {
            sum += self.tree[at];
            at &= at - 1;
        }
        sum
    }

    fn add(&mut self, place: usize) {
        let mut at = place + 1;
        while at < self.tree.len() {
            self.tree[at] += 1;
            at += at & at.wrapping_neg();
        }
    }
}

/// The crossings between the lines of two vertices of a layer, if `one` is left of `other`, and if it is right.
pub(crate) fn of_pair(net: &Net, place: &[usize], one: usize, other: usize) -> (usize, usize) {
    let (mut left, mut right) = (0, 0);
    for &a in &net.up[one] {
        for &b in &net.up[other] {
            let (a, b) = (place[net.hops[a].from], place[net.hops[b].from]);
            left += usize::from(a > b);
            right += usize::from(a < b);
        }
    }
    for &a in &net.down[one] {
        for &b in &net.down[other] {
            let (a, b) = (place[net.hops[a].to], place[net.hops[b].to]);
            left += usize::from(a > b);
            right += usize::from(a < b);
        }
    }
    (left, right)
}
