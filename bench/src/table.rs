//! Tables of results, as Markdown.

use std::fmt::Write as _;

/// A table whose first column holds names and the others numbers.
#[derive(Debug, Clone, Default)]
pub struct Table {
    head: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    pub fn new(head: &[&str]) -> Self {
        Self {
            head: head.iter().map(|&cell| cell.to_owned()).collect(),
            rows: Vec::new(),
        }
    }

    /// Adds a row; what it lacks is left empty.
    pub fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        let mut row: Vec<String> = cells.into_iter().collect();
        row.resize(self.head.len(), String::new());
        self.rows.push(row);
    }

    pub fn markdown(&self) -> String {
        let widths: Vec<usize> = (0..self.head.len())
            .map(|at| {
                let cells = std::iter::once(&self.head).chain(&self.rows);
                let longest = cells
                    .filter_map(|row| row.get(at))
                    .map(|c| c.chars().count());
                longest.max().unwrap_or(0).max(3)
            })
            .collect();
        let mut text = String::new();
        let mut line = |row: &[String]| {
            for (at, (cell, &width)) in row.iter().zip(&widths).enumerate() {
                // Writing to a string does not fail.
                let _written = match at {
                    0 => write!(text, "| {cell:<width$} "),
                    _ => write!(text, "| {cell:>width$} "),
                };
            }
            text.push_str("|\n");
        };
        line(&self.head);
        let rule: Vec<String> = widths
            .iter()
            .enumerate()
            .map(|(at, &width)| match at {
                0 => "-".repeat(width),
                _ => format!("{}:", "-".repeat(width - 1)),
            })
            .collect();
        line(&rule);
        for row in &self.rows {
            line(row);
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_lines_its_columns_up() {
        let mut table = Table::new(&["server", "p99 ms"]);
        table.row(["ours".to_owned(), "12.5".to_owned()]);
        table.row(["théirs".to_owned()]);
        let expected = "\
| server | p99 ms |
| ------ | -----: |
| ours   |   12.5 |
| théirs |        |
";
        assert_eq!(table.markdown(), expected);
    }
}
