//! A way at right angles around boxes: A* over the lines on which a good one turns, beside boxes and through their middles
//! (Wybrow, Marriott and Stuckey 2009).

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use crate::geometry::{Point, Rect, Side, at};

/// What a turn costs, in units of length.
const TURN: f64 = 60.0;
/// Visits after which there is no way to be found in good time.
const MOST_VISITS: usize = 200_000;

/// Where a way may begin or end: a point on a side.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gate {
    pub point: Point,
    pub side: Side,
}

pub(crate) struct Search<'a> {
    pub boxes: &'a [Rect],
    /// How far from boxes a way runs.
    pub margin: f64,
    pub from: &'a [Gate],
    pub to: &'a [Gate],
}

struct Grid {
    xs: Vec<f64>,
    ys: Vec<f64>,
    /// By crossing: whether the way to the right, and the one down, is blocked.
    right: Vec<bool>,
    down: Vec<bool>,
}

#[derive(Clone, Copy, PartialEq)]
struct Visit {
    guess: f64,
    cost: f64,
    state: usize,
}

impl Eq for Visit {}

impl Ord for Visit {
    fn cmp(&self, other: &Self) -> Ordering {
        // The least first; ties by state, so that it is always the same one.
        other
            .guess
            .total_cmp(&self.guess)
            .then_with(|| other.state.cmp(&self.state))
    }
}

impl PartialOrd for Visit {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Search<'_> {
    /// The points of the best way, from gate to gate.
    pub fn run(&self) -> Option<Vec<Point>> {
        let grid = Grid::new(self);
        let starts = self.states(&grid, self.from, Leave::Out);
        let goals = self.states(&grid, self.to, Leave::In);
        let mut cost = vec![f64::INFINITY; grid.xs.len() * grid.ys.len() * 4];
        let mut came = vec![usize::MAX; cost.len()];
        let mut heap = BinaryHeap::new();
        for &(state, _) in &starts {
            cost[state] = 0.0;
            heap.push(Visit {
                guess: self.guess(&grid, state, &goals),
                cost: 0.0,
                state,
            });
        }
        let mut visits = 0;
        while let Some(visit) = heap.pop() {
            if visit.cost > cost[visit.state] {
                continue;
            }
            if goals.iter().any(|&(goal, _)| goal == visit.state) {
                return Some(self.way(&grid, &came, visit.state, &starts, &goals));
            }
            visits += 1;
            if visits > MOST_VISITS {
                return None;
            }
            // A way may turn right in front of a gate.
            let here = visit.state / 4;
            let turns = goals
                .iter()
                .filter(|(goal, _)| goal / 4 == here && (goal % 4 + 2) % 4 != visit.state % 4);
            let turns: Vec<(usize, f64)> = turns.map(|&(goal, _)| (goal, TURN)).collect();
            for (next, step) in grid.steps(visit.state).chain(turns) {
                let total = visit.cost + step;
                if total < cost[next] {
                    cost[next] = total;
                    came[next] = visit.state;
                    heap.push(Visit {
                        guess: total + self.guess(&grid, next, &goals),
                        cost: total,
                        state: next,
                    });
                }
            }
        }
        None
    }

    /// The crossing in front of each gate that is not blocked, with the direction through it.
    fn states(&self, grid: &Grid, gates: &[Gate], leave: Leave) -> Vec<(usize, usize)> {
        let gates = gates.iter().enumerate();
        gates
            .filter_map(|(index, gate)| {
                let out = gate.side.outward();
                let front = at(
                    gate.point.x + out.x * self.margin,
                    gate.point.y + out.y * self.margin,
                );
                let blocked = self
                    .boxes
                    .iter()
                    .any(|it| it.grown(-0.01).is_crossed_by(gate.point, front));
                let column = grid.xs.iter().position(|&x| (x - front.x).abs() < 1e-6)?;
                let row = grid.ys.iter().position(|&y| (y - front.y).abs() < 1e-6)?;
                let side = if leave == Leave::Out {
                    gate.side
                } else {
                    opposite(gate.side)
                };
                (!blocked).then(|| (grid.state(column, row, heading(side)), index))
            })
            .collect()
    }

    fn guess(&self, grid: &Grid, state: usize, goals: &[(usize, usize)]) -> f64 {
        let here = grid.point(state);
        let left = goals.iter().map(|&(goal, _)| {
            let there = grid.point(goal);
            let (dx, dy) = ((here.x - there.x).abs(), (here.y - there.y).abs());
            let turns = usize::from(dx > 1e-6 && dy > 1e-6)
                + usize::from(state % 4 != goal % 4 && (dx < 1e-6 || dy < 1e-6));
            dx + dy + TURN * turns.min(1) as f64
        });
        left.fold(f64::INFINITY, f64::min)
    }

