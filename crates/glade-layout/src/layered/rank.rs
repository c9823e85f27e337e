//! Which layer each vertex is in: the network simplex of Gansner, Koutsofios, North and Vo (1993).

/// `to` lies at least `least` layers after `from`; each layer between them costs `weight`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arc {
    pub from: usize,
    pub to: usize,
    pub least: i32,
    pub weight: i32,
}

/// The layers of an acyclic graph, from 0, with the least total length. Each connected part begins at 0.
pub(crate) fn ranks(count: usize, arcs: &[Arc]) -> Vec<i32> {
    let ends: Vec<(usize, usize)> = arcs.iter().map(|it| (it.from, it.to)).collect();
    let parts = crate::parts::connected(count, &ends);
    let mut rank = vec![0; count];
    let mut local = vec![0; count];
    let mut of = vec![0; count];
    for (part, members) in parts.iter().enumerate() {
        for (at, &member) in members.iter().enumerate() {
            local[member] = at;
            of[member] = part;
        }
    }
    let mut inside = vec![Vec::new(); parts.len()];
    for arc in arcs {
        inside[of[arc.from]].push(Arc {
            from: local[arc.from],
            to: local[arc.to],
            ..*arc
        });
    }
    for (members, arcs) in parts.iter().zip(&inside) {
        for (&member, found) in members.iter().zip(connected_ranks(members.len(), arcs)) {
            rank[member] = found;
        }
    }
    rank
}

fn connected_ranks(count: usize, arcs: &[Arc]) -> Vec<i32> {
    let mut simplex = Simplex::new(count, arcs);
    simplex.rank = longest_paths(count, arcs);
    simplex.span();
    simplex.cut_values();
    // More than it ever took on thousands of graphs; a bound all the same.
    for _ in 0..(count * 8 + 256) {
        let Some(leaving) = simplex.leaving() else {
            break;
        };
        let Some(entering) = simplex.entering(leaving) else {
            break;
        };
        simplex.exchange(leaving, entering);
    }
    simplex.normalized()
}

struct Simplex<'a> {
    arcs: &'a [Arc],
    near: Vec<Vec<usize>>,
    rank: Vec<i32>,
    in_tree: Vec<bool>,
    cut: Vec<i32>,
    /// The arc to the vertex's parent in the tree.
    parent: Vec<Option<usize>>,
    low: Vec<usize>,
    last: Vec<usize>,
    tree: Vec<Vec<usize>>,
    search_from: usize,
}

impl<'a> Simplex<'a> {
    fn new(count: usize, arcs: &'a [Arc]) -> Self {
        let mut near = vec![Vec::new(); count];
        for (at, arc) in arcs.iter().enumerate() {
            near[arc.from].push(at);
            near[arc.to].push(at);
        }
        Self {
            arcs,
            near,
            rank: vec![0; count],
            in_tree: vec![false; arcs.len()],
            cut: vec![0; arcs.len()],
            parent: vec![None; count],
            low: vec![0; count],
            last: vec![0; count],
            tree: vec![Vec::new(); count],
            search_from: 0,
        }
    }

    fn slack(&self, arc: usize) -> i32 {
        let it = self.arcs[arc];
        self.rank[it.to] - self.rank[it.from] - it.least
    }

    fn other(&self, arc: usize, vertex: usize) -> usize {
        let it = self.arcs[arc];
        if it.from == vertex { it.to } else { it.from }
    }

    /// A spanning tree of arcs without slack.
    fn span(&mut self) {
        let mut reached = vec![false; self.rank.len()];
        let Some(first) = reached.first_mut() else {
            return;
        };
        *first = true;
        let mut members = vec![0];
        let mut next = 0;
        loop {
            self.grow(&mut members, &mut next, &mut reached);
            let Some((slack, inward)) = self.least_slack(&members, &reached) else {
                break;
            };
            let shift = if inward { -slack } else { slack };
            for &member in &members {
                self.rank[member] += shift;
            }
            next = 0;
        }
        self.number(0);
    }

    fn grow(&mut self, members: &mut Vec<usize>, next: &mut usize, reached: &mut [bool]) {
        while let Some(&vertex) = members.get(*next) {
            *next += 1;
            for at in 0..self.near[vertex].len() {
                let arc = self.near[vertex][at];
                let other = self.other(arc, vertex);
                if !reached[other] && self.slack(arc) == 0 {
                    reached[other] = true;
                    members.push(other);
                    self.add_to_tree(arc);
                }
            }
        }
    }

    fn add_to_tree(&mut self, arc: usize) {
        self.in_tree[arc] = true;
        self.tree[self.arcs[arc].from].push(arc);
        self.tree[self.arcs[arc].to].push(arc);
    }

    /// The least slack of an arc that leaves the tree, and whether it points into it.
    fn least_slack(&self, members: &[usize], reached: &[bool]) -> Option<(i32, bool)> {
        let arcs = members
            .iter()
            .flat_map(|&vertex| self.near[vertex].iter().map(move |&arc| (arc, vertex)));
        arcs.filter(|&(arc, vertex)| !reached[self.other(arc, vertex)])
            .map(|(arc, vertex)| (self.slack(arc), self.arcs[arc].to == vertex))
            .min_by_key(|&(slack, _)| slack)
    }

