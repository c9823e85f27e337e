//! Between two layers: which horizontal piece of an elbow runs above which, so that few cross and none lie on another.

use super::acyclic;

/// One line's way from `top` to `bottom`, both across the flow.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Jog {
    pub top: f64,
    pub bottom: f64,
}

impl Jog {
    fn low(self) -> f64 {
        self.top.min(self.bottom)
    }

    fn high(self) -> f64 {
        self.top.max(self.bottom)
    }

    fn meets(self, other: Self, room: f64) -> bool {
        self.low() < other.high() + room && other.low() < self.high() + room
    }

    fn spans(self, x: f64) -> bool {
        self.low() < x && x < self.high()
    }
}

/// What it costs if `upper` runs above `lower`.
fn cost(upper: Jog, lower: Jog, room: f64) -> usize {
    // Two vertical pieces would lie on each other.
    let shared = (upper.bottom - lower.top).abs() < room / 2.0;
    usize::from(upper.spans(lower.top))
        + usize::from(lower.spans(upper.bottom))
        + 8 * usize::from(shared)
}

/// The track of each jog from the top, and how many tracks there are. Straight ones take none.
pub(crate) fn assign(jogs: &[Jog], room: f64) -> (Vec<Option<usize>>, usize) {
    let bent: Vec<usize> = (0..jogs.len())
        .filter(|&at| jogs[at].high() - jogs[at].low() > 0.5)
        .collect();
    let mut before = Vec::new();
    let mut meeting = vec![Vec::new(); bent.len()];
    for a in 0..bent.len() {
        for b in a + 1..bent.len() {
            let (one, other) = (jogs[bent[a]], jogs[bent[b]]);
            if !one.meets(other, room) {
                continue;
            }
            meeting[a].push(b);
            meeting[b].push(a);
            let (above, below) = (cost(one, other, room), cost(other, one, room));
            if above < below {
                before.push((a, b));
            } else if below < above {
                before.push((b, a));
            }
        }
    }
    let turned = acyclic::turned(bent.len(), &before);
    let mut above = vec![Vec::new(); bent.len()];
    let mut below = vec![Vec::new(); bent.len()];
    for (&(a, b), turned) in before.iter().zip(turned) {
        let (a, b) = if turned { (b, a) } else { (a, b) };
        above[b].push(a);
        below[a].push(b);
    }
    let mut waiting: Vec<usize> = above.iter().map(Vec::len).collect();
    let mut ready: std::collections::BTreeSet<usize> =
        (0..bent.len()).filter(|&at| waiting[at] == 0).collect();
    let mut track: Vec<Option<usize>> = vec![None; bent.len()];
    let mut most = 0;
    while let Some(at) = ready.pop_first() {
        let first = above[at]
            .iter()
            .filter_map(|&it| track[it])
            .map(|it| it + 1)
            .max();
        let mut free = first.unwrap_or(0);
        while meeting[at].iter().any(|&it| track[it] == Some(free)) {
            free += 1;
        }
        track[at] = Some(free);
        most = most.max(free + 1);
        for &next in &below[at] {
            waiting[next] -= 1;
            if waiting[next] == 0 {
                ready.insert(next);
            }
        }
    }
    let mut all = vec![None; jogs.len()];
    for (&at, track) in bent.iter().zip(track) {
        all[at] = track;
    }
    (all, most)
}