    fn way(
        &self,
        grid: &Grid,
        came: &[usize],
        end: usize,
        starts: &[(usize, usize)],
        goals: &[(usize, usize)],
    ) -> Vec<Point> {
        let gate = |ends: &[(usize, usize)], state: usize, gates: &[Gate]| {
            let found = ends.iter().find(|(it, _)| *it == state);
            found.map(|&(_, gate)| gates[gate].point)
        };
        let mut points = Vec::new();
        points.extend(gate(goals, end, self.to));
        let mut state = end;
        loop {
            points.push(grid.point(state));
            if came[state] == usize::MAX {
                break;
            }
            state = came[state];
        }
        points.extend(gate(starts, state, self.from));
        points.reverse();
        crate::route::without_needless(&points)
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Leave {
    Out,
    In,
}

fn opposite(side: Side) -> Side {
    match side {
        Side::Top => Side::Bottom,
        Side::Right => Side::Left,
        Side::Bottom => Side::Top,
        Side::Left => Side::Right,
    }
}

fn heading(side: Side) -> usize {
    match side {
        Side::Top => 0,
        Side::Right => 1,
        Side::Bottom => 2,
        Side::Left => 3,
    }
}

impl Grid {
    fn new(search: &Search<'_>) -> Self {
        let margin = search.margin;
        let (mut xs, mut ys) = (Vec::new(), Vec::new());
        for it in search.boxes {
            xs.extend([it.x - margin, it.right() + margin, it.center().x]);
            ys.extend([it.y - margin, it.bottom() + margin, it.center().y]);
        }
        for gate in search.from.iter().chain(search.to) {
            let out = gate.side.outward();
            xs.push(gate.point.x + out.x * margin);
            ys.push(gate.point.y + out.y * margin);
        }
        let (xs, ys) = (lines(xs), lines(ys));
        let mut grid = Self {
            right: vec![false; xs.len() * ys.len()],
            down: vec![false; xs.len() * ys.len()],
            xs,
            ys,
        };
        for it in search.boxes {
            grid.block(it.grown(-0.01));
        }
        grid
    }

    fn block(&mut self, it: Rect) {
        let width = self.xs.len();
        let columns = inside(&self.xs, it.x, it.right());
        let rows = inside(&self.ys, it.y, it.bottom());
        for row in rows.clone() {
            for column in columns.start.saturating_sub(1)..columns.end {
                self.right[row * width + column] = true;
            }
        }
        for column in columns {
            for row in rows.start.saturating_sub(1)..rows.end {
                self.down[row * width + column] = true;
            }
        }
    }

    fn state(&self, column: usize, row: usize, heading: usize) -> usize {
        (row * self.xs.len() + column) * 4 + heading
    }

    fn point(&self, state: usize) -> Point {
        let cell = state / 4;
        at(self.xs[cell % self.xs.len()], self.ys[cell / self.xs.len()])
    }

    /// Straight on, or around a corner; never back.
    fn steps(&self, state: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        let (cell, heading) = (state / 4, state % 4);
        let (column, row) = (cell % self.xs.len(), cell / self.xs.len());
        [heading, (heading + 1) % 4, (heading + 3) % 4]
            .into_iter()
            .filter_map(move |next| {
                let width = self.xs.len();
                let (to, length) = match next {
                    0 if row > 0 && !self.down[cell - width] => {
                        ((column, row - 1), self.ys[row] - self.ys[row - 1])
                    }
                    1 if column + 1 < width && !self.right[cell] => {
                        ((column + 1, row), self.xs[column + 1] - self.xs[column])
                    }
                    2 if row + 1 < self.ys.len() && !self.down[cell] => {
                        ((column, row + 1), self.ys[row + 1] - self.ys[row])
                    }
                    3 if column > 0 && !self.right[cell - 1] => {
                        ((column - 1, row), self.xs[column] - self.xs[column - 1])
                    }
                    _ => return None,
                };
                let turn = if next == heading { 0.0 } else { TURN };
                Some((self.state(to.0, to.1, next), length + turn))
            })
    }
}

/// Sorted, each once.
fn lines(mut all: Vec<f64>) -> Vec<f64> {
    all.sort_by(f64::total_cmp);
    all.dedup_by(|a, b| (*a - *b).abs() < 1e-6);
    all
}

/// Which lines run through the inside.
fn inside(lines: &[f64], low: f64, high: f64) -> std::ops::Range<usize> {
    let first = lines.partition_point(|&it| it <= low);
    let last = lines.partition_point(|&it| it < high);
    first..last.max(first)
}
