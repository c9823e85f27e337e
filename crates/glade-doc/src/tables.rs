//! How large a table of a text page may be.
//!
//! A table's columns and rows are blocks, and its cells are their product: a few thousand blocks would be millions of
//! cells for whoever shows the page. One update may not make a larger table than [`TableLimits`] allow. Several together
//! may, so whoever reads a page leaves out what is beyond them ([`TableLimits::take`]).

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use crate::text::{NODE, PARENT};
use crate::{Change, ElementId, PageDoc, Refusal, rules};

pub const COLUMN: &str = "tableColumn";
pub const ROW: &str = "tableRow";

/// The most that a table, or all tables of a page, may have. The studio reads the same (`element-rules.json`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
pub struct TableLimits {
    columns: usize,
    /// Columns times rows of one table.
    cells: usize,
    /// Cells of all tables of a page.
    page: usize,
}

impl TableLimits {
    pub fn get() -> Self {
        rules::table_limits()
    }

    pub fn allows(self, columns: usize, rows: usize) -> bool {
        columns <= self.columns && columns.saturating_mul(rows) <= self.cells
    }

    /// How many columns and rows of the page's next table are shown.
    pub fn take(&mut self, columns: usize, rows: usize) -> (usize, usize) {
        let columns = columns.min(self.columns);
        if columns == 0 {
            return (0, rows);
        }
        let rows = rows.min(self.cells.min(self.page) / columns);
        self.page -= columns * rows;
        (columns, rows)
    }
}

/// Whether `changes` say what a block is or in what, so that they may make columns or rows.
pub(crate) fn any_parts(changes: &[Change]) -> bool {
    placed(changes).next().is_some()
}

/// Whether `changes` by themselves make no table too large. `doc` is the page before them.
pub(crate) fn check(changes: &[Change], doc: &PageDoc) -> Result<(), Refusal> {
    let mut parts: BTreeMap<&ElementId, (Option<Value>, Option<Value>)> = BTreeMap::new();
    for (element, property, value) in placed(changes) {
        let before = || (doc.register(element, NODE), doc.register(element, PARENT));
        let (kind, parent) = parts.entry(element).or_insert_with(before);
        let changed = if property == NODE { kind } else { parent };
        *changed = Some(value.clone());
    }
    let mut sizes: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for part in parts.into_values() {
        let (Some(Value::String(kind)), Some(Value::String(parent))) = part else {
            continue;
        };
        let (columns, rows) = sizes.entry(parent).or_default();
        match kind.as_str() {
            COLUMN => *columns += 1,
            ROW => *rows += 1,
            _ => {}
        }
    }
    let limits = TableLimits::get();
    let large = sizes
        .into_iter()
        .find(|(_, (columns, rows))| !limits.allows(*columns, (*rows).max(1)));
    match large {
        Some((table, (columns, rows))) => Err(Refusal::BadBlock {
            element: ElementId(table),
            reason: format!(
                "{columns} columns and {rows} rows are more than a table may have: {} columns, {} cells",
                limits.columns, limits.cells
            ),
        }),
        None => Ok(()),
    }
}

/// The writes that say what a block is, or in what.
fn placed(changes: &[Change]) -> impl Iterator<Item = (&ElementId, &str, &Value)> {
    let writes = changes.iter().flat_map(|change| &change.writes);
    writes.filter_map(|write| {
        let property = write.property.as_str();
        let says = [NODE, PARENT].contains(&property);
        says.then_some((&write.element, property, write.value.as_ref()?))
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::{Edit, GuardedPage, Surface};

    /// What becomes of an update that makes so many columns and rows, in one table.
    fn judged(page: &mut GuardedPage, peer: u64, columns: usize, rows: usize) -> Option<String> {
        let part = |kind: &str, at: usize| Edit::Put {
            id: ElementId(format!("{kind}{peer}-{at}")),
            props: json!({ NODE: kind, PARENT: "t" })
                .as_object()
                .unwrap()
                .clone(),
        };
        let columns = (0..columns).map(|at| part(COLUMN, at));
        let edits: Vec<Edit> = columns.chain((0..rows).map(|at| part(ROW, at))).collect();
        let client = page.doc().fork();
        let commit = client.commit(peer, None, &edits).unwrap().unwrap();
        let taken = page.admit(&commit.update, &mut |_, _| Ok(()));
        taken.err().map(|refusal| refusal.code().to_owned())
    }

    #[test]
    fn an_update_that_makes_too_large_a_table_is_refused() {
        let doc = PageDoc::blank(Surface::Text);
        let mut page = GuardedPage::open(doc, Vec::new()).unwrap();
        let refused = Some("bad-block".to_owned());
        assert_eq!(judged(&mut page, 1, 101, 0), refused);
        assert_eq!(judged(&mut page, 2, 0, 10_001), None);
        assert_eq!(judged(&mut page, 3, 2, 5_001), refused);
        assert_eq!(judged(&mut page, 4, 100, 101), refused);
        assert_eq!(judged(&mut page, 5, 100, 100), None);
    }

    #[test]
    fn a_block_that_becomes_a_column_counts_as_one() {
        let doc = PageDoc::blank(Surface::Text);
        let mut page = GuardedPage::open(doc, Vec::new()).unwrap();
        let write = |page: &mut GuardedPage, peer, props: &Value| {
            let edits: Vec<Edit> = (0..101)
                .map(|at| Edit::Put {
                    id: ElementId(format!("b{at}")),
                    props: props.as_object().unwrap().clone(),
                })
                .collect();
            let client = page.doc().fork();
            let commit = client.commit(peer, None, &edits).unwrap().unwrap();
            page.admit(&commit.update, &mut |_, _| Ok(())).is_ok()
        };
        assert!(write(
            &mut page,
            1,
            &json!({ NODE: "paragraph", PARENT: "t" })
        ));
        assert!(!write(&mut page, 2, &json!({ NODE: COLUMN })));
        assert!(write(&mut page, 3, &json!({ PARENT: null, NODE: COLUMN })));
        assert!(!write(&mut page, 4, &json!({ PARENT: "t" })));
    }

    #[test]
    fn tables_of_a_page_share_what_it_may_have() {
        let mut limits = TableLimits::get();
        assert_eq!(limits.take(12_000, 12_000), (100, 100));
        assert_eq!(limits.take(1, 12_000), (1, 10_000));
        assert_eq!(limits.take(3, 3), (3, 0));
        assert_eq!(limits.take(0, 3), (0, 3));
    }
}
