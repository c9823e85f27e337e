//! Places as near as can be to the wanted ones, with gaps between them: VPSC of Dwyer, Marriott and Stuckey (2005, 2006),
//! in its form that starts from any state and splits blocks again.

/// Where something wants to be, and how much.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Goal {
    pub place: f64,
    pub weight: f64,
}

/// `right` is at least `gap` beyond `left`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gap {
    pub left: usize,
    pub right: usize,
    pub gap: f64,
}

/// Something that cannot give way weighs this much.
pub(crate) const FIXED: f64 = 1.0e7;

const ENOUGH: f64 = 1.0e-7;

/// The places, and which gaps could not be kept.
pub(crate) fn places(goals: &[Goal], gaps: &[Gap]) -> Vec<f64> {
    let mut solver = Solver::new(goals, gaps);
    let mut cost = f64::INFINITY;
    for _ in 0..64 {
        solver.satisfy();
        let now = solver.cost();
        if (cost - now).abs() < 1e-4 {
            break;
        }
        cost = now;
    }
    (0..goals.len()).map(|at| solver.place(at)).collect()
}

struct Block {
    members: Vec<usize>,
    place: f64,
}

struct Solver<'a> {
    goals: &'a [Goal],
    gaps: &'a [Gap],
    block: Vec<usize>,
    offset: Vec<f64>,
    blocks: Vec<Block>,
    active: Vec<bool>,
    hopeless: Vec<bool>,
    /// By variable, the gaps that touch it.
    touching: Vec<Vec<usize>>,
}

/// One step of a walk through a block's tree of active gaps.
struct Visit {
    variable: usize,
    /// The gap it was reached by, and the place in the walk it was reached from.
    by: Option<(usize, usize)>,
}

impl<'a> Solver<'a> {
    fn new(goals: &'a [Goal], gaps: &'a [Gap]) -> Self {
        let mut touching = vec![Vec::new(); goals.len()];
        for (at, gap) in gaps.iter().enumerate() {
            touching[gap.left].push(at);
            touching[gap.right].push(at);
        }
        let blocks = goals.iter().enumerate();
        let blocks = blocks.map(|(at, goal)| Block {
            members: vec![at],
            place: goal.place,
        });
        Self {
            goals,
            gaps,
            block: (0..goals.len()).collect(),
            offset: vec![0.0; goals.len()],
            blocks: blocks.collect(),
            active: vec![false; gaps.len()],
            hopeless: vec![false; gaps.len()],
            touching,
        }
    }

    fn place(&self, variable: usize) -> f64 {
        self.blocks[self.block[variable]].place + self.offset[variable]
    }

    fn cost(&self) -> f64 {
        let costs = self.goals.iter().enumerate().map(|(at, goal)| {
            let off = self.place(at) - goal.place;
            goal.weight * off * off
        });
        costs.sum()
    }

    fn slack(&self, gap: usize) -> f64 {
        let it = self.gaps[gap];
        self.place(it.right) - self.place(it.left) - it.gap
    }

    fn satisfy(&mut self) {
        self.split_blocks();
        for _ in 0..self.gaps.len() * 8 + 64 {
            let Some(worst) = self.most_violated() else {
                return;
            };
            let it = self.gaps[worst];
            if self.block[it.left] != self.block[it.right] {
                self.merge(worst);
            } else if !self.part_between(it.left, it.right) {
                self.hopeless[worst] = true;
            } else if self.slack(worst) < 0.0 {
                self.merge(worst);
            }
        }
    }

    fn most_violated(&self) -> Option<usize> {
        let mut worst = None;
        let mut least = -ENOUGH;
        for gap in 0..self.gaps.len() {
            if !self.active[gap] && !self.hopeless[gap] {
                let slack = self.slack(gap);
                if slack < least {
                    (worst, least) = (Some(gap), slack);
                }
            }
        }
        worst
    }

    fn merge(&mut self, gap: usize) {
        let it = self.gaps[gap];
        let (left, right) = (self.block[it.left], self.block[it.right]);
        // How far the right block's offsets move to be measured from the left block's place.
        let mut by = self.offset[it.left] + it.gap - self.offset[it.right];
        let (mut into, mut from) = (left, right);
        if self.blocks[into].members.len() < self.blocks[from].members.len() {
            (into, from, by) = (from, into, -by);
        }
        let moved = std::mem::take(&mut self.blocks[from].members);
        for &member in &moved {
            self.block[member] = into;
            self.offset[member] += by;
        }
        self.blocks[into].members.extend(moved);
        self.active[gap] = true;
        self.settle(into);
    }

