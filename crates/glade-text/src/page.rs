//! A text page as its readers see it.

use std::collections::BTreeMap;

use glade_doc::text::{INDEX, MARKS, Mark, NODE, PARENT, from_value};
use glade_doc::{ElementId, Props, TableLimits};
use serde_json::Value;

use crate::table::Table;

/// One block.
#[derive(Debug, Clone, PartialEq)]
pub struct Block {
    pub id: ElementId,
    /// `paragraph`, `heading` and so on.
    pub kind: String,
    pub index: String,
    pub text: String,
    pub marks: Vec<Mark>,
    pub props: Props,
    /// Of a table.
    pub table: Option<Table>,
}

/// The blocks of a page, in order.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Page {
    pub blocks: Vec<Block>,
    /// Columns and rows of tables that are larger than tables may be: in none of the blocks.
    pub set_aside: Vec<ElementId>,
}

impl Block {
    /// A block by itself, if that is what it is: not a part of a table, and of a table nothing but that it is one.
    pub fn read(id: &ElementId, props: &Props) -> Option<Self> {
        let word = |name: &str| props.get(name).and_then(Value::as_str);
        let kind = word(NODE).filter(|kind| !kind.starts_with("table") || *kind == "table")?;
        let shown = is_live(props) && word(PARENT).is_none();
        shown.then(|| Self {
            id: id.clone(),
            kind: kind.to_owned(),
            index: index_of(props).to_owned(),
            text: text_of(props),
            marks: marks_of(props),
            props: props.clone(),
            table: None,
        })
    }

    pub fn number(&self, name: &str) -> usize {
        let value = self.props.get(name).and_then(Value::as_f64).unwrap_or(0.0);
        value.clamp(0.0, 64.0) as usize
    }

    pub fn word(&self, name: &str) -> &str {
        self.props.get(name).and_then(Value::as_str).unwrap_or("")
    }

    pub fn indent(&self) -> usize {
        self.number("indent")
    }

    /// Of a heading, 1 to 6.
    pub fn level(&self) -> usize {
        self.number("level").clamp(1, 6)
    }

    /// Whether an attribute is set.
    pub fn is(&self, name: &str) -> bool {
        self.props.get(name) == Some(&Value::Bool(true))
    }

    pub fn is_checked(&self) -> bool {
        self.is("checked")
    }

    /// Everything that can be read in it, cells too.
    pub fn all_text(&self) -> String {
        match &self.table {
            Some(table) => {
                let rows = table.words().map(|cells| cells.join(" | "));
                rows.collect::<Vec<_>>().join("\n")
            }
            None => self.text.clone(),
        }
    }
}

fn is_live(props: &Props) -> bool {
    props.get("isDeleted") != Some(&Value::Bool(true))
}

/// What has no place comes last.
fn index_of(props: &Props) -> &str {
    props.get(INDEX).and_then(Value::as_str).unwrap_or("~")
}

pub(crate) fn text_of(props: &Props) -> String {
    let text = props.get("originalText").and_then(Value::as_str);
    text.unwrap_or("").to_owned()
}

pub(crate) fn marks_of(props: &Props) -> Vec<Mark> {
    props.get(MARKS).map(from_value).unwrap_or_default()
}

impl Page {
    pub fn read<'a>(elements: impl IntoIterator<Item = (&'a ElementId, &'a Props)>) -> Self {
        let all: BTreeMap<&ElementId, &Props> = elements
            .into_iter()
            .filter(|(_, props)| is_live(props))
            .collect();
        let mut children: BTreeMap<&str, Vec<(&str, &ElementId, &str)>> = BTreeMap::new();
        let mut top: Vec<(&str, &ElementId, &str)> = Vec::new();
        for (id, props) in &all {
            let word = |name: &str| props.get(name).and_then(Value::as_str);
            let Some(kind) = word(NODE) else { continue };
            let place = (index_of(props), *id, kind);
            match word(PARENT) {
                Some(parent) => children.entry(parent).or_default().push(place),
                None => top.push(place),
            }
        }
        let in_order = |list: &mut Vec<(&str, &ElementId, &str)>| list.sort();
        in_order(&mut top);
        children.values_mut().for_each(in_order);
        let mut limits = TableLimits::get();
        let mut set_aside = Vec::new();
        let mut table = |id: &ElementId| {
            let of = |kind: &str| -> Vec<ElementId> {
                let inside = children.get(id.as_str()).into_iter().flatten();
                let fits = inside.filter(|(_, _, found)| *found == kind);
                fits.map(|(_, id, _)| (*id).clone()).collect()
            };
            let (mut columns, mut rows) = (of("tableColumn"), of("tableRow"));
            let (width, height) = limits.take(columns.len(), rows.len());
            set_aside.extend(columns.drain(width..).chain(rows.drain(height..)));
            Table::read(columns, rows, &all)
        };
        let blocks = top.into_iter().filter_map(|(_, id, kind)| {
            Some(Block {
                table: (kind == "table").then(|| table(id)),
                ..Block::read(id, all[id])?
            })
        });
        let shown = |block: &Block| {
            block
                .table
                .as_ref()
                .is_none_or(|t| !t.rows.is_empty() && !t.columns.is_empty())
        };
        Self {
            blocks: blocks.filter(shown).collect(),
            set_aside,
        }
    }

    /// What a file made of the page says of the rows and columns that are not in it.
    pub fn left_out(&self) -> Option<String> {
        let count = self.set_aside.len();
        let what = if count == 1 {
            "1 row or column"
        } else {
            &format!("{count} rows and columns")
        };
        (count > 0).then(|| {
            format!("Left out of this file: {what} beyond what the tables of a page may have.")
        })
    }

    pub fn position(&self, id: &ElementId) -> Option<usize> {
        self.blocks.iter().position(|block| block.id == *id)
    }

    pub fn get(&self, id: &ElementId) -> Option<&Block> {
        self.blocks.iter().find(|block| block.id == *id)
    }
}
