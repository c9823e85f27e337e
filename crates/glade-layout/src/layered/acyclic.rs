//! Which edges to turn around so that no cycle is left.

/// For each edge whether it is to be turned. A loop from a vertex to itself is left as it is.
///
/// Two ways are tried: depth first in the order given, which keeps a flow as it was written, and the greedy
/// sequence of Eades, Lin and Smyth (1993), which turns fewer edges of a tangle. The first is taken unless it turns
/// many more.
pub(crate) fn turned(count: usize, edges: &[(usize, usize)]) -> Vec<bool> {
    let written = depth_first(count, edges);
    if written.iter().any(|&turned| turned) {
        let greedy = greedy(count, edges);
        let turns = |all: &[bool]| all.iter().filter(|&&it| it).count();
        if turns(&greedy) + (edges.len() / 10).max(2) < turns(&written) {
            return greedy;
        }
    }
    written
}

fn outgoing(count: usize, edges: &[(usize, usize)]) -> Vec<Vec<usize>> {
    let mut out = vec![Vec::new(); count];
    for (at, &(from, to)) in edges.iter().enumerate() {
        if from != to {
            out[from].push(at);
        }
    }
    out
}

#[derive(Clone, Copy, PartialEq)]
enum Seen {
    Not,
    Open,
    Done,
}

fn depth_first(count: usize, edges: &[(usize, usize)]) -> Vec<bool> {
    let out = outgoing(count, edges);
    let mut turned = vec![false; edges.len()];
    let mut seen = vec![Seen::Not; count];
    let mut entered = vec![false; count];
    for &(from, to) in edges {
        entered[to] |= from != to;
    }
    let sources = (0..count).filter(|&at| !entered[at]);
    let starts: Vec<usize> = sources.chain(0..count).collect();
    for start in starts {
        if seen[start] != Seen::Not {
            continue;
        }
        seen[start] = Seen::Open;
        let mut stack = vec![(start, 0)];
        while let Some((vertex, next)) = stack.pop() {
            let Some(&edge) = out[vertex].get(next) else {
                seen[vertex] = Seen::Done;
                continue;
            };
            stack.push((vertex, next + 1));
            let to = edges[edge].1;
            match seen[to] {
                Seen::Open => turned[edge] = true,
                Seen::Done => {}
                Seen::Not => {
                    seen[to] = Seen::Open;
                    stack.push((to, 0));
                }
            }
        }
    }
    turned
}

fn greedy(count: usize, edges: &[(usize, usize)]) -> Vec<bool> {
    let (mut ins, mut outs) = (vec![0_i64; count], vec![0_i64; count]);
    let mut near = vec![Vec::new(); count];
    for &(from, to) in edges.iter().filter(|(from, to)| from != to) {
        outs[from] += 1;
        ins[to] += 1;
        near[from].push((to, true));
        near[to].push((from, false));
    }
    let mut place = vec![0_i64; count];
    let mut placed = vec![false; count];
    let (mut first, mut last) = (0, count as i64);
    for _ in 0..count {
        let left = (0..count).filter(|&at| !placed[at]);
        // A sink, a source, or what most leaves: the earliest of them.
        let key = |at: usize| match (ins[at], outs[at]) {
            (_, 0) => i64::MAX,
            (0, _) => i64::MAX - 1,
            (inside, outside) => outside - inside,
        };
        let Some(vertex) = left.min_by_key(|&at| (-key(at), at)) else {
            break;
        };
        placed[vertex] = true;
        if outs[vertex] == 0 {
            last -= 1;
            place[vertex] = last;
        } else {
            place[vertex] = first;
            first += 1;
        }
        for &(other, leaves) in &near[vertex] {
            if leaves {
                ins[other] -= 1;
            } else {
                outs[other] -= 1;
            }
        }
    }
    let turned = |&(from, to): &(usize, usize)| from != to && place[from] > place[to];
    edges.iter().map(turned).collect()
}
