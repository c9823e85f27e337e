//! A table of a text page: columns and rows, and the cells that somebody filled.
//!
//! A table of 100 columns and 100 rows is 200 blocks and 10,000 cells, so only cells that are stored are read, and what
//! goes beyond [`TableLimits`] is left out and named.

use std::collections::{BTreeMap, HashMap};

use glade_doc::text::Mark;
use glade_doc::{ElementId, Props, TableLimits};
use serde_json::Value;

use crate::page::{marks_of, text_of};

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Table {
    pub columns: Vec<ElementId>,
    /// On which side the words of each column stand.
    pub sides: Vec<Side>,
    pub rows: Vec<Row>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    pub id: ElementId,
    /// The cells that are stored, from left to right.
    pub cells: Vec<Cell>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Cell {
    /// Which of the table's columns it is in.
    pub column: usize,
    pub text: String,
    pub marks: Vec<Mark>,
}

/// On which side words stand in their column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Side {
    /// As they run.
    #[default]
    Own,
    Left,
    Center,
    Right,
}

impl Side {
    /// The column's attribute.
    pub const NAME: &str = "align";

    pub fn word(self) -> Option<&'static str> {
        match self {
            Self::Own => None,
            Self::Left => Some("left"),
            Self::Center => Some("center"),
            Self::Right => Some("right"),
        }
    }

    fn read(props: &Props) -> Self {
        let word = props.get(Self::NAME).and_then(Value::as_str);
        let all = [Self::Left, Self::Center, Self::Right];
        let found = all.into_iter().find(|side| side.word() == word);
        found.unwrap_or_default()
    }
}

impl Table {
    /// The table of these columns and rows, which are in order. `all` are the page's live elements.
    pub(crate) fn read(
        columns: Vec<ElementId>,
        rows: Vec<ElementId>,
        all: &BTreeMap<&ElementId, &Props>,
    ) -> Self {
        let places: HashMap<&str, usize> = columns.iter().map(ElementId::as_str).zip(0..).collect();
        let rows = rows.into_iter().map(|id| {
            let prefix = ElementId(format!("{id}."));
            let named = all
                .range::<&ElementId, _>(&prefix..)
                .map_while(|(id, props)| Some((id.as_str().strip_prefix(prefix.as_str())?, props)));
            let mut cells: Vec<Cell> = named
                .filter_map(|(column, props)| {
                    Some(Cell {
                        column: *places.get(column)?,
                        text: text_of(props),
                        marks: marks_of(props),
                    })
                })
                .collect();
            cells.sort_by_key(|cell| cell.column);
            Row { id, cells }
        });
        let rows = rows.collect();
        let side = |id| all.get(id).map(|props| Side::read(props));
        let sides = columns.iter().map(|id| side(id).unwrap_or_default());
        Self {
            sides: sides.collect(),
            columns,
            rows,
        }
    }

    /// Whether it may have one more row, or one more column.
    pub fn has_room(&self, more_columns: usize, more_rows: usize) -> bool {
        let (columns, rows) = (
            self.columns.len() + more_columns,
            self.rows.len() + more_rows,
        );
        TableLimits::get().allows(columns, rows)
    }

    /// The cells of a row, one for each column.
    pub fn across<'a>(&'a self, row: &'a Row) -> impl Iterator<Item = Option<&'a Cell>> {
        let mut cells = row.cells.iter().peekable();
        (0..self.columns.len()).map(move |column| cells.next_if(|cell| cell.column == column))
    }

    /// The words of each row, one text for each column.
    pub fn words(&self) -> impl Iterator<Item = Vec<&str>> {
        self.rows.iter().map(|row| {
            let cells = self.across(row);
            cells
                .map(|cell| cell.map_or("", |cell| &cell.text))
                .collect()
        })
    }

    pub fn cells(&self) -> impl Iterator<Item = &Cell> {
        self.rows.iter().flat_map(|row| &row.cells)
    }

    pub(crate) fn cells_mut(&mut self) -> impl Iterator<Item = &mut Cell> {
        self.rows.iter_mut().flat_map(|row| &mut row.cells)
    }
}
