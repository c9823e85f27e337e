//! What lines must keep out of.

use crate::geometry::{self, Point, Rect, at};

/// Boxes in a grid of cells, so that a line asks only those near it.
pub(crate) struct Field {
    pub boxes: Vec<Rect>,
    cells: Vec<Vec<u32>>,
    columns: usize,
    rows: usize,
    corner: Point,
    cell: f64,
}

/// A line may touch a border.
const TOUCH: f64 = 0.01;
const MOST_CELLS: usize = 64;

impl Field {
    pub fn new(boxes: Vec<Rect>) -> Self {
        let around = geometry::bounds(boxes.iter().copied()).unwrap_or_default();
        let wanted = (boxes.len() as f64).sqrt().ceil().max(1.0) as usize;
        let count = wanted.min(MOST_CELLS);
        let cell = (around.w.max(around.h) / count as f64).max(1.0);
        let columns = ((around.w / cell) as usize + 1).min(MOST_CELLS + 1);
        let rows = ((around.h / cell) as usize + 1).min(MOST_CELLS + 1);
        let mut field = Self {
            boxes: Vec::new(),
            cells: vec![Vec::new(); columns * rows],
            columns,
            rows,
            corner: around.corner(),
            cell,
        };
        for it in boxes {
            field.add(it);
        }
        field
    }

    pub fn add(&mut self, it: Rect) {
        let index = self.boxes.len() as u32;
        self.boxes.push(it);
        let (columns, rows) = self.cells_of(it);
        for row in rows {
            for column in columns.clone() {
                self.cells[row * self.columns + column].push(index);
            }
        }
    }

    fn cells_of(
        &self,
        it: Rect,
    ) -> (
        std::ops::RangeInclusive<usize>,
        std::ops::RangeInclusive<usize>,
    ) {
        let cell = |place: f64, start: f64, count: usize| {
            (((place - start) / self.cell).max(0.0) as usize).min(count - 1)
        };
        let columns =
            cell(it.x, self.corner.x, self.columns)..=cell(it.right(), self.corner.x, self.columns);
        let rows =
            cell(it.y, self.corner.y, self.rows)..=cell(it.bottom(), self.corner.y, self.rows);
        (columns, rows)
    }

    /// The boxes that may touch this one.
    pub fn near(&self, it: Rect) -> Vec<usize> {
        let (columns, rows) = self.cells_of(it);
        let mut found = Vec::new();
        for row in rows {
            for column in columns.clone() {
                found.extend(
                    self.cells[row * self.columns + column]
                        .iter()
                        .map(|&it| it as usize),
                );
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    pub fn is_clear(&self, a: Point, b: Point) -> bool {
        let around = span(a, b);
        let (columns, rows) = self.cells_of(around);
        for row in rows {
            for column in columns.clone() {
                for &index in &self.cells[row * self.columns + column] {
                    if self.boxes[index as usize].grown(-TOUCH).is_crossed_by(a, b) {
                        return false;
                    }
                }
            }
        }
        true
    }

    pub fn is_path_clear(&self, points: &[Point]) -> bool {
        points
            .windows(2)
            .all(|pair| self.is_clear(pair[0], pair[1]))
    }
}

pub(crate) fn span(a: Point, b: Point) -> Rect {
    let corner = at(a.x.min(b.x), a.y.min(b.y));
    geometry::rect(corner.x, corner.y, (a.x - b.x).abs(), (a.y - b.y).abs())
}
