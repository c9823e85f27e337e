//! Blocks yet to be, as edits.

use glade_doc::text::{INDEX, MARKS, Mark, NODE, PARENT, TEX, to_value};
use glade_doc::{Edit, ElementId, Props, formula_fits, rules};
use serde_json::{Value, json};

use crate::order;
use crate::page::{Block, Page};
use crate::table::{Cell, Row, Side, Table};

/// The words of a table's cells, row by row.
pub type Rows = Vec<Vec<(String, Vec<Mark>)>>;

/// A block that somebody wants on a page.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct NewBlock {
    pub kind: String,
    pub text: String,
    pub marks: Vec<Mark>,
    /// Its attributes: `level`, `list`, `checked`, `indent`, `lang`, `src`, …
    pub props: Props,
    /// Of a table: its cells, row by row.
    pub rows: Rows,
    /// Of a table: where the words of each column stand; what is missing stands as it runs.
    pub sides: Vec<Side>,
}

impl NewBlock {
    pub fn new(kind: &str, text: impl Into<String>) -> Self {
        Self {
            kind: kind.to_owned(),
            text: text.into(),
            ..Self::default()
        }
    }

    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.props.insert(name.to_owned(), value.into());
        self
    }

    /// How many columns its table has.
    fn width(&self) -> usize {
        self.rows.iter().map(Vec::len).max().unwrap_or(0)
    }

    fn all_sides(&self) -> Vec<Side> {
        let mut sides = self.sides.clone();
        sides.resize(self.width(), Side::Own);
        sides
    }

    /// As it would be on a page, in no place yet.
    pub fn as_block(&self) -> Block {
        let nowhere = || ElementId(String::new());
        let cell = |(column, (text, marks)): (usize, &(String, Vec<Mark>))| Cell {
            column,
            text: text.clone(),
            marks: marks.clone(),
        };
        let rows = self.rows.iter().map(|cells| Row {
            id: nowhere(),
            cells: cells.iter().enumerate().map(cell).collect(),
        });
        let table = Table {
            columns: vec![nowhere(); self.width()],
            sides: self.all_sides(),
            rows: rows.collect(),
        };
        Block {
            id: nowhere(),
            kind: self.kind.clone(),
            index: String::new(),
            text: self.text.clone(),
            marks: self.marks.clone(),
            props: self.props.clone(),
            table: (self.kind == "table").then_some(table),
        }
    }

    /// Whether a block of a page is this already.
    pub fn is(&self, block: &Block) -> bool {
        let words = |cell: Option<&Cell>| {
            cell.map_or_else(Default::default, |cell| {
                (cell.text.clone(), cell.marks.clone())
            })
        };
        let row = |table: &Table, row: &Row| table.across(row).map(words).collect();
        let rows = |table: &Table| table.rows.iter().map(|it| row(table, it)).collect();
        let rows: Rows = block.table.as_ref().map(rows).unwrap_or_default();
        let attributes = |props: &Props| {
            let own = |name: &str| {
                ![NODE, PARENT, INDEX, MARKS, "originalText", "isDeleted"].contains(&name)
            };
            let said = |value: &Value| {
                !value.is_null()
                    && *value != json!(0)
                    && *value != json!(false)
                    && *value != json!("")
            };
            let mut kept: Vec<(String, String)> = props
                .iter()
                .filter(|(name, value)| own(name) && said(value))
                .map(|(name, value)| (name.clone(), value.to_string()))
                .collect();
            kept.sort();
            kept
        };
        self.kind == block.kind
            && self.text == block.text
            && self.marks == block.marks
            && self.rows == rows
            && self.all_sides()
                == block
                    .table
                    .as_ref()
                    .map_or_else(Vec::new, |table| table.sides.clone())
            && attributes(&self.props) == attributes(&block.props)
    }
}

/// Where blocks go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InsertAt<'a> {
    Start,
    End,
    After(&'a ElementId),
}

/// Puts blocks onto a page, in a row. `id` makes a fresh id.
pub fn write(
    page: &Page,
    place: InsertAt<'_>,
    blocks: &[NewBlock],
    id: &mut dyn FnMut() -> String,
) -> Vec<Edit> {
    let at = match place {
        InsertAt::Start => 0,
        InsertAt::End => page.blocks.len(),
        InsertAt::After(id) => page.position(id).map_or(page.blocks.len(), |at| at + 1),
    };
    let left = at.checked_sub(1).map(|at| page.blocks[at].index.as_str());
    let right = page.blocks.get(at).map(|block| block.index.as_str());
    let keys = order::row(left, right, blocks.len());
    let mut edits = Vec::new();
    for (block, index) in blocks.iter().zip(keys) {
        edits.extend(edits_of(block, &ElementId(id()), &index, id));
    }
    edits
}

