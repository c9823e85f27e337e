//! Tidy trees of nodes of any size in linear time (van der Ploeg 2013): subtrees as close as they can be, every parent over
//! the middle of its children, siblings evenly apart.

/// A node as the algorithm sees it: how much it takes across, and where it begins and ends along the tree.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Extent {
    pub across: f64,
    pub top: f64,
    pub bottom: f64,
}

#[derive(Clone, Default)]
struct State {
    at: f64,
    modifier: f64,
    shift: f64,
    change: f64,
    left_thread: Option<usize>,
    right_thread: Option<usize>,
    /// The lowest nodes at the left and at the right, with the sums of modifiers on the way to them.
    left_end: usize,
    right_end: usize,
    left_sum: f64,
    right_sum: f64,
}

/// How low the siblings so far reach, the lowest first to be asked.
struct Lows(Vec<(f64, usize)>);

impl Lows {
    fn add(&mut self, bottom: f64, index: usize) {
        while self.0.last().is_some_and(|&(low, _)| bottom >= low) {
            self.0.pop();
        }
        self.0.push((bottom, index));
    }
}

struct Tidy<'a> {
    children: &'a [Vec<usize>],
    extents: &'a [Extent],
    states: Vec<State>,
}

/// The start of each node across the tree; `order` holds the nodes of the tree, parents first.
pub(crate) fn places(order: &[usize], children: &[Vec<usize>], extents: &[Extent]) -> Vec<f64> {
    let mut tidy = Tidy {
        children,
        extents,
        states: vec![State::default(); extents.len()],
    };
    for &node in order.iter().rev() {
        tidy.place_children(node);
    }
    let mut sums = vec![0.0; extents.len()];
    let mut found = vec![0.0; extents.len()];
    for &node in order {
        let sum = sums[node] + tidy.states[node].modifier;
        found[node] = tidy.states[node].at + sum;
        tidy.spread_children(node);
        for &child in &children[node] {
            sums[child] = sum;
        }
    }
    found
}

impl Tidy<'_> {
    fn place_children(&mut self, node: usize) {
        let children = self.children;
        let own = &children[node];
        if own.is_empty() {
            let state = &mut self.states[node];
            (state.left_end, state.right_end) = (node, node);
            return;
        }
        let mut lows = Lows(Vec::new());
        lows.add(self.extents[self.states[own[0]].left_end].bottom, 0);
        for (index, &child) in own.iter().enumerate().skip(1) {
            let low = self.extents[self.states[child].right_end].bottom;
            self.separate(own, index, &lows);
            lows.add(low, index);
        }
        self.center(node, own);
        let (first, last) = (
            self.states[own[0]].clone(),
            self.states[own[own.len() - 1]].clone(),
        );
        let state = &mut self.states[node];
        (state.left_end, state.left_sum) = (first.left_end, first.left_sum);
        (state.right_end, state.right_sum) = (last.right_end, last.right_sum);
    }

    fn center(&mut self, node: usize, own: &[usize]) {
        let (first, last) = (own[0], own[own.len() - 1]);
        let start = self.states[first].at + self.states[first].modifier;
        let end = self.states[last].at + self.states[last].modifier + self.extents[last].across;
        self.states[node].at = (start + end - self.extents[node].across) / 2.0;
    }

    /// Moves a child's subtree beside those before it.
    fn separate(&mut self, own: &[usize], index: usize, lows: &Lows) {
        let mut low = lows.0.len();
        let (mut left, mut right) = (Some(own[index - 1]), Some(own[index]));
        let mut left_sum = self.states[own[index - 1]].modifier;
        let mut right_sum = self.states[own[index]].modifier;
        while let (Some(one), Some(other)) = (left, right) {
            while low > 1 && self.extents[one].bottom > lows.0[low - 1].0 {
                low -= 1;
            }
            let over = left_sum + self.states[one].at + self.extents[one].across
                - right_sum
                - self.states[other].at;
            if over > 0.0 {
                right_sum += over;
                self.move_subtree(own, index, lows.0[low - 1].1, over);
            }
            let (one_bottom, other_bottom) = (self.extents[one].bottom, self.extents[other].bottom);
            if one_bottom <= other_bottom {
                left = self.next_right(one);
                left_sum += left.map_or(0.0, |it| self.states[it].modifier);
            }
            if one_bottom >= other_bottom {
                right = self.next_left(other);
                right_sum += right.map_or(0.0, |it| self.states[it].modifier);
            }
        }
        match (left, right) {
            (None, Some(right)) => self.thread_left(own, index, right, right_sum),
            (Some(left), None) => self.thread_right(own, index, left, left_sum),
            _ => {}
        }
    }

    fn move_subtree(&mut self, own: &[usize], index: usize, pushed_by: usize, by: f64) {
        let state = &mut self.states[own[index]];
        state.modifier += by;
        state.left_sum += by;
        state.right_sum += by;
        if pushed_by + 1 != index {
            let part = by / (index - pushed_by) as f64;
            self.states[own[pushed_by + 1]].shift += part;
            self.states[own[index]].shift -= part;
            self.states[own[index]].change -= by - part;
        }
    }

    fn next_left(&self, node: usize) -> Option<usize> {
        let first = self.children[node].first().copied();
        first.or(self.states[node].left_thread)
    }

    fn next_right(&self, node: usize) -> Option<usize> {
        let last = self.children[node].last().copied();
        last.or(self.states[node].right_thread)
    }

    fn thread_left(&mut self, own: &[usize], index: usize, to: usize, sum: f64) {
        let first = own[0];
        let end = self.states[first].left_end;
        let off = sum - self.states[to].modifier - self.states[first].left_sum;
        let state = &mut self.states[end];
        state.left_thread = Some(to);
        state.modifier += off;
        state.at -= off;
        let (left_end, left_sum) = (
            self.states[own[index]].left_end,
            self.states[own[index]].left_sum,
        );
        (self.states[first].left_end, self.states[first].left_sum) = (left_end, left_sum);
    }

    fn thread_right(&mut self, own: &[usize], index: usize, to: usize, sum: f64) {
        let child = own[index];
        let end = self.states[child].right_end;
        let off = sum - self.states[to].modifier - self.states[child].right_sum;
        let state = &mut self.states[end];
        state.right_thread = Some(to);
        state.modifier += off;
        state.at -= off;
        let before = own[index - 1];
        let (right_end, right_sum) = (self.states[before].right_end, self.states[before].right_sum);
        (self.states[child].right_end, self.states[child].right_sum) = (right_end, right_sum);
    }

    fn spread_children(&mut self, node: usize) {
        let (mut step, mut sum) = (0.0, 0.0);
        for &child in &self.children[node] {
            let state = &mut self.states[child];
            step += state.shift;
            sum += step + state.change;
            state.modifier += sum;
        }
    }
}
