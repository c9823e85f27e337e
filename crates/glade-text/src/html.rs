//! A page as HTML, for reading elsewhere.

use glade_doc::text::HTML;
use pulldown_cmark::{Parser, html};

use crate::markdown::{OPTIONS, to_markdown};
use crate::page::Page;

/// The page's HTML: a fragment without a head. What people wrote is escaped; it holds no script.
pub fn to_html(page: &Page) -> String {
    let mut page = page.clone();
    // HTML that somebody wrote is shown, not obeyed.
    for block in &mut page.blocks {
        block.props.remove("raw");
        block.marks.retain(|mark| mark.name != HTML);
        let rows = block.table.iter_mut().flat_map(|table| &mut table.rows);
        for cell in rows.flat_map(|(_, cells)| cells) {
            cell.marks.retain(|mark| mark.name != HTML);
        }
    }
    let source = to_markdown(&page);
    let mut out = String::new();
    html::push_html(&mut out, Parser::new_ext(&source, OPTIONS));
    out
}