/// The words with no more lines than a block takes: further line breaks are spaces.
fn few_lines(text: &str) -> String {
    let mut left = rules::most_line_breaks();
    let kept = text.chars().map(|c| match (c, left) {
        ('\n', 0) => ' ',
        ('\n', _) => {
            left -= 1;
            c
        }
        _ => c,
    });
    kept.collect()
}

/// The marks without those that would make a formula that no page takes: its source stays.
fn fitting(text: &str, marks: &[Mark]) -> Vec<Mark> {
    let mut places: Vec<(usize, usize)> = marks
        .iter()
        .filter(|mark| mark.name == TEX)
        .map(|mark| (mark.from, mark.to))
        .collect();
    places.sort_unstable();
    let mut formulas: Vec<(usize, usize)> = Vec::new();
    for (from, to) in places {
        match formulas.last_mut() {
            // What touches is one formula.
            Some(last) if from <= last.1 => last.1 = last.1.max(to),
            _ => formulas.push((from, to)),
        }
    }
    // They are in order, so the words are gone through once.
    let mut rest = text.chars();
    let mut at = 0;
    formulas.retain(|(from, to)| {
        let tex: String = rest.by_ref().skip(from - at).take(to - from).collect();
        at = *to;
        !formula_fits(&tex)
    });
    let stays = |mark: &&Mark| {
        let before = formulas.partition_point(|(_, to)| *to <= mark.from);
        let odd = formulas
            .get(before)
            .is_some_and(|(from, _)| *from <= mark.from);
        mark.name != TEX || !odd
    };
    marks.iter().filter(stays).cloned().collect()
}

/// One block, and what is in it, at a place of the page's order. `id` names its parts.
pub fn edits_of(
    block: &NewBlock,
    own: &ElementId,
    index: &str,
    id: &mut dyn FnMut() -> String,
) -> Vec<Edit> {
    let put = |id: &ElementId, props: Props| Edit::Put {
        id: id.clone(),
        props,
    };
    let part = |kind: &str, parent: &ElementId, index: &str| {
        let props = json!({ NODE: kind, PARENT: parent, INDEX: index });
        props.as_object().cloned().unwrap_or_default()
    };
    let mut props = block.props.clone();
    // What no page takes is left out, rather than the whole file refused.
    props.retain(|name, value| rules::check_block(name, value).is_ok());
    let odd = block.kind == "formula" && !formula_fits(&block.text);
    if odd {
        props.insert("lang".to_owned(), json!("math"));
    }
    let kind = if odd { "codeBlock" } else { &block.kind };
    props.insert(NODE.to_owned(), json!(kind));
    props.insert(PARENT.to_owned(), Value::Null);
    props.insert(INDEX.to_owned(), json!(index));
    if block.rows.is_empty() && !["divider", "image", "embed"].contains(&block.kind.as_str()) {
        let text = match kind {
            "codeBlock" | "formula" => block.text.clone(),
            _ => few_lines(&block.text),
        };
        let marks = fitting(&block.text, &block.marks);
        props.insert("originalText".to_owned(), json!(text));
        if !marks.is_empty() {
            props.insert(MARKS.to_owned(), to_value(&marks));
        }
    }
    let mut edits = vec![put(own, props)];
    let mut columns: Vec<ElementId> = Vec::new();
    let sides = block.all_sides();
    let keys = order::row(None, None, sides.len());
    for (side, key) in sides.into_iter().zip(keys) {
        let column = ElementId(id());
        let mut props = part("tableColumn", own, &key);
        if let Some(word) = side.word() {
            props.insert(Side::NAME.to_owned(), json!(word));
        }
        edits.push(put(&column, props));
        columns.push(column);
    }
    let keys = order::row(None, None, block.rows.len());
    for (cells, key) in block.rows.iter().zip(keys) {
        let row = ElementId(id());
        edits.push(put(&row, part("tableRow", own, &key)));
        for ((text, marks), column) in cells
            .iter()
            .zip(&columns)
            .filter(|((text, _), _)| !text.is_empty())
        {
            let mut props = part("tableCell", &row, "V");
            props.insert("originalText".to_owned(), json!(few_lines(text)));
            let marks = fitting(text, marks);
            if !marks.is_empty() {
                props.insert(MARKS.to_owned(), to_value(&marks));
            }
            edits.push(put(&ElementId(format!("{row}.{column}")), props));
        }
    }
    edits
}