    /// Numbers the tree that `root` is in, in postorder.
    fn number(&mut self, root: usize) {
        let before = self.parent[root];
        let mut counter = self.low[root];
        let mut stack = vec![(root, before, 0)];
        self.low[root] = counter;
        while let Some((vertex, from, next)) = stack.pop() {
            let Some(&arc) = self.tree[vertex].get(next) else {
                self.parent[vertex] = from;
                self.last[vertex] = counter;
                counter += 1;
                continue;
            };
            stack.push((vertex, from, next + 1));
            if Some(arc) != from {
                let child = self.other(arc, vertex);
                self.low[child] = counter;
                stack.push((child, Some(arc), 0));
            }
        }
    }

    fn is_below(&self, vertex: usize, top: usize) -> bool {
        (self.low[top]..=self.last[top]).contains(&self.last[vertex])
    }

    /// The lower end of a tree arc.
    fn child(&self, arc: usize) -> usize {
        let it = self.arcs[arc];
        if self.parent[it.from] == Some(arc) {
            it.from
        } else {
            it.to
        }
    }

    fn cut_values(&mut self) {
        let mut from_below: Vec<usize> = (0..self.rank.len()).collect();
        from_below.sort_by_key(|&vertex| self.last[vertex]);
        let mut net = vec![0_i32; self.rank.len()];
        for (vertex, net) in net.iter_mut().enumerate() {
            for &arc in &self.near[vertex] {
                let it = self.arcs[arc];
                *net += if it.from == vertex {
                    it.weight
                } else {
                    -it.weight
                };
            }
        }
        for vertex in from_below {
            if let Some(arc) = self.parent[vertex] {
                let up = self.arcs[arc].from == vertex;
                self.cut[arc] = if up { net[vertex] } else { -net[vertex] };
                let parent = self.other(arc, vertex);
                net[parent] += net[vertex];
            }
        }
    }

    /// A tree arc that should be longer; found from where the last search ended.
    fn leaving(&mut self) -> Option<usize> {
        let count = self.arcs.len();
        let mut best: Option<usize> = None;
        let mut found = 0;
        for step in 0..count {
            let arc = (self.search_from + step) % count;
            if self.in_tree[arc] && self.cut[arc] < 0 {
                if best.is_none_or(|best| self.cut[arc] < self.cut[best]) {
                    best = Some(arc);
                }
                found += 1;
                if found == 30 {
                    self.search_from = (arc + 1) % count;
                    break;
                }
            }
        }
        best
    }

    /// The shortest arc that joins the two parts the other way around.
    fn entering(&self, leaving: usize) -> Option<usize> {
        let child = self.child(leaving);
        let into = self.arcs[leaving].from == child;
        let crosses = |arc: &usize| {
            let it = self.arcs[*arc];
            let (from, to) = (self.is_below(it.from, child), self.is_below(it.to, child));
            if into { !from && to } else { from && !to }
        };
        let arcs = (0..self.arcs.len()).filter(|arc| !self.in_tree[*arc]);
        arcs.filter(crosses).min_by_key(|&arc| self.slack(arc))
    }

    fn exchange(&mut self, leaving: usize, entering: usize) {
        let slack = self.slack(entering);
        let child = self.child(leaving);
        let shift = if self.arcs[leaving].from == child {
            -slack
        } else {
            slack
        };
        if shift != 0 {
            for vertex in 0..self.rank.len() {
                if self.is_below(vertex, child) {
                    self.rank[vertex] += shift;
                }
            }
        }
        let cut = self.cut[leaving];
        let (from, to) = (self.arcs[entering].from, self.arcs[entering].to);
        let top = self.update_cuts(from, to, cut, Climb::Tail);
        self.update_cuts(to, from, cut, Climb::Head);
        self.cut[entering] = -cut;
        self.cut[leaving] = 0;
        self.in_tree[leaving] = false;
        for end in [self.arcs[leaving].from, self.arcs[leaving].to] {
            self.tree[end].retain(|&arc| arc != leaving);
        }
        self.add_to_tree(entering);
        self.number(top);
    }

    /// Climbs from `vertex` to what lies above `other` too.
    fn update_cuts(&mut self, mut vertex: usize, other: usize, cut: i32, climb: Climb) -> usize {
        while !self.is_below(other, vertex) {
            let Some(arc) = self.parent[vertex] else {
                break;
            };
            let is_tail = self.arcs[arc].from == vertex;
            if is_tail == (climb == Climb::Tail) {
                self.cut[arc] += cut;
            } else {
                self.cut[arc] -= cut;
            }
            vertex = self.other(arc, vertex);
        }
        vertex
    }

    fn normalized(mut self) -> Vec<i32> {
        let least = self.rank.iter().copied().min().unwrap_or(0);
        for rank in &mut self.rank {
            *rank -= least;
        }
        self.rank
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Climb {
    Tail,
    Head,
}

/// As far up as the arcs allow.
pub(crate) fn longest_paths(count: usize, arcs: &[Arc]) -> Vec<i32> {
    let mut out = vec![Vec::new(); count];
    let mut waiting = vec![0; count];
    for arc in arcs {
        out[arc.from].push(arc);
        waiting[arc.to] += 1;
    }
    let mut rank = vec![0; count];
    let mut ready: Vec<usize> = (0..count).filter(|&at| waiting[at] == 0).collect();
    while let Some(vertex) = ready.pop() {
        for arc in &out[vertex] {
            rank[arc.to] = rank[arc.to].max(rank[vertex] + arc.least);
            waiting[arc.to] -= 1;
            if waiting[arc.to] == 0 {
                ready.push(arc.to);
            }
        }
    }
    rank
}
