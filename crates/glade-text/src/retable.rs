//! A table and how somebody wrote it anew: which rows and columns are still which, wherever they stand now.

use std::collections::BTreeSet;

use crate::order;
use crate::table::Table;
use crate::write::Rows;

/// For each row and column of the new table the one that it was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Retabled {
    pub columns: Vec<Option<usize>>,
    pub rows: Vec<Option<usize>>,
}

impl Table {
    /// The head says which column is which; of rows the words do, all of them or those of the first cell.
    pub fn retabled(&self, new: &Rows) -> Retabled {
        let old: Vec<Vec<&str>> = self.words().collect();
        let width = new.iter().map(Vec::len).max().unwrap_or(0);
        let word = |row: usize, column: usize| -> &str {
            let cell = new.get(row).and_then(|cells| cells.get(column));
            cell.map_or("", |(text, _)| text.trim())
        };
        let head = |column: usize| old.first().map_or("", |row| row[column].trim());
        let mut columns = Matching::new(width, self.columns.len());
        columns.pair(|new, old| !head(old).is_empty() && word(0, new) == head(old));
        columns.rest();
        let like = |new: usize, was: usize| {
            let of = columns.found.iter().enumerate();
            let mut both = of.filter_map(|(at, from)| Some((at, (*from)?)));
            both.all(|(at, from)| word(new, at) == old[was][from].trim())
        };
        let key = columns.found.first().copied().flatten();
        let first = |new: usize, was: usize| {
            key.is_some_and(|key| !word(new, 0).is_empty() && word(new, 0) == old[was][key].trim())
        };
        let mut rows = Matching::new(new.len(), old.len());
        rows.pair(|new, old| new == 0 && old == 0);
        rows.pair(like);
        rows.pair(first);
        rows.rest();
        Retabled {
            columns: columns.found,
            rows: rows.found,
        }
    }
}

struct Matching {
    found: Vec<Option<usize>>,
    free: BTreeSet<usize>,
}

impl Matching {
    fn new(new: usize, old: usize) -> Self {
        Self {
            found: vec![None; new],
            free: (0..old).collect(),
        }
    }

    /// Pairs what is alike, in order.
    fn pair(&mut self, alike: impl Fn(usize, usize) -> bool) {
        for new in 0..self.found.len() {
            if self.found[new].is_none()
                && let Some(old) = self.free.iter().copied().find(|old| alike(new, *old))
            {
                self.free.remove(&old);
                self.found[new] = Some(old);
            }
        }
    }

    /// What is left on both sides is the same if it is as much: otherwise nobody knows what came and what went.
    fn rest(&mut self) {
        let left: Vec<usize> = (0..self.found.len())
            .filter(|new| self.found[*new].is_none())
            .collect();
        if left.len() == self.free.len() {
            for (new, old) in left.into_iter().zip(std::mem::take(&mut self.free)) {
                self.found[new] = Some(old);
            }
        }
    }
}

/// Order keys for things of which some had one: what can stay where it is keeps its own.
pub fn keys(old: &[Option<String>]) -> Vec<String> {
    let stays = longest_rise(old);
    let mut keys: Vec<String> = Vec::new();
    let mut at = 0;
    while at < old.len() {
        if stays.contains(&at) {
            keys.extend(old[at].clone());
            at += 1;
            continue;
        }
        let end = (at..old.len())
            .find(|next| stays.contains(next))
            .unwrap_or(old.len());
        let right = old.get(end).and_then(Option::as_deref);
        let fresh = order::row(keys.last().map(String::as_str), right, end - at);
        keys.extend(fresh);
        at = end;
    }
    keys
}

/// The places of the most keys that are in order already.
fn longest_rise(keys: &[Option<String>]) -> BTreeSet<usize> {
    // For each place, how many are in order up to it, and the one before it.
    let mut best: Vec<(usize, Option<usize>)> = Vec::new();
    for (at, key) in keys.iter().enumerate() {
        let below = |before: &usize| keys[*before].is_some() && keys[*before] < *key;
        let before = (0..at).filter(below).max_by_key(|before| best[*before].0);
        let so_far = before.map_or(0, |before| best[before].0);
        best.push((so_far + 1, before));
    }
    let known = (0..keys.len()).filter(|at| keys[*at].is_some());
    let mut next = known.max_by_key(|at| best[*at].0);
    let mut rise = BTreeSet::new();
    while let Some(at) = next {
        rise.insert(at);
        next = best[at].1;
    }
    rise
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_in_order_keeps_its_key() {
        let key = |key: &str| Some(key.to_owned());
        let row = order::row(None, None, 4);
        let (a, b, c, d) = (&row[0], &row[1], &row[2], &row[3]);
        for old in [
            vec![key(a), key(b), key(c), key(d)],
            vec![key(d), key(a), key(b), key(c)],
            vec![key(a), None, key(b), None, None],
            vec![None, key(d), key(c)],
        ] {
            let new = keys(&old);
            assert!(
                new.is_sorted() && new.iter().collect::<BTreeSet<_>>().len() == old.len(),
                "{new:?}"
            );
            let kept = new
                .iter()
                .zip(&old)
                .filter(|(new, old)| Some(*new) == old.as_ref());
            assert!(kept.count() + 2 >= old.iter().flatten().count());
        }
    }
}
