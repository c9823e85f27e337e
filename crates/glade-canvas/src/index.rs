//! Where things are, found by place: a grid in levels, updated in place.
//!
//! A box lies in the level whose cells are as large as its longer side, so it touches at most four of them however
//! large it is. Putting and taking one box costs the same on a page of ten and of ten thousand.

use std::collections::BTreeMap;

use crate::geometry::{Rect, Size};

/// Cells are 2^6 units wide or wider: shapes are rarely smaller, and views never.
const FINEST: u8 = 6;

/// Ordered so that a row of cells is one range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Cell {
    level: u8,
    row: i64,
    column: i64,
}

/// The cells of one level that a box touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Span {
    level: u8,
    rows: (i64, i64),
    columns: (i64, i64),
}

impl Span {
    fn of(rect: &Rect, level: u8) -> Self {
        let size = f64::from(2_u32.pow(u32::from(level)));
        // Coordinates are clamped where they are read, far below where this cast loses anything.
        let cell = |at: f64| (at / size).floor() as i64;
        Self {
            level,
            rows: (cell(rect.y), cell(rect.bottom())),
            columns: (cell(rect.x), cell(rect.right())),
        }
    }

    fn cells(self) -> impl Iterator<Item = Cell> {
        let row = move |row: i64| {
            (self.columns.0..=self.columns.1).map(move |column| Cell {
                level: self.level,
                row,
                column,
            })
        };
        (self.rows.0..=self.rows.1).flat_map(row)
    }
}

/// Boxes by their place, each with a key.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Index<K> {
    boxes: BTreeMap<K, Rect>,
    cells: BTreeMap<Cell, BTreeMap<K, Rect>>,
    /// How many cells are in use in each level.
    levels: BTreeMap<u8, usize>,
}

impl<K> Default for Index<K> {
    fn default() -> Self {
        Self {
            boxes: BTreeMap::new(),
            cells: BTreeMap::new(),
            levels: BTreeMap::new(),
        }
    }
}

impl<K: Ord + Clone> Index<K> {
    /// Adds the box, or moves the one of the same key.
    pub fn put(&mut self, key: &K, rect: Rect) {
        let span = Span::of(&rect, level_of(&rect));
        if let Some(old) = self.boxes.insert(key.clone(), rect) {
            let before = Span::of(&old, level_of(&old));
            if before != span {
                self.leave(key, before);
            }
        }
        for cell in span.cells() {
            let inside = self.cells.entry(cell).or_default();
            if inside.is_empty() {
                *self.levels.entry(span.level).or_default() += 1;
            }
            match inside.get_mut(key) {
                Some(own) => *own = rect,
                None => drop(inside.insert(key.clone(), rect)),
            }
        }
    }

    pub fn remove(&mut self, key: &K) {
        if let Some(old) = self.boxes.remove(key) {
            self.leave(key, Span::of(&old, level_of(&old)));
        }
    }

    fn leave(&mut self, key: &K, span: Span) {
        for cell in span.cells() {
            let Some(inside) = self.cells.get_mut(&cell) else {
                continue;
            };
            inside.remove(key);
            if inside.is_empty() {
                self.cells.remove(&cell);
                if let Some(used) = self.levels.get_mut(&span.level) {
                    *used -= 1;
                }
            }
        }
        self.levels.retain(|_, used| *used > 0);
    }

    /// The keys of all boxes that share anything with `rect`, be it an edge; in their order.
    pub fn touching(&self, rect: &Rect) -> Vec<&K> {
        let mut found = self.near(rect, |own| own.touches(rect));
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The keys of all boxes that hold all of `rect`, in no order; one may come twice.
    pub fn holding(&self, rect: &Rect) -> Vec<&K> {
        let middle = Rect::centered(rect.center(), Size::default());
        self.near(&middle, |own| own.contains_rect(rect))
    }

    /// The keys of the boxes that are wanted, out of all that are in the cells that `rect` touches.
    fn near(&self, rect: &Rect, wanted: impl Fn(&Rect) -> bool) -> Vec<&K> {
        let mut found = Vec::new();
        for (level, used) in &self.levels {
            let span = Span::of(rect, *level);
            let cell = |row: i64, column: i64| Cell {
                level: *level,
                row,
                column,
            };
            let within = |cell: &Cell| (span.columns.0..=span.columns.1).contains(&cell.column);
            let rows = usize::try_from(span.rows.1 - span.rows.0).unwrap_or(usize::MAX);
            if rows < *used {
                for row in span.rows.0..=span.rows.1 {
                    let range = cell(row, span.columns.0)..=cell(row, span.columns.1);
                    found.extend(
                        self.cells
                            .range(range)
                            .flat_map(|(_, inside)| keys(inside, &wanted)),
                    );
                }
            } else {
                let rows = cell(span.rows.0, i64::MIN)..=cell(span.rows.1, i64::MAX);
                let cells = self.cells.range(rows).filter(|(cell, _)| within(cell));
                found.extend(cells.flat_map(|(_, inside)| keys(inside, &wanted)));
            }
        }
        found
    }
}

/// The keys of the boxes that are wanted.
fn keys<K>(inside: &BTreeMap<K, Rect>, wanted: impl Fn(&Rect) -> bool) -> impl Iterator<Item = &K> {
    let wanted = inside.iter().filter(move |(_, own)| wanted(own));
    wanted.map(|(key, _)| key)
}

/// The finest level whose cells are at least as large as the box.
fn level_of(rect: &Rect) -> u8 {
    let side = rect.w.max(rect.h);
    (FINEST..31)
        .find(|level| side <= f64::from(2_u32.pow(u32::from(*level))))
        .unwrap_or(31)
}