    fn settle(&mut self, block: usize) {
        let (mut sum, mut weight) = (0.0, 0.0);
        for &member in &self.blocks[block].members {
            let goal = self.goals[member];
            sum += goal.weight * (goal.place - self.offset[member]);
            weight += goal.weight;
        }
        self.blocks[block].place = sum / weight;
    }

    /// The block's tree from a variable on, each after what it was reached from.
    fn walk(&self, start: usize) -> Vec<Visit> {
        let mut visits = vec![Visit {
            variable: start,
            by: None,
        }];
        let mut next = 0;
        while next < visits.len() {
            let variable = visits[next].variable;
            let came = visits[next].by.map(|(gap, _)| gap);
            for &gap in &self.touching[variable] {
                if self.active[gap] && Some(gap) != came {
                    let it = self.gaps[gap];
                    let other = if it.left == variable {
                        it.right
                    } else {
                        it.left
                    };
                    visits.push(Visit {
                        variable: other,
                        by: Some((gap, next)),
                    });
                }
            }
            next += 1;
        }
        visits
    }

    /// How hard each visit's gap presses: below zero it holds back what wants to part.
    fn pressures(&self, visits: &[Visit]) -> Vec<f64> {
        let mut pull: Vec<f64> = visits
            .iter()
            .map(|it| {
                let goal = self.goals[it.variable];
                goal.weight * (self.place(it.variable) - goal.place)
            })
            .collect();
        let mut pressure = vec![f64::INFINITY; visits.len()];
        for at in (1..visits.len()).rev() {
            if let Some((gap, from)) = visits[at].by {
                let is_right = self.gaps[gap].right == visits[at].variable;
                pressure[at] = if is_right { pull[at] } else { -pull[at] };
                pull[from] += pull[at];
            }
        }
        pressure
    }

    fn split_blocks(&mut self) {
        for block in 0..self.blocks.len() {
            self.split_where_it_parts(block);
        }
    }

    fn split_where_it_parts(&mut self, block: usize) {
        let Some(&start) = self.blocks[block].members.first() else {
            return;
        };
        if self.blocks[block].members.len() == 1 {
            return self.settle(block);
        }
        self.settle(block);
        let visits = self.walk(start);
        let pressure = self.pressures(&visits);
        let weakest = (1..visits.len()).min_by(|&a, &b| pressure[a].total_cmp(&pressure[b]));
        if let Some(at) = weakest.filter(|&at| pressure[at] < -1e-4)
            && let Some((gap, _)) = visits[at].by
        {
            let (one, other) = self.split(gap);
            self.split_where_it_parts(one);
            self.split_where_it_parts(other);
        }
    }

    /// Parts the block at an active gap; the blocks that come of it.
    fn split(&mut self, gap: usize) -> (usize, usize) {
        self.active[gap] = false;
        let it = self.gaps[gap];
        let old = self.block[it.left];
        let beyond: Vec<usize> = self.walk(it.right).iter().map(|it| it.variable).collect();
        let free = self.blocks.iter().position(|it| it.members.is_empty());
        let new = free.unwrap_or(self.blocks.len());
        if free.is_none() {
            self.blocks.push(Block {
                members: Vec::new(),
                place: 0.0,
            });
        }
        for &member in &beyond {
            self.block[member] = new;
        }
        self.blocks[new].members = beyond;
        let block = &self.block;
        self.blocks[old].members.retain(|&it| block[it] == old);
        self.settle(old);
        self.settle(new);
        (old, new)
    }

    /// Parts a block on the way from `left` to `right`, at a gap that points along it.
    fn part_between(&mut self, left: usize, right: usize) -> bool {
        let visits = self.walk(left);
        let Some(mut at) = visits.iter().position(|it| it.variable == right) else {
            return false;
        };
        let pressure = self.pressures(&visits);
        let mut weakest: Option<usize> = None;
        while let Some((gap, from)) = visits[at].by {
            let along = self.gaps[gap].right == visits[at].variable;
            if along && weakest.is_none_or(|weakest| pressure[at] < pressure[weakest]) {
                weakest = Some(at);
            }
            at = from;
        }
        let Some((gap, _)) = weakest.and_then(|at| visits[at].by) else {
            return false;
        };
        self.split(gap);
        true
    }
}
